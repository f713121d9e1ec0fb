// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The static evaluation the search calls: a seam, behind which stands a network or, to make the
 * games of generation 0, bootstrap.h. */

#include "chess/position.h"
#include "eval/score.h"
#include "nnue/accumulator.h"

/* Where evaluations come from: exactly one of the two is set. Read by all threads, changed by none
 * while a search runs. */
typedef struct {
    const Network *network;
    Score (*bootstrap)(const Position *pos);
} EvalSource;

/* One thread's means to evaluate. Set up by eval_prepare(). */
typedef struct {
    const EvalSource *source;
    Accumulators accumulators;
} Evaluator;

/* Makes `evaluator` ready for `source`; again whenever what is in `source` has changed. */
void eval_prepare(Evaluator *evaluator, const EvalSource *source);

/* Raw evaluation from the side to move's view: before corrections and fifty-move scaling, as the
 * table stores it. The position must not be in check. `ply` helps to find it fast. */
Score eval_raw(Evaluator *evaluator, const Position *pos, int ply);

/* The same without an evaluator, slowly. */
Score eval_plainly(const EvalSource *source, const Position *pos);

/* The raw value drawn towards 0 as the fifty-move counter runs. */
Score eval_scale_rule50(Score raw, int rule50);

/* A number that tells sources apart: what is kept of their evaluations carries it. Slow: it reads a
 * whole network. */
uint64_t eval_fingerprint(const EvalSource *source);

/* Half of it, where room is dear. */
uint32_t eval_fingerprint_short(const EvalSource *source);
