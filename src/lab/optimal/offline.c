// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/optimal/offline.h"

#include <stdlib.h>

/* --- MIN --- */

/* An entry is represented by the number of the operation that uses it next. A number that has
 * passed marks a free place. */
static bool min_in_buckets(const Trace *trace, TableShape shape, TraceGain *gain)
{
    const size_t ways = (size_t)shape.entries;
    uint32_t *const uses = calloc(shape.buckets * ways, sizeof *uses);
    if (uses == NULL)
        return false;
    for (uint32_t i = 0; i < trace->count; i++) {
        const TraceOp *const op = &trace->ops[i];
        uint32_t *const bucket = &uses[mulhi64(op->key, shape.buckets) * ways];
        bool is_hit = false;
        for (size_t w = 0; w < ways; w++)
            is_hit |= i > 0 && bucket[w] == i;
        if (is_hit)
            trace_count_hit(gain, op);
        const uint32_t next = trace_next_use(trace, i);
        if (next == TRACE_NONE || (!is_hit && !trace_may_enter(op)))
            continue;
        size_t victim = 0; // a free place, else the farthest use
        for (size_t w = 1; w < ways; w++)
            if (bucket[victim] > i && (bucket[w] <= i || bucket[w] > bucket[victim]))
                victim = w;
        if (bucket[victim] <= i || bucket[victim] > next)
            bucket[victim] = next;
    }
    free(uses);
    return true;
}

/* The entries of one large bucket: a binary heap of their next uses, the farthest first. Uses that
 * have passed stay at the bottom. */
typedef struct {
    uint32_t *heap, count;
    uint32_t live; // entries whose next use has not passed
    bool *is_held; // [i]: an entry is held for operation i
} UseHeap;

static void heap_push(UseHeap *uses, uint32_t use)
{
    uint32_t i = uses->count++;
    for (; i > 0 && uses->heap[(i - 1) / 2] < use; i = (i - 1) / 2)
        uses->heap[i] = uses->heap[(i - 1) / 2];
    uses->heap[i] = use;
    uses->is_held[use] = true;
    uses->live++;
}

static void heap_drop_farthest(UseHeap *uses)
{
    uses->is_held[uses->heap[0]] = false;
    uses->live--;
    const uint32_t last = uses->heap[--uses->count];
    uint32_t i = 0;
    for (uint32_t child = 1; child < uses->count; child = 2 * i + 1) {
        child += child + 1 < uses->count && uses->heap[child + 1] > uses->heap[child];
        if (uses->heap[child] <= last)
            break;
        uses->heap[i] = uses->heap[child];
        i = child;
    }
    uses->heap[i] = last;
}

static bool min_in_one(const Trace *trace, uint64_t entries, TraceGain *gain)
{
    UseHeap uses = {.heap = malloc(((size_t)trace->count + 1) * sizeof *uses.heap),
                    .is_held = calloc((size_t)trace->count + 1, sizeof *uses.is_held)};
    const bool is_good = uses.heap != NULL && uses.is_held != NULL;
    for (uint32_t i = 0; is_good && i < trace->count; i++) {
        const TraceOp *const op = &trace->ops[i];
        const bool is_hit = uses.is_held[i];
        if (is_hit) {
            trace_count_hit(gain, op);
            uses.live--;
        }
        const uint32_t next = trace_next_use(trace, i);
        if (next == TRACE_NONE || (!is_hit && !trace_may_enter(op)))
            continue;
        if (uses.live == entries && uses.heap[0] > next)
            heap_drop_farthest(&uses);
        if (uses.live < entries)
            heap_push(&uses, next);
    }
    free(uses.heap);
    free(uses.is_held);
    return is_good;
}

bool offline_min(const Trace *trace, TableShape shape, TraceGain *gain)
{
    *gain = (TraceGain){0};
    return shape.buckets == 1 ? min_in_one(trace, (uint64_t)shape.entries, gain)
                              : min_in_buckets(trace, shape, gain);
}

/* --- density --- */

/* A period of time, from one operation to a later one, in which an entry stays in the table. The
 * life of an entry is divided into periods of falling density: the upper convex hull of the nodes
 * saved as a function of time. A period can be chosen only together with those before it. */
typedef struct {
    uint32_t begin, end;
    uint64_t saved;  // nodes, by the uses in the period
    uint32_t before; // number of the period before, plus 1; 0: none
    uint32_t number; // index before sorting
} Period;

typedef struct {
    Period *periods;
    uint32_t count;
} Periods;

/* True when `a` saves at least as many nodes per time as `b`. */
static bool is_denser(const Period *a, const Period *b)
{
    return (double)a->saved * (b->end - b->begin) >= (double)b->saved * (a->end - a->begin);
}

/* Adds the periods of the entry that may enter at operation `first`. A period that is at least as
 * dense as the one before it is merged with that one, which gives the convex hull. */
static void add_life(Periods *list, const Trace *trace, uint32_t first)
{
    const uint32_t start = list->count;
    uint64_t waiting = 0; // nodes saved since `begin`
    uint32_t begin = first;
    for (uint32_t use = trace_next_use(trace, first); use != TRACE_NONE;
         use = trace_next_use(trace, use)) {
        waiting += trace->ops[use].nodes;
        if (waiting > 0) {
            Period period = {.begin = begin, .end = use, .saved = waiting};
            while (list->count > start && is_denser(&period, &list->periods[list->count - 1])) {
                const Period *const former = &list->periods[--list->count];
                period.begin = former->begin;
                period.saved += former->saved;
            }
            period.number = list->count;
            period.before = list->count > start ? list->count : 0;
            list->periods[list->count++] = period;
            begin = use;
            waiting = 0;
        }
        if (trace_may_enter(&trace->ops[use]))
            break;
    }
}

static int by_density(const void *a, const void *b)
{
    const Period *const x = a, *const y = b;
    const double left = (double)x->saved * (y->end - y->begin);
    const double right = (double)y->saved * (x->end - x->begin);
    if (left != right)
        return left > right ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

/* The number of entries held at each time, as a segment tree over the operations: a tree node has
 * the number held over its whole range, and the greatest number within its range. */
typedef struct {
    uint32_t *all, *most;
    uint32_t leaves; // a power of two
} Occupancy;

/* Adds `add` to the number of entries held in `period` and returns the greatest number in it, both
 * within tree node `node`, whose range is `low` to `high`. */
static uint32_t occupy(Occupancy *tree, uint32_t node, uint32_t low, uint32_t high,
                       const Period *period, uint32_t add)
{
    if (period->end <= low || high <= period->begin)
        return 0;
    if (period->begin <= low && high <= period->end) {
        tree->all[node] += add;
        tree->most[node] += add;
        return tree->most[node];
    }
    const uint32_t middle = low + (high - low) / 2;
    const uint32_t left = occupy(tree, 2 * node, low, middle, period, add);
    const uint32_t right = occupy(tree, 2 * node + 1, middle, high, period, add);
    const uint32_t *const most = tree->most;
    tree->most[node] = tree->all[node] +
                       (most[2 * node] > most[2 * node + 1] ? most[2 * node] : most[2 * node + 1]);
    return tree->all[node] + (left > right ? left : right);
}

/* Counts the uses in a period. */
static void count_period(const Trace *trace, const Period *period, TraceGain *gain)
{
    uint32_t use = period->begin;
    while (use != period->end) {
        use = trace_next_use(trace, use);
        trace_count_hit(gain, &trace->ops[use]);
    }
}

/* Accepts each period that still fits, in the order of the list. */
static void accept_periods(const Trace *trace, const Periods *list, Occupancy *tree,
                           uint64_t entries, bool *is_accepted, TraceGain *gain)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const Period *const period = &list->periods[i];
        if ((period->before != 0 && !is_accepted[period->before - 1]) ||
            occupy(tree, 1, 0, tree->leaves, period, 0) >= entries)
            continue;
        occupy(tree, 1, 0, tree->leaves, period, 1);
        is_accepted[period->number] = true;
        count_period(trace, period, gain);
    }
}

/* The fractional knapsack: periods in order, until their sum fills `room`, which is the number of
 * entries times that of operations. */
static uint64_t knapsack(const Periods *list, double room)
{
    double saved = 0;
    for (uint32_t i = 0; i < list->count && room > 0; i++) {
        const Period *const period = &list->periods[i];
        const double length = period->end - period->begin;
        saved += length <= room ? (double)period->saved : (double)period->saved * room / length;
        room -= length;
    }
    return (uint64_t)saved;
}

bool offline_density(const Trace *trace, uint64_t entries, TraceGain *gain, uint64_t *limit)
{
    *gain = (TraceGain){0};
    *limit = 0;
    Occupancy tree = {.leaves = 1};
    while (tree.leaves < trace->count)
        tree.leaves *= 2;
    Periods list = {.periods = malloc(((size_t)trace->count + 1) * sizeof(Period))};
    bool *const is_accepted = calloc((size_t)trace->count + 1, sizeof *is_accepted);
    tree.all = calloc(2 * (size_t)tree.leaves, sizeof *tree.all);
    tree.most = calloc(2 * (size_t)tree.leaves, sizeof *tree.most);
    const bool is_good =
        list.periods != NULL && is_accepted != NULL && tree.all != NULL && tree.most != NULL;
    if (is_good) {
        for (uint32_t i = 0; i < trace->count; i++)
            if (trace_may_enter(&trace->ops[i]))
                add_life(&list, trace, i);
        qsort(list.periods, list.count, sizeof(Period), by_density);
        accept_periods(trace, &list, &tree, entries, is_accepted, gain);
        *limit = knapsack(&list, (double)entries * trace->count);
    }
    free(list.periods);
    free(is_accepted);
    free(tree.all);
    free(tree.most);
    return is_good;
}
