# SPDX-License-Identifier: GPL-3.0-or-later
"""Replacement schemes and rules for reading the table in this engine's own search, by nodes and by games."""
import math
from statistics import fmean

from intervals import change_text, factor, game_of, mean_of
from tables import LAB, block, group_by, read, table


@block
def modern():
    """Nodes to depth 15 relative to Thompson: geometric means over the positions, with intervals between games."""
    rows = [row for row in read(LAB + 'modern.csv') if row.depth == 15]
    logs = {cell: {row.position: math.log(row.nodes) for row in of_cell}
            for cell, of_cell in group_by(rows, 'scheme hash_mib').items()}

    def cell(scheme, size):
        nodes, reference = logs[scheme, size], logs['Thompson', size]
        both = [position for position in nodes if position in reference]
        ratio = factor(mean_of([nodes[position] - reference[position] for position in both], list(map(game_of, both))))
        text = '1.00' if scheme == 'Thompson' else '{:.2f} ({:.2f} to {:.2f})'.format(*ratio)
        return f'{text}, {math.exp(fmean(nodes[position] for position in both)) / 1000:.0f} K'
    return table('scheme | 1 MiB | 4 MiB | 16 MiB | 64 MiB',
                 [[scheme, *(cell(scheme, size) for size in (1, 4, 16, 64))] for scheme in group_by(rows, 'scheme')])


@block
def reads():
    """Nodes without a rule relative to those with both rules."""
    logs = {cell: {row.position: math.log(row.nodes) for row in rows}
            for cell, rows in group_by(read(LAB + 'reads.csv'), 'reads hash_mib').items()}

    def cell(way, size):
        both = logs['both', size]
        return change_text(mean_of([nodes - both[position] for position, nodes in logs[way, size].items()]))
    return table('rule left out | 1 MiB | 4 MiB | 16 MiB',
                 [[name, *(cell(way, size) for size in (1, 4, 16))]
                  for name, way in (('refresh by a read', 'no-refresh'), ('two hash moves', 'one-move'))])


@block
def matches():
    """Games at 10,000 nodes a move, 1 MiB."""
    return table('question | first player | second player | games | Elo of the first | result',
                 [[row.question, row.first, row.second, f'{row.games:,}', f'{row.elo:+} ± {row.error}', row.result]
                  for row in read(LAB + 'matches.csv')])
