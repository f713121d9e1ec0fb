# SPDX-License-Identifier: GPL-3.0-or-later
"""The experiment of 1994 on replacement schemes, from the files of `palimpsest-lab replacement`."""
import collections
import functools
import math
import os
import re
import subprocess
from statistics import fmean

from intervals import change_text, mean_of, saving, saving_text
from tables import LAB, block, group_by, read, table

# Options of palimpsest-lab for each report: on 18 or 500 positions, or on 18 positions with several seeds.
REPORTS = {
    'replacement': ['--report', LAB + 'replacement.csv'],
    'replacement-middlegames': ['--report', LAB + 'middlegames.csv', '--summed', '20'],
    'seeds-deep': ['--report', LAB + 'seeds-deep.csv'],
}


def nodes_of(row):
    return row.interior + row.leaf + row.quiescence


def cleared_nodes(*names):
    """The nodes with a table that was cleared between positions: {(history, ply, size, scheme): {position or game: nodes}}."""
    nodes = collections.defaultdict(dict)
    for row in (row for name in names for row in read(LAB + name)):
        if row.stamping == 'cleared' and row.seed == 0:
            nodes[row.history, row.ply, row.kpositions, row.scheme][row.position] = nodes_of(row)
    return nodes


def change_of(nodes, reference, least):
    """The nodes relative to others of the same positions or games, as text; not observed if there are fewer than `least`."""
    logs = [math.log(nodes[position] / reference[position]) for position in nodes if position in reference]
    return change_text(mean_of(logs)) if len(logs) >= least else 'not observed'


@functools.lru_cache(maxsize=None)
def report(name, *options):
    """The report in Markdown. $LAB is palimpsest-lab."""
    command = [os.environ.get('LAB', './palimpsest-lab'), 'replacement', *REPORTS[name], '--markdown', *options]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, encoding='utf-8').stdout


def claims_of(text):
    """Yields (positions, history, ply, seeds, claim, verdict, figures) of each claim in a report."""
    for line in text.splitlines():
        if match := re.match(r'### ALIBABA on (\d+) positions .*: history (\w+) .* (\d+) seeds?$', line):
            positions, history, seeds = int(match[1]), match[2], int(match[3])
        elif match := re.match(r"#### The paper's claims, at (\d+) ply", line):
            ply = int(match[1])
        elif match := re.match(r'\| (.*) \| \*(.*)\* \| (.*) \|$', line):
            yield positions, history, ply, seeds, *match.groups()


@block
def claims():
    """The claims of 1994 with verdict and figures: both sets of positions, history cleared and kept. The verdicts on stamping
    in the 18 positions are those of several seeds."""
    columns = {'18 positions, 7 ply, history cleared': (18, 'cleared', 7),
               '18 positions, 7 ply, history kept': (18, 'kept', 7),
               '500 positions, 6 ply, history cleared': (500, 'cleared', 6),
               '500 positions, 5 ply, history cleared': (500, 'cleared', 5),
               '500 positions, 5 ply, history kept': (500, 'kept', 5)}
    cells = {}  # [claim][column]
    for text in (report('replacement'), report('replacement-middlegames'),
                 report('replacement-middlegames', '--max-depth', '5'), report('seeds-deep')):
        for positions, history, ply, seeds, claim, verdict, figures in claims_of(text):
            if seeds == 1 or 'stamping' in claim:
                cell = 'not observed' if verdict == 'open' else verdict + ': ' + figures.replace('; ', ', ')
                cells.setdefault(claim, {})[positions, history, ply] = cell
    return table('claim of 1994 (its test) | ' + ' | '.join(columns),
                 [[claim, *(cells[claim].get(column, 'not observed') for column in columns.values())] for claim in cells])


@block
def pairs():
    """Nodes of one scheme relative to another, table cleared: geometric means over the games of the 500 positions, with
    intervals between games."""
    nodes = cleared_nodes('middlegames.csv')
    columns = {'6 ply, 8K, history cleared': ('cleared', 6, 8),
               '6 ply, 64K, history cleared': ('cleared', 6, 64),
               '5 ply, 8K, history cleared': ('cleared', 5, 8),
               '5 ply, 8K, history kept': ('kept', 5, 8)}
    lines = []
    for scheme, other in (('TwoBig1', 'TwoDeep'), ('TwoBig1', 'Big1'), ('TwoDeep', 'Big1'), ('TwoDeep', 'BigAll'),
                          ('TwoDeep', 'Deep'), ('Big1', 'Deep'), ('BigAll', 'Big1'), ('New', 'Deep'), ('Old', 'New')):
        line = [f'{scheme} against {other}']
        for history, ply, size in columns.values():
            line.append(change_of(nodes[history, ply, size, scheme], nodes[history, ply, size, other], 2))
        lines.append(line)
    return table('schemes | ' + ' | '.join(columns), lines)


@block
def equal_memory():
    """Schemes that keep the size of the subtree in smaller tables against schemes that do not need it; tables cleared, history
    cleared. The interval is between the 18 positions, or between the 25 games."""
    nodes = {18: cleared_nodes('replacement.csv', 'equal-memory.csv'),
             25: cleared_nodes('middlegames.csv', 'equal-memory-games.csv')}
    columns = [(18, 7, 8), (18, 7, 64), (18, 8, 16), (18, 8, 64), (25, 6, 8), (25, 6, 64)]
    lines = []
    for scheme, other in (('TwoBig1', 'TwoDeep'), ('Big1', 'Deep')):
        for share, eighths in (('as many', 8), ('7/8', 7), ('3/4', 6)):
            line = [f'{scheme} against {other}', share]
            for number, ply, size in columns:
                smaller = nodes[number]['cleared', ply, size * eighths // 8, scheme]
                line.append(change_of(smaller, nodes[number]['cleared', ply, size, other], number))
            lines.append(line)
    return table('schemes | entries | 18 positions, 7 ply, 8K | 64K | 8 ply, 16K | 64K | 25 games, 6 ply, 8K | 64K', lines)


def compare(cells, way, other, one_game):
    """Compares two ways to use the table, such as stamped and cleared. `cells`: the rows of each scheme and size. Returns
    what `way` saves, as text, in how many cells it needs fewer nodes, and the number of cells that have both."""
    fewer = number = 0
    logs = collections.defaultdict(list)  # of each game, over the cells
    for rows in cells:
        first, second = ({row.position: nodes_of(row) for row in rows if row.stamping == name} for name in (way, other))
        if not first or first.keys() != second.keys():
            continue  # positions are missing
        number += 1
        fewer += sum(first.values()) < sum(second.values())
        if one_game:
            first, second = {1: sum(first.values())}, {1: sum(second.values())}
        for game in first:
            logs[game].append(math.log(first[game] / second[game]))
    if not number:
        return 'not observed', 0, 0
    mean = mean_of(list(map(fmean, logs.values())))
    return f'{saving(mean).mean:.1f}%' if one_game else saving_text(mean), fewer, number


@block
def stamping():
    """What stamping saves against a cleared table, and a refresh beside stamping, by history and depth. The ratio of nodes is
    the geometric mean over schemes and sizes, then over games; the interval is between games."""
    lines = []
    for positions, name in ((18, 'replacement.csv'), (500, 'middlegames.csv')):
        rows = group_by((row for row in read(LAB + name) if row.scheme != 'None' and row.seed == 0), 'ply history')
        for ply in range(4, 9):
            for history in ('cleared', 'aged', 'kept'):
                cells = group_by(rows[ply, history], 'scheme kpositions').values()
                saved, fewer, number = compare(cells, 'stamped', 'cleared', positions == 18)
                if number == 0:
                    continue
                line = [positions, f'{ply} ply', history, number, saved, f'{fewer} of {number}']
                saved, fewer, number = compare(cells, 'refreshed', 'stamped', positions == 18)
                lines.append(line + [saved, f'{fewer} of {number}' if number else ''])
    return table('positions | depth | history | schemes × sizes | stamping saves | with fewer nodes | '
                 'refresh saves beside stamping | with fewer nodes', lines)


@block
def thompson():
    """Kilonodes of Thompson's two schemes beside TwoDeep and Deep at 7 ply."""
    rows = group_by((row for row in read(LAB + 'replacement.csv') + read(LAB + 'thompson.csv')
                     if row.ply == 7 and row.seed == 0), 'history stamping kpositions scheme')
    lines = []
    for history in ('cleared', 'kept'):
        for way in ('cleared', 'stamped', 'refreshed'):
            for size in (8, 64, 1024):
                deep, *others = (sum(map(nodes_of, rows[history, way, size, scheme]))
                                 for scheme in ('TwoDeep', 'Thompson', 'ThompsonBoth', 'Deep'))
                if deep and others[0]:
                    lines.append([history, way, f'{size}K', f'{deep / 1000:.0f}',
                                  *(f'{nodes / 1000:.0f} ({100 * (nodes / deep - 1):+.1f}%)' for nodes in others)])
    return table('history | table | size | TwoDeep | Thompson | ThompsonBoth | Deep', lines)
