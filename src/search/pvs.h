// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Principal variation search (Marsland and Campbell 1982): the first move of a node with the full
 * window, the others with a minimal one that only asks whether they are better. */

#include "search/worker.h"

/* Score of the position at `ply` of `w`'s stack, searched `depth` plies within alpha < beta,
 * fail-soft. An open window makes it a PV node; `cut` says that a fail-high is expected and is
 * never set there. At ply 0 the moves are the worker's root moves from pv_index on, whose records
 * are updated. 0 and meaningless once the search must stop. */
Score pvs(Worker *w, int ply, Score alpha, Score beta, int depth, bool cut);
