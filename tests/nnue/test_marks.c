// SPDX-License-Identifier: GPL-3.0-or-later
#include "nnue/marks.h"

#include <check.h>
#include <string.h>

#include "base/rng.h"
#include "chess/pos_from_fen.h"
#include "chess/random_game.h"
#include "nnue/simd.h"

/* Checks a set that networks with at least `marks` marks know. */
static void check_set(Bitboard found, Bitboard expected, int marks)
{
    ck_assert_uint_eq(found, NNUE_MARKS >= marks ? expected : 0);
}

START_TEST(both_colours_have_attacked_and_defended_pieces)
{
    const Position pos = pos_from_fen("4k3/8/8/3p4/4P3/8/8/4K2R b - - 0 1");
    const Marks marks = marks_of(&pos);
    check_set(marks.attacked, bb_of(D5) | bb_of(E4), 2);
    check_set(marks.defended, bb_of(E1), 2); // by the rook
}
END_TEST

START_TEST(a_pinned_piece_defends)
{
    const Position pos = pos_from_fen("4k3/4r3/8/8/8/8/4N3/2B1K3 w - - 0 1");
    const Marks marks = marks_of(&pos);
    check_set(marks.attacked, bb_of(E2), 2);
    check_set(marks.defended, bb_of(C1) | bb_of(E2) | bb_of(E7) | bb_of(E8), 2);
}
END_TEST

START_TEST(the_pawn_mark_means_something_else_for_each_piece)
{
    const Position pos = pos_from_fen("4k3/3q4/2p5/1P1n3p/4N2P/3P4/1R6/R3K3 w - - 0 1");
    const Marks marks = marks_of(&pos);
    /* Attacked by a pawn: none of the white pieces. Half-open: the rook on a1, but not that on b2.
     * Defended by a pawn: the knights; neither is attacked. */
    check_set(marks.pawns, bb_of(A1) | bb_of(D5) | bb_of(E4), 3);
}
END_TEST

START_TEST(a_pawn_has_the_pawn_mark_if_it_is_passed)
{
    const Position pos = pos_from_fen("4k3/p6p/1p3p2/8/1PP3P1/2P5/3P3P/4K3 w - - 0 1");
    check_set(marks_of(&pos).pawns, bb_of(D2), 3); // c4 is stopped by b6, c3 is behind c4
}
END_TEST

START_TEST(an_attacked_piece_has_the_pawn_mark_if_a_pawn_attacks_it)
{
    const Position pos = pos_from_fen("4k3/8/2p5/1N1r4/2P5/1R6/8/4K3 w - - 0 1");
    /* The knight b5 and the rook d5 are attacked by pawns. The rook b3 is not attacked, and no
     * white pawn is on its file. */
    check_set(marks_of(&pos).pawns & ~pos.by_type[PAWN], bb_of(B5) | bb_of(D5) | bb_of(B3), 3);
}
END_TEST

/* The marks of the piece on `s`, from the definition. */
static int marks_at(const Position *pos, Square s)
{
    const Bitboard occupied = pos_occupied(pos);
    const Piece piece = pos_piece_on(pos, s);
    const Color own = piece_color(piece);
    const bool defended = pos_is_attacked(pos, s, own, occupied);
    const bool attacked = pos_is_attacked(pos, s, !own, occupied);
    const Bitboard near_pawns = pos_attackers_to(pos, s, occupied) & pos->by_type[PAWN];
    const Bitboard file = bb_file(file_of(s)) & pos_pieces(pos, own, PAWN);
    const bool by_pawns = piece_type(piece) == PAWN   ? bb_has(pos_passed_pawns(pos, own), s)
                          : attacked                  ? (near_pawns & pos->by_color[!own]) != 0
                          : piece_type(piece) == ROOK ? file == 0
                                                      : (near_pawns & pos->by_color[own]) != 0;
    return (NNUE_MARKS >= 2 ? MARK_DEFENDED * defended + MARK_ATTACKED * attacked : 0) +
           (NNUE_MARKS >= 3 ? MARK_PAWNS * by_pawns : 0);
}

START_TEST(each_piece_has_the_marks_of_its_definition)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        Walk walk;
        walk_start(&walk, seed);
        for (int ply = 0; ply < 80 && walk_step(&walk) != MOVE_NONE; ply++) {
            const Position *const pos = &walk.pos;
            const Marks marks = marks_of(pos);
            for (Bitboard b = pos_occupied(pos); b;) {
                const Square s = pop_lsb(&b);
                const Piece piece = pos_piece_on(pos, s);
                ck_assert_int_eq(marks_add(&marks, piece, s), piece + marks_at(pos, s));
            }
            ck_assert_uint_eq((marks.attacked | marks.defended | marks.pawns) & ~pos_occupied(pos),
                              0);
        }
    }
}
END_TEST

START_TEST(a_marked_board_has_the_marks_of_all_sets)
{
    Rng rng;
    rng_seed(&rng, 5);
    for (int i = 0; i < 1000; i++) {
        const Marks marks = {
            .defended = rng_next(&rng), .attacked = rng_next(&rng), .pawns = rng_next(&rng)};
        uint8_t from[64], to[64];
        for (int s = 0; s < 64; s++)
            from[s] = (uint8_t)rng_below(&rng, NO_PIECE + 1);
        simd_mark(to, from, marks.defended, marks.attacked, marks.pawns);
        for (Square s = A1; s <= H8; s++)
            ck_assert_int_eq(to[s], marks_add(&marks, from[s], s));
    }
}
END_TEST

Suite *suite_marks(void);
Suite *suite_marks(void)
{
    Suite *suite = suite_create("marks");
    TCase *tcase = tcase_create("marks");
    tcase_add_test(tcase, both_colours_have_attacked_and_defended_pieces);
    tcase_add_test(tcase, a_pinned_piece_defends);
    tcase_add_test(tcase, the_pawn_mark_means_something_else_for_each_piece);
    tcase_add_test(tcase, a_pawn_has_the_pawn_mark_if_it_is_passed);
    tcase_add_test(tcase, an_attacked_piece_has_the_pawn_mark_if_a_pawn_attacks_it);
    tcase_add_test(tcase, each_piece_has_the_marks_of_its_definition);
    tcase_add_test(tcase, a_marked_board_has_the_marks_of_all_sets);
    suite_add_tcase(suite, tcase);
    return suite;
}
