// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The forward pass: from a position to its evaluation. Every vector path (simd.h) gives the same
 * integers as the plain reference. */

#include "nnue/accumulator.h"

/* Returns the evaluation of `pos` for the side to move, in internal units, not clamped to the range
 * of scores. Call accumulators_reset() first; for `ply` see accumulators_get(). */
int nnue_evaluate(Accumulators *all, const Position *pos, int ply);

/* The reference for tests: computes the formula in arch.h from scratch, in 64-bit integers. */
int nnue_evaluate_reference(const Network *network, const Position *pos);

/* Returns the name of the compiled vector path: "generic", "SSE2", "SSE4.1", "AVX2", "AVX-512",
 * "AVX-512 VNNI" or "NEON". */
const char *nnue_simd_name(void);
