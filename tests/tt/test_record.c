// SPDX-License-Identifier: GPL-3.0-or-later
#include "tt/record.h"

#include <check.h>

#include "table_fixture.h"

static const TtRecord GOOD = {
    .data =
        {.move = 0x1234, .score = 57, .eval = -31, .depth = 9, .bound = BOUND_LOWER, .nodes = 77},
    .key = 0x123456789ABCDEF0u,
    .key_is_whole = true,
};

static bool decodes(const TtRecord *record)
{
    uint8_t bytes[RECORD_SIZE];
    TtRecord read;
    bool is_first_level;
    record_encode(record, true, bytes);
    return record_decode(bytes, &read, &is_first_level);
}

START_TEST(a_record_survives_its_bytes)
{
    uint8_t bytes[RECORD_SIZE];
    TtRecord read;
    for (int level = 0; level <= 1; level++) {
        bool is_first_level;
        record_encode(&GOOD, level, bytes);
        ck_assert(record_decode(bytes, &read, &is_first_level));
        ck_assert_int_eq(is_first_level, level);
        ck_assert_uint_eq(read.key, GOOD.key);
        ck_assert_int_eq(read.data.move, GOOD.data.move);
        ck_assert_int_eq(read.data.score, GOOD.data.score);
        ck_assert_int_eq(read.data.eval, GOOD.data.eval);
        ck_assert_int_eq(read.data.depth, GOOD.data.depth);
        ck_assert_int_eq(read.data.bound, GOOD.data.bound);
        ck_assert_uint_eq(read.data.nodes, GOOD.data.nodes);
    }
}
END_TEST

START_TEST(impossible_records_are_refused)
{
    uint8_t bytes[RECORD_SIZE];
    TtRecord record = GOOD, read;
    bool is_first_level;
    record.data.depth = 0;
    ck_assert(!decodes(&record));
    record = GOOD;
    record.data.score = SCORE_NONE; // with a bound
    ck_assert(!decodes(&record));
    record = GOOD;
    record.data.score = SCORE_DRAW; // is not lasting
    ck_assert(!decodes(&record));
    record.data.score = SCORE_TB_MIN;
    ck_assert(!decodes(&record));
    record.data.score = -SCORE_INF; // no mate is so near
    ck_assert(!decodes(&record));
    record = GOOD;
    record.data.eval = SCORE_TB_MIN; // no estimate
    ck_assert(!decodes(&record));
    record_encode(&GOOD, true, bytes);
    bytes[15] |= 0x80; // one of the bits that are zero
    ck_assert(!record_decode(bytes, &read, &is_first_level));
}
END_TEST

START_TEST(only_the_move_of_a_score_that_does_not_last_is_kept)
{
    static const Score passing[] = {SCORE_DRAW, SCORE_EVAL_MAX, SCORE_TB_MIN, -SCORE_TB_MIN};
    for (size_t i = 0; i < sizeof passing / sizeof passing[0]; i++) {
        TtRecord record = GOOD;
        record.data.score = passing[i];
        ck_assert(record_make_lasting(&record));
        ck_assert_int_eq(record.data.bound, BOUND_NONE);
        ck_assert_int_eq(record.data.score, SCORE_NONE);
        ck_assert_int_eq(record.data.move, GOOD.data.move);
        record.data.move = MOVE_NONE;
        ck_assert(!record_make_lasting(&record));
    }
    TtRecord mate = GOOD;
    mate.data.score = score_mated_in(5);
    ck_assert(record_make_lasting(&mate));
    ck_assert_int_eq(mate.data.score, score_mated_in(5));
}
END_TEST

START_TEST(an_insertion_says_whether_it_was_news)
{
    Tt table = {0};
    ck_assert_uint_eq(tt_resize(&table, 4), 4);
    TtRecord record = GOOD;
    ck_assert(tt_insert(&table, &record, true));
    ck_assert(!tt_insert(&table, &record, true));
    record.data.depth--;
    ck_assert(!tt_insert(&table, &record, true));
    record.data.depth += 2;
    ck_assert(tt_insert(&table, &record, true));
    tt_free(&table);
}
END_TEST

START_TEST(an_insertion_keeps_the_deeper_result_of_either_level)
{
    const SearchPoint own = {.ply = 0, .rule50 = 0};
    const Replacement scheme = (Replacement)_i;
    for (int deeper_level = 0; deeper_level < 2; deeper_level++) {
        Tt table = {.replacement = scheme};
        TtStats unused = {0};
        TtData data = GOOD.data, out[2];
        ck_assert_uint_eq(tt_resize(&table, 1), 1);
        TtRecord record = GOOD;
        record.key = key_in_slot(3, 1);
        record.data.depth = 10;
        const Key other = key_in_slot(3, 2);
        if (deeper_level == 1) { // leaves the second level to the result of depth 20
            data.depth = 25;
            data.nodes *= 1000;
            tt_store(&table, other, own, &data, &unused);
            data.nodes /= 1000;
        }
        data.depth = 20;
        tt_store(&table, record.key, own, &data, &unused);
        if (deeper_level == 0) {
            data.depth = 5;
            tt_store(&table, other, own, &data, &unused);
        }
        tt_insert(&table, &record, deeper_level == 1);
        int deepest = 0;
        const int count = tt_probe(&table, record.key, own, out, &unused);
        for (int i = 0; i < count; i++)
            deepest = out[i].depth > deepest ? out[i].depth : deepest;
        ck_assert_msg(deepest == 20, "depth %d", deepest);
        tt_free(&table);
    }
}
END_TEST

/* Inserts a record of this depth beside a result of depth 10 of its position, in the other level,
 * whose place is empty; returns the depth of the only entry of the position. */
static int depth_beside_10(Replacement scheme, int depth, bool is_first_level)
{
    Tt table = {.replacement = scheme};
    TtData out[2];
    ck_assert_uint_eq(tt_resize(&table, 1), 1);
    TtRecord record = GOOD;
    record.key = key_in_slot(3, 1);
    record.data.depth = 10;
    ck_assert(tt_insert(&table, &record, !is_first_level));
    record.data.depth = depth;
    ck_assert_int_eq(tt_insert(&table, &record, is_first_level), depth > 10);
    TtStats unused = {0};
    ck_assert_int_eq(tt_probe(&table, record.key, ROOT, out, &unused), 1);
    tt_free(&table);
    return out[0].depth;
}

/* A result of quiescence, which only the second level takes, beside one of the main search. */
START_TEST(an_insertion_keeps_a_result_of_quiescence)
{
    Tt table = {.replacement = (Replacement)_i};
    TtData out[2];
    TtStats unused = {0};
    ck_assert_uint_eq(tt_resize(&table, 1), 1);
    TtRecord record = GOOD;
    record.key = key_in_slot(3, 1);
    record.data.depth = 10;
    ck_assert(tt_insert(&table, &record, true));
    record.data.depth = 0;
    ck_assert(tt_insert(&table, &record, false));
    ck_assert_int_eq(tt_probe(&table, record.key, ROOT, out, &unused), 2);
    tt_free(&table);
}
END_TEST

START_TEST(an_insertion_does_not_duplicate_a_position)
{
    for (int level = 0; level < 2; level++) {
        ck_assert_int_eq(depth_beside_10((Replacement)_i, 3, level == 0), 10);
        ck_assert_int_eq(depth_beside_10((Replacement)_i, 10, level == 0), 10);
        ck_assert_int_eq(depth_beside_10((Replacement)_i, 20, level == 0), 20);
    }
}
END_TEST

Suite *suite_record(void);
Suite *suite_record(void)
{
    TCase *const tcase = tcase_create("record");
    tcase_add_test(tcase, a_record_survives_its_bytes);
    tcase_add_test(tcase, impossible_records_are_refused);
    tcase_add_test(tcase, only_the_move_of_a_score_that_does_not_last_is_kept);
    tcase_add_test(tcase, an_insertion_says_whether_it_was_news);
    tcase_add_loop_test(tcase, an_insertion_keeps_a_result_of_quiescence, REPLACE_TWO_DEEP,
                        REPLACE_TWO_BIG1 + 1);
    tcase_add_loop_test(tcase, an_insertion_does_not_duplicate_a_position, REPLACE_TWO_DEEP,
                        REPLACE_TWO_BIG1 + 1);
    tcase_add_loop_test(tcase, an_insertion_keeps_the_deeper_result_of_either_level, 0,
                        REPLACE_DEEP);
    Suite *const suite = suite_create("record");
    suite_add_tcase(suite, tcase);
    return suite;
}
