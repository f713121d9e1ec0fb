// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>
#include <string.h>

#include "base/text.h"
#include "eval/winrate.h"
#include "uci/report.h"

static const ReportStyle PLAIN = {0};

static const struct {
    Score score;
    const char *text;
} SCORES[] = {
    {0, "cp 0"},
    {1, "cp 0"}, // draw scores differ by a unit or two
    {-2, "cp 0"},
    {SCORE_TB - 3, "cp 19997"},
    {-SCORE_TB + 10, "cp -19990"},
    {SCORE_MATE, "mate 0"},
    {SCORE_MATE - 1, "mate 1"},
    {SCORE_MATE - 2, "mate 1"},
    {SCORE_MATE - 3, "mate 2"},
    {-SCORE_MATE, "mate 0"},
    {-SCORE_MATE + 2, "mate -1"},
    {-SCORE_MATE + 4, "mate -2"},
};

START_TEST(score_is_written_in_the_units_of_its_kind)
{
    char text[REPORT_SCORE_MAX];
    report_score(SCORES[_i].score, 40, text);
    ck_assert_str_eq(text, SCORES[_i].text);
}
END_TEST

/* Says the same as the text of a score. */
static void check_centipawns(Score score, int material)
{
    char text[REPORT_SCORE_MAX], wanted[REPORT_SCORE_MAX];
    report_score(score, material, text);
    snprintf(wanted, sizeof wanted, "cp %d", winrate_centipawns(score, material));
    ck_assert_str_eq(text, wanted);
}

START_TEST(an_estimate_is_written_in_centipawns_of_the_material)
{
    char text[REPORT_SCORE_MAX];
    for (int material = 20; material <= 78; material += 29) {
        check_centipawns(100, material);
        check_centipawns(-50, material);
        report_score(SCORE_EVAL_MAX, material, text);
        ck_assert_int_eq(strncmp(text, "cp ", 3), 0);
        int64_t shown;
        ck_assert(text_parse_int(text + 3, 2000, SCORE_EVAL_MAX, &shown));
    }
}
END_TEST

static Report line_report(const Move *pv, int pv_length)
{
    return (Report){.kind = REPORT_LINE,
                    .depth = 7,
                    .seldepth = 11,
                    .multipv = 2,
                    .score = winrate_units(40, 0), // cp 40
                    .bound = BOUND_EXACT,
                    .nodes = 3000,
                    .tb_hits = 4,
                    .elapsed_ms = 2000,
                    .hashfull = 5,
                    .pv = pv,
                    .pv_length = pv_length};
}

START_TEST(line_has_all_fields_in_order)
{
    const Move pv[] = {move_make(E2, E4, KIND_NORMAL), move_make(E7, E5, KIND_NORMAL)};
    const Report report = line_report(pv, 2);
    char text[REPORT_TEXT_MAX];
    report_format(&report, PLAIN, text);
    ck_assert_str_eq(text, "info depth 7 seldepth 11 multipv 2 score cp 40 nodes 3000 nps 1500 "
                           "hashfull 5 tbhits 4 time 2000 pv e2e4 e7e5");
}
END_TEST

START_TEST(bound_follows_the_score_directly)
{
    const Move pv[] = {move_make(E2, E4, KIND_NORMAL)};
    Report report = line_report(pv, 1);
    char text[REPORT_TEXT_MAX];
    report.bound = BOUND_LOWER;
    report_format(&report, PLAIN, text);
    ck_assert_ptr_nonnull(strstr(text, "score cp 40 lowerbound nodes"));
    report.bound = BOUND_UPPER;
    report_format(&report, PLAIN, text);
    ck_assert_ptr_nonnull(strstr(text, "score cp 40 upperbound nodes"));
}
END_TEST

START_TEST(wdl_follows_the_score_and_its_bound)
{
    const Move pv[] = {move_make(E2, E4, KIND_NORMAL)};
    Report report = line_report(pv, 1);
    char text[REPORT_TEXT_MAX];
    report.score = SCORE_TB - 3;
    report.bound = BOUND_LOWER;
    report_format(&report, (ReportStyle){.shows_wdl = true}, text);
    ck_assert_ptr_nonnull(strstr(text, "score cp 19997 lowerbound wdl 1000 0 0 nodes"));
    char wanted[64];
    report.score = 100;
    report.bound = BOUND_EXACT;
    for (int material = 40; material <= 70; material += 30) { // the win rate depends on material
        const WinShares shares = winrate_shares(report.score, material);
        snprintf(wanted, sizeof wanted, " wdl %d %d %d nodes", shares.wins, shares.draws,
                 shares.losses);
        report_format(&report, (ReportStyle){.shows_wdl = true, .material = material}, text);
        ck_assert_msg(strstr(text, wanted) != NULL, "%s lacks%s", text, wanted);
    }
    ck_assert_int_ne(winrate_shares(100, 40).wins, winrate_shares(100, 70).wins);
}
END_TEST

/* A cursed win and a blessed loss are draws, too: they have these scores only under the fifty-move
 * rule. */
START_TEST(a_draw_of_the_tablebases_is_certain)
{
    const Move pv[] = {move_make(E2, E4, KIND_NORMAL)};
    Report report = line_report(pv, 1);
    char text[REPORT_TEXT_MAX];
    report.bound = BOUND_EXACT;
    report.is_tablebase = true;
    for (report.score = -2; report.score <= 2; report.score++) {
        report_format(&report, (ReportStyle){.shows_wdl = true}, text);
        ck_assert_ptr_nonnull(strstr(text, " wdl 0 1000 0 nodes"));
    }
    report.score = -SCORE_TB;
    report_format(&report, (ReportStyle){.shows_wdl = true}, text);
    ck_assert_ptr_nonnull(strstr(text, " wdl 0 0 1000 nodes"));
}
END_TEST

START_TEST(speed_in_no_time_is_finite)
{
    const Move pv[] = {move_make(E2, E4, KIND_NORMAL)};
    Report report = line_report(pv, 1);
    char text[REPORT_TEXT_MAX];
    report.elapsed_ms = 0;
    report_format(&report, PLAIN, text);
    ck_assert_ptr_nonnull(strstr(text, " nps 3000000 "));
}
END_TEST

START_TEST(a_root_without_moves_has_a_score_and_no_line)
{
    Report report = line_report(NULL, 0);
    char text[REPORT_TEXT_MAX];
    report.depth = 0;
    report.score = score_mated_in(0);
    report_format(&report, PLAIN, text);
    ck_assert_str_eq(text, "info depth 0 score mate 0");
    report.score = SCORE_DRAW;
    report_format(&report, PLAIN, text);
    ck_assert_str_eq(text, "info depth 0 score cp 0");
}
END_TEST

START_TEST(longest_line_fits)
{
    Move pv[MAX_PLY];
    for (int i = 0; i < MAX_PLY; i++)
        pv[i] = move_promotion(A7, B8, QUEEN);
    Report report = line_report(pv, MAX_PLY);
    report.nodes = UINT64_MAX / 1000;
    report.tb_hits = UINT64_MAX;
    report.elapsed_ms = INT64_MAX;
    report.bound = BOUND_LOWER;
    char text[REPORT_TEXT_MAX];
    report_format(&report, (ReportStyle){.shows_wdl = true}, text);
    int moves = 0;
    for (const char *at = text; (at = strstr(at, " a7b8q")) != NULL; at++)
        moves++;
    ck_assert_int_eq(moves, MAX_PLY);
}
END_TEST

START_TEST(best_move_names_the_ponder_move_only_when_there_is_one)
{
    Report report = {.kind = REPORT_DONE,
                     .best = move_make(E2, E4, KIND_NORMAL),
                     .ponder = move_make(E7, E5, KIND_NORMAL)};
    char text[REPORT_TEXT_MAX];
    report_format(&report, PLAIN, text);
    ck_assert_str_eq(text, "bestmove e2e4 ponder e7e5");
    report.ponder = MOVE_NONE;
    report_format(&report, PLAIN, text);
    ck_assert_str_eq(text, "bestmove e2e4");
    report.best = MOVE_NONE;
    report_format(&report, PLAIN, text);
    ck_assert_str_eq(text, "bestmove (none)");
}
END_TEST

START_TEST(castling_is_king_takes_rook_in_chess960_only)
{
    const Report report = {.kind = REPORT_DONE, .best = move_make(E1, H1, KIND_CASTLING)};
    char text[REPORT_TEXT_MAX];
    report_format(&report, PLAIN, text);
    ck_assert_str_eq(text, "bestmove e1g1");
    report_format(&report, (ReportStyle){.chess960 = true}, text);
    ck_assert_str_eq(text, "bestmove e1h1");
    const Move pv[] = {report.best, move_make(E8, A8, KIND_CASTLING)};
    const Report line = line_report(pv, 2);
    report_format(&line, PLAIN, text);
    ck_assert_ptr_nonnull(strstr(text, " pv e1g1 e8c8"));
    report_format(&line, (ReportStyle){.chess960 = true}, text);
    ck_assert_ptr_nonnull(strstr(text, " pv e1h1 e8a8"));
    const Report done = {.kind = REPORT_DONE, .best = pv[0], .ponder = pv[1]};
    report_format(&done, (ReportStyle){.chess960 = true}, text);
    ck_assert_str_eq(text, "bestmove e1h1 ponder e8a8");
    const Report current = {.kind = REPORT_MOVE, .depth = 9, .move = pv[0], .move_number = 1};
    report_format(&current, (ReportStyle){.chess960 = true}, text);
    ck_assert_str_eq(text, "info depth 9 currmove e1h1 currmovenumber 1");
}
END_TEST

START_TEST(figures_of_a_silent_search)
{
    const Report report = {
        .kind = REPORT_FIGURES, .nodes = 3000000, .elapsed_ms = 1500, .hashfull = 17, .tb_hits = 4};
    char text[REPORT_TEXT_MAX];
    report_format(&report, PLAIN, text);
    ck_assert_str_eq(text, "info nodes 3000000 nps 2000000 hashfull 17 tbhits 4 time 1500");
}
END_TEST

START_TEST(current_move_is_numbered)
{
    const Report report = {
        .kind = REPORT_MOVE, .depth = 20, .move = move_make(G1, F3, KIND_NORMAL), .move_number = 3};
    char text[REPORT_TEXT_MAX];
    report_format(&report, PLAIN, text);
    ck_assert_str_eq(text, "info depth 20 currmove g1f3 currmovenumber 3");
}
END_TEST

Suite *suite_report(void);
Suite *suite_report(void)
{
    Suite *const suite = suite_create("report");
    TCase *const tcase = tcase_create("format");
    tcase_add_loop_test(tcase, score_is_written_in_the_units_of_its_kind, 0,
                        (int)(sizeof SCORES / sizeof SCORES[0]));
    tcase_add_test(tcase, an_estimate_is_written_in_centipawns_of_the_material);
    tcase_add_test(tcase, line_has_all_fields_in_order);
    tcase_add_test(tcase, bound_follows_the_score_directly);
    tcase_add_test(tcase, wdl_follows_the_score_and_its_bound);
    tcase_add_test(tcase, a_draw_of_the_tablebases_is_certain);
    tcase_add_test(tcase, speed_in_no_time_is_finite);
    tcase_add_test(tcase, a_root_without_moves_has_a_score_and_no_line);
    tcase_add_test(tcase, longest_line_fits);
    tcase_add_test(tcase, best_move_names_the_ponder_move_only_when_there_is_one);
    tcase_add_test(tcase, castling_is_king_takes_rook_in_chess960_only);
    tcase_add_test(tcase, figures_of_a_silent_search);
    tcase_add_test(tcase, current_move_is_numbered);
    suite_add_tcase(suite, tcase);
    return suite;
}
