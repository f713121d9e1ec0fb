// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/team.h"

#include "base/thread.h"

void team_run(int count, void *(*body)(void *), void *arg)
{
    Thread helpers[TEAM_HELPERS_MAX];
    int started = 0;
    while (started < count - 1 && started < TEAM_HELPERS_MAX &&
           thread_start(&helpers[started], body, arg))
        started++;
    body(arg);
    while (started > 0)
        thread_join(&helpers[--started]);
}
