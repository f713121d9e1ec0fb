// SPDX-License-Identifier: GPL-3.0-or-later
#include "nnue/threats.h"

#include <check.h>
#include <string.h>

#include "base/rng.h"
#include "chess/pos_from_fen.h"
#include "chess/random_game.h"
#include "nnue/simd.h"

static void check_set(Bitboard found, Bitboard expected)
{
    ck_assert_uint_eq(found, NNUE_THREATS ? expected : 0);
}

START_TEST(both_colours_have_attacked_and_defended_pieces)
{
    const Position pos = pos_from_fen("4k3/8/8/3p4/4P3/8/8/4K2R b - - 0 1");
    const Threats threats = threats_of(&pos);
    check_set(threats.attacked, bb_of(D5) | bb_of(E4));
    check_set(threats.defended, bb_of(E1)); // by the rook
}
END_TEST

START_TEST(a_pinned_piece_defends)
{
    const Position pos = pos_from_fen("4k3/4r3/8/8/8/8/4N3/2B1K3 w - - 0 1");
    const Threats threats = threats_of(&pos);
    check_set(threats.attacked, bb_of(E2));
    check_set(threats.defended, bb_of(C1) | bb_of(E2) | bb_of(E7) | bb_of(E8));
}
END_TEST

START_TEST(each_piece_has_the_marks_of_its_attackers)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        Walk walk;
        walk_start(&walk, seed);
        for (int ply = 0; ply < 80 && walk_step(&walk) != MOVE_NONE; ply++) {
            const Position *const pos = &walk.pos;
            const Threats threats = threats_of(pos);
            for (Bitboard b = pos_occupied(pos); b;) {
                const Square s = pop_lsb(&b);
                const Piece piece = pos_piece_on(pos, s);
                const Color own = piece_color(piece);
                const bool defended = pos_is_attacked(pos, s, own, pos_occupied(pos));
                const bool attacked = pos_is_attacked(pos, s, !own, pos_occupied(pos));
                const int marks = (defended ? MARK_DEFENDED : 0) + (attacked ? MARK_ATTACKED : 0);
                ck_assert_int_eq(threats_mark(&threats, piece, s),
                                 piece + (NNUE_THREATS ? marks : 0));
            }
            ck_assert_uint_eq((threats.attacked | threats.defended) & ~pos_occupied(pos), 0);
        }
    }
}
END_TEST

START_TEST(a_marked_board_has_the_marks_of_both_sets)
{
    Rng rng;
    rng_seed(&rng, 5);
    for (int i = 0; i < 1000; i++) {
        const uint64_t defended = rng_next(&rng), attacked = rng_next(&rng);
        uint8_t from[64], to[64];
        for (int s = 0; s < 64; s++)
            from[s] = (uint8_t)rng_below(&rng, NO_PIECE + 1);
        simd_mark(to, from, defended, attacked);
        const Threats threats = {.attacked = attacked, .defended = defended};
        for (Square s = A1; s <= H8; s++)
            ck_assert_int_eq(to[s], threats_mark(&threats, from[s], s));
    }
}
END_TEST

Suite *suite_threats(void);
Suite *suite_threats(void)
{
    Suite *suite = suite_create("threats");
    TCase *tcase = tcase_create("threats");
    tcase_add_test(tcase, both_colours_have_attacked_and_defended_pieces);
    tcase_add_test(tcase, a_pinned_piece_defends);
    tcase_add_test(tcase, each_piece_has_the_marks_of_its_attackers);
    tcase_add_test(tcase, a_marked_board_has_the_marks_of_both_sets);
    suite_add_tcase(suite, tcase);
    return suite;
}
