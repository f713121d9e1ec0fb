// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Parses the arguments of `go` into the limits of a search. */

#include "chess/position.h"
#include "search/limits.h"
#include "uci/output.h"

typedef struct {
    Limits limits;
    int perft;      // depth of `go perft`; 0: a search
    bool is_faulty; // an argument was invalid; the notes say which
} GoRequest;

/* Parses the arguments of `go` for a search of `pos`; modifies `arguments`. The words may come in
 * any order; the moves of `searchmoves` end at the next keyword. The result is always a valid
 * search. An invalid number counts as the smallest limit, because the GUI waits for a move. Errors
 * are appended to `notes` as info strings. */
void go_parse(GoRequest *go, const Position *pos, char *arguments, StrBuf *notes);

/* Parses limits in the words of `go` for other commands; modifies `words`. False, with the reason
 * in `error` (`size` bytes), when they are faulty. */
bool go_parse_limits(Limits *limits, char *words, char *error, size_t size);
