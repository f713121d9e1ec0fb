// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/interrupt.h"

#include <signal.h>
#include <stdlib.h>

/* Global variables, because a signal handler gets no context pointer. */
static atomic_bool interrupted;
static atomic_int last_signal; // 0: none yet

#ifdef SIGHUP
static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
#else
static const int signals[] = {SIGINT, SIGTERM}; // Windows
#endif
enum { SIGNAL_NB = sizeof signals / sizeof signals[0] };

/* Sets the handler of a signal; an ignored one stays ignored. */
static void set_unless_ignored(int signal_number, void (*handler)(int))
{
    if (signal(signal_number, handler) == SIG_IGN)
        signal(signal_number, SIG_IGN);
}

static void give_back_all(void)
{
    for (int i = 0; i < SIGNAL_NB; i++)
        set_unless_ignored(signals[i], SIG_DFL);
}

static void handle(int signal_number)
{
    atomic_store_explicit(&last_signal, signal_number, memory_order_relaxed);
    atomic_store_explicit(&interrupted, true, memory_order_relaxed);
    give_back_all();
}

void interrupt_watch_unless_ignored(void)
{
    for (int i = 0; i < SIGNAL_NB; i++)
        set_unless_ignored(signals[i], handle);
}

const atomic_bool *interrupt_watch(void)
{
    atomic_store_explicit(&interrupted, false, memory_order_relaxed);
    interrupt_watch_unless_ignored(); // SIGHUP is ignored in a program that `nohup` has started
    signal(SIGINT, handle);
    signal(SIGTERM, handle);
    return &interrupted;
}

bool interrupt_pending(void)
{
    return interrupt_is_set(&interrupted);
}

bool interrupt_release(void)
{
    give_back_all();
    return atomic_exchange_explicit(&interrupted, false, memory_order_relaxed);
}

bool interrupt_is_from_keyboard(void)
{
    return atomic_load_explicit(&last_signal, memory_order_relaxed) == SIGINT;
}

void interrupt_end(void)
{
    raise(atomic_load_explicit(&last_signal, memory_order_relaxed));
    exit(EXIT_INTERRUPTED); // only if the signal is ignored
}
