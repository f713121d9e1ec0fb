// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Quiescence search: at the horizon of the main search, searches captures and queen promotions
 * until the position is quiet enough for the static evaluation (Shannon 1950); in check, evasions.
 */

#include "search/worker.h"

/* Fail-soft score of the position at `ss`, for the side to move; the window is alpha < beta.
 * Detects checkmate, but not stalemate. The value is meaningless once w->stopped is set. */
Score qsearch(Worker *w, SearchStack *ss, Score alpha, Score beta);
