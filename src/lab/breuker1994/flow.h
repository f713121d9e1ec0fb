// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The selection of entries that saves the most nodes, computed as a flow. */

#include "lab/breuker1994/offline.h"

/* Computes what the best selection is worth in a table of this shape, with few entries in a bucket.
 * False when memory is short. */
bool flow_optimum(const Trace *trace, TableShape shape, TraceGain *gain);
