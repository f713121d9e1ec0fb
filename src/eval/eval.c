// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/eval.h"

#include <assert.h>

#include "nnue/forward.h"
#include "nnue/network.h"

static_assert(MAX_PLY < (int)ACCUMULATOR_PLIES, "an accumulator for each ply of the search");

enum { RULE50_PLIES = 100, RULE50_SCALE = 2 * RULE50_PLIES }; // half remains at 100 plies

void eval_prepare(Evaluator *evaluator, const EvalSource *source)
{
    evaluator->source = source;
    if (source->network != NULL)
        accumulators_reset(&evaluator->accumulators, source->network);
}

Score eval_raw(Evaluator *evaluator, const Position *pos, int ply)
{
    const EvalSource *const source = evaluator->source;
    const Score value = source->network != NULL ? nnue_evaluate(&evaluator->accumulators, pos, ply)
                                                : source->bootstrap(pos);
    return score_clamp_eval(value);
}

Score eval_from_scratch(const EvalSource *source, const Position *pos)
{
    return score_clamp_eval(source->network != NULL ? nnue_evaluate_reference(source->network, pos)
                                                    : source->bootstrap(pos));
}

Score eval_scale_rule50(Score raw, int rule50)
{
    const int plies = rule50 < RULE50_PLIES ? rule50 : RULE50_PLIES;
    return raw * (RULE50_SCALE - plies) / RULE50_SCALE;
}

uint64_t eval_fingerprint(const EvalSource *source)
{
    const uint64_t bootstrap = UINT64_C(1) << 32; // a constant: this evaluation never changes
    return source->network != NULL ? network_fingerprint(source->network) : bootstrap;
}

uint32_t eval_fingerprint_short(const EvalSource *source)
{
    return (uint32_t)(eval_fingerprint(source) >> 32);
}
