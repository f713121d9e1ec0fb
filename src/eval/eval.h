// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The static evaluation that the search calls. A network computes it. In a program without a
 * network (generation 0), bootstrap.c computes it. */

#include "chess/position.h"
#include "eval/score.h"
#include "nnue/accumulator.h"

/* The source of evaluations; exactly one of the two is set. All threads read it, so it must not
 * change while a search runs. */
typedef struct {
    const Network *network;
    Score (*bootstrap)(const Position *pos);
} EvalSource;

/* The evaluation state of one thread; eval_prepare() sets it up. It is large, see Accumulators. */
typedef struct {
    const EvalSource *source;
    Accumulators accumulators;
} Evaluator;

/* Prepares `evaluator` for `source`, which must outlive it. Call this again after every change of
 * `source`. */
void eval_prepare(Evaluator *evaluator, const EvalSource *source);

/* Returns the raw evaluation for the side to move, before corrections and fifty-move scaling; the
 * transposition table stores this value. The side to move must not be in check. `ply`
 * (0..MAX_PLY) affects only the speed, see accumulators_get(). */
Score eval_raw(Evaluator *evaluator, const Position *pos, int ply);

/* Returns the same value as eval_raw(), computed without an Evaluator. Slow. */
Score eval_from_scratch(const EvalSource *source, const Position *pos);

/* Returns `raw` reduced towards 0 by the fifty-move counter: by half when the counter is 100. */
Score eval_scale_rule50(Score raw, int rule50);

/* Returns a number that identifies the source. Files that store evaluations also store this number.
 * Slow: it reads the whole network. */
uint64_t eval_fingerprint(const EvalSource *source);

/* The upper 32 bits of eval_fingerprint(). */
uint32_t eval_fingerprint_short(const EvalSource *source);
