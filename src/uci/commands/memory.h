// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The command `memory` and its subcommands: looking into the long memory and mending it. */

#include "uci/session.h"

/* Carries out the subcommand that the arguments begin with. No search is running. */
void memory_command_run(Session *session, char *arguments);

/* Opens or reads again what the options ask for, and says what came of it. Does nothing while a
 * search runs. The command thread's. */
void memory_command_settle(Session *session);

/* Waits a while for what was learned to be in the file, and tells what went wrong. */
void memory_command_await(Session *session);

/* Tells what went wrong behind the user's back, once. */
void memory_command_tell(Session *session);
