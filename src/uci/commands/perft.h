// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The command `perft`, also known as `go perft`. */

#include "uci/session.h"

/* Counts the leaf nodes `depth` >= 1 plies below `pos` and prints the count of each root move, then
 * "Nodes searched: " and their sum. `stop` ends the count early, and so does `quit`, unless
 * both were sent at once (session_ends_old_task()). */
void perft_print(Session *session, const Position *pos, int depth);
