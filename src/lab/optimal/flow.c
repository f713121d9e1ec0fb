// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/optimal/flow.h"

#include <stdlib.h>

/* A maximum-cost flow, as Arkin and Silverberg (1987) scheduled jobs of fixed times on several
 * machines. Each place of a bucket is a unit of flow through time, from operation to operation. It
 * is idle, or it holds a position. While it holds one, it gains the nodes that the uses of that
 * position save.
 *
 * Each operation t has a node "idle", with an arc to the idle node of t + 1. A use t also has a
 * node "held". An arc that is worth the nodes saved leads to it from the operation of the same
 * position before it; another arc leads from it to the idle node of t. Units are added one by one,
 * each along the most profitable path; such a path may also push back earlier units. Profits are
 * found by alternating forward and backward passes over time until nothing changes (Bellman 1958).
 */

/* How the best path to a node arrives. */
typedef enum {
    FROM_NOTHING,
    FROM_IDLE_BEFORE, // idle: from the idle node of t - 1
    FROM_IDLE_AFTER,  // idle: pushes a unit back from the idle node of t + 1
    FROM_HELD,        // idle: from the held node of t, the holding ends
    FROM_NEXT_HELD,   // pushes a unit back that went on to the next held node
    FROM_ORIGIN,      // held: along the arc with the nodes saved
    FROM_IDLE         // held: pushes back a unit that ended here
} Arrival;

typedef struct {
    const TraceOp *op;
    uint32_t number;          // in the trace
    uint32_t origin, next;    // held node: where its arc comes from; next use
    bool is_use;              // has a held node
    bool starts;              // the arc to the next held node comes from the idle node
    bool is_held;             // flow arrives at the held node
    int idle_flow;            // units from the idle node of t - 1
    int64_t idle, held;       // profit of the best path to the node
    uint8_t to_idle, to_held; // Arrival
} Step;

typedef struct {
    Step *steps;
    uint32_t count;
} Bucket;

#define UNREACHED INT64_MIN

static bool improve(int64_t *profit, uint8_t *arrival, int64_t from, int64_t gain, Arrival way)
{
    if (from == UNREACHED || from + gain <= *profit)
        return false;
    *profit = from + gain;
    *arrival = (uint8_t)way;
    return true;
}

/* Whether the flow at held node `t` goes on to the next held node. */
static bool goes_on(const Bucket *b, const Step *step)
{
    return step->next != TRACE_NONE && !step->starts && b->steps[step->next].is_held;
}

static bool ends_here(const Bucket *b, const Step *step)
{
    return step->is_held && !goes_on(b, step);
}

static bool pass_forward(Bucket *b)
{
    bool has_changed = false;
    for (uint32_t t = 0; t < b->count; t++) {
        Step *const s = &b->steps[t];
        if (t > 0)
            has_changed |= improve(&s->idle, &s->to_idle, s[-1].idle, 0, FROM_IDLE_BEFORE);
        if (!s->is_use)
            continue;
        const Step *const origin = &b->steps[s->origin];
        if (!s->is_held)
            has_changed |=
                improve(&s->held, &s->to_held, origin->starts ? origin->idle : origin->held,
                        s->op->nodes, FROM_ORIGIN);
        if (ends_here(b, s))
            has_changed |= improve(&s->held, &s->to_held, s->idle, 0, FROM_IDLE);
        else
            has_changed |= improve(&s->idle, &s->to_idle, s->held, 0, FROM_HELD);
    }
    return has_changed;
}

static bool pass_backward(Bucket *b)
{
    bool has_changed = false;
    for (uint32_t t = b->count; t-- > 0;) {
        Step *const s = &b->steps[t];
        if (s->is_use && s->is_held) {
            Step *const origin = &b->steps[s->origin];
            const int64_t gain = -(int64_t)s->op->nodes;
            has_changed |=
                origin->starts
                    ? improve(&origin->idle, &origin->to_idle, s->held, gain, FROM_NEXT_HELD)
                    : improve(&origin->held, &origin->to_held, s->held, gain, FROM_NEXT_HELD);
        }
        if (t > 0 && s->idle_flow > 0)
            has_changed |= improve(&s[-1].idle, &s[-1].to_idle, s->idle, 0, FROM_IDLE_AFTER);
    }
    return has_changed;
}

/* Steps back along the best path from the idle or held node of `*t`, and changes the flow. */
static void step_back(Bucket *b, uint32_t *t, bool *is_at_held)
{
    Step *const s = &b->steps[*t];
    switch ((Arrival)(*is_at_held ? s->to_held : s->to_idle)) {
    case FROM_IDLE_BEFORE:
        s->idle_flow++;
        (*t)--;
        break;
    case FROM_IDLE_AFTER:
        s[1].idle_flow--;
        (*t)++;
        break;
    case FROM_HELD: *is_at_held = true; break;
    case FROM_IDLE: *is_at_held = false; break;
    case FROM_ORIGIN:
        s->is_held = true;
        *t = s->origin;
        *is_at_held = !b->steps[s->origin].starts;
        break;
    case FROM_NEXT_HELD:
        b->steps[s->next].is_held = false;
        *t = s->next;
        *is_at_held = true;
        break;
    case FROM_NOTHING: break;
    }
}

/* Sends one more unit through the bucket. False when it saves nothing. */
static bool add_unit(Bucket *b)
{
    for (uint32_t t = 0; t < b->count; t++) {
        b->steps[t].idle = b->steps[t].held = UNREACHED;
        b->steps[t].to_idle = b->steps[t].to_held = FROM_NOTHING;
    }
    b->steps[0].idle = 0;
    while (pass_forward(b) && pass_backward(b)) {
    }
    uint32_t t = b->count - 1;
    if (b->steps[t].idle <= 0)
        return false;
    for (bool is_at_held = false; t > 0 || is_at_held;)
        step_back(b, &t, &is_at_held);
    return true;
}

/* Fills in the steps of a bucket, whose operations are set. `place` maps operations of the trace to
 * steps. */
static void link_steps(Bucket *b, const Trace *trace, uint32_t *place)
{
    for (uint32_t t = 0; t < b->count; t++)
        place[b->steps[t].number] = t;
    for (uint32_t t = 0; t < b->count; t++) {
        Step *const s = &b->steps[t];
        const uint32_t next = trace_next_use(trace, s->number);
        s->starts = trace_may_enter(s->op);
        s->next = next == TRACE_NONE ? TRACE_NONE : place[next];
        if (next != TRACE_NONE) {
            b->steps[s->next].origin = t;
            b->steps[s->next].is_use = true;
        }
    }
}

static void solve(Bucket *b, const Trace *trace, int entries, uint32_t *place, TraceGain *gain)
{
    link_steps(b, trace, place);
    for (int unit = 0; unit < entries && add_unit(b); unit++) {
    }
    for (uint32_t t = 0; t < b->count; t++) {
        if (b->steps[t].is_held)
            trace_count_hit(gain, b->steps[t].op);
    }
}

/* Writes the operations of the trace to `steps`, sorted by bucket. `ends` (buckets + 1 elements,
 * zero) gets the end of each bucket. */
static void sort_steps(const Trace *trace, uint64_t buckets, Step *steps, uint32_t *ends)
{
    for (uint32_t i = 0; i < trace->count; i++)
        ends[mulhi64(trace->ops[i].key, buckets) + 1]++;
    for (uint64_t b = 1; b <= buckets; b++)
        ends[b] += ends[b - 1];
    for (uint32_t i = 0; i < trace->count; i++) {
        const TraceOp *const op = &trace->ops[i];
        steps[ends[mulhi64(op->key, buckets)]++] = (Step){.op = op, .number = i};
    }
}

bool flow_optimum(const Trace *trace, TableShape shape, TraceGain *gain)
{
    *gain = (TraceGain){0};
    Step *const steps = malloc(((size_t)trace->count + 1) * sizeof *steps);
    uint32_t *const ends = calloc((size_t)shape.buckets + 1, sizeof *ends);
    uint32_t *const place = malloc(((size_t)trace->count + 1) * sizeof *place);
    const bool is_good = steps != NULL && ends != NULL && place != NULL;
    if (is_good) {
        sort_steps(trace, shape.buckets, steps, ends);
        uint32_t begin = 0;
        for (uint64_t i = 0; i < shape.buckets; i++) {
            Bucket bucket = {.steps = steps + begin, .count = ends[i] - begin};
            if (bucket.count > 0)
                solve(&bucket, trace, shape.entries, place, gain);
            begin = ends[i];
        }
    }
    free(steps);
    free(ends);
    free(place);
    return is_good;
}
