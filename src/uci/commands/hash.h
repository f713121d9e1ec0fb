// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The command `hash`: looks into the transposition table, which leave it as it is, and files of it
 * (hashfile_command.h). */

#include "uci/session.h"

/* Appends a line for each entry of `pos`, or one that says there is none. No search may be running.
 */
void hash_describe(Session *session, const Position *pos, Block *block);
