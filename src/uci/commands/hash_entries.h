// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Functions of the commands that inspect the transposition table. A search may be running. */

#include "uci/session.h"

/* Writes the entries of the position to `out`, as tt_peek() does, and returns their number.
 * Refreshes none, so the search is not affected. */
int hash_entries_peek(Session *session, const Position *pos, TtData out[2]);

/* Follows the moves of the table from the current position. Writes up to `max` entries with legal
 * moves to `line` and why it ends to `*end`; returns their number. */
int hash_entries_follow(Session *session, TtData *line, int max, const char **end);
