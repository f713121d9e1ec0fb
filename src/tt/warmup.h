// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Touches the memory of an empty table, so that the system maps it now and not during a
 * search, where 32 MiB take 5 to 60 ms. */

#include "tt/tt.h"

/* Touches what was not touched since the table was cleared, with as many as `threads` threads, for
 * at most `ms` milliseconds. Does nothing when that exceeds 7/8 of the available memory. No other
 * thread may use the table. */
void tt_warm_up(Tt *tt, int threads, int64_t ms);
