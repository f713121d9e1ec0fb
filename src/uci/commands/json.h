// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Members that the JSON objects of several commands share. All of them are described in the section
 * JSON of src/uci/README.md. base/strbuf.h writes names, texts and numbers. */

#include "base/strbuf.h"
#include "chess/position.h"
#include "eval/score.h"

/* Takes the word `--json` out of the arguments; false if they do not have it. */
bool json_take_switch(char *arguments);

/* Appends the score as a member `mate` (in moves) or `cp`, which is null for SCORE_NONE. `material`
 * is pos_material() of the position, or of the root of the search. */
void json_add_score(StrBuf *out, Score score, int material);

/* Appends the member `fen`, in the form of Chess960 if `chess960` or if the position needs it. */
void json_add_fen(StrBuf *out, const Position *pos, bool chess960);

/* Appends the move of `pos` as two members: `move` in SAN and `uci`, both null for MOVE_NONE. For
 * `chess960` see json_add_fen(). */
void json_add_move(StrBuf *out, const Position *pos, Move move, bool chess960);

/* Appends the line, which begins in `pos`, as a list of SAN texts: the member `line`. */
void json_add_line(StrBuf *out, const Position *pos, const Move *line, int length);
