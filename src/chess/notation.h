// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Moves as text: UCI coordinates and standard algebraic notation (SAN), read and written. */

#include "chess/position.h"

enum { MOVE_TEXT_MAX = 16 }; // bytes of the longest move text, with its NUL

/* Writes coordinates such as e7e8q to `out` (MOVE_TEXT_MAX bytes). Castling is e1g1, or king takes
 * rook (e1h1) when `chess960`. MOVE_NONE and MOVE_NULL are "0000". */
void move_to_uci(Move move, bool chess960, char *out);

/* Returns the legal move that `text` names, or MOVE_NONE. A promotion may be in upper case. Both
 * forms of castling are accepted, in Chess960 and in standard chess. If the text fits castling and
 * a king move, it is the king move. */
Move move_from_uci(const Position *pos, const char *text);

/* Writes a legal move in SAN to `out` (MOVE_TEXT_MAX bytes), with the shortest disambiguation and
 * with + or #. */
void move_to_san(const Position *pos, Move move, char *out);

/* Returns the legal move that `text` names in SAN; MOVE_NONE when none or more than one fits. Check
 * marks, annotations such as !?, e.p. after an en passant move, and the = of a promotion are
 * optional; 0-0 and o-o mean O-O; Ng1-f3 and e8=q are read, too. */
Move move_from_san(const Position *pos, const char *text);

/* Returns the legal move that `text` names in SAN or in coordinates; MOVE_NONE when none or more
 * than one fits. */
Move move_from_text(const Position *pos, const char *text);
