#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes resources away from a UCI engine and checks that it lives, or ends with the right status and a line that says why.

    scripts/sessions/faults.py ENGINE [--long] [--slow N] [NAME...]

Each fault is one line of FAULTS: a name, and a function that returns None, or why it is skipped, and raises what is wrong; names choose some of them.
--long repeats those that depend on chance, with many limits and moments. --slow N allows N times as long. The last line is
"N passed, N failed, N skipped". Needs Python 3.7 on Linux and no packages.
"""
import argparse
import fcntl
import json
import os
import random
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from engine import Engine

ANSWER_S = 10
MIB = 1 << 20
FIFO_ORDERS = ['setoption name EvalFile value {}', 'hash load {}', 'hash verify {}', 'suite {} nodes 10',
               'annotate {} out.pgn nodes 10', 'setoption name Debug Log File value {}', 'hash save {}', 'export_net {}',
               'setoption name SyzygyPath value {}', 'memory import {}', 'genfens 1 seed 1 book {}',
               'bench 1 1 1 {} depth']
ORDER_LOST = 'info string error: out of memory for a line of input'
ALL_ORDERS = ['go depth 7', 'setoption name MultiPV value 2', 'go depth 4', 'setoption name Threads value 2',
              'go depth 4', 'setoption name Hash value 2', 'hash save a.hash', 'wait', 'hash load a.hash', 'wait',
              'hash line', 'hash top 3 --json', 'setoption name MemoryFile value m.db',
              'setoption name Memory value learn', 'go depth 13', 'ucinewgame', 'memory list --json',
              'memory export e.epd', 'memory import e.epd', 'why d2d4 depth 3 --json',
              'annotate game.pgn depth 2 --json', 'suite suite.epd depth 2 --json', 'threat depth 2 --json',
              'setoption name EvalFile value a.nnue', 'go mate 1 nodes 1000', 'genfens 2 seed 5',
              'bench 1 1 1 suite.epd --json', 'setoption name SyzygyPath value .', 'help', 'd', 'go depth 4']


class Bad(Exception):
    pass


class Run:
    """One engine that is hurt. `orders()` sends lines and waits until they are done."""

    def __init__(self, test, before=None, **more):
        def prepare():
            for number in (signal.SIGINT, signal.SIGPIPE):  # a shell may have told us to ignore them
                signal.signal(number, signal.SIG_DFL)
            if before is not None:
                before()
        self.test = test
        self.engine = Engine([test.path], test.folder, preexec_fn=prepare, **more)

    def orders(self, *lines):
        """Sends the lines and `isready`, waits for `readyok`, and returns the answers."""
        start, done = len(self.engine.log), self.engine.count('readyok')
        self.engine.send(*lines, 'isready')
        if not self.engine.await_lines('readyok', done + 1, ANSWER_S * self.test.slow):
            self.fail(f'no readyok after {lines[-1]!r}')
        return [text for _, way, text in self.engine.log[start:] if way == '<' and text != 'readyok']

    def search(self, line='go nodes 300'):
        answers = self.engine.count('bestmove')
        self.engine.send(line)
        if not self.engine.await_lines('bestmove', answers + 1, ANSWER_S * self.test.slow):
            self.fail(f'no bestmove after {line!r}')

    def fail(self, what):
        """Ends the engine; one that has closed its output may still be ending."""
        status = self.engine.status(ANSWER_S * self.test.slow if self.engine.ended else 0)
        raise Bad(f'{what}, status {status}: {self.stderr()}')

    def end(self, wanted=0, line='quit'):
        if line is not None:
            self.engine.send(line)
        status = self.engine.status(ANSWER_S * self.test.slow)
        if status != wanted:
            raise Bad(f'status {status} instead of {wanted}: {self.stderr()}')

    def stderr(self):
        with open(os.path.join(self.test.folder, 'stderr'), errors='replace') as file:
            return file.read()[-2000:]


class Test:
    """What the faults share: the engine's path, an empty folder, and the arguments."""

    def __init__(self, path, options):
        self.path, self.slow, self.is_long = path, options.slow, options.long
        self.folder = None

    def file(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.file(name), 'w') as file:
            file.write(text)

    def refuses(self, run, order, what='error'):
        """The order must print one line that says so, and the engine must live."""
        said = run.orders(order, 'wait')
        if sum(what in text for text in said) != 1:
            raise Bad(f'{order!r}: {said}')

    # -- memory --

    def memory_at_start(self):
        """Any limit: the engine plays, or says in one line that memory is short."""
        for mib in range(12, 120, 4) if self.is_long else (16, 40, 90):
            run = Run(self, lambda: resource.setrlimit(resource.RLIMIT_AS, (mib * MIB, mib * MIB)))
            try:
                run.search()
                run.end()
            except Bad:
                status = run.engine.process.wait()
                lines = run.stderr().strip().splitlines()
                if status not in (1, 127) or len(lines) != 1:
                    raise Bad(f'{mib} MiB: status {status}, {lines}')

    def memory_for_options(self):
        run = Run(self, lambda: resource.setrlimit(resource.RLIMIT_AS, (300 * MIB, 300 * MIB)))
        self.refuses(run, 'setoption name Hash value 4096', 'do not fit')
        self.refuses(run, 'setoption name Threads value 500', 'cannot be started')
        run.search('go depth 4')
        run.search('go mate 2 nodes 2000')
        run.orders('setoption name MultiPV value 256', 'hash save a.hash', 'wait', 'hash load a.hash', 'bench 1 1 1',
                   'perft 2', 'speedtest 1 1 1')
        run.search('go depth 2')
        run.end()

    def memory_for_a_long_line(self):
        run = Run(self, lambda: resource.setrlimit(resource.RLIMIT_AS, (150 * MIB, 150 * MIB)))
        run.orders('position startpos moves' + ' g1f3 g8f6 f3g1 f6g8' * 100000)
        run.search()
        run.end()

    def no_memory_for_a_line(self):
        run = Run(self, lambda: resource.setrlimit(resource.RLIMIT_AS, (150 * MIB, 150 * MIB)))
        self.refuses(run, 'position startpos moves' + ' g1f3 g8f6 f3g1 f6g8' * 6000000, 'out of memory')
        run.search()
        run.end()

    def one_failing_allocation(self):
        """Whichever allocation fails: at the start the engine may end with a line that says why; later it answers all orders,
        in whole JSON objects. Only an order that could not even be stored, of which it says so, has no answer."""
        with open(self.path, 'rb') as file:
            program = file.read()
        if b'__asan_init' in program or b'__tsan_init' in program or b'/ld-linux' not in program:
            return 'sanitizers and static programs have their own malloc()'
        library = os.path.join(self.folder, 'no_memory.so')
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'no_memory.c')
        subprocess.run([*shlex.split(os.environ.get('CC', 'cc')), '-O1', '-shared', '-fPIC', '-o', library, source], check=True)
        self.write('suite.epd', '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8;\n')
        self.write('game.pgn', '1. e4 {best by test} e5 (1... c5) 2. Nf3 *\n')
        run = Run(self)
        run.orders('export_net a.nnue')
        run.end()
        self._with_failing_allocation(library, -1)
        with open(self.file('count')) as file:
            count = int(file.read())
        step = 1 if self.is_long else count // 25
        for number in range(random.Random(1).randint(1, step), count, step):
            self._with_failing_allocation(library, number)

    def _with_failing_allocation(self, library, number):
        for name in ('a.hash', 'm.db', 'e.epd'):
            if os.path.exists(self.file(name)):
                os.remove(self.file(name))
        run = Run(self, env=dict(os.environ, LD_PRELOAD=library, NO_MEMORY_AT=str(number), NO_MEMORY_COUNT=self.file('count')))
        run.engine.hopeless = ORDER_LOST  # an order that is lost has no answer
        try:
            run.orders('uci')
            for order in ALL_ORDERS:
                run.search(order) if order.startswith('go ') else run.orders(order)
            run.end()
            for _, way, text in run.engine.log:
                if way == '<' and text.startswith('{'):
                    json.loads(text)
        except (Bad, ValueError) as bad:
            status = run.engine.process.returncode
            has_ended = status == 1 and run.engine.count('') == 0 and len(run.stderr().splitlines()) == 1
            has_lost_order = status == -signal.SIGKILL and run.engine.count(ORDER_LOST) == 1  # it lived until we killed it
            if not has_ended and not has_lost_order:
                raise Bad(f'allocation {number}: {bad}')

    # -- files --

    def few_descriptors(self):
        for count in range(4, 9):  # the system needs one to load libraries
            run = Run(self, lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (count, count)))
            run.orders('setoption name EvalFile value none', 'hash load none', 'setoption name Debug Log File value log',
                       'hash save a.hash', 'wait', 'setoption name SyzygyPath value .',
                       'setoption name Memory value learn', 'setoption name MemoryFile value m.db', 'suite none',
                       'setoption name Hash value 2')
            run.search()
            run.end()

    def fifos(self):
        os.mkfifo(self.file('fifo'))
        for order in FIFO_ORDERS:
            run = Run(self)
            self.refuses(run, order.format('fifo'))
            run.end()

    def fifo_as_memory_file(self):
        os.mkfifo(self.file('fifo'))
        run = Run(self)
        run.orders('setoption name Memory value learn', 'setoption name MemoryFile value fifo')
        run.search()
        run.end()

    def devices(self):
        for device in ('/dev/null', '/dev/zero', '/dev/full', '/dev/urandom'):
            run = Run(self)
            for order in FIFO_ORDERS:
                run.orders(order.format(device))
            run.orders('setoption name Memory value learn', f'setoption name MemoryFile value {device}')
            run.search()
            run.end()

    def folders(self):
        run = Run(self)
        for order in FIFO_ORDERS:
            if 'Syzygy' not in order:
                self.refuses(run, order.format('.'))
        run.orders('setoption name Memory value learn', 'setoption name MemoryFile value .')
        run.search()
        run.end()

    def sparse_files(self):
        """A file of a TiB without contents."""
        with open(self.file('huge'), 'wb') as file:
            file.truncate(1 << 40)
        os.mkdir(self.file('tables'))
        os.link(self.file('huge'), self.file('tables/KQvK.rtbw'))
        run = Run(self, lambda: resource.setrlimit(resource.RLIMIT_AS, (4096 * MIB, 4096 * MIB)))
        for order in ('setoption name EvalFile value huge', 'hash load huge', 'hash verify huge',
                      'setoption name SyzygyPath value tables'):
            self.refuses(run, order)
        run.orders('setoption name Memory value learn', 'setoption name MemoryFile value huge')
        run.search()
        run.end()

    def quit_while_tables_are_read(self):
        """Their MD5 sums would take minutes. `quit` ends a check that has just begun, too."""
        os.mkdir(self.file('tables'))
        with open(self.file('tables/KQvK.rtbw'), 'wb') as file:
            file.truncate(64 << 30)
        self.write('tables/MD5SUMS', f'{"0" * 32}  KQvK.rtbw\n')
        for orders in (('setoption name SyzygyVerify value true', 'setoption name SyzygyPath value tables'), ('tb verify tables',)):
            run = Run(self)
            run.engine.send(*orders)
            time.sleep(0.3)
            run.end()

    def names(self):
        """Names with blanks, UTF-8, percent signs and quotes; far too long ones."""
        run = Run(self)
        run.search('go nodes 3000')
        for name in ('with blanks.hash', 'Größe Δ 棋.hash', '100%s%n.hash', "it's.hash", 'a' * 200):
            run.orders(f'hash save {name}', 'wait')
            said = run.orders(f'hash load {name}')
            if not os.path.isfile(self.file(name)) or any('error' in text for text in said):
                raise Bad(f'{name!r}: {said}')
        for order in FIFO_ORDERS:
            self.refuses(run, order.format('b' * 5000))
        run.end()

    def no_writing(self):
        """Folders that do not exist or cannot be written, and a limit of the size of files."""
        run = Run(self)
        run.search('go nodes 3000')
        for place in ('none/a', '/proc/a', '/dev/null/a'):
            for order in ('hash save {}', 'export_net {}', 'setoption name Debug Log File value {}'):
                run.orders(order.format(place), 'wait')
                if not any('error' in text for _, way, text in run.engine.log[-4:]):
                    raise Bad(f'{order.format(place)}: {run.engine.log[-4:]}')
        run.orders('setoption name Memory value learn', 'setoption name MemoryFile value /proc/a')
        run.search()
        run.end()
        run = Run(self, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
        run.search('go nodes 3000')
        run.orders('hash save a.hash', 'wait', 'export_net a.nnue')
        if run.engine.count('info string error: hash save') != 1 or run.engine.count('info string error: export') != 1 or os.path.exists(self.file('a.hash')):
            raise Bad(f'{run.engine.log[-4:]}')
        run.end()

    # -- streams --

    def closed_streams(self):
        """Without standard streams, nothing but the network must end in a file."""
        for streams in ((1,), (2,), (1, 2), (0,), (0, 1, 2)):
            def close():
                for stream in streams:
                    os.close(stream)
            lines = 'go nodes 300\nexport_net a.nnue\nhash save a.hash\nwait\nuci\nquit\n'
            for name in ('a.nnue', 'a.hash'):
                if os.path.exists(self.file(name)):
                    os.remove(self.file(name))
            done = subprocess.run([self.path], input=lines.encode(), cwd=self.folder, preexec_fn=close,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=30 * self.slow)
            if done.returncode != 0 or (0 not in streams and 1 not in streams and b'uciok' not in done.stdout):
                raise Bad(f'{streams}: status {done.returncode}, {done.stdout[-80:]} {done.stderr[-300:]}')
            if 0 in streams:
                continue
            run = Run(self)
            said = run.orders('setoption name EvalFile value a.nnue', 'hash verify a.hash')
            run.end()
            if any('error' in text for text in said):
                raise Bad(f'{streams}: {said}')

    def output_nobody_can_read(self):
        """A closed pipe, or a full disk: the engine lives until its input ends; a command line fails."""
        for place in ('pipe', '/dev/full'):
            read, write = os.pipe() if place == 'pipe' else (None, os.open(place, os.O_WRONLY))
            process = subprocess.Popen([self.path], stdin=subprocess.PIPE, stdout=write, stderr=subprocess.DEVNULL,
                                       cwd=self.folder)
            os.close(write)
            if read is not None:
                os.close(read)
            process.stdin.write(b'uci\ngo nodes 300\nisready\nposition startpos moves e2e4\ngo nodes 300\nquit\n')
            process.stdin.close()
            if process.wait(ANSWER_S * self.slow) != 0:
                raise Bad(f'{place}: status {process.returncode}')
        for arguments in (['go', 'depth', '3'], ['--help'], ['--version']):
            with open('/dev/full', 'w') as full:
                done = subprocess.run([self.path, *arguments], stdout=full, stderr=subprocess.DEVNULL, cwd=self.folder,
                                      timeout=30 * self.slow)
            if done.returncode != 1:
                raise Bad(f'{arguments}: status {done.returncode}')

    def full_pipe(self):
        """The client reads nothing for a while. Then everything is there."""
        read, write = os.pipe()
        process = subprocess.Popen([self.path], stdin=subprocess.PIPE, stdout=write, cwd=self.folder)
        os.close(write)
        process.stdin.write(b'uci\n' * 40 + b'setoption name MultiPV value 200\ngo depth 3\n' + b'isready\n')
        process.stdin.flush()
        time.sleep(0.3)
        said = b''
        process.stdin.write(b'stop\nquit\n')
        process.stdin.close()
        while True:
            part = os.read(read, 1 << 16)
            if not part:
                break
            said += part
        os.close(read)
        if process.wait(ANSWER_S * self.slow) != 0 or \
                (said.count(b'\nuciok\n'), said.count(b'bestmove'), said.count(b'readyok')) != (40, 1, 1):
            raise Bad(f'status {process.returncode}, {said.count(b"uciok")} uciok, {said[-200:]}')

    def unread_engine(self, *lines):
        """An engine that has got these lines, and a pipe of its output that is soon full."""
        read, write = os.pipe()
        fcntl.fcntl(write, 1031, 4096)  # F_SETPIPE_SZ, which Python knows from 3.10 on
        process = subprocess.Popen([self.path], stdin=subprocess.PIPE, stdout=write, cwd=self.folder)
        os.close(write)
        process.stdin.write(''.join(line + '\n' for line in lines).encode())
        process.stdin.flush()
        return process, read

    def _ends_at_a_signal(self, process, read):
        process.send_signal(signal.SIGTERM)
        try:
            status = process.wait(9 * self.slow)
        except subprocess.TimeoutExpired:
            process.kill()
            status = process.wait()
        process.stdin.close()
        os.close(read)
        if status != -signal.SIGTERM:
            raise Bad(f'status {status}')

    def suite_at_a_signal_with_a_full_pipe(self):
        """The client lives but reads nothing; a line may be longer than the rest of the pipe."""
        self.write('suite.epd', f'6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8; id "{"x" * 1500}";\n' * 1000)
        process, read = self.unread_engine('suite suite.epd depth 1 --json')
        time.sleep(1.5 * self.slow)
        self._ends_at_a_signal(process, read)

    def suite_at_ctrl_c_with_a_full_pipe(self):
        """It ends, and the next order is carried out before anybody reads."""
        self.write('suite.epd', '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8;\n' * 100000)
        process, read = self.unread_engine('suite suite.epd depth 1 --json', 'hash save after.hash')
        time.sleep(1.5 * self.slow)
        process.send_signal(signal.SIGINT)
        end = time.monotonic() + 9 * self.slow
        while not os.path.exists(self.file('after.hash')) and time.monotonic() < end:
            time.sleep(0.1)
        self._ends_at_a_signal(process, read)
        if not os.path.exists(self.file('after.hash')):
            raise Bad('the suite goes on')

    def log_that_nobody_reads(self):
        """A log in a FIFO that is full keeps neither orders nor `quit` waiting, however long the lines are."""
        for number, line in enumerate(('help', f'position startpos moves {"g1f3 g8f6 f3g1 f6g8 " * 300}')):
            os.mkfifo(self.file(f'fifo{number}'))
            read = os.open(self.file(f'fifo{number}'), os.O_RDONLY | os.O_NONBLOCK)
            run = Run(self)
            run.orders(f'setoption name Debug Log File value fifo{number}', *[line] * 20)
            run.search()
            run.end()
            os.close(read)

    def full_pipe_for_ever(self):
        """The client reads nothing and lives. `quit` and the end of the input end the engine all the same."""
        queued = b'uci\n' * 40  # answered by the command thread, isready by the reader itself
        awaiting = b'setoption name MultiPV value 3\nisready\n'  # the command thread answers while it waits for the search
        for first, last, ends in ((queued, b'quit\n', False), (queued, b'', True), (b'', b'isready\nquit\n', True),
                                  (awaiting, b'', True)):
            process, read = self.unread_engine('setoption name MultiPV value 200', 'go infinite')
            time.sleep(1.5)  # a younger search is that of a script, whose output may be read slowly
            process.stdin.write(first)
            process.stdin.flush()
            time.sleep(0.1)
            process.stdin.write(last)
            process.stdin.flush()
            if ends:
                process.stdin.close()
            try:
                process.wait(15 * self.slow)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                raise Bad(f'still there after {last!r}')
            finally:
                os.close(read)

    # -- signals --

    def signals(self):
        """INT, TERM and HUP end the engine, as the system does; PIPE does nothing."""
        chance = random.Random(1)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)  # a child inherits what is ignored, such as HUP under nohup
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE) * (10 if self.is_long else 1):
            run = Run(self)
            run.orders('uci')
            run.engine.send(chance.choice(['isready', 'go infinite', 'hash save a.hash', 'setoption name Threads value 8']))
            time.sleep(chance.random() * 0.1)
            run.engine.process.send_signal(number)
            if number == signal.SIGPIPE:
                run.engine.send('stop')
                run.orders('uci')
                run.end()
            else:
                run.end(-number, None)

    def signal_while_saving(self):
        """The old file stays, or the new one is whole."""
        run = Run(self)
        run.search('go nodes 20000')
        run.orders('hash save a.hash', 'wait')
        run.end()
        for number in (signal.SIGTERM, signal.SIGKILL) * (10 if self.is_long else 1):
            run = Run(self)
            run.orders('setoption name Hash value 64', 'setoption name HashFile MinDepth value 1', 'hash load a.hash')
            run.search('go nodes 5000')
            run.engine.send('hash save a.hash')
            time.sleep(random.random() * 0.05)
            run.engine.process.send_signal(number)
            run.end(-number, None)
            run = Run(self)
            said = run.orders('hash verify a.hash')
            if any('error' in text for text in said):
                raise Bad(f'{said}')
            run.end()

    # -- HashFile Auto --

    AUTO = ['setoption name HashFile value {}', 'setoption name HashFile ReadOnly value false',
            'setoption name HashFile MinDepth value 1', 'setoption name HashFile Interval value 1',
            'setoption name HashFile Auto value true']

    def auto(self, name, **more):
        run = Run(self, **more)
        run.orders(*[line.format(name) for line in self.AUTO])
        return run

    def auto_save_in_a_search(self):
        """Saves while the search runs, and orders that change the table come in between."""
        run = self.auto('a.hash')
        run.engine.send('go infinite')
        time.sleep(2.5 if self.is_long else 1.6)
        run.engine.send('setoption name Hash value 8', 'setoption name Clear Hash', 'ucinewgame', 'hash save b.hash',
                        'go nodes 2000', 'hash load b.hash')
        run.search('go nodes 1000')
        run.end()
        if not os.path.isfile(self.file('a.hash')) or os.path.exists(self.file('a.hash.palimpsest-draft')):
            raise Bad(str(os.listdir(self.folder)))
        run = self.auto('a.hash')
        run.end()

    def auto_at_a_signal(self):
        """INT and TERM end the engine after the save: in a search, idle, and between the moves of a game."""
        for number in (signal.SIGINT, signal.SIGTERM):
            for line in ('go nodes 2000', 'go infinite', 'go wtime 600 btime 600'):
                name = f'{number}{len(line)}.hash'
                run = self.auto(name)
                if line == 'go infinite':
                    run.engine.send(line)
                else:
                    run.search(line)
                time.sleep(0.5 * self.slow)
                run.engine.process.send_signal(number)
                run.end(-number, None)
                self.has_results(name, [''])

    def auto_at_a_signal_during_a_save(self):
        """The save is completed first, also that of `quit`. Another program holds the file for a while, not so long that the
        engine gives up."""
        for line in ('isready', 'quit'):
            run = self.auto(line)
            run.search('go nodes 2000')
            with open(self.file(f'{line}.palimpsest-draft'), 'w') as draft:
                fcntl.flock(draft, fcntl.LOCK_EX)
                time.sleep(1.3)
                run.engine.send(line)
                time.sleep(0.3)
                run.engine.process.send_signal(signal.SIGTERM)
                time.sleep(0.3)
            run.end(-signal.SIGTERM, None)
            self.has_results(line, [''])

    def auto_at_a_signal_during_a_command(self):
        """It ends early, and the file is saved."""
        for order in ('bench 20', 'perft 9', 'why e2e4 movetime 30000', 'speedtest 30'):
            name = f'{order.split()[0]}.hash'
            run = self.auto(name)
            run.search('go nodes 2000')
            run.engine.send(order)
            time.sleep(self.slow)
            run.engine.process.send_signal(signal.SIGTERM)
            run.end(-signal.SIGTERM, None)
            self.has_results(name, [''])

    def auto_at_a_signal_after_the_end(self):
        """A GUI that sends `quit`, closes the pipe and sends TERM at once: at any moment the file is saved."""
        for number in range(200 if self.is_long else 20):
            name = f'end{number}.hash'
            run = self.auto(name)
            run.search('go nodes 2000')
            run.engine.send('quit')
            run.engine.close()
            time.sleep(number % 20 / 50000)
            run.engine.process.send_signal(signal.SIGTERM)
            if run.engine.status(ANSWER_S * self.slow) not in (0, -signal.SIGTERM):
                raise Bad(f'signal after {number % 20 / 50} ms: status {run.engine.process.returncode}')
            self.has_results(name, [''])

    def auto_at_a_signal_with_a_full_pipe(self):
        """The client lives but reads nothing, and one of its orders is being answered: the file is saved all the same."""
        options = [line.format('a.hash') for line in self.AUTO]
        process, read = self.unread_engine(*options, 'setoption name MultiPV value 60', 'go infinite')
        time.sleep(1.5 * self.slow)
        process.stdin.write(b'isready\n')
        process.stdin.flush()
        time.sleep(0.5)
        self._ends_at_a_signal(process, read)
        if not os.path.exists(self.file('a.hash')):
            raise Bad(f'{os.listdir(self.folder)}')

    def auto_of_other_commands(self):
        """All commands that search load the file first, and their results are saved."""
        self.write('suite.epd', '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8;\n')
        self.write('game.pgn', '1. e4 e5 2. Nf3 *\n')
        for order in ('suite suite.epd depth 4', 'annotate game.pgn out.pgn depth 4', 'why e2e4 depth 4', 'threat depth 4'):
            name = order.split()[0] + '.hash'
            options = [line.format(name) for line in self.AUTO]
            for wanted in ('hash save', 'hash load'):
                done = subprocess.run([self.path, *options, order], cwd=self.folder, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, timeout=30 * self.slow)
                said = done.stdout.decode()
                if 'error' in said or f'info string {wanted}: ' not in said:
                    raise Bad(f'{order}, no {wanted}: {said}')

    def auto_of_another_file_after_a_save_that_fails(self):
        """The results are saved to the new file. Another program holds the old one."""
        with open(self.file('a.hash.palimpsest-draft'), 'w') as draft:
            fcntl.flock(draft, fcntl.LOCK_EX)
            run = self.auto('a.hash')
            run.search('go nodes 2000')
            run.orders('setoption name HashFile value b.hash')
            run.end()
        self.has_results('b.hash', [''])

    def auto_that_cannot_save(self):
        """On the command line a failed save is a failure; a GUI does not look at the status."""
        options = [line.format('none/a.hash') for line in self.AUTO]
        done = subprocess.run([self.path, *options, 'go depth 4'], cwd=self.folder, stdout=subprocess.PIPE,
                              timeout=30 * self.slow)
        if done.returncode != 1 or b'error: hash save' not in done.stdout:
            raise Bad(f'status {done.returncode}: {done.stdout[-300:]}')

    def auto_with_a_bad_file(self):
        """What is no file, or no hash file, is left alone."""
        os.mkfifo(self.file('fifo'))
        os.mkdir(self.file('folder'))
        self.write('text', 'precious')
        with open(self.file('huge'), 'wb') as file:
            file.truncate(1 << 40)
        for name in ('fifo', 'folder', 'text', 'huge', '/dev/zero', '/dev/full', 'none/a', 'x' * 300):
            run = self.auto(name)
            run.search()
            run.end()
        with open(self.file('text')) as file:
            if file.read() != 'precious' or os.path.getsize(self.file('huge')) != 1 << 40:
                raise Bad('a file that is no hash file was overwritten')

    def auto_of_two_engines(self):
        """Both end at the same time: the file has the results of both."""
        for number in range(20 if self.is_long else 3):
            one, other = self.auto('a.hash'), self.auto('a.hash')
            moves = (f'e2e4 e7e{6 - number % 2}', f'd2d4 d7d{6 - number % 2}')
            for run, line in zip((one, other), moves):
                run.orders(f'position startpos moves {line}')
                run.search('go depth 9')
            one.engine.send('quit')
            other.end()
            one.end(0, None)
            self.has_results('a.hash', moves)

    def has_results(self, name, lines):
        """The file has a result after each of these lines of moves."""
        run = self.auto(name)
        for line in lines:
            said = run.orders(f'position startpos moves {line}', 'hash probe')
            if not any(text.startswith('Table: depth') for text in said):
                raise Bad(f'the result of {line} is lost: {said}')
        run.end()

    def auto_keeps_what_another_engine_saved(self):
        one, other = self.auto('a.hash'), self.auto('a.hash')
        moves = ('e2e4', 'd2d4')
        for run, move in zip((one, other), moves):
            run.orders(f'position startpos moves {move}')
            run.search('go depth 8')
            run.end()
        self.has_results('a.hash', moves)


FAULTS = [name for name in vars(Test) if name not in ('file', 'write', 'refuses', 'unread_engine', 'auto', 'AUTO', 'has_results') and not name.startswith('_')]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('engine')
    parser.add_argument('names', nargs='*')
    parser.add_argument('--long', action='store_true')
    parser.add_argument('--slow', type=float, default=1)
    options = parser.parse_intermixed_args()
    test = Test(os.path.abspath(options.engine), options)
    failed = skipped = 0
    names = options.names or FAULTS
    for name in names:
        test.folder = tempfile.mkdtemp(prefix='faults')
        try:
            cause = getattr(test, name)() # why it is skipped, or None
            if cause:
                skipped += 1
                print(f'skipped: {name}: {cause}')
        except (Bad, subprocess.TimeoutExpired) as bad:
            failed += 1
            print(f'FAILED: {name}: {str(bad)[:1500]}')
            sys.stdout.flush()
        finally:
            shutil.rmtree(test.folder)
    print(f'{len(names) - failed - skipped} passed, {failed} failed, {skipped} skipped')
    sys.exit(failed > 0)


if __name__ == '__main__':
    main()
