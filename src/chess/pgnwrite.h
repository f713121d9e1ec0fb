// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Writes games and lines in portable game notation (PGN, Edwards 1994), at most 80 columns wide
 * where its words allow. */

#include "chess/pgngame.h"

/* A tag to write. */
typedef struct {
    const char *name, *value;
} PgnTagText;

/* What to write at a move, in addition to the game's own. */
typedef struct {
    int nag;               // 0: none
    const char *comment;   // without braces; NULL: none
    const char *variation; // without parentheses; NULL: none
} PgnNote;

/* Appends the game in export format. `tags` replace those of the same name and come last. `notes`
 * has one for each move; NULL: none. */
void pgn_game_write(StrBuf *out, const PgnGame *game, const PgnTagText *tags, int tag_count,
                    const PgnNote *notes);

/* Appends a line of legal moves from `pos` in SAN: "12... Nf6 13. e5". */
void pgn_add_line(StrBuf *out, const Position *pos, const Move *line, int length);
