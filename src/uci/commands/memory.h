// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The command `memory` and its subcommands: looking into the long memory and mending it. */

#include "uci/session.h"

/* Opens or reads again what the options ask for, and says what came of it. Does nothing while a
 * search runs. The command thread's. */
void memory_apply(Session *session);

/* Waits a while for what was learned to be in the file, and tells what went wrong. */
void memory_flush(Session *session);

/* Tells what went wrong behind the user's back, once. */
void memory_print_error(Session *session);
