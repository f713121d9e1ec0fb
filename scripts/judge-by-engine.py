#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures evaluation and search against the long searches of another engine.

judge-by-engine.py label ENGINE NODES LABELS OUT   scores the positions of palimpsest-datagen --label again, by ENGINE
judge-by-engine.py depths ENGINE DEPTH LABELS      error of ENGINE's scores at each depth up to DEPTH, against the scores in LABELS
judge-by-engine.py nodes ENGINE NODES LABELS       the same for a search of NODES nodes
judge-by-engine.py static ENGINE LABELS            the same for the evaluation, by the command `eval` of Palimpsest or Stockfish

ENGINE is a UCI command, with options after it: "./palimpsest EvalFile=other.nnue", "stockfish 'Use NNUE=false'".
LABELS of the last three must be made by the first: palimpsest-datagen scores in other units.
Its centipawns must mean that half of the games are won at 100, as Palimpsest's and Stockfish's do. `label` keeps only
positions whose best move is no capture or promotion and whose score is within 700 centipawns. palimpsest-train --judge
reads its output, which is OUT.part until all positions are scored. The labels measure; nothing is trained on them.
Errors are means of squares, in points, after the factor on the scores that makes them least. The absolute error is the mean of the
differences themselves, without their signs: a few positions with large differences change it less."""
import math
import os
import re
import shlex
import statistics
import subprocess
import sys

UNITS = 2.08  # in `ce` of a centipawn: with --unit 208, --judge takes 100 centipawns as 73% of the points, as points() does
SCORE_MAX, MATE = 700, 1000  # centipawns


class Engine:
    def __init__(self, command):
        program, *options = shlex.split(command)
        for option in options:
            if '=' not in option:
                sys.exit(f'judge-by-engine.py: {option}: is not NAME=VALUE')
        try:  # any bytes may pass: some engines name an author in Latin-1
            self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding='utf-8',
                                            errors='surrogateescape', bufsize=1)
        except OSError as error:
            sys.exit(f'judge-by-engine.py: {error}')
        offered = [match[1].lower() for line in self.ask('uci', 'uciok') if (match := re.match('option name (.*) type ', line))]
        for option in options:
            name, value = option.split('=', 1)
            if name.lower() not in offered:
                sys.exit(f'judge-by-engine.py: {program} has no option {name}')
            self.send(f'setoption name {name} value {value}')
        for line in self.ask('isready', 'readyok'):
            if 'error' in line.lower():
                sys.exit(f'judge-by-engine.py: {program}: {line}')

    def send(self, line):
        try:
            print(line, file=self.process.stdin, flush=True)
        except BrokenPipeError:
            sys.exit(f'judge-by-engine.py: the engine ended before: {line}')

    def ask(self, line, last):
        """Sends the line; returns the answers up to the one that starts with `last`."""
        self.send(line)
        answers = []
        while not answers or not answers[-1].startswith(last):
            answers.append(self.process.stdout.readline().rstrip('\n'))
            if answers[-1] == '' and self.process.poll() is not None:
                sys.exit(f'judge-by-engine.py: the engine ended after: {line}')
        return answers

    def search(self, fen, limit):
        """The best move, and (depth, nodes, centipawns) of every finished iteration."""
        self.ask('ucinewgame\nisready', 'readyok')
        answers = self.ask(f'position fen {fen}\ngo {limit}', 'bestmove')
        found = []
        for answer in answers:
            match = re.match(r'info .*?\bdepth (\d+) .*?score (cp|mate) (-?\d+) (?!upper|lower).*?nodes (\d+)', answer)
            if match and not re.search(' multipv (?!1 )', answer):
                depth, kind, value, nodes = match.groups()
                score = int(value) if kind == 'cp' else math.copysign(MATE, int(value) - 0.5)
                found.append((int(depth), int(nodes), score))
        return answers[-1].split()[1], found

    def evaluate(self, fen):
        """The static evaluation in centipawns for the side to move; None in check."""
        self.send(f'position fen {fen}')
        for answer in self.ask('eval\nisready', 'readyok'):
            match = re.match(r'(?:Final evaluation|Evaluation:) .*?([-+]\d+\.\d+)', answer)
            if match:
                return float(match[1]) * (100 if fen.split()[1] == 'w' else -100)
        return None


def read_labels(path):
    """The (FEN, score in internal units) of each position."""
    labels = []
    try:
        with open(path, errors='surrogateescape') as file:
            for line in file:
                match = re.match(r'((?:\S+ ){3}\S+) hmvc (\d+); ce (-?\d+);', line)
                if match:
                    labels.append((f'{match[1]} {match[2]} 1', int(match[3])))
    except OSError as error:
        sys.exit(f'judge-by-engine.py: {error}')
    if not labels:
        sys.exit(f'judge-by-engine.py: {path} has no labelled position')
    return labels


def is_capture(fen, move):
    """Whether a piece stands on the target, or a pawn captures en passant."""
    rows = [re.sub(r'\d', lambda digits: ' ' * int(digits[0]), row) for row in fen.split()[0].split('/')]

    def piece(square):
        return rows[8 - int(square[1])][ord(square[0]) - ord('a')]
    return piece(move[2:4]) != ' ' or (piece(move[:2]) in 'Pp' and move[0] != move[2])


def label(engine, nodes, source, out):
    labels = read_labels(source)
    part = out + '.part'  # `out` may be `source`, which must survive an interruption
    try:
        with open(part, 'w') as file:
            for fen, _ in labels:
                move, found = engine.search(fen, f'nodes {nodes}')
                if found and not is_capture(fen, move) and len(move) == 4 and abs(found[-1][2]) <= SCORE_MAX:
                    fields = fen.split()
                    print(f'{" ".join(fields[:4])} hmvc {fields[4]}; ce {round(found[-1][2] * UNITS)};', file=file, flush=True)
        os.replace(part, out)
    except OSError as error:
        sys.exit(f'judge-by-engine.py: {error}')


def points(centipawns):
    return 1 / (1 + math.exp(-centipawns / 100))


def print_error(name, pairs, nodes):
    def differences(factor):
        return [points(score * factor) - truth for truth, score in pairs]

    def error(factor):
        return statistics.fmean(difference ** 2 for difference in differences(factor))

    def centred_error(factor):
        return statistics.pvariance(differences(factor))

    def absolute_error(factor):
        return statistics.fmean(map(abs, differences(factor)))
    factors = [percent / 100 for percent in range(20, 300, 5)]
    factor = min(factors, key=error)
    print(f'{name}: {len(pairs)} positions, {nodes / len(pairs):.0f} nodes, error {error(factor):.5f} '
          f'with scores times {factor:.2f}, centred error {min(map(centred_error, factors)):.5f}, '
          f'absolute error {min(map(absolute_error, factors)):.5f}, '
          f'mean of score minus label {statistics.fmean(differences(1)):+.3f} points', flush=True)


def measure(engine, limit, source):
    rows = {}
    for fen, score in read_labels(source):
        truth = points(score / UNITS)
        _, found = engine.search(fen, limit)
        if limit.startswith('nodes'):
            last = {limit: found[-1]} if found else {}
        else:
            last = {f'depth {iteration[0]}': iteration for iteration in found}
        for name, (_, nodes, value) in last.items():
            rows.setdefault(name, []).append((truth, value, nodes))
    for name in sorted(rows, key=lambda name: int(name.split()[1])):
        print_error(name, [row[:2] for row in rows[name]], sum(row[2] for row in rows[name]))


def measure_static(engine, source):
    rows = [(points(score / UNITS), engine.evaluate(fen)) for fen, score in read_labels(source)]
    rows = [row for row in rows if row[1] is not None]
    if not rows:
        sys.exit('judge-by-engine.py: the engine has no command eval that prints a final evaluation')
    print_error('static evaluation', rows, 0)


def main():
    arguments = sys.argv[1:]
    if arguments and arguments[0] != 'static' and not ''.join(arguments[2:3]).isdecimal():
        sys.exit(__doc__)
    if len(arguments) == 5 and arguments[0] == 'label':
        label(Engine(arguments[1]), int(arguments[2]), *arguments[3:])
    elif len(arguments) == 4 and arguments[0] in ('depths', 'nodes'):
        limit = {'depths': 'depth', 'nodes': 'nodes'}[arguments[0]]
        measure(Engine(arguments[1]), f'{limit} {int(arguments[2])}', arguments[3])
    elif len(arguments) == 3 and arguments[0] == 'static':
        measure_static(Engine(arguments[1]), arguments[2])
    else:
        sys.exit(__doc__)


main()
