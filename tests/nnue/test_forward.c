// SPDX-License-Identifier: GPL-3.0-or-later
#include "nnue/forward.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "chess/fen.h"
#include "chess/pos_from_fen.h"
#include "chess/random_game.h"
#include "nnue/features.h"
#include "nnue/network.h"

static Network network;
static Accumulators *all;

static void setup(void)
{
    network_randomise(&network, 1);
    all = aligned_alloc(64, sizeof *all);
    *all = (Accumulators){0};
    accumulators_reset(all, &network);
}

static void teardown(void)
{
    free(all);
}

/* The position with every piece on `square ^ flip`. If the ranks are mirrored, colours and side to
 * move are exchanged, too. Castling rights and en passant are dropped, since they are no inputs. */
static Position transformed(const Position *pos, int flip)
{
    const bool is_turned = flip & 56;
    Position to = {.side = (uint8_t)(pos->side ^ is_turned), .ep = SQ_NONE, .fullmove = 1};
    for (int i = 0; i < 4; i++)
        to.castling_rook[i] = SQ_NONE;
    for (Square s = A1; s <= H8; s++)
        to.board[s] = NO_PIECE;
    for (Square s = A1; s <= H8; s++)
        if (pos_piece_on(pos, s) != NO_PIECE)
            pos_put(&to, pos_piece_on(pos, s) ^ is_turned, s ^ flip);
    pos_refresh(&to);
    return to;
}

/* Sets all weights of dense layers to their extremes. */
static void fill_dense(DenseLayers *dense, bool is_positive)
{
    memset(dense->first, is_positive ? INT8_MAX : INT8_MIN, sizeof dense->first);
    memset(dense->second, is_positive ? INT8_MAX : INT8_MIN, sizeof dense->second);
    for (int i = 0; i < DENSE_FIRST; i++)
        dense->first_bias[i] = is_positive ? DENSE_BIAS_LIMIT : -DENSE_BIAS_LIMIT;
    for (int i = 0; i < DENSE_SECOND; i++) {
        dense->second_bias[i] = is_positive ? DENSE_BIAS_LIMIT : -DENSE_BIAS_LIMIT;
        dense->output[i] = is_positive ? INT16_MAX : INT16_MIN;
    }
}

/* Random networks, and networks with the largest weights that the loader accepts. */
static void make_network(int kind)
{
    network_randomise(&network, (uint64_t)kind + 1);
    for (int i = 0; i < NNUE_HIDDEN && kind < 4; i++) {
        for (int input = 0; input < NNUE_INPUTS; input++)
            network.input[input][i] = kind & 1 ? NNUE_INPUT_LIMIT : -NNUE_INPUT_LIMIT;
        network.input_bias[i] = NNUE_INPUT_LIMIT;
        for (int bucket = 0; bucket < NNUE_BUCKETS; bucket++) {
            const int16_t weight = kind & 2 ? NNUE_OUTPUT_LIMIT : -NNUE_OUTPUT_LIMIT;
            network.output[bucket][0][i] = network.output[bucket][1][i] = weight;
            network.output_bias[bucket] = kind & 2 ? INT32_MAX : INT32_MIN;
        }
    }
    for (int bucket = 0; bucket < NNUE_BUCKETS && kind < 4; bucket++)
        fill_dense(&network.dense[bucket], kind & 2);
    accumulators_reset(all, &network);
}

START_TEST(the_fast_path_equals_the_definition)
{
    make_network(_i);
    int least = 0, greatest = 0;
    for (uint64_t seed = 0; seed < 12; seed++) {
        Walk walk;
        walk_start(&walk, seed + 50 * (uint64_t)_i);
        for (int ply = 0; ply < 150; ply++) {
            const int expected = nnue_evaluate_reference(&network, &walk.pos);
            const int value = nnue_evaluate(all, &walk.pos, ply);
            ck_assert_msg(value == expected, "%s: %d, not %d, at ply %d", nnue_simd_name(), value,
                          expected, ply);
            least = value < least ? value : least;
            greatest = value > greatest ? value : greatest;
            if (walk_step(&walk) == MOVE_NONE)
                break;
        }
    }
    if (_i >= 4) {
        ck_assert_int_lt(least, -1000);
        ck_assert_int_gt(greatest, 1000);
    }
}
END_TEST

/* Only one neuron has weights, for bare kings (with no own pawn in front: MARK_STRUCTURE). The
 * expected values follow the formula of arch.h by hand. */
START_TEST(one_neuron_gives_the_value_of_the_formula)
{
    const Position pos = pos_from_fen("4k3/8/8/8/8/8/8/K7 b - - 0 1");
    const int marks = NNUE_MARKS == 4 ? MARK_STRUCTURE : 0;
    network = (Network){.scale = 400};
    network.input[feature_index(WHITE, false, W_KING + marks, A1)][5] = 100;
    network.output[0][1][5] = 100; // White is not to move
    network.output_bias[0] = -1000;
    accumulators_reset(all, &network);
    /* 100 * 100 * 100 / 255 = 3921; (3921 - 1000) * 400 / (255 * 64) = 71.59 */
    ck_assert_int_eq(nnue_evaluate(all, &pos, 0), 71);
    ck_assert_int_eq(nnue_evaluate_reference(&network, &pos), 71);
    network.input_bias[5] = NNUE_INPUT_LIMIT;
    network.input[feature_index(WHITE, false, B_KING + marks, E8)][5] =
        NNUE_INPUT_LIMIT; // 354: clipped
    network.output_bias[0] = 1000;
    network.output[0][1][5] = -100;
    accumulators_reset(all, &network);
    /* 255 * 255 * -100 / 255 = -25500; (-25500 + 1000) * 400 / (255 * 64) = -600.49 */
    ck_assert_int_eq(nnue_evaluate(all, &pos, 0), -600);
    ck_assert_int_eq(nnue_evaluate_reference(&network, &pos), -600);
}
END_TEST

START_TEST(exchanging_the_colours_changes_nothing)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        Walk walk;
        walk_start(&walk, seed);
        for (int ply = 0; ply < 100 && walk_step(&walk) != MOVE_NONE; ply++) {
            const Position turned = transformed(&walk.pos, 56);
            ck_assert_int_eq(nnue_evaluate(all, &turned, ply), nnue_evaluate(all, &walk.pos, ply));
        }
    }
}
END_TEST

START_TEST(a_mirrored_board_has_the_same_value_with_mirrored_inputs)
{
    bool is_same = true;
    for (uint64_t seed = 0; seed < 20; seed++) {
        Walk walk;
        walk_start(&walk, seed);
        for (int ply = 0; ply < 100 && walk_step(&walk) != MOVE_NONE; ply++) {
            const Position mirrored = transformed(&walk.pos, 7);
            is_same &= nnue_evaluate(all, &mirrored, ply) == nnue_evaluate(all, &walk.pos, ply);
        }
    }
    ck_assert_int_eq(is_same, NNUE_MIRRORED);
}
END_TEST

/* Boards of 2 and of 32 pieces, and those where the output changes with eight buckets. */
START_TEST(the_piece_count_selects_the_output)
{
    for (int bucket = 0; bucket < NNUE_BUCKETS; bucket++)
        network.output_bias[bucket] = 1000000 * bucket;
    memset(network.output, 0, sizeof network.output);
    for (int bucket = 0; bucket < NNUE_BUCKETS; bucket++)
        memset(network.dense[bucket].output, 0, sizeof network.dense[bucket].output);
    network.scale = 601;
    accumulators_reset(all, &network);
    Position pos = pos_from_fen(FEN_START);
    for (int pieces = 32; pieces >= 2; pieces--) {
        const int bucket = (pieces - 2) / (32 / NNUE_BUCKETS);
        ck_assert_int_eq(feature_bucket(pieces), bucket);
        const int64_t expected = (int64_t)1000000 * bucket * 601 / (NNUE_QA * NNUE_QB);
        ck_assert_int_eq(nnue_evaluate(all, &pos, 0), expected);
        ck_assert_int_eq(nnue_evaluate_reference(&network, &pos), expected);
        const Bitboard men = pos_occupied(&pos) & ~pos.by_type[KING];
        if (men != 0) {
            pos_put(&pos, pos_piece_on(&pos, lsb(men)), lsb(men));
            pos_refresh(&pos);
        }
    }
    ck_assert_int_eq(feature_bucket(2), 0);
    ck_assert_int_eq(feature_bucket(32), NNUE_BUCKETS - 1);
}
END_TEST

Suite *suite_forward(void);
Suite *suite_forward(void)
{
    Suite *suite = suite_create("forward");
    TCase *tcase = tcase_create("forward");
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, the_fast_path_equals_the_definition, 0, 10);
    tcase_add_test(tcase, one_neuron_gives_the_value_of_the_formula);
    tcase_add_test(tcase, exchanging_the_colours_changes_nothing);
    tcase_add_test(tcase, a_mirrored_board_has_the_same_value_with_mirrored_inputs);
    tcase_add_test(tcase, the_piece_count_selects_the_output);
    suite_add_tcase(suite, tcase);
    return suite;
}
