// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The command `hash`: looks into the transposition table, which leave it as it is, and files of it
 * (hashfile_command.h). */

#include "uci/session.h"

/* Appends a line for each entry of `pos`, or one that says there is none. No search may be running.
 */
void hash_describe(Session *session, const Position *pos, Block *block);

/* Carries out `hash` and its arguments, the first of which says what is to be looked at. */
void hash_command_run(Session *session, char *arguments);
