// SPDX-License-Identifier: GPL-3.0-or-later
#include "tt/tt.h"

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "tt/entry.h"
#include "tt/table_fixture.h"

static void store_evaluation(Key key, Score eval)
{
    const TtData data = {.score = SCORE_NONE, .eval = eval, .bound = BOUND_NONE};
    tt_store(&tt, key, ROOT, &data, &stats);
}

START_TEST(an_empty_table_finds_no_key)
{
    TtData out[2];
    for (int which = 0; which < 100; which++)
        ck_assert_int_eq(table_probe(key_in_slot(which, which), out), 0);
    tt_new_search(&tt);
    ck_assert_int_eq(table_probe(0, out), 0); // its check bits are those of an empty entry
    ck_assert_uint_eq(stats.probes, 101);
    ck_assert_uint_eq(stats.hits, 0);
}
END_TEST

START_TEST(the_first_level_is_replaced_by_equal_depth_but_not_by_less)
{
    const Key a = key_in_slot(4, 1), b = key_in_slot(4, 2), c = key_in_slot(4, 3);
    TtData out[2];
    table_store(a, 1, 10, 6, BOUND_EXACT);
    table_store(b, 2, 10, 5, BOUND_EXACT);
    ck_assert_int_eq(table_probe(a, out) + table_probe(b, out), 2);
    table_store(c, 3, 10, 6, BOUND_EXACT);
    ck_assert_int_eq(table_probe(a, out), 0);
    ck_assert_int_eq(table_probe(b, out) + table_probe(c, out), 2);
}
END_TEST

START_TEST(both_entries_of_one_position_come_deeper_first)
{
    const Key key = key_in_slot(4, 1);
    TtData out[2];
    table_store(key, 1, 10, 6, BOUND_EXACT);
    table_store(key, 2, 20, 3, BOUND_LOWER);
    ck_assert_int_eq(table_probe(key, out), 2);
    ck_assert_int_eq(out[0].depth, 6);
    ck_assert_int_eq(out[1].depth, 3);
    ck_assert_uint_eq(stats.double_hits, 1);
    ck_assert_uint_eq(stats.two_moves, 1);
    /* In the next search the unread first level is stale: a result shallower than the second level
     * replaces it. */
    tt_new_search(&tt);
    table_store(key, 1, 30, 1, BOUND_EXACT);
    ck_assert_int_eq(table_probe(key, out), 2);
    ck_assert_int_eq(out[0].depth, 3);
    ck_assert_int_eq(out[1].depth, 1);
}
END_TEST

START_TEST(of_equal_depths_the_second_level_comes_first)
{
    const Key key = key_in_slot(4, 1), other = key_in_slot(4, 2);
    TtData out[2];
    table_store(other, 9, 0, 8, BOUND_EXACT);
    table_store(key, 1, 10, 4, BOUND_EXACT); // the first level is taken: goes to the second
    tt_new_search(&tt);
    table_store(key, 1, 20, 4, BOUND_EXACT); // the first level is stale
    ck_assert_int_eq(table_probe(key, out), 2);
    ck_assert_int_eq(out[0].score, 10);
    ck_assert_int_eq(out[1].score, 20);
    ck_assert_uint_eq(stats.two_moves, 0);
}
END_TEST

START_TEST(a_store_without_a_move_keeps_the_old_move)
{
    const Key key = key_in_slot(6, 1), other = key_in_slot(6, 2);
    TtData out[2];
    table_store(key, 11, 10, 5, BOUND_LOWER);
    table_store(key, MOVE_NONE, 0, 7, BOUND_UPPER); // replaces the entry in the first level
    ck_assert_int_eq(table_probe(key, out), 1);
    ck_assert_int_eq(out[0].depth, 7);
    ck_assert_int_eq(out[0].move, 11);
    table_store(key, MOVE_NONE, 0, 3, BOUND_UPPER); // goes to the second level
    ck_assert_int_eq(table_probe(key, out), 2);
    ck_assert_int_eq(out[1].move, 11);
    table_store(key, 22, 0, 3, BOUND_LOWER);
    table_store(key, MOVE_NONE, 0, 4, BOUND_UPPER); // each keeps its own move
    ck_assert_int_eq(table_probe(key, out), 2);
    ck_assert_int_eq(out[0].move, 11);
    ck_assert_int_eq(out[1].move, 22);
    table_store(other, MOVE_NONE, 0, 4,
                BOUND_UPPER); // but does not take the move of another position
    ck_assert_int_eq(table_probe(other, out), 1);
    ck_assert_int_eq(out[0].move, MOVE_NONE);
}
END_TEST

START_TEST(quiescence_never_enters_the_first_level)
{
    const Key key = key_in_slot(6, 1);
    table_store(key, 5, 10, 0, BOUND_EXACT);
    ck_assert_uint_eq(entry_read(&tt_slot(&tt, key)->first).data, 0);
    ck_assert_uint_ne(entry_read(&tt_slot(&tt, key)->second).data, 0);
    table_store(key_in_slot(6, 2), 5, 10, 4, BOUND_EXACT); // to the first level
    table_store(key_in_slot(6, 3), 5, 10, 3, BOUND_EXACT); // to the second level
    table_store(key, 5, 10, 0, BOUND_EXACT);               // always written
    TtData out[2];
    ck_assert_int_eq(table_probe(key, out), 1);
    ck_assert_int_eq(table_probe(key_in_slot(6, 2), out), 1);
    ck_assert_int_eq(table_probe(key_in_slot(6, 3), out), 0);
}
END_TEST

START_TEST(a_bare_evaluation_replaces_no_current_bound)
{
    const Key deep = key_in_slot(6, 1), bound = key_in_slot(6, 2), bare = key_in_slot(6, 3);
    TtData out[2];
    table_store(deep, 5, 10, 4, BOUND_EXACT);
    table_store(bound, 5, 10, 2, BOUND_LOWER);
    store_evaluation(bare, 77); // the second level has a bound
    ck_assert_int_eq(table_probe(bare, out), 0);
    ck_assert_int_eq(table_probe(bound, out), 1);
    ck_assert_uint_eq(stats.stores, 2);
    tt_new_search(&tt);
    table_probe(deep, out);
    store_evaluation(bare, 77); // now the second level is stale
    ck_assert_int_eq(table_probe(bare, out), 1);
    store_evaluation(bound, 78); // now the second level has no bound
    ck_assert_int_eq(table_probe(bound, out), 1);
    ck_assert_int_eq(out[0].eval, 78);
    store_evaluation(deep, 79); // the first level has this position already
    ck_assert_int_eq(table_probe(deep, out), 1);
    ck_assert_int_eq(out[0].eval, 20);
}
END_TEST

START_TEST(a_stale_entry_is_replaced_unless_it_was_read)
{
    const Key read = key_in_slot(2, 1), unread = key_in_slot(3, 1);
    TtData out[2];
    table_store(read, 1, 10, 9, BOUND_EXACT);
    table_store(unread, 1, 10, 9, BOUND_EXACT);
    tt_new_search(&tt);
    ck_assert_int_eq(table_probe(read, out), 1);
    ck_assert_uint_eq(stats.refreshes, 1);
    ck_assert_int_eq(table_probe(read, out), 1);
    ck_assert_uint_eq(stats.refreshes, 1);
    table_store(key_in_slot(2, 2), 1, 10, 1, BOUND_EXACT);
    table_store(key_in_slot(3, 2), 1, 10, 1, BOUND_EXACT);
    ck_assert_int_eq(table_probe(read, out), 1);
    ck_assert_int_eq(out[0].depth, 9);
    ck_assert_int_eq(table_probe(unread, out), 0);
    ck_assert_uint_eq(stats.replaced_stale, 1);
}
END_TEST

START_TEST(entry_stays_stale_for_31_searches)
{
    const Key old = key_in_slot(2, 1), new = key_in_slot(2, 2);
    TtData out[2];
    for (int searches = 1; searches <= 31; searches++) {
        tt_clear(&tt);
        table_store(old, 1, 10, 9, BOUND_EXACT);
        for (int i = 0; i < searches; i++)
            tt_new_search(&tt);
        table_store(new, 1, 10, 1, BOUND_EXACT);
        ck_assert_int_eq(table_probe(old, out), 0);
    }
}
END_TEST

START_TEST(without_refresh_a_read_entry_stays_stale)
{
    const Key key = key_in_slot(2, 1);
    TtData out[2];
    table_store(key, 1, 10, 9, BOUND_EXACT);
    tt_new_search(&tt);
    tt.no_refresh = true;
    ck_assert_int_eq(table_probe(key, out), 1);
    ck_assert_uint_eq(stats.refreshes, 0);
    ck_assert_int_eq(tt_hashfull(&tt), 0);
    table_store(key_in_slot(2, 2), 1, 10, 1, BOUND_EXACT);
    ck_assert_int_eq(table_probe(key, out), 0);
}
END_TEST

START_TEST(peek_returns_the_same_entries_and_changes_nothing)
{
    const Key key = key_in_slot(2, 1);
    TtData probed[2], peeked[2];
    table_store(key, 1, 10, 9, BOUND_EXACT);
    tt_new_search(&tt);
    ck_assert_int_eq(tt_peek(&tt, key, ROOT, peeked), 1);
    ck_assert_int_eq(tt_hashfull(&tt), 0);
    ck_assert_uint_eq(stats.probes + stats.refreshes, 0);
    ck_assert_int_eq(table_probe(key, probed), 1);
    ck_assert(same_data(&probed[0], &peeked[0]));
    ck_assert_uint_eq(stats.refreshes, 1);
    ck_assert_int_eq(tt_peek(&tt, key_in_slot(3, 1), ROOT, peeked), 0);
}
END_TEST

START_TEST(hashfull_counts_only_entries_of_this_search)
{
    ck_assert_int_eq(tt_hashfull(&tt), 0);
    for (int slot = 0; slot < SLOTS_PER_MIB; slot += 2) {
        table_store(key_in_slot(slot, 1), 1, 10, 5, BOUND_EXACT);
        table_store(key_in_slot(slot, 2), 1, 10, 4, BOUND_EXACT);
    }
    ck_assert_int_eq(tt_hashfull(&tt), 500);
    tt_new_search(&tt);
    ck_assert_int_eq(tt_hashfull(&tt), 0);
    TtData out[2];
    for (int slot = 0; slot < SLOTS_PER_MIB; slot += 2)
        table_probe(key_in_slot(slot, 1), out);
    ck_assert_int_eq(tt_hashfull(&tt), 250);
}
END_TEST

START_TEST(contents_tell_levels_bounds_and_ages)
{
    TtContents levels[2];
    table_store(key_in_slot(0, 1), 1, 10, 5, BOUND_EXACT);
    table_store(key_in_slot(0, 2), 1, 10, 4, BOUND_LOWER); // second level
    tt_new_search(&tt);
    tt_new_search(&tt);
    table_store(key_in_slot(1, 1), 1, 10, 5, BOUND_UPPER);
    tt_contents(&tt, UINT64_MAX, levels);
    for (int i = 0; i < 2; i++)
        ck_assert_uint_eq(levels[i].counted, SLOTS_PER_MIB);
    ck_assert_uint_eq(levels[0].empty, SLOTS_PER_MIB - 2);
    ck_assert_uint_eq(levels[1].empty, SLOTS_PER_MIB - 1);
    ck_assert_uint_eq(levels[0].bounds[BOUND_EXACT], 1);
    ck_assert_uint_eq(levels[0].bounds[BOUND_UPPER], 1);
    ck_assert_uint_eq(levels[1].bounds[BOUND_LOWER], 1);
    ck_assert_uint_eq(levels[0].ages[0], 1);
    ck_assert_uint_eq(levels[0].ages[2], 1);
    ck_assert_uint_eq(levels[1].ages[2], 1);
    ck_assert_int_eq(tt_hashfull(&tt), 0); // still stale
}
END_TEST

START_TEST(contents_of_one_level_are_those_of_both_entries)
{
    TtContents levels[2];
    tt.replacement = REPLACE_DEEP;
    table_store(key_in_slot(0, 1), 1, 10, 5, BOUND_EXACT);
    tt_contents(&tt, UINT64_MAX, levels);
    ck_assert_uint_eq(levels[0].counted, 2 * SLOTS_PER_MIB);
    ck_assert_uint_eq(levels[0].empty, 2 * SLOTS_PER_MIB - 1);
    ck_assert_uint_eq(levels[1].counted, 0);
}
END_TEST

START_TEST(contents_of_a_sample_come_from_the_whole_table)
{
    TtContents levels[2];
    for (int slot = SLOTS_PER_MIB / 2; slot < SLOTS_PER_MIB; slot++)
        table_store(key_in_slot(slot, 1), 1, 10, 5, BOUND_EXACT);
    tt_contents(&tt, 100, levels);
    ck_assert_uint_eq(levels[0].counted, 100);
    ck_assert_uint_eq(levels[0].empty, 50);
}
END_TEST

START_TEST(clearing_removes_all_entries)
{
    void (*const clear[])(Tt *) = {tt_clear, tt_clear_small};
    TtData out[2];
    table_store(key_in_slot(0, 1), 1, 10, 5, BOUND_EXACT);
    table_store(~0ull, 1, 10, 5, BOUND_EXACT);
    clear[_i](&tt);
    ck_assert_int_eq(table_probe(key_in_slot(0, 1), out), 0);
    ck_assert_int_eq(table_probe(~0ull, out), 0);
}
END_TEST

START_TEST(the_untouched_parts_are_the_whole_table)
{
    ck_assert_uint_eq(tt_resize(&tt, 80), 80);
    const char *end = (const char *)tt.slots;
    for (TtPart part = tt_take_untouched(&tt); part.bytes > 0; part = tt_take_untouched(&tt)) {
        ck_assert_uint_le(part.bytes, TT_PART_BYTES);
        ck_assert_ptr_eq(part.start, end);
        end += part.bytes;
    }
    ck_assert_ptr_eq(end, (const char *)tt.slots + tt.bytes);
}
END_TEST

START_TEST(resizing_removes_all_entries_and_keeps_the_settings)
{
    TtData out[2];
    table_store(~0ull, 1, 10, 5, BOUND_EXACT);
    tt.check_mask = 0xFFFF;
    ck_assert_uint_eq(tt_resize(&tt, 3), 3);
    ck_assert_int_eq(table_probe(~0ull, out), 0);
    ck_assert_uint_eq(tt.slot_count, 3 * SLOTS_PER_MIB);
    ck_assert_uint_eq(tt.check_mask, 0xFFFF);
    ck_assert_uint_eq((uintptr_t)tt.slots % 64, 0);
    tt_free(&tt);
    ck_assert_ptr_null(tt.slots);
    ck_assert_uint_eq(tt_resize(&tt, 1), 1);
}
END_TEST

START_TEST(resizing_by_positions_gives_exactly_that_number)
{
    static const uint64_t POSITIONS[] = {2, 6, 2000, 8192, 1 << 20};
    const uint64_t positions = POSITIONS[_i];
    tt.check_mask = 0xFFFF;
    tt.replacement = REPLACE_DEEP;
    ck_assert(tt_resize_positions(&tt, positions));
    ck_assert_uint_eq(tt.slot_count, positions / 2);
    ck_assert_uint_eq(tt.check_mask, 0xFFFF);
    ck_assert_int_eq(tt.replacement, REPLACE_DEEP);
    for (uint64_t i = 0; i < positions; i++) // the middle key of each entry
        table_store(
            (Key)((2 * (unsigned __int128)i + 1) * ((unsigned __int128)1 << 63) / positions), 7, 1,
            3, BOUND_EXACT);
    ck_assert_uint_eq(stats.replaced_empty, positions);
    ck_assert_int_eq(tt_hashfull(&tt), 1000);
}
END_TEST

START_TEST(entry_of_one_level_lies_in_the_slot)
{
    ck_assert_uint_eq(tt_resize(&tt, 3), 3);
    for (int i = 0; i < 100000; i++) {
        const Key key = rng_next(&rng);
        TtSlot *const slot = tt_slot(&tt, key);
        const TtEntry *const entry = tt_entry(&tt, key);
        ck_assert(entry == &slot->first || entry == &slot->second);
    }
}
END_TEST

START_TEST(a_size_that_does_not_fit_is_halved_until_it_fits)
{
    const uint64_t mib = tt_resize(&tt, 33554432);
    ck_assert_uint_ge(mib, 1);
    ck_assert_uint_eq(33554432 % mib, 0);
    ck_assert_uint_eq(tt.slot_count, mib * SLOTS_PER_MIB);
    ck_assert_uint_eq(tt.bytes, mib << 20);
    TtData out[2];
    table_store(~0ull, 1, 10, 5, BOUND_EXACT);
    ck_assert_int_eq(table_probe(~0ull, out), 1);
    ck_assert_int_eq(tt_hashfull(&tt), 0);
}
END_TEST

START_TEST(keys_spread_evenly_over_any_number_of_mib)
{
    static const int SIZES[] = {1, 3, 5, 6};
    enum { PER_SLOT = 16 };
    const int mib = SIZES[_i];
    ck_assert_uint_eq(tt_resize(&tt, (uint64_t)mib), (uint64_t)mib);
    const int slots = mib * SLOTS_PER_MIB;
    ck_assert_ptr_eq(tt_slot(&tt, 0), tt.slots);
    ck_assert_ptr_eq(tt_slot(&tt, ~0ull), tt.slots + slots - 1);
    int *const count = calloc((size_t)slots, sizeof *count);
    ck_assert_ptr_nonnull(count);
    for (int i = 0; i < slots * PER_SLOT; i++)
        count[tt_slot(&tt, rng_next(&rng)) - tt.slots]++;
    double chi_squared = 0;
    for (int i = 0; i < slots; i++)
        chi_squared += (double)(count[i] - PER_SLOT) * (count[i] - PER_SLOT) / PER_SLOT;
    free(count);
    /* Mean `slots`, variance twice that: five standard deviations either way. */
    const double off = chi_squared - slots;
    ck_assert_double_lt(off * off, 25.0 * 2 * slots);
}
END_TEST

/* hashfull() and tt_record() fetch the entries that a resize left behind. */
START_TEST(every_counter_adds_up)
{
    enum { COUNT = sizeof(TtStats) / sizeof(uint64_t) };
    uint64_t values[COUNT];
    TtStats sum, more;
    for (int i = 0; i < COUNT; i++)
        values[i] = (uint64_t)i + 1;
    memcpy(&sum, values, sizeof sum);
    memcpy(&more, values, sizeof more);
    tt_stats_add(&sum, &more);
    memcpy(values, &sum, sizeof sum);
    for (int i = 0; i < COUNT; i++)
        ck_assert_uint_eq(values[i], 2 * ((uint64_t)i + 1));
}
END_TEST

START_TEST(statistics_add_up_field_by_field)
{
    TtStats sum = {.probes = 1, .cutoffs[BOUND_EXACT] = 7, .replaced_other = 5};
    const TtStats more = {.probes = 10, .hits = 3, .cutoffs[BOUND_EXACT] = 1, .replaced_other = 2};
    tt_stats_add(&sum, &more);
    ck_assert_uint_eq(sum.probes, 11);
    ck_assert_uint_eq(sum.hits, 3);
    ck_assert_uint_eq(sum.cutoffs[BOUND_EXACT], 8);
    ck_assert_uint_eq(sum.cutoffs[BOUND_LOWER], 0);
    ck_assert_uint_eq(sum.replaced_other, 7);
}
END_TEST

/* Returns a result whose fields all follow from key and depth, so that a reader recognises a
 * mixture of two stores. */
static TtData data_of_key(Key key, int depth)
{
    const uint64_t mix = (key + (uint64_t)depth + 1) * 0xD1342543DE82EF95u;
    return (TtData){
        .move = (Move)(1 + (mix >> 40) % 30),
        .score = (Score)(mix >> 20 & 63),
        .eval = (Score)(mix >> 30 & 63),
        .depth = depth,
        .bound = (Bound)(BOUND_UPPER + mix % 3),
        .was_pv = mix >> 50 & 1,
        .nodes = mix >> 54,
    };
}

typedef struct {
    uint64_t seed;
    uint64_t read, wrong;
    TtStats stats;
} StressThread;

static void *stress(void *arg)
{
    StressThread *const self = arg;
    Rng own;
    rng_seed(&own, self->seed);
    for (int i = 0; i < 400000; i++) {
        const Key key = key_in_slot((int)rng_below(&own, 2), (int)rng_below(&own, 4));
        const int depth = (int)rng_below(&own, 12);
        if (i & 1) {
            const TtData data = data_of_key(key, depth);
            tt_store(&tt, key, ROOT, &data, &self->stats);
            continue;
        }
        TtData out[2];
        const int n = tt_probe(&tt, key, ROOT, out, &self->stats);
        for (int e = 0; e < n; e++) {
            const TtData expected = data_of_key(key, out[e].depth);
            self->read++;
            self->wrong += !same_data(&out[e], &expected);
        }
    }
    return NULL;
}

START_TEST(two_threads_on_few_slots_read_no_torn_entry)
{
    StressThread stress_threads[2] = {{.seed = 1}, {.seed = 2}};
    Thread threads[2];
    tt.replacement = (Replacement)_i;
    for (int i = 0; i < 8; i++) {
        const TtData data = data_of_key(key_in_slot(i & 1, i / 2), 11);
        tt_store(&tt, key_in_slot(i & 1, i / 2), ROOT, &data, &stats);
    }
    tt_new_search(&tt); // then reads also refresh entries while stores run
    for (int i = 0; i < 2; i++)
        ck_assert(thread_start(&threads[i], stress, &stress_threads[i]));
    for (int i = 0; i < 2; i++)
        thread_join(&threads[i]);
    /* A torn entry belongs to no key and has a random size. Under Old and the Big schemes no other
     * entry may replace it until the next search. */
    const bool may_clog = tt.replacement == REPLACE_OLD || tt.replacement == REPLACE_BIG1 ||
                          tt.replacement == REPLACE_BIG_ALL || tt.replacement == REPLACE_TWO_BIG1;
    for (int i = 0; i < 2; i++) {
        if (!may_clog)
            ck_assert_uint_gt(stress_threads[i].read, 10000);
        ck_assert_uint_eq(stress_threads[i].wrong, 0);
    }
}
END_TEST

Suite *suite_tt(void);

static TCase *add_case(Suite *suite, const char *name)
{
    TCase *const tcase = tcase_create(name);
    tcase_add_checked_fixture(tcase, table_setup, table_teardown);
    tcase_set_timeout(tcase, 30);
    suite_add_tcase(suite, tcase);
    return tcase;
}

static void add_replacement_tests(TCase *tcase)
{
    tcase_add_test(tcase, the_first_level_is_replaced_by_equal_depth_but_not_by_less);
    tcase_add_test(tcase, both_entries_of_one_position_come_deeper_first);
    tcase_add_test(tcase, of_equal_depths_the_second_level_comes_first);
    tcase_add_test(tcase, a_store_without_a_move_keeps_the_old_move);
    tcase_add_test(tcase, quiescence_never_enters_the_first_level);
    tcase_add_test(tcase, a_bare_evaluation_replaces_no_current_bound);
    tcase_add_test(tcase, a_stale_entry_is_replaced_unless_it_was_read);
    tcase_add_test(tcase, without_refresh_a_read_entry_stays_stale);
    tcase_add_test(tcase, peek_returns_the_same_entries_and_changes_nothing);
    tcase_add_test(tcase, entry_stays_stale_for_31_searches);
}

/* What a proxy was asked. */
typedef struct {
    Key probed, stored;
    int ply, depth;
} ProxyCalls;

static int answer_probe(void *ctx, Key key, SearchPoint at, TtData out[2], TtStats *probe_stats)
{
    ProxyCalls *const calls = ctx;
    calls->probed = key;
    calls->ply = at.ply;
    probe_stats->probes += 10;
    out[0] = (TtData){.score = 77};
    return 1;
}

static void answer_store(void *ctx, Key key, SearchPoint at, const TtData *data,
                         TtStats *store_stats)
{
    ProxyCalls *const calls = ctx;
    calls->stored = key;
    calls->ply = at.ply;
    calls->depth = data->depth;
    store_stats->stores += 10;
}

START_TEST(a_proxy_answers_probes_and_stores_in_place_of_the_table)
{
    const SearchPoint at = {.ply = 3};
    const TtData data = {.score = 5, .depth = 6, .bound = BOUND_EXACT};
    const Key key = key_in_slot(4, 1);
    ProxyCalls calls = {0};
    const TtProxy proxy = {answer_probe, answer_store, &calls};
    TtData out[2];
    tt.replacement = REPLACE_BY_PROXY;
    tt.proxy = &proxy;
    tt_store(&tt, key, at, &data, &stats);
    ck_assert_uint_eq(calls.stored, key);
    ck_assert_int_eq(calls.depth, 6);
    ck_assert_int_eq(calls.ply, 3);
    calls.ply = 0;
    ck_assert_int_eq(tt_probe(&tt, key, at, out, &stats), 1);
    ck_assert_uint_eq(calls.probed, key);
    ck_assert_int_eq(calls.ply, 3);
    ck_assert_int_eq(out[0].score, 77);
    ck_assert_uint_eq(stats.probes, 10);
    ck_assert_uint_eq(stats.stores, 10);
    tt.replacement = REPLACE_TWO_DEEP;
    ck_assert_int_eq(table_probe(key, out), 0); // the table itself has stayed empty
}
END_TEST

Suite *suite_tt(void)
{
    Suite *const suite = suite_create("tt");
    add_replacement_tests(add_case(suite, "replacement"));
    TCase *const table = add_case(suite, "table");
    tcase_add_test(table, an_empty_table_finds_no_key);
    tcase_add_test(table, hashfull_counts_only_entries_of_this_search);
    tcase_add_test(table, contents_tell_levels_bounds_and_ages);
    tcase_add_test(table, contents_of_one_level_are_those_of_both_entries);
    tcase_add_test(table, contents_of_a_sample_come_from_the_whole_table);
    tcase_add_loop_test(table, clearing_removes_all_entries, 0, 2);
    tcase_add_test(table, the_untouched_parts_are_the_whole_table);
    tcase_add_test(table, resizing_removes_all_entries_and_keeps_the_settings);
    tcase_add_loop_test(table, resizing_by_positions_gives_exactly_that_number, 0, 5);
    tcase_add_test(table, entry_of_one_level_lies_in_the_slot);
    tcase_add_test(table, a_size_that_does_not_fit_is_halved_until_it_fits);
    tcase_add_loop_test(table, keys_spread_evenly_over_any_number_of_mib, 0, 4);
    tcase_add_test(table, every_counter_adds_up);
    tcase_add_test(table, statistics_add_up_field_by_field);
    tcase_add_test(table, a_proxy_answers_probes_and_stores_in_place_of_the_table);
    tcase_add_loop_test(add_case(suite, "threads"), two_threads_on_few_slots_read_no_torn_entry, 0,
                        REPLACEMENT_NB);
    return suite;
}
