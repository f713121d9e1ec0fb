# SPDX-License-Identifier: GPL-3.0-or-later
"""A UCI engine as a child process. Failures end the program with a message, which names the program."""
import math
import os
import re
import shlex
import subprocess
import sys

PROGRAM = os.path.basename(sys.argv[0])
MATE = 1000  # centipawns that stand for a mate


def points(centipawns):
    """Expected points: 73% at 100 centipawns, where half of the games are won."""
    return 1 / (1 + math.exp(-centipawns / 100))


def usage(text):
    """Ends the program with its usage: the answer to --help, else that of a wrong call."""
    is_asked = sys.argv[1:] == ['--help']
    print(text, file=sys.stdout if is_asked else sys.stderr)
    sys.exit(0 if is_asked else 2)


class Engine:
    def __init__(self, command):
        program, *options = shlex.split(command)
        for option in options:
            if '=' not in option:
                sys.exit(f'{PROGRAM}: {option}: is not NAME=VALUE')
        # Any bytes may pass, because some engines name an author in Latin-1. Ctrl-C ends only this program.
        try:
            self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding='utf-8',
                                            errors='surrogateescape', bufsize=1, start_new_session=True)
        except OSError as error:
            sys.exit(f'{PROGRAM}: {error}')
        offered = [match[1].lower() for line in self.ask('uci', 'uciok') if (match := re.match('option name (.*) type ', line))]
        for option in options:
            name, value = option.split('=', 1)
            if name.lower() not in offered:
                sys.exit(f'{PROGRAM}: {program} has no option {name}')
            self.set_option(name, value)
        self.wait_until_ready()

    def send(self, line):
        try:
            print(line, file=self.process.stdin, flush=True)
        except BrokenPipeError:
            sys.exit(f'{PROGRAM}: the engine ended before: {line}')

    def ask(self, line, last):
        """Sends the line; returns the answers up to the one that starts with `last`."""
        self.send(line)
        answers = []
        while not answers or not answers[-1].startswith(last):
            answers.append(self.process.stdout.readline().rstrip('\n'))
            if answers[-1] == '' and self.process.poll() is not None:
                sys.exit(f'{PROGRAM}: the engine ended after: {line}')
        return answers

    def set_option(self, name, value):
        """An error shows in the next new_game()."""
        self.send(f'setoption name {name} value {value}')

    def wait_until_ready(self):
        for line in self.ask('isready', 'readyok'):
            if re.search('error|out of range', line.lower()):
                sys.exit(f'{PROGRAM}: {self.process.args[0]}: {line}')

    def new_game(self):
        self.send('ucinewgame')
        self.wait_until_ready()

    def search(self, position, limit):
        """The best move, and (depth, nodes, centipawns) of every finished iteration; of depth 0 after the end of a game.
        `position` is a FEN, perhaps with ` moves ...` after it, as in the command `position fen`."""
        answers = self.ask(f'position fen {position}\ngo {limit}', 'bestmove')
        found = []
        for answer in answers:
            match = re.match(r'info .*?\bdepth (\d+) .*?score (cp|mate) (-?\d+)(?! upper| lower)\b(?:.* nodes (\d+))?', answer)
            if match and not re.search(' multipv (?!1 )', answer):
                depth, kind, value, nodes = match.groups()
                score = int(value) if kind == 'cp' else math.copysign(MATE, int(value) - 0.5)
                found.append((int(depth), int(nodes or 0), score))
        return answers[-1].split()[1], found
