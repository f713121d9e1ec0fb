// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/optimal/recorder.h"

enum { PROXY_MIB = 1 }; // of the table by proxy, which stays empty

typedef struct {
    Tt *tt;
    Trace *trace;
    Recording *recording;
    Single *single;
    /* The last probe. It is recorded when the next operation begins, because a cutoff is known only
     * after the probe. */
    bool has_probe;
    Key key;
    SearchPoint at;
    uint64_t clock;
} Recorder;

/* Records the last probe with the entry that gave a cutoff to node `n`; NULL: none did. */
static void record_probe(Recorder *recorder, const Node *n, const TtData *entry)
{
    TraceProbe probe = {.clock = recorder->clock};
    if (!recorder->has_probe)
        return;
    if (entry != NULL) {
        probe.depth = n->depth;
        probe.window = (Window){n->alpha, n->beta};
        probe.cut = entry->bound;
        probe.entry = entry;
    }
    trace_probe(recorder->trace, recorder->key, recorder->at, &probe);
    recorder->has_probe = false;
}

static int probe_table(void *ctx, Key key, SearchPoint at, TtData out[2], TtStats *stats)
{
    Recorder *const recorder = ctx;
    record_probe(recorder, NULL, NULL);
    recorder->has_probe = true;
    recorder->key = key;
    recorder->at = at;
    recorder->clock = single_nodes(recorder->single);
    const int count = tt_probe(recorder->tt, key, at, out, stats);
    bool is_hit = false;
    for (int i = 0; i < count; i++)
        is_hit |= out[i].bound != BOUND_NONE;
    recorder->recording->probes++;
    recorder->recording->hits += is_hit;
    return count;
}

static void store_in_table(void *ctx, Key key, SearchPoint at, const TtData *data, TtStats *stats)
{
    Recorder *const recorder = ctx;
    record_probe(recorder, NULL, NULL);
    tt_store(recorder->tt, key, at, data, stats);
    if (data->bound != BOUND_NONE)
        trace_store(recorder->trace, key, at, data, single_nodes(recorder->single));
}

static bool note_cutoff(void *ctx, const Node *n, const TtData *entry)
{
    Recorder *const recorder = ctx;
    record_probe(recorder, n, entry);
    recorder->recording->cutoffs++;
    return true;
}

bool record_search(const EvalSource *source, const Position *root, int depth, Tt *tt, Trace *trace,
                   Recording *recording)
{
    Single *const single = single_create(PROXY_MIB, source);
    *recording = (Recording){0};
    if (single == NULL)
        return false;
    Recorder recorder = {.tt = tt, .trace = trace, .recording = recording, .single = single};
    const TtProxy proxy = {probe_table, store_in_table, &recorder};
    const CutoffJudge judge = {note_cutoff, &recorder};
    const Limits limits = {.depth = depth};
    Path path;
    path_start(&path, root);
    single_table(single)->replacement = REPLACE_BY_PROXY;
    single_table(single)->proxy = &proxy;
    single_set_judge(single, &judge);
    trace->one_entry_cuts = true;
    trace->has_big_all_sizes = tt->replacement == REPLACE_BIG_ALL;
    recording->search = single_search(single, root, &path, &limits);
    record_probe(&recorder, NULL, NULL);
    single_destroy(single);
    trace_finish(trace, 1);
    return !trace->is_incomplete;
}
