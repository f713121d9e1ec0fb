// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Labelled positions: quiet positions from game files, or from inside searches of them, each with
 * the score of a deep search. palimpsest-train --judge compares networks with these scores. The
 * positions are written as EPD lines; operation `ce` is the score in internal units for the side to
 * move. */

#include <stdatomic.h>

#include "eval/eval.h"

enum { LABEL_ERROR_MAX = 512 };

typedef struct {
    const char *out;    // file to write or to continue
    char *const *paths; // game files
    int path_count;
    bool is_from_tree; // replace each drawn position by a random quiet one of a small search of it
    int positions;     // number wanted; each range of the piece count gives at most an equal share
    uint64_t nodes;    // node limit of each search
    uint64_t seed;     // of the selection
    int threads;
    const EvalSource *eval;
    const char *eval_name;   // for the first line of the file
    const atomic_bool *stop; // set from outside: finish the searches under way and end
    bool is_silent;          // no progress bar
} LabelOptions;

typedef struct {
    int labelled;    // in the file now
    int selected;    // the file is complete when it has this number
    bool is_stopped; // before the file was complete
} LabelResult;

/* Selects positions, searches each with an empty table and writes it to the file with its score.
 * Continues a file that was begun with the same options and games.
 *
 * A selected position is quiet: training would use it, no capture or promotion wins material, at
 * most 20 plies were played since a capture or pawn move, and no castling right needs Chess960.
 * Each game gives at most one position. Each of PIECE_COUNT_RANGES equal ranges of the piece count
 * gives at most an equal share of options->positions; the ranges with most pieces give one more if
 * the number cannot be divided.
 *
 * False, with the reason in `error` (LABEL_ERROR_MAX bytes), when a file cannot be read or written,
 * the file at `out` was begun with other options or games or is another kind of file, another
 * process writes to it, the games have no quiet position, `stop` is set while they are read, or
 * memory is short; what was written stays valid. */
bool label_positions(const LabelOptions *options, LabelResult *result, char *error);
