// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>

#include "chess/fen.h"
#include "chess/perft.h"
#include "chess/pos_from_fen.h"
#include "lab/hashperft.h"

/* Counts with a table of one MiB, 65,536 entries. */
static HashPerftResult count_in_small_table(HashPerftKey kind, const Position *pos, int depth)
{
    HashPerftTable table;
    HashPerftResult result;
    ck_assert(hashperft_create(&table, kind, 1, true));
    ck_assert(hashperft_count(&table, pos, depth, &result, NULL, NULL));
    hashperft_destroy(&table);
    return result;
}

START_TEST(whole_keys_count_exactly_in_a_small_table)
{
    static const struct {
        const char *fen;
        int depth;
    } CASES[] = {{FEN_START, 5},
                 {FEN_START, 1},
                 {KIWIPETE, 4},
                 {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5},
                 {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 3}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const Position pos = pos_from_fen(CASES[i].fen);
        const HashPerftResult result = count_in_small_table(HASHPERFT_64, &pos, CASES[i].depth);
        ck_assert_uint_eq(result.leaves, perft(&pos, CASES[i].depth));
        for (int d = 1; d <= CASES[i].depth; d++)
            ck_assert_uint_eq(result.levels[d].false_hits, 0);
    }
}
END_TEST

START_TEST(the_shadow_detects_false_hits_of_short_keys)
{
    /* 16 bits beyond those of the slot, in a table that is overwritten many times. */
    const Position pos = pos_from_fen(KIWIPETE);
    const HashPerftResult result = count_in_small_table(HASHPERFT_32, &pos, 5);
    uint64_t false_hits = 0;
    double expected = 0.0;
    for (int d = 1; d <= 5; d++) {
        false_hits += result.levels[d].false_hits;
        expected += hashperft_expected(&result.levels[d], 16.0);
    }
    ck_assert_uint_gt(false_hits, 0);
    ck_assert_uint_ne(result.leaves, perft(&pos, 5));
    ck_assert_double_gt((double)false_hits, expected / 20.0);
    ck_assert_double_lt((double)false_hits, expected * 20.0);
}
END_TEST

START_TEST(a_count_without_false_hits_is_exact)
{
    for (HashPerftKey kind = 0; kind < HASHPERFT_KEY_NB; kind++) {
        const Position pos = pos_from_fen(FEN_START);
        const HashPerftResult result = count_in_small_table(kind, &pos, 4);
        uint64_t false_hits = 0;
        for (int d = 1; d <= 4; d++)
            false_hits += result.levels[d].false_hits;
        ck_assert(false_hits > 0 || result.leaves == 197281);
    }
}
END_TEST

START_TEST(the_statistics_of_the_levels_are_consistent)
{
    const Position pos = pos_from_fen(FEN_START);
    const HashPerftResult result = count_in_small_table(HASHPERFT_64, &pos, 4);
    ck_assert_uint_eq(result.levels[4].probes, 1);
    ck_assert_uint_eq(result.levels[3].probes, 20);
    ck_assert_uint_eq(result.levels[2].probes, 400);
    ck_assert_uint_eq(result.levels[2].hits, 0);
    ck_assert_uint_gt(result.levels[1].hits, 0); // transpositions need three plies
    for (int d = 1; d <= 4; d++) {
        const HashPerftLevel *const level = &result.levels[d];
        ck_assert_uint_le(level->hits + level->collisions, level->probes);
        ck_assert_uint_le(level->rivals, level->collisions + level->false_hits);
    }
}
END_TEST

START_TEST(the_shadow_does_not_change_the_count)
{
    const Position pos = pos_from_fen(KIWIPETE);
    HashPerftTable table;
    HashPerftResult result;
    ck_assert(hashperft_create(&table, HASHPERFT_32, 1, false));
    ck_assert(hashperft_count(&table, &pos, 4, &result, NULL, NULL));
    hashperft_destroy(&table);
    const HashPerftResult shadowed = count_in_small_table(HASHPERFT_32, &pos, 4);
    ck_assert_uint_eq(result.leaves, shadowed.leaves);
    ck_assert_uint_eq(result.levels[1].hits, shadowed.levels[1].hits);
    ck_assert_uint_eq(result.levels[1].false_hits, 0);
}
END_TEST

START_TEST(rotated_keys_give_the_same_count)
{
    const Position pos = pos_from_fen(FEN_START);
    HashPerftTable table;
    HashPerftResult result;
    ck_assert(hashperft_create(&table, HASHPERFT_64, 1, true));
    table.turn = 13;
    ck_assert(hashperft_count(&table, &pos, 4, &result, NULL, NULL));
    hashperft_destroy(&table);
    ck_assert_uint_eq(result.leaves, 197281);
}
END_TEST

static bool stop_at_three(void *ctx, int done, int count)
{
    *(int *)ctx = done;
    ck_assert_int_eq(count, 20);
    return done < 3;
}

START_TEST(the_visitor_can_end_the_count)
{
    const Position pos = pos_from_fen(FEN_START);
    HashPerftTable table;
    HashPerftResult result;
    int visited = 0;
    ck_assert(hashperft_create(&table, HASHPERFT_64, 1, true));
    ck_assert(!hashperft_count(&table, &pos, 3, &result, stop_at_three, &visited));
    hashperft_destroy(&table);
    ck_assert_int_eq(visited, 3);
}
END_TEST

START_TEST(free_bits_and_expected_errors_follow_from_the_key)
{
    HashPerftTable table = {.entry_count = UINT64_C(1) << 26};
    table.kind = HASHPERFT_32;
    ck_assert_double_eq_tol(hashperft_free_bits(&table), 6.0, 1e-9);
    table.kind = HASHPERFT_26_32;
    ck_assert_double_eq_tol(hashperft_free_bits(&table), 32.0, 1e-9);
    table.kind = HASHPERFT_64;
    ck_assert_double_eq_tol(hashperft_free_bits(&table), 38.0, 1e-9);
    const HashPerftLevel level = {.probes = 400, .hits = 200, .rivals = 64};
    ck_assert_double_eq_tol(hashperft_expected(&level, 6.0), 1.5, 1e-9);
}
END_TEST

Suite *suite_hashperft(void);
Suite *suite_hashperft(void)
{
    Suite *suite = suite_create("hashperft");
    TCase *tcase = tcase_create("hashperft");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, whole_keys_count_exactly_in_a_small_table);
    tcase_add_test(tcase, the_shadow_detects_false_hits_of_short_keys);
    tcase_add_test(tcase, a_count_without_false_hits_is_exact);
    tcase_add_test(tcase, the_statistics_of_the_levels_are_consistent);
    tcase_add_test(tcase, the_shadow_does_not_change_the_count);
    tcase_add_test(tcase, rotated_keys_give_the_same_count);
    tcase_add_test(tcase, the_visitor_can_end_the_count);
    tcase_add_test(tcase, free_bits_and_expected_errors_follow_from_the_key);
    suite_add_tcase(suite, tcase);
    return suite;
}
