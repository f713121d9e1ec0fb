// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Threads that do one job together and wait for the next. */

#include <stdbool.h>

#include "base/thread.h"

enum { CREW_MAX = 256 };

/* Part of a job; `member` is 0 for the caller's own thread, up to crew size - 1. */
typedef void (*CrewJob)(void *ctx, int member);

typedef struct Crew Crew;

/* Starts a crew of `size` (1..CREW_MAX) members, the calling thread being one of them. NULL when
 * the system refuses the threads. Free with crew_free(). */
Crew *crew_create(int size);

/* Ends the threads; `crew` may be NULL. */
void crew_free(Crew *crew);

int crew_size(const Crew *crew);

/* Runs `job` once on every member and returns when all are done. What the job wrote is then visible
 * to the caller. From the creating thread only. */
void crew_run(Crew *crew, CrewJob job, void *ctx);
