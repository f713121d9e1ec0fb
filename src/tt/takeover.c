// SPDX-License-Identifier: GPL-3.0-or-later
#include "tt/takeover.h"

#include "base/clock.h"
#include "base/thread.h"

enum {
    TIME_MS = 400, // beyond that searches see to it as they go
    THREADS_MAX = 64
};

/* The filling of a table that changed its size, by threads that take share after share. */
typedef struct {
    const Tt *tt;
    uint64_t share_count;
    int64_t until_ms;
    _Atomic uint64_t next; // share
} Takeover;

static void *work(void *argument)
{
    Takeover *const t = argument;
    for (uint64_t share = atomic_fetch_add(&t->next, 1);
         share < t->share_count && clock_ms() <= t->until_ms; share = atomic_fetch_add(&t->next, 1))
        tt_take_over(t->tt, share);
    return NULL;
}

void takeover_run(Tt *tt)
{
    Thread helpers[THREADS_MAX];
    Takeover t = {.tt = tt, .until_ms = clock_ms() + TIME_MS};
    const int processors = thread_hardware_count();
    int helping = 0;
    if (tt_shares_left(tt, &t.share_count) == 0)
        return;
    while (helping < THREADS_MAX && helping < processors - 1 &&
           thread_start(&helpers[helping], work, &t))
        helping++;
    work(&t);
    for (int i = 0; i < helping; i++)
        thread_join(&helpers[i]);
    tt_settle(tt);
}
