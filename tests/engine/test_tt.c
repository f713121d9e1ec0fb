// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/tt.h"

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/thread.h"

static const SearchPoint ROOT = {.ply = 0, .rule50 = 0};

enum { SLOTS_PER_MIB = (1 << 20) / 32 };

static Tt tt;
static TtStats stats;
static Rng rng;

static void setup(void)
{
    tt = (Tt){0};
    stats = (TtStats){0};
    rng_seed(&rng, 20261103);
    ck_assert_uint_eq(tt_resize(&tt, 1), 1);
}

static void teardown(void)
{
    tt_free(&tt);
}

static int random_below(int n)
{
    return (int)rng_below(&rng, (uint64_t)n);
}

/* A key of the given slot of a 1 MiB table; `which` tells the slot's keys apart. */
static Key key_in_slot(int slot, int which)
{
    return (Key)slot << 49 | (Key)which * 0x123456789ABu;
}

static void store(Key key, Move move, Score score, int depth, Bound bound)
{
    const TtData data = {
        .move = move, .score = score, .eval = 20, .depth = depth, .bound = bound, .nodes = 1};
    tt_store(&tt, key, ROOT, &data, &stats);
}

static void store_evaluation(Key key, Score eval)
{
    const TtData data = {.score = SCORE_NONE, .eval = eval, .bound = BOUND_NONE};
    tt_store(&tt, key, ROOT, &data, &stats);
}

static int probe(Key key, TtData out[2])
{
    return tt_probe(&tt, key, ROOT, out, &stats);
}

static bool same_data(const TtData *a, const TtData *b)
{
    return a->move == b->move && a->score == b->score && a->eval == b->eval &&
           a->depth == b->depth && a->bound == b->bound && a->was_pv == b->was_pv &&
           a->nodes == b->nodes;
}

START_TEST(empty_table_knows_no_key)
{
    TtData out[2];
    for (int which = 0; which < 100; which++)
        ck_assert_int_eq(probe(key_in_slot(which, which), out), 0);
    tt_new_search(&tt);
    ck_assert_int_eq(probe(0, out), 0); // its check looks like that of an empty entry
    ck_assert_uint_eq(stats.probes, 101);
    ck_assert_uint_eq(stats.hits, 0);
}
END_TEST

START_TEST(every_field_comes_back)
{
    for (int i = 0; i < 100000; i++) {
        const Key key = rng_next(&rng);
        const Bound bound = (Bound)random_below(4);
        const TtData data = {
            .move = (Move)rng_next(&rng),
            .score =
                bound == BOUND_NONE ? SCORE_NONE : random_below(2 * SCORE_MATE + 1) - SCORE_MATE,
            .eval =
                random_below(8) == 0 ? SCORE_NONE : score_clamp_eval(random_below(40001) - 20000),
            .depth = random_below(256),
            .bound = bound,
            .was_pv = random_below(2),
            .nodes = rng_below(&rng, 2048),
        };
        tt_clear_slice(&tt, (int)(key >> 60), 16);
        tt_store(&tt, key, ROOT, &data, &stats);
        TtData expected = data, out[2];
        expected.score = score_from_table(data.score, 0, 0);
        ck_assert_int_eq(probe(key, out), 1);
        ck_assert(same_data(&out[0], &expected));
        if (i % 1000 == 0)
            tt_new_search(&tt);
    }
}
END_TEST

START_TEST(mate_is_counted_from_the_root_of_the_reader)
{
    static const int PLIES[] = {0, 1, 2, 17, 90, 140};
    enum { DISTANCE = 13, COUNT = sizeof PLIES / sizeof PLIES[0] };
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++) {
            const TtData data = {.score = score_mated_in(PLIES[i] + DISTANCE),
                                 .eval = SCORE_NONE,
                                 .depth = 5,
                                 .bound = BOUND_UPPER};
            TtData out[2];
            tt_store(&tt, 77, (SearchPoint){PLIES[i], 0}, &data, &stats);
            const int n = tt_probe(&tt, 77, (SearchPoint){PLIES[j], 40}, out, &stats);
            ck_assert_int_eq(n, 1);
            ck_assert_int_eq(out[0].score, score_mated_in(PLIES[j] + DISTANCE));
            ck_assert_int_eq(out[0].eval, SCORE_NONE);
        }
}
END_TEST

START_TEST(mate_beyond_the_fifty_move_rule_is_read_as_unproven)
{
    TtData out[2];
    store(5, 100, score_mate_in(31), 9, BOUND_LOWER);
    tt_probe(&tt, 5, (SearchPoint){.ply = 3, .rule50 = 69}, out, &stats);
    ck_assert_int_eq(out[0].score, score_mate_in(34));
    tt_probe(&tt, 5, (SearchPoint){.ply = 3, .rule50 = 70}, out, &stats);
    ck_assert_int_eq(out[0].score, SCORE_EVAL_MAX);
}
END_TEST

START_TEST(evaluation_alone_has_no_score)
{
    TtData out[2];
    for (int ply = 0; ply < 200; ply += 50) {
        const TtData data = {.score = 0, .eval = -321, .bound = BOUND_NONE};
        tt_store(&tt, 9, (SearchPoint){ply, 50}, &data, &stats);
        ck_assert_int_eq(tt_probe(&tt, 9, (SearchPoint){ply, 50}, out, &stats), 1);
        ck_assert_int_eq(out[0].score, SCORE_NONE);
        ck_assert_int_eq(out[0].eval, -321);
        ck_assert_int_eq(out[0].bound, BOUND_NONE);
    }
}
END_TEST

START_TEST(subtree_size_is_kept_within_a_thousandth)
{
    double worst = 0;
    for (int i = 0; i < 300000; i++) {
        const uint64_t nodes = (rng_next(&rng) | 1ull << 63) >> (1 + i % 63);
        const TtData data = {.bound = BOUND_EXACT, .depth = 1, .nodes = nodes};
        TtData out[2];
        tt_store(&tt, 3, ROOT, &data, &stats);
        probe(3, out);
        const double error = (double)out[0].nodes / (double)nodes - 1;
        worst = error > worst ? error : -error > worst ? -error : worst;
        if (nodes < 2048)
            ck_assert_uint_eq(out[0].nodes, nodes);
    }
    ck_assert_double_lt(worst, 0.001);
}
END_TEST

typedef struct {
    uint64_t lock, data;
} Words;

static Words entry_words(TtEntry *entry)
{
    return (Words){atomic_load(&entry->lock), atomic_load(&entry->data)};
}

static void set_words(TtEntry *entry, uint64_t lock, uint64_t data)
{
    atomic_store(&entry->lock, lock);
    atomic_store(&entry->data, data);
}

/* The words of a result such as searches of one position leave: one evaluation, few moves, scores
 * near each other. */
static Words realistic_words(Key key)
{
    TtSlot *const slot = tt_slot(&tt, key);
    set_words(&slot->deep, 0, 0);
    set_words(&slot->recent, 0, 0);
    const TtData data = {
        .move =
            random_below(4) == 0 ? MOVE_NONE : move_make(A1 + random_below(40), F3, KIND_NORMAL),
        .score = random_below(16) == 0 ? score_mate_in(random_below(20)) : random_below(80) - 30,
        .eval = 35,
        .depth = 1 + random_below(20),
        .bound = (Bound)(BOUND_UPPER + random_below(3)),
        .was_pv = random_below(4) == 0,
        .nodes = rng_below(&rng, 1u << random_below(24)),
    };
    tt_store(&tt, key, ROOT, &data, &stats);
    return entry_words(&slot->deep);
}

START_TEST(torn_entry_of_one_position_is_a_miss)
{
    enum { COUNT = 3000 };
    static Words words[COUNT];
    const Key key = rng_next(&rng);
    for (int i = 0; i < COUNT; i++)
        words[i] = realistic_words(key);
    TtSlot *const slot = tt_slot(&tt, key);
    long torn = 0, accepted = 0;
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++) {
            if (words[i].data == words[j].data)
                continue;
            TtData out[2];
            set_words(&slot->deep, words[i].lock, words[j].data);
            accepted += probe(key, out);
            torn++;
        }
    ck_assert_int_gt(torn, 8000000);
    ck_assert_int_eq(accepted, 0);
}
END_TEST

START_TEST(torn_entry_of_two_positions_is_a_miss_for_both)
{
    for (int i = 0; i < 300000; i++) {
        const int shift = random_below(40); // neighbours in the tree share high or low key bits
        const Key a = rng_next(&rng) & ~0xFFFFull << shift, b = a | 1ull << shift;
        const Words of_a = realistic_words(a), of_b = realistic_words(b);
        TtData out[2];
        set_words(&tt_slot(&tt, a)->deep, of_a.lock, of_b.data);
        ck_assert_int_eq(probe(a, out), of_a.data == of_b.data);
        ck_assert_int_eq(probe(b, out), 0);
    }
}
END_TEST

/* The laboratory's short checks must not be blind to the fields at the top of the word. */
START_TEST(torn_move_shows_in_a_short_check)
{
    enum { COUNT = 300 };
    static Words words[COUNT];
    tt.check_mask = 0xFFFF;
    TtSlot *const slot = tt_slot(&tt, 5);
    for (int i = 0; i < COUNT; i++) {
        store(5, (Move)(i * 211), 30, 6, BOUND_EXACT);
        words[i] = entry_words(&slot->deep);
        set_words(&slot->deep, 0, 0);
    }
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++) {
            TtData out[2];
            set_words(&slot->deep, words[i].lock, words[j].data);
            ck_assert_int_eq(probe(5, out), i == j);
        }
}
END_TEST

START_TEST(check_mask_decides_which_key_bits_count)
{
    TtData out[2];
    store(key_in_slot(1, 0) | 0xABCD12, 100, 5, 5, BOUND_EXACT);
    ck_assert_int_eq(probe(key_in_slot(1, 0) | 0xFFFF12, out), 0);
    tt.check_mask = 0xFF;
    ck_assert_int_eq(probe(key_in_slot(1, 0) | 0xFFFF12, out), 1);
    ck_assert_int_eq(probe(key_in_slot(1, 0) | 0xFFFF13, out), 0);
}
END_TEST

START_TEST(every_one_of_48_key_bits_is_checked)
{
    TtData out[2];
    store(0, 100, 5, 5, BOUND_EXACT);
    for (int bit = 0; bit < 48; bit++)
        ck_assert_int_eq(probe(1ull << bit, out), 0);
}
END_TEST

START_TEST(deep_yields_to_the_same_depth_but_not_to_less)
{
    const Key a = key_in_slot(4, 1), b = key_in_slot(4, 2), c = key_in_slot(4, 3);
    TtData out[2];
    store(a, 1, 10, 6, BOUND_EXACT);
    store(b, 2, 10, 5, BOUND_EXACT);
    ck_assert_int_eq(probe(a, out) + probe(b, out), 2);
    store(c, 3, 10, 6, BOUND_EXACT);
    ck_assert_int_eq(probe(a, out), 0);
    ck_assert_int_eq(probe(b, out) + probe(c, out), 2);
}
END_TEST

START_TEST(both_entries_of_one_position_come_deeper_first)
{
    const Key key = key_in_slot(4, 1);
    TtData out[2];
    store(key, 1, 10, 6, BOUND_EXACT);
    store(key, 2, 20, 3, BOUND_LOWER);
    ck_assert_int_eq(probe(key, out), 2);
    ck_assert_int_eq(out[0].depth, 6);
    ck_assert_int_eq(out[1].depth, 3);
    ck_assert_uint_eq(stats.double_hits, 1);
    ck_assert_uint_eq(stats.two_moves, 1);
    /* Unread in the next search, *deep* yields to less than *recent* holds. */
    tt_new_search(&tt);
    store(key, 1, 30, 1, BOUND_EXACT);
    ck_assert_int_eq(probe(key, out), 2);
    ck_assert_int_eq(out[0].depth, 3);
    ck_assert_int_eq(out[1].depth, 1);
}
END_TEST

START_TEST(of_equal_depths_the_recent_comes_first)
{
    const Key key = key_in_slot(4, 1), other = key_in_slot(4, 2);
    TtData out[2];
    store(other, 9, 0, 8, BOUND_EXACT);
    store(key, 1, 10, 4, BOUND_EXACT); // *deep* is taken: to *recent*
    tt_new_search(&tt);
    store(key, 1, 20, 4, BOUND_EXACT); // *deep* is stale
    ck_assert_int_eq(probe(key, out), 2);
    ck_assert_int_eq(out[0].score, 10);
    ck_assert_int_eq(out[1].score, 20);
    ck_assert_uint_eq(stats.two_moves, 0);
}
END_TEST

START_TEST(store_without_a_move_keeps_the_known_one)
{
    const Key key = key_in_slot(6, 1), other = key_in_slot(6, 2);
    TtData out[2];
    store(key, 11, 10, 5, BOUND_LOWER);
    store(key, MOVE_NONE, 0, 7, BOUND_UPPER); // over it, in *deep*
    ck_assert_int_eq(probe(key, out), 1);
    ck_assert_int_eq(out[0].depth, 7);
    ck_assert_int_eq(out[0].move, 11);
    store(key, MOVE_NONE, 0, 3, BOUND_UPPER); // beside it, in *recent*
    ck_assert_int_eq(probe(key, out), 2);
    ck_assert_int_eq(out[1].move, 11);
    store(key, 22, 0, 3, BOUND_LOWER);
    store(key, MOVE_NONE, 0, 4, BOUND_UPPER); // each its own
    ck_assert_int_eq(probe(key, out), 2);
    ck_assert_int_eq(out[0].move, 11);
    ck_assert_int_eq(out[1].move, 22);
    store(other, MOVE_NONE, 0, 4, BOUND_UPPER); // but not another position's
    ck_assert_int_eq(probe(other, out), 1);
    ck_assert_int_eq(out[0].move, MOVE_NONE);
}
END_TEST

START_TEST(quiescence_never_enters_deep)
{
    const Key key = key_in_slot(6, 1);
    store(key, 5, 10, 0, BOUND_EXACT);
    ck_assert_uint_eq(entry_words(&tt_slot(&tt, key)->deep).data, 0);
    ck_assert_uint_ne(entry_words(&tt_slot(&tt, key)->recent).data, 0);
    store(key_in_slot(6, 2), 5, 10, 4, BOUND_EXACT); // to *deep*
    store(key_in_slot(6, 3), 5, 10, 3, BOUND_EXACT); // to *recent*
    store(key, 5, 10, 0, BOUND_EXACT);               // always written
    TtData out[2];
    ck_assert_int_eq(probe(key, out), 1);
    ck_assert_int_eq(probe(key_in_slot(6, 2), out), 1);
    ck_assert_int_eq(probe(key_in_slot(6, 3), out), 0);
}
END_TEST

START_TEST(evaluation_alone_displaces_no_fresh_bound)
{
    const Key deep = key_in_slot(6, 1), bound = key_in_slot(6, 2), bare = key_in_slot(6, 3);
    TtData out[2];
    store(deep, 5, 10, 4, BOUND_EXACT);
    store(bound, 5, 10, 2, BOUND_LOWER);
    store_evaluation(bare, 77); // *recent* is worth more
    ck_assert_int_eq(probe(bare, out), 0);
    ck_assert_int_eq(probe(bound, out), 1);
    ck_assert_uint_eq(stats.stores, 2);
    tt_new_search(&tt);
    probe(deep, out);
    store_evaluation(bare, 77); // now *recent* is stale
    ck_assert_int_eq(probe(bare, out), 1);
    store_evaluation(bound, 78); // and now without a bound
    ck_assert_int_eq(probe(bound, out), 1);
    ck_assert_int_eq(out[0].eval, 78);
    store_evaluation(deep, 79); // *deep* knows it already
    ck_assert_int_eq(probe(deep, out), 1);
    ck_assert_int_eq(out[0].eval, 20);
}
END_TEST

START_TEST(stale_entry_yields_unless_it_was_read)
{
    const Key read = key_in_slot(2, 1), unread = key_in_slot(3, 1);
    TtData out[2];
    store(read, 1, 10, 9, BOUND_EXACT);
    store(unread, 1, 10, 9, BOUND_EXACT);
    tt_new_search(&tt);
    ck_assert_int_eq(probe(read, out), 1);
    ck_assert_uint_eq(stats.refreshes, 1);
    ck_assert_int_eq(probe(read, out), 1);
    ck_assert_uint_eq(stats.refreshes, 1);
    store(key_in_slot(2, 2), 1, 10, 1, BOUND_EXACT);
    store(key_in_slot(3, 2), 1, 10, 1, BOUND_EXACT);
    ck_assert_int_eq(probe(read, out), 1);
    ck_assert_int_eq(out[0].depth, 9);
    ck_assert_int_eq(probe(unread, out), 0);
    ck_assert_uint_eq(stats.replaced_stale, 1);
}
END_TEST

START_TEST(entry_stays_stale_for_31_searches)
{
    const Key old = key_in_slot(2, 1), new = key_in_slot(2, 2);
    TtData out[2];
    for (int searches = 1; searches <= 31; searches++) {
        tt_clear(&tt);
        store(old, 1, 10, 9, BOUND_EXACT);
        for (int i = 0; i < searches; i++)
            tt_new_search(&tt);
        store(new, 1, 10, 1, BOUND_EXACT);
        ck_assert_int_eq(probe(old, out), 0);
    }
}
END_TEST

START_TEST(hashfull_counts_this_search_only)
{
    ck_assert_int_eq(tt_hashfull(&tt), 0);
    for (int slot = 0; slot < SLOTS_PER_MIB; slot += 2) {
        store(key_in_slot(slot, 1), 1, 10, 5, BOUND_EXACT);
        store(key_in_slot(slot, 2), 1, 10, 4, BOUND_EXACT);
    }
    ck_assert_int_eq(tt_hashfull(&tt), 500);
    tt_new_search(&tt);
    ck_assert_int_eq(tt_hashfull(&tt), 0);
    TtData out[2];
    for (int slot = 0; slot < SLOTS_PER_MIB; slot += 2)
        probe(key_in_slot(slot, 1), out);
    ck_assert_int_eq(tt_hashfull(&tt), 250);
}
END_TEST

START_TEST(clearing_forgets_everything)
{
    TtData out[2];
    store(key_in_slot(0, 1), 1, 10, 5, BOUND_EXACT);
    store(~0ull, 1, 10, 5, BOUND_EXACT);
    tt_clear(&tt);
    ck_assert_int_eq(probe(key_in_slot(0, 1), out), 0);
    ck_assert_int_eq(probe(~0ull, out), 0);
}
END_TEST

START_TEST(slices_clear_the_table_between_them)
{
    enum { THREADS = 7 };
    TtData out[2];
    for (int slot = 0; slot < SLOTS_PER_MIB; slot++)
        store(key_in_slot(slot, 1), 1, 10, 5, BOUND_EXACT);
    for (int i = 0; i < THREADS; i++) {
        int left = 0;
        for (int slot = 0; slot < SLOTS_PER_MIB; slot++)
            left += probe(key_in_slot(slot, 1), out);
        ck_assert_int_le(abs(left - SLOTS_PER_MIB * (THREADS - i) / THREADS), THREADS);
        tt_clear_slice(&tt, i, THREADS);
    }
    for (int slot = 0; slot < SLOTS_PER_MIB; slot++)
        ck_assert_int_eq(probe(key_in_slot(slot, 1), out), 0);
}
END_TEST

START_TEST(resizing_forgets_and_keeps_scheme_and_mask)
{
    TtData out[2];
    store(~0ull, 1, 10, 5, BOUND_EXACT);
    tt.check_mask = 0xFFFF;
    ck_assert_uint_eq(tt_resize(&tt, 3), 3);
    ck_assert_int_eq(probe(~0ull, out), 0);
    ck_assert_uint_eq(tt.slot_count, 3 * SLOTS_PER_MIB);
    ck_assert_uint_eq(tt.check_mask, 0xFFFF);
    ck_assert_uint_eq((uintptr_t)tt.slots % 64, 0);
    tt_free(&tt);
    ck_assert_ptr_null(tt.slots);
    ck_assert_uint_eq(tt_resize(&tt, 1), 1);
}
END_TEST

START_TEST(greatest_size_is_halved_until_it_fits)
{
    const uint64_t mib = tt_resize(&tt, 33554432);
    ck_assert_uint_ge(mib, 1);
    ck_assert_uint_eq(33554432 % mib, 0);
    ck_assert_uint_eq(tt.slot_count, mib * SLOTS_PER_MIB);
    ck_assert_uint_eq(tt.bytes, mib << 20);
    TtData out[2];
    store(~0ull, 1, 10, 5, BOUND_EXACT);
    ck_assert_int_eq(probe(~0ull, out), 1);
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

/* A result whose every field follows from key and depth, so that a reader can tell whether all of
 * it is of one store. */
static TtData telltale(Key key, int depth)
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
} Hammer;

static void *hammer(void *arg)
{
    Hammer *const self = arg;
    Rng own;
    rng_seed(&own, self->seed);
    for (int i = 0; i < 400000; i++) {
        const Key key = key_in_slot((int)rng_below(&own, 2), (int)rng_below(&own, 4));
        const int depth = (int)rng_below(&own, 12);
        if (i & 1) {
            const TtData data = telltale(key, depth);
            tt_store(&tt, key, ROOT, &data, &self->stats);
            continue;
        }
        TtData out[2];
        const int n = tt_probe(&tt, key, ROOT, out, &self->stats);
        for (int e = 0; e < n; e++) {
            const TtData expected = telltale(key, out[e].depth);
            self->read++;
            self->wrong += !same_data(&out[e], &expected);
        }
    }
    return NULL;
}

START_TEST(two_threads_on_a_few_slots_read_no_mixture)
{
    Hammer hammers[2] = {{.seed = 1}, {.seed = 2}};
    Thread threads[2];
    for (int i = 0; i < 8; i++) {
        const TtData data = telltale(key_in_slot(i & 1, i / 2), 11);
        tt_store(&tt, key_in_slot(i & 1, i / 2), ROOT, &data, &stats);
    }
    tt_new_search(&tt); // so that refreshes, too, run against stores
    for (int i = 0; i < 2; i++)
        ck_assert(thread_start(&threads[i], hammer, &hammers[i]));
    for (int i = 0; i < 2; i++)
        thread_join(&threads[i]);
    for (int i = 0; i < 2; i++) {
        ck_assert_uint_gt(hammers[i].read, 10000);
        ck_assert_uint_eq(hammers[i].wrong, 0);
    }
}
END_TEST

Suite *suite_tt(void);

static TCase *add_case(Suite *suite, const char *name)
{
    TCase *const tcase = tcase_create(name);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 30);
    suite_add_tcase(suite, tcase);
    return tcase;
}

static void add_entry_tests(TCase *tcase)
{
    tcase_add_test(tcase, empty_table_knows_no_key);
    tcase_add_test(tcase, every_field_comes_back);
    tcase_add_test(tcase, mate_is_counted_from_the_root_of_the_reader);
    tcase_add_test(tcase, mate_beyond_the_fifty_move_rule_is_read_as_unproven);
    tcase_add_test(tcase, evaluation_alone_has_no_score);
    tcase_add_test(tcase, subtree_size_is_kept_within_a_thousandth);
    tcase_add_test(tcase, torn_entry_of_one_position_is_a_miss);
    tcase_add_test(tcase, torn_entry_of_two_positions_is_a_miss_for_both);
    tcase_add_test(tcase, torn_move_shows_in_a_short_check);
    tcase_add_test(tcase, check_mask_decides_which_key_bits_count);
    tcase_add_test(tcase, every_one_of_48_key_bits_is_checked);
}

static void add_replacement_tests(TCase *tcase)
{
    tcase_add_test(tcase, deep_yields_to_the_same_depth_but_not_to_less);
    tcase_add_test(tcase, both_entries_of_one_position_come_deeper_first);
    tcase_add_test(tcase, of_equal_depths_the_recent_comes_first);
    tcase_add_test(tcase, store_without_a_move_keeps_the_known_one);
    tcase_add_test(tcase, quiescence_never_enters_deep);
    tcase_add_test(tcase, evaluation_alone_displaces_no_fresh_bound);
    tcase_add_test(tcase, stale_entry_yields_unless_it_was_read);
    tcase_add_test(tcase, entry_stays_stale_for_31_searches);
}

Suite *suite_tt(void)
{
    Suite *const suite = suite_create("tt");
    add_entry_tests(add_case(suite, "entries"));
    add_replacement_tests(add_case(suite, "replacement"));
    TCase *const table = add_case(suite, "table");
    tcase_add_test(table, hashfull_counts_this_search_only);
    tcase_add_test(table, clearing_forgets_everything);
    tcase_add_test(table, slices_clear_the_table_between_them);
    tcase_add_test(table, resizing_forgets_and_keeps_scheme_and_mask);
    tcase_add_test(table, greatest_size_is_halved_until_it_fits);
    tcase_add_loop_test(table, keys_spread_evenly_over_any_number_of_mib, 0, 4);
    tcase_add_test(table, statistics_add_up_field_by_field);
    tcase_add_test(add_case(suite, "threads"), two_threads_on_a_few_slots_read_no_mixture);
    return suite;
}
