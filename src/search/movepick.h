// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Staged move ordering: hash move, captures that do not lose material, quiet moves by history,
 * losing captures. A stage is generated when it is reached. No move is given twice, and together
 * the stages are the legal moves. */

#include "search/history.h"

typedef struct {
    Move move;
    int score;
} ScoredMove;

typedef struct {
    const Position *pos;
    const Histories *histories;
    HistoryContext context;
    Move hash[2]; // legal, distinct; MOVE_NONE when absent
    int stage;
    bool noisy_only;             // quiescence: stop after the good captures
    const CheckMap *checks_only; // set by the search: of the quiet moves only checks are still
                                 // wanted, by this map; NULL: all
    int next, end;               // of the stage being given
    int bad;                     // losing captures, kept at the front of the list
    ScoredMove list[MAX_MOVES];
} MovePicker;

/* Prepares the moves of `pos`. `hash` holds two legal, distinct moves or MOVE_NONE. With
 * `noisy_only` the quiet moves and losing captures are left out, and a hash move is given whatever
 * it is. */
void pick_init(MovePicker *picker, const Position *pos, const Histories *histories,
               HistoryContext context, const Move hash[2], bool noisy_only);

/* The next move; MOVE_NONE at the end. */
Move pick_next(MovePicker *picker);
