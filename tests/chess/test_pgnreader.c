// SPDX-License-Identifier: GPL-3.0-or-later
/* Where games begin and end in a text of many games. */
#include "chess/pgngame.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static PgnGame game;
static StrBuf out;

static void teardown(void)
{
    pgn_game_free(&game);
    strbuf_free(&out);
}

static const char *text_at(size_t offset)
{
    return game.text.text + offset;
}

START_TEST(tags_after_moves_belong_to_the_next_game)
{
    PgnReader reader = pgn_reader("[White \"A\"]\n1. e4\n\n[White \"B\"]\n1. d4 d5 *");
    ck_assert_int_eq(pgn_game_read(&reader, &game), 1);
    ck_assert_int_eq(game.tag_count, 1);
    ck_assert_int_eq(game.move_count, 1);
    ck_assert_int_eq(pgn_game_read(&reader, &game), 1);
    ck_assert_str_eq(pgn_game_tag(&game, "White"), "B");
    ck_assert_int_eq(game.move_count, 2);
}
END_TEST

START_TEST(an_asterisk_needs_no_blank_after_it)
{
    PgnReader reader = pgn_reader("1. e4 e5*1. d4 * *");
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(pgn_game_read(&reader, &game), 1);
        ck_assert_str_eq(game.error, "");
        ck_assert_int_eq(game.move_count, 2 - i);
    }
    ck_assert_int_eq(pgn_game_read(&reader, &game), 0);
}
END_TEST

/* After a damaged game the next one is read. */
START_TEST(damage_ends_with_its_game)
{
    static const char *const TEXTS[] = {
        "[Event \"1\"]\n1. e4 {never ends\n[Event \"2\"]\n1. d4 *",
        "[Event \"1\"]\n1. e4 (1. c4 c5\n\n[Event \"2\"]\n1. d4 *",
        "[Event \"1\"]\n1. e5 e5 2. x1-0 *\n[Event \"2\"]\n1. d4 *",
        "[Event \"1\"]\n1. e4 Qq9\n[Event \"2\"]\n1. d4 *",
        "[Event \"1\"]\n1. e4 [best] e5 2. Nf3 1-0\n[Event \"2\"]\n1. d4 *",
        "[Event \"1\"]\n1. e4 [%clk 0:01] 1-0\n[Event \"2\"]\n1. d4 *",
        "[Event \"1\"]\n1. e4\n[%clk 0:01]\n \t[ Event \"2\"]\n1. d4 *",
        "{never ends\n[Event \"2\"]\n1. d4 *",
        "[event \"1\"]\n1. e4 {never ends\n[event \"2\"]\n1. d4 *",
        "[Event \"1\"]\n1. e4 {never ends\n[EVENT \"2\"]\n1. d4 {x} *",
        "[Event \"1\"]\n1. e4 (1. c4 {see\n[Event \"B\"]} e5\n[Event \"2\"]\n1. d4 *",
    };
    PgnReader reader = pgn_reader(TEXTS[_i]);
    ck_assert_int_eq(pgn_game_read(&reader, &game), 1);
    ck_assert_str_ne(game.error, "");
    ck_assert_int_eq(pgn_game_read(&reader, &game), 1);
    ck_assert_str_eq(game.error, "");
    ck_assert_str_eq(pgn_game_tag(&game, "Event"), "2");
    ck_assert_int_eq(game.move_count, 1);
    ck_assert_int_eq(pgn_game_read(&reader, &game), 0);
}
END_TEST

START_TEST(games_without_tags_or_result_are_told_apart)
{
    PgnReader reader =
        pgn_reader("\xef\xbb\xbf\n% an escape\n1. e4 e5 1-0\n 1. d4 0-1\n[Event \"3\"]\n[Result "
                   "\"1-0\"]\n1. c4\n[Event \"4\"]\n[Event \"5\"]\n\n*\n\n");
    static const char *const RESULTS[] = {"1-0", "0-1", "1-0", "*", "*"};
    static const int LINES[] = {3, 4, 5, 8, 9}, MOVES[] = {2, 1, 1, 0, 0};
    for (int i = 0; i < 5; i++) {
        ck_assert_int_eq(pgn_game_read(&reader, &game), 1);
        ck_assert_str_eq(game.error, "");
        ck_assert_str_eq(game.result, RESULTS[i]);
        ck_assert_int_eq(game.line, LINES[i]);
        ck_assert_int_eq(game.move_count, MOVES[i]);
    }
    ck_assert_int_eq(pgn_game_read(&reader, &game), 0);
}
END_TEST

START_TEST(comments_on_the_result_belong_to_its_game)
{
    PgnReader reader =
        pgn_reader("[Event \"A\"]\n\n1. e4 e5 1-0 {c1} ;c2\n{c3}\n\n{c4} 1. d4 0-1\n");
    ck_assert_int_eq(pgn_game_read(&reader, &game), 1);
    ck_assert_str_eq(text_at(game.moves[1].after), "{c1} {c2} {c3}");
    ck_assert_int_eq(pgn_game_read(&reader, &game), 1);
    ck_assert_str_eq(text_at(game.before), "{c4}");
    ck_assert_int_eq(pgn_game_read(&reader, &game), 0);
}
END_TEST

START_TEST(what_is_left_behind_the_last_game_is_no_game)
{
    PgnReader reader = pgn_reader("% head\n[Event \"A\"]\n\n1. e4 e5 1-0\n\n% end of file\n}\n");
    ck_assert_int_eq(pgn_game_read(&reader, &game), 1);
    ck_assert_int_eq(game.move_count, 2);
    ck_assert_str_eq(pgn_game_tag(&game, "Event"), "A");
    ck_assert_int_eq(pgn_game_read(&reader, &game), 0);
}
END_TEST

START_TEST(an_open_comment_ends_before_the_next_game_of_an_old_mac)
{
    PgnReader reader =
        pgn_reader("[Event \"A\"]\r\r1. e4 {open e5 1-0\r\r[Event \"B\"]\r\r1. d4 0-1\r");
    ck_assert_int_eq(pgn_game_read(&reader, &game), 1);
    ck_assert_str_ne(game.error, "");
    ck_assert_int_eq(pgn_game_read(&reader, &game), 1);
    ck_assert_str_eq(pgn_game_tag(&game, "Event"), "B");
    ck_assert_int_eq(game.move_count, 1);
}
END_TEST

/* Lines of an old Mac: an escaped one ends with CR, a tag without closing quote, too, and they are
 * counted. */
START_TEST(lines_of_an_old_mac_end)
{
    PgnReader reader = pgn_reader("[Event \"A\"]\r[Black \"say\r[Round \"1\"]\r\r% 1. c4\r1. e4 "
                                  "e5 1-0\r\r% esc\r{b} 1. d4 0-1\r");
    ck_assert_int_eq(pgn_game_read(&reader, &game), 1);
    ck_assert_str_eq(game.error, "");
    ck_assert_str_eq(pgn_game_tag(&game, "Black"), "say");
    ck_assert_str_eq(pgn_game_tag(&game, "Round"), "1");
    ck_assert_int_eq(game.move_count, 2);
    ck_assert_int_eq(pgn_game_read(&reader, &game), 1);
    ck_assert_str_eq(text_at(game.before), "{b}");
    ck_assert_int_eq(game.line, 9);
    ck_assert_int_eq(game.move_count, 1);
    ck_assert_int_eq(pgn_game_read(&reader, &game), 0);
}
END_TEST

#define MARK "\xef\xbb\xbf"

/* Each of several files with a byte order mark, joined to one. */
START_TEST(a_byte_order_mark_between_games_is_skipped)
{
    static const char *const FIRST[] = {
        "1. e4 e5 1-0\n\n",
        "1. e4 e5 1-0",
        "1. e4 e5 *",
        "1. e4 e5\n",
        "1. e4 e5",
        "1. e4 e5 1-0 {x}\n",
        "[Event \"A\"]\n1. e4 e5 {never ends\n",
    };
    char text[200];
    snprintf(text, sizeof text, MARK "%s" MARK "[Event \"B\"]\n1. d4 *\n" MARK, FIRST[_i]);
    PgnReader reader = pgn_reader(text);
    ck_assert_int_eq(pgn_game_read(&reader, &game), 1);
    ck_assert_int_eq(*game.error != '\0', strstr(text, "never") != NULL);
    ck_assert_int_eq(game.move_count, 2);
    ck_assert_int_eq(pgn_game_read(&reader, &game), 1);
    ck_assert_str_eq(game.error, "");
    ck_assert_str_eq(pgn_game_tag(&game, "Event"), "B");
    ck_assert_int_eq(game.move_count, 1);
    ck_assert_int_eq(pgn_game_read(&reader, &game), 0);
}
END_TEST

/* Takes minutes if each game costs a search through the rest of the file. */
START_TEST(many_games_without_tags_are_read_at_once)
{
    enum { GAMES = 1 << 18 };
    StrBuf text = {0};
    int games = 0;
    for (int i = 0; i < GAMES; i++)
        strbuf_add(&text, "1. e4 {x} *\n");
    PgnReader reader = pgn_reader(text.text);
    while (pgn_game_read(&reader, &game) == 1)
        games++;
    ck_assert_int_eq(games, GAMES);
    strbuf_free(&text);
}
END_TEST

/* Texts cut and mixed at random neither crash nor loop. */
START_TEST(any_text_is_read_to_its_end)
{
    static const char PIECES[][12] = {
        "[Event \"x\"]", "\n", "1. e4 ", "e5", "{", "}", "(", ")", ";", "[", "]", "\"", "$1",
        "1-0",           "*",  "%"};
    unsigned seed = 1;
    for (int round = 0; round < 300; round++) {
        strbuf_clear(&out);
        for (int i = 0; i < 40; i++) {
            seed = seed * 1103515245U + 12345U;
            strbuf_add(&out, "%s", PIECES[(seed >> 16) % 16]);
        }
        PgnReader reader = pgn_reader(out.text);
        int games = 0;
        while (pgn_game_read(&reader, &game) > 0)
            ck_assert_int_lt(games++, 100);
        ck_assert_int_eq(*reader.at, '\0');
    }
}
END_TEST

Suite *suite_pgnreader(void);
Suite *suite_pgnreader(void)
{
    Suite *suite = suite_create("pgnreader");
    TCase *tcase = tcase_create("pgnreader");
    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_test(tcase, tags_after_moves_belong_to_the_next_game);
    tcase_add_test(tcase, an_asterisk_needs_no_blank_after_it);
    tcase_add_loop_test(tcase, damage_ends_with_its_game, 0, 11);
    tcase_add_test(tcase, games_without_tags_or_result_are_told_apart);
    tcase_add_test(tcase, comments_on_the_result_belong_to_its_game);
    tcase_add_test(tcase, what_is_left_behind_the_last_game_is_no_game);
    tcase_add_test(tcase, an_open_comment_ends_before_the_next_game_of_an_old_mac);
    tcase_add_test(tcase, lines_of_an_old_mac_end);
    tcase_add_loop_test(tcase, a_byte_order_mark_between_games_is_skipped, 0, 7);
    tcase_add_test(tcase, many_games_without_tags_are_read_at_once);
    tcase_add_test(tcase, any_text_is_read_to_its_end);
    suite_add_tcase(suite, tcase);
    return suite;
}
