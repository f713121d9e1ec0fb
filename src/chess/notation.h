// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Moves as text: UCI coordinates and standard algebraic notation, both ways. */

#include "chess/position.h"

enum { MOVE_TEXT_MAX = 16 }; // bytes for any move's text, the end mark included

/* Writes coordinates such as e7e8q; castling is e1g1, or king takes rook when `chess960`; MOVE_NONE
 * and MOVE_NULL are "0000". `out` holds MOVE_TEXT_MAX. */
void move_to_uci(Move move, bool chess960, char *out);

/* The legal move that `text` names, or MOVE_NONE. Castling is understood in both forms in both
 * modes, where the form names no other legal move. */
Move move_from_uci(const Position *pos, const char *text, bool chess960);

/* Writes SAN for a legal move: shortest disambiguation, + and #. `out` holds MOVE_TEXT_MAX. */
void move_to_san(const Position *pos, Move move, char *out);

/* The one legal move that `text` (SAN, check marks and annotations such as !? optional, 0-0 as O-O,
 * = optional) names; MOVE_NONE when there is none or more than one. */
Move move_from_san(const Position *pos, const char *text);
