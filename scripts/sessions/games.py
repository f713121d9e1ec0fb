#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Long games and odd positions: an engine against the rules of rules.py.

    scripts/sessions/games.py ENGINE [--long] [--slow N] [--seed N]

Plays random games of thousands of plies in one `position` line and compares the engine's position, its counters and its
legal moves at the end; positions with 218 moves, with nine queens and with fifteen; draws by fifty moves and by repetition
that began before the root; mates on the last move that the fifty-move rule allows. The last line is "N passed, N failed,
N skipped".
"""
import argparse
import os
import random
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
import model
from engine import Engine
from rules import START, parse_fen

MOST_MOVES = 'R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1'  # 218 (Petrovic 1964)
NINE_QUEENS = 'Q5Bk/Q5pp/Q7/Q7/Q7/Q7/QQ6/1Q5K w - - 0 1'
FIFTEEN_QUEENS = 'Q4Q1K/2Q4Q/4Q3/1Q4Q1/3Q4/Q4Q2/ppQ4Q/knQ1QQ2 w - - 0 1'  # 241 moves
CHARGE = 'nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/1Q1QK1Q1 w - - 0 1'  # "Charge of the Light Brigade"
BACK_AND_FORTH = 'g1f3 g8f6 f3g1 f6g8'.split()


class Bad(Exception):
    pass


class Games:
    def __init__(self, path, options):
        self.slow, self.is_long, self.random = options.slow, options.long, random.Random(options.seed)
        self.folder = tempfile.mkdtemp(prefix='games')
        self.engine, self.model = Engine([path], self.folder), model.Model()

    def send(self, *lines):
        for line in lines:
            self.model.send(self.engine.send(line), line)

    def ready(self):
        self.send('isready')
        if not self.engine.await_lines('readyok', len(self.model.readies), 60 * self.slow):
            raise Bad('no readyok')

    def search(self, line):
        """The last line and the bestmove of a search."""
        self.send(line)
        if not self.engine.await_lines('bestmove', len(self.model.searches), 60 * self.slow):
            raise Bad('no bestmove')
        said = [text for _, way, text in self.engine.log if way == '<']
        return next(text for text in reversed(said) if ' score ' in text), said[-1]

    def position(self, root, moves):
        self.send(f'position {root} moves ' + ' '.join(moves))

    def random_game(self, plies, takes):
        """A game that goes on for so many plies; captures and pawn moves are chosen with the share `takes`."""
        pos, moves = parse_fen(START), []
        while len(moves) < plies and pos.moves():
            legal = pos.moves()
            quiet = [m for m in legal if pos.board[m[1]] == '.' and pos.board[m[0]] not in 'Pp']
            move = self.random.choice(quiet if quiet and self.random.random() > takes else legal)
            moves.append(pos.text(move, False))
            pos = pos.play(move)
        return moves

    def compare(self):
        """The engine's position and legal moves are those of the model: `d` and `go perft 1`, checked at the end."""
        self.send('d', 'perft 1')

    # -- the tests --

    def long_games(self):
        for plies, takes in [(6000, 0.0), (6000, 0.004)] if self.is_long else [(600, 0.004)]:
            for _ in range(4 if self.is_long else 1):
                moves = self.random_game(plies, takes)
                self.position('startpos', moves)
                self.compare()
                self.search('go nodes 300')
                self.position('startpos', moves + ['a1a1'])
                self.search('go depth 2')
                self.ready()

    def many_moves(self):
        for fen in (MOST_MOVES, NINE_QUEENS, FIFTEEN_QUEENS, CHARGE):
            for lines in (1, 256):
                self.send(f'setoption name MultiPV value {lines}', f'position fen {fen}')
                self.compare()
                self.search('go depth 2' if self.is_long else 'go depth 1')
        self.send('setoption name MultiPV value 1')

    def fifty_moves(self):
        """A draw whatever is played, but for a move that mates or resets the counter."""
        expected = [
            ('8/8/8/4k3/8/8/8/KR6 w - - 99 90', 'cp 0'),            # every move completes the hundred plies
            ('k7/8/1K6/8/8/8/8/7R w - - 99 90', 'mate 1'),          # the hundredth ply mates
            ('8/8/8/8/8/1k6/7r/K7 b - - 99 90', 'mate 1')]
        for fen, score in expected:
            self.send('ucinewgame', f'position fen {fen}')
            line, _ = self.search('go depth 6')
            if f'score {score} ' not in line:
                raise Bad(f'{fen}: {line}')
        # Mate in two, at each counter: from 98 on the second move comes too late. From 100 on nobody has claimed the draw:
        # then the game ends after 75 moves.
        for clock in (*range(94, 102), *range(146, 152)):
            self.send('ucinewgame', f'position fen 8/8/8/8/8/2k5/7r/K7 b - - {clock} 90')
            line, best = self.search('go depth 12')
            has_time = clock <= 97 or 100 <= clock <= 147
            if ('score mate 2 ' in line) != has_time or (' mate ' in line and not has_time):
                raise Bad(f'{clock} plies after the last capture: {line}')

    def repetitions(self):
        """Repetitions that began before the root."""
        for count in (0, 1, 2, 3):
            self.position('startpos', BACK_AND_FORTH * count)
            self.compare()
            line, best = self.search('go depth 5')
            if best == 'bestmove (none)':
                raise Bad(f'no move after {count} repetitions')
        # Perpetual check: the queen has checked on e8 and h5 twice; the third time is a draw.
        root, turn = 'fen 5rk1/5p2/8/8/7Q/8/qr3PPP/6K1 w - - 0 1', ['h4g5', 'g8h8', 'g5h6', 'h8g8', 'h6g5', 'g8h8', 'g5h6',
                                                                    'h8g8']
        self.send('ucinewgame')
        self.position(root, turn)
        self.compare()
        line, _ = self.search('go depth 8')
        if ' cp 0 ' not in line:
            raise Bad(f'perpetual check: {line}')

    def other_rules(self):
        """Random positions of Chess960 and of the model's list: the same moves on both sides."""
        for _ in range(60 if self.is_long else 6):
            self.send('setoption name UCI_Chess960 value true')
            back = list('rnbqkbnr')
            while not (back.index('r') < back.index('k') < 7 - back[::-1].index('r') and
                       (back.index('b') + 7 - back[::-1].index('b')) % 2 == 1):
                self.random.shuffle(back)
            black, white = ''.join(back), ''.join(back).upper()
            rights = ''.join('ABCDEFGH'[i] for i in (7 - black[::-1].index('r'), black.index('r')))
            fen = f'{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {rights}{rights.lower()} - 0 1'
            pos, moves = parse_fen(fen, True), []
            for _ in range(self.random.randint(0, 80)):
                if not pos.moves():
                    break
                move = self.random.choice([m for m in pos.moves() if m[3] == 'castle'] or pos.moves())
                moves.append(pos.text(move, True))
                pos = pos.play(move)
            self.position('fen ' + fen, moves)
            self.compare()
            self.search('go nodes 200')
        self.send('setoption name UCI_Chess960 value false', 'position startpos')

    def run(self):
        """Number of tests, and of those that failed."""
        tests = [self.long_games, self.many_moves, self.fifty_moves, self.repetitions, self.other_rules]
        failed = 0
        for test in tests:
            try:
                test()
                self.ready()
            except Bad as bad:
                failed += 1
                print(f'FAILED: {test.__name__}: {str(bad)[:600]}')
        self.engine.send('quit')
        status = self.engine.status(20 * self.slow)
        found = [] if status == 0 else [('status', str(status))]
        found += model.Check(self.model, self.engine.log, False).run()
        for kind, text in found[:10]:
            print(f'FAILED: {kind}: {text[:600]}')
        shutil.rmtree(self.folder)
        return len(tests) + 1, failed + bool(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('engine')
    parser.add_argument('--long', action='store_true')
    parser.add_argument('--slow', type=float, default=1)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    count, failed = Games(os.path.abspath(options.engine), options).run()
    print(f'{count - failed} passed, {failed} failed, 0 skipped')
    sys.exit(failed > 0)


if __name__ == '__main__':
    main()
