// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/json.h"

#include <check.h>
#include <stdio.h>

#include "chess/fen.h"
#include "chess/notation.h"
#include "chess/play.h"
#include "chess/pos_from_fen.h"
#include "eval/winrate.h"

static StrBuf out;

static void teardown(void)
{
    strbuf_free(&out);
}

static const struct {
    const char *arguments, *rest;
    bool is_found;
} SWITCHES[] = {
    {"--json", "      ", true},
    {"3 --json depth", "3        depth", true},
    {"\t--json --json\n", "\t             \n", true},
    {"", "", false},
    {"--jsonl --js json --JSON", "--jsonl --js json --JSON", false},
};

START_TEST(the_switch_is_taken_out_of_the_arguments)
{
    char text[64];
    snprintf(text, sizeof text, "%s", SWITCHES[_i].arguments);
    ck_assert_int_eq(json_take_switch(text), SWITCHES[_i].is_found);
    ck_assert_str_eq(text, SWITCHES[_i].rest);
}
END_TEST

START_TEST(a_score_is_centipawns_or_a_mate_or_unknown)
{
    enum { MATERIAL = 78 };
    strbuf_add(&out, "{");
    json_add_score(&out, winrate_units(-35, MATERIAL), MATERIAL);
    json_add_score(&out, score_mated_in(4), MATERIAL);
    json_add_score(&out, SCORE_NONE, MATERIAL);
    strbuf_add(&out, "}");
    ck_assert_str_eq(out.text, "{\"cp\":-35,\"mate\":-2,\"cp\":null}");
}
END_TEST

START_TEST(moves_have_two_notations)
{
    const Position pos = pos_from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 5 9");
    strbuf_add(&out, "{");
    json_add_fen(&out, &pos, true);
    json_add_move(&out, &pos, move_from_san(&pos, "O-O"), true);
    json_add_move(&out, &pos, MOVE_NONE, true);
    strbuf_add(&out, "}");
    ck_assert_str_eq(out.text, "{\"fen\":\"4k3/8/8/8/8/8/8/R3K2R w HA - 5 9\",\"move\":\"O-O\","
                               "\"uci\":\"e1h1\",\"move\":null,\"uci\":null}");
}
END_TEST

/* The option UCI_Chess960 may have been switched off after the position was set. */
START_TEST(a_position_that_needs_chess960_is_always_written_so)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert(fen_parse(&pos, "4k3/8/8/8/8/8/8/1R2KR2 w FB - 0 1", true, error));
    strbuf_add(&out, "{");
    json_add_fen(&out, &pos, false);
    json_add_move(&out, &pos, move_from_san(&pos, "O-O"), false);
    strbuf_add(&out, "}");
    ck_assert_str_eq(out.text, "{\"fen\":\"4k3/8/8/8/8/8/8/1R2KR2 w FB - 0 1\",\"move\":\"O-O\","
                               "\"uci\":\"e1f1\"}");
}
END_TEST

START_TEST(lines_are_in_san)
{
    const Position pos = pos_from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    Position after;
    Move line[2] = {move_from_san(&pos, "Rh8+")};
    pos_play(&after, &pos, line[0]);
    line[1] = move_from_san(&after, "Kd7");
    json_add_line(&out, &pos, line, 2);
    strbuf_add(&out, " ");
    json_add_line(&out, &pos, line, 0);
    ck_assert_str_eq(out.text, "\"line\":[\"Rh8+\",\"Kd7\"] ,\"line\":[]");
}
END_TEST

Suite *suite_json(void);
Suite *suite_json(void)
{
    Suite *suite = suite_create("json");
    TCase *tcase = tcase_create("members");
    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_loop_test(tcase, the_switch_is_taken_out_of_the_arguments, 0,
                        sizeof SWITCHES / sizeof SWITCHES[0]);
    tcase_add_test(tcase, a_score_is_centipawns_or_a_mate_or_unknown);
    tcase_add_test(tcase, moves_have_two_notations);
    tcase_add_test(tcase, a_position_that_needs_chess960_is_always_written_so);
    tcase_add_test(tcase, lines_are_in_san);
    suite_add_tcase(suite, tcase);
    return suite;
}
