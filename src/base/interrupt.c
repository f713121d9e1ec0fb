// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/interrupt.h"

#include <signal.h>

/* A global variable, because a signal handler gets no context pointer. */
static atomic_bool interrupted;

static void handle(int signal_number)
{
    (void)signal_number;
    atomic_store_explicit(&interrupted, true, memory_order_relaxed);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
}

const atomic_bool *interrupt_watch(void)
{
    atomic_store_explicit(&interrupted, false, memory_order_relaxed);
    signal(SIGINT, handle);
    signal(SIGTERM, handle);
    return &interrupted;
}

bool interrupt_pending(void)
{
    return interrupt_is_set(&interrupted);
}

void interrupt_release(void)
{
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    atomic_store_explicit(&interrupted, false, memory_order_relaxed);
}
