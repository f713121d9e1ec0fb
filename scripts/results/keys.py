# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors by short keys, in perft and in the search, and torn entries."""
import math

from tables import LAB, block, group_by, read, sum_of, table


def signed(number):
    return f'{number:+,.0f}' if number else '0'


@block
def perft():
    lines = []
    for (key, size), rows in group_by(read(LAB + 'perft.csv'), 'key hash_mib').items():
        lines.append([key, f'{size} MiB', f'{rows[-1].leaves:,}', signed(rows[-1].leaves - rows[-1].exact),
                      f'{sum_of(rows, "false_hits"):,}', f'{sum_of(rows, "expected_false_hits"):.0f}'])
    return table('key | table | count | error | false hits detected | expected', lines)


@block
def perft_depths():
    """Hits and collisions by remaining depth, of the programmer of GPUs and of our trials; the columns are those of the file."""
    rows = read(LAB + 'perft-depths.csv')
    return table(' | '.join(name.replace('_', ' ') for name in rows[0]._fields),
                 [row._replace(error=signed(row.error)) for row in rows])


@block
def perft_turns():
    errors = [row.leaves - row.exact for row in read(LAB + 'perft-turns.csv') if str(row.key) == '32' and row.level == 1]
    square = sum(error**2 for error in errors) / len(errors)
    return (f'Errors of {len(errors)} other choices of 32 bits from our keys, with 1024 MiB: from {signed(min(errors))} to '
            f'{signed(max(errors))}, root mean square {math.sqrt(square):,.0f}.')


@block
def keybits():
    """Errors by the number of bits checked. With all 48 bits no entry of another position can be recognised."""
    rows = group_by((row for row in read(LAB + 'keybits.csv') if row.depth == 12 and row.hash_mib == 16), 'bits')
    best = {bits: {row.position: row.best for row in of_bits} for bits, of_bits in rows.items()}
    lines = []
    for bits in sorted(rows):
        probes, foreign, wrong = (sum_of(rows[bits], column) for column in ('probes', 'foreign', 'false_hits'))
        illegal = sum_of(rows[bits], 'illegal')
        both = best[bits].keys() & best[48].keys()
        changed = sum(best[bits][position] != best[48][position] for position in both)
        lines.append([bits, f'{probes / 1e6:.1f}',
                      '-' if bits == 48 else f'{1e6 * wrong / probes:.3g}',
                      '-' if bits == 48 else f'{1e6 * foreign / 2**bits / probes:.3g}',
                      f'{100 * illegal / wrong:.0f}% of {wrong}' if wrong else 'none', f'{100 * changed / len(both):.1f}%'])
    return table('bits checked | probes (millions) | errors per million probes | expected by chance | '
                 'errors that an illegal hash move reveals | root moves changed', lines)


@block
def torn():
    locks = {'folded': "folded (the engine's)", 'xor': 'XOR with the data', 'bare': 'none (bare key)'}
    return table('lock | threads: accepted, only the subtree size wrong | threads: accepted, another position | '
                 'by hand: accepted, both kinds',
                 [[locks[row.lock], f'{row.torn_size:,}', f'{row.torn_wrong:,}',
                   f'{row.hand_size + row.hand_wrong:,} of {row.pairs_by_hand:,}'] for row in read(LAB + 'torn.csv')])
