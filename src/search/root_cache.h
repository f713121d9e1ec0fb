// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Analysis taken up again: what was found out about a root is kept in the table, and so in hash
 * files, and need not be searched for once more. Not in play, where every search is one's own. */

#include "search/worker.h"

/* Whether the root of `job` belongs to the same analysis as that of `before`, the last one (zero:
 * there was none): it lies before or behind it in the game; or, should the GUI tell positions
 * without the game, the two are a few moves apart or the table knows the root. */
bool root_cache_is_related(const Tt *tt, const SearchJob *before, const SearchJob *job);

/* Whether a search of this job may begin with what the table knows: one that looks for the best
 * move of all, without a clock, at a root whose score does not hang on how it came about. */
bool root_cache_applies(const SearchJob *job);

/* Makes what was kept of the root, or what the table holds of it as of any position, the worker's
 * last finished iteration, no deeper than `deepest`, with the table's moves for a variation. False,
 * with the worker as it was, when there is none. */
bool root_cache_load(Worker *w, int deepest);

/* Keeps the result of the worker's last finished iteration, if there is one, it came of a search,
 * and that was among all moves. */
void root_cache_store(Worker *w);

/* From now on there is no such result. */
void root_cache_forget(Worker *w);

/* Appends moves from the table to the variation, not empty, until it is `plies` long, the game is
 * over or the table knows no more. */
void root_cache_extend_pv(Worker *w, RootMove *root, int plies);
