// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/chess960.h"

#include <assert.h>
#include <string.h>

/* Puts a piece on the empty file of the back rank that has `skip` empty files to its west. Returns
 * the file. */
static int place(PieceType *rank, PieceType type, int skip)
{
    int file = 0;
    for (;; file++)
        if (rank[file] == PIECE_TYPE_NB && skip-- == 0)
            break;
    rank[file] = type;
    return file;
}

/* Scharnagl's numbering: number = 4 * (4 * (6 * knights + queen) + other bishop) + bishop on b, d,
 * f or h. The three files that remain take rook, king and rook. */
static void place_array(Position *pos, Color c, int number)
{
    /* Empty files before the first knight, and between the two. */
    static const uint8_t KNIGHTS[10][2] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 0},
                                           {1, 1}, {1, 2}, {2, 0}, {2, 1}, {3, 0}};
    PieceType rank[8];
    for (int file = 0; file < 8; file++)
        rank[file] = PIECE_TYPE_NB;
    rank[1 + 2 * (number % 4)] = BISHOP; // on a light square for White
    rank[2 * (number / 4 % 4)] = BISHOP;
    place(rank, QUEEN, number / 16 % 6);
    const uint8_t *const knights = KNIGHTS[number / 96];
    place(rank, KNIGHT, knights[0]);
    place(rank, KNIGHT, knights[0] + knights[1]);
    const int rook_west = place(rank, ROOK, 0);
    place(rank, KING, 0);
    const int rook_east = place(rank, ROOK, 0);
    for (int file = 0; file < 8; file++) {
        pos_put(pos, piece_make(c, rank[file]), relative_square(c, square_make(file, 0)));
        pos_put(pos, piece_make(c, PAWN), relative_square(c, square_make(file, 1)));
    }
    pos->castling_rook[2 * c] = (uint8_t)relative_square(c, square_make(rook_east, 0));
    pos->castling_rook[2 * c + 1] = (uint8_t)relative_square(c, square_make(rook_west, 0));
}

void chess960_start(Position *pos, int white_array, int black_array)
{
    assert(white_array >= 0 && white_array < CHESS960_NB);
    assert(black_array >= 0 && black_array < CHESS960_NB);
    memset(pos, 0, sizeof *pos);
    memset(pos->board, NO_PIECE, sizeof pos->board);
    place_array(pos, WHITE, white_array);
    place_array(pos, BLACK, black_array);
    pos->castling = WHITE_OO | WHITE_OOO | BLACK_OO | BLACK_OOO;
    pos->ep = SQ_NONE;
    pos->fullmove = 1;
    pos_refresh(pos);
}

void pos_start(Position *pos)
{
    chess960_start(pos, CHESS960_STANDARD, CHESS960_STANDARD);
}
