// SPDX-License-Identifier: GPL-3.0-or-later
#include "nnue/accumulator.h"

#include <check.h>
#include <stdlib.h>

#include "chess/fen.h"
#include "chess/notation.h"
#include "chess/play.h"
#include "chess/random_game.h"
#include "nnue/features.h"
#include "nnue/network.h"

static Network network, other;
static Accumulators *all;

static void setup(void)
{
    network_randomise(&network, 1);
    network_randomise(&other, 2);
    all = aligned_alloc(64, sizeof *all);
    *all = (Accumulators){0};
    accumulators_reset(all, &network);
}

static void teardown(void)
{
    free(all);
}

/* Checks the hidden layer of both views against the definition. */
static void check_views(const Network *with, const Position *pos, int ply)
{
    for (Color view = WHITE; view <= BLACK; view++) {
        int expected[NNUE_HIDDEN];
        for (int i = 0; i < NNUE_HIDDEN; i++)
            expected[i] = with->input_bias[i];
        const bool mirrored = feature_mirrored(pos_king(pos, view));
        const Marks marks = marks_of(pos);
        for (Square s = A1; s <= H8; s++) {
            const Piece piece = pos_piece_on(pos, s);
            if (piece == NO_PIECE)
                continue;
            const int marked = marks_add(&marks, piece, s);
            const int8_t *const row = with->input[feature_index(view, mirrored, marked, s)];
            for (int i = 0; i < NNUE_HIDDEN; i++)
                expected[i] += row[i];
        }
        const int16_t *const values = accumulators_get(all, pos, ply)->values[view];
        for (int i = 0; i < NNUE_HIDDEN; i++)
            if (values[i] !=
                expected[i]) // tested first, because ck_assert() is slow even if it holds
                ck_abort_msg("view %d, ply %d, neuron %d: %d, not %d", view, ply, i, values[i],
                             expected[i]);
    }
}

/* Counts of the moves seen, to make sure that the walks cover every kind. */
typedef struct {
    int castling, ep, promotion, capture, crossing;
} Seen;

START_TEST(the_hidden_layer_is_right_in_random_games)
{
    Seen seen = {0};
    for (uint64_t seed = 0; seed < 60; seed++) {
        Walk walk;
        walk_start(&walk, seed);
        check_views(&network, &walk.pos, 0);
        for (int ply = 1; ply < 150; ply++) {
            const Position before = walk.pos;
            const Move move = walk_step(&walk);
            if (move == MOVE_NONE)
                break;
            seen.castling += move_kind(move) == KIND_CASTLING;
            seen.ep += move_kind(move) == KIND_EN_PASSANT;
            seen.promotion += move_kind(move) == KIND_PROMOTION;
            seen.capture += pos_is_capture(&before, move);
            seen.crossing += (file_of(pos_king(&before, before.side)) >= 4) !=
                             (file_of(pos_king(&walk.pos, before.side)) >= 4);
            check_views(&network, &walk.pos, ply);
        }
    }
    ck_assert_int_gt(seen.castling, 10);
    ck_assert_int_gt(seen.ep, 0);
    ck_assert_int_gt(seen.promotion, 50);
    ck_assert_int_gt(seen.capture, 500);
    ck_assert_int_gt(seen.crossing, 100);
}
END_TEST

/* Walks a tree as a search does: evaluates only some plies, then goes back to other moves. */
static void search_about(Walk *walk, int ply, int depth)
{
    const Position here = walk->pos;
    for (int child = 0; child < 3; child++) {
        walk->pos = here;
        if (rng_below(&walk->rng, 8) == 0 && !pos_in_check(&here))
            pos_play_null(&walk->pos, &here);
        else if (walk_step(walk) == MOVE_NONE)
            return;
        if (rng_below(&walk->rng, 4) != 0)
            check_views(&network, &walk->pos, ply + 1);
        if (depth > 1)
            search_about(walk, ply + 1, depth - 1);
    }
}

START_TEST(the_hidden_layer_is_right_after_skipped_plies_and_other_branches)
{
    for (uint64_t seed = 100; seed < 130; seed++) {
        Walk walk;
        walk_start(&walk, seed);
        search_about(&walk, (int)(seed % 2) * (ACCUMULATOR_PLIES - 6), 5);
    }
}
END_TEST

START_TEST(the_hidden_layer_is_right_for_any_position_at_any_ply)
{
    enum { WALKS = 12 };
    Walk walks[WALKS];
    Rng rng;
    rng_seed(&rng, 3);
    for (int i = 0; i < WALKS; i++)
        walk_start(&walks[i], (uint64_t)i);
    for (int i = 0; i < 3000; i++) {
        Walk *const walk = &walks[rng_below(&rng, WALKS)];
        for (uint64_t steps = rng_below(&rng, 6); steps > 0; steps--)
            if (walk_step(walk) == MOVE_NONE)
                walk_start(walk, rng_next(&rng));
        const uint64_t plies = rng_below(&rng, 2) ? 5 : ACCUMULATOR_PLIES;
        check_views(&network, &walk->pos, (int)rng_below(&rng, plies));
    }
}
END_TEST

/* Lines in coordinates with the special moves, castling as king takes rook. */
static const struct {
    const char *fen, *moves[8];
} LINES[] = {
    {"r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1", {"e1h1", "e8a8", "g1h1", "c8b8"}},
    {"r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1",
     {"e1a1", "e8h8", "c1b1", "g8g7", "b1c2", "g7f6", "c2d3", "f6e5"}},
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", {"e1d1", "e8d8", "d1e1", "d8e8", "e1d2", "e8f7"}},
    {"1rk4r/p6p/8/8/8/8/P6P/1RK4R w HBhb - 0 1",
     {"c1b1", "c8b8", "c1b2", "c8b7", "b2c3", "b7c6", "c3c4", "c6b6"}},
    {"4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", {"d7d5", "e5d6", "e8d7", "e1d1", "d7d6"}},
    {"1n2k3/P7/8/8/8/8/7p/4K1N1 w - - 0 1", {"a7b8q", "e8e7", "b8a8", "h2g1n", "a8a1", "g1e2"}},
    {"qqqqqqqk/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQQQQK w - - 0 1", {"a2a7", "a8a7", "e2e7", "f7e7"}},
};

START_TEST(the_hidden_layer_is_right_after_special_moves)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert_msg(fen_parse(&pos, LINES[_i].fen, true, error), "%s", error);
    check_views(&network, &pos, 0);
    for (int ply = 1; ply <= 8 && LINES[_i].moves[ply - 1]; ply++) {
        const Move move = move_from_uci(&pos, LINES[_i].moves[ply - 1]);
        ck_assert_msg(move != MOVE_NONE, "%s is not legal", LINES[_i].moves[ply - 1]);
        pos_advance(&pos, move);
        check_views(&network, &pos, ply);
    }
}
END_TEST

START_TEST(a_reset_discards_values_of_the_previous_network)
{
    Walk walk;
    for (uint64_t seed = 0; seed < 10; seed++) {
        walk_start(&walk, seed);
        accumulators_reset(all, seed % 2 ? &network : &other);
        for (int ply = 0; ply < 20; ply++) {
            check_views(seed % 2 ? &network : &other, &walk.pos, ply);
            if (walk_step(&walk) == MOVE_NONE)
                break;
        }
    }
}
END_TEST

START_TEST(a_reset_discards_values_of_a_network_changed_in_place)
{
    Walk walk;
    walk_start(&walk, 0);
    check_views(&network, &walk.pos, 3);
    network = other;
    accumulators_reset(all, &network);
    check_views(&network, &walk.pos, 3);
}
END_TEST

START_TEST(values_stay_until_the_next_call_for_their_ply)
{
    Walk walk;
    walk_start(&walk, 0);
    const int16_t *const values = accumulators_get(all, &walk.pos, 4)->values[WHITE];
    int16_t copy[NNUE_HIDDEN];
    for (int i = 0; i < NNUE_HIDDEN; i++)
        copy[i] = values[i];
    for (int i = 0; i < 40 && walk_step(&walk) != MOVE_NONE; i++)
        check_views(&network, &walk.pos, i % 2 ? 3 : 5);
    ck_assert_mem_eq(values, copy, sizeof copy);
}
END_TEST

Suite *suite_accumulator(void);
Suite *suite_accumulator(void)
{
    Suite *suite = suite_create("accumulator");
    TCase *tcase = tcase_create("accumulator");
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, the_hidden_layer_is_right_in_random_games);
    tcase_add_test(tcase, the_hidden_layer_is_right_after_skipped_plies_and_other_branches);
    tcase_add_test(tcase, the_hidden_layer_is_right_for_any_position_at_any_ply);
    tcase_add_loop_test(tcase, the_hidden_layer_is_right_after_special_moves, 0,
                        sizeof LINES / sizeof LINES[0]);
    tcase_add_test(tcase, a_reset_discards_values_of_the_previous_network);
    tcase_add_test(tcase, a_reset_discards_values_of_a_network_changed_in_place);
    tcase_add_test(tcase, values_stay_until_the_next_call_for_their_ply);
    suite_add_tcase(suite, tcase);
    return suite;
}
