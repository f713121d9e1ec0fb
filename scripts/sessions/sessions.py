#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays random sessions with a UCI engine and checks each answer against a model of the protocol (model.py).

    scripts/sessions/sessions.py ENGINE [--seed N] [--count N] [--seconds N] [--no-shrink] [--slow N] [--show]

Session number i is made from seed N + i and nothing else, so `--seed N --count 1` makes it again. Each failure prints its
seed, what is wrong, and the shortest session found that still fails. A question of time (an answer after more than 2 s)
counts as failed only if it fails three times in a row, because the machine may be busy; --slow N allows N times as long,
for sanitizers. --seconds ends after that time, --show prints all lines. The last line is "N passed, N failed, N skipped".

In Python, because the model must be independent of the engine: it shares no code and no language with it. Needs Python
3.7 and no packages.
"""
import argparse
import os
import random
import shutil
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import model
from engine import Engine
from rules import START, parse_fen

ODD = '''R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1
QQQQQQBk/Q6B/8/8/8/8/7P/6K1 w - - 0 1
qqqqkqqq/qq6/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/QQQQKQQQ w kq - 0 1
7k/5Q2/6K1/8/8/8/8/8 b - - 0 1
7k/5K2/8/6Q1/8/8/8/8 w - - 0 1
R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1
8/8/8/8/8/5k2/5p2/5K2 w - - 0 1
8/8/8/8/8/8/5k2/K6R w - - 98 80
8/8/8/8/8/8/5k2/K6R w - - 99 80
8/8/8/8/8/8/5k2/K6R b - - 100 80
4k3/8/8/8/8/8/8/4K2R w K - 97 150
8/8/8/4k3/8/8/8/KB6 w - - 0 1
k7/8/1K6/8/8/8/8/7R w - - 99 60
rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 3
8/P6k/8/8/8/8/p6K/8 w - - 0 1
r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1
8/8/1k6/2pP4/8/5B2/8/4K3 w - c6 0 2
k1K5/8/8/8/8/8/8/1Q6 w - - 0 1
3k4/3P4/3K4/8/8/8/8/8 b - - 0 1
kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1
8/8/8/8/8/k7/p7/K7 w - - 5 20
5rk1/5ppp/8/8/8/8/5PPP/3R2K1 w - -
r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4'''.splitlines()
ODD960 = '''bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9
b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9
1r1k1r2/8/8/8/8/8/8/1R1K1R2 w FBfb - 0 1
rk2r3/8/8/8/8/8/8/RK2R3 b EAea - 0 1'''.splitlines()
NO_POSITION = ['BAD', 'BAD8/8/8/8/8/8/8/8 w - - 0 1', 'BAD1 w', 'BAD/8/8/8/8/8/8/K1k5 x - - 0 1']
JUNK = ['e2e5', 'e9e4', '0000', 'e2', 'e7e8x', 'a1a1', 'Nf3', '-', 'b1b1q', 'xyzzy', 'e2e4e5', 'h2h1q', 'O-O']


class Maker:
    """Makes a random session: a list of steps, each a tuple of a word and lines or a number. Every part of a session is a
    session, too, so that failures can be shrunk."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.chess960 = False
        self.tags = 0

    def session(self):
        """The steps, and how the session ends: quit, close, or script (all written at once, then closed)."""
        ending = self.r.choice(['quit', 'quit', 'close', 'close', 'script'])
        steps = []
        for _ in range(self.r.randint(3, 22)):
            steps += self.some(ending == 'script')
        if ending != 'script' and self.r.random() < 0.5:
            steps.append(('settle',))
        return steps, ending

    def some(self, is_script):
        kind = self.r.choices(['search', 'quick', 'storm', 'position', 'option', 'look', 'hash', 'ready', 'new', 'sleep',
                               'settle', 'ponder', 'moves'],
                              [8, 8, 4, 5, 6, 3, 2, 4, 1, 3, 2, 3, 3])[0]
        if is_script and kind in ('settle', 'storm', 'ponder'):
            kind = 'quick'
        return getattr(self, 'make_' + kind)(is_script)

    # -- positions --

    def game(self, chess960):
        """A random game: (text of its first position, moves, last position)."""
        r = self.r
        if r.random() < 0.4:
            fen = r.choice(ODD + (ODD960 if chess960 else []))
        else:
            fen = START
        pos, moves = parse_fen(fen, chess960), []
        for _ in range(r.choice([0, 1, 2, 6, 20, 60])):
            legal = pos.moves()
            if not legal:
                break
            move = r.choice(legal)
            moves.append(pos.text(move, chess960))
            pos = pos.play(move)
        if r.random() < 0.3 and moves:  # the same position, without its game
            return 'fen ' + pos.fen(chess960), [], pos
        return ('startpos' if fen == START else 'fen ' + fen), moves, pos

    def position(self):
        r = self.r
        if r.random() < 0.07:
            return r.choice(['position', 'position here', 'position fen ' + r.choice(NO_POSITION)])
        root, moves, pos = self.game(self.chess960)
        if r.random() < 0.15:
            moves = moves[:r.randint(0, len(moves))] + [r.choice(JUNK)] + moves[:3]
        if r.random() < 0.1:  # back and forth: repetitions
            moves += ['g1f3', 'g8f6', 'f3g1', 'f6g8'] * r.randint(1, 3)
        return f'position {root}' + (' moves ' + ' '.join(moves) if moves or r.random() < 0.1 else '')

    def make_position(self, is_script):
        return [('send', self.position())]

    def make_moves(self, is_script):
        """A game move by move, as a GUI sends it."""
        root, moves, _ = self.game(self.chess960)
        count = self.r.randint(0, len(moves))
        return [step for n in range(count, min(count + 3, len(moves)) + 1) for step in
                (('send', f'position {root} moves ' + ' '.join(moves[:n])), ('send', self.short_go()), ('await',))]

    # -- searches --

    def short_go(self):
        r = self.r
        return r.choice([f'go nodes {r.choice([1, 2, 50, 300, 1000, 4000])}', f'go depth {r.randint(1, 5)}',
                         f'go movetime {r.choice([0, 1, 5, 14, 30])}',
                         f'go wtime {r.choice([-5, 0, 1, 100, 600])} btime {r.choice([0, 1, 100, 600])}',
                         f'go wtime 200 btime 300 winc {r.choice([0, 10])} binc 5 movestogo {r.choice([0, 1, 40])}',
                         f'go depth {r.randint(1, 3)} movetime 20 nodes 900', 'go nodes 500 searchmoves 0000',
                         'go movetime nan', 'go depth 0', 'go nodes', 'go btime 50', 'go wtime'])

    def long_go(self):
        r = self.r
        return r.choice(['go infinite', 'go', 'go infinite depth 2', 'go mate 0', 'go mate 1', 'go mate 2', 'go mate 3',
                         'go movestogo nan infinite', 'go movetime 100000', 'go wtime 900000 btime 900000',
                         'go infinite searchmoves e2e4 g1f3 e7e5', 'go searchmoves e2e4 d2d4 g8f6 depth 60',
                         'go mate 4 nodes 3000', 'go depth 200', 'go infinite searchmoves a1a1'])

    def make_search(self, is_script):
        steps = [('send', self.position())] if self.r.random() < 0.6 else []
        return steps + [('send', self.short_go())] + ([('await',)] if self.r.random() < 0.6 else [])

    def make_quick(self, is_script):
        """A search, and other orders while it may still run."""
        if is_script:
            return [('send', self.short_go())]
        steps = [('send', self.long_go() if self.r.random() < 0.5 else self.short_go())]
        if self.r.random() < 0.7:
            steps.append(('sleep', self.r.choice([0, 1, 3, 10, 25])))
        for _ in range(self.r.randint(0, 3)):
            steps.append(('send', self.r.choice([self.position, lambda: 'isready', lambda: 'stop', self.option,
                                                 self.look, lambda: 'ponderhit'])()))
        if self.r.random() < 0.5:
            steps += [('send', 'stop'), ('await',)]
        return steps

    def make_ponder(self, is_script):
        r = self.r
        return [('send', 'go ponder ' + r.choice(['', 'wtime 300 btime 300', 'depth 3', 'nodes 800', 'movetime 10',
                                                  'infinite'])),
                ('sleep', r.choice([0, 2, 15])), ('send', r.choice(['ponderhit', 'stop', 'isready'])), ('await',)]

    def make_storm(self, is_script):
        """Many orders in one piece."""
        orders = [lambda: 'stop', lambda: 'ponderhit', lambda: 'isready', self.position, self.short_go, self.long_go,
                  lambda: 'ucinewgame', self.option, lambda: 'stop', lambda: 'isready', lambda: 'uci', lambda: 'd']
        lines = [self.r.choice(orders)() for _ in range(self.r.randint(3, 14))]
        return [('send', *lines)] + ([('await',)] if self.r.random() < 0.5 else [])

    # -- the rest --

    def option(self):
        r = self.r
        self.tags += 1
        return 'setoption name ' + r.choice([
            f'Hash value {r.choice([1, 2, 3, 8, 16, 33])}', f'Threads value {r.choice([1, 1, 1, 2, 3, 4, 8])}',
            f'Threads value {r.choice([1, 2, 64])}', f'MultiPV value {r.choice([1, 1, 2, 3, 7, 256])}', 'MultiPV value 1',
            f'MultiPV value {r.choice([0, 257, -1])}', 'Hash value many', 'Clear Hash',
            f'UCI_ShowWDL value {r.choice(["true", "false"])}',
            f'Replacement value {r.choice(["TwoDeep", "TwoBig1", "Thompson", "Deep", "BigAll", "New", "Old"])}',
            f'Nonsense {self.tags} value x', 'UCI_ShowWDL value maybe', f'Ponder value {r.choice(["true", "false"])}',
            f'Move Overhead value {r.choice([0, 10, 30])}'])

    def make_option(self, is_script):
        if self.r.random() < 0.2:  # positions that were set before keep their kind of castling: set a new one, too
            self.chess960 = not self.chess960
            return [('send', f'setoption name UCI_Chess960 value {str(self.chess960).lower()}', 'position startpos')]
        return [('send', self.option())]

    def look(self):
        return self.r.choice(['d', 'd', 'hash stats', 'uci', 'eval', 'go perft 1', 'perft 1', 'flip', 'stats'])

    def make_look(self, is_script):
        return [('send', self.look())]

    def make_hash(self, is_script):
        return [('send', self.r.choice(['hash save a b.hash', 'hash load a b.hash', 'hash save ü.hash',
                                        'hash load ü.hash', 'hash load none']))]

    def make_ready(self, is_script):
        return [('send', 'isready')] if is_script or self.r.random() < 0.5 else [('ready',)]

    def make_new(self, is_script):
        return [('send', 'ucinewgame')]

    def make_sleep(self, is_script):
        return [('sleep', self.r.choice([0, 1, 5, 20]))]

    def make_settle(self, is_script):
        return [('settle',)]


class Player:
    """Plays one session with a new process of the engine."""

    def __init__(self, command, slow):
        self.command, self.slow = command, slow
        self.folder = tempfile.mkdtemp(prefix='sessions')

    def close(self):
        shutil.rmtree(self.folder)

    def send(self, *lines):
        first = self.engine.send(*lines) - len(lines) + 1
        for place, line in enumerate(lines, first):
            self.model.send(place, line)

    def await_best(self):
        """Waits until every search has its bestmove; stops the last one if it would not end by itself."""
        wanted = len(self.model.searches)
        if self.engine.count('bestmove') == wanted:
            return
        ends = self.model.searches[-1].ends_soon()
        if ends and self.engine.await_lines('bestmove', wanted, 2):
            return
        self.send('stop')
        self.engine.await_lines('bestmove', wanted, 10 * self.slow)

    def ready(self):
        self.send('isready')
        self.engine.await_lines('readyok', len(self.model.readies), 10 * self.slow)

    def step(self, word, *rest):
        if word == 'send':
            self.send(*rest)
        elif word == 'sleep':
            time.sleep(rest[0] / 1000)
        elif word == 'await':
            self.await_best()
        elif word == 'ready':
            self.ready()
        else:
            self.await_best()
            self.send('wait')
            self.ready()

    def play(self, steps, ending):
        """Returns what is wrong: a list of (kind, text)."""
        for name in os.listdir(self.folder):
            os.remove(os.path.join(self.folder, name))
        self.engine, self.model = Engine(self.command, self.folder), model.Model()
        if ending == 'script':
            self.send(*[line for step in steps if step[0] == 'send' for line in step[1:]])
        else:
            for step in steps:
                self.step(*step)
        if ending == 'quit':
            self.engine.send('quit')
        else:
            if ending == 'close' and self.engine.count('bestmove') < len(self.model.searches):
                time.sleep(1.2)  # the engine takes a younger search for that of a script, and finishes it
            self.engine.close()
        status = self.engine.status(20 * self.slow)
        found = [] if status == 0 else [('status', f'status {status} after {ending}: {self.stderr()}')]
        return found + model.Check(self.model, self.engine.log, ending != 'script', self.slow).run()

    def stderr(self):
        with open(os.path.join(self.folder, 'stderr'), errors='replace') as file:
            return file.read()[-3000:]


def play_again(player, steps, ending, kinds, tries):
    """True if the session fails in one of these ways in one of so many tries."""
    return any(kind in kinds for _ in range(tries) for kind, _ in player.play(steps, ending))


def shrink(player, steps, ending, kinds, tries=4):
    """The shortest session found that still fails: leaves out ever smaller parts (Zeller 1999, delta debugging)."""
    end = time.monotonic() + 120
    size = max(len(steps) // 2, 1)
    while size >= 1:
        at = 0
        while at < len(steps) and time.monotonic() < end:
            shorter = steps[:at] + steps[at + size:]
            if play_again(player, shorter, ending, kinds, tries):
                steps = shorter
            else:
                at += size
        size //= 2
    for index, step in enumerate(steps):  # lines of a step
        for line in list(step[1:]) if step[0] == 'send' and len(step) > 2 else []:
            shorter = tuple(l for l in steps[index] if l is not line)
            candidate = steps[:index] + [shorter] + steps[index + 1:]
            if time.monotonic() < end and play_again(player, candidate, ending, kinds, tries):
                steps = candidate
    return steps


def show(steps, ending):
    for step in steps:
        for line in step[1:] if step[0] == 'send' else [' '.join(str(word) for word in step) + '  (not a line)']:
            print('    ' + line)
    print('    ' + ending + '  (the end)')


def test(player, seed, options, counts):
    """Plays the session of this seed. True if it passes."""
    steps, ending = Maker(seed).session()
    found = player.play(steps, ending)
    tries = 1
    while found and all(kind.startswith('time') for kind, _ in found) and tries < 3:
        found = player.play(steps, ending)
        tries += 1
    log, searches = player.engine.log, player.model.searches
    counts['commands'] += sum(way == '>' for _, way, _ in log)
    counts['searches'] += len(searches)
    counts['again'] += tries - 1
    if options.show:
        for at, way, text in log:
            print(f'{at - log[0][0]:8.3f} {way} {text}')
    if not found:
        return True
    print(f'FAILED: seed {seed}:')
    for kind, text in found[:6]:
        print(f'  {kind}: {text}')
        counts['kinds'][kind] = counts['kinds'].get(kind, 0) + 1
    if not options.no_shrink:
        show(shrink(player, steps, ending, {kind for kind, _ in found}), ending)
    sys.stdout.flush()
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('engine')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=100)
    parser.add_argument('--seconds', type=float, default=1e9)
    parser.add_argument('--slow', type=float, default=1)
    parser.add_argument('--no-shrink', action='store_true')
    parser.add_argument('--show', action='store_true')
    options = parser.parse_intermixed_args()
    counts = {'commands': 0, 'searches': 0, 'again': 0, 'kinds': {}}
    passed = failed = 0
    begin = time.monotonic()
    player = Player([os.path.abspath(options.engine)], options.slow)
    try:
        for seed in range(options.seed, options.seed + options.count):
            if time.monotonic() - begin > options.seconds:
                break
            if test(player, seed, options, counts):
                passed += 1
            else:
                failed += 1
    finally:
        player.close()
        print(f"{passed + failed} sessions, {counts['commands']} commands, {counts['searches']} searches, "
              f"{counts['again']} repeated for their time; failures by kind: {counts['kinds'] or 'none'}")
    print(f'{passed} passed, {failed} failed, 0 skipped')
    sys.exit(failed > 0)


if __name__ == '__main__':
    main()
