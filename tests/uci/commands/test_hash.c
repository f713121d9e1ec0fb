// SPDX-License-Identifier: GPL-3.0-or-later
/* The command `hash` on a table whose entries are known. The session hash.uci tests it after
 * searches. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chess/notation.h"
#include "search/table_key.h"
#include "uci/commands/run.h"
#include "uci/session.h"

static Session session;
static char *printed;
static size_t printed_size;

static void setup(void)
{
    ck_assert(session_open(&session));
    session.out.stream = open_memstream(&printed, &printed_size);
    ck_assert_ptr_nonnull(session.out.stream);
}

static void teardown(void)
{
    session_close(&session); // closes the stream
    free(printed);
}

/* The position after these moves, with this fifty-move counter. */
static Position position_after(const char *moves, int rule50)
{
    char text[80];
    StrBuf notes = {0};
    Setup after;
    setup_init(&after);
    snprintf(text, sizeof text, "startpos moves %s", moves);
    ck_assert(setup_parse(&after, text, false, &notes));
    after.pos.rule50 = rule50;
    return after.pos;
}

static TtData result(int depth, uint64_t nodes)
{
    return (TtData){
        .score = 300, .eval = SCORE_NONE, .depth = depth, .bound = BOUND_EXACT, .nodes = nodes};
}

static void store_data(const Position *pos, const TtData *data)
{
    TtStats unused = {0};
    tt_store(engine_table(session.engine), table_key(pos), (SearchPoint){.ply = 0}, data, &unused);
}

/* Stores a result of the position after these moves, with its best move or "". */
static void store(const char *moves, const char *best, TtData data)
{
    const Position pos = position_after(moves, 0);
    data.move = *best != '\0' ? move_from_uci(&pos, best) : MOVE_NONE;
    store_data(&pos, &data);
}

/* Runs `hash` with these arguments; what it prints is valid until the next call. */
static const char *run(const char *arguments)
{
    char line[80];
    fflush(session.out.stream);
    const size_t before = printed_size;
    snprintf(line, sizeof line, "%s", arguments);
    run_hash(&session, line);
    fflush(session.out.stream);
    return printed + before;
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        count++;
    return count;
}

/* Checks that `hash` prints so many lines, which end with these texts. */
static void expect_lines(const char *arguments, int count, const char *const *ends)
{
    const char *at = run(arguments);
    ck_assert_int_eq(count_of(at, "\n"), count);
    for (int i = 0; i < count; i++) {
        const char *const end = strchr(at, '\n');
        const size_t length = strlen(ends[i]);
        ck_assert_msg((size_t)(end - at) >= length && memcmp(end - length, ends[i], length) == 0,
                      "'%.*s' does not end with '%s'", (int)(end - at), at, ends[i]);
        at = end + 1;
    }
}

START_TEST(top_lists_the_largest_entries_first)
{
    static const char *const BY_NODES[] = {", after b2b3", ", after a2a3", ", after d2d4",
                                           ", after e2e4", ", the current position"};
    static const char *const BY_DEPTH[] = {", the current position", ", after b2b3"};
    store("", "", result(9, 100));
    store("e2e4", "", result(3, 300));
    store("d2d4", "", result(4, 300));
    store("a2a3", "", result(5, 300));
    store("b2b3", "", result(6, 300));
    expect_lines("top", 5, BY_NODES);
    expect_lines("top 3 nodes", 3, BY_NODES);
    expect_lines("top 2 depth", 2, BY_DEPTH);
}
END_TEST

START_TEST(top_lists_a_position_once_with_its_better_entry)
{
    engine_set_replacement(session.engine, REPLACE_THOMPSON); // keeps two entries of a position
    store("e2e4", "", result(6, 100));
    store("e2e4", "", result(3, 20));
    store("d2d4", "", result(6, 10));
    store("d2d4", "", result(3, 200));
    const char *const text = run("top");
    ck_assert_int_eq(count_of(text, "\n"), 2);
    ck_assert_int_eq(count_of(text, " 200 nodes, depth   3, "), 1);
    ck_assert_int_eq(count_of(text, " 100 nodes, depth   6, "), 1);
}
END_TEST

START_TEST(top_finds_the_moves_to_a_position_up_to_three_plies_away)
{
    static const char *const ENDS[] = {", move -, after e2e4 e7e5 g1f3", ", move g1f3"};
    store("e2e4 e7e5 g1f3", "", result(6, 200));
    store("d2d4 d7d5 c2c4 c7c6", "g1f3", result(6, 100));
    expect_lines("top", 2, ENDS);
}
END_TEST

START_TEST(top_knows_only_a_part_of_the_keys_of_a_small_table)
{
    static const char *const ENDS[] = {", after e2e4"};
    bool is_kept;
    ck_assert_uint_eq(engine_set_hash(session.engine, 1, &is_kept), 1);
    store("e2e4", "", result(6, 100));
    expect_lines("top", 1, ENDS);
    ck_assert_int_eq(count_of(run("top --json"), "\"key_bits\":48"), 1);
}
END_TEST

START_TEST(top_leaves_out_evaluations_and_marks_stale_entries)
{
    static const char *const NONE[] = {"Table: no entry"};
    static const char *const STALE[] = {", stale, after e2e4"};
    const TtData evaluation = {.score = SCORE_NONE, .eval = 20, .bound = BOUND_NONE};
    store("d2d4", "", evaluation);
    expect_lines("top", 1, NONE);
    store("e2e4", "", result(6, 100));
    tt_new_search(engine_table(session.engine));
    expect_lines("top", 1, STALE);
}
END_TEST

START_TEST(verify_counts_the_bounds_of_stale_entries)
{
    store("e2e4", "", result(6, 100));
    tt_new_search(engine_table(session.engine));
    store("d2d4", "", result(6, 100));
    ck_assert_int_eq(count_of(run("verify"), ", 1 current, 1 stale, 0 damaged; 2 exact, "), 1);
}
END_TEST

START_TEST(an_illegal_move_shows_that_the_entry_is_of_another_position)
{
    const Position pos = position_after("", 0);
    TtData data = result(6, 100);
    data.move = move_make(E2, E5, KIND_NORMAL);
    store_data(&pos, &data);
    ck_assert_int_eq(count_of(run("probe"), "move e2e5 (illegal: entry of another position), "), 1);
}
END_TEST

START_TEST(a_mate_that_the_fifty_move_rule_prevents_is_no_score)
{
    TtData data = result(6, 100);
    data.score = score_mate_in(9);
    for (int late = 0; late < 2; late++) {
        session.setup.pos = position_after("", late ? 95 : 0);
        store_data(&session.setup.pos, &data);
        const char *const wanted = late ? ", no bound -, " : ", exactly mate 5, ";
        ck_assert_int_eq(count_of(run("probe"), wanted), 1);
    }
}
END_TEST

START_TEST(a_line_ends_with_a_repetition_or_an_entry_without_a_move)
{
    store("", "g1f3", result(6, 100));
    store("g1f3", "g8f6", result(6, 100));
    store("g1f3 g8f6", "", result(6, 100));
    ck_assert_int_eq(count_of(run("line"), "f6\nEnd of line: the entry has no move\n"), 1);
    store("g1f3 g8f6", "f3g1", result(6, 100));
    store("g1f3 g8f6 f3g1", "f6g8", result(6, 100));
    ck_assert_int_eq(
        count_of(run("line"), "\nLine: g1f3 g8f6 f3g1 f6g8\nEnd of line: repetition\n"), 1);
}
END_TEST

START_TEST(a_line_ends_with_the_fifty_move_rule)
{
    TtData data = result(6, 100);
    data.move = move_make(G1, F3, KIND_NORMAL);
    session.setup.pos = position_after("", 99);
    store_data(&session.setup.pos, &data);
    ck_assert_int_eq(count_of(run("line"), " g1f3\nEnd of line: fifty-move rule\n"), 1);
}
END_TEST

Suite *suite_hash(void);
Suite *suite_hash(void)
{
    Suite *const suite = suite_create("hash");
    TCase *const tcase = tcase_create("hash");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, top_lists_the_largest_entries_first);
    tcase_add_test(tcase, top_lists_a_position_once_with_its_better_entry);
    tcase_add_test(tcase, top_finds_the_moves_to_a_position_up_to_three_plies_away);
    tcase_add_test(tcase, top_knows_only_a_part_of_the_keys_of_a_small_table);
    tcase_add_test(tcase, top_leaves_out_evaluations_and_marks_stale_entries);
    tcase_add_test(tcase, verify_counts_the_bounds_of_stale_entries);
    tcase_add_test(tcase, an_illegal_move_shows_that_the_entry_is_of_another_position);
    tcase_add_test(tcase, a_mate_that_the_fifty_move_rule_prevents_is_no_score);
    tcase_add_test(tcase, a_line_ends_with_a_repetition_or_an_entry_without_a_move);
    tcase_add_test(tcase, a_line_ends_with_the_fifty_move_rule);
    suite_add_tcase(suite, tcase);
    return suite;
}
