// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/breuker1994/bounds_table.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/rng.h"

static const Replacement SCHEMES[] = {REPLACE_NEW, REPLACE_DEEP, REPLACE_TWO_DEEP,
                                      REPLACE_THOMPSON};
enum { SCHEME_COUNT = sizeof SCHEMES / sizeof SCHEMES[0] };
static const SearchPoint AT = {0};

static BoundsTable table;

static void teardown(void)
{
    bounds_free(&table);
    memset(&table, 0, sizeof table);
}

static void make_table(Replacement replacement, BoundsLayout layout, uint64_t count)
{
    table.replacement = replacement;
    table.layout = layout;
    ck_assert(bounds_resize(&table, count));
}

static void store(Key key, Bound bound, int depth, Score score)
{
    bounds_store(&table, key, AT,
                 &(TtData){.move = 1000, .score = score, .depth = depth, .bound = bound});
}

/* Writes what a probe finds as text, such as "lower 20 of depth 5, older; upper 40 of depth 3". */
static void expect(Key key, const char *expected)
{
    BoundsFound found;
    char text[256] = "";
    const int count = bounds_probe(&table, key, AT, &found);
    for (int i = 0; i < count; i++) {
        const TtData *const result = &found.results[i];
        ck_assert_int_eq(result->move, 1000);
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s %d of depth %d%s",
                 i > 0 ? "; " : "", result->bound == BOUND_LOWER ? "lower" : "upper", result->score,
                 result->depth, found.is_older[i] ? ", older" : "");
    }
    ck_assert_str_eq(text, expected);
}

/* --- one position --- */

START_TEST(the_other_bound_is_kept_with_its_depth_where_the_layout_has_room)
{
    static const char *const EXPECTED[BOUNDS_NB] = {
        [BOUNDS_SINGLE] = "upper 40 of depth 3",
        [BOUNDS_SHARED] = "upper 40 of depth 3",
        [BOUNDS_OWN] = "lower 20 of depth 5, older; upper 40 of depth 3",
        [BOUNDS_APART] = "lower 20 of depth 5; upper 40 of depth 3"};
    make_table(REPLACE_TWO_DEEP, _i, 2);
    store(7, BOUND_LOWER, 5, 20);
    store(7, BOUND_UPPER, 3, 40);
    expect(7, EXPECTED[_i]);
}
END_TEST

START_TEST(shared_bounds_have_one_depth)
{
    make_table(REPLACE_DEEP, BOUNDS_SHARED, 2);
    store(7, BOUND_LOWER, 5, 20);
    store(7, BOUND_UPPER, 5, 40);
    expect(7, "upper 40 of depth 5; lower 20 of depth 5, older");
    store(7, BOUND_UPPER, 6, 30);
    expect(7, "upper 30 of depth 6");
}
END_TEST

START_TEST(a_result_replaces_its_own_kind_of_bound_and_an_exact_one_both)
{
    make_table(REPLACE_NEW, BOUNDS_OWN, 2);
    store(7, BOUND_LOWER, 5, 20);
    store(7, BOUND_UPPER, 3, 40);
    store(7, BOUND_LOWER, 2, 10);
    expect(7, "upper 40 of depth 3, older; lower 10 of depth 2");
    store(7, BOUND_EXACT, 4, 30);
    expect(7, "lower 30 of depth 4; upper 30 of depth 4");
}
END_TEST

START_TEST(a_contradicted_bound_goes)
{
    make_table(REPLACE_TWO_DEEP, _i, 2);
    store(7, BOUND_LOWER, 5, 20);
    store(7, BOUND_UPPER, 5, 20);
    store(7, BOUND_UPPER, 5, 19);
    expect(7, "upper 19 of depth 5");
    store(7, BOUND_LOWER, 3, 25);
    expect(7, "lower 25 of depth 3");
}
END_TEST

START_TEST(bounds_apart_compete_for_the_slot)
{
    make_table(REPLACE_TWO_DEEP, BOUNDS_APART, 2);
    store(7, BOUND_LOWER, 5, 20);
    store(7, BOUND_UPPER, 5, 40);
    store(9, BOUND_UPPER, 2, 10);
    expect(7, "upper 40 of depth 5");
    expect(9, "upper 10 of depth 2");
    store(9, BOUND_LOWER, 7, 5);
    expect(7, "upper 40 of depth 5");
    expect(9, "lower 5 of depth 7");
    store(9, BOUND_EXACT, 7, 6);
    expect(9, "lower 6 of depth 7; upper 6 of depth 7");
}
END_TEST

START_TEST(mate_scores_are_relative_to_the_position)
{
    BoundsFound found;
    make_table(REPLACE_NEW, BOUNDS_OWN, 2);
    bounds_store(&table, 7, (SearchPoint){.ply = 3},
                 &(TtData){.move = 1, .score = score_mate_in(5), .depth = 4, .bound = BOUND_LOWER});
    ck_assert_int_eq(bounds_probe(&table, 7, (SearchPoint){.ply = 1}, &found), 1);
    ck_assert_int_eq(found.results[0].score, score_mate_in(3));
}
END_TEST

START_TEST(a_mate_that_the_fifty_move_rule_prevents_bounds_nothing)
{
    BoundsFound found;
    make_table(REPLACE_NEW, BOUNDS_OWN, 2);
    store(7, BOUND_LOWER, 4, score_mate_in(5));
    store(7, BOUND_UPPER, 4, score_mate_in(5));
    ck_assert_int_eq(bounds_probe(&table, 7, (SearchPoint){.rule50 = 94}, &found), 2);
    ck_assert_int_eq(bounds_probe(&table, 7, (SearchPoint){.rule50 = 98}, &found), 0);
}
END_TEST

START_TEST(what_older_bounds_give_is_counted)
{
    BoundsFound found;
    make_table(REPLACE_NEW, BOUNDS_OWN, 2);
    store(7, BOUND_LOWER, 5, 20);
    store(7, BOUND_UPPER, 5, 40);
    const int count = bounds_probe(&table, 7, AT, &found);
    bounds_count(&table, &found, count, 5, (Window){10, 20}); // cutoff by the older bound
    bounds_count(&table, &found, count, 5, (Window){40, 50}); // by the later one
    bounds_count(&table, &found, count, 6, (Window){10, 20}); // too shallow
    bounds_count(&table, &found, count, 4, (Window){10, 50}); // both narrow the window
    bounds_count(&table, &found, count, 4, (Window){30, 50}); // the later one
    bounds_count(&table, &found, count, 4, (Window){25, 35}); // none
    ck_assert_uint_eq(table.stats.probes, 1);
    ck_assert_uint_eq(table.stats.hits, 1);
    ck_assert_uint_eq(table.stats.both, 6);
    ck_assert_uint_eq(table.stats.cutoffs, 2);
    ck_assert_uint_eq(table.stats.older_cutoffs, 1);
    ck_assert_uint_eq(table.stats.narrowed, 2);
    ck_assert_uint_eq(table.stats.older_narrowed, 1);
}
END_TEST

/* --- against a plain model --- */

/* A bound. `serial` is the number of its store. */
typedef struct {
    Score score;
    int depth, serial; // depth 0: none
} ModelBound;

typedef struct {
    Key key;
    ModelBound lower, upper;
} ModelEntry;

enum { TRACE_LENGTH = 2000, KEYS = 9, MODEL_ENTRIES = 4 };

static ModelEntry model[MODEL_ENTRIES];

static int model_depth(const ModelEntry *entry)
{
    return entry->lower.depth > entry->upper.depth ? entry->lower.depth : entry->upper.depth;
}

static bool model_is(const ModelEntry *entry, Key key)
{
    return model_depth(entry) > 0 && entry->key == key;
}

/* The entry with a bound or bounds of `data`; what the old entry keeps depends on the layout. */
static ModelEntry model_join(BoundsLayout layout, const ModelEntry *old, Key key,
                             const TtData *data, int serial)
{
    const ModelBound bound = {data->score, data->depth, serial};
    ModelEntry entry = {.key = key};
    if (data->bound != BOUND_UPPER)
        entry.lower = bound;
    if (data->bound != BOUND_LOWER)
        entry.upper = bound;
    const bool has_room = layout == BOUNDS_OWN || layout == BOUNDS_SHARED;
    if (!has_room || !model_is(old, key))
        return entry;
    const bool any_depth = layout == BOUNDS_OWN;
    if (data->bound == BOUND_LOWER && (any_depth || old->upper.depth == data->depth) &&
        old->upper.score >= data->score)
        entry.upper = old->upper;
    if (data->bound == BOUND_UPPER && (any_depth || old->lower.depth == data->depth) &&
        old->lower.score <= data->score)
        entry.lower = old->lower;
    return entry;
}

static void model_store(const BoundsTable *like, Key key, const TtData *data, int serial)
{
    const bool is_single = replacement_is_single(like->replacement);
    const uint64_t buckets = is_single ? MODEL_ENTRIES : MODEL_ENTRIES / 2;
    ModelEntry *const bucket = &model[mulhi64(key, buckets) * (is_single ? 1 : 2)];
    ModelEntry *target = &bucket[0];
    if (is_single) {
        if (like->replacement == REPLACE_DEEP && !model_is(target, key) &&
            data->depth < model_depth(target))
            return;
    } else if (like->replacement == REPLACE_THOMPSON) {
        target = &bucket[data->depth < model_depth(&bucket[0])];
    } else if (!model_is(&bucket[0], key)) {
        if (model_is(&bucket[1], key) || data->depth < model_depth(&bucket[0]))
            target = &bucket[1];
        else if (model_depth(&bucket[0]) > 0)
            bucket[1] = bucket[0];
    }
    *target = model_join(like->layout, target, key, data, serial);
}

/* Both hold the same entries, in the same places. */
static void compare_with_model(void)
{
    for (int i = 0; i < MODEL_ENTRIES; i++) {
        const BoundsEntry *const entry = &table.entries[i];
        const ModelBound bounds[SIDE_NB] = {model[i].lower, model[i].upper};
        for (BoundsSide side = SIDE_LOWER; side < SIDE_NB; side++) {
            ck_assert_int_eq(entry->depths[side] & 127, bounds[side].depth);
            if (bounds[side].depth == 0)
                continue;
            ck_assert_uint_eq(entry->key, model[i].key);
            ck_assert_int_eq(entry->scores[side], bounds[side].score);
            ck_assert_int_eq(entry->depths[side] > 127, bounds[side].serial < bounds[!side].serial);
        }
    }
}

static Key key_of(uint64_t number)
{
    return number * GOLDEN_RATIO_64;
}

START_TEST(entries_are_those_of_a_plain_model)
{
    const BoundsLayout layout = _i / SCHEME_COUNT;
    Rng rng;
    rng_seed(&rng, (uint64_t)_i + 1);
    make_table(SCHEMES[_i % SCHEME_COUNT], layout, MODEL_ENTRIES);
    memset(model, 0, sizeof model);
    for (int i = 1; i <= TRACE_LENGTH; i++) {
        const Key key = key_of(1 + rng_below(&rng, KEYS));
        const TtData data = {.move = 1000,
                             .score = (Score)rng_below(&rng, 40) - 20,
                             .depth = 1 + (int)rng_below(&rng, 6),
                             .bound = BOUND_UPPER + (Bound)rng_below(&rng, 3)};
        bounds_store(&table, key, AT, &data);
        model_store(&table, key, &data, i);
        compare_with_model();
    }
}
END_TEST

Suite *suite_bounds_table(void);
Suite *suite_bounds_table(void)
{
    Suite *suite = suite_create("bounds_table");
    TCase *tcase = tcase_create("bounds_table");
    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_loop_test(tcase, the_other_bound_is_kept_with_its_depth_where_the_layout_has_room, 0,
                        BOUNDS_NB);
    tcase_add_test(tcase, shared_bounds_have_one_depth);
    tcase_add_test(tcase, a_result_replaces_its_own_kind_of_bound_and_an_exact_one_both);
    tcase_add_loop_test(tcase, a_contradicted_bound_goes, 0, BOUNDS_NB);
    tcase_add_test(tcase, bounds_apart_compete_for_the_slot);
    tcase_add_test(tcase, mate_scores_are_relative_to_the_position);
    tcase_add_test(tcase, a_mate_that_the_fifty_move_rule_prevents_bounds_nothing);
    tcase_add_test(tcase, what_older_bounds_give_is_counted);
    tcase_add_loop_test(tcase, entries_are_those_of_a_plain_model, 0, SCHEME_COUNT * BOUNDS_APART);
    suite_add_tcase(suite, tcase);
    return suite;
}
