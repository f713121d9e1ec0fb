// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/annotation.h"

#include <check.h>
#include <string.h>

#include "chess/notation.h"
#include "chess/play.h"
#include "eval/winrate.h"

enum { POSITIONS_MAX = 8, MATERIAL = 78 };

static PgnGame game;
static Analysis analyses[POSITIONS_MAX];
static StrBuf out;

static void teardown(void)
{
    pgn_game_free(&game);
    strbuf_free(&out);
    memset(analyses, 0, sizeof analyses);
}

static AnnotatedGame annotate(const char *text)
{
    PgnReader reader = pgn_reader(text);
    ck_assert_int_eq(pgn_game_read(&reader, &game), 1);
    ck_assert_str_eq(game.error, "");
    ck_assert_int_lt(game.move_count, POSITIONS_MAX);
    return (AnnotatedGame){.game = &game, .analyses = analyses, .number = 3};
}

/* Sets the analysis of a position: the score (a proven one, or centipawns) and shares of the side
 * to move, and a line from there. */
static void set(int ply, int shown, WinShares shares, const char *const line[], int length)
{
    Analysis *const analysis = &analyses[ply];
    const Score score = score_is_proven(shown) ? shown : winrate_units(shown, MATERIAL);
    Position pos = game.start;
    for (int i = 0; i < ply; i++)
        pos_advance(&pos, game.moves[i].move);
    *analysis = (Analysis){.score = score, .shares = shares, .depth = 9, .line_length = length};
    for (int i = 0; i < length; i++) {
        analysis->line[i] = move_from_san(&pos, line[i]);
        pos_advance(&pos, analysis->line[i]);
    }
}

/* 1. f3 loses 22%; 1... e5 is the best move. */
static AnnotatedGame two_moves(const char *text)
{
    static const char *const best[] = {"e4", "e5", "Nf3"}, *const reply[] = {"e5", "e4"};
    const AnnotatedGame annotated = annotate(text);
    set(0, 30, (WinShares){400, 400, 200}, best, 3);
    set(1, 60, (WinShares){420, 400, 180}, reply, 2);
    set(2, -61, (WinShares){180, 400, 420}, NULL, 0);
    analyses[1].source = SOURCE_LEARNED;
    analyses[1].source_plies = 2;
    analyses[2].source = SOURCE_HASH_FILE;
    return annotated;
}

START_TEST(moves_get_comment_glyph_and_best_line)
{
    const AnnotatedGame annotated = two_moves("1. f3 {own} e5 *");
    ck_assert(annotation_pgn(&out, &annotated, NULL, 0));
    for (char *c = out.text; *c != '\0'; c++)
        *c = *c == '\n' ? ' ' : *c;
    ck_assert_str_eq(out.text,
                     "1. f3 $4 {[%eval -0.60,9] wdl 180/400/420, learned position after 2 plies, "
                     "depth 9, loses 22%} {own} (1. e4 {[%eval 0.30,9] wdl 400/400/200, search, "
                     "depth 9} 1... e5 2. Nf3) 1... e5 {[%eval -0.61,9] wdl 180/400/420, hash "
                     "file, depth 9, best 1... e5 2. e4} *  ");
}
END_TEST

START_TEST(the_glyph_of_an_author_stays_alone)
{
    static const struct {
        const char *game, *begin;
    } JUDGED[] = {{"1. f3!? e5! *", "1. f3 $5 {"}, {"1. f3?! e5! *", "1. f3 $6 {"}};
    const AnnotatedGame annotated = two_moves(JUDGED[_i].game);
    ck_assert(annotation_pgn(&out, &annotated, NULL, 0));
    ck_assert_int_eq(strncmp(out.text, JUDGED[_i].begin, 10), 0);
    const char *const judged = strstr(out.text, "judged ");
    ck_assert_ptr_nonnull(judged);
    ck_assert_int_eq(strncmp(judged, "judged ??", 9), 0);
    ck_assert_ptr_null(strstr(judged + 1, "judged ")); // nothing to say of the good move
}
END_TEST

START_TEST(a_glyph_of_the_position_judges_no_move)
{
    const AnnotatedGame annotated = two_moves("1. f3 $14 e5 *");
    ck_assert(annotation_pgn(&out, &annotated, NULL, 0));
    ck_assert_int_eq(strncmp(out.text, "1. f3 $14 $4 {", 14), 0);
}
END_TEST

/* Mate is the best move, whatever the search has found. */
START_TEST(a_mate_needs_no_other_line)
{
    static const char *const line[] = {"d5", "d4"};
    const AnnotatedGame annotated = annotate("1. f3 e5 2. g4 Qh4# 0-1");
    set(3, 30, (WinShares){400, 400, 200}, line, 2);
    set(4, -SCORE_MATE, (WinShares){.losses = 1000}, NULL, 0);
    analyses[4].source = SOURCE_RULES;
    ck_assert(annotation_pgn(&out, &annotated, NULL, 0));
    ck_assert_ptr_nonnull(strstr(out.text, "{checkmate}"));
}
END_TEST

START_TEST(losses_are_rounded_to_whole_percents)
{
    static const char *const best[] = {"e4"};
    const AnnotatedGame annotated = annotate("1. f3 e5 *");
    set(0, 0, (WinShares){500, 300, 200}, best, 1);
    set(1, 0, (WinShares){246, 300, 454}, NULL, 0); // 4.6% less for White
    set(2, 0, (WinShares){454, 300, 246}, NULL, 0);
    ck_assert(annotation_pgn(&out, &annotated, NULL, 0));
    ck_assert_ptr_nonnull(strstr(out.text, ", loses 5%}"));
}
END_TEST

/* Scores for White, the side to move after Black's move, and their text. */
static const struct {
    int score; // proven, or centipawns
    const char *text;
} SCORES[] = {
    {5, "[%eval 0.05,9]"},
    {-5, "[%eval -0.05,9]"},
    {1, "[%eval 0.00,9]"}, // near the draw score
    {1234, "[%eval 12.34,9]"},
    {SCORE_MATE - 5, "[%eval #3,9]"},
    {-SCORE_MATE + 4, "[%eval #-2,9]"},
    {-SCORE_MATE, "checkmate"},
};

START_TEST(scores_are_written_for_white)
{
    const AnnotatedGame annotated = annotate("1. f3 e5 *");
    set(0, 0, (WinShares){.draws = 1000}, NULL, 0);
    set(1, -SCORES[_i].score, (WinShares){.draws = 1000}, NULL, 0);
    set(2, SCORES[_i].score, (WinShares){.draws = 1000}, NULL, 0);
    ck_assert(annotation_pgn(&out, &annotated, NULL, 0));
    const char *const first = strstr(out.text, SCORES[_i].text);
    ck_assert_msg(first != NULL, "%s", out.text);
    /* Both moves have the same score from White's view, but a side is mated only on its turn. */
    if (SCORES[_i].score > -SCORE_MATE)
        ck_assert_ptr_nonnull(strstr(first + 1, SCORES[_i].text));
    ck_assert_ptr_null(strchr(out.text, '(')); // without a line no variation
}
END_TEST

START_TEST(objects_have_one_line_each)
{
    const AnnotatedGame annotated = two_moves("1. f3 e5 *");
    annotation_json(&out, &annotated);
    ck_assert_str_eq(
        out.text,
        "{\"game\":3,\"ply\":1,\"move\":\"f3\",\"uci\":\"f2f3\",\"loss\":0.2200,\"nag\":4,"
        "\"played\":{\"cp\":-60,\"wdl\":[180,400,420],\"source\":\"learned position\",\"after\":2,"
        "\"depth\":9,\"line\":[\"e5\",\"e4\"]},\"best\":{\"cp\":30,\"wdl\":[400,400,200],"
        "\"source\":\"search\",\"after\":0,\"depth\":9,\"line\":[\"e4\",\"e5\",\"Nf3\"]}}\n"
        "{\"game\":3,\"ply\":2,\"move\":\"e5\",\"uci\":\"e7e5\",\"loss\":0.0000,\"nag\":0,"
        "\"played\":{\"cp\":-61,\"wdl\":[180,400,420],\"source\":\"hash file\",\"after\":0,"
        "\"depth\":9,\"line\":[]},\"best\":{\"cp\":-60,\"wdl\":[180,400,420],\"source\":\"learned "
        "position\",\"after\":2,\"depth\":9,\"line\":[\"e5\",\"e4\"]}}\n");
}
END_TEST

START_TEST(errors_are_counted_for_each_side)
{
    const AnnotatedGame annotated = two_moves("[White \"Anna\"]\n[Black \"Bert\"]\n1. f3 e5 0-1");
    annotation_counts(&out, &annotated);
    ck_assert_str_eq(out.text,
                     "Anna - Bert, 0-1, 2 plies; White 1 ?\?, 0 ?, 0 ?!; Black 0 ?\?, 0 ?, 0 ?!");
    strbuf_clear(&out);
    const AnnotatedGame none = annotate("*");
    annotation_counts(&out, &none);
    ck_assert_str_eq(out.text, "? - ?, *, 0 plies");
}
END_TEST

Suite *suite_annotation(void);
Suite *suite_annotation(void)
{
    Suite *suite = suite_create("annotation");
    TCase *tcase = tcase_create("annotation");
    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_test(tcase, moves_get_comment_glyph_and_best_line);
    tcase_add_test(tcase, losses_are_rounded_to_whole_percents);
    tcase_add_loop_test(tcase, the_glyph_of_an_author_stays_alone, 0, 2);
    tcase_add_test(tcase, a_glyph_of_the_position_judges_no_move);
    tcase_add_test(tcase, a_mate_needs_no_other_line);
    tcase_add_loop_test(tcase, scores_are_written_for_white, 0, sizeof SCORES / sizeof SCORES[0]);
    tcase_add_test(tcase, objects_have_one_line_each);
    tcase_add_test(tcase, errors_are_counted_for_each_side);
    suite_add_tcase(suite, tcase);
    return suite;
}
