# SPDX-License-Identifier: GPL-3.0-or-later
"""Replacement schemes against offline algorithms: optimal.csv (ALIBABA) and optimal-today.csv (today's search)."""
import math
from statistics import fmean

from intervals import Interval, factor, mean_of
from replacement import cleared_nodes
from tables import LAB, block, group_by, read, table

TODAY_POSITIONS = 50  # in the set of today's search
TODAY_PLY = 22
UNLIMITED = (0, 'Unlimited', 0)  # a cell, see Sample


def size_name(kilo, today):
    """A table of so many thousand entries. Today's search has entries of 16 bytes."""
    if not today:
        return f'{kilo}K'
    return f'{16 * kilo} KiB' if kilo < 64 else f'{kilo // 64} MiB'


class Sample:
    """The positions of the set with `number` positions that were searched to depth `ply` and have all rows. A cell is (size,
    rule, entries in a bucket). Intervals are between games of so many positions."""

    def __init__(self, number, ply, today=False, per_game=1):
        rows = read(LAB + ('optimal-today.csv' if today else 'optimal.csv'))
        searches = group_by(rows, 'suite ply position')
        complete = max(map(len, searches.values()))
        suite, = (suite for suite, of_suite in group_by(rows, 'suite').items()
                  if max(row.position for row in of_suite) == number)
        self.per_game = per_game
        self.positions = {}  # [position][cell], a row
        for position in range(1, number + 1):
            of_position = searches[suite, ply, position]
            if len(of_position) == complete:
                self.positions[position] = {(row.kpositions, row.rule, row.ways): row for row in of_position}

    def cells(self):
        return next(iter(self.positions.values()))

    def percent(self, column, cell, reference=UNLIMITED):
        """The geometric mean of the ratio of a column in two cells."""
        logs = [math.log(getattr(rows[cell], column) / getattr(rows[reference], column)) for rows in self.positions.values()]
        games = [(position - 1) // self.per_game for position in self.positions]
        return Interval(*(100 * x for x in factor(mean_of(logs, games))))

    def saved(self, *cell):
        """What a table saves, in percent of what the unlimited table saves."""
        return self.percent('saved', cell).mean


@block
def optimal(number, ply, search='', per_game=1):
    """Nodes saved and hits as shares of those of the unlimited table, and nodes saved as a share of the optimum with as many
    entries in a bucket. `number` of positions, which names the set; `search`: today or nothing; positions of a game."""
    today = search == 'today'
    sample = Sample(int(number), int(ply), today, int(per_game))
    sizes = (4, 64, 1024) if today else (8, 64, 1024)
    rules = dict.fromkeys((rule, ways) for size, rule, ways in sample.cells() if size > 0 and rule != 'Limit')  # each once
    lines = []
    for rule, ways in rules:
        line = [rule, ways or 'all', *(f'{sample.saved(size, rule, ways):.1f}%' for size in sizes)]
        hits = sample.percent('hits', (sizes[0], rule, ways)).mean
        line.append('' if rule in ('Optimum', 'Density') else f'{hits:.1f}%')
        for size in sizes:
            if ways == 0 or rule == 'Optimum':
                line.append('')
            else:
                share = sample.percent('saved', (size, rule, ways), (size, 'Optimum', ways))
                line.append('{:.1f}% ({:.1f} to {:.1f})'.format(*share))
        lines.append(line)
    nodes = fmean(rows[UNLIMITED].nodes for rows in sample.positions.values())
    title = f'{len(sample.positions)} positions at {ply} ply' + (f', {nodes / 1e6:.1f} million nodes each' if today else '')
    names = [size_name(size, today) for size in sizes]
    heads = ' | '.join(names)
    text = table(f'rule | entries in a bucket | nodes saved: {heads} | hits: {names[0]} | of the optimum: {heads}', lines)
    return f'{title}:\n\n' + text


@block
def optimal_live():
    """Kilonodes that the replay predicts (those of the recorded search and those that the table does not save) against those
    of searches with such a table; the 18 positions."""
    live = cleared_nodes('replacement.csv')
    samples = {ply: Sample(18, ply) for ply in (7, 8)}

    def cell(scheme, ply, size):
        ways = 2 if scheme.startswith('Two') else 1
        positions = samples[ply].positions
        found = sum(live['cleared', ply, size, scheme][position] for position in positions)
        predicted = sum(rows[UNLIMITED].nodes + rows[UNLIMITED].saved - rows[size, scheme, ways].saved
                        for rows in positions.values())
        return f'{predicted / 1000:.0f} of {found / 1000:.0f} ({100 * (predicted / found - 1):+.1f}%)'
    columns = [(7, 8), (7, 64), (7, 1024), (8, 16), (8, 64), (8, 1024)]
    return table('scheme | 7 ply, 8K | 64K | 1024K | 8 ply, 16K | 64K | 1024K',
                 [[scheme, *(cell(scheme, *column) for column in columns)]
                  for scheme in ('TwoBig1', 'TwoDeep', 'BigAll', 'Big1', 'Deep', 'New', 'Old')])


def verdict(number, ply, size, today):
    """A line of the verdict on tables of one size."""
    sample = Sample(number, ply, today)
    schemes = [(rule, ways) for _, rule, ways in sample.cells() if ways and rule not in ('MIN', 'Optimum')]
    scheme = max(schemes, key=lambda scheme: sample.saved(size, *scheme))
    goal = sample.saved(size, 'Optimum', 2)
    largest = max(kilo for kilo, _, _ in sample.cells())
    needed = size
    while needed < largest and sample.saved(needed, *scheme) < goal:
        needed *= 4 if today else 2
    search, entries = ("today's search", '') if today else ('ALIBABA', ' entries')
    return (f'- {search}, {len(sample.positions)} positions, {ply} ply, table of {size_name(size, today)}{entries}: {scheme[0]}, '
            f'{100 * sample.saved(size, *scheme) / goal:.0f}%; {size_name(needed, today)}{entries}')


@block
def optimal_verdict():
    """What the best scheme saves, and the size that it needs to save what the best selection saves."""
    return '\n'.join([
        'What the best scheme saves, as a share of what the best choice of as many entries saves. '
        'Then the size of the table with which',
        'the scheme saves as much as that choice:',
        '',
        verdict(18, 7, 8, False),
        verdict(18, 8, 8, False),
        verdict(25, 7, 8, False),
        verdict(TODAY_POSITIONS, TODAY_PLY, 4, True),
        verdict(TODAY_POSITIONS, TODAY_PLY, 64, True)])


def figure_today():
    """optimal-today.csv without its first two columns, as plot-optimal.gp reads optimal.csv."""
    with open(LAB + 'optimal-today.csv', encoding='utf-8') as file:
        return ''.join(line.split(',', 2)[2] for line in file)
