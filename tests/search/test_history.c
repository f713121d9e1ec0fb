// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/history.h"

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

/* After `one`, with no earlier moves. */
static HistoryContext after(HistoryPage *one)
{
    HistoryPage *none = history_page(&histories, NO_PIECE, 0);
    return (HistoryContext){{one, none, none, none}, history_pawn_page(&histories, 1), 0};
}

static HistoryContext sentinel(void)
{
    return after(history_page(&histories, NO_PIECE, 0));
}

START_TEST(entries_stay_bounded_however_often_they_are_rewarded)
{
    const Position pos = start();
    const HistoryContext context = after(history_page(&histories, B_KNIGHT, F6));
    const Move best = move_make(G1, F3, KIND_NORMAL);
    const Move bad = move_make(B1, C3, KIND_NORMAL);
    TriedMoves tried = {0};
    tried_add(&tried, true, bad);
    for (int i = 0; i < 10000; i++)
        history_update_on_cutoff(&histories, &pos, &context, best, &tried, 1 + i % 60);
    const int most = history_quiet(&histories, &pos, &context, best);
    const int least = history_quiet(&histories, &pos, &context, bad);
    ck_assert_int_gt(most, HISTORY_MAX);
    ck_assert_int_lt(least, -HISTORY_MAX);
    ck_assert_int_le(most, 6 * HISTORY_MAX);
    ck_assert_int_ge(least, -6 * HISTORY_MAX);
}
END_TEST

START_TEST(the_sentinel_page_is_never_written)
{
    const Position pos = start();
    const HistoryContext context = sentinel();
    const TriedMoves none = {0};
    history_update_on_cutoff(&histories, &pos, &context, move_make(G1, F3, KIND_NORMAL), &none, 10);
    for (int piece = 0; piece < PIECE_NB; piece++) {
        for (int to = 0; to < SQ_NB; to++)
            ck_assert_int_eq((*context.continuation[0])[piece][to], 0);
    }
    ck_assert_int_gt(history_quiet(&histories, &pos, &context, move_make(G1, F3, KIND_NORMAL)), 0);
}
END_TEST

START_TEST(a_lesson_about_one_context_leaves_the_others_alone)
{
    const Position pos = start();
    const HistoryContext taught = after(history_page(&histories, B_KNIGHT, F6));
    const HistoryContext other = after(history_page(&histories, B_KNIGHT, C6));
    const Move move = move_make(E2, E4, KIND_NORMAL);
    const TriedMoves none = {0};
    history_update_on_cutoff(&histories, &pos, &taught, move, &none, 10);
    ck_assert_int_gt(history_quiet(&histories, &pos, &taught, move),
                     history_quiet(&histories, &pos, &other, move));
}
END_TEST

START_TEST(captures_learn_by_piece_target_and_victim)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert(fen_parse(&pos, "4k3/8/8/3p1n2/4P3/8/8/4K3 w - - 0 1", false, error));
    history_clear(&histories);
    const HistoryContext context = sentinel();
    const Move pawn = move_make(E4, D5, KIND_NORMAL), knight = move_make(E4, F5, KIND_NORMAL);
    TriedMoves tried = {0};
    tried_add(&tried, false, pawn);
    history_update_on_cutoff(&histories, &pos, &context, knight, &tried, 5);
    ck_assert_int_gt(history_noisy(&histories, &pos, knight), 0);
    ck_assert_int_lt(history_noisy(&histories, &pos, pawn), 0);
    ck_assert_int_ge(history_noisy(&histories, &pos, pawn), -HISTORY_MAX);
}
END_TEST

START_TEST(a_capture_that_fails_high_says_nothing_of_quiet_moves)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert(fen_parse(&pos, "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", false, error));
    history_clear(&histories);
    const HistoryContext context = sentinel();
    const Move quiet = move_make(E4, E5, KIND_NORMAL);
    TriedMoves tried = {0};
    tried_add(&tried, true, quiet);
    history_update_on_cutoff(&histories, &pos, &context, move_make(E4, D5, KIND_NORMAL), &tried, 5);
    ck_assert_int_eq(history_quiet(&histories, &pos, &context, quiet), 0);
}
END_TEST

/* The same from and to are four entries: attacked or not, each. */
START_TEST(squares_that_the_enemy_attacks_are_learned_apart)
{
    const Position pos = start();
    const Move move = move_make(G1, F3, KIND_NORMAL);
    const Bitboard threats[] = {0, bb_of(G1), bb_of(F3), bb_of(G1) | bb_of(F3)};
    for (int taught = 0; taught < 4; taught++) {
        history_clear(&histories);
        history_update_butterfly(&histories, &pos, threats[taught], move, 1000);
        for (int asked = 0; asked < 4; asked++) {
            HistoryContext context = sentinel();
            context.threats = threats[asked];
            const int known = history_quiet(&histories, &pos, &context, move);
            ck_assert_int_eq(known > 0, asked == taught);
        }
    }
}
END_TEST

START_TEST(a_lesson_about_a_reply_is_of_no_use_after_another_move)
{
    const Position pos = start();
    const Move move = move_make(G1, F3, KIND_NORMAL);
    const HistoryContext taught = after(history_page(&histories, B_KNIGHT, F6));
    const HistoryContext other = after(history_page(&histories, B_KNIGHT, C6));
    history_update_continuation(&histories, &pos, &taught, move, -1000);
    ck_assert_int_lt(history_quiet(&histories, &pos, &taught, move), 0);
    ck_assert_int_eq(history_quiet(&histories, &pos, &other, move), 0);
}
END_TEST

START_TEST(a_lesson_reaches_every_table_and_a_nudge_but_one)
{
    const Position pos = start();
    const Move move = move_make(G1, F3, KIND_NORMAL);
    const HistoryContext context = after(history_page(&histories, B_KNIGHT, F6));
    history_update_butterfly(&histories, &pos, 0, move, 1000);
    const int nudged = history_quiet(&histories, &pos, &context, move);
    history_clear(&histories);
    history_update_quiet(&histories, &pos, &context, move, 1000);
    ck_assert_int_gt(nudged, 0);
    ck_assert_int_gt(history_quiet(&histories, &pos, &context, move), nudged);
    history_update_quiet(&histories, &pos, &context, move, -HISTORY_MAX);
    ck_assert_int_lt(history_quiet(&histories, &pos, &context, move), 0);
}
END_TEST

START_TEST(bonuses_grow_and_stay_within_what_an_entry_takes)
{
    for (int depth = 1; depth < 100; depth++) {
        ck_assert_int_ge(history_bonus(depth + 1), history_bonus(depth));
        ck_assert_int_ge(history_prior_bonus(depth + 1), history_prior_bonus(depth));
        ck_assert_int_ge(history_bonus(depth), 0);
        ck_assert_int_ge(history_prior_bonus(depth), 0);
    }
    ck_assert_int_le(history_bonus(255), HISTORY_MAX);
    ck_assert_int_le(history_prior_bonus(255), HISTORY_MAX);
    ck_assert_int_gt(history_eval_bonus(100), history_eval_bonus(-100));
    ck_assert_int_le(history_eval_bonus(60000), HISTORY_MAX);
    ck_assert_int_ge(history_eval_bonus(-60000), -HISTORY_MAX);
}
END_TEST

START_TEST(more_moves_than_there_is_room_for_are_not_remembered)
{
    TriedMoves tried = {0};
    for (int i = 0; i < TRIED_MAX + 10; i++)
        tried_add(&tried, true, (Move)(i + 1));
    ck_assert_int_eq(tried.quiet.count, TRIED_MAX);
    ck_assert_int_eq(tried.quiet.moves[TRIED_MAX - 1], TRIED_MAX);
    ck_assert_int_eq(tried.noisy.count, 0);
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
    tcase_add_test(tcase, captures_learn_by_piece_target_and_victim);
    tcase_add_test(tcase, a_capture_that_fails_high_says_nothing_of_quiet_moves);
    tcase_add_test(tcase, squares_that_the_enemy_attacks_are_learned_apart);
    tcase_add_test(tcase, a_lesson_about_a_reply_is_of_no_use_after_another_move);
    tcase_add_test(tcase, a_lesson_reaches_every_table_and_a_nudge_but_one);
    tcase_add_test(tcase, bonuses_grow_and_stay_within_what_an_entry_takes);
    tcase_add_test(tcase, more_moves_than_there_is_room_for_are_not_remembered);
    suite_add_tcase(suite, tcase);
    return suite;
}
