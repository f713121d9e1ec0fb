// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/movepick.h"

#include <check.h>

#include "base/rng.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/play.h"
#include "chess/pos_from_fen.h"
#include "chess/see.h"
#include "search/params.h"

static Histories histories;

static HistoryContext sentinel(void)
{
    PieceToHistory *none = history_continuation(&histories, NO_PIECE, 0);
    return (HistoryContext){{none, none, none, none}, history_pawn(&histories, 0)};
}

static const char *const STARTS[] = {
    FEN_START,
    KIWIPETE,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "Q4Q1K/2Q4Q/4Q3/1Q4Q1/3Q4/Q4Q2/ppQ4Q/knQ1QQ2 w - - 0 1", // 241 moves
    "qqqqqqqk/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQQQQK w - - 0 1",
};
enum { START_COUNT = sizeof STARTS / sizeof STARTS[0] };

/* Picks all moves. Checks that each is legal, that none comes twice, and that their number is
 * `expected`. */
static void check_stream(MovePicker *picker, const Move *legal, int count, int expected)
{
    Move picked[MAX_MOVES];
    int number = 0;
    for (Move move = pick_next(picker); move != MOVE_NONE; move = pick_next(picker)) {
        ck_assert(moves_contain(legal, count, move));
        ck_assert(!moves_contain(picked, number, move));
        picked[number++] = move;
    }
    ck_assert_int_eq(number, expected);
    ck_assert_int_eq(pick_next(picker), MOVE_NONE);
}

START_TEST(every_legal_move_comes_exactly_once_with_any_tt_moves)
{
    Rng rng;
    rng_seed(&rng, 7 + (uint64_t)_i);
    Position pos = pos_from_fen(STARTS[_i]);
    for (int ply = 0; ply < 300; ply++) {
        Move legal[MAX_MOVES];
        const int count = gen_legal(&pos, legal);
        if (count == 0) {
            pos = pos_from_fen(STARTS[_i]);
            continue;
        }
        Move tt_moves[2] = {legal[rng_below(&rng, (uint64_t)count)],
                            legal[rng_below(&rng, (uint64_t)count)]};
        if (tt_moves[0] == tt_moves[1] || rng_below(&rng, 3) == 0)
            tt_moves[1] = MOVE_NONE;
        if (rng_below(&rng, 3) == 0)
            tt_moves[0] = tt_moves[1] = MOVE_NONE;
        MovePicker picker;
        pick_init(&picker, &pos, &histories, sentinel(), tt_moves, false);
        check_stream(&picker, legal, count, count);

        Position next;
        pos_play(&next, &pos, legal[rng_below(&rng, (uint64_t)count)]);
        pos = next;
    }
}
END_TEST

START_TEST(with_a_check_map_the_only_quiet_moves_are_checks)
{
    /* Quiet checks by rook, bishop and knight, and one capture. */
    const Position pos = pos_from_fen("4k3/7p/8/8/2B1N3/8/8/R3K2R w - - 0 1");
    Move legal[MAX_MOVES];
    const int count = gen_legal(&pos, legal);
    int expected = 0;
    for (int i = 0; i < count; i++)
        expected += pos_is_noisy(&pos, legal[i]) || pos_gives_check(&pos, legal[i]);
    const Move tt_moves[2] = {MOVE_NONE, MOVE_NONE};
    MovePicker picker;
    pick_init(&picker, &pos, &histories, sentinel(), tt_moves, false);
    CheckSquares checks;
    pos_find_check_squares(&checks, &pos);
    picker.checks_only = &checks;
    ck_assert_int_eq(expected, 6);
    check_stream(&picker, legal, count, expected);
}
END_TEST

START_TEST(a_noisy_picker_returns_the_noisy_moves_only)
{
    const Position pos = pos_from_fen(STARTS[1]);
    Move legal[MAX_MOVES], noisy[MAX_MOVES];
    const int count = gen_legal(&pos, legal), noisy_count = gen_noisy(&pos, noisy);
    const Move tt_moves[2] = {MOVE_NONE, MOVE_NONE};
    MovePicker picker;
    pick_init(&picker, &pos, &histories, sentinel(), tt_moves, true);
    check_stream(&picker, legal, count, noisy_count);
}
END_TEST

START_TEST(the_tt_move_comes_first_then_good_captures_then_quiets_then_losing_captures)
{
    const Position pos = pos_from_fen(STARTS[1]);
    const Move tt_moves[2] = {move_make(A2, A3, KIND_NORMAL), MOVE_NONE};
    MovePicker picker;
    pick_init(&picker, &pos, &histories, sentinel(), tt_moves, false);
    ck_assert_int_eq(pick_next(&picker), tt_moves[0]);
    int stage = 0;
    for (Move move = pick_next(&picker); move != MOVE_NONE; move = pick_next(&picker)) {
        const bool is_quiet = !pos_is_noisy(&pos, move);
        const int rank = is_quiet ? 1 : see_ge(&pos, move, params.good_capture_see) ? 0 : 2;
        ck_assert_int_ge(rank, stage);
        stage = rank;
    }
    ck_assert_int_eq(stage, 2);
}
END_TEST

/* Knight takes pawn, pawn takes knight, rook takes pawn: White loses 100. */
START_TEST(a_capture_that_loses_little_is_good_if_its_history_is)
{
    const Position pos = pos_from_fen("4k3/8/3p4/4p3/8/5N2/8/K3R3 w - - 0 1");
    const Move capture = move_make(F3, E5, KIND_NORMAL), tt_moves[2] = {MOVE_NONE, MOVE_NONE};
    int16_t *const entry = &histories.capture[history_capture_index(&pos, capture)];
    ck_assert(!see_ge(&pos, capture, params.good_capture_see));
    for (int is_good = 0; is_good <= 1; is_good++) {
        *entry = is_good ? HISTORY_MAX : 0;
        MovePicker picker;
        pick_init(&picker, &pos, &histories, sentinel(), tt_moves, false);
        bool has_quiet = false, is_before_quiets = false;
        for (Move move = pick_next(&picker); move != MOVE_NONE; move = pick_next(&picker)) {
            has_quiet |= !pos_is_noisy(&pos, move);
            is_before_quiets |= move == capture && !has_quiet;
        }
        ck_assert_int_eq(is_before_quiets, is_good);
    }
    *entry = 0;
}
END_TEST

/* The second TT move is the last quiet move that the generator makes. Histories are empty. */
START_TEST(a_quiet_second_tt_move_comes_before_all_other_quiet_moves)
{
    const Position pos = pos_from_fen(STARTS[1]);
    Move quiets[MAX_MOVES];
    const int count = gen_quiet(&pos, quiets);
    const Move tt_moves[2] = {quiets[0], quiets[count - 1]};
    MovePicker picker;
    pick_init(&picker, &pos, &histories, sentinel(), tt_moves, false);
    ck_assert_int_eq(pick_next(&picker), tt_moves[0]);
    Move move = pick_next(&picker);
    while (pos_is_noisy(&pos, move))
        move = pick_next(&picker);
    ck_assert_int_eq(move, tt_moves[1]);
}
END_TEST

START_TEST(a_second_tt_move_that_captures_comes_before_other_captures_of_equal_value)
{
    /* Each of the white rooks can take an undefended pawn. */
    const Position pos = pos_from_fen("4k3/8/8/p2p3p/8/8/8/R2RK2R w - - 0 1");
    Move noisy[MAX_MOVES];
    ck_assert_int_eq(gen_noisy(&pos, noisy), 3);
    for (int i = 0; i < 3; i++) {
        const Move tt_moves[2] = {MOVE_NONE, noisy[i]};
        MovePicker picker;
        pick_init(&picker, &pos, &histories, sentinel(), tt_moves, false);
        ck_assert_int_eq(pick_next(&picker), noisy[i]);
    }
}
END_TEST

START_TEST(quiet_moves_come_in_the_order_of_their_histories)
{
    const Position pos = pos_from_fen(FEN_START);
    Move quiets[MAX_MOVES];
    const int count = gen_quiet(&pos, quiets);
    const HistoryContext context = sentinel();
    history_clear(&histories);
    for (int i = 0; i < count; i++)
        history_update_butterfly(&histories, &pos, quiets[i], 100 * (i * 7 % count));
    const Move none[2] = {MOVE_NONE, MOVE_NONE};
    MovePicker picker;
    pick_init(&picker, &pos, &histories, context, none, false);
    int last = 1 << 20;
    for (Move move = pick_next(&picker); move != MOVE_NONE; move = pick_next(&picker)) {
        const int history = history_quiet(&histories, &pos, &context, move);
        ck_assert_int_lt(history, last);
        last = history;
    }
}
END_TEST

/* The first move of the picker. */
static Move first_of(const Position *pos)
{
    const Move none[2] = {MOVE_NONE, MOVE_NONE};
    MovePicker picker;
    pick_init(&picker, pos, &histories, sentinel(), none, false);
    return pick_next(&picker);
}

START_TEST(a_promotion_counts_as_the_gain_of_a_queen_for_a_pawn)
{
    const Position rook = pos_from_fen("8/P6k/8/3r4/8/4N3/8/4K3 w - - 0 1");
    const Position queen = pos_from_fen("8/P6k/3q4/8/4N3/8/8/4K3 w - - 0 1");
    ck_assert_int_eq(move_kind(first_of(&rook)), KIND_PROMOTION);
    ck_assert_int_eq(first_of(&queen), move_make(E4, D6, KIND_NORMAL));
}
END_TEST

/* The pawn may take a knight or a pawn. */
START_TEST(captures_are_ordered_by_victim_and_a_share_of_their_history)
{
    const Position pos = pos_from_fen("4k3/8/8/3p1n2/4P3/8/8/4K3 w - - 0 1");
    const Move pawn = move_make(E4, D5, KIND_NORMAL), knight = move_make(E4, F5, KIND_NORMAL);
    const int difference = (SEE_KNIGHT - SEE_PAWN) * params.noisy_victim;
    int16_t *const entry = &histories.capture[history_capture_index(&pos, pawn)];
    ck_assert_int_eq(first_of(&pos), knight);
    *entry = (int16_t)(difference * 100 / params.noisy_history - 100);
    ck_assert_int_eq(first_of(&pos), knight);
    *entry = (int16_t)(difference * 100 / params.noisy_history + 100);
    ck_assert_int_eq(first_of(&pos), pawn);
    *entry = 0;
}
END_TEST

Suite *suite_movepick(void);
Suite *suite_movepick(void)
{
    Suite *suite = suite_create("movepick");
    TCase *tcase = tcase_create("movepick");
    tcase_add_loop_test(tcase, every_legal_move_comes_exactly_once_with_any_tt_moves, 0,
                        START_COUNT);
    tcase_add_test(tcase, with_a_check_map_the_only_quiet_moves_are_checks);
    tcase_add_test(tcase, a_noisy_picker_returns_the_noisy_moves_only);
    tcase_add_test(tcase,
                   the_tt_move_comes_first_then_good_captures_then_quiets_then_losing_captures);
    tcase_add_test(tcase, a_capture_that_loses_little_is_good_if_its_history_is);
    tcase_add_test(tcase, a_quiet_second_tt_move_comes_before_all_other_quiet_moves);
    tcase_add_test(tcase,
                   a_second_tt_move_that_captures_comes_before_other_captures_of_equal_value);
    tcase_add_test(tcase, quiet_moves_come_in_the_order_of_their_histories);
    tcase_add_test(tcase, a_promotion_counts_as_the_gain_of_a_queen_for_a_pawn);
    tcase_add_test(tcase, captures_are_ordered_by_victim_and_a_share_of_their_history);
    suite_add_tcase(suite, tcase);
    return suite;
}
