// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Forsyth-Edwards notation: reads and writes FEN, X-FEN and Shredder-FEN. Positions that cannot be
 * played are refused. Small faults are repaired: impossible castling rights and en passant squares
 * are dropped, missing clocks get defaults. */

#include "chess/position.h"

#define FEN_START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
enum { FEN_MAX = 128 }; // bytes of the longest FEN of fen_print(), with its NUL

enum { FEN_ERROR_MAX = 400 }; // bytes that hold all repairs of a FEN

/* Parses `text`. With `chess960` a castling right may belong to any rook on the back rank: K, Q, k
 * and q mean the outermost rook on that side (X-FEN), other letters the rook on that file. Without
 * `chess960`, only kings on e1/e8 with rooks in the corners keep rights. True: `*pos` is set, and
 * `error` (FEN_ERROR_MAX bytes) is "" or describes the repairs. False: `*pos` is unchanged, and
 * `error` has the reason. More than six fields are refused. */
bool fen_parse(Position *pos, const char *text, bool chess960, char *error);

/* Writes the FEN to `out` (FEN_MAX bytes). Castling rights are file letters (Shredder-FEN) when
 * `chess960` or when the position needs them, else KQkq. */
void fen_print(const Position *pos, bool chess960, char *out);
