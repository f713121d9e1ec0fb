# SPDX-License-Identifier: GPL-3.0-or-later
"""One entry with two bounds, or two entries: bounds.csv, which has the 18 positions and the first of another set."""
import math

from intervals import change, mean_of
from tables import LAB, block, group_by, read, sum_of, table

DRIVERS = ('PVS', 'MTD(f)', 'C*')


class Sample:
    """The positions of a set that have all rows."""

    def __init__(self, rows, complete):
        self.by_driver = group_by(rows, 'driver')
        self.nodes = [{(row.driver, row.kpositions, row.scheme, row.layout): row.nodes for row in of_position}
                      for of_position in group_by(rows, 'position').values() if len(of_position) == complete]

    def change(self, cell, reference):
        """The nodes in a cell (driver, size, scheme, layout) relative to another: the geometric mean, as text with the
        interval between positions."""
        percent = change(mean_of([math.log(nodes[cell] / nodes[reference]) for nodes in self.nodes]))
        return f'{percent.mean:+.2f}% ({percent.low:+.2f} to {percent.high:+.2f})'


def samples():
    """That of the 18 positions, then the other."""
    rows = read(LAB + 'bounds.csv')
    complete = max(map(len, group_by(rows, 'suite position').values()))
    suites = sorted(group_by(rows, 'suite').values(), key=lambda suite: max(row.position for row in suite) != 18)
    return [Sample(suite, complete) for suite in suites]


@block
def bounds(layout):
    """The nodes of a layout against those of a single bound, under each scheme."""
    lines = []
    for sample in samples():
        for driver in DRIVERS:
            for scheme in ('TwoDeep',) if layout == 'apart' else ('New', 'Deep', 'TwoDeep', 'Thompson'):
                line = [len(sample.nodes), driver, scheme]
                for size in (8, 64, 1024):
                    line.append(sample.change((driver, size, scheme, layout), (driver, size, scheme, 'single')))
                lines.append(line)
    return table('positions | driver | scheme | 8K entries | 64K | 1024K', lines)


@block
def bounds_verdict():
    """Two entries in a bucket with one bound each against one entry with two bounds."""
    lines = []
    for sample in samples():
        for driver in ('PVS', 'MTD(f)'):
            line = [len(sample.nodes), driver]
            for scheme, layout in (('Deep', 'own'), ('TwoDeep', 'single'), ('TwoDeep', 'own')):
                line.append(sample.change((driver, 8, scheme, layout), (driver, 8, 'Deep', 'single')))
            lines.append(line)
    return table('positions | driver | two bounds: Deep, own against single | two entries: TwoDeep against Deep, both single | '
                 'both: TwoDeep, own against Deep, single', lines)


@block
def bounds_uses():
    """How often the older of two bounds was needed, over all sizes of TwoDeep with own depths, and the nodes of the drivers."""
    def line(sample, driver):
        rows = sample.by_driver[driver]
        own = [row for row in rows if row.scheme == 'TwoDeep' and row.layout == 'own']
        narrowed = sum_of(own, 'narrowed')
        return [len(sample.nodes), driver, f'{sum_of(rows, "root_searches") / sum_of(rows, "ply"):.1f}',
                f'{100 * sum_of(own, "both") / sum_of(own, "hits"):.3f}%',
                f'{100 * sum_of(own, "older_cutoffs") / sum_of(own, "cutoffs"):.4f}%',
                f'{sum_of(own, "older_narrowed")} of {narrowed}' if narrowed else 'no windows',
                '' if driver == 'PVS' else sample.change((driver, 64, 'TwoDeep', 'own'), ('PVS', 64, 'TwoDeep', 'own'))]
    return table('positions | driver | searches of the root an iteration | hits that find both bounds | '
                 'cutoffs that need the older bound | narrower windows that need it | nodes against PVS (TwoDeep, own, 64K)',
                 [line(sample, driver) for sample in samples() for driver in DRIVERS])
