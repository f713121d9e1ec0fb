// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Replays a trace (trace.h) on a transposition table under its replacement scheme. */

#include "lab/optimal/trace.h"

/* Repeats all operations of a finished trace on `tt`, an empty table without refresh, and returns
 * what the table is worth. If a cutoff of the recorded search is missed, the same result is stored
 * again where trace_may_enter() allows it. */
TraceGain replay_scheme(const Trace *trace, Tt *tt);
