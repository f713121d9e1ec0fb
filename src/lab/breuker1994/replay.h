// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Replays a trace (trace.h) on a transposition table under its replacement scheme. */

#include "lab/breuker1994/trace.h"

/* Offers all operations of a finished trace to `tt`, an empty table without refresh, and returns
 * what the table is worth. When a cutoff of the recorded search is missed, the table is offered the
 * same result again (trace_may_enter()). */
TraceGain replay_scheme(const Trace *trace, Tt *tt);
