// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Labelled positions: quiet positions drawn from game files, each with the score of a deep search.
 * They are the reference by which palimpsest-train --judge measures networks. A text file of EPD
 * lines: operation `ce` is the score in internal units for the side to move. */

#include <stdatomic.h>

#include "eval/eval.h"

enum { LABEL_ERROR_MAX = 512, LABEL_STRATA = 8 };

typedef struct {
    const char *out;
    char *const *paths; // game files
    int path_count;
    int positions;  // number wanted, the same for each stratum of the piece count
    uint64_t nodes; // of each search, exact
    uint64_t seed;  // of the selection
    int threads;
    const EvalSource *eval;
    const char *eval_name;   // for the first line of the file
    const atomic_bool *stop; // set from outside: finish the searches under way and end
    bool is_silent;          // no progress bar
} LabelOptions;

typedef struct {
    int labelled; // in the file now
    int selected; // the file is complete when it has this number
} LabelResult;

/* Selects at most one position a game: standard chess, not in check, a quiet move was played, no
 * capture or promotion wins material, at most 20 plies since a capture or pawn move; evenly over
 * LABEL_STRATA ranges of the piece count. Searches each with an empty table and writes it. A file
 * that the same options began is continued. False, with the reason in `error` (LABEL_ERROR_MAX
 * bytes), when a file cannot be read or written, the file was begun with other options, or memory
 * is short; what was written stays valid. */
bool label_positions(const LabelOptions *options, LabelResult *result, char *error);
