// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/history.h"

#include <check.h>
#include <stdlib.h>

#include "chess/fen.h"
#include "chess/movegen.h"

static Histories histories;

static Position start(void)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert(fen_parse(&pos, FEN_START, false, error));
    history_clear(&histories);
    return pos;
}

static HistoryContext sentinel(void)
{
    HistoryPage *none = history_page(&histories, NO_PIECE, 0);
    return (HistoryContext){none, none};
}

START_TEST(entries_stay_bounded_however_often_they_are_rewarded)
{
    const Position pos = start();
    const HistoryContext context = {history_page(&histories, B_KNIGHT, F6),
                                    history_page(&histories, W_PAWN, E4)};
    const Move best = move_make(G1, F3, KIND_NORMAL);
    QuietList tried = {0};
    quiets_add(&tried, move_make(B1, C3, KIND_NORMAL));
    for (int i = 0; i < 10000; i++)
        history_reward(&histories, &pos, &context, best, &tried, 1 + i % 60);
    const int good = history_quiet(&histories, &pos, &context, best);
    const int bad = history_quiet(&histories, &pos, &context, tried.moves[0]);
    ck_assert_int_gt(good, HISTORY_MAX);
    ck_assert_int_lt(bad, -HISTORY_MAX);
    ck_assert_int_le(good, 3 * HISTORY_MAX);
    ck_assert_int_ge(bad, -3 * HISTORY_MAX);
}
END_TEST

START_TEST(the_sentinel_page_is_never_written)
{
    const Position pos = start();
    const HistoryContext context = sentinel();
    const QuietList none = {0};
    history_reward(&histories, &pos, &context, move_make(G1, F3, KIND_NORMAL), &none, 10);
    for (int piece = 0; piece < PIECE_NB; piece++) {
        for (int to = 0; to < SQ_NB; to++)
            ck_assert_int_eq((*context.one)[piece][to], 0);
    }
    ck_assert_int_gt(history_quiet(&histories, &pos, &context, move_make(G1, F3, KIND_NORMAL)), 0);
}
END_TEST

START_TEST(a_lesson_about_one_context_leaves_the_others_alone)
{
    const Position pos = start();
    const HistoryContext taught = {history_page(&histories, B_KNIGHT, F6), sentinel().two};
    const HistoryContext other = {history_page(&histories, B_KNIGHT, C6), sentinel().two};
    const Move move = move_make(E2, E4, KIND_NORMAL);
    const QuietList none = {0};
    history_reward(&histories, &pos, &taught, move, &none, 10);
    ck_assert_int_gt(history_quiet(&histories, &pos, &taught, move),
                     history_quiet(&histories, &pos, &other, move));
}
END_TEST

START_TEST(more_quiet_moves_than_there_is_room_for_are_not_remembered)
{
    QuietList list = {0};
    for (int i = 0; i < QUIETS_MAX + 10; i++)
        quiets_add(&list, (Move)(i + 1));
    ck_assert_int_eq(list.count, QUIETS_MAX);
    ck_assert_int_eq(list.moves[QUIETS_MAX - 1], QUIETS_MAX);
}
END_TEST

Suite *suite_history(void);
Suite *suite_history(void)
{
    Suite *suite = suite_create("history");
    TCase *tcase = tcase_create("history");
    tcase_add_test(tcase, entries_stay_bounded_however_often_they_are_rewarded);
    tcase_add_test(tcase, the_sentinel_page_is_never_written);
    tcase_add_test(tcase, a_lesson_about_one_context_leaves_the_others_alone);
    tcase_add_test(tcase, more_quiet_moves_than_there_is_room_for_are_not_remembered);
    suite_add_tcase(suite, tcase);
    return suite;
}
