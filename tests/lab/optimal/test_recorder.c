// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/optimal/recorder.h"

#include <check.h>

#include "chess/pos_from_fen.h"
#include "eval/bootstrap.h"
#include "lab/optimal/replay.h"

static const char *const MIDDLEGAMES[] = {
    MIDDLEGAME,
    "2b3k1/1r2q2p/pn2p1p1/4Q1N1/2p4P/5P1B/PP6/1K1R4 w - - 1 30",
};
/* Here a line is extended, so that some result is as deep as the search: a root that raises alpha
 * is stored a ply less deep. */
static const char LEVEL_MIDDLEGAME[] =
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
enum { MIDDLEGAME_NB = sizeof MIDDLEGAMES / sizeof MIDDLEGAMES[0] };
enum { DEPTH = 8, SMALL = 256, ONE_MIB = 1 << 16 }; // plies; entries

static const EvalSource SOURCE = {.bootstrap = bootstrap_eval};
static Trace trace;
static Tt tt;

static void setup(void)
{
    trace = (Trace){0};
    tt = (Tt){.no_refresh = true};
}

static void teardown(void)
{
    trace_free(&trace);
    tt_free(&tt);
}

static Recording record(const char *fen, uint64_t entries)
{
    const Position root = pos_from_fen(fen);
    Recording recording;
    ck_assert(tt_resize_positions(&tt, entries));
    ck_assert(record_search(&SOURCE, &root, DEPTH, &tt, &trace, &recording));
    return recording;
}

/* The proof of the replay: a trace that was recorded with a small table, replayed under the scheme
 * of that table, gives the hits and cutoffs of that table. */
START_TEST(the_replay_equals_the_table_of_the_search)
{
    tt.replacement = (Replacement)(_i / MIDDLEGAME_NB);
    const Recording live = record(MIDDLEGAMES[_i % MIDDLEGAME_NB], SMALL);
    ck_assert_uint_gt(live.cutoffs, 100);
    ck_assert_uint_lt(live.hits, trace_probes(&trace)); // some entries were lost

    tt_clear(&tt);
    const TraceGain gain = replay_scheme(&trace, &tt);
    ck_assert_uint_eq(gain.hits, live.hits);
    ck_assert_uint_eq(gain.cutoffs, live.cutoffs);
    ck_assert_uint_eq(gain.saved, trace_total(&trace).saved);
}
END_TEST

/* Another scheme, with as many entries, gives something else. */
START_TEST(the_replay_depends_on_the_scheme)
{
    const Recording live = record(MIDDLEGAMES[0], SMALL);
    tt_clear(&tt);
    tt.replacement = REPLACE_OLD;
    const TraceGain gain = replay_scheme(&trace, &tt);
    ck_assert_uint_ne(gain.hits, live.hits);
    ck_assert_uint_lt(gain.saved, trace_total(&trace).saved);
}
END_TEST

/* The search of a Single with its own table of the same size. */
START_TEST(recording_does_not_change_the_search)
{
    const Position root = pos_from_fen(MIDDLEGAMES[_i]);
    const Limits limits = {.depth = DEPTH};
    Path path;
    path_start(&path, &root);
    Single *const single = single_create(1, &SOURCE);
    ck_assert_ptr_nonnull(single);
    const SingleResult plain = single_search(single, &root, &path, &limits);
    const TtStats stats = single_stats(single)->tt;
    single_destroy(single);

    const Recording recording = record(MIDDLEGAMES[_i], ONE_MIB);
    ck_assert_uint_eq(recording.search.nodes, plain.nodes);
    ck_assert_int_eq(recording.search.score, plain.score);
    ck_assert_int_eq(recording.search.best, plain.best);
    ck_assert_uint_eq(recording.probes, stats.probes);
    ck_assert_uint_eq(recording.cutoffs, tt_stats_cutoffs(&stats));
    ck_assert_uint_gt(recording.hits, recording.cutoffs);
    ck_assert_uint_lt(recording.hits, stats.hits); // which include bare evaluations
}
END_TEST

START_TEST(the_trace_has_results_of_main_search_and_quiescence_but_no_bare_evaluations)
{
    const Recording recording = record(LEVEL_MIDDLEGAME, ONE_MIB);
    uint64_t stores[2] = {0}, cutoffs[2] = {0};
    uint32_t clock = 0, deepest = 0;
    for (uint32_t i = 0; i < trace.count; i++) {
        const TraceOp *const op = &trace.ops[i];
        const bool is_main = op->depth > 0;
        ck_assert_uint_ge(op->clock, clock);
        clock = op->clock;
        if (!op->is_store) {
            cutoffs[is_main] += op->bound != BOUND_NONE;
            ck_assert(op->bound == BOUND_NONE || op->entry_depth >= op->depth);
            continue;
        }
        ck_assert_int_ne(op->bound, BOUND_NONE);
        stores[is_main]++;
        deepest = op->depth > deepest ? op->depth : deepest;
    }
    ck_assert_uint_gt(stores[0], 100);
    ck_assert_uint_gt(stores[1], 100);
    ck_assert_uint_gt(cutoffs[0], 10);
    ck_assert_uint_gt(cutoffs[1], 10);
    ck_assert_uint_eq(cutoffs[0] + cutoffs[1], recording.cutoffs);
    ck_assert_uint_eq(clock, recording.search.nodes);
    /* A move that raises alpha makes its node a ply less deep, also the root. */
    ck_assert_uint_ge(deepest, DEPTH - 1);
}
END_TEST

/* In a table that loses nothing, each cutoff comes from the result that the trace names. */
START_TEST(each_cutoff_names_the_store_of_its_entry)
{
    record(MIDDLEGAMES[_i], 1 << 20);
    uint64_t cutoffs = 0, older = 0;
    for (uint32_t i = 0; i < trace.count; i++) {
        const TraceOp *const op = &trace.ops[i];
        if (op->is_store || op->bound == BOUND_NONE)
            continue;
        const TraceOp *const store = &trace.ops[op->store];
        ck_assert(store->is_store);
        ck_assert_uint_eq(store->key, op->key);
        ck_assert_uint_eq(store->depth, op->entry_depth);
        ck_assert_uint_eq(store->bound, op->bound);
        cutoffs++;
        older += op->store != op->last_store;
    }
    ck_assert_uint_gt(cutoffs, 100);
    ck_assert_uint_gt(older, 0); // a later result of quiescence does not replace a deeper one
}
END_TEST

Suite *suite_recorder(void);
Suite *suite_recorder(void)
{
    Suite *suite = suite_create("recorder");
    TCase *tcase = tcase_create("recorder");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, the_replay_equals_the_table_of_the_search, 0,
                        MIDDLEGAME_NB * REPLACEMENT_NB);
    tcase_add_test(tcase, the_replay_depends_on_the_scheme);
    tcase_add_loop_test(tcase, recording_does_not_change_the_search, 0, MIDDLEGAME_NB);
    tcase_add_test(tcase,
                   the_trace_has_results_of_main_search_and_quiescence_but_no_bare_evaluations);
    tcase_add_loop_test(tcase, each_cutoff_names_the_store_of_its_entry, 0, MIDDLEGAME_NB);
    suite_add_tcase(suite, tcase);
    return suite;
}
