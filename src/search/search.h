// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The main search: principal variation search (Marsland and Campbell 1982). The first move of a
 * node gets the full window. Any other move first gets a null window, to show whether it is better.
 */

#include "search/worker.h"

/* Fills the table of logarithms for base_reduction(). Once, before any search. */
void search_init(void);

/* Fail-soft score of the position at `ss`, for the side to move, searched to `depth` plies within
 * alpha < beta; depth <= 0: quiescence. An open window makes a PV node. `cut_node`: a fail-high is
 * expected; never at a PV node. At the root (ply 0) it searches the worker's root moves from
 * pv_index on and updates them. The value is meaningless once w->stopped is set. */
Score pvs(Worker *w, SearchStack *ss, Score alpha, Score beta, int depth, bool cut_node);
