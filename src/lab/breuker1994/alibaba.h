// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* ALIBABA, the chess program of Breuker, Uiterwijk and van den Herik ("Replacement Schemes for
 * Transposition Tables", ICCA Journal 17(4), 1994), rebuilt from section 4 of the paper with our
 * board and table. They used it to compare replacement schemes. It is a full-width
 * principal-variation search with minimal windows, iterative deepening and aspiration windows,
 * without extensions, reductions or pruning. Where the paper gives no detail, a comment in
 * alibaba.c or the help of the experiment (replacement_experiment.c) states our choice. */

#include <stdatomic.h>
#include <stdint.h>

#include "chess/position.h"
#include "lab/breuker1994/bounds_table.h"
#include "lab/breuker1994/moverank.h"
#include "lab/breuker1994/piecesquare.h"
#include "lab/optimal/trace.h"
#include "tt/tt.h"

enum { ALIBABA_MAX_DEPTH = 16, ALIBABA_MAX_PLY = 128 };

/* What happens to the history table between two positions; aged: all counts are halved. */
typedef enum { HISTORY_KEPT, HISTORY_AGED, HISTORY_CLEARED, HISTORY_NB } HistoryFate;

/* How an iteration searches the root.
 *
 * PVS     the principal-variation search of the paper, with aspiration windows
 * MTD     MTD(f) (Plaat, Schaeffer, Pijls and de Bruin 1996): searches with minimal windows only;
 *         each compares the score with the result of the search before, the first with that of the
 *         last iteration
 * BISECT  the same, but each search halves the interval of the possible scores (C*, Coplan 1982);
 *         while that interval is open on one side, steps of a pawn */
typedef enum { DRIVER_PVS, DRIVER_MTD, DRIVER_BISECT, DRIVER_NB } AlibabaDriver;

/* Numbers of nodes: interior nodes, leaves (remaining depth 0), and quiescence positions below the
 * leaves. */
typedef struct {
    uint64_t interior, leaf, quiescence;
} AlibabaNodes;

/* Their sum, the number of nodes in the paper. */
static inline uint64_t nodes_total(const AlibabaNodes *nodes)
{
    return nodes->interior + nodes->leaf + nodes->quiescence;
}

/* The result of a search after an iteration. */
typedef struct {
    AlibabaNodes nodes; // of this iteration and all before it
    Score score;        // from the view of the side to move
    Move move;          // best move; MOVE_NONE when the root has no legal move
} AlibabaIteration;

/* A sequence of moves. */
typedef struct {
    int length;
    Move moves[ALIBABA_MAX_DEPTH];
} AlibabaLine;

typedef struct {
    Move move;
    AlibabaLine line; // the best line after the move in its last search: its refutation
} AlibabaRootMove;

typedef struct {
    Position pos;
    Score value;      // material and piece-square values, White's view
    AlibabaLine line; // best line from `pos`
} AlibabaFrame;

/* The program. The caller sets the members up to `equal_depth_only` before alibaba_init(); the
 * others are its state. One thread. For reproducible results no other thread may use the table. */
typedef struct {
    Tt *tt;              // NULL: none. The caller clears it and starts new generations
    BoundsTable *bounds; // used instead of `tt`, without a trace; NULL: not used
    AlibabaDriver driver;
    Trace *trace;            // records stores and probes; NULL: none
    const atomic_bool *stop; // true: end the search; NULL: never
    uint64_t seed;           // of the keys for the table; 0: the keys of the board
    bool early_termination;  // quiescence skips moves that do not raise the evaluation above alpha
    bool equal_depth_only;   // for tests: use only entries of equal depth, and none at leaves
    bool is_stopped;         // the last search was stopped
    TtStats stats;           // of the table, since alibaba_init()
    AlibabaNodes nodes;      // of the current search
    int root_searches;       // of the current search, all iterations together
    uint64_t effort;         // nodes so far, to compute the size of a subtree; with
                             // REPLACE_BIG_ALL, a table cutoff counts the subtree of its entry
    AlibabaLine old_line;    // refutation of the current root move in the previous iteration
    int root_count;
    AlibabaRootMove root_moves[MAX_MOVES];
    PieceSquares values;
    MoveCounts history;
    AlibabaFrame frames[ALIBABA_MAX_PLY + 1];
} Alibaba;

/* Prepares for the first search: clears history and statistics and keeps the settings. */
void alibaba_init(Alibaba *a);

/* Keeps, halves or clears the history table between two positions. */
void alibaba_pass_history(Alibaba *a, HistoryFate fate);

/* Searches `root` in iterations 1..`depth` (at most ALIBABA_MAX_DEPTH) and writes the result of
 * iteration d to iterations[d] (`depth` + 1 elements; [0] is unused). Returns the number of
 * finished iterations, which is less than `depth` when stopped. */
int alibaba_search(Alibaba *a, const Position *root, int depth, AlibabaIteration *iterations);
