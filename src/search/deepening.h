// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Iterative deepening (Slate and Atkin 1977) with aspiration windows on every worker, and the end
 * of a search: its result and the last reports. */

#include "search/worker.h"

/* Searches the worker's root, iteration by iteration, until a limit, the maximum depth or the stop
 * flag. The main worker (index 0) checks the soft limits and reports; the others only search. */
void deepening_run(Worker *w);

/* The worker's result; at least one root move must have been searched. The best move may come from
 * an unfinished iteration. If its score lies outside the aspiration window, it is only a bound:
 * then the score of the last completed iteration replaces it. */
SearchOutcome deepening_outcome(const Worker *w);

/* Ends a search after all workers have returned from deepening_run(). Called on the main worker's
 * thread. Elects a worker or the result of another process; with MultiPV or limited strength always
 * the main worker. Reports the elected line, unless it was reported last, and then REPORT_DONE.
 * Returns the elected worker. */
Worker *deepening_conclude(Worker *main_worker);
