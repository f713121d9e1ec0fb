// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/chess960.h"

#include <check.h>
#include <string.h>

#include "chess/fen.h"
#include "shared_data.h"

static bool is_same_position(const Position *a, const Position *b)
{
    return memcmp(a->board, b->board, sizeof a->board) == 0 &&
           memcmp(a->castling_rook, b->castling_rook, sizeof a->castling_rook) == 0 &&
           a->castling == b->castling && a->side == b->side && a->key == b->key && a->ep == b->ep &&
           a->rule50 == b->rule50 && a->reversible == b->reversible && a->fullmove == b->fullmove &&
           a->checkers == b->checkers;
}

START_TEST(standard_array_is_the_standard_start)
{
    Position start, expected;
    char error[FEN_ERROR_MAX];
    ck_assert(fen_parse(&expected, FEN_START, false, error));
    chess960_start(&start, CHESS960_STANDARD, CHESS960_STANDARD);
    ck_assert(is_same_position(&start, &expected));
    pos_start(&start);
    ck_assert(is_same_position(&start, &expected));
    ck_assert_ptr_null(pos_check(&start));
    ck_assert(fen_parse(&expected, FEN_START, true, error));
    ck_assert(is_same_position(&start, &expected));
}
END_TEST

START_TEST(known_arrays_have_their_numbers)
{
    static const struct {
        int number;
        const char *fen;
    } ARRAYS[] = {
        {0, "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"},
        {518, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},
        {534, "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w KQkq - 0 1"},
        {959, "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w KQkq - 0 1"},
    };
    for (size_t i = 0; i < sizeof ARRAYS / sizeof ARRAYS[0]; i++) {
        Position start, expected;
        char error[FEN_ERROR_MAX];
        ck_assert(fen_parse(&expected, ARRAYS[i].fen, true, error));
        chess960_start(&start, ARRAYS[i].number, ARRAYS[i].number);
        ck_assert_msg(is_same_position(&start, &expected), "%d", ARRAYS[i].number);
    }
}
END_TEST

START_TEST(each_side_has_its_own_array)
{
    for (int number = 0; number < CHESS960_NB; number++) {
        Position start, white, black;
        const int reply = (number * 7 + 11) % CHESS960_NB;
        chess960_start(&start, number, reply);
        chess960_start(&white, number, number);
        chess960_start(&black, reply, reply);
        ck_assert_ptr_null(pos_check(&start));
        ck_assert_mem_eq(start.board, white.board, 32);
        ck_assert_mem_eq(start.board + 32, black.board + 32, 32);
        ck_assert_mem_eq(start.castling_rook, white.castling_rook, 2);
        ck_assert_mem_eq(start.castling_rook + 2, black.castling_rook + 2, 2);
    }
}
END_TEST

START_TEST(the_960_arrays_are_those_of_the_shared_list)
{
    FILE *file = shared_open("chess960-startpos-960.epd");
    if (file == NULL)
        return;
    static bool is_seen[CHESS960_NB];
    int lines = 0;
    char *line = shared_line(file);
    for (; line != NULL; line = shared_line(file)) {
        Position expected, start;
        char error[FEN_ERROR_MAX];
        ck_assert_msg(fen_parse(&expected, line, true, error), "%s", error);
        int number = 0;
        for (; number < CHESS960_NB; number++) {
            chess960_start(&start, number, number);
            if (is_same_position(&start, &expected))
                break;
        }
        ck_assert_msg(number < CHESS960_NB, "%s", line);
        ck_assert_msg(!is_seen[number], "%s", line);
        is_seen[number] = true;
        lines++;
    }
    fclose(file);
    ck_assert_int_eq(lines, CHESS960_NB);
}
END_TEST

START_TEST(king_stands_between_rooks_and_bishops_on_both_colors)
{
    for (int number = 0; number < CHESS960_NB; number++) {
        Position start;
        chess960_start(&start, number, number);
        for (Color c = WHITE; c <= BLACK; c++) {
            const Square king = pos_king(&start, c);
            ck_assert_int_gt(start.castling_rook[2 * c], king);
            ck_assert_int_lt(start.castling_rook[2 * c + 1], king);
            const Bitboard bishops = pos_pieces(&start, c, BISHOP);
            const int colors = file_of(lsb(bishops)) + file_of(msb(bishops));
            ck_assert_int_eq(colors % 2, 1);
        }
    }
}
END_TEST

Suite *suite_chess960(void);
Suite *suite_chess960(void)
{
    Suite *suite = suite_create("chess960");
    TCase *tcase = tcase_create("chess960");
    tcase_set_timeout(tcase, 30);
    tcase_add_test(tcase, standard_array_is_the_standard_start);
    tcase_add_test(tcase, known_arrays_have_their_numbers);
    tcase_add_test(tcase, each_side_has_its_own_array);
    tcase_add_test(tcase, king_stands_between_rooks_and_bishops_on_both_colors);
    tcase_add_test(tcase, the_960_arrays_are_those_of_the_shared_list);
    suite_add_tcase(suite, tcase);
    return suite;
}
