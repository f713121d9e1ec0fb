// SPDX-License-Identifier: GPL-3.0-or-later
/* A change of the table's size copies its entries, slot by slot as they are needed. */
#include "tt/resize.h"

#include <check.h>

#include "tt/entry.h"
#include "tt/table_fixture.h"

enum { TRACE = 300000 };

/* Returns key `i` of the trace. */
static Key trace_key(int i)
{
    Rng keys;
    rng_seed(&keys, (uint64_t)i);
    return rng_next(&keys);
}

/* Fills the table with results of two searches; those of the first stay stale. */
static void fill_with_trace(void)
{
    for (int i = 0; i < TRACE; i++) {
        if (i == TRACE / 3)
            tt_new_search(&tt);
        table_store(trace_key(i), (Move)(1 + i % 4000), i % 700, i % 23, BOUND_EXACT);
    }
}

/* Counts the results of the trace in the table, each as it was stored; `*current` are current. */
static int count_trace(int *current)
{
    TtData out[2];
    int found = 0, wrong = 0;
    *current = 0;
    for (uint64_t i = 0; i < 2 * tt.slot_count; i++) {
        TtRecord record;
        *current += tt_record(&tt, i, &record) == TT_RECORD_CURRENT;
    }
    tt.no_refresh = true;
    for (int i = 0; i < TRACE; i++) {
        if (table_probe(trace_key(i), out) == 0)
            continue;
        found++;
        wrong += out[0].move != 1 + i % 4000 || out[0].score != i % 700 || out[0].depth != i % 23;
    }
    tt.no_refresh = false;
    ck_assert_int_eq(wrong, 0);
    return found;
}

/* Resizes the table and copies each `every`th share. */
static void change_size(uint64_t mib, uint64_t every)
{
    uint64_t all;
    ck_assert(tt_resize_keeping(&tt, mib));
    ck_assert_uint_eq(tt.bytes, mib << 20);
    ck_assert_uint_eq(tt_shares_left(&tt, &all), all);
    for (uint64_t i = 0; i < all; i += every)
        tt_migrate_share(&tt, i);
}

START_TEST(a_grown_table_keeps_all_entries)
{
    int current = 0, current_then = 0;
    ck_assert_uint_eq(tt_resize(&tt, 4), 4);
    tt.replacement = (Replacement)_i;
    fill_with_trace();
    const int known = count_trace(&current);
    ck_assert_int_gt(known, TRACE / 4);
    ck_assert_int_gt(current, TRACE / 8);
    const unsigned generation = tt.generation;
    change_size(12, 1 + (uint64_t)_i % 3);
    ck_assert_int_eq(count_trace(&current_then), known);
    ck_assert_int_eq(current_then, current);
    ck_assert_uint_eq(tt.generation, generation);
    change_size(31, 1); // no multiple: too many entries may compete for a place
    ck_assert_int_gt(count_trace(&current_then), known - known / 50);
}
END_TEST

/* One call suffices unless the machine is very busy. */
START_TEST(the_old_table_is_freed_once_all_is_copied)
{
    int current;
    ck_assert_uint_eq(tt_resize(&tt, 4), 4);
    fill_with_trace();
    const int known = count_trace(&current);
    ck_assert(tt_resize_keeping(&tt, 12));
    for (int i = 0; i < 20 && tt.migration != NULL; i++)
        tt_migrate(&tt);
    ck_assert_ptr_null(tt.migration);
    ck_assert_int_eq(count_trace(&current), known);
}
END_TEST

START_TEST(a_shrunken_table_keeps_current_entries)
{
    int current = 0, current_then = 0;
    ck_assert_uint_eq(tt_resize(&tt, 16), 16);
    fill_with_trace();
    const int known = count_trace(&current);
    change_size(5, 2);
    const int left = count_trace(&current_then);
    ck_assert_int_gt(left, known / 3);
    ck_assert_int_gt(current_then * 10, current * 8);
    ck_assert_int_lt(left, known);
}
END_TEST

/* The first probes after a resize and the begin of a search. */
START_TEST(entries_not_yet_copied_are_found_on_demand)
{
    static bool is_known[TRACE];
    static const uint64_t SIZES[] = {64, 5, 2};
    uint64_t all;
    TtData out[2];
    int known = 0, lost = 0, current;
    ck_assert_uint_eq(tt_resize(&tt, 4), 4);
    fill_with_trace();
    tt.no_refresh = true; // probes must change nothing
    for (int i = 0; i < TRACE; i++) {
        is_known[i] = table_probe(trace_key(i), out) > 0;
        known += is_known[i];
    }
    tt.no_refresh = false;
    ck_assert(tt_resize_keeping(&tt, SIZES[_i]));
    ck_assert_uint_gt(tt_shares_left(&tt, &all), 0);
    tt_new_search(&tt);
    for (int i = 0; i < TRACE; i++)
        lost += is_known[i] && table_probe(trace_key(i), out) == 0;
    ck_assert_uint_eq(tt_shares_left(&tt, &all), 0);
    tt_finish_migration(&tt);
    ck_assert_ptr_null(tt.migration);
    if (SIZES[_i] > 4) // 5 is no multiple of 4: sometimes two entries compete for a place
        ck_assert_int_le(lost, SIZES[_i] == 64 ? known / 50 : known / 10);
    ck_assert_int_eq(count_trace(&current), known - lost);
    ck_assert_int_gt(current, known / 3);
}
END_TEST

/* A hash file is written from a copy of the table, while searches begin. */
START_TEST(a_copy_stays_readable_when_a_search_begins)
{
    TtRecord record;
    ck_assert_uint_eq(tt_resize(&tt, 4), 4);
    fill_with_trace();
    ck_assert(tt_resize_keeping(&tt, 5));
    Tt copy = tt;
    int known[2] = {0};
    for (int pass = 0; pass < 2; pass++) {
        for (uint64_t i = 0; i < 2 * copy.slot_count; i++)
            known[pass] += tt_record(&copy, i, &record) == TT_RECORD_CURRENT;
        tt_new_search(&tt);
        ck_assert_ptr_eq(tt.migration, copy.migration);
    }
    ck_assert_int_gt(known[0], 0);
    ck_assert_int_eq(known[1], known[0]);
    tt_finish_migration(&tt);
    ck_assert_ptr_null(tt.migration);
}
END_TEST

/* Two shares may have keys in one slot of the old table. */
START_TEST(shares_may_be_copied_in_any_order)
{
    int found[2], current;
    for (int i = 0; i < 2; i++) {
        uint64_t all;
        ck_assert_uint_eq(tt_resize(&tt, 16), 16);
        fill_with_trace();
        ck_assert(tt_resize_keeping(&tt, 24));
        tt_shares_left(&tt, &all);
        for (uint64_t share = 0; share < all; share++)
            tt_migrate_share(&tt, i == 0 ? share : all - 1 - share);
        found[i] = count_trace(&current);
    }
    ck_assert_int_eq(found[1], found[0]);
}
END_TEST

START_TEST(a_search_that_begins_before_the_copy_changes_nothing)
{
    int found[2], current;
    for (int i = 0; i < 2; i++) {
        uint64_t all;
        ck_assert_uint_eq(tt_resize(&tt, 16), 16);
        fill_with_trace();
        ck_assert(tt_resize_keeping(&tt, 5));
        if (i == 1)
            tt_new_search(&tt);
        tt_shares_left(&tt, &all);
        for (uint64_t share = 0; share < all; share++)
            tt_migrate_share(&tt, share);
        found[i] = count_trace(&current);
    }
    ck_assert_int_eq(found[1], found[0]);
}
END_TEST

START_TEST(a_resize_of_an_unused_table_keeps_all_entries)
{
    int current;
    ck_assert_uint_eq(tt_resize(&tt, 4), 4);
    fill_with_trace();
    const int known = count_trace(&current);
    ck_assert(tt_resize_keeping(&tt, 64));
    ck_assert(tt_resize_keeping(&tt, 1)); // it does not fit there
    ck_assert(tt_resize_keeping(&tt, 12));
    ck_assert_int_eq(count_trace(&current), known);
}
END_TEST

START_TEST(a_resize_during_a_migration_keeps_all_entries)
{
    int current;
    uint64_t all;
    ck_assert_uint_eq(tt_resize(&tt, 4), 4);
    fill_with_trace();
    const int known = count_trace(&current);
    change_size(64, 3);
    change_size(32, 5);
    ck_assert_uint_gt(tt_shares_left(&tt, &all), 0);
    change_size(16, 2);
    ck_assert_int_eq(count_trace(&current), known);
    tt_finish_migration(&tt);
    ck_assert_ptr_null(tt.migration);
    ck_assert_int_eq(count_trace(&current), known);
}
END_TEST

/* The share is copied from the first table to the third, because the second never had it. The
 * fourth table must take it from the third only. */
START_TEST(an_old_result_does_not_return_after_several_resizes)
{
    const Key key = trace_key(1);
    uint64_t shares;
    TtData out[2];
    ck_assert_uint_eq(tt_resize(&tt, 4), 4);
    table_store(key, 1, 5, 20, BOUND_EXACT);
    ck_assert(tt_resize_keeping(&tt, 64));
    tt_shares_left(&tt, &shares);
    tt_migrate_share(&tt, (mulhi64(key, shares) + 1) % shares); // another one
    ck_assert(tt_resize_keeping(&tt, 32));
    ck_assert_int_eq(table_probe(key, out), 1);
    tt_new_search(&tt);
    table_store(key, 2, 7, 10, BOUND_EXACT);
    tt_new_search(&tt);
    ck_assert(tt_resize_keeping(&tt, 16));
    ck_assert_int_eq(table_probe(key, out), 1);
    ck_assert_int_eq(out[0].depth, 10);
    ck_assert_int_eq(out[0].move, 2);
}
END_TEST

START_TEST(a_replaced_result_does_not_come_back_at_the_next_resize)
{
    TtData out[2];
    tt.replacement = REPLACE_TWO_DEEP;
    ck_assert_uint_eq(tt_resize(&tt, 4), 4);
    table_store(trace_key(0), 7, 10, 9, BOUND_EXACT);
    ck_assert(tt_resize_keeping(&tt, 8));
    table_store(trace_key(0), 8, 20, 5, BOUND_EXACT);
    ck_assert(tt_resize_keeping(&tt, 12));
    ck_assert_int_eq(table_probe(trace_key(0), out), 1);
    ck_assert_int_eq(out[0].depth, 5);
}
END_TEST

/* The first key of the second share lies in a slot of the old table that has keys of the first
 * share, too. A copy of the first share must not bring back the old result. */
START_TEST(an_entry_is_copied_only_with_its_own_share)
{
    TtData out[2];
    uint64_t shares;
    tt.replacement = REPLACE_TWO_DEEP;
    ck_assert_uint_eq(tt_resize(&tt, 4), 4);
    const uint64_t old_slots = tt.slot_count;
    ck_assert(tt_resize_keeping(&tt, 8));
    tt_shares_left(&tt, &shares);
    const Key key = UINT64_MAX / shares + 1;
    ck_assert_uint_eq(mulhi64(key, shares), 1);
    ck_assert_uint_eq(mulhi64(key - 1, shares), 0);
    ck_assert_uint_eq(mulhi64(key - 1, old_slots), mulhi64(key, old_slots));
    ck_assert_uint_eq(tt_resize(&tt, 4), 4);
    table_store(key, 7, 10, 9, BOUND_EXACT);
    ck_assert(tt_resize_keeping(&tt, 8));
    table_store(key, 8, 20, 5, BOUND_EXACT);
    tt_migrate_share(&tt, 0);
    ck_assert_int_eq(table_probe(key, out), 1);
    ck_assert_int_eq(out[0].depth, 5);
}
END_TEST

/* Two keys of one bucket and different shares: the search has stored a result of one when the share
 * of the other is copied. */
START_TEST(a_copied_entry_does_not_replace_a_result_of_the_running_search)
{
    TtData out[2];
    uint64_t shares;
    tt.replacement = (Replacement)_i;
    ck_assert_uint_eq(tt_resize(&tt, 4), 4);
    ck_assert(tt_resize_keeping(&tt, 8));
    tt_shares_left(&tt, &shares);
    const Key key = UINT64_MAX / shares + 1;
    ck_assert_uint_eq(mulhi64(key, shares), 1);
    ck_assert_uint_eq(mulhi64(key - 1, shares), 0);
    ck_assert_uint_eq(mulhi64(key - 1, 2 * tt.slot_count), mulhi64(key, 2 * tt.slot_count));
    ck_assert_uint_eq(tt_resize(&tt, 4), 4);
    table_store(key, 7, 10, 5, BOUND_EXACT);
    ck_assert(tt_resize_keeping(&tt, 8));
    tt_new_search(&tt);
    table_store(key - 1, 8, 20, 9, BOUND_EXACT);
    tt_migrate_share(&tt, 1);
    ck_assert_int_ge(table_probe(key - 1, out), 1);
    ck_assert_int_eq(out[0].depth, 9);
    ck_assert_int_eq(out[0].move, 8);
}
END_TEST

START_TEST(clearing_removes_entries_that_are_not_yet_copied)
{
    int current;
    for (int i = 0; i < 2; i++) {
        ck_assert_uint_eq(tt_resize(&tt, 4), 4);
        fill_with_trace();
        ck_assert(tt_resize_keeping(&tt, 12));
        if (i == 0)
            tt_clear(&tt);
        else
            ck_assert_uint_eq(tt_resize(&tt, 12), 12);
        ck_assert_int_eq(count_trace(&current), 0);
    }
}
END_TEST

START_TEST(a_table_without_whole_keys_is_not_copied)
{
    int current = 0;
    fill_with_trace();
    change_size(4, 1);
    ck_assert_int_eq(count_trace(&current), 0);
    ck_assert_int_eq(current, 0);
}
END_TEST

/* The entry in the old table must not come back later, over the newer result. */
START_TEST(a_position_is_copied_before_a_result_of_it_is_written)
{
    const Key key = trace_key(0);
    TtData out[2];
    tt.replacement = REPLACE_TWO_DEEP;
    ck_assert_uint_eq(tt_resize(&tt, 4), 4);
    table_store(key, 7, 10, 9, BOUND_EXACT);
    ck_assert(tt_resize_keeping(&tt, 8));
    if (_i == 0) {
        table_store(key, 8, 20, 5, BOUND_EXACT);
        ck_assert_int_eq(table_probe(key, out), 1);
        ck_assert_int_eq(out[0].depth, 5);
    } else {
        const TtData shallower = {.move = 8, .score = 20, .depth = 5, .bound = BOUND_EXACT};
        const TtRecord record = {.data = shallower, .key = key, .key_is_whole = true};
        ck_assert(!tt_insert(&tt, &record, true));
    }
}
END_TEST

START_TEST(contents_include_entries_that_are_not_yet_copied)
{
    TtContents levels[2];
    ck_assert_uint_eq(tt_resize(&tt, 4), 4);
    table_store(trace_key(0), 7, 10, 9, BOUND_EXACT);
    ck_assert(tt_resize_keeping(&tt, 8));
    tt_finish_migration(&tt); // not yet
    tt_contents(&tt, UINT64_MAX, levels);
    ck_assert_uint_eq(levels[0].bounds[BOUND_EXACT], 1);
}
END_TEST

START_TEST(hashfull_counts_entries_that_are_not_yet_copied)
{
    ck_assert_uint_eq(tt_resize(&tt, 4), 4);
    fill_with_trace();
    const int before = tt_hashfull(&tt);
    ck_assert_int_gt(before, 200);
    ck_assert(tt_resize_keeping(&tt, 8));
    ck_assert_int_gt(tt_hashfull(&tt), before / 4);
}
END_TEST

Suite *suite_resize(void);
Suite *suite_resize(void)
{
    Suite *const suite = suite_create("resize");
    TCase *const tcase = tcase_create("entries");
    tcase_add_checked_fixture(tcase, table_setup, table_teardown);
    tcase_set_timeout(tcase, 30);
    tcase_add_loop_test(tcase, a_grown_table_keeps_all_entries, 0, REPLACEMENT_NB);
    tcase_add_test(tcase, the_old_table_is_freed_once_all_is_copied);
    tcase_add_test(tcase, a_shrunken_table_keeps_current_entries);
    tcase_add_loop_test(tcase, entries_not_yet_copied_are_found_on_demand, 0, 3);
    tcase_add_test(tcase, a_copy_stays_readable_when_a_search_begins);
    tcase_add_test(tcase, shares_may_be_copied_in_any_order);
    tcase_add_test(tcase, a_search_that_begins_before_the_copy_changes_nothing);
    tcase_add_test(tcase, a_resize_of_an_unused_table_keeps_all_entries);
    tcase_add_test(tcase, a_resize_during_a_migration_keeps_all_entries);
    tcase_add_test(tcase, an_old_result_does_not_return_after_several_resizes);
    tcase_add_test(tcase, a_replaced_result_does_not_come_back_at_the_next_resize);
    tcase_add_test(tcase, an_entry_is_copied_only_with_its_own_share);
    tcase_add_loop_test(tcase, a_copied_entry_does_not_replace_a_result_of_the_running_search, 0,
                        REPLACEMENT_NB);
    tcase_add_test(tcase, clearing_removes_entries_that_are_not_yet_copied);
    tcase_add_test(tcase, a_table_without_whole_keys_is_not_copied);
    tcase_add_loop_test(tcase, a_position_is_copied_before_a_result_of_it_is_written, 0, 2);
    tcase_add_test(tcase, contents_include_entries_that_are_not_yet_copied);
    tcase_add_test(tcase, hashfull_counts_entries_that_are_not_yet_copied);
    suite_add_tcase(suite, tcase);
    return suite;
}
