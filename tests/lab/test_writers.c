// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/writers.h"

#include <check.h>

#include "base/rng.h"
#include "chess/pos_from_fen.h"
#include "engine/engine_run.h"

static const SearchPoint ROOT = {.ply = 0, .rule50 = 0};
enum { POSITIONS = 8, STORES = 5000 }; // entries of a table: few, so that its keys compete

static Tt table_of(Replacement scheme)
{
    Tt table = {.replacement = scheme};
    ck_assert(tt_resize_positions(&table, POSITIONS));
    return table;
}

static TtData result(int depth, int score)
{
    return (TtData){.move = move_make(8, 16, KIND_NORMAL),
                    .score = score,
                    .eval = score,
                    .depth = depth,
                    .bound = BOUND_LOWER,
                    .nodes = (uint64_t)(10 * depth + 1)};
}

static void store_both_halves(Tt *table, Key key, TtData data, WriterCounts *counts)
{
    SplitStore store;
    split_store_decide(&store, table, key, &data);
    split_store_write(&store, counts);
}

START_TEST(undisturbed_halves_write_what_the_engine_writes)
{
    Tt engine = table_of((Replacement)_i), split = table_of((Replacement)_i);
    TtStats stats = {0};
    WriterCounts counts = {0};
    Rng rng;
    rng_seed(&rng, 7);
    for (int i = 0; i < STORES; i++) {
        const Key key = (rng_next(&rng) & 31) * 0x0841010204081021u << 1 | 1;
        TtData data = result((int)(rng_next(&rng) & 7), (int)(rng_next(&rng) & 63));
        data.move = (rng_next(&rng) & 3) != 0 ? data.move : MOVE_NONE;
        tt_store(&engine, key, ROOT, &data, &stats);
        store_both_halves(&split, key, data, &counts);
        for (uint64_t k = 0; k < POSITIONS; k++) {
            const EntryWords a = entry_read(tt_entry_at(&engine, k));
            const EntryWords b = entry_read(tt_entry_at(&split, k));
            ck_assert(a.lock == b.lock && a.data == b.data);
        }
    }
    ck_assert_int_eq(counts.stores, STORES);
    ck_assert_int_eq(counts.changed, 0);
    const bool can_push = _i == REPLACE_TWO_DEEP || _i == REPLACE_TWO_BIG1;
    ck_assert(can_push ? counts.pushes > 100 : counts.pushes == 0);
    tt_free(&engine);
    tt_free(&split);
}
END_TEST

/* The first store of a position, and stores of `other` and `late` that meet in its slot: `late`
 * decides, then `other` is stored, then `late` writes. */
typedef struct {
    Key key;
    TtData data;
} Store;

static WriterCounts race(Replacement scheme, Store first, Store other, Store late)
{
    Tt table = table_of(scheme);
    TtStats stats = {0};
    WriterCounts counts = {0};
    SplitStore store;
    tt_store(&table, first.key, ROOT, &first.data, &stats);
    split_store_decide(&store, &table, late.key, &late.data);
    tt_store(&table, other.key, ROOT, &other.data, &stats);
    split_store_write(&store, &counts);
    tt_free(&table);
    return counts;
}

enum { KEY_A = 11, KEY_B = 22, KEY_C = 33 }; // of one slot, also under schemes of one level

static Store store_of(Key key, int depth)
{
    return (Store){key, result(depth, (int)key)};
}

/* Expects these counts where A is stored with 3 plies, then B with 9 and late C with 5. */
static void expect_race(Replacement scheme, WriterCounts expected)
{
    const WriterCounts counts =
        race(scheme, store_of(KEY_A, 3), store_of(KEY_B, 9), store_of(KEY_C, 5));
    expected.stores = 1;
    ck_assert_mem_eq(&counts, &expected, sizeof counts);
}

START_TEST(a_push_over_an_entry_it_has_not_judged_loses_that_entry)
{
    /* B is lost, which is deeper than C. */
    expect_race(
        REPLACE_TWO_DEEP,
        (WriterCounts){
            .changed = 1, .overwritten = 1, .wrong = 1, .lost = 1, .pushes = 1, .wrong_pushes = 1});
}
END_TEST

START_TEST(a_shallow_result_replaces_a_deep_one_that_arrived_meanwhile)
{
    expect_race(REPLACE_DEEP,
                (WriterCounts){.changed = 1, .overwritten = 1, .wrong = 1, .lost = 1});
}
END_TEST

START_TEST(a_scheme_that_always_takes_the_newcomer_is_never_wrong)
{
    expect_race(REPLACE_NEW, (WriterCounts){.changed = 1, .overwritten = 1});
}
END_TEST

START_TEST(two_threads_with_one_result_do_no_harm)
{
    const Replacement scheme = (Replacement)_i;
    const WriterCounts counts =
        race(scheme, store_of(KEY_A, 3), store_of(KEY_B, 5), store_of(KEY_B, 5));
    ck_assert_int_eq(counts.changed, scheme != REPLACE_OLD);
    ck_assert_int_eq(counts.wrong, 0);
    ck_assert_int_eq(counts.lost, 0);
}
END_TEST

START_TEST(a_result_that_is_stored_again_is_written_again)
{
    const WriterCounts counts =
        race(REPLACE_NEW, store_of(KEY_A, 3), store_of(KEY_B, 5), store_of(KEY_A, 3));
    ck_assert_int_eq(counts.overwritten, 1);
    ck_assert_int_eq(counts.wrong, 0);
}
END_TEST

/* Searches to a small depth with the stores repeated, or without when `writers` is NULL. */
static uint64_t nodes_of_search(Writers *writers, int threads, Replacement scheme)
{
    static Run run;
    Engine *const engine = run_open_engine(1);
    SearchJob job = run_job(&run, MIDDLEGAME);
    job.limits.depth = 8;
    engine_set_replacement(engine, scheme);
    ck_assert_int_eq(engine_set_threads(engine, threads), threads);
    engine_set_peers(engine, writers != NULL ? writers_peers(writers) : NULL);
    run_search(engine, &job);
    const uint64_t nodes = engine_nodes(engine);
    engine_destroy(engine);
    return nodes;
}

START_TEST(one_thread_searches_as_without_the_laboratory_and_finds_no_race)
{
    Writers *const writers = writers_create(1024, REPLACE_TWO_DEEP, 1, true);
    ck_assert_ptr_nonnull(writers);
    const uint64_t nodes = nodes_of_search(writers, 1, REPLACE_TWO_DEEP);
    const WriterCounts counts = writers_sum(writers);
    ck_assert_uint_eq(nodes, nodes_of_search(NULL, 1, REPLACE_TWO_DEEP));
    ck_assert_int_gt(counts.stores, (int64_t)nodes / 4);
    ck_assert_int_gt(counts.pushes, 0);
    ck_assert_int_eq(counts.changed, 0);
    writers_destroy(writers);
}
END_TEST

START_TEST(threads_that_give_way_disturb_each_other)
{
    enum { THREADS = 4 };
    Writers *const writers = writers_create(64, REPLACE_TWO_DEEP, THREADS, true);
    ck_assert_ptr_nonnull(writers);
    nodes_of_search(writers, THREADS, REPLACE_TWO_DEEP);
    const WriterCounts counts = writers_sum(writers);
    int64_t stores = 0;
    for (int i = 0; i < THREADS; i++)
        stores += writers_of_thread(writers, i)->stores;
    ck_assert_int_eq(counts.stores, stores);
    ck_assert_int_gt(counts.changed, 0);
    ck_assert_int_le(counts.overwritten, counts.changed);
    ck_assert_int_le(counts.wrong, counts.changed);
    ck_assert_int_le(counts.wrong_pushes, counts.wrong);
    ck_assert_int_le(counts.lost, 2 * counts.wrong);
    writers_destroy(writers);
}
END_TEST

START_TEST(a_store_in_halves_takes_longer_than_one)
{
    const StoreTime time = writers_time();
    ck_assert_double_gt(time.engine, 0.0);
    ck_assert_double_gt(time.split, time.engine);
}
END_TEST

Suite *suite_writers(void);
Suite *suite_writers(void)
{
    Suite *suite = suite_create("writers");
    TCase *tcase = tcase_create("writers");
    tcase_set_timeout(tcase, 30);
    tcase_add_loop_test(tcase, undisturbed_halves_write_what_the_engine_writes, 0, REPLACEMENT_NB);
    tcase_add_test(tcase, a_push_over_an_entry_it_has_not_judged_loses_that_entry);
    tcase_add_test(tcase, a_shallow_result_replaces_a_deep_one_that_arrived_meanwhile);
    tcase_add_test(tcase, a_scheme_that_always_takes_the_newcomer_is_never_wrong);
    tcase_add_loop_test(tcase, two_threads_with_one_result_do_no_harm, 0, REPLACEMENT_NB);
    tcase_add_test(tcase, a_result_that_is_stored_again_is_written_again);
    tcase_add_test(tcase, one_thread_searches_as_without_the_laboratory_and_finds_no_race);
    tcase_add_test(tcase, threads_that_give_way_disturb_each_other);
    tcase_add_test(tcase, a_store_in_halves_takes_longer_than_one);
    suite_add_tcase(suite, tcase);
    return suite;
}
