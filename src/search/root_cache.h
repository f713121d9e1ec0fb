// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Results of analysed roots, kept in the transposition table (and so in hash files): when analysis
 * returns to a root, the search continues with the next depth instead of starting over. Not used in
 * games. */

#include "search/worker.h"

/* The table key of the result kept for `root`, by a search with these tablebases. A result that
 * depends on the fifty-move counter or on the moves before has another key: path_key() in
 * root_cache.c. */
Key root_cache_key(const Position *root, const SyzygyUse *use);

/* Whether the root of `job` belongs to the same analysis as the last job `before` (all zero: there
 * was none): one of the two roots occurs in the game of the other job, or the boards differ by a
 * few moves, or the table has an entry of the new root. */
bool root_cache_is_related(Tt *tt, const SearchJob *before, const SearchJob *job);

/* Whether a search of this job, of an analysis, may begin with a cached result. The search must be
 * of all moves, for one line, and not for a mate. The root must not be repeated. */
bool root_cache_applies(const SearchJob *job);

/* Copies the cached result of the root into the worker, as its last completed iteration (at most
 * `max_depth` plies); the principal variation comes from the table. Without
 * tablebases an exact table entry of the root itself also counts as a cached result. False, with
 * the worker unchanged, when there is none. If a position of the game has occurred twice, or the
 * fifty-move counter is LEARNED_RULE50_MAX or more, only a result with the same counter and the
 * same moves since the last capture, pawn move or null move counts. */
bool root_cache_load(Worker *w, int max_depth);

/* Stores the result of the worker's last completed iteration, if it came from a search of all root
 * moves and the root may be cached. */
void root_cache_store(Worker *w);

/* Drops the worker's result, so that root_cache_store() stores nothing. */
void root_cache_forget(Worker *w);

/* Appends table moves to the root move's variation (not empty) until the variation has `plies`
 * moves, the game is over, or the table has no move. The worker must not be searching, because its
 * stack is overwritten. */
void root_cache_extend_pv(Worker *w, RootMove *root, int plies);
