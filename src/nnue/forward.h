// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* From hidden layer to evaluation. The vector paths (simd.h) give the integers of the plain one. */

#include "nnue/accumulator.h"

/* The evaluation of `pos` from the side to move's view in internal units, not bounded; `ply` is a
 * hint, see accumulators_get(). `all` was reset with a network. */
int nnue_evaluate(Accumulators *all, const Position *pos, int ply);

/* The same from the definition in arch.h, from scratch in plain 64-bit arithmetic: what the fast
 * path is tested against. */
int nnue_evaluate_plainly(const Network *network, const Position *pos);

/* Which vector path was compiled in: "scalar", "SSE4.1", "AVX2", "AVX-512", "AVX-512 VNNI", "NEON".
 */
const char *nnue_simd_name(void);
