// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Records the trace (trace.h) of a search of the playing engine, one thread. The search uses a
 * table by proxy (tt/table.h), which records each probe and store and then asks the table of the
 * caller. A judge (node.h) tells which probes gave a cutoff, and what it saved. So the engine's own
 * probe and store contain nothing for the laboratory.
 *
 * Bare evaluations are stored, but not recorded: they never displace a result with a bound, and
 * they save time, but no nodes. So a hit is a probe that finds a result with a bound. */

#include "engine/single.h"
#include "lab/optimal/trace.h"

typedef struct {
    SingleResult search;
    uint64_t probes;        // all, also of positions that were never stored
    uint64_t hits, cutoffs; // of these, as the search had them
} Recording;

/* Searches `root` to `depth` plies with the table `tt`, which must be empty, and writes the
 * finished trace to `trace`, which must be zero or cleared. The sizes for BigAll are computed
 * afterwards; under REPLACE_BIG_ALL, `tt` gets the sizes of Big1, and the trace repeats them. False
 * when memory is short. */
bool record_search(const EvalSource *source, const Position *root, int depth, Tt *tt, Trace *trace,
                   Recording *recording);
