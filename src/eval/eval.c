// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/eval.h"

#include "nnue/forward.h"
#include "nnue/network.h"

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

Score eval_plainly(const EvalSource *source, const Position *pos)
{
    return score_clamp_eval(source->network != NULL ? nnue_evaluate_plainly(source->network, pos)
                                                    : source->bootstrap(pos));
}

Score eval_scale_rule50(Score raw, int rule50)
{
    return raw * (200 - (rule50 < 100 ? rule50 : 100)) / 200;
}

uint64_t eval_fingerprint(const EvalSource *source)
{
    const uint64_t bootstrap = UINT64_C(1) << 32; // its rules are frozen
    return source->network != NULL ? network_fingerprint(source->network) : bootstrap;
}

uint32_t eval_fingerprint_short(const EvalSource *source)
{
    return (uint32_t)(eval_fingerprint(source) >> 32);
}
