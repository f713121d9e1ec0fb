// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/optimal/replay.h"

#include <check.h>
#include <string.h>

#include "chess/pos_from_fen.h"
#include "lab/breuker1994/alibaba.h"

static const char *const MIDDLEGAMES[] = {
    "r1bq1rk1/3n1ppp/p3p3/3pP3/Np1b1P1P/7R/PPPQ2P1/2KR1B2 w - - 0 15",
    "2b3k1/1r2q2p/pn2p1p1/4Q1N1/2p4P/5P1B/PP6/1K1R4 w - - 1 30",
};
enum { MIDDLEGAME_NB = sizeof MIDDLEGAMES / sizeof MIDDLEGAMES[0] };
enum { A = 1, B = 2 }; // keys of one bucket

static Alibaba alibaba; // too large for the stack
static AlibabaIteration iterations[ALIBABA_MAX_DEPTH + 1];
static Trace trace;
static Tt tt;

static void setup(void)
{
    memset(&alibaba, 0, sizeof alibaba);
    trace = (Trace){0};
    tt = (Tt){.no_refresh = true};
}

static void teardown(void)
{
    trace_free(&trace);
    tt_free(&tt);
}

/* A result with the lower bound 50. */
static TtData result_of(int depth, uint64_t nodes)
{
    return (TtData){
        .score = 50, .eval = SCORE_NONE, .depth = depth, .bound = BOUND_LOWER, .nodes = nodes};
}

static void add_store(Key key, int depth, uint64_t nodes)
{
    const TtData result = result_of(depth, nodes);
    trace_store(&trace, key, (SearchPoint){0, 0}, &result, nodes);
}

/* Adds a probe that the bound of the result `entry` cuts off. */
static void add_cutoff(Key key, int depth, TtData entry)
{
    trace_probe(
        &trace, key, (SearchPoint){0, 0},
        &(TraceProbe){.depth = depth, .window = {10, 11}, .cut = BOUND_LOWER, .entry = &entry});
}

/* The proof of the replay: a trace that was recorded with a small table, replayed under the scheme
 * of that table, gives the hits and cutoffs of that table. */
START_TEST(the_replay_equals_the_table_of_the_search)
{
    const Position pos = pos_from_fen(MIDDLEGAMES[_i % MIDDLEGAME_NB]);
    tt.replacement = (Replacement)(_i / MIDDLEGAME_NB);
    ck_assert(tt_resize_positions(&tt, 256));
    alibaba.tt = &tt;
    alibaba.trace = &trace;
    trace.has_big_all_sizes = tt.replacement == REPLACE_BIG_ALL;
    alibaba_init(&alibaba);
    ck_assert_int_eq(alibaba_search(&alibaba, &pos, 4, iterations), 4);
    trace_finish(&trace, 3);
    const TtStats *const live = &alibaba.stats;
    ck_assert_uint_gt(live->replaced_other + live->replaced_same, 0);
    ck_assert_uint_lt(live->hits, trace_probes(&trace)); // some probes miss
    ck_assert_uint_gt(tt_stats_cutoffs(live), 10);

    tt_clear(&tt);
    const TraceGain gain = replay_scheme(&trace, &tt);
    ck_assert_uint_eq(gain.hits, live->hits);
    ck_assert_uint_eq(gain.cutoffs, tt_stats_cutoffs(live));
    ck_assert_uint_eq(gain.saved, trace_total(&trace).saved);
}
END_TEST

START_TEST(recording_does_not_change_the_search)
{
    const Position pos = pos_from_fen(MIDDLEGAMES[0]);
    uint64_t nodes[2];
    for (int i = 0; i < 2; i++) {
        ck_assert(tt_resize_positions(&tt, 1024));
        alibaba.tt = &tt;
        alibaba.trace = i == 0 ? NULL : &trace;
        alibaba_init(&alibaba);
        alibaba_search(&alibaba, &pos, 4, iterations);
        nodes[i] = iterations[4].nodes.quiescence;
    }
    ck_assert_uint_eq(nodes[0], nodes[1]);
    ck_assert_uint_gt(trace.count, 0);
}
END_TEST

START_TEST(a_probe_before_the_first_store_is_not_recorded)
{
    add_cutoff(A, 3, result_of(3, 10));
    ck_assert_uint_eq(trace.count, 0);
    add_store(A, 3, 10);
    add_store(B, 3, 10);
    add_cutoff(A, 3, result_of(3, 10));
    ck_assert_uint_eq(trace.count, 3);
    ck_assert_uint_eq(trace.ops[0].next, 2);
    ck_assert_uint_eq(trace.ops[1].next, TRACE_NONE);
    ck_assert_uint_eq(trace.ops[2].store, 0);
    ck_assert_uint_eq(trace_next_use(&trace, 0), 2);
}
END_TEST

START_TEST(many_positions_keep_their_links)
{
    enum { MANY = 20000 };
    for (Key key = 1; key <= MANY; key++)
        add_store(key << 40, 1, 2);
    for (Key key = 1; key <= MANY; key++)
        add_cutoff(key << 40, 1, result_of(1, 2));
    ck_assert_uint_eq(trace.count, 2 * MANY);
    for (uint32_t i = 0; i < MANY; i++)
        ck_assert_uint_eq(trace.ops[i].next, MANY + i);
}
END_TEST

/* The cutoff comes from the result of 5 plies, which the later one of 0 plies does not replace in a
 * table of two levels. A probe without a cutoff names the last store. */
START_TEST(a_cutoff_names_the_store_of_its_entry)
{
    const TraceProbe missed = {.cut = BOUND_NONE};
    add_store(A, 5, 10);
    add_store(A, 0, 1);
    add_store(B, 5, 10);
    add_cutoff(A, 4, result_of(5, 10));
    add_store(A, 6, 20);
    add_cutoff(A, 0, result_of(0, 1));
    trace_probe(&trace, A, (SearchPoint){0, 0}, &missed);
    ck_assert_uint_eq(trace.count, 7);
    ck_assert_uint_eq(trace.ops[3].store, 0);
    ck_assert_uint_eq(trace.ops[3].last_store, 1);
    ck_assert_uint_eq(trace.ops[4].store, 1);
    ck_assert_uint_eq(trace.ops[5].store, 1);
    ck_assert_uint_eq(trace.ops[6].store, 4);
}
END_TEST

/* A lower bound of 3 plies and an upper bound of 2 plies make an exact score together. */
START_TEST(two_entries_cause_a_cutoff_together_unless_one_must_do_so)
{
    const SearchPoint at = {0, 0};
    TtData lower = result_of(3, 10), upper = result_of(2, 10);
    upper.bound = BOUND_UPPER;
    trace.one_entry_cuts = _i == 1;
    trace_store(&trace, A, at, &lower, 10);
    trace_store(&trace, A, at, &upper, 20);
    trace_probe(&trace, A, at,
                &(TraceProbe){.depth = 2, .window = {10, 90}, .cut = BOUND_EXACT, .entry = &upper});
    trace_finish(&trace, 4);
    tt.replacement = REPLACE_THOMPSON;
    ck_assert(tt_resize_positions(&tt, 2));
    const TraceGain gain = replay_scheme(&trace, &tt);
    ck_assert_uint_eq(gain.hits, 1);
    ck_assert_uint_eq(gain.cutoffs, _i == 0);
}
END_TEST

/* Of a subtree of 100 nodes at depth 3 a search of 2 plies would need the share that subtrees of
 * that depth have on average: 10 of 100. A quiescence search needs 4 of 100. */
START_TEST(a_cutoff_saves_the_nodes_of_the_depth_needed)
{
    add_store(A, 3, 100);
    add_store(B, 2, 10);
    add_cutoff(A, 3, result_of(3, 100));
    add_cutoff(A, 2, result_of(3, 100));
    add_cutoff(A, 0, result_of(3, 100));
    trace_finish(&trace, 4);
    ck_assert_uint_eq(trace.ops[2].nodes, 99);
    ck_assert_uint_eq(trace.ops[3].nodes, 9);
    ck_assert_uint_eq(trace.ops[4].nodes, 3);
    const TraceGain total = trace_total(&trace);
    ck_assert_uint_eq(total.hits, 3);
    ck_assert_uint_eq(total.cutoffs, 3);
    ck_assert_uint_eq(total.saved, 111);
    ck_assert(trace_may_enter(&trace.ops[2]));
    ck_assert(!trace_may_enter(&trace.ops[3]));
}
END_TEST

/* A is a subtree of 10 nodes. B is one of 21 nodes, in which A is met again and answered by the
 * table. For BigAll, B has the 9 nodes saved, too. */
START_TEST(the_sizes_of_big_all_include_those_of_cutoffs)
{
    const TtData a = result_of(3, 10), b = result_of(4, 21);
    const SearchPoint at = {0, 0};
    trace_store(&trace, A, at, &a, 10);
    trace_probe(&trace, A, at,
                &(TraceProbe){
                    .depth = 3, .window = {10, 11}, .cut = BOUND_LOWER, .entry = &a, .clock = 15});
    trace_store(&trace, B, at, &b, 31);
    trace_store(&trace, B, at, &a, 41);
    trace_finish(&trace, 4);
    ck_assert_uint_eq(trace.ops[0].size, 10);
    ck_assert_uint_eq(trace.ops[2].size, 30);
    ck_assert_uint_eq(trace.ops[2].nodes, 21);
    ck_assert_uint_eq(trace.ops[3].size, 10);
}
END_TEST

/* A and B compete for one entry. B replaces A; the first probe of A misses and stores A again, so
 * that the second hits. */
START_TEST(a_missed_cutoff_is_stored_again)
{
    add_store(A, 3, 10);
    add_store(B, 3, 10);
    add_cutoff(A, 3, result_of(3, 10));
    add_cutoff(A, 3, result_of(3, 10));
    trace_finish(&trace, 4);
    tt.replacement = REPLACE_NEW;
    ck_assert(tt_resize_positions(&tt, 2));
    const TraceGain gain = replay_scheme(&trace, &tt);
    ck_assert_uint_eq(gain.hits, 1);
    ck_assert_uint_eq(gain.cutoffs, 1);
    ck_assert_uint_eq(gain.saved, 9);
    tt_clear(&tt);
    tt.replacement = REPLACE_OLD;
    ck_assert_uint_eq(replay_scheme(&trace, &tt).saved, 18);
    tt_clear(&tt);
    tt.replacement = REPLACE_TWO_DEEP;
    ck_assert_uint_eq(replay_scheme(&trace, &tt).saved, 18);
}
END_TEST

Suite *suite_replay(void);
Suite *suite_replay(void)
{
    Suite *suite = suite_create("replay");
    TCase *tcase = tcase_create("replay");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, the_replay_equals_the_table_of_the_search, 0,
                        MIDDLEGAME_NB * REPLACEMENT_NB);
    tcase_add_test(tcase, recording_does_not_change_the_search);
    tcase_add_test(tcase, a_probe_before_the_first_store_is_not_recorded);
    tcase_add_test(tcase, many_positions_keep_their_links);
    tcase_add_test(tcase, a_cutoff_names_the_store_of_its_entry);
    tcase_add_loop_test(tcase, two_entries_cause_a_cutoff_together_unless_one_must_do_so, 0, 2);
    tcase_add_test(tcase, a_cutoff_saves_the_nodes_of_the_depth_needed);
    tcase_add_test(tcase, the_sizes_of_big_all_include_those_of_cutoffs);
    tcase_add_test(tcase, a_missed_cutoff_is_stored_again);
    suite_add_tcase(suite, tcase);
    return suite;
}
