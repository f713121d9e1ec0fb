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
import os
import re
import statistics
import sys

from uci_engine import Engine, points, usage

UNITS = 2.08  # in `ce` of a centipawn: with --unit 208, --judge takes 100 centipawns as 73% of the points, as points() does
SCORE_MAX = 700  # centipawns


def evaluate(engine, fen):
    """The static evaluation in centipawns for the side to move; None in check."""
    engine.send(f'position fen {fen}')
    for answer in engine.ask('eval\nisready', 'readyok'):
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
                engine.new_game()
                move, found = engine.search(fen, f'nodes {nodes}')
                if found and len(move) == 4 and not is_capture(fen, move) and abs(found[-1][2]) <= SCORE_MAX:
                    fields = fen.split()
                    print(f'{" ".join(fields[:4])} hmvc {fields[4]}; ce {round(found[-1][2] * UNITS)};', file=file, flush=True)
        os.replace(part, out)
    except OSError as error:
        sys.exit(f'judge-by-engine.py: {error}')


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
        engine.new_game()
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
    rows = [(points(score / UNITS), evaluate(engine, fen)) for fen, score in read_labels(source)]
    rows = [row for row in rows if row[1] is not None]
    if not rows:
        sys.exit('judge-by-engine.py: the engine has no command eval that prints a final evaluation')
    print_error('static evaluation', rows, 0)


def main():
    arguments = sys.argv[1:]
    if arguments and arguments[0] != 'static' and not ''.join(arguments[2:3]).isdecimal():
        usage(__doc__)
    if len(arguments) == 5 and arguments[0] == 'label':
        label(Engine(arguments[1]), int(arguments[2]), *arguments[3:])
    elif len(arguments) == 4 and arguments[0] in ('depths', 'nodes'):
        limit = {'depths': 'depth', 'nodes': 'nodes'}[arguments[0]]
        measure(Engine(arguments[1]), f'{limit} {int(arguments[2])}', arguments[3])
    elif len(arguments) == 3 and arguments[0] == 'static':
        measure_static(Engine(arguments[1]), arguments[2])
    else:
        usage(__doc__)


main()
