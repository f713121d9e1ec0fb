# SPDX-License-Identifier: GPL-3.0-or-later
"""How far back a learned position reaches: lesson.csv."""
from statistics import fmean

from intervals import Interval, game_of, mean_of
from tables import LAB, block, group_by, read, sum_of, table

POLICIES = ('Bebe', 'Mouse', 'Crafty')
STEPS = range(1, 11)  # moves before the fall


def games(depth):
    """The rows of each policy with searches to this depth."""
    return group_by((row for row in read(LAB + 'lesson.csv') if row.depth == depth), 'policy')


def falls(depth):
    """The same of games in which the score falls."""
    return {policy: [row for row in rows if row.fall > 0] for policy, rows in games(depth).items()}


def gain(rows, step):
    """The mean gain `step` moves before the fall, with its interval between games, and the share of positions with another
    move. `tried` and `changed` have a bit for each step."""
    tried = [row for row in rows if row.tried >> step - 1 & 1]
    if not tried:
        return Interval(0, 0, 0), 0
    return (mean_of([getattr(row, f'regained{2 * step}') for row in tried], [game_of(row.position) for row in tried]),
            fmean(row.changed >> step - 1 & 1 for row in tried))


@block
def lesson_games(depth):
    """Games, those with a fall, and the positions kept of these."""
    all_games, with_fall = games(int(depth)), falls(int(depth))
    return table('policy | games | games with a fall | positions kept in each of them',
                 [[policy, len(all_games[policy]), len(with_fall[policy]),
                   f'{sum_of(with_fall[policy], "kept") / len(with_fall[policy]):.1f}'] for policy in POLICIES])


@block
def lesson(depth):
    """What a lesson regains at each distance, with searches to this depth."""
    rows = falls(int(depth))
    lines = []
    for step in STEPS:
        line = [2 * step]
        for policy in POLICIES:
            regained, changed = gain(rows[policy], step)
            line += [f'{100 * changed:.0f}%', '{:+.0f} ({:+.0f} to {:+.0f})'.format(*regained)]
        lines.append(line)
    return table('plies before the fall | Bebe: other move | units regained | Mouse: other move | units regained | '
                 'Crafty: other move | units regained', lines)


def figure():
    """For plot-lesson.gp: a line for each distance, with the gain and its limits of each policy; depth 9."""
    rows = falls(9)
    return ''.join(f'{2 * step} '
                   + ' '.join('{:.1f} {:.1f} {:.1f}'.format(*gain(rows[policy], step)[0]) for policy in POLICIES) + '\n'
                   for step in STEPS)
