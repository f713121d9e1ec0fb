// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A worker with a table of its own, for tests that call the steps of the search directly. It
 * evaluates by the hand-written rules, so that the network does not change what tests expect. */

#include "search/node.h"

typedef struct {
    Tt tt;
    EvalSource eval;
    SearchJob job;
    SearchShared shared;
    Worker *workers[3];
} SearchFixture;

/* Prepares `count` (1..3) workers at the root `fen`, all limits open; w->root_depth is 10. Fails
 * the test on a bad FEN. fixture_close() frees everything. */
Worker *fixture_open(SearchFixture *f, const char *fen, int count);
void fixture_close(SearchFixture *f);

/* A node at the root position as if it were at ply 1, so that the steps for inner nodes apply:
 * evaluated, without table entries. */
Node fixture_node(SearchFixture *f, Score alpha, Score beta, int depth);

/* Gives the node a table entry with this move, score, bound and depth, as if it had been probed. */
void fixture_add_entry(Node *n, Move move, Score score, Bound bound, int depth);

/* The legal move written `text` (coordinates). */
Move fixture_move(const Node *n, const char *text);
