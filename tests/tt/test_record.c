// SPDX-License-Identifier: GPL-3.0-or-later
#include "tt/record.h"

#include <check.h>
#include <string.h>

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
    Tt tt = {0};
    ck_assert_uint_eq(tt_resize(&tt, 4), 4);
    TtRecord record = GOOD;
    ck_assert(tt_insert(&tt, &record, true));
    ck_assert(!tt_insert(&tt, &record, true));
    record.data.depth--;
    ck_assert(!tt_insert(&tt, &record, true));
    record.data.depth += 2;
    ck_assert(tt_insert(&tt, &record, true));
    tt_free(&tt);
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
    Suite *const suite = suite_create("record");
    suite_add_tcase(suite, tcase);
    return suite;
}
