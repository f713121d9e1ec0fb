// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/epdgoal.h"

#include <check.h>
#include <string.h>

#include "chess/fen.h"
#include "chess/notation.h"

#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - "

/* Reads the goal of the start position with these operations; returns epd_goal_read(). */
static int read_goal(EpdGoal *goal, EpdRecord *record, const char *operations, char *error)
{
    char line[EPD_TEXT_MAX];
    snprintf(line, sizeof line, START "%s", operations);
    ck_assert_msg(epd_parse(record, line, false, error), "%s", error);
    return epd_goal_read(goal, record, error);
}

static const struct {
    const char *operations, *move;
    int mate;
    bool is_met;
} ANSWERS[] = {
    {"bm e4;", "e4", 0, true},
    {"bm e4;", "d4", 0, false},
    {"bm Nf3 e4;", "e4", 0, true},
    {"bm Nf3, e4;", "e4", 0, true},
    {"bm e2e4;", "e4", 0, true}, // coordinates
    {"am e4;", "e4", 0, false},
    {"am e4;", "d4", 0, true},
    {"bm e4 d4; am d4;", "d4", 0, false},
    {"dm 3;", "e4", 3, true},
    {"dm 3;", "e4", 2, true},
    {"dm 3;", "e4", 4, false},
    {"dm 3;", "e4", 0, false},
    {"dm 3;", "e4", -3, false},
    {"dm -3;", "e4", -3, true},
    {"dm -3;", "e4", -4, false},
    {"dm -3;", "e4", 3, false},
    {"dm 3; bm e4;", "e4", 0, true}, // a best move decides
    {"bm #3;", "e4", 3, true},
    {"bm #3;", "e4", 4, false},
    {"bm #-3; PV: e4 e5;", "e4", -3, true},
    {"bm #-3;", "e4", 3, false},
    {"c0 \"e4=10, d4=7\";", "e4", 0, true},
    {"c0 \"e4=10, d4=7\";", "d4", 0, false},
};

START_TEST(an_answer_is_right_or_wrong)
{
    EpdGoal goal;
    EpdRecord record;
    char error[FEN_ERROR_MAX] = "";
    ck_assert_msg(read_goal(&goal, &record, ANSWERS[_i].operations, error) == 1, "%s", error);
    const Move move = move_from_san(&record.pos, ANSWERS[_i].move);
    ck_assert_int_ne(move, MOVE_NONE);
    ck_assert_int_eq(epd_goal_is_met(&goal, move, ANSWERS[_i].mate), ANSWERS[_i].is_met);
    ck_assert(!epd_goal_is_met(&goal, MOVE_NONE, 1));
}
END_TEST

static const char *const POINTS[] = {
    "bm e4; c0 \"e4=10, d4=7, Nf3=1\";",
    "bm e4; c0 \"e4=10 d4=7 Nf3=1\";",
    "bm e4; c8 \"10 7 1\"; c9 \"e2e4 d2d4 g1f3\"; id \"x\";",
    "c8 \"10 7 1\"; c7 \"e4 d4 Nf3\";",
    "c0 \"\"; c8 \"10 7 1\"; c9 \"e4 d4 Nf3\";",
    "c0 \"by hand\"; c8 \"10 7 1\"; c9 \"e2e4 d2d4 g1f3\"; c7 \"e4 d4 Nf3\";",
};

START_TEST(points_are_read_in_each_form)
{
    EpdGoal goal;
    EpdRecord record;
    char error[FEN_ERROR_MAX] = "";
    ck_assert_msg(read_goal(&goal, &record, POINTS[_i], error) == 1, "%s", error);
    ck_assert_int_eq(goal.points_max, 10);
    ck_assert_int_eq(epd_goal_points(&goal, move_from_san(&record.pos, "e4")), 10);
    ck_assert_int_eq(epd_goal_points(&goal, move_from_san(&record.pos, "d4")), 7);
    ck_assert_int_eq(epd_goal_points(&goal, move_from_san(&record.pos, "Nf3")), 1);
    ck_assert_int_eq(epd_goal_points(&goal, move_from_san(&record.pos, "a3")), 0);
}
END_TEST

START_TEST(points_of_a_promotion_are_read)
{
    EpdGoal goal;
    EpdRecord record;
    char error[FEN_ERROR_MAX];
    ck_assert(epd_parse(&record, "8/P6k/8/8/8/8/8/K7 w - - c0 \"a8=Q=10, a8=N=2\";", false, error));
    ck_assert_int_eq(epd_goal_read(&goal, &record, error), 1);
    ck_assert_int_eq(epd_goal_points(&goal, move_from_san(&record.pos, "a8=N")), 2);
}
END_TEST

START_TEST(en_passant_may_be_named)
{
    static const char *const TEXTS[] = {
        "bm exd6 e.p.;",
        "bm exd6e.p.;",
        "bm a3 exd6+ e.p., Nf3;",
        "c0 \"exd6e.p.=10, a3=2\";",
        "c8 \"10 2\"; c9 \"exd6 e.p. a3\";",
    };
    EpdGoal goal;
    EpdRecord record;
    char error[FEN_ERROR_MAX] = "", line[EPD_TEXT_MAX];
    snprintf(line, sizeof line, "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 %s",
             TEXTS[_i]);
    ck_assert(epd_parse(&record, line, false, error));
    ck_assert_msg(epd_goal_read(&goal, &record, error) == 1, "%s", error);
    ck_assert(epd_goal_is_met(&goal, move_from_san(&record.pos, "exd6"), 0));
    ck_assert(!epd_goal_is_met(&goal, move_from_san(&record.pos, "h3"), 0));
}
END_TEST

static const struct {
    const char *operations;
    int status;
    const char *error; // a part of it
} FAULTS[] = {
    {"", 0, ""},
    {"id \"x\"; c0 \"mate in 1\";", 0, ""},
    {"c8 \"ten\"; c9 \"e2e4\";", 0, ""},
    {"c0 \"=10\";", 0, ""},
    {"dm 1000;", 1, ""},
    {"dm 1001;", -1, "dm '1001' is not a number of moves"},
    {"bm e5;", -1, "'e5' is illegal or ambiguous"},
    {"bm e.p.;", -1, "bm without a move"},
    {"bm e4 e.p.;", 1, ""}, // a word that tells nothing new
    {"bm e4; bm d4;", -1, "bm stands twice"},
    {"am e4; id \"x\"; am d4;", -1, "am stands twice"},
    {"dm 3; dm 4;", -1, "dm stands twice"},
    {"c0 \"e4=10\"; c0 \"d4=7\";", -1, "c0 stands twice"},
    {"bm e4; id \"bm\"; c1 \"bm d4; bm\"; bmx d4;", 1, ""},
    {"bm ;", -1, "bm without a move"},
    {"am Qh5;", -1, "'Qh5'"},
    {"dm 0;", -1, "dm"},
    {"dm soon;", -1, "dm"},
    {"bm #0;", -1, "bm '#0' is not a number of moves"},
    {"bm #3 e4;", -1, "bm '#3 e4'"},
    {"am #3;", -1, "'#3' is illegal or ambiguous"},
    {"c0 \"e4=10, e5=7\";", -1, "'e5'"},
    {"c8 \"10\"; c9 \"e2e4 d2d4\";", -1, "d2d4"},
    {"c8 \"10 7\"; c9 \"e2e4\";", -1, "c8"},
};

START_TEST(faults_are_told_from_positions_that_ask_nothing)
{
    EpdGoal goal;
    EpdRecord record;
    char error[FEN_ERROR_MAX] = "";
    ck_assert_int_eq(read_goal(&goal, &record, FAULTS[_i].operations, error), FAULTS[_i].status);
    if (FAULTS[_i].status < 0)
        ck_assert_msg(strstr(error, FAULTS[_i].error) != NULL, "%s", error);
}
END_TEST

START_TEST(a_list_of_moves_has_a_limit)
{
    char operations[EPD_TEXT_MAX] = "bm";
    EpdGoal goal;
    EpdRecord record;
    char error[FEN_ERROR_MAX];
    for (int i = 0; i < EPD_GOAL_MOVES; i++)
        strncat(operations, " e4", sizeof operations - strlen(operations) - 1);
    ck_assert_int_eq(read_goal(&goal, &record, operations, error), 1);
    strncat(operations, " e4", sizeof operations - strlen(operations) - 1);
    ck_assert_int_eq(read_goal(&goal, &record, operations, error), -1);
    ck_assert_ptr_nonnull(strstr(error, "more than"));
}
END_TEST

Suite *suite_epdgoal(void);
Suite *suite_epdgoal(void)
{
    Suite *suite = suite_create("epdgoal");
    TCase *tcase = tcase_create("epdgoal");
    tcase_add_loop_test(tcase, an_answer_is_right_or_wrong, 0, sizeof ANSWERS / sizeof ANSWERS[0]);
    tcase_add_loop_test(tcase, points_are_read_in_each_form, 0, sizeof POINTS / sizeof POINTS[0]);
    tcase_add_test(tcase, points_of_a_promotion_are_read);
    tcase_add_loop_test(tcase, en_passant_may_be_named, 0, 5);
    tcase_add_loop_test(tcase, faults_are_told_from_positions_that_ask_nothing, 0,
                        sizeof FAULTS / sizeof FAULTS[0]);
    tcase_add_test(tcase, a_list_of_moves_has_a_limit);
    suite_add_tcase(suite, tcase);
    return suite;
}
