// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/learned_table.h"

#include <check.h>

#include "base/rng.h"

static LearnedTable table;

static void setup(void)
{
    table = (LearnedTable){.policy = LEARN_BEBE};
}

static void teardown(void)
{
    learned_table_clear(&table);
}

/* A lesson of some position with that key. */
static LearnedPosition learned_position_at(Key key, LearnOrigin origin, int depth, Score score)
{
    return (LearnedPosition){
        .key = key, .move = 1234, .origin = origin, .depth = depth, .score = score, .seen = 1};
}

static void put(Key key, LearnOrigin origin, int depth, Score score, bool is_newer)
{
    const LearnedPosition learned = learned_position_at(key, origin, depth, score);
    ck_assert(learned_table_put(&table, &learned, is_newer));
}

START_TEST(nothing_is_found_where_nothing_is)
{
    ck_assert_ptr_null(learned_table_find(&table, 0));
    ck_assert_ptr_null(learned_table_find(&table, UINT64_MAX));
    put(7, ORIGIN_LEARNED, 5, 9, true);
    ck_assert_ptr_null(learned_table_find(&table, 8));
}
END_TEST

START_TEST(all_is_found_that_was_put)
{
    enum { COUNT = 100000 };
    Rng rng;
    rng_seed(&rng, 1);
    for (int i = 0; i < COUNT; i++)
        put(i % 3 == 0 ? (Key)i : rng_next(&rng), ORIGIN_LEARNED, i % 200, i % 30000 - 15000, true);
    ck_assert_uint_eq(table.count, COUNT);
    rng_seed(&rng, 1);
    for (int i = 0; i < COUNT; i++) {
        const Key key = i % 3 == 0 ? (Key)i : rng_next(&rng);
        const LearnedEntry *const entry = learned_table_find(&table, key);
        ck_assert_ptr_nonnull(entry);
        ck_assert_uint_eq(entry->key, key);
        ck_assert_int_eq(entry->depth, i % 200);
        ck_assert_int_eq(entry->score, i % 30000 - 15000);
        ck_assert_int_eq(entry->move, 1234);
    }
    ck_assert_uint_le(learned_table_bytes(&table), 4 * COUNT * sizeof(LearnedEntry));
    learned_table_clear(&table);
    ck_assert_ptr_null(learned_table_find(&table, 0));
    ck_assert_uint_eq(table.count, 0);
    ck_assert_uint_eq(learned_table_bytes(&table), 0);
}
END_TEST

START_TEST(what_is_not_there_is_told_from_what_shares_its_place)
{
    const Key family = UINT64_C(0xabc) << 52;
    for (Key i = 0; i < 300; i++)
        put(family | i, ORIGIN_LEARNED, 4, (Score)i, true);
    for (Key i = 0; i < 300; i++)
        ck_assert_int_eq(learned_table_find(&table, family | i)->score, (Score)i);
    ck_assert_ptr_null(learned_table_find(&table, family | 300));
}
END_TEST

typedef struct {
    LearnOrigin origin;
    int depth;
} One;

static const struct {
    LearnPolicy policy;
    One first, second;
    bool second_is_newer, second_stays;
} PAIRS[] = {
    {LEARN_BEBE, {ORIGIN_LEARNED, 20}, {ORIGIN_LEARNED, 4}, true, true},
    {LEARN_BEBE, {ORIGIN_LEARNED, 4}, {ORIGIN_LEARNED, 20}, false, false},
    {LEARN_MOUSE, {ORIGIN_LEARNED, 20}, {ORIGIN_LEARNED, 4}, true, false},
    {LEARN_MOUSE, {ORIGIN_LEARNED, 4}, {ORIGIN_LEARNED, 20}, true, true},
    {LEARN_MOUSE, {ORIGIN_LEARNED, 4}, {ORIGIN_LEARNED, 20}, false, true},
    {LEARN_BEBE, {ORIGIN_ADVICE, 4}, {ORIGIN_LEARNED, 20}, true, false},
    {LEARN_BEBE, {ORIGIN_LEARNED, 20}, {ORIGIN_ADVICE, 4}, false, true},
    {LEARN_BEBE, {ORIGIN_ANALYSIS, 20}, {ORIGIN_ADVICE, 4}, true, true},
    {LEARN_BEBE, {ORIGIN_LEARNED, 12}, {ORIGIN_ANALYSIS, 30}, false, true},
    {LEARN_BEBE, {ORIGIN_ANALYSIS, 30}, {ORIGIN_LEARNED, 12}, true, false},
    {LEARN_BEBE, {ORIGIN_ANALYSIS, 12}, {ORIGIN_LEARNED, 12}, true, true},
    {LEARN_BEBE, {ORIGIN_ANALYSIS, 12}, {ORIGIN_LEARNED, 12}, false, false},
};

START_TEST(of_one_position_the_better_lesson_stays)
{
    table.policy = PAIRS[_i].policy;
    put(5, PAIRS[_i].first.origin, PAIRS[_i].first.depth, 1, true);
    put(5, PAIRS[_i].second.origin, PAIRS[_i].second.depth, 2, PAIRS[_i].second_is_newer);
    ck_assert_int_eq(learned_table_find(&table, 5)->score, PAIRS[_i].second_stays ? 2 : 1);
    ck_assert_uint_eq(table.count, 1);
}
END_TEST

START_TEST(the_ends_of_the_ranges_fit)
{
    const Score scores[] = {SCORE_NONE, SCORE_MATE - 1, 1 - SCORE_MATE, 0};
    for (int i = 0; i < 4; i++) {
        put((Key)i + 1, ORIGIN_LEARNED, MAX_DEPTH, scores[i], true);
        const LearnedEntry *const entry = learned_table_find(&table, (Key)i + 1);
        ck_assert_int_eq(entry->score, scores[i]);
        ck_assert_int_eq(entry->depth, MAX_DEPTH);
    }
}
END_TEST

Suite *suite_learned_table(void);
Suite *suite_learned_table(void)
{
    Suite *const suite = suite_create("learned_table");
    TCase *const tcase = tcase_create("recall");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 30);
    tcase_add_test(tcase, nothing_is_found_where_nothing_is);
    tcase_add_test(tcase, all_is_found_that_was_put);
    tcase_add_test(tcase, what_is_not_there_is_told_from_what_shares_its_place);
    tcase_add_loop_test(tcase, of_one_position_the_better_lesson_stays, 0,
                        (int)(sizeof PAIRS / sizeof PAIRS[0]));
    tcase_add_test(tcase, the_ends_of_the_ranges_fit);
    suite_add_tcase(suite, tcase);
    return suite;
}
