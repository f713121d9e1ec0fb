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

static void put(Key key, LearnOrigin origin, int depth, Score score, bool is_newer)
{
    const LearnedEntry entry = {.key = key,
                                .move = 1234,
                                .origin = (uint8_t)origin,
                                .depth = (uint8_t)depth,
                                .score = (int16_t)score};
    ck_assert(learned_table_put(&table, &entry, is_newer));
}

START_TEST(unknown_keys_are_not_found)
{
    ck_assert_ptr_null(learned_table_find(&table, 0));
    ck_assert_ptr_null(learned_table_find(&table, UINT64_MAX));
    put(7, ORIGIN_LEARNED, 5, 9, true);
    ck_assert_ptr_null(learned_table_find(&table, 8));
}
END_TEST

START_TEST(every_entry_put_is_found)
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

START_TEST(colliding_keys_are_distinguished)
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
} Result;

static const struct {
    LearnPolicy policy;
    Result first, second;
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

START_TEST(the_table_keeps_one_entry_a_position)
{
    table.policy = PAIRS[_i].policy;
    put(5, PAIRS[_i].first.origin, PAIRS[_i].first.depth, 1, true);
    put(5, PAIRS[_i].second.origin, PAIRS[_i].second.depth, 2, PAIRS[_i].second_is_newer);
    ck_assert_int_eq(learned_table_find(&table, 5)->score, PAIRS[_i].second_stays ? 2 : 1);
    ck_assert_uint_eq(table.count, 1);
}
END_TEST

/* The result of play has the first network, that of analysis the second; both orders. */
START_TEST(a_score_of_another_network_does_not_hide_one_of_this_network)
{
    table.network = 77;
    const bool analysis_is_usable = _i & 1, play_is_newer = _i & 2;
    const LearnedEntry play = {.key = 5,
                               .move = 1,
                               .origin = ORIGIN_LEARNED,
                               .depth = analysis_is_usable ? 30 : 4,
                               .network = analysis_is_usable ? 66 : 77};
    const LearnedEntry analysis = {.key = 5,
                                   .move = 2,
                                   .origin = ORIGIN_ANALYSIS,
                                   .depth = analysis_is_usable ? 4 : 30,
                                   .network = analysis_is_usable ? 77 : 66};
    ck_assert(learned_table_put(&table, &play, true));
    ck_assert(learned_table_put(&table, &analysis, !play_is_newer));
    ck_assert_int_eq(learned_table_find(&table, 5)->move, analysis_is_usable ? 2 : 1);
}
END_TEST

START_TEST(extreme_scores_and_depths_fit)
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

typedef struct {
    uint32_t network;
    Score score;
    int depth;
    LearnOrigin origin;
} Fields;

static const struct {
    LearnPolicy policy;
    Fields newer, older;
    bool replaces;
} REPLACEMENTS[] = {
    {LEARN_BEBE, {1, 5, 4, ORIGIN_LEARNED}, {1, 9, 20, ORIGIN_LEARNED}, true},
    {LEARN_CRAFTY, {1, 5, 4, ORIGIN_LEARNED}, {1, 9, 20, ORIGIN_LEARNED}, true},
    {LEARN_MOUSE, {1, 5, 19, ORIGIN_LEARNED}, {1, 9, 20, ORIGIN_LEARNED}, false},
    {LEARN_MOUSE, {1, 5, 20, ORIGIN_LEARNED}, {1, 9, 20, ORIGIN_LEARNED}, true},
    {LEARN_MOUSE, {2, 5, 4, ORIGIN_LEARNED}, {1, 9, 20, ORIGIN_LEARNED}, true},
    {LEARN_MOUSE, {1, 5, 4, ORIGIN_LEARNED}, {1, SCORE_NONE, 20, ORIGIN_LEARNED}, true},
    {LEARN_MOUSE, {1, SCORE_NONE, 24, ORIGIN_LEARNED}, {1, 9, 20, ORIGIN_LEARNED}, false},
    {LEARN_MOUSE, {1, 5, 4, ORIGIN_ADVICE}, {1, 9, 20, ORIGIN_ADVICE}, true},
};

static LearnedEntry entry_of(const Fields *fields)
{
    return (LearnedEntry){.network = fields->network,
                          .score = (int16_t)fields->score,
                          .depth = (uint8_t)fields->depth,
                          .origin = (uint8_t)fields->origin};
}

START_TEST(only_mouse_protects_deeper_results)
{
    const LearnedEntry newer = entry_of(&REPLACEMENTS[_i].newer),
                       older = entry_of(&REPLACEMENTS[_i].older);
    ck_assert_int_eq(learned_entry_replaces(REPLACEMENTS[_i].policy, &newer, &older),
                     REPLACEMENTS[_i].replaces);
}
END_TEST

/* The network in use is 1. */
static const struct {
    Fields newer, older;
    bool outranks;
} RANKS[] = {
    {{1, 5, 4, ORIGIN_LEARNED}, {2, 9, 20, ORIGIN_LEARNED}, true},
    {{2, 5, 20, ORIGIN_LEARNED}, {1, 9, 4, ORIGIN_LEARNED}, false},
    {{1, 5, 19, ORIGIN_LEARNED}, {1, 9, 20, ORIGIN_LEARNED}, false},
    {{1, 5, 20, ORIGIN_LEARNED}, {1, 9, 20, ORIGIN_LEARNED}, true},
    {{2, 5, 19, ORIGIN_LEARNED}, {3, 9, 20, ORIGIN_LEARNED}, false},
    {{2, 5, 20, ORIGIN_LEARNED}, {3, 9, 20, ORIGIN_LEARNED}, true},
    {{1, SCORE_NONE, 20, ORIGIN_LEARNED}, {1, 9, 4, ORIGIN_LEARNED}, false},
    {{1, SCORE_NONE, 4, ORIGIN_LEARNED}, {2, 9, 20, ORIGIN_LEARNED}, false},
};

START_TEST(a_usable_score_outranks_a_deeper_one)
{
    const LearnedEntry newer = entry_of(&RANKS[_i].newer), older = entry_of(&RANKS[_i].older);
    ck_assert_int_eq(learned_entry_outranks(&newer, &older, 1), RANKS[_i].outranks);
}
END_TEST

static const struct {
    LearnPolicy policy;
    Score fuzz, score, low, high;
} BOUNDS[] = {
    {LEARN_BEBE, 78, 100, 22, 178},
    {LEARN_MOUSE, 78, -100, -178, -22},
    {LEARN_CRAFTY, 78, 100, 100, 100},
    {LEARN_BEBE, 0, 100, 100, 100},
    {LEARN_BEBE, 78, SCORE_MATE - 5, SCORE_MATE - 5, SCORE_MATE - 5},
    {LEARN_MOUSE, 78, 5 - SCORE_MATE, 5 - SCORE_MATE, 5 - SCORE_MATE},
    {LEARN_BEBE, 78, SCORE_EVAL_MAX, SCORE_EVAL_MAX - 78, SCORE_EVAL_MAX},
    {LEARN_BEBE, 78, -SCORE_EVAL_MAX, -SCORE_EVAL_MAX, 78 - SCORE_EVAL_MAX},
};

START_TEST(scores_are_trusted_within_the_fuzz)
{
    const LearnedBounds bounds =
        learned_bounds(BOUNDS[_i].policy, BOUNDS[_i].fuzz, BOUNDS[_i].score);
    ck_assert_int_eq(bounds.low, BOUNDS[_i].low);
    ck_assert_int_eq(bounds.high, BOUNDS[_i].high);
}
END_TEST

static const struct {
    Score score;
    int depth, rule50;
    bool is_usable;
} USES[] = {
    {50, 8, 0, true},
    {50, 9, 0, false}, // the entry is too shallow
    {50, 8, LEARNED_RULE50_MAX - 1, true},
    {50, 8, LEARNED_RULE50_MAX, false},
    {SCORE_NONE, 8, 0, false},
    {SCORE_MATE - 90, 8, 10, true},
    {SCORE_MATE - 90, 8, 11, false}, // the fifty-move counter leaves no time
};

START_TEST(a_score_is_used_where_it_proves_something)
{
    const LearnedTable of_network = {.network = 7}, of_other = {.network = 8};
    const LearnedEntry entry = {.network = 7, .score = (int16_t)USES[_i].score, .depth = 8};
    ck_assert(learned_score_is_usable(&of_network, &entry, USES[_i].depth, 0, USES[_i].rule50) ==
              USES[_i].is_usable);
    ck_assert(!learned_score_is_usable(&of_other, &entry, USES[_i].depth, 0, USES[_i].rule50));
}
END_TEST

#define ADD_TABLE(tcase, test, table)                                                              \
    tcase_add_loop_test(tcase, test, 0, (int)(sizeof(table) / sizeof(table)[0]))

Suite *suite_learned_table(void);
Suite *suite_learned_table(void)
{
    Suite *const suite = suite_create("learned_table");
    TCase *const tcase = tcase_create("learned_table");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 30);
    tcase_add_test(tcase, unknown_keys_are_not_found);
    tcase_add_test(tcase, every_entry_put_is_found);
    tcase_add_test(tcase, colliding_keys_are_distinguished);
    ADD_TABLE(tcase, the_table_keeps_one_entry_a_position, PAIRS);
    ADD_TABLE(tcase, only_mouse_protects_deeper_results, REPLACEMENTS);
    ADD_TABLE(tcase, a_usable_score_outranks_a_deeper_one, RANKS);
    ADD_TABLE(tcase, scores_are_trusted_within_the_fuzz, BOUNDS);
    tcase_add_loop_test(tcase, a_score_of_another_network_does_not_hide_one_of_this_network, 0, 4);
    tcase_add_test(tcase, extreme_scores_and_depths_fit);
    ADD_TABLE(tcase, a_score_is_used_where_it_proves_something, USES);
    suite_add_tcase(suite, tcase);
    return suite;
}
