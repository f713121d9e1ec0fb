// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Quiescence: from a leaf of the main search on, captures and queen promotions until the position
 * is quiet enough to be evaluated (Shannon 1950), and every evasion while in check. */

#include "search/worker.h"

/* Score of the position at `ply` of `w`'s stack within alpha < beta, fail-soft. Claims a mate only
 * when in check without a legal move. 0 and meaningless once the search must stop. */
Score qsearch(Worker *w, int ply, Score alpha, Score beta);
