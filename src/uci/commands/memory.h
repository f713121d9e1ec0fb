// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The command `memory` and its subcommands: inspect and edit the learned positions. */

#include "uci/session.h"

/* Applies changed options of position learning: opens or reads the file and prints the result. Does
 * nothing during a search. Command thread only. */
void memory_apply(Session *session);

/* Waits until all learned positions are written, at most ten seconds, and prints errors. */
void memory_flush(Session *session);

/* Prints an error of the background writer, once. */
void memory_print_error(Session *session);
