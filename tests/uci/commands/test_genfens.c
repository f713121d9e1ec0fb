// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/genfens.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "eval/bootstrap.h"
#include "whole_file.h"

enum { OPENINGS = 30 };
static const EvalSource SOURCE = {.bootstrap = bootstrap_eval};

/* Collects openings. */
typedef struct {
    Position openings[OPENINGS];
    int count, wanted; // openings so far; the callback stops at `wanted`
} Openings;

static bool parse(const char *text, GenfensOptions *options)
{
    static char copy[256]; // the options point into this text
    char error[FEN_ERROR_MAX] = "";
    text_copy(copy, sizeof copy, text);
    const bool is_good = genfens_parse(options, copy, error);
    ck_assert_int_eq(is_good, *error == '\0');
    return is_good;
}

static bool take(void *ctx, const Position *opening)
{
    Openings *made = ctx;
    ck_assert_int_lt(made->count, OPENINGS);
    made->openings[made->count++] = *opening;
    return made->count < made->wanted;
}

/* Runs a command; fails the test if it fails. */
static Openings make(const char *text, int wanted)
{
    Openings made = {.wanted = wanted};
    GenfensOptions options;
    char error[FEN_ERROR_MAX];
    ck_assert(parse(text, &options));
    ck_assert_msg(genfens_make(&options, &SOURCE, false, take, &made, error), "%s", error);
    return made;
}

START_TEST(arguments_are_read_as_openbench_writes_them)
{
    GenfensOptions o;
    ck_assert(parse("16 seed 42 book None ", &o));
    ck_assert_int_eq(o.count, 16);
    ck_assert_int_eq(o.seed, 42);
    ck_assert_ptr_null(o.book);
    ck_assert_int_eq(o.plies, 8);
    ck_assert_int_eq(o.arrays, ARRAYS_STANDARD);
    ck_assert(parse("1 seed 4294967295 book Books/a.epd dfrc", &o));
    ck_assert_str_eq(o.book, "Books/a.epd");
    ck_assert_int_eq(o.plies, 2);
    ck_assert_int_eq(o.arrays, ARRAYS_DOUBLE_CHESS960);
    ck_assert(parse("1 seed 1 book NONE plies 5 frc", &o));
    ck_assert_int_eq(o.plies, 5);
    ck_assert_int_eq(o.arrays, ARRAYS_CHESS960);
}
END_TEST

static const char *const BAD[] = {
    "",         "x",      "0 seed 1",         "1 seed", "1 seed -1",
    "1 seed x", "1 book", "1 seed 1 plies x", "1 lot",  "1 seed 1 plies 65"};

START_TEST(invalid_arguments_are_refused)
{
    GenfensOptions o;
    ck_assert(!parse(BAD[_i], &o));
}
END_TEST

START_TEST(openings_are_playable_and_the_seed_decides_them)
{
    const Openings first = make("30 seed 5 book None", OPENINGS);
    const Openings again = make("30 seed 5 book None", OPENINGS);
    const Openings other = make("30 seed 6 book None", OPENINGS);
    int same = 0;
    ck_assert_int_eq(first.count, OPENINGS);
    for (int i = 0; i < OPENINGS; i++) {
        const Position *const pos = &first.openings[i];
        ck_assert_ptr_null(pos_check(pos));
        ck_assert(gen_any(pos));
        const int plies = 2 * (pos->fullmove - 1) + pos->side;
        ck_assert(plies == 8 || plies == 9);
        ck_assert_uint_eq(pos->key, again.openings[i].key);
        same += pos->key == other.openings[i].key;
    }
    ck_assert_int_lt(same, 3);
}
END_TEST

START_TEST(frc_and_dfrc_give_chess960_starts)
{
    const Openings made = make("10 seed 3 book None dfrc plies 0", 10);
    int standard = 0, different = 0;
    for (int i = 0; i < made.count; i++) {
        const uint8_t *const board = made.openings[i].board;
        standard += pos_king(&made.openings[i], WHITE) == E1 && board[A1] == board[H1];
        for (int file = 0; file < 8; file++)
            different += piece_type(board[file]) != piece_type(board[A8 + file]);
    }
    ck_assert_int_lt(standard, 3);
    ck_assert_int_gt(different, 20);
    const Openings alike = make("10 seed 3 book None frc plies 0", 10);
    for (int i = 0; i < alike.count; i++) {
        const uint8_t *const board = alike.openings[i].board;
        different = 0;
        for (int file = 0; file < 8; file++)
            different += piece_type(board[file]) != piece_type(board[A8 + file]);
        ck_assert_int_le(different, 1); // a knight may have moved
    }
}
END_TEST

START_TEST(the_callback_can_stop_it)
{
    ck_assert_int_eq(make("1000000000 seed 1 book None", 3).count, 3);
}
END_TEST

START_TEST(openings_begin_in_the_book)
{
    static const char path[] = "genfens-book.epd";
    whole_file_write_text(path, "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - c0 \"a\";\n"
                                "4k3/4pppp/8/8/8/8/PPPP4/4K3 w - - 0 1\n");
    const Openings made = make("30 seed 1 book genfens-book.epd plies 0", OPENINGS);
    remove(path);
    int east = 0;
    for (int i = 0; i < made.count; i++) {
        ck_assert_int_eq(popcount(made.openings[i].by_type[PAWN]), 8);
        ck_assert_int_eq(popcount(pos_occupied(&made.openings[i])), 10);
        east += made.openings[i].board[H2] != NO_PIECE;
    }
    ck_assert_int_gt(east, 3);
    ck_assert_int_lt(east, OPENINGS - 3);
}
END_TEST

static const struct {
    const char *text, *reason;
} BAD_BOOKS[] = {{"", "cannot be read or is empty"},
                 {"# nothing\n\n", "has no positions"},
                 {"this is no book\n", "is not a piece"},
                 {"4k3/8/8/8/8/8/8/QQQ1K3 w - - 0 1\n", "is balanced"}};

START_TEST(a_book_without_openings_is_an_error)
{
    static const char path[] = "genfens-bad-book.epd";
    Openings made = {.wanted = 1};
    GenfensOptions options;
    char error[FEN_ERROR_MAX];
    whole_file_write_text(path, BAD_BOOKS[_i].text);
    ck_assert(parse("1 seed 1 book genfens-bad-book.epd plies 0", &options));
    ck_assert(!genfens_make(&options, &SOURCE, false, take, &made, error));
    remove(path);
    ck_assert_msg(strstr(error, BAD_BOOKS[_i].reason) != NULL, "%s", error);
    ck_assert(!genfens_make(&options, &SOURCE, false, take, &made, error));
    ck_assert_str_eq(error, "cannot be read or is empty");
}
END_TEST

START_TEST(a_folder_is_no_book)
{
    Openings made = {.wanted = 1};
    GenfensOptions options;
    char error[FEN_ERROR_MAX];
    ck_assert(parse("1 seed 1 book . plies 0", &options));
    ck_assert(!genfens_make(&options, &SOURCE, false, take, &made, error));
    ck_assert_str_eq(error, "cannot be read or is empty");
}
END_TEST

Suite *suite_genfens(void);
Suite *suite_genfens(void)
{
    Suite *suite = suite_create("genfens");
    TCase *tcase = tcase_create("genfens");
    tcase_set_timeout(tcase, 30);
    tcase_add_test(tcase, arguments_are_read_as_openbench_writes_them);
    tcase_add_loop_test(tcase, invalid_arguments_are_refused, 0, sizeof BAD / sizeof BAD[0]);
    tcase_add_test(tcase, openings_are_playable_and_the_seed_decides_them);
    tcase_add_test(tcase, frc_and_dfrc_give_chess960_starts);
    tcase_add_test(tcase, the_callback_can_stop_it);
    tcase_add_test(tcase, openings_begin_in_the_book);
    tcase_add_loop_test(tcase, a_book_without_openings_is_an_error, 0,
                        sizeof BAD_BOOKS / sizeof BAD_BOOKS[0]);
    tcase_add_test(tcase, a_folder_is_no_book);
    suite_add_tcase(suite, tcase);
    return suite;
}
