// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* ALIBABA, the chess program on which Breuker, Uiterwijk and van den Herik compared replacement
 * schemes ("Replacement Schemes for Transposition Tables", ICCA Journal 17(4), 1994), rebuilt from
 * section 4 of their paper on top of our board and table. Full-width principal-variation search
 * with minimal windows, iterative deepening and aspiration; no extension, reduction or pruning.
 * Where the paper is silent, alibaba.c says at each place what was chosen. */

#include <stdatomic.h>
#include <stdint.h>

#include "chess/position.h"
#include "lab/breuker1994/moverank.h"
#include "lab/breuker1994/piecesquare.h"
#include "tt/tt.h"

enum { ALIBABA_MAX_DEPTH = 16, ALIBABA_MAX_PLY = 128 };

/* What happens to the history table when the next position comes. */
typedef enum { HISTORY_KEPT, HISTORY_AGED, HISTORY_CLEARED, HISTORY_NB } HistoryFate;

/* Positions visited. A leaf is where the depth is used up, quiescence what lies below leaves. */
typedef struct {
    uint64_t interior, leaf, quiescence;
} AlibabaNodes;

/* Where a search stood when it had finished an iteration. */
typedef struct {
    AlibabaNodes nodes; // since the search began: this iteration and those before it
    Score score;        // from the side to move's view
    Move move;          // MOVE_NONE when the game is over
} AlibabaIteration;

/* A line of moves below some position. */
typedef struct {
    int length;
    Move moves[ALIBABA_MAX_DEPTH];
} AlibabaLine;

typedef struct {
    Move move;
    AlibabaLine line; // below the move: what was best, or refuted it, when last searched
} AlibabaRootMove;

typedef struct {
    Position pos;
    Score value; // material and piece-square values, White's view
    AlibabaLine line;
} AlibabaFrame;

/* The program: settings first, to be filled in before alibaba_init(), then what it knows. One
 * thread each; a table may not be shared if runs are to repeat. */
typedef struct {
    Tt *tt;                  // NULL: no table. Its generation and clearing are the caller's
    const atomic_bool *stop; // NULL: never stopped
    uint64_t seed;           // of the Zobrist keys as the table sees them; 0: the board's own
    bool early_termination;  // in quiescence: a capture that stays below alpha is not tried
    bool equal_depth_only;   // tests: an entry answers for no depth but its own, none at leaves
    bool is_stopped;         // the last search was
    TtStats stats;           // of the table, since alibaba_init()
    AlibabaNodes nodes;      // of the current search
    uint64_t effort;      // the same in one number, answers of the table as the scheme counts them
    AlibabaLine old_line; // of the root move being searched, from the iteration before
    int root_count;
    AlibabaRootMove root_moves[MAX_MOVES];
    PieceSquares values;
    MoveCounts history;
    AlibabaFrame frames[ALIBABA_MAX_PLY + 1];
} Alibaba;

/* Prepares for the first search: history empty, statistics 0, the settings untouched. */
void alibaba_init(Alibaba *a);

/* Does to the history table what `fate` says: nothing, halve it, or empty it. */
void alibaba_pass_history(Alibaba *a, HistoryFate fate);

/* Searches `root` for 1..`depth` plies (at most ALIBABA_MAX_DEPTH) and writes to iterations[d] how
 * things stood after iteration d, for d from 1; `iterations` has room for depth + 1. Returns how
 * many iterations were finished: fewer than `depth` when stopped. */
int alibaba_search(Alibaba *a, const Position *root, int depth, AlibabaIteration *iterations);
