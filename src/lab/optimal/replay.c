// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/optimal/replay.h"

static SearchPoint point_of(const TraceOp *op)
{
    return (SearchPoint){.ply = op->ply, .rule50 = op->rule50};
}

static void store(Tt *tt, const TraceOp *op, TtStats *stats)
{
    const TtData result = {.move = MOVE_NONE,
                           .score = op->alpha,
                           .eval = SCORE_NONE,
                           .depth = op->depth,
                           .bound = (Bound)op->bound,
                           .nodes = tt->replacement == REPLACE_BIG_ALL ? op->size : op->nodes};
    tt_store(tt, op->key, point_of(op), &result, stats);
}

/* Whether `count` entries give a cutoff to the probe `op`. */
static bool gives_cutoff(const TtData *found, int count, const TraceOp *op)
{
    const TableBounds bounds = tablecut_bounds(found, count, op->depth, false);
    Score unused;
    return tablecut_kind(&bounds, (Window){op->alpha, op->beta}, &unused) != BOUND_NONE;
}

/* Probes the table and adds what it finds to `*gain`. Returns true when it gives a cutoff. */
static bool probe(const Trace *trace, Tt *tt, const TraceOp *op, TraceGain *gain, TtStats *stats)
{
    TtData found[2];
    const int count = tt_probe(tt, op->key, point_of(op), found, stats);
    gain->hits += count > 0;
    if (!trace->one_entry_cuts)
        return gives_cutoff(found, count, op);
    bool is_cut = false;
    for (int i = 0; i < count; i++)
        is_cut |= gives_cutoff(&found[i], 1, op);
    return is_cut;
}

TraceGain replay_scheme(const Trace *trace, Tt *tt)
{
    TraceGain gain = {0};
    TtStats stats = {0};
    for (uint32_t i = 0; i < trace->count; i++) {
        const TraceOp *const op = &trace->ops[i];
        if (op->is_store) {
            store(tt, op, &stats);
        } else if (probe(trace, tt, op, &gain, &stats)) {
            gain.cutoffs += op->bound != BOUND_NONE;
            gain.saved += op->nodes;
        } else if (trace_may_enter(op)) {
            store(tt, &trace->ops[op->store], &stats);
        }
    }
    return gain;
}
