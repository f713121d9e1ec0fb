// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Several threads that share one piece of work, the caller's included. */

enum { TEAM_HELPERS_MAX = 64 };

/* Runs `body(arg)` on `count` threads at the same time: on this one and on as many others as the
 * system starts, at most TEAM_HELPERS_MAX. Returns when all have ended. */
void team_run(int count, void *(*body)(void *), void *arg);
