# SPDX-License-Identifier: GPL-3.0-or-later
"""The experiment of 1994 with several sets of Zobrist keys (seeds): seeds.csv to 6 ply and seeds-deep.csv at 7 ply."""
import math
from statistics import fmean, variance

from intervals import change_text, mean_of, saving_text
from replacement import nodes_of
from tables import LAB, block, group_by, read, table

SCHEMES = ('TwoBig1', 'TwoDeep', 'Big1', 'BigAll', 'Deep', 'New', 'Old')


def read_seeds(rows):
    """The logarithms of the nodes of all positions: [ply, history][stamping][seed][size, scheme]. Left out are sizes and
    schemes that a stamped table does not have with the last seed."""
    logs = {}
    for column, of_column in group_by(rows, 'ply history').items():
        cells = group_by(of_column, 'stamping seed kpositions scheme')
        last = max(row.seed for row in of_column)
        complete = [(size, scheme) for way, seed, size, scheme in cells if way == 'stamped' and seed == last]

        def nodes(way, seed):
            return {cell: math.log(sum(map(nodes_of, cells[(way, seed, *cell)]))) for cell in complete}
        logs[column] = {way: [nodes(way, seed) for seed in range(last + 1)] for way in ('cleared', 'stamped')}
    return logs


@block
def seeds():
    """What stamping saves with several seeds, as the mean over schemes and sizes, and how far the nodes scatter between
    the seeds."""
    def changes(logs, *sizes):
        """The logarithm of the ratio of nodes, stamped to cleared, for each seed."""
        return [fmean(stamped[cell] - cleared[cell] for cell in stamped if cell[0] in sizes)
                for stamped, cleared in zip(logs['stamped'], logs['cleared'])]

    def scatter(logs):
        return f'{100 * math.sqrt(fmean(variance(of_seed[cell] for of_seed in logs) for cell in logs[0])):.1f}%'
    lines = []
    for (ply, history), logs in sorted(read_seeds(read(LAB + 'seeds.csv') + read(LAB + 'seeds-deep.csv')).items()):
        all_sizes = changes(logs, 8, 64, 1024)
        number = len(all_sizes)
        lines.append([f'{ply} ply', history, number, *(saving_text(mean_of(changes(logs, size))) for size in (8, 64, 1024)),
                      saving_text(mean_of(all_sizes)), f'{sum(change < 0 for change in all_sizes)} of {number}',
                      scatter(logs['cleared']), scatter(logs['stamped'])])
    return table('depth | history | seeds | stamping saves, 8K | 64K | 1024K | all three sizes | seeds in which it saves | '
                 'scatter of the nodes, cleared | stamped', lines)


def places_changed(order, other):
    """How many pairs of schemes change places between two orders, which have a number for each scheme."""
    return sum((order[a] < order[b]) != (other[a] < other[b]) for i, a in enumerate(SCHEMES) for b in SCHEMES[i + 1:])


@block
def seeds_order():
    """The order of the schemes at 7 ply with several seeds: by the mean over the sizes, as in src/lab/breuker1994/claims.c."""
    def order_of(logs):
        return {scheme: fmean(log for (_, name), log in logs.items() if name == scheme) for scheme in SCHEMES}
    lines = []
    for (_, history), logs in sorted(read_seeds(read(LAB + 'seeds-deep.csv')).items()):
        orders = {way: list(map(order_of, of_way)) for way, of_way in logs.items()}  # [stamping][seed]
        by_stamping = fmean(map(places_changed, orders['cleared'], orders['stamped']))
        for way, of_way in orders.items():
            number = len(of_way)
            winners = [min(SCHEMES, key=order.get) for order in of_way]
            line = [history, way, ', '.join(f'{scheme} ({winners.count(scheme)} of {number})'
                                            for scheme in SCHEMES if scheme in winners)]
            for scheme, other in (('TwoBig1', 'TwoDeep'), ('TwoDeep', 'Deep'), ('TwoDeep', 'BigAll'), ('Old', 'New')):
                line.append(change_text(mean_of([order[scheme] - order[other] for order in of_way])))
            between = fmean(places_changed(of_way[i], of_way[j]) for i in range(number) for j in range(i))
            lines.append(line + [f'{between:.1f} of 21', f'{by_stamping:.1f} of 21' if way == 'stamped' else ''])
    return table('history | table | best scheme | TwoBig1 against TwoDeep | TwoDeep against Deep | TwoDeep against BigAll | '
                 'Old against New | places changed between two seeds | by stamping', lines)
