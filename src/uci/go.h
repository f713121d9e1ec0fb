// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The arguments of `go`, as limits of a search. */

#include "chess/position.h"
#include "search/limits.h"
#include "uci/output.h"

typedef struct {
    Limits limits;
    int perft;      // plies to count instead of searching; 0: search
    bool is_faulty; // something was wrong and is told in the notes
} Go;

/* Parses the arguments, which are written to, for a search of `pos`. The words may come in any
 * order; a list of moves ends at the next word that `go` knows. There is always a search in the
 * end, and one that ends: a limit that cannot be read counts as the smallest one, since a GUI that
 * sent it waits for a move. What was wrong is appended to `notes` as info strings. */
void go_parse(Go *go, const Position *pos, bool chess960, char *arguments, Block *notes);
