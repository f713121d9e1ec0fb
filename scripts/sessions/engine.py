# SPDX-License-Identifier: GPL-3.0-or-later
"""An engine as a child process: lines in, lines out, each with its time, in one log."""
import os
import subprocess
import threading
import time


class Engine:
    """`log` has (seconds, '>' or '<', line) in the order of events. A line is logged before it is sent, so an answer never
    stands before its question."""

    hopeless = None  # start of a line of output after which waiting is in vain

    def __init__(self, command, folder, **more):
        self.log = []
        self.changed = threading.Condition()
        self.ended = False
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder,
                                        stderr=open(os.path.join(folder, 'stderr'), 'wb'), **more)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        rest = b''
        while True:
            part = os.read(self.process.stdout.fileno(), 1 << 16)
            with self.changed:
                *lines, rest = (rest + part).split(b'\n')
                now = time.monotonic()
                self.log += [(now, '<', line.decode('utf-8', 'replace')) for line in lines]
                self.ended = not part
                self.changed.notify()
            if not part:
                return

    def send(self, *lines):
        """Sends the lines in one piece. Returns the place of the last one in the log."""
        with self.changed:
            self.log += [(time.monotonic(), '>', line) for line in lines]
            place = len(self.log) - 1
        try:
            self.process.stdin.write(''.join(line + '\n' for line in lines).encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # the engine has ended: the check of its status says so
        return place

    def close(self):
        with self.changed:
            self.log.append((time.monotonic(), '>', 'close'))
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass

    def count(self, start, way='<'):
        """Number of lines that start with this text."""
        return sum(w == way and text.startswith(start) for _, w, text in self.log)

    def await_lines(self, start, count, seconds):
        """Waits until there are so many lines with this start. False if the time is over, the engine has ended, or a line has
        come after which waiting is in vain."""
        end = time.monotonic() + seconds
        with self.changed:
            while self.count(start) < count:
                left = end - time.monotonic()
                if left <= 0 or self.ended or self.hopeless is not None and self.count(self.hopeless):
                    return False
                self.changed.wait(left)
        return True

    def status(self, seconds):
        """Waits for the end. None if it does not come in time: then the process is killed."""
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            status = None
        self.reader.join()
        self.process.stdout.close()
        if not self.process.stdin.closed:
            try:
                self.process.stdin.close()
            except BrokenPipeError:
                pass
        return status
