// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/sample.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "chess/random_game.h"
#include "nnue/features.h"

enum { GAMES = 40, PLIES = 60 };

static int compare_rows(const void *a, const void *b)
{
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

/* Sorts inputs: their order does not matter. */
static void sort_rows(SampleInputs *inputs)
{
    for (int view = 0; view < 2; view++)
        qsort(inputs->rows[view], inputs->count, sizeof(uint16_t), compare_rows);
}

/* The inputs of a position from the definition, in order. */
static SampleInputs inputs_of(const Position *pos)
{
    const Marks marks = marks_of(pos);
    SampleInputs inputs = {0};
    for (Square s = A1; s <= H8; s++) {
        const Piece piece = pos_piece_on(pos, s);
        if (piece == NO_PIECE)
            continue;
        const int marked = marks_add(&marks, piece, s);
        for (int view = 0; view < 2; view++) {
            const Color c = view == 0 ? pos->side : !pos->side;
            inputs.rows[view][inputs.count] =
                (uint16_t)feature_index(c, feature_mirrored(pos_king(pos, c)), marked, s);
        }
        inputs.count++;
    }
    inputs.bucket = (uint8_t)feature_bucket(inputs.count);
    sort_rows(&inputs);
    return inputs;
}

static SampleInputs inputs_of_sample(const Position *pos, bool flip)
{
    Sample sample;
    sample_pack(&sample, pos, -123, 2);
    SampleInputs inputs;
    sample_inputs(&sample, flip, &inputs);
    sort_rows(&inputs);
    return inputs;
}

static void check_equal(const SampleInputs *a, const SampleInputs *b)
{
    ck_assert_int_eq(a->count, b->count);
    ck_assert_int_eq(a->bucket, b->bucket);
    for (int view = 0; view < 2; view++)
        ck_assert_mem_eq(a->rows[view], b->rows[view], a->count * sizeof(uint16_t));
}

/* The position with each piece on `square ^ turn`, and the other colour when `swap`. */
static Position turned(const Position *pos, int turn, bool swap)
{
    Position twin = {.side = (uint8_t)(pos->side ^ swap)};
    memset(twin.board, NO_PIECE, sizeof twin.board);
    for (Square s = A1; s <= H8; s++)
        if (pos_piece_on(pos, s) != NO_PIECE)
            pos_put(&twin, pos_piece_on(pos, s) ^ swap, s ^ turn);
    pos_set_attacks(&twin);
    return twin;
}

static void walk_through(uint64_t seed, void (*check)(const Position *pos))
{
    Walk walk;
    walk_start(&walk, seed);
    for (int ply = 0; ply < PLIES; ply++) {
        check(&walk.pos);
        if (walk_step(&walk) == MOVE_NONE)
            break;
    }
}

static void check_inputs(const Position *pos)
{
    const SampleInputs expected = inputs_of(pos), found = inputs_of_sample(pos, false);
    check_equal(&found, &expected);
}

START_TEST(a_sample_sets_the_inputs_of_its_position)
{
    walk_through((uint64_t)_i, check_inputs);
}
END_TEST

static void check_flip(const Position *pos)
{
    const Position twin = turned(pos, 7, false);
    const SampleInputs expected = inputs_of(&twin), found = inputs_of_sample(pos, true);
    check_equal(&found, &expected);
    const SampleInputs plain = inputs_of_sample(pos, false);
    if (NNUE_MIRRORED)
        check_equal(&found, &plain);
}

START_TEST(a_flipped_sample_sets_the_inputs_of_the_mirrored_position)
{
    walk_through((uint64_t)_i, check_flip);
}
END_TEST

static void check_turn(const Position *pos)
{
    const Position twin = turned(pos, 56, true);
    Sample sample, other;
    sample_pack(&sample, pos, 77, 1);
    sample_pack(&other, &twin, 77, 1);
    ck_assert_mem_eq(&sample, &other, sizeof sample);
}

START_TEST(exchanging_colours_and_side_to_move_gives_the_same_sample)
{
    walk_through((uint64_t)_i, check_turn);
}
END_TEST

START_TEST(score_and_result_are_kept)
{
    Walk walk;
    walk_start(&walk, 1);
    Sample sample;
    sample_pack(&sample, &walk.pos, -3000, 2);
    ck_assert_int_eq(sample.score, -3000);
    ck_assert_int_eq(sample.result, 2);
    ck_assert_uint_eq(sample.weight, SAMPLE_WEIGHT_ONE);
    ck_assert_uint_eq(sample.bound, 0);
}
END_TEST

Suite *suite_sample(void);
Suite *suite_sample(void)
{
    Suite *suite = suite_create("sample");
    TCase *tcase = tcase_create("sample");
    tcase_add_loop_test(tcase, a_sample_sets_the_inputs_of_its_position, 0, GAMES);
    tcase_add_loop_test(tcase, a_flipped_sample_sets_the_inputs_of_the_mirrored_position, 0, GAMES);
    tcase_add_loop_test(tcase, exchanging_colours_and_side_to_move_gives_the_same_sample, 0, GAMES);
    tcase_add_test(tcase, score_and_result_are_kept);
    suite_add_tcase(suite, tcase);
    return suite;
}
