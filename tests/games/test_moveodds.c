// SPDX-License-Identifier: GPL-3.0-or-later
#include "games/moveodds.h"

#include <check.h>

#include "base/checksum.h"
#include "chess/movegen.h"
#include "chess/pos_from_fen.h"
#include "chess/random_game.h"

/* Weight of a move after the two given moves. */
static int weight_after(const Position *pos, Move last, Move own_last, Move move)
{
    Move moves[MAX_MOVES];
    uint16_t weights[MAX_MOVES];
    const int count = gen_legal(pos, moves);
    moveodds_weigh(pos, last, own_last, moves, count, weights);
    for (int i = 0; i < count; i++)
        if (moves[i] == move)
            return weights[i];
    ck_abort_msg("no such move");
    return 0;
}

static int weight(const Position *pos, Square from, Square to)
{
    return weight_after(pos, MOVE_NONE, MOVE_NONE, move_make(from, to, KIND_NORMAL));
}

START_TEST(weights_are_within_bounds_and_add_up)
{
    for (uint64_t seed = 0; seed < 60; seed++) {
        Walk walk;
        walk_start(&walk, seed);
        Move last = MOVE_NONE, own_last = MOVE_NONE;
        for (int ply = 0; ply < 200; ply++) {
            Move moves[MAX_MOVES];
            uint16_t weights[MAX_MOVES];
            const int count = gen_legal(&walk.pos, moves);
            const uint32_t total = moveodds_weigh(&walk.pos, last, own_last, moves, count, weights);
            uint32_t sum = 0;
            for (int i = 0; i < count; i++) {
                ck_assert_uint_ge(weights[i], 1);
                ck_assert_uint_le(weights[i], MOVEODDS_WEIGHT_MAX);
                sum += weights[i];
            }
            ck_assert_uint_eq(total, sum);
            own_last = last;
            last = walk_step(&walk);
            if (last == MOVE_NONE)
                break;
        }
    }
}
END_TEST

/* Game files contain the odds: other weights need another version of the format (gamecode.c). */
START_TEST(the_weights_are_those_of_the_format)
{
    uint64_t sum = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        Walk walk;
        walk_start(&walk, seed);
        Move last = MOVE_NONE, own_last = MOVE_NONE, next = MOVE_NONE;
        for (int ply = 0; ply < 100; ply++, own_last = last, last = next) {
            Move moves[MAX_MOVES];
            uint16_t weights[MAX_MOVES];
            const int count = gen_legal(&walk.pos, moves);
            moveodds_weigh(&walk.pos, last, own_last, moves, count, weights);
            sum = sum * 31 + checksum64(weights, (size_t)count * sizeof weights[0]);
            next = walk_step(&walk);
            if (next == MOVE_NONE)
                break;
        }
    }
    ck_assert_uint_eq(sum, 4170527463055880926u);
}
END_TEST

START_TEST(good_moves_are_likelier_than_bad_ones)
{
    Position pos = pos_from_fen("4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1");
    ck_assert_int_gt(weight(&pos, C3, D5), 8 * weight(&pos, C3, A4)); // wins a queen
    pos = pos_from_fen("4k3/8/2p5/3p4/8/8/3Q4/4K3 w - - 0 1");
    ck_assert_int_gt(weight(&pos, D2, D4), 4 * weight(&pos, D2, D5)); // a defended pawn
    pos = pos_from_fen("4k3/8/8/2p5/8/8/8/1N2K3 w - - 0 1");
    ck_assert_int_gt(weight(&pos, B1, C3), 2 * weight(&pos, B1, A3));
}
END_TEST

START_TEST(both_colours_have_the_same_odds)
{
    const Position white =
        pos_from_fen("r2qk2r/ppp2ppp/2n2n2/3pp3/1b2P3/2NP1N2/PPP2PPP/R1BQKB1R w - - 0 1");
    const Position black =
        pos_from_fen("r1bqkb1r/ppp2ppp/2np1n2/1B2p3/3PP3/2N2N2/PPP2PPP/R2QK2R b - - 0 1");
    Move moves[MAX_MOVES];
    const int count = gen_legal(&white, moves);
    for (int i = 0; i < count; i++) {
        const Square from = move_from(moves[i]), to = move_to(moves[i]);
        ck_assert_int_eq(weight(&white, from, to), weight(&black, from ^ 56, to ^ 56));
    }
}
END_TEST

START_TEST(previous_moves_change_the_odds)
{
    const Position pos = pos_from_fen("4k3/2p1p3/3n4/8/8/8/3R4/3RK3 w - - 0 1");
    const Move takes = move_make(D2, D6, KIND_NORMAL), again = move_make(D2, A2, KIND_NORMAL);
    const Move taken = move_make(B5, D6, KIND_NORMAL), came = move_make(C2, D2, KIND_NORMAL);
    ck_assert_int_gt(weight_after(&pos, taken, MOVE_NONE, takes), weight(&pos, D2, D6));
    ck_assert_int_gt(weight_after(&pos, MOVE_NONE, came, again), weight(&pos, D2, A2));
}
END_TEST

Suite *suite_moveodds(void);
Suite *suite_moveodds(void)
{
    Suite *suite = suite_create("moveodds");
    TCase *tcase = tcase_create("moveodds");
    tcase_add_test(tcase, weights_are_within_bounds_and_add_up);
    tcase_add_test(tcase, the_weights_are_those_of_the_format);
    tcase_add_test(tcase, good_moves_are_likelier_than_bad_ones);
    tcase_add_test(tcase, both_colours_have_the_same_odds);
    tcase_add_test(tcase, previous_moves_change_the_odds);
    suite_add_tcase(suite, tcase);
    return suite;
}
