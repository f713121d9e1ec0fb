// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The vote at the end of a search: whose best move is played, when several threads (Lazy SMP) or
 * several processes (peers.h) have searched the same root. */

#include "search/worker.h"

/* Returns the worker whose best move has the most votes, weighted by completed depth and score. If
 * a score is a proven win, the highest score decides instead. Workers without a completed iteration
 * do not count; if no worker has completed one, the main worker is returned. It is also returned
 * after `go depth` and `go mate`: helpers ignore the depth limit and prove no mates. */
Worker *vote_of_workers(const SearchShared *shared);

/* The vote of the processes, by the same rule, after vote_of_workers() has elected a worker of this
 * process. If another process wins, copies its line to the front of the main worker's root moves
 * and returns true. */
bool vote_of_peers(const Worker *elected, Worker *main_worker);
