// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/history.h"

#include <check.h>

#include "chess/fen.h"
#include "chess/pos_from_fen.h"

static Histories histories;

/* The position `fen`, with empty histories. */
static Position at(const char *fen)
{
    history_clear(&histories);
    return pos_from_fen(fen);
}

static Position start(void)
{
    return at(FEN_START);
}

/* The context with continuation history `one`, without earlier moves. */
static HistoryContext after(PieceToHistory *one)
{
    PieceToHistory *none = history_continuation(&histories, NO_PIECE, 0);
    return (HistoryContext){{one, none, none, none}, history_pawn(&histories, 1)};
}

static HistoryContext sentinel(void)
{
    return after(history_continuation(&histories, NO_PIECE, 0));
}

START_TEST(entries_stay_within_their_bound_after_many_bonuses)
{
    const Position pos = start();
    const HistoryContext context = after(history_continuation(&histories, B_KNIGHT, F6));
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

START_TEST(an_update_of_one_context_leaves_other_contexts_unchanged)
{
    const Position pos = start();
    const HistoryContext updated = after(history_continuation(&histories, B_KNIGHT, F6));
    const HistoryContext other = after(history_continuation(&histories, B_KNIGHT, C6));
    const Move move = move_make(E2, E4, KIND_NORMAL);
    const TriedMoves none = {0};
    history_update_on_cutoff(&histories, &pos, &updated, move, &none, 10);
    ck_assert_int_gt(history_quiet(&histories, &pos, &updated, move),
                     history_quiet(&histories, &pos, &other, move));
}
END_TEST

START_TEST(capture_history_depends_on_piece_target_and_victim)
{
    Position pos = at("4k3/8/8/3p1n2/4P3/8/8/4K3 w - - 0 1");
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

/* The pawn captures a knight that the enemy defends or not. */
START_TEST(captures_of_defended_and_undefended_pieces_have_separate_entries)
{
    Position pos = at("4k3/8/8/5n2/4P3/8/8/4K3 w - - 0 1");
    const HistoryContext context = sentinel();
    const Move move = move_make(E4, F5, KIND_NORMAL);
    const TriedMoves none = {0};
    history_update_on_cutoff(&histories, &pos, &context, move, &none, 5);
    ck_assert_int_gt(history_noisy(&histories, &pos, move), 0);
    pos.attacks[BLACK] |= bb_of(F5);
    ck_assert_int_eq(history_noisy(&histories, &pos, move), 0);
}
END_TEST

START_TEST(a_capture_that_fails_high_leaves_quiet_histories_unchanged)
{
    Position pos = at("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1");
    const HistoryContext context = sentinel();
    const Move quiet = move_make(E4, E5, KIND_NORMAL);
    TriedMoves tried = {0};
    tried_add(&tried, true, quiet);
    history_update_on_cutoff(&histories, &pos, &context, move_make(E4, D5, KIND_NORMAL), &tried, 5);
    ck_assert_int_eq(history_quiet(&histories, &pos, &context, quiet), 0);
}
END_TEST

/* A from and a to square have four entries, by whether the enemy attacks each of them. */
START_TEST(attacked_squares_have_separate_entries)
{
    Position pos = start();
    const Move move = move_make(G1, F3, KIND_NORMAL);
    const Bitboard threats[] = {0, bb_of(G1), bb_of(F3), bb_of(G1) | bb_of(F3)};
    for (int updated = 0; updated < 4; updated++) {
        history_clear(&histories);
        pos.attacks[BLACK] = threats[updated];
        history_update_butterfly(&histories, &pos, move, 1000);
        for (int probed = 0; probed < 4; probed++) {
            const HistoryContext context = sentinel();
            pos.attacks[BLACK] = threats[probed];
            const int known = history_quiet(&histories, &pos, &context, move);
            ck_assert_int_eq(known > 0, probed == updated);
        }
    }
}
END_TEST

START_TEST(continuation_history_depends_on_the_move_before)
{
    const Position pos = start();
    const Move move = move_make(G1, F3, KIND_NORMAL);
    const HistoryContext updated = after(history_continuation(&histories, B_KNIGHT, F6));
    const HistoryContext other = after(history_continuation(&histories, B_KNIGHT, C6));
    history_update_continuation(&histories, &pos, &updated, move, -1000);
    ck_assert_int_lt(history_quiet(&histories, &pos, &updated, move), 0);
    ck_assert_int_eq(history_quiet(&histories, &pos, &other, move), 0);
}
END_TEST

START_TEST(a_full_update_changes_more_tables_than_a_butterfly_update)
{
    const Position pos = start();
    const Move move = move_make(G1, F3, KIND_NORMAL);
    const HistoryContext context = after(history_continuation(&histories, B_KNIGHT, F6));
    history_update_butterfly(&histories, &pos, move, 1000);
    const int butterfly_only = history_quiet(&histories, &pos, &context, move);
    history_clear(&histories);
    history_update_quiet(&histories, &pos, &context, move, 1000);
    ck_assert_int_gt(butterfly_only, 0);
    ck_assert_int_gt(history_quiet(&histories, &pos, &context, move), butterfly_only);
    history_update_quiet(&histories, &pos, &context, move, -HISTORY_MAX);
    ck_assert_int_lt(history_quiet(&histories, &pos, &context, move), 0);
}
END_TEST

START_TEST(bonuses_grow_with_depth_and_stay_within_the_bound)
{
    for (int depth = 1; depth < 100; depth++) {
        ck_assert_int_ge(history_bonus(depth + 1), history_bonus(depth));
        ck_assert_int_ge(history_parent_bonus(depth + 1), history_parent_bonus(depth));
        ck_assert_int_ge(history_bonus(depth), 0);
        ck_assert_int_ge(history_parent_bonus(depth), 0);
    }
    ck_assert_int_le(history_bonus(255), HISTORY_MAX);
    ck_assert_int_le(history_parent_bonus(255), HISTORY_MAX);
    ck_assert_int_gt(history_eval_bonus(100), history_eval_bonus(-100));
    ck_assert_int_le(history_eval_bonus(60000), HISTORY_MAX);
    ck_assert_int_ge(history_eval_bonus(-60000), -HISTORY_MAX);
}
END_TEST

START_TEST(moves_beyond_the_end_of_a_tried_list_are_not_recorded)
{
    TriedMoves tried = {0};
    for (int i = 0; i < TRIED_MAX + 10; i++)
        tried_add(&tried, true, (Move)(i + 1));
    ck_assert_int_eq(tried.quiet.count, TRIED_MAX);
    ck_assert_int_eq(tried.quiet.moves[TRIED_MAX - 1], TRIED_MAX);
    ck_assert_int_eq(tried.noisy.count, 0);
}
END_TEST

/* The context of four different earlier moves. */
static HistoryContext after_four(void)
{
    return (HistoryContext){{history_continuation(&histories, B_KNIGHT, F6),
                             history_continuation(&histories, W_PAWN, D4),
                             history_continuation(&histories, W_KNIGHT, F3),
                             history_continuation(&histories, W_BISHOP, G2)},
                            history_pawn(&histories, 300)};
}

START_TEST(a_quiet_move_is_updated_in_all_its_histories)
{
    const Position pos = start();
    const HistoryContext context = after_four();
    const Move move = move_make(E2, E4, KIND_NORMAL);
    ck_assert_ptr_eq(context.pawn, &histories.pawn[300]);
    history_update_quiet(&histories, &pos, &context, move, 77);
    ck_assert_int_eq(histories.butterfly[WHITE][history_butterfly_index(&pos, move)], 77);
    ck_assert_int_eq((*context.pawn)[W_PAWN][E4], 77);
    for (int i = 0; i < CONTINUATION_NB; i++)
        ck_assert_int_eq((*context.continuation[i])[W_PAWN][E4], 77);
}
END_TEST

START_TEST(each_history_has_its_own_weight)
{
    const Position pos = start();
    const HistoryContext context = after_four();
    const Move move = move_make(E2, E4, KIND_NORMAL);
    int16_t *const entries[] = {&histories.butterfly[WHITE][history_butterfly_index(&pos, move)],
                                &(*context.pawn)[W_PAWN][E4],
                                &(*context.continuation[0])[W_PAWN][E4],
                                &(*context.continuation[1])[W_PAWN][E4],
                                &(*context.continuation[2])[W_PAWN][E4],
                                &(*context.continuation[3])[W_PAWN][E4]};
    const int weights[] = {
        params.history_butterfly_weight,     params.history_pawn_weight,
        params.history_continuation_weight,  params.history_continuation_weight,
        params.history_continuation4_weight, params.history_continuation6_weight};
    *entries[_i] = 1000;
    ck_assert_int_eq(history_quiet_percent(&histories, &pos, &context, move), 1000 * weights[_i]);
    ck_assert_int_eq(history_quiet(&histories, &pos, &context, move), 10 * weights[_i]);
}
END_TEST

START_TEST(bonuses_are_linear_within_limits)
{
    const int slope = params.history_bonus_slope, offset = params.history_bonus_offset;
    ck_assert_int_eq(history_bonus(0), 0);
    ck_assert_int_eq(history_bonus(3), 3 * slope - offset);
    ck_assert_int_eq(history_bonus(200), params.history_bonus_max);
    ck_assert_int_eq(history_parent_bonus(0), 0);
    ck_assert_int_eq(history_parent_bonus(3),
                     3 * params.history_parent_slope - params.history_parent_offset);
    ck_assert_int_eq(history_parent_bonus(200), params.history_parent_max);
    const int base = params.history_eval_offset, max = params.history_eval_max;
    ck_assert_int_eq(history_eval_bonus(0), base);
    ck_assert_int_eq(history_eval_bonus(-7), base - 7 * params.history_eval_slope);
    ck_assert_int_eq(history_eval_bonus(5000), base + max);
    ck_assert_int_eq(history_eval_bonus(-5000), base - max);
}
END_TEST

/* A quiet move and a capture are tried before the move that fails high. */
START_TEST(bonus_and_malus_of_a_fail_high_follow_their_parameters)
{
    const int depth = _i == 0 ? 3 : 200; // 200: both reach their limits
    const int malus = _i == 0 ? 3 * params.history_malus_slope - params.history_malus_offset
                              : params.history_malus_max;
    const Position pos = at("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1");
    const HistoryContext context = after_four();
    const Move best = move_make(E1, E2, KIND_NORMAL), bad = move_make(E1, D1, KIND_NORMAL),
               capture = move_make(E4, D5, KIND_NORMAL);
    TriedMoves tried = {0};
    tried_add(&tried, true, bad);
    tried_add(&tried, false, capture);
    history_update_on_cutoff(&histories, &pos, &context, best, &tried, depth);
    ck_assert_int_eq((*context.pawn)[W_KING][E2], history_bonus(depth));
    ck_assert_int_eq((*context.pawn)[W_KING][D1], -malus);
    ck_assert_int_eq(history_noisy(&histories, &pos, capture), -malus);
    history_clear(&histories);
    history_update_on_cutoff(&histories, &pos, &context, capture, &(TriedMoves){0}, depth);
    ck_assert_int_eq(history_noisy(&histories, &pos, capture), history_bonus(depth));
}
END_TEST

START_TEST(captures_that_differ_in_one_property_have_separate_entries)
{
    const Position pos = at("4k3/8/8/3p1p2/4P3/2N5/8/4K3 w - - 0 1");
    const Position other = pos_from_fen("4k3/8/8/3n1p2/4P3/2N5/8/4K3 w - - 0 1");
    const Move move = move_make(E4, D5, KIND_NORMAL);
    const int index = history_capture_index(&pos, move);
    ck_assert_int_ne(index, history_capture_index(&other, move));                         // victim
    ck_assert_int_ne(index, history_capture_index(&pos, move_make(C3, D5, KIND_NORMAL))); // piece
    ck_assert_int_ne(index, history_capture_index(&pos, move_make(E4, F5, KIND_NORMAL))); // target
}
END_TEST

Suite *suite_history(void);
Suite *suite_history(void)
{
    Suite *suite = suite_create("history");
    TCase *tcase = tcase_create("history");
    tcase_add_test(tcase, entries_stay_within_their_bound_after_many_bonuses);
    tcase_add_test(tcase, the_sentinel_page_is_never_written);
    tcase_add_test(tcase, an_update_of_one_context_leaves_other_contexts_unchanged);
    tcase_add_test(tcase, capture_history_depends_on_piece_target_and_victim);
    tcase_add_test(tcase, captures_of_defended_and_undefended_pieces_have_separate_entries);
    tcase_add_test(tcase, a_capture_that_fails_high_leaves_quiet_histories_unchanged);
    tcase_add_test(tcase, attacked_squares_have_separate_entries);
    tcase_add_test(tcase, continuation_history_depends_on_the_move_before);
    tcase_add_test(tcase, a_full_update_changes_more_tables_than_a_butterfly_update);
    tcase_add_test(tcase, bonuses_grow_with_depth_and_stay_within_the_bound);
    tcase_add_test(tcase, moves_beyond_the_end_of_a_tried_list_are_not_recorded);
    tcase_add_test(tcase, a_quiet_move_is_updated_in_all_its_histories);
    tcase_add_loop_test(tcase, each_history_has_its_own_weight, 0, 6);
    tcase_add_test(tcase, bonuses_are_linear_within_limits);
    tcase_add_loop_test(tcase, bonus_and_malus_of_a_fail_high_follow_their_parameters, 0, 2);
    tcase_add_test(tcase, captures_that_differ_in_one_property_have_separate_entries);
    suite_add_tcase(suite, tcase);
    return suite;
}
