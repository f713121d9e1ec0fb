// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/interrupt.h"

#include <signal.h>
#include <stdlib.h>

/* Global variables, because a signal handler gets no context pointer. */
static atomic_bool interrupted;
static atomic_int last_signal; // 0: none yet

/* Gives the signal back to the system; an ignored one stays ignored. */
static void give_back(int signal_number)
{
    if (signal(signal_number, SIG_DFL) == SIG_IGN)
        signal(signal_number, SIG_IGN);
}

static void handle(int signal_number)
{
    atomic_store_explicit(&last_signal, signal_number, memory_order_relaxed);
    atomic_store_explicit(&interrupted, true, memory_order_relaxed);
    give_back(SIGINT);
    give_back(SIGTERM);
}

const atomic_bool *interrupt_watch(void)
{
    atomic_store_explicit(&interrupted, false, memory_order_relaxed);
    signal(SIGINT, handle);
    signal(SIGTERM, handle);
    return &interrupted;
}

void interrupt_watch_unless_ignored(void)
{
    const int signals[] = {SIGINT, SIGTERM};
    for (int i = 0; i < 2; i++)
        if (signal(signals[i], handle) == SIG_IGN)
            signal(signals[i], SIG_IGN);
}

bool interrupt_pending(void)
{
    return interrupt_is_set(&interrupted);
}

bool interrupt_release(void)
{
    give_back(SIGINT);
    give_back(SIGTERM);
    return atomic_exchange_explicit(&interrupted, false, memory_order_relaxed);
}

void interrupt_end(void)
{
    raise(atomic_load_explicit(&last_signal, memory_order_relaxed));
    exit(EXIT_INTERRUPTED); // only if the signal is ignored
}
