// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/interrupt.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#endif

/* Global variables, because a signal handler gets no context pointer. */
static atomic_bool interrupted;
static atomic_int last_signal;    // 0: none yet
static atomic_bool from_keyboard; // for interrupt_take_keyboard()

#ifdef SIGHUP
static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
#else
static const int signals[] = {SIGINT, SIGTERM}; // Windows
#endif
enum { SIGNAL_NB = sizeof signals / sizeof signals[0] };

/* interrupt_watch() has watched a signal that the process ignored; interrupt_release() puts that
 * back. */
static bool was_ignored[SIGNAL_NB];

/* Sets the handler of a signal; an ignored one stays ignored. */
static void set_unless_ignored(int signal_number, void (*handler)(int))
{
    if (signal(signal_number, handler) == SIG_IGN)
        signal(signal_number, SIG_IGN);
}

static void handle(int signal_number);

#ifdef _WIN32
enum { CLOSING_MS = 10000 }; // longer than Windows waits before it ends the process

static atomic_bool watches_console, has_console_handler;

/* Called in a thread of its own for Ctrl-Break, and when the user closes the console, logs off or
 * shuts down: Windows then ends the process when this returns, or after 5 s. Ctrl-C is SIGINT. */
static BOOL WINAPI handle_console(DWORD event)
{
    if (event == CTRL_C_EVENT || !atomic_load(&watches_console))
        return FALSE;
    handle(SIGTERM);
    if (event != CTRL_BREAK_EVENT)
        Sleep(CLOSING_MS); // until the program has ended
    return TRUE;
}

/* The handler stays, because removing it would wait until it has returned. */
static void watch_console(bool is_watched)
{
    atomic_store(&watches_console, is_watched);
    if (is_watched && !atomic_exchange(&has_console_handler, true))
        SetConsoleCtrlHandler(handle_console, TRUE);
}
#else
static void watch_console(bool is_watched)
{
    (void)is_watched;
}
#endif

static void give_back_all(void)
{
    for (int i = 0; i < SIGNAL_NB; i++)
        set_unless_ignored(signals[i], SIG_DFL);
    watch_console(false);
}

static void handle(int signal_number)
{
    atomic_store_explicit(&last_signal, signal_number, memory_order_relaxed);
    atomic_store_explicit(&interrupted, true, memory_order_relaxed);
    if (signal_number == SIGINT)
        atomic_store_explicit(&from_keyboard, true, memory_order_relaxed);
    give_back_all();
}

void interrupt_watch_unless_ignored(void)
{
    for (int i = 0; i < SIGNAL_NB; i++)
        set_unless_ignored(signals[i], handle);
    watch_console(true);
}

const atomic_bool *interrupt_watch(void)
{
    atomic_store_explicit(&interrupted, false, memory_order_relaxed);
    atomic_store_explicit(&from_keyboard, false, memory_order_relaxed); // of an earlier command
    interrupt_watch_unless_ignored(); // SIGHUP is ignored in a program that `nohup` has started
    for (int i = 0; i < SIGNAL_NB; i++)
        if (signals[i] == SIGINT || signals[i] == SIGTERM)
            was_ignored[i] |= signal(signals[i], handle) == SIG_IGN;
    return &interrupted;
}

bool interrupt_pending(void)
{
    return interrupt_is_set(&interrupted);
}

bool interrupt_release(void)
{
    give_back_all();
    for (int i = 0; i < SIGNAL_NB; i++)
        if (was_ignored[i])
            signal(signals[i], SIG_IGN);
    memset(was_ignored, 0, sizeof was_ignored);
    return atomic_exchange_explicit(&interrupted, false, memory_order_relaxed);
}

bool interrupt_is_from_keyboard(void)
{
    return atomic_load_explicit(&last_signal, memory_order_relaxed) == SIGINT;
}

bool interrupt_take_keyboard(void)
{
    return atomic_exchange_explicit(&from_keyboard, false, memory_order_relaxed);
}

void interrupt_end(void)
{
    const int number = atomic_load_explicit(&last_signal, memory_order_relaxed);
    signal(number, SIG_DFL); // interrupt_release() may have put back that it is ignored
    raise(number);
    exit(EXIT_INTERRUPTED); // only if the signal is blocked
}
