// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The trace of a search: its stores and probes of the transposition table, in order. A replay
 * (replay.h) repeats them on a table under any replacement scheme; offline.h and flow.h compute
 * what the best choice of entries would save. Probes of positions that were not stored before are
 * not recorded, because they find nothing in any table. */

#include "lab/breuker1994/tablecut.h"

enum { TRACE_NONE = 0 }; // no next operation: operation 0 is a store, never the next of another

typedef struct {
    Key key;
    uint32_t next;  // the next operation of the same position, or TRACE_NONE
    uint32_t store; // of a probe with a cutoff: the store of the entry that caused it; of another
                    // probe: the position's last store; of a store: the position's store before it,
                    // or itself
    uint32_t last_store; // of its position; of a store: itself
    uint32_t nodes;      // of a store: size of the subtree; of a probe: nodes that its cutoff saved
    uint32_t size;       // of a store: size of the subtree for BigAll, with the subtrees of cutoffs
    uint32_t clock;      // nodes of the search so far
    int16_t alpha;       // of a probe: the window; of a store: the score, as the search saw it
    int16_t beta;
    uint8_t depth;       // of a store: that of the result; of a probe: that it needs
    uint8_t entry_depth; // of a probe: depth of the entry that caused the cutoff
    uint8_t bound;       // of a store: that of the result; of a probe: kind of the cutoff, or
                         // BOUND_NONE
    uint8_t ply, rule50; // of the search, see SearchPoint
    bool is_store;
} TraceOp;

typedef struct {
    TraceOp *ops;
    uint32_t count, capacity;
    uint32_t *last; // hash index by key: the last operation of a position plus 1; 0: free
    uint32_t slot_count, key_count;
    bool has_big_all_sizes; // set by the caller: the recorded sizes include those of cutoffs
    bool one_entry_cuts;    // set by the caller: an entry causes a cutoff alone, as in the playing
                            // engine; else two entries may do so together, as in ALIBABA
    bool is_incomplete;     // memory was short: the rest of the search is not recorded
} Trace;

/* What a table, or a selection of entries, is worth on a trace. */
typedef struct {
    uint64_t hits;    // probes that find an entry
    uint64_t cutoffs; // cutoffs of the recorded search that it also gives
    uint64_t saved;   // nodes that these save
} TraceGain;

/* Appends a store of `result`, after `clock` nodes of the search. */
void trace_store(Trace *trace, Key key, SearchPoint at, const TtData *result, uint64_t clock);

/* What a probe needs and finds. */
typedef struct {
    int depth; // that it needs
    Window window;
    Bound cut;           // kind of the cutoff, or BOUND_NONE
    const TtData *entry; // that caused the cutoff; may be NULL without one
    uint64_t clock;      // nodes of the search so far
} TraceProbe;

/* Appends a probe, unless its position was not stored before. */
void trace_probe(Trace *trace, Key key, SearchPoint at, const TraceProbe *probe);

/* Completes the trace: replaces the subtree sizes of cutoffs by the nodes saved. An entry of the
 * depth needed saves its subtree less one node. The subtree of a deeper entry is first scaled down,
 * by the average subtree of the depth needed divided by that of the entry's depth. `leaf_nodes` is
 * the average size of a quiescence search; stores of depth 0, as today's search makes them, count
 * for that average, too. Also computes the subtree sizes of BigAll. */
void trace_finish(Trace *trace, double leaf_nodes);

/* Frees the memory; the trace is empty then. */
void trace_free(Trace *trace);

/* What a table without limit is worth: all recorded probes hit. */
TraceGain trace_total(const Trace *trace);

/* Number of probes in the trace. */
uint64_t trace_probes(const Trace *trace);

/* Adds a probe that finds its entry. */
static inline void trace_count_hit(TraceGain *gain, const TraceOp *op)
{
    gain->hits++;
    gain->cutoffs += op->bound != BOUND_NONE;
    gain->saved += op->nodes;
}

/* True when an entry of the position can enter a table at this operation: at every store, and at a
 * probe with a cutoff by an entry of just the depth needed. Without that entry, the search would
 * search the position again and store the same result. Other probes do not count: ALIBABA's
 * quiescence stores nothing, a deeper search would not be repeated, and without a cutoff the store
 * is recorded. */
static inline bool trace_may_enter(const TraceOp *op)
{
    return op->is_store || (op->bound != BOUND_NONE && op->depth == op->entry_depth);
}

/* The next probe that finds an entry present at operation `i`. TRACE_NONE when there is none, or
 * when the position is stored again before it is probed. */
static inline uint32_t trace_next_use(const Trace *trace, uint32_t i)
{
    const uint32_t next = trace->ops[i].next;
    return next == TRACE_NONE || trace->ops[next].is_store ? TRACE_NONE : next;
}
