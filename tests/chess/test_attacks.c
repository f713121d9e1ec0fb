// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>

#include "base/rng.h"
#include "chess/attacks.h"

/* The slow model: at most `reach` steps from `s` in one direction, to the first piece at most. */
static Bitboard model_ray(Square s, int file_step, int rank_step, int reach, Bitboard occupied)
{
    Bitboard squares = 0;
    for (int i = 1; i <= reach; i++) {
        const int file = file_of(s) + i * file_step, rank = rank_of(s) + i * rank_step;
        if (file < 0 || file > 7 || rank < 0 || rank > 7)
            break;
        squares |= bb_of(square_make(file, rank));
        if (bb_has(occupied, square_make(file, rank)))
            break;
    }
    return squares;
}

/* The direction (file_step, rank_step) and its three rotations by quarter turns. */
static Bitboard model_turns(Square s, int file_step, int rank_step, int reach, Bitboard occupied)
{
    Bitboard squares = 0;
    for (int turn = 0; turn < 4; turn++) {
        squares |= model_ray(s, file_step, rank_step, reach, occupied);
        const int old_file_step = file_step;
        file_step = -rank_step;
        rank_step = old_file_step;
    }
    return squares;
}

static Bitboard model_attacks(PieceType type, Square s, Bitboard occupied)
{
    switch (type) {
    case KNIGHT: return model_turns(s, 1, 2, 1, 0) | model_turns(s, 2, 1, 1, 0);
    case BISHOP: return model_turns(s, 1, 1, 7, occupied);
    case ROOK: return model_turns(s, 1, 0, 7, occupied);
    case QUEEN: return model_turns(s, 1, 1, 7, occupied) | model_turns(s, 1, 0, 7, occupied);
    default: return model_turns(s, 1, 1, 1, 0) | model_turns(s, 1, 0, 1, 0);
    }
}

START_TEST(attacks_equal_a_walk_along_the_rays)
{
    Rng rng;
    rng_seed(&rng, 1);
    for (int i = 0; i < 2000; i++) {
        Bitboard occupied = rng_next(&rng);
        for (int thinning = i % 4; thinning > 0; thinning--)
            occupied &= rng_next(&rng);
        for (Square s = 0; s < SQ_NB; s++)
            for (PieceType type = KNIGHT; type <= KING; type++)
                ck_assert_uint_eq(attacks_of(type, s, occupied), model_attacks(type, s, occupied));
    }
}
END_TEST

START_TEST(attacks_of_all_sliders_are_those_of_each)
{
    Rng rng;
    rng_seed(&rng, 2);
    for (int i = 0; i < 5000; i++) {
        Bitboard occupied = rng_next(&rng);
        for (int thinning = i % 4; thinning > 0; thinning--)
            occupied &= rng_next(&rng);
        const Bitboard bishops = occupied & rng_next(&rng) & rng_next(&rng);
        const Bitboard rooks = occupied & rng_next(&rng) & rng_next(&rng);
        Bitboard expected = 0;
        for (Square s = 0; s < SQ_NB; s++) {
            if (bb_has(bishops, s))
                expected |= model_attacks(BISHOP, s, occupied);
            if (bb_has(rooks, s))
                expected |= model_attacks(ROOK, s, occupied);
        }
        ck_assert_uint_eq(attacks_sliders(bishops, rooks, occupied), expected);
    }
}
END_TEST

START_TEST(every_relevant_occupancy_of_a_corner_rook_is_right)
{
    const Bitboard mask = attacks_rook_sliders[A1].mask;
    ck_assert_int_eq(popcount(mask), 12);
    Bitboard occupied = 0;
    do {
        ck_assert_uint_eq(attacks_rook(A1, occupied), model_attacks(ROOK, A1, occupied));
        occupied = (occupied - mask) & mask;
    } while (occupied);
}
END_TEST

START_TEST(pawns_attack_forward_diagonals)
{
    for (Square s = 0; s < SQ_NB; s++)
        for (Color c = WHITE; c < COLOR_NB; c++) {
            const int step = c == WHITE ? 1 : -1;
            const Bitboard expected = model_ray(s, 1, step, 1, 0) | model_ray(s, -1, step, 1, 0);
            ck_assert_uint_eq(attacks_pawn(c, s), expected);
            ck_assert_uint_eq(bb_pawn_attacks(c, bb_of(s)), expected);
        }
}
END_TEST

START_TEST(attacks_of_a_set_of_knights_are_the_union_of_their_attacks)
{
    Rng rng;
    rng_seed(&rng, 2);
    for (int i = 0; i < 1000; i++) {
        const Bitboard knights = rng_next(&rng) & rng_next(&rng) & rng_next(&rng);
        Bitboard expected = 0;
        for (Bitboard b = knights; b;)
            expected |= model_attacks(KNIGHT, pop_lsb(&b), 0);
        ck_assert_uint_eq(bb_knight_attacks(knights), expected);
    }
}
END_TEST

START_TEST(between_and_line_agree_with_rays)
{
    for (Square a = 0; a < SQ_NB; a++)
        for (Square b = 0; b < SQ_NB; b++) {
            Bitboard between = 0, line = 0;
            for (int direction = 0; direction < 9; direction++) {
                const int file_step = direction % 3 - 1, rank_step = direction / 3 - 1;
                const Bitboard ahead =
                    direction == 4 ? 0 : model_ray(a, file_step, rank_step, 7, 0);
                if (!bb_has(ahead, b))
                    continue;
                between = model_ray(a, file_step, rank_step, 7, bb_of(b)) & ~bb_of(b);
                line = ahead | bb_of(a) | model_ray(a, -file_step, -rank_step, 7, 0);
            }
            ck_assert_uint_eq(bb_between(a, b), between);
            ck_assert_uint_eq(bb_line(a, b), line);
        }
}
END_TEST

START_TEST(diagonals_agree_with_rays)
{
    for (Square s = 0; s < SQ_NB; s++) {
        ck_assert_uint_eq(bb_rising(s),
                          bb_of(s) | model_ray(s, 1, 1, 7, 0) | model_ray(s, -1, -1, 7, 0));
        ck_assert_uint_eq(bb_falling(s),
                          bb_of(s) | model_ray(s, 1, -1, 7, 0) | model_ray(s, -1, 1, 7, 0));
    }
}
END_TEST

START_TEST(a_relative_rank_has_the_squares_of_that_rank)
{
    for (Color c = WHITE; c <= BLACK; c++)
        for (int rank = 0; rank < 8; rank++)
            for (Square s = 0; s < SQ_NB; s++)
                ck_assert_int_eq(bb_has(bb_relative_rank(c, rank), s), relative_rank(c, s) == rank);
}
END_TEST

START_TEST(method_is_one_of_two)
{
    ck_assert_str_eq(attacks_method(), ATTACKS_PEXT ? "pext" : "magic");
}
END_TEST

Suite *suite_attacks(void);
Suite *suite_attacks(void)
{
    Suite *suite = suite_create("attacks");
    TCase *tc = tcase_create("attacks");
    tcase_set_timeout(tc, 20);
    tcase_add_test(tc, attacks_equal_a_walk_along_the_rays);
    tcase_add_test(tc, attacks_of_all_sliders_are_those_of_each);
    tcase_add_test(tc, every_relevant_occupancy_of_a_corner_rook_is_right);
    tcase_add_test(tc, pawns_attack_forward_diagonals);
    tcase_add_test(tc, attacks_of_a_set_of_knights_are_the_union_of_their_attacks);
    tcase_add_test(tc, between_and_line_agree_with_rays);
    tcase_add_test(tc, diagonals_agree_with_rays);
    tcase_add_test(tc, a_relative_rank_has_the_squares_of_that_rank);
    tcase_add_test(tc, method_is_one_of_two);
    suite_add_tcase(suite, tc);
    return suite;
}
