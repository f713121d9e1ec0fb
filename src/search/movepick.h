// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Staged move ordering (as in Heinz, "Scalable Search in Computer Chess", 2000): TT move; good
 * captures and queen promotions, whose exchange value is at least good_capture_see, less with a
 * good history; quiet moves and underpromotions by history; the other captures and queen
 * promotions. A position can have two table entries and thus two TT moves; the second one gets a
 * bonus in its stage. The moves of a stage are generated when the stage begins. Every legal move is
 * returned exactly once, unless the caller leaves out quiet moves. */

#include "search/history.h"

enum { PICK_BLOCK = 8 }; // keys that the search for the best move reads together

typedef struct {
    const Position *pos;
    const Histories *histories;
    HistoryContext context;
    Move tt_moves[2]; // legal, distinct; MOVE_NONE where there is none
    int stage;
    bool noisy_only;                 // quiescence and ProbCut: the first TT move, noisy moves
    const CheckSquares *checks_only; // set by the search to skip quiet moves that give no check;
                                     // NULL: all quiet moves
    int next, end;                   // of the current stage, in `moves`
    int bad;                         // number of deferred captures, kept at the front of `moves`
    Move moves[MAX_MOVES];
    int keys[MAX_MOVES + PICK_BLOCK]; // of `moves`: score and index, see make_key(); then INT_MIN
} MovePicker;

/* Prepares the moves of `pos`. `tt_moves` holds legal, distinct moves or MOVE_NONE. `noisy_only`
 * leaves out the quiet moves, except a quiet first TT move, and does not test whether captures lose
 * material. `pos` and `histories` must outlive the picker. */
void pick_init(MovePicker *picker, const Position *pos, const Histories *histories,
               HistoryContext context, const Move tt_moves[2], bool noisy_only);

/* The next move; MOVE_NONE at the end. */
Move pick_next(MovePicker *picker);
