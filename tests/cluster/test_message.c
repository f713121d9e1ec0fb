// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/message.h"

#include <check.h>
#include <string.h>

#include "base/bits.h"
#include "chess/fen.h"
#include "chess/notation.h"

static const TtRecord RECORD = {
    .data =
        {.move = 0x1234, .score = 57, .eval = -31, .depth = 9, .bound = BOUND_LOWER, .nodes = 7},
    .key_is_whole = true,
};

static Message message;
static Position root;

static void setup(void)
{
    char error[FEN_ERROR_MAX];
    ck_assert(fen_parse(&root, FEN_START, false, error));
    memset(&message, 0xA5, sizeof message);
}

/* Writes a message with `count` records of different positions. */
static void write_records(int count)
{
    static uint8_t bytes[MESSAGE_RECORDS_MAX * RECORD_SIZE];
    const RecordsHead head = {.evaluation = 1, .nodes = 2, .tb_hits = 3, .count = (uint64_t)count};
    for (int i = 0; i < count; i++) {
        TtRecord record = RECORD;
        record.key = GOLDEN_RATIO_64 * (uint64_t)(i + 1);
        record_encode(&record, true, bytes + i * RECORD_SIZE);
    }
    message_write_records(&message, 4, &head, bytes);
}

START_TEST(each_changed_byte_is_noticed)
{
    write_records(3);
    const size_t bytes = message_bytes(&message);
    ck_assert(message_is_sound(&message, bytes));
    for (size_t i = 0; i < bytes; i++) {
        ((uint8_t *)&message)[i] ^= 0x10;
        ck_assert(!message_is_sound(&message, bytes));
        ((uint8_t *)&message)[i] ^= 0x10;
    }
    ck_assert(!message_is_sound(&message, bytes - 1));
    ck_assert(!message_is_sound(&message, bytes + 1));
    ck_assert(!message_is_sound(&message, 0));
}
END_TEST

START_TEST(records_arrive_and_known_ones_are_not_adopted_again)
{
    Tt tt = {0};
    RecordsHead head;
    TtData found[2];
    ck_assert_uint_eq(tt_resize(&tt, 4), 4);
    write_records(MESSAGE_RECORDS_MAX);
    ck_assert(message_is_sound(&message, message_bytes(&message)));
    ck_assert(message_read_records(&message, &head));
    ck_assert_uint_eq(head.evaluation, 1);
    ck_assert_uint_eq(head.nodes, 2);
    ck_assert_uint_eq(head.tb_hits, 3);
    ck_assert_uint_eq(head.count, MESSAGE_RECORDS_MAX);
    ck_assert_uint_eq(message_adopt_records(&message, &tt), MESSAGE_RECORDS_MAX);
    ck_assert_uint_eq(message_adopt_records(&message, &tt), 0);
    ck_assert_int_eq(tt_peek(&tt, GOLDEN_RATIO_64, (SearchPoint){0, 0}, found), 1);
    ck_assert_int_eq(found[0].score, RECORD.data.score);
    ck_assert_int_eq(found[0].depth, RECORD.data.depth);
    tt_free(&tt);
}
END_TEST

START_TEST(a_message_with_one_impossible_record_is_refused)
{
    RecordsHead head;
    write_records(3);
    uint8_t body[MESSAGE_BODY_MAX];
    memcpy(body, message.body, message.size);
    body[sizeof head + 2 * RECORD_SIZE + 14] = 0; // depth of the last one
    message_write(&message, MESSAGE_RECORDS, 4, body, message.size);
    ck_assert(message_is_sound(&message, message_bytes(&message)));
    ck_assert(!message_read_records(&message, &head));
}
END_TEST

START_TEST(a_wrong_number_of_records_is_refused)
{
    RecordsHead head;
    write_records(3);
    message_write(&message, MESSAGE_RECORDS, 4, message.body, message.size - 1);
    ck_assert(!message_read_records(&message, &head));
    write_records(3);
    head.count = UINT64_MAX / RECORD_SIZE;
    memcpy(message.body, &head, sizeof head);
    ck_assert(!message_read_records(&message, &head));
    message_write(&message, MESSAGE_RECORDS, 4, &head, 8);
    ck_assert(!message_read_records(&message, &head));
}
END_TEST

static SearchJob new_job(void)
{
    SearchJob job = {.root = root, .multi_pv = 1, .limits = {.depth = 7}};
    path_start(&job.path, &root);
    return job;
}

static bool is_accepted(const SearchJob *job)
{
    SearchJob read;
    message_write(&message, MESSAGE_SEARCH, 1, job, sizeof *job);
    return message_read_job(&message, &read);
}

START_TEST(a_job_arrives_and_impossible_ones_are_refused)
{
    SearchJob job = new_job();
    ck_assert(is_accepted(&job));
    job.root.key ^= 1; // wrong, and the path with it
    job.path.keys[0] ^= 1;
    ck_assert(!is_accepted(&job));
    job = new_job();
    job.path.count = PATH_GAME + 1;
    ck_assert(!is_accepted(&job));
    job = new_job();
    job.path.keys[0]++;
    ck_assert(!is_accepted(&job));
    job = new_job();
    job.limits.search_move_count = MAX_MOVES + 1;
    ck_assert(!is_accepted(&job));
    job = new_job();
    job.multi_pv = 0;
    ck_assert(!is_accepted(&job));
    message_write(&message, MESSAGE_SEARCH, 1, &job, sizeof job - 1);
    ck_assert(!message_read_job(&message, &job));
}
END_TEST

/* A line of the moves `first` and `second` (coordinates of the start position and its mirror). */
static PeerResult new_result(const char *first, const char *second)
{
    Position flipped;
    PeerResult result = {.depth = 5, .nodes = 100};
    pos_flip(&flipped, &root);
    result.line = (RootMove){.score = 20, .previous = 10, .bound = BOUND_EXACT, .depth = 5};
    result.line.pv[0] = result.line.move = move_from_uci(&root, first);
    result.line.pv[1] = move_from_uci(&flipped, second);
    result.line.pv_length = 2;
    return result;
}

static bool takes(const PeerResult *result)
{
    PeerResult read;
    message_write(&message, MESSAGE_RESULT, 1, result, sizeof *result);
    return message_read_result(&message, &root, &read) && read.nodes == result->nodes;
}

START_TEST(a_result_arrives_and_impossible_ones_are_refused)
{
    const PeerResult good = new_result("e2e4", "e7e5");
    PeerResult bad = good;
    const PeerResult nothing = {.nodes = 3};
    ck_assert(takes(&good));
    ck_assert(takes(&nothing));
    bad.line.pv[1] = bad.line.pv[0]; // Black cannot play e2e4
    ck_assert(!takes(&bad));
    bad = good;
    bad.line.move = good.line.pv[1];
    ck_assert(!takes(&bad));
    bad = good;
    bad.line.pv_length = MAX_PLY + 2;
    ck_assert(!takes(&bad));
    bad = good;
    bad.line.score = SCORE_NONE;
    ck_assert(!takes(&bad));
    bad = good;
    bad.depth = MAX_DEPTH + 1;
    ck_assert(!takes(&bad));
    bad = nothing;
    bad.depth = 1; // of no line
    ck_assert(!takes(&bad));
}
END_TEST

Suite *suite_message(void);
Suite *suite_message(void)
{
    Suite *suite = suite_create("message");
    TCase *tcase = tcase_create("message");
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, each_changed_byte_is_noticed);
    tcase_add_test(tcase, records_arrive_and_known_ones_are_not_adopted_again);
    tcase_add_test(tcase, a_message_with_one_impossible_record_is_refused);
    tcase_add_test(tcase, a_wrong_number_of_records_is_refused);
    tcase_add_test(tcase, a_job_arrives_and_impossible_ones_are_refused);
    tcase_add_test(tcase, a_result_arrives_and_impossible_ones_are_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
