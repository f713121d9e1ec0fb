// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Forsyth-Edwards notation, X-FEN and Shredder-FEN in and out. Strict where a position could not be
 * played, forgiving where the intention is plain: impossible castling and en passant fields are
 * dropped, clocks may be missing. */

#include "chess/position.h"

#define FEN_START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
enum { FEN_MAX = 128 }; // bytes that hold any FEN fen_print() writes, the end mark included

/* Parses `text`. With `chess960` castling rights may stand for any rook (X-FEN KQkq is the
 * outermost one, or the file's letter); without it only king e1/e8 and rooks in the corners keep
 * rights, other rights are dropped. True: `*pos` is set, and `error` is "" or says what was
 * repaired. False: `*pos` is untouched and `error` says why. `error` holds at least FEN_ERROR_MAX
 * bytes. Fields after the sixth are refused. */
enum { FEN_ERROR_MAX = 160 };
bool fen_parse(Position *pos, const char *text, bool chess960, char *error);

/* Writes the FEN, with Shredder's file letters for castling when `chess960`, otherwise KQkq. `out`
 * holds FEN_MAX. */
void fen_print(const Position *pos, bool chess960, char *out);
