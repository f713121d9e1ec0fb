# SPDX-License-Identifier: GPL-3.0-or-later
"""Threads that store in one table without locks: writers.csv, which has 20 positions, each of another game."""
import functools
import math
from statistics import fmean

from intervals import factor, mean_of, per_million
from tables import LAB, block, group_by, read, sum_of, table

SCHEMES = ('TwoDeep', 'TwoBig1', 'Thompson', 'ThompsonBoth', 'Deep', 'Big1', 'BigAll', 'New', 'Old')
THREADS = (2, 4, 8, 16, 32, 64)


@functools.lru_cache(maxsize=None)
def _cells():
    return group_by(read(LAB + 'writers.csv'), 'mode kpositions threads')


def searches(mode, size, threads, scheme=None):
    """The rows of one scheme or of all. mode: forced, where stores give way, or free."""
    return [row for row in _cells()[mode, size, threads] if scheme in (None, row.scheme)]


def rate(rows, column):
    """The sum of a column per million stores; the interval is between games."""
    return per_million([getattr(row, column) for row in rows], [row.stores for row in rows], [row.position for row in rows])


@block
def writers():
    """What became of the stores, all schemes together."""
    lines = []
    for size in (8, 1024):
        for mode, gives_way in (('free', 'no'), ('forced', 'yes')):
            for threads in (2, 8, 64):
                rows = searches(mode, size, threads)
                changed, *others = (rate(rows, column).mean for column in ('changed', 'overwritten', 'wrong', 'lost'))
                lines.append([f'{size}K', gives_way, threads, f'{sum_of(rows, "stores") / 1e6:.1f}', f'{changed:,.0f}',
                              '' if mode == 'free' else f'{changed / (threads - 1):,.0f}',
                              *(f'{other:,.0f}' for other in others)])
    return table('table | stores give way | threads | stores (millions) | changed | by each other thread | overwritten | wrong | '
                 'lost', lines)


@block
def writers_schemes():
    """Lost positions and wrong pushes per million stores by scheme, when all stores give way."""
    def line(title, scheme, column):
        rates = [rate(searches('forced', 8, threads, scheme), column) for threads in THREADS]
        return [title, *(f'{of_threads.mean:,.0f}' for of_threads in rates[:-1]),
                '{:,.0f} ({:,.0f} to {:,.0f})'.format(*rates[-1]) if rates[-1].mean > 0 else '0',
                f'{rate(searches("forced", 1024, 64, scheme), column).mean:,.0f}']
    return table('scheme | 2 threads | 4 | 8 | 16 | 32 | 64 (95% interval) | 1024K, 64 threads',
                 [line(scheme, scheme, 'lost') for scheme in SCHEMES]
                 + [line(f'{scheme}: wrong pushes', scheme, 'wrong_pushes') for scheme in ('TwoDeep', 'TwoBig1')]
                 + [line(f'{scheme}: pushes', scheme, 'pushes') for scheme in ('TwoDeep', 'TwoBig1')])


@block
def writers_nodes():
    """Nodes relative to TwoDeep by threads, and how this ratio changes when the threads double; table of 8K. The interval
    is between games; each search was repeated."""
    cells = {threads: group_by(searches('free' if threads == 1 else 'forced', 8, threads), 'scheme position')
             for threads in (1, 4, 16)}
    games = sorted({position for _, position in cells[1]})

    def ratios(column, threads, scheme):
        """The logarithm of the ratio in each game, as the mean over the repetitions."""
        def mean(scheme, game):
            return fmean(math.log(getattr(row, column)) for row in cells[threads][scheme, game])
        return [mean(scheme, game) - mean('TwoDeep', game) for game in games]

    def text(logs):
        return '{:.2f} ({:.2f} to {:.2f})'.format(*factor(mean_of(logs)))

    def doubling(column, scheme):
        return text([(last - first) / 4 for first, last in zip(ratios(column, 1, scheme), ratios(column, 16, scheme))])
    lines = [[scheme, *(text(ratios('nodes', threads, scheme)) for threads in (1, 4, 16)),
              doubling('nodes', scheme), doubling('main_stores', scheme)]
             for scheme in ('TwoBig1', 'Thompson', 'ThompsonBoth', 'Deep', 'Big1', 'BigAll', 'New', 'Old')]
    return table('scheme | 1 thread | 4 threads | 16 threads | factor of nodes a doubling | factor of stores of the main thread',
                 lines)


def figure():
    """For plot-writers.gp: a line for each number of threads."""
    lines = []
    for threads in THREADS:
        forced, free = searches('forced', 8, threads), searches('free', 8, threads)
        rates = [rate(searches('forced', 8, threads, scheme), 'lost') for scheme in SCHEMES]
        rates += [rate(rows, column) for rows in (forced, free) for column in ('changed', 'wrong', 'lost')]
        lines.append(f'{threads} ' + ' '.join(f'{of.mean:.3f}' for of in rates) + '\n')
    return ''.join(lines)
