# SPDX-License-Identifier: GPL-3.0-or-later
"""Cutoffs that a second search contradicts: census.csv."""
import math
from statistics import fmean

from intervals import change, game_of, mean_of, per_million
from tables import LAB, block, group_by, read, sum_of, table

ALL_CAUSES = 'other_position draft path other'  # columns of counts


def observed():
    return [row for row in read(LAB + 'census.csv') if row.policy == 'observe']


def checked(row, trials):
    """The number of samples, without those given up, or of deep ones."""
    return row.samples - row.undecided if trials == 'samples' else getattr(row, trials)


def rate(events, trials='samples'):
    """The sum of columns per million of another column; the interval is between games."""
    rows = observed()
    return per_million([sum_of([row], events) for row in rows], [checked(row, trials) for row in rows],
                       [game_of(row.position) for row in rows])


@block
def census():
    """Cutoffs that a second search contradicts, by cause."""
    def line(name, events, trials='samples'):
        found = rate(events, trials)
        return [name, f'{sum(checked(row, trials) for row in observed()):,}', f'{found.mean:,.0f}', f'{found.low:,.0f} to {found.high:,.0f}']
    lines = [line('by a search with an empty table', ALL_CAUSES),
             line('cause: entry of another position', 'other_position'),
             line('cause: deeper draft', 'draft'),
             line('cause: path', 'path'),
             line('cause: other instability', 'other'),
             line('at depth 4 and more', 'deep', 'deep_samples'),
             line('by a search without a table', 'without_table')]
    if observed()[0].bits == 48:  # all bits of the key: no such entry can be seen
        lines[1] = ['cause: entry of another position', 'not tested', '-', '-']
    return table('contradicted | checked | per million | 95% interval', lines)


@block
def census_policies():
    """The searches in which some cutoffs were refused, compared with those that were only observed."""
    reference = {row.position: row for row in observed()}
    rows = group_by(read(LAB + 'census.csv'), 'policy')
    lines = []
    for name, policy in (('contradicted cutoffs', 'correct'), ('as many confirmed cutoffs', 'control'), ('all cutoffs', 'refuse')):
        pairs = [(row, reference[row.position]) for row in rows[policy]]
        moves = fmean(row.best != other.best for row, other in pairs)
        scores = fmean(row.score != other.score for row, other in pairs)
        difference = fmean(abs(row.score - other.score) for row, other in pairs)
        nodes = mean_of([math.log(row.nodes / other.nodes) for row, other in pairs], [game_of(row.position) for row, _ in pairs])
        lines.append([name, f'{100 * moves:.1f}%', f'{100 * scores:.1f}%', f'{difference:.1f} units',
                      '{:+.1f}% ({:+.1f} to {:+.1f})'.format(*change(nodes))])
    return table('refused | root moves changed | scores changed | mean difference | nodes (95% interval, by games)', lines)


def figure():
    """For plot-census.gp: a line with rate and limits for each kind."""
    kinds = (ALL_CAUSES, 'draft', 'path', 'other', 'without_table')
    return ''.join('{:.0f} {:.0f} {:.0f}\n'.format(*rate(kind)) for kind in kinds)
