// SPDX-License-Identifier: GPL-3.0-or-later
#include "nnue/marks.h"

#include <check.h>

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

START_TEST(the_structure_mark_means_something_else_for_each_piece)
{
    const Position pos = pos_from_fen("r4rk1/1p4pp/2p5/3p1n2/2P1N3/3B4/PP3P2/3Q2K1 w - - 0 1");
    /* The pawns c4 and d5 attack each other. Enemy pawns stand on the files of both rooks. No own
     * pawn is in front of the king g1. No pawn can come to attack the knight f5; one attacks the
     * knight e4, and the pawn c6 stands on a file beside d1 and d3. */
    check_set(marks_of(&pos).structure, bb_of(C4) | bb_of(D5) | bb_of(G1) | bb_of(F5), 4);
}
END_TEST

START_TEST(a_rook_and_a_king_have_the_structure_mark_by_their_files)
{
    const Position pos = pos_from_fen("1r3k2/p5p1/8/8/8/8/1P3P2/R4RK1 w - - 0 1");
    /* a7 stands on the file of a1, b2 on that of b8. Black has no pawn on the file of f1, and no
     * pawn stands in front of its own king. */
    check_set(marks_of(&pos).structure, bb_of(F1) | bb_of(G1) | bb_of(F8), 4);
}
END_TEST

/* From the definition: whether a pawn of `enemy` attacks `s`, now or after moves straight ahead. */
static bool can_be_attacked_by_pawn(const Position *pos, Square s, Color enemy)
{
    for (Bitboard b = pos_pieces(pos, enemy, PAWN); b;) {
        const Square pawn = pop_lsb(&b);
        const int files = file_of(pawn) - file_of(s), ranks = rank_of(pawn) - rank_of(s);
        if ((files == 1 || files == -1) && (enemy == WHITE ? ranks < 0 : ranks > 0))
            return true;
    }
    return false;
}

/* From the definition: whether the piece on `s` has MARK_STRUCTURE. */
static bool has_structure_mark(const Position *pos, Square s, bool attacked)
{
    const Piece piece = pos_piece_on(pos, s);
    const Color own = piece_color(piece);
    const Bitboard file = bb_file(file_of(s));
    switch (piece_type(piece)) {
    case PAWN:
        return (pos_attackers_to(pos, s, pos_occupied(pos)) & pos_pieces(pos, !own, PAWN)) != 0;
    case ROOK: return (file & pos_pieces(pos, !own, PAWN)) == 0;
    case KING: {
        for (Bitboard b = file & pos_pieces(pos, own, PAWN); b;)
            if ((pop_lsb(&b) > s) == (own == WHITE))
                return false;
        return true;
    }
    default: return !attacked && !can_be_attacked_by_pawn(pos, s, !own);
    }
}

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
           (NNUE_MARKS >= 3 ? MARK_PAWNS * by_pawns : 0) +
           (NNUE_MARKS >= 4 ? MARK_STRUCTURE * has_structure_mark(pos, s, attacked) : 0);
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
            const Bitboard any = marks.attacked | marks.defended | marks.pawns | marks.structure;
            ck_assert_uint_eq(any & ~pos_occupied(pos), 0);
        }
    }
}
END_TEST

START_TEST(a_marked_board_has_the_marks_of_all_sets)
{
    Rng rng;
    rng_seed(&rng, 5);
    for (int i = 0; i < 1000; i++) {
        const uint64_t sets[] = {rng_next(&rng), rng_next(&rng), rng_next(&rng), rng_next(&rng)};
        const Marks marks = {sets[0], sets[1], sets[2], sets[3]};
        uint8_t from[64], to[64];
        for (int s = 0; s < 64; s++)
            from[s] = (uint8_t)rng_below(&rng, NO_PIECE + 1);
        simd_mark(to, from, sets);
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
    tcase_add_test(tcase, the_structure_mark_means_something_else_for_each_piece);
    tcase_add_test(tcase, a_rook_and_a_king_have_the_structure_mark_by_their_files);
    tcase_add_test(tcase, each_piece_has_the_marks_of_its_definition);
    tcase_add_test(tcase, a_marked_board_has_the_marks_of_all_sets);
    suite_add_tcase(suite, tcase);
    return suite;
}
