# SPDX-License-Identifier: GPL-3.0-or-later
"""Position learning, hash files and analysis mode: scripts/learning/results."""
import math

from intervals import Interval, mean_of
from tables import LEARNING, block, group_by, read, sum_of, table


@block
def learns():
    """A row of the file is a game; parts_at_ply is empty if it is the lost line again."""
    lines = []
    for policy, games in group_by(read(LEARNING + 'learns.csv'), 'policy').items():
        results = [game.result for game in games]
        after_loss = games[results.index('0-1') + 1:] if '0-1' in results else []
        ply = after_loss[0].parts_at_ply if after_loss else ''
        lines.append([policy if policy == 'off' else f'`{policy}`',
                      *(results.count(result) for result in ('0-1', '1/2-1/2', '1-0')),
                      len({game.game_id for game in games}), f'at its move {int(ply) // 2 + 1}' if ply else 'never'])
    return table('policy | lost | drawn | won | different games | deviates from the lost line', lines)


def memory_name(memory):
    """`memory` is a policy, perhaps with the size of a fall, or a table with its MiB."""
    kind, _, number = memory.partition('-')
    if kind == 'table':
        return f'a table of {number} MiB'
    return f'`{kind}`' + (f', falls of {number} units' if number else '')


@block
def elo():
    """The match of each policy; the interval is between openings."""
    def from_share(share):
        return -400 * math.log10(1 / share - 1)
    lines = []
    for (memory, nodes, openings), rows in group_by(read(LEARNING + 'elo.csv'), 'memory nodes openings').items():
        share = mean_of([row.points / row.games for row in rows])
        lines.append([memory_name(memory), nodes, openings, sum_of(rows, 'games'), f'{sum_of(rows, "points"):.1f}',
                      '{:+.0f} ({:+.0f} to {:+.0f})'.format(*Interval(*map(from_share, share))), rows[-1].kib])
    return table('what is kept | nodes a move | openings | games | points | Elo (95% interval) | KiB', lines)


@block
def stepping():
    """A game analysed backwards step by step, then forwards."""
    rows = group_by(read(LEARNING + 'stepping.csv'), 'way')
    lines = []
    for searches, suffix in (('the last', ''), ('all five on the way forward', '_all')):
        for name, way in (('emptied (`ucinewgame` in play)', 'forgets'), ('ages (no `ucinewgame`)', 'ages'),
                          ('analysis mode', 'keeps')):
            first, again, first_ms, again_ms = (sum_of(rows[way], column + suffix + unit)
                                                for unit in ('_nodes', '_ms') for column in ('first', 'again'))
            lines.append([name, searches, f'{first / 1e6:.2f} M', f'{again / 1e6:.2f} M ({100 * again / first:.0f}%)',
                          f'{first_ms / 1000:.1f}', f'{again_ms / 1000:.1f}'])
    return table('table | positions | nodes at first | again | seconds at first | again', lines)


@block
def restart():
    """The sums over all games."""
    rows = read(LEARNING + 'restart.csv')

    def line(name, column):
        return [name, f'{sum_of(rows, column + "nodes") / 1e6:.1f} M', f'{sum_of(rows, column + "seconds"):.1f}']
    first, again = sum_of(rows, 'seconds'), sum_of(rows, 'again_seconds')
    worst = max(row.again_seconds / row.seconds for row in rows)
    lines = [line(f'first search to depth {rows[0].depth}', ''),
             line('the same search after a restart; the time includes starting and loading', 'again_'),
             line('one ply deeper with the file', 'deeper_'),
             line('one ply deeper without the file', 'no_file_')]
    lines[1][-1] = f'{again:.2f} ({100 * again / first:.1f}%, at worst {100 * worst:.1f}%)'
    return table('search | nodes | seconds', lines)
