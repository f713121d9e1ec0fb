// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>

#include "base/thread.h"
#include "lab/torn.h"

START_TEST(a_version_is_whole_for_its_key_and_wrong_for_another)
{
    for (int key = 0; key < TORN_KEYS; key++) {
        for (int version = 0; version < TORN_VERSIONS; version++) {
            TtData data = torn_version(key, version);
            ck_assert_int_eq(torn_judge(key, &data), TORN_WHOLE);
            ck_assert_int_eq(torn_judge((key + TORN_PLACES) % TORN_KEYS, &data), TORN_WRONG);
            data.nodes++;
            ck_assert_int_eq(torn_judge(key, &data), TORN_SIZE_ONLY);
            data.depth++;
            ck_assert_int_ne(torn_judge(key, &data), TORN_WHOLE);
        }
    }
}
END_TEST

START_TEST(keys_equal_modulo_places_share_a_slot)
{
    TornTable table;
    ck_assert(torn_create(&table, TORN_FOLDED));
    for (int key = 0; key < TORN_KEYS; key++) {
        const TtSlot *const slot = tt_slot(&table.tt, torn_key(key));
        ck_assert_ptr_eq(slot, tt_slot(&table.tt, torn_key((key + TORN_PLACES) % TORN_KEYS)));
        ck_assert_ptr_ne(slot, tt_slot(&table.tt, torn_key((key + 1) % TORN_KEYS)));
    }
    torn_destroy(&table);
}
END_TEST

START_TEST(one_thread_reads_only_whole_entries)
{
    const TornLock lock = _i;
    TornTable table;
    ck_assert(torn_create(&table, lock));
    TtStats stats = {0};
    for (int version = 0; version < TORN_VERSIONS; version++) {
        TtData out[2];
        torn_store(&table, version % TORN_KEYS, version, &stats);
        const int count = torn_probe(&table, version % TORN_KEYS, out, &stats);
        ck_assert_int_ge(count, 1);
        for (int i = 0; i < count; i++)
            ck_assert_int_eq(torn_judge(version % TORN_KEYS, &out[i]), TORN_WHOLE);
    }
    torn_destroy(&table);
}
END_TEST

START_TEST(the_folded_lock_rejects_every_pair_torn_by_hand)
{
    TornTable table;
    ck_assert(torn_create(&table, TORN_FOLDED));
    const TornByHand torn = torn_by_hand(&table);
    torn_destroy(&table);
    ck_assert_uint_gt(torn.pairs, 1000000);
    for (int verdict = TORN_WHOLE; verdict <= TORN_WRONG; verdict++)
        ck_assert_uint_eq(torn.accepted[verdict], 0);
}
END_TEST

START_TEST(the_simple_locks_accept_torn_pairs)
{
    TornTable table;
    ck_assert(torn_create(&table, TORN_XOR));
    TornByHand torn = torn_by_hand(&table);
    ck_assert_uint_gt(torn.accepted[TORN_SIZE_ONLY], 0);
    torn_destroy(&table);
    ck_assert(torn_create(&table, TORN_BARE));
    torn = torn_by_hand(&table);
    ck_assert_uint_gt(torn.accepted[TORN_WRONG], torn.pairs / 3);
    torn_destroy(&table);
}
END_TEST

/* One thread that stores and reads. */
typedef struct {
    TornTable *table;
    int first;
    uint64_t torn;
} StressThread;

static void *run_stress(void *arg)
{
    StressThread *const self = arg;
    TtStats stats = {0};
    for (int i = 0; i < 400000; i++) {
        TtData out[2];
        const int key = (i * 7 + self->first) % TORN_KEYS;
        torn_store(self->table, key, (i >> 3) % TORN_VERSIONS, &stats);
        const int count = torn_probe(self->table, (key + TORN_PLACES) % TORN_KEYS, out, &stats);
        for (int k = 0; k < count; k++)
            self->torn += torn_judge((key + TORN_PLACES) % TORN_KEYS, &out[k]) != TORN_WHOLE;
    }
    return NULL;
}

START_TEST(the_folded_lock_rejects_entries_torn_by_threads)
{
    TornTable table;
    StressThread stress_threads[3];
    Thread threads[3];
    ck_assert(torn_create(&table, TORN_FOLDED));
    for (int i = 0; i < 3; i++) {
        stress_threads[i] = (StressThread){.table = &table, .first = 5 * i};
        ck_assert(thread_start(&threads[i], run_stress, &stress_threads[i]));
    }
    for (int i = 0; i < 3; i++) {
        thread_join(&threads[i]);
        ck_assert_uint_eq(stress_threads[i].torn, 0);
    }
    torn_destroy(&table);
}
END_TEST

Suite *suite_torn(void);
Suite *suite_torn(void)
{
    Suite *suite = suite_create("torn");
    TCase *tcase = tcase_create("torn");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, a_version_is_whole_for_its_key_and_wrong_for_another);
    tcase_add_test(tcase, keys_equal_modulo_places_share_a_slot);
    tcase_add_loop_test(tcase, one_thread_reads_only_whole_entries, 0, TORN_LOCK_NB);
    tcase_add_test(tcase, the_folded_lock_rejects_every_pair_torn_by_hand);
    tcase_add_test(tcase, the_simple_locks_accept_torn_pairs);
    tcase_add_test(tcase, the_folded_lock_rejects_entries_torn_by_threads);
    suite_add_tcase(suite, tcase);
    return suite;
}
