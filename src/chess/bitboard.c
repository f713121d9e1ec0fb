// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/bitboard.h"

Bitboard bb_between_table[SQ_NB][SQ_NB];
Bitboard bb_line_table[SQ_NB][SQ_NB];

/* The squares from `s`, itself excluded, to the edge of the board in one direction. */
static Bitboard ray(Square s, int file_step, int rank_step)
{
    Bitboard squares = 0;
    int file = file_of(s) + file_step, rank = rank_of(s) + rank_step;
    while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
        squares |= bb_of(square_make(file, rank));
        file += file_step;
        rank += rank_step;
    }
    return squares;
}

/* Fills both tables for `from` and every square in one direction from it. */
static void fill_direction(Square from, int file_step, int rank_step)
{
    const Bitboard ahead = ray(from, file_step, rank_step);
    const Bitboard line = ahead | bb_of(from) | ray(from, -file_step, -rank_step);
    for (Bitboard b = ahead; b;) {
        const Square to = pop_lsb(&b);
        bb_line_table[from][to] = line;
        bb_between_table[from][to] = ahead & ray(to, -file_step, -rank_step);
    }
}

void bb_init(void)
{
    for (Square from = 0; from < SQ_NB; from++)
        for (int file_step = -1; file_step <= 1; file_step++)
            for (int rank_step = -1; rank_step <= 1; rank_step++)
                if (file_step != 0 || rank_step != 0)
                    fill_direction(from, file_step, rank_step);
}
