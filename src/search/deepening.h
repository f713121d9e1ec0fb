// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Iterative deepening with aspiration windows on every worker, and the end of a search: the vote of
 * the workers and the reports. */

#include "search/worker.h"

/* Searches the worker's root, iteration by iteration, until a limit, the maximum depth or the stop
 * flag. The main worker (index 0) checks the soft limits and reports; the others only search. */
void deepening_run(Worker *w);

/* The worker's result; at least one root move was searched. An unfinished iteration counts as far
 * as it got. If it ended inside an aspiration search that failed, its best move stands, but the
 * score is that of the last completed iteration. */
SearchOutcome deepening_outcome(const Worker *w);

/* The vote of Lazy SMP: the worker whose move has the most votes, weighted by completed depth and
 * score. A proven win needs no votes. Workers without a completed iteration do not count. */
Worker *deepening_vote(const SearchShared *shared);

/* Ends a search on the main worker, when all workers are at rest: elects a worker, reports its line
 * if that was not the last line reported, then REPORT_DONE. Returns the elected worker. */
Worker *deepening_conclude(Worker *main_worker);
