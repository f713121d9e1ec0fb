// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/optimal/trace.h"

#include <stdlib.h>

#include "base/bits.h"

enum { FIRST_CAPACITY = 1 << 12, DEPTHS = 256 };

/* Returns the slot of `key` in the hash index, which must have a free slot. */
static uint32_t *find_last(const Trace *trace, Key key)
{
    const Key spread = key * GOLDEN_RATIO_64;
    uint32_t slot = (uint32_t)mulhi64(spread, trace->slot_count);
    while (trace->last[slot] != 0 && trace->ops[trace->last[slot] - 1].key != key)
        slot = slot + 1 == trace->slot_count ? 0 : slot + 1;
    return &trace->last[slot];
}

/* Doubles the hash index. False when memory is short. */
static bool grow_index(Trace *trace)
{
    Trace old = *trace;
    trace->slot_count = old.slot_count == 0 ? 2 * FIRST_CAPACITY : 2 * old.slot_count;
    trace->last = calloc(trace->slot_count, sizeof *trace->last);
    if (trace->last == NULL) {
        *trace = old;
        return false;
    }
    for (uint32_t i = 0; i < old.slot_count; i++)
        if (old.last[i] != 0)
            *find_last(trace, old.ops[old.last[i] - 1].key) = old.last[i];
    free(old.last);
    return true;
}

/* Makes room for one more operation. False when memory is short. */
static bool reserve(Trace *trace)
{
    if (2 * trace->key_count >= trace->slot_count && !grow_index(trace))
        return false;
    if (trace->count < trace->capacity)
        return true;
    if (trace->capacity > UINT32_MAX / 4)
        return false;
    const uint32_t capacity = trace->capacity == 0 ? FIRST_CAPACITY : 2 * trace->capacity;
    TraceOp *const ops = realloc(trace->ops, capacity * sizeof *ops);
    if (ops == NULL)
        return false;
    trace->ops = ops;
    trace->capacity = capacity;
    return true;
}

/* The store whose result is the entry of `probe`: the latest one from store `last` of its position
 * backwards with the same depth and bound. */
static uint32_t find_store(const Trace *trace, uint32_t last, const TraceProbe *probe)
{
    for (uint32_t i = last; probe->cut != BOUND_NONE; i = trace->ops[i].store) {
        const TraceOp *const op = &trace->ops[i];
        if (op->depth == probe->entry->depth && op->bound == (uint8_t)probe->entry->bound)
            return i;
        if (op->store == i)
            break;
    }
    return last;
}

/* Appends `op` and links the last operation of its position, if there is one, to it. */
static void append(Trace *trace, uint32_t *last, const TraceOp *op)
{
    if (*last != 0)
        trace->ops[*last - 1].next = trace->count;
    else
        trace->key_count++;
    trace->ops[trace->count++] = *op;
    *last = trace->count;
}

static uint32_t clamp_nodes(uint64_t nodes)
{
    return nodes < UINT32_MAX ? (uint32_t)nodes : UINT32_MAX;
}

void trace_store(Trace *trace, Key key, SearchPoint at, const TtData *result, uint64_t clock)
{
    if (trace->is_incomplete || !reserve(trace)) {
        trace->is_incomplete = true;
        return;
    }
    uint32_t *const last = find_last(trace, key);
    append(trace, last,
           &(TraceOp){.key = key,
                      .store = *last != 0 ? trace->ops[*last - 1].last_store : trace->count,
                      .last_store = trace->count,
                      .nodes = clamp_nodes(result->nodes),
                      .size = clamp_nodes(result->nodes),
                      .clock = clamp_nodes(clock),
                      .alpha = (int16_t)result->score,
                      .depth = (uint8_t)result->depth,
                      .bound = (uint8_t)result->bound,
                      .ply = (uint8_t)at.ply,
                      .rule50 = (uint8_t)at.rule50,
                      .is_store = true});
}

void trace_probe(Trace *trace, Key key, SearchPoint at, const TraceProbe *probe)
{
    if (trace->is_incomplete || !reserve(trace)) {
        trace->is_incomplete = true;
        return;
    }
    uint32_t *const last = find_last(trace, key);
    if (*last == 0)
        return;
    const bool cuts = probe->cut != BOUND_NONE;
    const uint32_t last_store = trace->ops[*last - 1].last_store;
    append(trace, last,
           &(TraceOp){.key = key,
                      .store = find_store(trace, last_store, probe),
                      .last_store = last_store,
                      .nodes = cuts ? clamp_nodes(probe->entry->nodes) : 0,
                      .clock = clamp_nodes(probe->clock),
                      .alpha = (int16_t)probe->window.alpha,
                      .beta = (int16_t)probe->window.beta,
                      .depth = (uint8_t)probe->depth,
                      .entry_depth = (uint8_t)(cuts ? probe->entry->depth : 0),
                      .bound = (uint8_t)probe->cut,
                      .ply = (uint8_t)at.ply,
                      .rule50 = (uint8_t)at.rule50});
}

/* Returns the first operation from `clock` nodes of the search on. */
static uint32_t first_from(const Trace *trace, uint32_t clock)
{
    uint32_t low = 0, high = trace->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (trace->ops[middle].clock < clock)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds to the size of each subtree the sizes of the entries that caused cutoffs in it, less one
 * node each. */
static void add_cutoff_sizes(Trace *trace)
{
    uint64_t *const before = malloc(((size_t)trace->count + 1) * sizeof *before);
    if (before == NULL) {
        trace->is_incomplete = true;
        return;
    }
    before[0] = 0; // [i]: sum of the cutoffs before operation i
    for (uint32_t i = 0; i < trace->count; i++) {
        TraceOp *const op = &trace->ops[i];
        const bool cuts = !op->is_store && op->bound != BOUND_NONE;
        if (op->is_store)
            op->size = clamp_nodes(op->nodes + before[i] -
                                   before[first_from(trace, op->clock - op->nodes + 1)]);
        before[i + 1] = before[i] + (cuts ? trace->ops[op->store].size - 1 : 0);
    }
    free(before);
}

void trace_finish(Trace *trace, double leaf_nodes)
{
    if (!trace->has_big_all_sizes)
        add_cutoff_sizes(trace);
    double sum[DEPTHS] = {leaf_nodes}, stores[DEPTHS] = {1};
    for (uint32_t i = 0; i < trace->count; i++) {
        const TraceOp *const op = &trace->ops[i];
        if (!op->is_store)
            continue;
        sum[op->depth] += op->nodes;
        stores[op->depth]++;
    }
    for (uint32_t i = 0; i < trace->count; i++) {
        TraceOp *const op = &trace->ops[i];
        const uint8_t need = op->depth, have = op->entry_depth;
        if (op->is_store || op->bound == BOUND_NONE)
            continue;
        double nodes = op->nodes;
        if (need != have && stores[need] > 0 && stores[have] > 0)
            nodes *= sum[need] / stores[need] / (sum[have] / stores[have]);
        op->nodes = nodes > 1 ? (uint32_t)(nodes - 0.5) : 0; // less one node, rounded
    }
}

void trace_free(Trace *trace)
{
    free(trace->ops);
    free(trace->last);
    *trace = (Trace){0};
}

TraceGain trace_total(const Trace *trace)
{
    TraceGain total = {.hits = trace_probes(trace)};
    for (uint32_t i = 0; i < trace->count; i++) {
        const TraceOp *const op = &trace->ops[i];
        if (op->is_store || op->bound == BOUND_NONE)
            continue;
        total.cutoffs++;
        total.saved += op->nodes;
    }
    return total;
}

uint64_t trace_probes(const Trace *trace)
{
    uint64_t probes = 0;
    for (uint32_t i = 0; i < trace->count; i++)
        probes += !trace->ops[i].is_store;
    return probes;
}
