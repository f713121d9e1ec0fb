// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/pgnscores.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "chess/fen.h"

enum { SEEN_MAX = 32 };

/* The moves that pgnscores_read() reported. */
static struct {
    char fen[FEN_MAX];
    int score; // centipawns
    int result;
    uint64_t game;
} seen[SEEN_MAX];
static int seen_count;
static PgnTally tally;

static void take(void *ctx, const PgnScore *move)
{
    (void)ctx;
    ck_assert_int_lt(seen_count, SEEN_MAX);
    fen_print(move->pos, false, seen[seen_count].fen);
    seen[seen_count].score = move->centipawns;
    seen[seen_count].result = move->result;
    seen[seen_count++].game = move->game;
}

static void read_text(const char *text, const char *player)
{
    seen_count = 0;
    tally = (PgnTally){0};
    ck_assert(pgnscores_read(text, player, take, NULL, &tally));
}

#define TAGS(result) "[Event \"?\"]\n[White \"a b\"]\n[Black \"c\"]\n[Result \"" result "\"]\n"

START_TEST(scores_are_read_with_position_and_result)
{
    read_text(TAGS("1-0") "\n1. e4 {+0.29/12 0.1s} e5 {-0.50/9 0.002s}\n2. Nf3 {+1/3} Nc6 1-0\n",
              NULL);
    ck_assert_int_eq(seen_count, 3);
    ck_assert_str_eq(seen[0].fen, FEN_START);
    ck_assert_int_eq(seen[0].score, 29); // 100 * 0.29 is a little less
    ck_assert_int_eq(seen[0].result, GAME_WHITE_WINS);
    ck_assert_str_eq(seen[1].fen, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    ck_assert_int_eq(seen[1].score, -50);
    ck_assert_int_eq(seen[1].result, GAME_WHITE_WINS);
    ck_assert_int_eq(seen[2].score, 100);
    ck_assert_uint_eq(tally.games, 1);
    ck_assert_uint_eq(tally.moves, 3);
    ck_assert_uint_eq(tally.faulty + tally.unjudged, 0);
}
END_TEST

START_TEST(comments_without_a_score_are_ignored)
{
    read_text(
        TAGS("1/2-1/2") "1. e4 {book} e5 {+M5/20 1s} 2. Nf3 { -M2/3 } (2. d4 {+0.10/1} (2. c4)) $2 "
                        "Nc6 {} 3.Bb5 {a +0.10/1} ; {+0.20/2}\n3...a6 {  0.20/2 0s, note} 1/2-1/2",
        NULL);
    ck_assert_int_eq(seen_count, 1);
    ck_assert_int_eq(seen[0].score, 20);
    ck_assert_int_eq(seen[0].result, GAME_DRAW);
    ck_assert_str_eq(seen[0].fen,
                     "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3");
    ck_assert_uint_eq(tally.games, 1);
}
END_TEST

static const struct {
    const char *comment;
    int count, score;
} COMMENTS[] = {{"1/2-1/2 offered", 0, 0},  {"3/4 of the time", 0, 0}, {"12/2026", 0, 0},
                {"+0.50/12th move", 0, 0},  {"+0.50/12.5s", 0, 0},     {"+0.35/12, 0.5s", 1, 35},
                {"-0.35/18/24 3s", 1, -35}, {"0.20/9 1s", 1, 20},      {"+2/9", 1, 200}};
enum { COMMENT_COUNT = sizeof COMMENTS / sizeof COMMENTS[0] };

START_TEST(a_number_and_a_slash_are_not_always_a_score)
{
    char text[200];
    snprintf(text, sizeof text, TAGS("1-0") "1. e4 {%s} 1-0\n", COMMENTS[_i].comment);
    read_text(text, NULL);
    ck_assert_uint_eq(tally.games, 1);
    ck_assert_int_eq(seen_count, COMMENTS[_i].count);
    ck_assert(seen_count == 0 || seen[0].score == COMMENTS[_i].score);
}
END_TEST

START_TEST(a_score_beyond_all_evaluations_is_ignored)
{
    read_text(TAGS("1-0") "1. e4 {+197.53/1} e5 {-197.53/1} 2. d4 {+197.54/1} d5 {-300.00/1} 1-0\n",
              NULL);
    ck_assert_int_eq(seen_count, 2);
    ck_assert_int_eq(seen[0].score, 19753);
    ck_assert_int_eq(seen[1].score, -19753);
}
END_TEST

START_TEST(a_game_without_moves_is_not_counted)
{
    read_text(TAGS("1-0") "1-0\n\n" TAGS("*") "*\n", NULL);
    ck_assert_uint_eq(tally.games + tally.unjudged + tally.faulty, 0);
}
END_TEST

START_TEST(with_a_player_given_only_scores_of_that_player_are_read)
{
    static const char games[] = TAGS("0-1") "1. e4 {+0.01/1} e5 {+0.02/1} 0-1\n\n" TAGS(
        "1-0") "1. d4 {+0.03/1} d5 {+0.04/1} 1-0\n";
    read_text(games, "a b");
    ck_assert_int_eq(seen_count, 2);
    ck_assert_int_eq(seen[0].result, GAME_BLACK_WINS);
    ck_assert_int_eq(seen[1].result, GAME_WHITE_WINS);
    ck_assert_uint_eq(seen[1].game, 1);
    read_text(games, "c");
    ck_assert_int_eq(seen_count, 2);
    read_text(games, "nobody");
    ck_assert_int_eq(seen_count, 0);
    ck_assert_uint_eq(tally.games, 2);
}
END_TEST

START_TEST(a_result_without_its_tag_counts)
{
    read_text("[Termination \"Normal\"]\n1. e4 {+0.01/1} 1-0\n", NULL);
    ck_assert_int_eq(seen_count, 1);
    ck_assert_uint_eq(tally.games, 1);
}
END_TEST

START_TEST(games_without_a_result_on_the_board_are_left_out)
{
    static const char *const games[] = {
        TAGS("*") "1. e4 {+0.01/1} *\n",
        TAGS("1-0") "[Termination \"time forfeit\"]\n1. e4 {+0.01/1} 1-0\n",
        "[Termination \"illegal move\"]\n[Result \"1-0\"]\n1. e4 {+0.01/1} 1-0\n",
        "1. e4 {+0.01/1} *\n"};
    for (int i = 0; i < 4; i++) {
        read_text(games[i], NULL);
        ck_assert_int_eq(seen_count, 0);
        ck_assert_uint_eq(tally.unjudged, 1);
        ck_assert_uint_eq(tally.games, 0);
    }
    read_text(TAGS("1-0") "[Termination \"adjudication\"]\n1. e4 {+0.01/1} 1-0\n", NULL);
    ck_assert_int_eq(seen_count, 1);
}
END_TEST

START_TEST(a_faulty_game_does_not_affect_the_next)
{
    read_text(TAGS("1-0") "1. e4 {+0.01/1} e4 {+0.01/1} 1-0\n" TAGS(
                  "1-0") "[FEN \"8/8 w - -\"]\n1. e4 "
                         "{+0.01/1} 1-0\n" TAGS("1-0") "1. e4 {+0.05/1} 1-0\n",
              NULL);
    ck_assert_uint_eq(tally.faulty, 2);
    ck_assert_uint_eq(tally.games, 1);
    ck_assert_int_eq(seen_count, 1);
    ck_assert_int_eq(seen[0].score, 5);
    ck_assert_str_eq(seen[0].fen, FEN_START);
}
END_TEST

START_TEST(games_begin_at_their_fen)
{
    read_text(
        TAGS("0-1") "[SetUp \"1\"]\n[FEN \"4k3/p7/8/8/8/8/8/4K2R b K - 3 9\"]\n9... a5 {-0.10/4} "
                    "10. O-O {+9.00/5} 0-1\n",
        NULL);
    ck_assert_int_eq(seen_count, 2);
    ck_assert_str_eq(seen[0].fen, "4k3/p7/8/8/8/8/8/4K2R b K - 3 9");
    ck_assert_int_eq(seen[0].result, GAME_BLACK_WINS);
    read_text(
        TAGS("0-1") "[Variant \"fischerandom\"]\n[FEN \"1k6/8/8/8/8/8/8/1K4RR w G - 0 1\"]\n1. O-O "
                    "{+9.00/5} 0-1\n",
        NULL);
    ck_assert_int_eq(seen_count, 1);
    ck_assert_uint_eq(tally.faulty, 0);
}
END_TEST

START_TEST(the_variant_standard_is_not_chess960)
{
    /* In Chess960 the rook on f1 could castle. */
    read_text(TAGS("1-0") "[Variant \"Standard\"]\n[FEN \"4k3/8/8/8/8/8/8/4KR2 w K - 0 1\"]\n"
                          "1. Ke2 {+9.00/5} 1-0\n",
              NULL);
    ck_assert_int_eq(seen_count, 1);
    ck_assert_str_eq(seen[0].fen, "4k3/8/8/8/8/8/8/4KR2 w - - 0 1");
}
END_TEST

START_TEST(a_tag_may_contain_brackets)
{
    read_text("[White \"a [b] c\"]\n[Black \"d]\"]\n[Result \"1-0\"]\n"
              "1. e4 {+0.10/1} e5 {+0.20/1} 1-0\n",
              "a [b] c");
    ck_assert_uint_eq(tally.faulty, 0);
    ck_assert_uint_eq(tally.games, 1);
    ck_assert_int_eq(seen_count, 1);
    ck_assert_int_eq(seen[0].score, 10);
}
END_TEST

START_TEST(the_first_score_after_a_move_counts)
{
    read_text(
        TAGS("0-1") "1. e4 ; +0.10/1 to the end of the line\ne5 {book} (1... c5 {:)} {+0.30/1}) "
                    "{+0.20/1} {+0.40/1} 0-1\n",
        NULL);
    ck_assert_int_eq(seen_count, 2);
    ck_assert_int_eq(seen[0].score, 10);
    ck_assert_int_eq(seen[1].score, 20);
}
END_TEST

START_TEST(any_bytes_are_read_without_a_crash)
{
    static const char *const texts[] = {"",
                                        "[",
                                        "[[[\"\"\"",
                                        "{",
                                        "(((",
                                        ")}]",
                                        "1.",
                                        "1-0",
                                        "[White",
                                        "[\"\"]",
                                        "\x80\xff 1. e4 {+0.1",
                                        "; e4",
                                        "[Result \"1-0\"] e4 {+/3} {1/} {/}"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        read_text(texts[i], NULL);
        ck_assert_int_eq(seen_count, 0);
    }
    static char longest[100000];
    memset(longest, 'x', sizeof longest - 1);
    read_text(longest, NULL);
}
END_TEST

Suite *suite_pgnscores(void);
Suite *suite_pgnscores(void)
{
    Suite *suite = suite_create("pgnscores");
    TCase *tcase = tcase_create("pgnscores");
    tcase_add_test(tcase, scores_are_read_with_position_and_result);
    tcase_add_test(tcase, comments_without_a_score_are_ignored);
    tcase_add_loop_test(tcase, a_number_and_a_slash_are_not_always_a_score, 0, COMMENT_COUNT);
    tcase_add_test(tcase, a_score_beyond_all_evaluations_is_ignored);
    tcase_add_test(tcase, a_game_without_moves_is_not_counted);
    tcase_add_test(tcase, with_a_player_given_only_scores_of_that_player_are_read);
    tcase_add_test(tcase, a_result_without_its_tag_counts);
    tcase_add_test(tcase, games_without_a_result_on_the_board_are_left_out);
    tcase_add_test(tcase, a_faulty_game_does_not_affect_the_next);
    tcase_add_test(tcase, games_begin_at_their_fen);
    tcase_add_test(tcase, the_variant_standard_is_not_chess960);
    tcase_add_test(tcase, a_tag_may_contain_brackets);
    tcase_add_test(tcase, the_first_score_after_a_move_counts);
    tcase_add_test(tcase, any_bytes_are_read_without_a_crash);
    suite_add_tcase(suite, tcase);
    return suite;
}
