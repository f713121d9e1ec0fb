// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Being told to stop: the first SIGINT or SIGTERM asks for an orderly end, the second ends the
 * process. */

#include <stdatomic.h>
#include <stdbool.h>

/* Takes the two signals over; those that came before are forgotten. Returns what becomes true. */
const atomic_bool *interrupt_watch(void);

/* True once one of them came. Any thread. */
bool interrupt_pending(void);
