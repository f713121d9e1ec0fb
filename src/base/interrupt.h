// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Orderly end on Ctrl-C: the first SIGINT, SIGTERM or SIGHUP (the terminal was closed) sets a flag,
 * the second signal ends the process. On Windows, Ctrl-Break and the end of the console count as
 * SIGTERM; also the end of the user's session, of which Windows informs only console programs that
 * have not loaded user32.dll. */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Exit status of a program that ended because of such a signal. */
enum { EXIT_INTERRUPTED = 130 };

/* Installs the signal handlers and clears the flag. Returns the flag, which becomes true at the
 * first signal. An ignored SIGHUP stays ignored. */
const atomic_bool *interrupt_watch(void);

/* The same, but a signal that the process ignores stays ignored, as in a program that a shell
 * script starts in the background; and a flag that is set stays set. */
void interrupt_watch_unless_ignored(void);

/* True after the first signal. May be called from any thread. */
bool interrupt_pending(void);

/* Whether `flag` is set, that of interrupt_watch() or another flag that stops some work. NULL:
 * never. */
static inline bool interrupt_is_set(const atomic_bool *flag)
{
    return flag != NULL && atomic_load_explicit(flag, memory_order_relaxed);
}

/* Gives the signals back to the system: the next one ends the process, or is ignored if it was so
 * before interrupt_watch(). Clears the flag and returns its last value. */
bool interrupt_release(void);

/* Whether the last signal was SIGINT: Ctrl-C, by which a user ends a command rather than the
 * program. */
bool interrupt_is_from_keyboard(void);

/* Whether SIGINT has come since the last call of this function. */
bool interrupt_take_keyboard(void);

/* After a signal and interrupt_release(): ends the process by this signal, so that its parent sees
 * the usual status. */
_Noreturn void interrupt_end(void);
