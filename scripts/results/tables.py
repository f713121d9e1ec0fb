# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads CSV files and writes Markdown tables, for all modules of this folder. README.md says how to add a table."""
import collections
import csv
import functools
import operator

LAB = 'scripts/lab/results/'
LEARNING = 'scripts/learning/results/'

blocks = {}  # name: function


def block(function):
    """Decorator: the text that the function returns stands between the lines `<!-- results: NAME -->` and `<!-- end -->` of
    a page. NAME is that of the function; words after NAME become its arguments, which are text."""
    blocks[function.__name__] = function
    return function


def table(head, rows):
    """A Markdown table. `head` has the titles, with ' | ' between them; each row is a list of cells."""
    lines = ['| ' + ' | '.join(map(str, row)) + ' |' for row in rows]
    return '\n'.join([f'| {head} |', '|' + '---|' * len(head.split(' | ')), *lines])


def _numbers(column):
    """The values as numbers, if all are numbers."""
    for kind in (int, float):
        try:
            return list(map(kind, column))
        except ValueError:
            pass
    return column


@functools.lru_cache(maxsize=None)
def read(path):
    """The rows of a CSV file as named tuples: row.nodes is the value of the column `nodes`. It is a number if all values of
    the column are numbers, else text. The column `depth 1` is row.depth_1."""
    with open(path, encoding='utf-8', newline='') as file:
        head, *lines = csv.reader(file)
    names = [name.replace(' ', '_') for name in head]
    columns = map(_numbers, zip(*lines))
    return list(map(collections.namedtuple('Row', names)._make, zip(*columns)))


def group_by(rows, columns):
    """{value: its rows}, in the order of the rows. Several columns have blanks between them; then the keys are tuples."""
    groups = collections.defaultdict(list)
    key = operator.attrgetter(*columns.split())
    for row in rows:
        groups[key(row)].append(row)
    return groups


def sum_of(rows, columns):
    """The sum of one column, or of several with blanks between them, over the rows."""
    return sum(getattr(row, column) for row in rows for column in columns.split())
