#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the tables, pages and figures of the measured results, in the top folder; scripts/results.sh calls it.

main.py table NAME [ARGUMENT...]    prints a table as it stands on its page: main.py table optimal 18 7
main.py pages FOLDER PAGE...        writes the pages and the reports of palimpsest-lab, with new tables, to FOLDER
main.py figures FIGURE...           draws figures

LAB=FILE in the environment: palimpsest-lab (./palimpsest-lab). README.md in this folder says how to add a table."""
import os
import re
import sys
import traceback

import bounds
import census
import keys
import learning
import lesson
import modern
import optimal
import replacement
import seeds
import writers
from figures import FIGURES
from tables import block, blocks, table


@block
def files(folder):
    """Each CSV file of the folder in the manifest: rows, engine, date and command."""
    with open('scripts/results/manifest.tsv', encoding='utf-8') as file:
        rows = [line.rstrip('\n').split('\t') for line in file]
    return table('file | rows | engine | date | command',
                 [[f'`{path[len(folder) + 1:]}`', number, engine, date, f'`{command}`']
                  for path, number, _, engine, date, command in rows
                  if path.startswith(folder + '/') and path.endswith('.csv')])


def make_block(name, *arguments):
    if name not in blocks:
        raise LookupError(f'there is no table {name}; tables: {", ".join(blocks)}')
    return blocks[name](*arguments)


def make_page(path):
    """The contents of a page with new tables, or of a report."""
    name = os.path.basename(path)[:-len('.md')]
    if name in replacement.REPORTS:
        return replacement.report(name)
    with open(path, encoding='utf-8') as file:
        text = file.read()
    page, made = re.subn(r'(?ms)^(<!-- results: ([^\n]*) -->\n).*?^(<!-- end -->)$',
                         lambda match: f'{match[1]}\n{make_block(*match[2].split())}\n\n{match[3]}', text)
    if made != len(re.findall('(?m)^<!-- (?:results:|end)', text)) / 2:
        raise ValueError('lines `<!-- results: NAME -->` and `<!-- end -->` do not form pairs')
    return page


def write_pages(folder, paths):
    """Writes the pages that can be made, and says what is wrong with the others. Returns whether all were made."""
    made = 0
    for path in paths:
        try:
            contents = make_page(path)
        except Exception:  # of any table; the other pages may be right
            print(f'results.sh: {path} cannot be made:', traceback.format_exc(), sep='\n', file=sys.stderr)
            continue
        os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
        with open(os.path.join(folder, path), 'w', encoding='utf-8') as file:
            file.write(contents)
        made += 1
    return made == len(paths)


def main():
    command, arguments = (sys.argv + [''])[1], sys.argv[2:]
    if command == 'table' and arguments:
        print(make_block(*arguments))
    elif command == 'pages' and arguments:
        sys.exit(not write_pages(arguments[0], arguments[1:]))
    elif command == 'figures':
        for path in arguments:
            FIGURES[os.path.basename(path)](path)
    else:
        sys.exit(__doc__)


main()
