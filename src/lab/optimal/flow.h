// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The selection of entries that saves the most nodes, computed exactly as a maximum-cost flow. */

#include "lab/optimal/offline.h"

/* Computes what the best selection is worth in a table of this shape. The time grows with the
 * number of entries in a bucket: for one or two. False when memory is short. */
bool flow_optimum(const Trace *trace, TableShape shape, TraceGain *gain);
