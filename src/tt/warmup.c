// SPDX-License-Identifier: GPL-3.0-or-later
#include "tt/warmup.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/team.h"
#include "base/thread.h"

enum { THREADS_MAX = 16 };

/* Shared by the threads of tt_warm_up(). Each thread touches one part after the other. */
typedef struct {
    Tt *tt;
    Mutex mutex; // guards `tt`
    int64_t until_ms;
} Team;

/* The next part to touch; none when the time is over. */
static TtPart take_part(Team *team)
{
    mutex_lock(&team->mutex);
    const bool goes_on = clock_ms() < team->until_ms;
    const TtPart part = goes_on ? tt_take_untouched(team->tt) : (TtPart){.bytes = 0};
    mutex_unlock(&team->mutex);
    return part;
}

static void *touch_parts(void *argument)
{
    for (TtPart part = take_part(argument); part.bytes > 0; part = take_part(argument))
        mem_touch(part.start, part.bytes);
    return NULL;
}

void tt_warm_up(Tt *tt, int threads, int64_t ms)
{
    const size_t left = tt->bytes - tt->touched;
    if (left == 0 || left > mem_available() / 8 * 7)
        return;
    Team team = {.tt = tt, .until_ms = clock_ms() + ms};
    const size_t parts = (left + TT_PART_BYTES - 1) / TT_PART_BYTES;
    const int most = parts < THREADS_MAX ? (int)parts : THREADS_MAX;
    const int cores = thread_hardware_count(), count = threads < cores ? threads : cores;
    mutex_init(&team.mutex);
    team_run(count < most ? count : most, touch_parts, &team);
    mutex_destroy(&team.mutex);
}
