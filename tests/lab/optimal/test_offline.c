// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/optimal/offline.h"

#include <check.h>
#include <string.h>

#include "base/rng.h"
#include "lab/optimal/flow.h"

/* Keys of the first of two buckets. */
enum { A = 1, B = 2, C = 3, D = 4, KEYS_MAX = 5 };
enum { DEPTH = 3, QUIESCENCE = 0 };

static Trace trace;

static void setup(void)
{
    trace = (Trace){0};
}

static void teardown(void)
{
    trace_free(&trace);
}

static TtData result_of(uint64_t nodes)
{
    return (TtData){
        .score = 50, .eval = SCORE_NONE, .depth = DEPTH, .bound = BOUND_LOWER, .nodes = nodes};
}

static void add_store(Key key)
{
    const TtData result = result_of(1);
    trace_store(&trace, key, (SearchPoint){0, 0}, &result, 1);
}

/* Adds a probe for `depth` plies whose cutoff saves `saved` nodes; 0: no cutoff. */
static void add_probe(Key key, int depth, uint32_t saved)
{
    const TtData entry = result_of(saved);
    trace_probe(&trace, key, (SearchPoint){0, 0},
                &(TraceProbe){.depth = depth,
                              .window = {10, 11},
                              .cut = saved > 0 ? BOUND_LOWER : BOUND_NONE,
                              .entry = &entry});
}

/* Ten operations. A table of two entries cannot answer A, B and C at 3 to 5, nor A, B and D at 7
 * to 9. MIN answers A, C, A, B; the most nodes are saved by A, B, B, D. */
static void add_ten(void)
{
    add_store(A);
    add_store(B);
    add_store(C);
    add_probe(A, DEPTH, 10); // 3
    add_probe(C, DEPTH, 1);
    add_probe(B, DEPTH, 100);
    add_store(D);
    add_probe(A, DEPTH, 10); // 7
    add_probe(B, DEPTH, 50);
    add_probe(D, DEPTH, 20);
}

static const struct {
    TableShape shape;
    uint64_t min_hits, min_saved, optimum;
} TEN[] = {
    {{.buckets = 1, .entries = 1}, 2, 20, 150},  {{.buckets = 2, .entries = 1}, 2, 20, 150},
    {{.buckets = 1, .entries = 2}, 4, 71, 180},  {{.buckets = 2, .entries = 2}, 4, 71, 180},
    {{.buckets = 1, .entries = 3}, 6, 191, 191}, {{.buckets = 2, .entries = 3}, 6, 191, 191},
};

START_TEST(ten_operations_have_the_answers_found_by_hand)
{
    TraceGain gain;
    add_ten();
    ck_assert(offline_min(&trace, TEN[_i].shape, &gain));
    ck_assert_uint_eq(gain.hits, TEN[_i].min_hits);
    ck_assert_uint_eq(gain.cutoffs, TEN[_i].min_hits);
    ck_assert_uint_eq(gain.saved, TEN[_i].min_saved);
    ck_assert(flow_optimum(&trace, TEN[_i].shape, &gain));
    ck_assert_uint_eq(gain.saved, TEN[_i].optimum);
}
END_TEST

/* Two entries: B, B and D are the densest, then A fits beside B, and nothing else. All periods
 * together are shorter than the time of two entries, so the limit is the sum of all. */
START_TEST(the_densest_periods_come_first)
{
    TraceGain gain;
    uint64_t limit;
    add_ten();
    ck_assert(offline_density(&trace, 2, &gain, &limit));
    ck_assert_uint_eq(gain.saved, 180);
    ck_assert_uint_eq(gain.hits, 4);
    ck_assert_uint_eq(limit, 191);
    ck_assert(offline_density(&trace, 1, &gain, &limit));
    ck_assert_uint_eq(gain.saved, 150);
    /* 10 operations: B 4, B 3 and D 3 fill them. */
    ck_assert_uint_eq(limit, 170);
}
END_TEST

/* After its store, A is only probed in quiescence, which stores nothing. Held from the store on, it
 * answers all three probes; once lost, it is lost for all. */
START_TEST(quiescence_does_not_bring_an_entry_back)
{
    TraceGain gain;
    const TableShape one = {.buckets = 2, .entries = 1};
    add_store(A);
    add_store(B);
    add_probe(B, DEPTH, 25);
    add_probe(A, QUIESCENCE, 10);
    add_probe(A, QUIESCENCE, 10);
    add_probe(A, QUIESCENCE, 10);
    ck_assert(flow_optimum(&trace, one, &gain));
    ck_assert_uint_eq(gain.saved, 30);
    ck_assert(offline_min(&trace, one, &gain));
    ck_assert_uint_eq(gain.saved, 25); // the nearer use, at the price of three
}
END_TEST

START_TEST(an_empty_trace_gives_nothing)
{
    TraceGain gain;
    uint64_t limit;
    ck_assert(offline_min(&trace, (TableShape){1, 4}, &gain));
    ck_assert(flow_optimum(&trace, (TableShape){4, 1}, &gain));
    ck_assert(offline_density(&trace, 4, &gain, &limit));
    ck_assert_uint_eq(gain.saved + limit, 0);
}
END_TEST

/* --- the model: all sets of entries --- */

/* The most nodes, or hits, of any selection of at most `entries` entries. */
static uint64_t best_of_all(int entries, bool count_hits)
{
    enum { SETS = 1 << (KEYS_MAX + 1) };
    int64_t best[SETS], after[SETS];
    memset(best, -1, sizeof best); // -1: impossible
    best[0] = 0;
    for (uint32_t i = 0; i < trace.count; i++) {
        const TraceOp *const op = &trace.ops[i];
        const unsigned bit = 1u << op->key;
        memset(after, -1, sizeof after);
        for (unsigned set = 0; set < SETS; set++) {
            if (best[set] < 0)
                continue;
            const bool is_hit = !op->is_store && (set & bit) != 0;
            const int64_t total = best[set] + (is_hit ? count_hits ? 1 : op->nodes : 0);
            const unsigned present = trace_may_enter(op) ? set | bit : set;
            for (unsigned kept = present;; kept = (kept - 1) & present) {
                if (__builtin_popcount(kept) <= entries && total > after[kept])
                    after[kept] = total;
                if (kept == 0)
                    break;
            }
        }
        memcpy(best, after, sizeof best);
    }
    int64_t most = 0;
    for (unsigned set = 0; set < SETS; set++)
        most = best[set] > most ? best[set] : most;
    return (uint64_t)most;
}

/* Random operations; without `all_return`, also probes that do not bring an entry back. */
static void add_random(uint64_t seed, bool all_return)
{
    enum { OPERATIONS = 40 };
    Rng rng;
    rng_seed(&rng, seed);
    for (int i = 0; i < OPERATIONS; i++) {
        const Key key = 1 + rng_below(&rng, KEYS_MAX);
        const uint32_t saved = 1 + (uint32_t)rng_below(&rng, 100);
        const uint64_t kind = rng_below(&rng, 8);
        if (kind < 2)
            add_store(key);
        else if (kind < 5 || all_return)
            add_probe(key, DEPTH, saved);
        else if (kind < 7)
            add_probe(key, QUIESCENCE, saved);
        else
            add_probe(key, DEPTH, 0);
    }
}

START_TEST(the_optimum_is_that_of_all_selections)
{
    for (uint64_t seed = 0; seed < 100; seed++) {
        const int entries = 1 + (int)(seed % 3);
        TraceGain optimum, min, greedy;
        uint64_t limit;
        trace_free(&trace);
        add_random(seed, false);
        const uint64_t best = best_of_all(entries, false);
        ck_assert(flow_optimum(&trace, (TableShape){2, entries}, &optimum));
        ck_assert(offline_min(&trace, (TableShape){2, entries}, &min));
        ck_assert(offline_density(&trace, (uint64_t)entries, &greedy, &limit));
        ck_assert_uint_eq(optimum.saved, best);
        ck_assert_uint_le(min.saved, best);
        ck_assert_uint_le(greedy.saved, best);
        ck_assert_uint_ge(limit, best);
        ck_assert_uint_ge(greedy.saved * 2, best);
    }
}
END_TEST

/* Belady's theorem: if every miss brings the entry back, no rule has more hits than MIN. */
START_TEST(min_has_the_most_hits_if_every_miss_brings_the_entry_back)
{
    for (uint64_t seed = 0; seed < 100; seed++) {
        const int entries = 1 + (int)(seed % 3);
        TraceGain in_one, in_buckets;
        trace_free(&trace);
        add_random(seed, true);
        ck_assert(offline_min(&trace, (TableShape){1, entries}, &in_one));
        ck_assert(offline_min(&trace, (TableShape){2, entries}, &in_buckets));
        ck_assert_uint_eq(in_one.hits, best_of_all(entries, true));
        ck_assert_uint_eq(in_buckets.hits, in_one.hits);
    }
}
END_TEST

Suite *suite_offline(void);
Suite *suite_offline(void)
{
    Suite *suite = suite_create("offline");
    TCase *tcase = tcase_create("offline");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, ten_operations_have_the_answers_found_by_hand, 0,
                        sizeof TEN / sizeof TEN[0]);
    tcase_add_test(tcase, the_densest_periods_come_first);
    tcase_add_test(tcase, quiescence_does_not_bring_an_entry_back);
    tcase_add_test(tcase, an_empty_trace_gives_nothing);
    tcase_add_test(tcase, the_optimum_is_that_of_all_selections);
    tcase_add_test(tcase, min_has_the_most_hits_if_every_miss_brings_the_entry_back);
    suite_add_tcase(suite, tcase);
    return suite;
}
