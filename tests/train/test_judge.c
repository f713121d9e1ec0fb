// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/judge.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "chess/fen.h"
#include "chess/pos_from_fen.h"
#include "eval/eval.h"
#include "train/made_data.h"
#include "whole_file.h"

static const char *const POSITIONS[] = {
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ -",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -",
    "4k3/8/8/8/8/8/4P3/4K3 w - -",
    "2rq1rk1/pb2bppp/1p2pn2/8/3P4/1BN2N2/PP3PPP/2RQR1K1 b - -",
    "6k1/5ppp/8/8/8/8/1R6/6K1 b - -",
};
enum { COUNT = sizeof POSITIONS / sizeof POSITIONS[0] };
static const double UNIT = 2000.0; // of the scores of a random network

static Network network;
static char path[MADE_PATH_ROOM], error[JUDGE_ERROR_MAX];

static void setup(void)
{
    network_randomise(&network, 21);
    memset(network.dense, 0, sizeof network.dense); // they would make the scores larger than UNIT
    made_path(path);
}

static void teardown(void)
{
    remove(path);
}

static int static_score(const char *epd)
{
    char fen[FEN_MAX];
    snprintf(fen, sizeof fen, "%s 0 1", epd);
    const Position pos = pos_from_fen(fen);
    return eval_from_scratch(&(EvalSource){.network = &network}, &pos);
}

/* Writes the positions, labelled with the network's own evaluation times `factor` plus `bonus` for
 * the side to move. */
static void write_labels_with_bonus(double factor, int bonus)
{
    FILE *const file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    for (int i = 0; i < COUNT; i++)
        fprintf(file, "%s ce %d;\n", POSITIONS[i],
                (int)(factor * static_score(POSITIONS[i])) + bonus);
    ck_assert_int_eq(fclose(file), 0);
}

static void write_labels(double factor)
{
    write_labels_with_bonus(factor, 0);
}

/* Judges the network on the positions of the file. */
static Judgement judge(void)
{
    LabelSet *const set = judge_read(path, error);
    ck_assert_msg(set != NULL, "%s", error);
    const Judgement judgement = judge_network(set, &network, UNIT);
    judge_free(set);
    return judgement;
}

START_TEST(a_network_agrees_with_its_own_evaluation)
{
    Judgement j;
    write_labels(1.0);
    j = judge();
    ck_assert_int_eq(j.positions, COUNT);
    ck_assert_double_eq_tol(j.raw_error, 0.0, 1e-9);
    ck_assert_double_eq_tol(j.error, 0.0, 1e-6);
    ck_assert_double_eq_tol(j.correlation, 1.0, 1e-3);
}
END_TEST

static const double FACTORS[] = {2.0, 7.0, 1.0 / 7};

START_TEST(another_scale_is_found_and_is_no_error)
{
    Judgement j;
    write_labels(FACTORS[_i]);
    j = judge();
    ck_assert_double_eq_tol(j.factor / FACTORS[_i], 1.0, 0.01);
    ck_assert_double_eq_tol(j.mean, 0.0, 1e-3);
    ck_assert_double_lt(j.error, 1e-5);
    ck_assert_double_gt(j.raw_error, j.error);
}
END_TEST

START_TEST(labels_that_contradict_the_evaluation_are_an_error)
{
    Judgement agree, contradict;
    write_labels(1.0);
    agree = judge();
    write_labels(-1.0);
    contradict = judge();
    ck_assert_double_gt(contradict.error, agree.error + 1e-4);
    ck_assert_double_lt(contradict.correlation, 0.0);
}
END_TEST

START_TEST(a_preference_for_the_side_to_move_is_left_out_of_the_centred_error)
{
    write_labels_with_bonus(1.0, 400);
    const Judgement j = judge();
    ck_assert_double_gt(j.error, 1e-3);
    ck_assert_double_lt(j.centred_error, j.error / 4);
    ck_assert_double_lt(j.mean, -0.02);
    ck_assert_double_gt(j.mean, -400 / UNIT / 4); // points rise by at most 1/4 a unit
}
END_TEST

START_TEST(errors_are_counted_by_the_number_of_pieces)
{
    Judgement j;
    int sum = 0;
    double errors = 0.0;
    write_labels_with_bonus(1.0, 400);
    j = judge();
    for (int i = 0; i < PIECE_COUNT_RANGES; i++) {
        sum += j.strata[i].positions;
        errors += j.strata[i].error * j.strata[i].positions;
    }
    ck_assert_int_eq(sum, COUNT);
    ck_assert_double_eq_tol(errors / COUNT, j.error, 1e-9);
    ck_assert_int_eq(j.strata[0].positions, 1); // king and pawn against king
}
END_TEST

START_TEST(a_single_position_has_no_correlation)
{
    char line[128];
    snprintf(line, sizeof line, "%s ce 30;\n", POSITIONS[0]);
    whole_file_write_text(path, line);
    ck_assert_double_eq(judge().correlation, 0.0);
}
END_TEST

START_TEST(positions_judge_one_network_after_another)
{
    static Network other;
    network_randomise(&other, 22);
    write_labels(1.0);
    LabelSet *const set = judge_read(path, error);
    const Judgement first = judge_network(set, &network, UNIT);
    ck_assert_double_gt(judge_network(set, &other, UNIT).error, first.error + 1e-4);
    const Judgement again = judge_network(set, &network, UNIT);
    ck_assert_double_eq(again.error, first.error);
    ck_assert_double_eq(again.correlation, first.correlation);
    ck_assert_int_eq(again.strata[0].positions, first.strata[0].positions);
    judge_free(set);
}
END_TEST

START_TEST(files_that_cannot_be_judged_are_refused)
{
    static const char *const BAD[] = {
        "",
        "# a comment only\n",
        "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n",    // no label
        "4k3/8/8/8/8/8/4P3/4K3 w - - ce many;\n",  // not a number
        "4k3/8/8/8/8/8/4P3/4K3 w - - ce 32768;\n", // out of range
        "4k3/8/8/8/8/8/4P3/4K3 w - - ce -32768;\n",
        "4k3/8/8/8/8/8/4P3/4K3 w - - ce 1",    // the end of the file is missing
        "4k3/8/8/8/8/8/4R3/4K3 b - - ce 0;\n", // in check
        "this is not a position ce 0;\n",
    };
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        whole_file_write_text(path, BAD[i]);
        error[0] = '\0';
        ck_assert_msg(judge_read(path, error) == NULL, "%s", BAD[i]);
        ck_assert_ptr_nonnull(strstr(error, path));
    }
    remove(path);
    ck_assert_ptr_null(judge_read(path, error));
}
END_TEST

START_TEST(an_unfinished_file_of_labels_is_refused)
{
    static const char *const MORE[] = {
        "# 300 nodes, evaluation bootstrap, seed 1, 3 positions, checksum 0123abcd\n",
        "# 300 nodes, evaluation a, seed 1, 3 positions of searches, checksum 0123abcd\r\n"};
    static const char *const OTHER[] = {
        "# 300 nodes, evaluation bootstrap, seed 1, 2 positions, checksum 0123abcd\n",
        "# 3 positions of a book\n", "# positions, checksum 5\n", "#\n"};
    static const char *const TWO = "4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 0; ce 150;\n"
                                   "4k3/8/8/8/8/8/4P3/4K3 b - - hmvc 0; ce -150;\n";
    char text[256];
    for (size_t i = 0; i < sizeof MORE / sizeof MORE[0]; i++) {
        snprintf(text, sizeof text, "%s%s", MORE[i], TWO);
        whole_file_write_text(path, text);
        ck_assert_ptr_null(judge_read(path, error));
        ck_assert_msg(strstr(error, ": 2 of 3 positions: ") != NULL, "%s", error);
        whole_file_write_text(path, MORE[i]);
        ck_assert_ptr_null(judge_read(path, error));
        ck_assert_msg(strstr(error, ": 0 of 3 positions: ") != NULL, "%s", error);
    }
    for (size_t i = 0; i < sizeof OTHER / sizeof OTHER[0]; i++) {
        snprintf(text, sizeof text, "%s%s", OTHER[i], TWO);
        whole_file_write_text(path, text);
        LabelSet *const set = judge_read(path, error);
        ck_assert_msg(set != NULL, "%s", error);
        judge_free(set);
    }
}
END_TEST

START_TEST(the_position_that_has_no_label_is_named)
{
    static const char *const BAD[] = {"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n", "nonsense\n"};
    char text[256];
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        snprintf(text, sizeof text, "# good\n%s# bad\n%s", "4k3/8/8/8/8/8/4P3/4K3 w - - ce 1;\n",
                 BAD[i]);
        whole_file_write_text(path, text);
        ck_assert_ptr_null(judge_read(path, error));
        ck_assert_msg(strstr(error, ": position 2: ") != NULL, "%s", error);
    }
    ck_assert_ptr_null(judge_read(".", error));
    ck_assert_msg(strstr(error, "position") == NULL, "%s", error);
}
END_TEST

/* The reason is not what makes their first bytes no position. */
START_TEST(files_that_are_no_text_are_named_so)
{
    static const char *const BAD[] = {"PALNNUE\x01\r\x02\n", "\x89PNG\r\n\x1a\n"};
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        whole_file_write_text(path, BAD[i]);
        ck_assert_ptr_null(judge_read(path, error));
        ck_assert_msg(strstr(error, "is not a text file") != NULL, "%s", error);
    }
    static const char NUL_BYTE[] = "4k3/8/8/8\0";
    whole_file_write(path, (const uint8_t *)NUL_BYTE, sizeof NUL_BYTE);
    ck_assert_ptr_null(judge_read(path, error));
    ck_assert_msg(strstr(error, "is not a text file") != NULL, "%s", error);
    whole_file_write_text(path, "4k3/8/8/8/8/8/4P3/4K3\r w - - ce 0;\n");
    ck_assert_ptr_null(judge_read(path, error));
    ck_assert_msg(strstr(error, "carriage return") != NULL, "%s", error);
}
END_TEST

Suite *suite_judge(void);
Suite *suite_judge(void)
{
    Suite *suite = suite_create("judge");
    TCase *tcase = tcase_create("judge");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_network_agrees_with_its_own_evaluation);
    tcase_add_loop_test(tcase, another_scale_is_found_and_is_no_error, 0,
                        sizeof FACTORS / sizeof FACTORS[0]);
    tcase_add_test(tcase, labels_that_contradict_the_evaluation_are_an_error);
    tcase_add_test(tcase, a_preference_for_the_side_to_move_is_left_out_of_the_centred_error);
    tcase_add_test(tcase, errors_are_counted_by_the_number_of_pieces);
    tcase_add_test(tcase, a_single_position_has_no_correlation);
    tcase_add_test(tcase, positions_judge_one_network_after_another);
    tcase_add_test(tcase, files_that_cannot_be_judged_are_refused);
    tcase_add_test(tcase, an_unfinished_file_of_labels_is_refused);
    tcase_add_test(tcase, the_position_that_has_no_label_is_named);
    tcase_add_test(tcase, files_that_are_no_text_are_named_so);
    suite_add_tcase(suite, tcase);
    return suite;
}
