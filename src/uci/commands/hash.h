// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The command `hash`: inspects the transposition table without changing it. Its subcommands for
 * files call hash_files.h. */

#include "uci/session.h"

/* Appends one line for each entry of `pos`, or "Table: no entry". No search may be running. */
void hash_describe(Session *session, const Position *pos, StrBuf *buf);
