// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Quiescence search: at the horizon of the main search, captures and promotions until the position
 * is quiet enough for the static evaluation (Shannon 1950); in check, all evasions. */

#include "search/worker.h"

/* Fail-soft score of the position at `ss`, for the side to move, within alpha < beta. A mate score
 * only in check without a legal move. The value is meaningless once w->stopped is set. */
Score qsearch(Worker *w, SearchStack *ss, Score alpha, Score beta);
