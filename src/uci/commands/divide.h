// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* perft as a command: the count of each move, then their sum, in the words that scripts look for.
 */

#include "uci/session.h"

/* Counts the paths of `depth` >= 1 plies from `pos`. `stop` ends it early; `quit` does not, so that
 * a count can be asked for through a pipe. */
void divide_run(Session *session, const Position *pos, int depth);
