// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* `hash live`: the table and the progress of a running search, for programs that show how the table
 * fills. It looks at a sample of the table and at the first two plies, so it takes a millisecond or
 * two for a table of any size. */

#include "uci/session.h"

/* Appends the object. A search may be running. */
void hash_live(Session *session, char *arguments, StrBuf *buf);
