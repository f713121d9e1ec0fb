// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A worker with a table of its own, for tests that call the steps of the search directly. It
 * evaluates by the hand-written rules, so that the network does not change what tests expect. */

#include "chess/pos_from_fen.h"
#include "search/node.h"

extern const char HANGING_QUEEN[], PAWN_ENDING[]; // positions

typedef struct {
    Tt tt;
    EvalSource eval;
    SearchJob job;
    SearchShared shared;
    Worker *workers[3];
} SearchFixture;

/* Prepares `count` (1..3) workers at the root `fen`, without limits and with root_depth 10. Returns
 * the main worker. Fails the test on a bad FEN. fixture_close() frees everything. */
Worker *fixture_open(SearchFixture *f, const char *fen, int count);
void fixture_close(SearchFixture *f);

/* The fixture of the tests that need one at a time, and their teardown. */
extern SearchFixture fixture;
void fixture_teardown(void);

/* A node with the position of the root, but at ply 1, so that the steps for inner nodes apply. It
 * is evaluated and has no table entries. */
Node fixture_node(SearchFixture *f, Score alpha, Score beta, int depth);

/* Prepares one worker at the root `fen`. Returns its node with a null window above `alpha` and with
 * the evaluation `eval`. */
Node fixture_open_node(SearchFixture *f, const char *fen, Score alpha, int depth, Score eval);

/* Gives the node a table entry with this move, score, bound and depth, as if it had been probed. */
void fixture_add_entry(Node *n, Move move, Score score, Bound bound, int depth);

/* The legal move written `text` (coordinates). */
Move fixture_move(const Node *n, const char *text);

/* Sets the result of worker `index`: its best move is root move number `move`. */
void fixture_set_result(SearchFixture *f, int index, int move, Score score, int depth);
