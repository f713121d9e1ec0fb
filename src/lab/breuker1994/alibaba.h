// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* ALIBABA, the chess program with which Breuker, Uiterwijk and van den Herik compared replacement
 * schemes ("Replacement Schemes for Transposition Tables", ICCA Journal 17(4), 1994), rebuilt from
 * section 4 of the paper with our board and table. It is a full-width principal-variation search
 * with minimal windows, iterative deepening and aspiration windows, without extensions, reductions
 * or pruning. Where the paper gives no detail, a comment in alibaba.c states our choice. */

#include <stdatomic.h>
#include <stdint.h>

#include "chess/position.h"
#include "lab/breuker1994/moverank.h"
#include "lab/breuker1994/piecesquare.h"
#include "tt/tt.h"

enum { ALIBABA_MAX_DEPTH = 16, ALIBABA_MAX_PLY = 128 };

/* Treatment of the history table between two positions; aged: halved. */
typedef enum { HISTORY_KEPT, HISTORY_AGED, HISTORY_CLEARED, HISTORY_NB } HistoryFate;

/* Numbers of positions visited: interior nodes, leaves (remaining depth 0), and positions below
 * leaves. */
typedef struct {
    uint64_t interior, leaf, quiescence;
} AlibabaNodes;

/* The state of a search after an iteration. */
typedef struct {
    AlibabaNodes nodes; // of this iteration and all before it
    Score score;        // from the side to move's view
    Move move;          // MOVE_NONE when the game is over
} AlibabaIteration;

/* A line of moves from some position. */
typedef struct {
    int length;
    Move moves[ALIBABA_MAX_DEPTH];
} AlibabaLine;

typedef struct {
    Move move;
    AlibabaLine line; // after the move: the best reply, or its refutation, in the last search
} AlibabaRootMove;

typedef struct {
    Position pos;
    Score value; // material and piece-square values, White's view
    AlibabaLine line;
} AlibabaFrame;

/* The program: first the settings, filled in before alibaba_init(), then its state. One thread. For
 * reproducible results the table is not shared. */
typedef struct {
    Tt *tt;                  // NULL: none. The caller clears it and starts new generations
    const atomic_bool *stop; // NULL: never stopped
    uint64_t seed;           // of the keys used for the table; 0: the keys of the board
    bool early_termination;  // quiescence: skip a capture that stays below alpha
    bool equal_depth_only;   // for tests: use entries of equal depth only, none at leaves
    bool is_stopped;         // the last search was stopped
    TtStats stats;           // of the table, since alibaba_init()
    AlibabaNodes nodes;      // of the current search
    uint64_t effort; // subtree sizes for the scheme: BigAll counts a table cutoff with its subtree
    AlibabaLine old_line; // of the current root move, from the previous iteration
    int root_count;
    AlibabaRootMove root_moves[MAX_MOVES];
    PieceSquares values;
    MoveCounts history;
    AlibabaFrame frames[ALIBABA_MAX_PLY + 1];
} Alibaba;

/* Prepares for the first search: clears history and statistics, keeps the settings. */
void alibaba_init(Alibaba *a);

/* Keeps, halves or clears the history table. */
void alibaba_pass_history(Alibaba *a, HistoryFate fate);

/* Searches `root` in iterations 1..`depth` (at most ALIBABA_MAX_DEPTH) and writes the state after
 * iteration d to iterations[d] (`depth` + 1 elements; [0] is unused). Returns the number of
 * finished iterations, less than `depth` when stopped. */
int alibaba_search(Alibaba *a, const Position *root, int depth, AlibabaIteration *iterations);
