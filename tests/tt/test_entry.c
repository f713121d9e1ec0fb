// SPDX-License-Identifier: GPL-3.0-or-later
/* Entries return what was stored, and torn or damaged entries are misses. */
#include "tt/entry.h"

#include <check.h>
#include <string.h>

#include "tt/table_fixture.h"

static void set_words(TtEntry *entry, uint64_t lock, uint64_t data)
{
    entry_write(entry, (EntryWords){.lock = lock, .data = data});
}

START_TEST(every_field_is_read_back)
{
    for (int i = 0; i < 30000; i++) {
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
        memset(tt_slot(&tt, key), 0, sizeof(TtSlot));
        tt_store(&tt, key, ROOT, &data, &stats);
        const TtData expected = data_read_at(data, ROOT);
        TtData out[2];
        ck_assert_int_eq(table_probe(key, out), 1);
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

START_TEST(a_mate_beyond_the_fifty_move_rule_is_read_without_its_bound)
{
    TtData out[2];
    table_store(5, 100, score_mate_in(31), 9, BOUND_LOWER);
    tt_probe(&tt, 5, (SearchPoint){.ply = 3, .rule50 = 69}, out, &stats);
    ck_assert_int_eq(out[0].score, score_mate_in(34));
    ck_assert_int_eq(out[0].bound, BOUND_LOWER);
    tt_probe(&tt, 5, (SearchPoint){.ply = 3, .rule50 = 70}, out, &stats);
    ck_assert_int_eq(out[0].score, SCORE_NONE);
    ck_assert_int_eq(out[0].bound, BOUND_NONE);
    ck_assert_uint_eq(out[0].move, 100);
}
END_TEST

START_TEST(a_bare_evaluation_has_no_score)
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

START_TEST(the_subtree_size_is_kept_within_one_per_mille)
{
    double worst = 0;
    for (int i = 0; i < 300000; i++) {
        const uint64_t nodes = (rng_next(&rng) | 1ull << 63) >> (1 + i % 63);
        const TtData data = {.bound = BOUND_EXACT, .depth = 1, .nodes = nodes};
        TtData out[2];
        tt_store(&tt, 3, ROOT, &data, &stats);
        table_probe(3, out);
        const double error = (double)out[0].nodes / (double)nodes - 1;
        worst = error > worst ? error : -error > worst ? -error : worst;
        if (nodes < 2048)
            ck_assert_uint_eq(out[0].nodes, nodes);
    }
    ck_assert_double_lt(worst, 0.001);
}
END_TEST

/* Returns the words of a typical result: results of one position have one evaluation, few moves and
 * similar scores. */
static EntryWords realistic_words(Key key)
{
    TtSlot *const slot = tt_slot(&tt, key);
    set_words(&slot->first, 0, 0);
    set_words(&slot->second, 0, 0);
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
    return entry_read(&slot->first);
}

START_TEST(torn_entry_of_one_position_is_a_miss)
{
    enum { COUNT = 3000 };
    static EntryWords words[COUNT];
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
            set_words(&slot->first, words[i].lock, words[j].data);
            accepted += table_probe(key, out);
            torn++;
        }
    ck_assert_int_gt(torn, 8000000);
    ck_assert_int_eq(accepted, 0);
}
END_TEST

START_TEST(torn_entry_of_two_positions_is_a_miss_for_both)
{
    for (int i = 0; i < 100000; i++) {
        const int shift = random_below(40); // neighbours in the tree share high or low key bits
        const Key a = rng_next(&rng) & ~0xFFFFull << shift, b = a | 1ull << shift;
        const EntryWords of_a = realistic_words(a), of_b = realistic_words(b);
        TtData out[2];
        set_words(&tt_slot(&tt, a)->first, of_a.lock, of_b.data);
        ck_assert_int_eq(table_probe(a, out), of_a.data == of_b.data);
        ck_assert_int_eq(table_probe(b, out), 0);
    }
}
END_TEST

/* The short checks of the laboratory must depend on the highest fields of the word, too. */
START_TEST(a_torn_move_is_detected_by_a_short_check)
{
    enum { COUNT = 300 };
    static EntryWords words[COUNT];
    tt.check_mask = 0xFFFF;
    TtSlot *const slot = tt_slot(&tt, 5);
    for (int i = 0; i < COUNT; i++) {
        table_store(5, (Move)(i * 211), 30, 6, BOUND_EXACT);
        words[i] = entry_read(&slot->first);
        set_words(&slot->first, 0, 0);
    }
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++) {
            TtData out[2];
            set_words(&slot->first, words[i].lock, words[j].data);
            ck_assert_int_eq(table_probe(5, out), i == j);
        }
}
END_TEST

START_TEST(check_mask_decides_which_key_bits_count)
{
    static const Replacement SCHEMES[] = {REPLACE_THOMPSON, REPLACE_NEW};
    const Key stored = key_in_slot(1, 0) | 0xABCD12, other = key_in_slot(1, 0) | 0xFFFF12;
    TtData out[2];
    tt.replacement = SCHEMES[_i];
    table_store(stored, 100, 5, 5, BOUND_EXACT);
    ck_assert_int_eq(table_probe(other, out), 0);
    ck_assert_uint_eq(stats.foreign, 0); // not counted in play
    tt.check_mask = 0xFF;
    ck_assert_int_eq(table_probe(other, out), 1);
    ck_assert_int_eq(table_probe(other + 1, out), 0);
    ck_assert_int_eq(table_probe(stored, out), 1);
    ck_assert_uint_eq(stats.foreign, 2);
    ck_assert_uint_eq(stats.false_hits, 1);
}
END_TEST

START_TEST(every_one_of_48_key_bits_is_checked)
{
    TtData out[2];
    table_store(0, 100, 5, 5, BOUND_EXACT);
    for (int bit = 0; bit < 48; bit++)
        ck_assert_int_eq(table_probe(1ull << bit, out), 0);
}
END_TEST

START_TEST(tt_record_restores_the_whole_key)
{
    static const int SIZES[] = {2, 3, 16};
    ck_assert_uint_eq(tt_resize(&tt, (uint64_t)SIZES[_i]), (uint64_t)SIZES[_i]);
    for (int i = 0; i < 30000; i++) {
        const Key key = rng_next(&rng);
        TtSlot *const slot = tt_slot(&tt, key);
        TtEntry *entry = &slot->first;
        tt.replacement = i % 2 == 0 ? REPLACE_THOMPSON : REPLACE_NEW;
        if (i % 2 != 0)
            entry = tt_entry(&tt, key);
        set_words(entry, 0, 0);
        table_store(key, 7, -40, 3, BOUND_EXACT);
        TtRecord record;
        const uint64_t index = 2 * (uint64_t)(slot - tt.slots) + (entry == &slot->second);
        ck_assert_int_eq(tt_record(&tt, index, &record), TT_RECORD_CURRENT);
        ck_assert(record.key_is_whole);
        ck_assert_uint_eq(record.key, key);
        ck_assert_int_eq(record.data.score, -40);
        tt_new_search(&tt);
        ck_assert_int_eq(tt_record(&tt, index, &record), TT_RECORD_STALE);
    }
}
END_TEST

/* A hash file with such a result would be refused. */
START_TEST(tt_record_detects_an_impossible_score)
{
    TtRecord record;
    table_store(key_in_slot(5, 1), 7, SCORE_MATE + 1, 3, BOUND_EXACT);
    ck_assert_int_eq(tt_record(&tt, 2 * 5, &record), TT_RECORD_DAMAGED);
}
END_TEST

START_TEST(tt_record_detects_most_damage)
{
    enum { COUNT = 10000 };
    ck_assert_uint_eq(tt_resize(&tt, 64),
                      64); // random check bits belong to a given slot with probability 1/32
    TtRecord record;
    int detected = 0;
    for (int i = 0; i < COUNT; i++) {
        const Key key = rng_next(&rng);
        TtSlot *const slot = tt_slot(&tt, key);
        set_words(&slot->first, 0, 0);
        table_store(key, 7, -40, 3, BOUND_EXACT);
        const EntryWords words = entry_read(&slot->first);
        set_words(&slot->first, words.lock, words.data ^ 1ull << (5 + random_below(59)));
        detected += tt_record(&tt, 2 * (uint64_t)(slot - tt.slots), &record) == TT_RECORD_DAMAGED;
    }
    ck_assert_int_gt(detected, COUNT * 95 / 100);
    ck_assert_int_eq(tt_record(&tt, 2 * tt.slot_count - 1, &record), TT_RECORD_EMPTY);
}
END_TEST

Suite *suite_entry(void);

Suite *suite_entry(void)
{
    Suite *const suite = suite_create("entry");
    TCase *const tcase = tcase_create("words");
    tcase_add_checked_fixture(tcase, table_setup, table_teardown);
    tcase_set_timeout(tcase, 30);
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, every_field_is_read_back);
    tcase_add_test(tcase, mate_is_counted_from_the_root_of_the_reader);
    tcase_add_test(tcase, a_mate_beyond_the_fifty_move_rule_is_read_without_its_bound);
    tcase_add_test(tcase, a_bare_evaluation_has_no_score);
    tcase_add_test(tcase, the_subtree_size_is_kept_within_one_per_mille);
    tcase_add_test(tcase, torn_entry_of_one_position_is_a_miss);
    tcase_add_test(tcase, torn_entry_of_two_positions_is_a_miss_for_both);
    tcase_add_test(tcase, a_torn_move_is_detected_by_a_short_check);
    tcase_add_loop_test(tcase, check_mask_decides_which_key_bits_count, 0, 2);
    tcase_add_test(tcase, every_one_of_48_key_bits_is_checked);
    tcase_add_loop_test(tcase, tt_record_restores_the_whole_key, 0, 3);
    tcase_add_test(tcase, tt_record_detects_an_impossible_score);
    tcase_add_test(tcase, tt_record_detects_most_damage);
    return suite;
}
