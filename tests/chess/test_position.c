// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>
#include <stdlib.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/play.h"
#include "chess/pos_from_fen.h"
#include "chess/position.h"
#include "chess/random_game.h"

START_TEST(en_passant_does_not_answer_a_check_of_a_knight)
{
    const Position pos = pos_from_fen("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1");
    ck_assert(pos_ep_is_legal(&pos, D5, C6));
    const Position checked = pos_from_fen("4k3/8/8/2pP4/8/3n4/8/4K3 w - - 0 1");
    ck_assert(!pos_ep_is_legal(&checked, D5, C6));
}
END_TEST

START_TEST(en_passant_does_not_answer_a_check_of_another_pawn)
{
    const Position pos = pos_from_fen("4k3/8/8/2pP2p1/5K2/8/8/8 w - c6 0 1");
    ck_assert(!pos_ep_is_legal(&pos, D5, C6));
    ck_assert_int_eq(pos.ep, SQ_NONE);
}
END_TEST

static const struct {
    Square from, to;
    int kind;
    PieceType captured;
} CAPTURES[] = {
    {A1, A8, KIND_NORMAL, ROOK},
    {E1, H1, KIND_CASTLING, PIECE_TYPE_NB},
    {D5, C6, KIND_EN_PASSANT, PAWN},
    {G7, H8, KIND_PROMOTION, BISHOP},
    {G7, G8, KIND_PROMOTION, PIECE_TYPE_NB},
    {E1, F2, KIND_NORMAL, KNIGHT},
    {A1, A7, KIND_NORMAL, PIECE_TYPE_NB},
};

START_TEST(a_captured_piece_has_a_type_and_castling_captures_nothing)
{
    const Position pos = pos_from_fen("r3k2b/6P1/8/2pP4/8/8/5n2/R3K2R w KQq c6 0 1");
    const Move move = move_make(CAPTURES[_i].from, CAPTURES[_i].to, CAPTURES[_i].kind);
    ck_assert_int_eq(pos_captured(&pos, move), CAPTURES[_i].captured);
    ck_assert_int_eq(pos_is_capture(&pos, move), CAPTURES[_i].captured != PIECE_TYPE_NB);
}
END_TEST

static void break_board(Position *pos)
{
    pos->board[E4] = W_QUEEN;
}
static void break_piece(Position *pos)
{
    pos->board[E4] = 13;
}
static void break_type(Position *pos)
{
    pos->by_type[PAWN] ^= bb_of(D5);
}
static void break_color(Position *pos)
{
    pos->by_color[BLACK] ^= bb_of(D6);
}
static void break_kings(Position *pos)
{
    pos_put(pos, W_KING, A3);
    pos_refresh(pos);
}
static void break_no_king(Position *pos)
{
    pos_put(pos, B_KING, E8);
}
static void break_pawn(Position *pos)
{
    pos_put(pos, W_PAWN, D8);
    pos_refresh(pos);
}
static void break_side(Position *pos)
{
    pos->side = 2;
}
static void break_checkers(Position *pos)
{
    pos->checkers = bb_of(A6);
}
static void break_attacks(Position *pos)
{
    pos->attacks[WHITE] ^= bb_of(A6);
}
static void break_key(Position *pos)
{
    pos->key ^= 1;
}
static void break_pawn_key(Position *pos)
{
    pos->pawn_key ^= 1;
}
static void break_minor_key(Position *pos)
{
    pos->minor_key ^= 1;
}
static void break_major_key(Position *pos)
{
    pos->major_key ^= 1;
}
static void break_white_key(Position *pos)
{
    pos->nonpawn_key[WHITE] ^= 1;
}
static void break_black_key(Position *pos)
{
    pos->nonpawn_key[BLACK] ^= 1;
}
static void break_fullmove(Position *pos)
{
    pos->fullmove = 0;
}
static void break_reversible(Position *pos)
{
    pos->reversible = 1;
}

static void break_ep(Position *pos)
{
    pos->ep = C6;
    pos_refresh(pos);
}

static void break_rook(Position *pos)
{
    pos_put(pos, W_ROOK, H1);
    pos_refresh(pos);
}

static void break_rook_side(Position *pos)
{
    pos->castling_rook[0] = A1;
    pos_refresh(pos);
}

static void break_rights(Position *pos)
{
    pos->castling = 16;
}

static void break_turn(Position *pos) // Black is in check, White to move
{
    pos_put(pos, B_PAWN, E6);
    pos_put(pos, B_PAWN, D7);
    pos_put(pos, W_BISHOP, D7);
    pos_refresh(pos);
}

static void break_king_rank(Position *pos)
{
    pos_put(pos, W_KING, E1);
    pos_put(pos, W_KING, G3);
    pos_refresh(pos);
}

static void break_rook_rank(Position *pos)
{
    pos_put(pos, W_ROOK, H5);
    pos->castling_rook[0] = H5;
    pos_refresh(pos);
}

static const struct {
    void (*fn)(Position *);
    const char *fault;
} BREAKERS[] = {
    {break_board, "the pieces by type differ from the board"},
    {break_piece, "the board holds a piece that does not exist"},
    {break_type, "the pieces by type differ from the board"},
    {break_color, "the pieces by colour differ from the board"},
    {break_kings, "a side does not have exactly one king"},
    {break_no_king, "a side does not have exactly one king"},
    {break_pawn, "a pawn stands on the first or last rank"},
    {break_side, "the side to move is not a colour"},
    {break_checkers, "the checkers differ from their recomputed value"},
    {break_attacks, "the attacks differ from their recomputed value"},
    {break_key, "the key differs from its recomputed value"},
    {break_pawn_key, "the pawn key differs from its recomputed value"},
    {break_minor_key, "the minor key differs from its recomputed value"},
    {break_major_key, "the major key differs from its recomputed value"},
    {break_white_key, "a non-pawn key differs from its recomputed value"},
    {break_black_key, "a non-pawn key differs from its recomputed value"},
    {break_fullmove, "the move number is 0"},
    {break_reversible, "more reversible plies than plies without progress"},
    {break_ep, "an en passant square without a legal capture"},
    {break_rook, "a castling right without its rook"},
    {break_rook_side, "a castling right with king and rook in the wrong order"},
    {break_king_rank, "a castling right off the back rank"},
    {break_rook_rank, "a castling right off the back rank"},
    {break_rights, "the castling rights are not a set of rights"},
    {break_turn, "the side not to move is in check"},
};

START_TEST(pos_check_names_every_fault)
{
    Position pos = pos_from_fen(KIWIPETE);
    ck_assert_ptr_null(pos_check(&pos));
    BREAKERS[_i].fn(&pos);
    ck_assert_pstr_eq(pos_check(&pos), BREAKERS[_i].fault);
}
END_TEST

/* White to move; each square lacks one condition of a double step. */
static const struct {
    const char *fen;
    Square ep;
    bool exists;
} EN_PASSANT[] = {
    {"4k3/8/8/2pP4/8/8/8/4K3 w - - 0 1", C6, true},
    {"4k3/8/2n5/2pP4/8/8/8/4K3 w - - 0 1", C6, false}, // the pawn would have passed a knight
    {"4k3/2n5/8/2pP4/8/8/8/4K3 w - - 0 1", C6, false}, // a knight stands where it came from
    {"4k3/8/8/2nP4/8/8/8/4K3 w - - 0 1", C6, false},   // no pawn
    {"4k3/8/8/2PP4/8/8/8/4K3 w - - 0 1", C6, false},   // an own pawn
    {"4k3/8/8/8/2pP4/8/8/4K3 w - - 0 1", C5, false},   // the rank of a single step
    {"4k3/8/8/2pP4/8/8/8/4K3 w - - 0 1", -1, false},
    {"4k3/8/8/2pP4/8/8/8/4K3 w - - 0 1", SQ_NONE, false},
};

START_TEST(en_passant_exists_only_after_a_possible_double_step)
{
    const Position pos = pos_from_fen(EN_PASSANT[_i].fen);
    ck_assert_int_eq(pos_ep_exists(&pos, EN_PASSANT[_i].ep), EN_PASSANT[_i].exists);
}
END_TEST

START_TEST(putting_a_piece_twice_changes_nothing)
{
    Position pos = pos_from_fen(FEN_START);
    const Position before = pos;
    pos_put(&pos, W_QUEEN, E4);
    ck_assert_int_eq(pos.board[E4], W_QUEEN);
    ck_assert(bb_has(pos_pieces(&pos, WHITE, QUEEN), E4));
    pos_put(&pos, W_QUEEN, E4);
    ck_assert_mem_eq(pos.board, before.board, sizeof pos.board);
    ck_assert_mem_eq(pos.by_type, before.by_type, sizeof pos.by_type);
    ck_assert_mem_eq(pos.by_color, before.by_color, sizeof pos.by_color);
}
END_TEST

START_TEST(gives_check_equals_playing_the_move)
{
    int checks = 0;
    for (uint64_t seed = 0; seed < 150; seed++) {
        Walk walk;
        walk_start(&walk, seed);
        for (int ply = 0; ply < 80; ply++) {
            Move moves[MAX_MOVES];
            const int count = gen_legal(&walk.pos, moves);
            CheckSquares squares;
            pos_find_check_squares(&squares, &walk.pos);
            for (int i = 0; i < count; i++) {
                Position after;
                pos_play(&after, &walk.pos, moves[i]);
                ck_assert_int_eq(pos_gives_check(&walk.pos, moves[i]), after.checkers != 0);
                ck_assert_int_eq(pos_gives_check_fast(&squares, &walk.pos, moves[i]),
                                 after.checkers != 0);
                checks += after.checkers != 0;
            }
            if (walk_step(&walk) == MOVE_NONE)
                break;
        }
    }
    ck_assert_int_gt(checks, 1000);
}
END_TEST

static const struct {
    const char *fen;
    Move move;
    bool gives_check;
} CHECKS[] = {
    {"5k2/8/8/8/8/8/8/4K2R w K - 0 1", E1 | H1 << 6 | KIND_CASTLING, true},
    {"6k1/8/8/8/8/8/8/4K2R w K - 0 1", E1 | H1 << 6 | KIND_CASTLING, false},
    {"3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", E1 | A1 << 6 | KIND_CASTLING, true},
    {"5k2/8/8/8/8/8/8/1R1K4 w Q - 0 1", D1 | B1 << 6 | KIND_CASTLING, false},
    {"3k4/8/8/8/8/8/8/1R1K4 w Q - 0 1", D1 | B1 << 6 | KIND_CASTLING,
     true}, // the rook lands where the king was
    // The pawn captured en passant may be the only blocker.
    {"6k1/8/8/3pP3/8/8/B7/4K3 w - d6 0 1", E5 | D6 << 6 | KIND_EN_PASSANT, true},
    {"8/8/8/R2pP2k/8/8/8/4K3 w - d6 0 1", E5 | D6 << 6 | KIND_EN_PASSANT, true}, // both pawns leave
    {"8/3P3k/8/8/8/8/8/4K3 w - - 0 1", D7 | D8 << 6 | KIND_PROMOTION | (QUEEN - KNIGHT) << 12,
     false},
    {"8/3P4/4k3/8/8/8/8/4K3 w - - 0 1", D7 | D8 << 6 | KIND_PROMOTION, true},
    {"3k4/3P4/8/8/8/8/8/4K2B w - - 0 1", H1 | C6 << 6, false}, // the own pawn is in the way
    {"k7/8/8/8/8/8/6N1/4K2B w - - 0 1", G2 | F4 << 6, true},   // discovered
    {"7k/8/5N2/8/3B4/8/8/K7 w - - 0 1", F6 | G8 << 6, true},
    {"8/8/8/8/R3P2k/8/8/4K3 w - - 0 1", E4 | E5 << 6, true},
    {"4k3/8/8/4P3/8/8/8/4RK2 w - - 0 1", E5 | E6 << 6, false},                // stays on the line
    {"8/2P1k3/8/8/8/8/8/4K3 w - - 0 1", C7 | C8 << 6 | KIND_PROMOTION, true}, // to a knight
};

START_TEST(special_moves_give_check_as_expected)
{
    const Position pos = pos_from_fen(CHECKS[_i].fen);
    ck_assert(gen_is_legal(&pos, CHECKS[_i].move));
    ck_assert_int_eq(pos_gives_check(&pos, CHECKS[_i].move), CHECKS[_i].gives_check);
    CheckSquares checks;
    pos_find_check_squares(&checks, &pos);
    ck_assert_int_eq(pos_gives_check_fast(&checks, &pos, CHECKS[_i].move), CHECKS[_i].gives_check);
}
END_TEST

START_TEST(attack_queries_agree_with_one_another)
{
    for (uint64_t seed = 0; seed < 60; seed++) {
        Walk walk;
        walk_start(&walk, 1000 + seed);
        while (walk.pos.fullmove < 60 && walk_step(&walk) != MOVE_NONE) {
            const Bitboard occupied = pos_occupied(&walk.pos);
            for (Color c = WHITE; c < COLOR_NB; c++) {
                const Bitboard attacked = pos_attacks_by(&walk.pos, c, occupied);
                for (Square s = 0; s < SQ_NB; s++) {
                    const Bitboard attackers = pos_attackers_to(&walk.pos, s, occupied);
                    const bool expected = (attackers & walk.pos.by_color[c]) != 0;
                    ck_assert_int_eq(bb_has(attacked, s), expected);
                    ck_assert_int_eq(pos_is_attacked(&walk.pos, s, c, occupied), expected);
                }
            }
        }
    }
}
END_TEST

/* Whether the pawn of `us` on `s` meets no pawn before it on its file, and no enemy pawn there or
 * on the next files. */
static bool is_passed(const Position *pos, Color us, Square s)
{
    for (Bitboard b = pos->by_type[PAWN]; b;) {
        const Square other = pop_lsb(&b);
        const int files = abs(file_of(other) - file_of(s));
        const bool is_ahead = relative_rank(us, other) > relative_rank(us, s);
        const int reach = bb_has(pos->by_color[us], other) ? 0 : 1;
        if (is_ahead && files <= reach)
            return false;
    }
    return true;
}

START_TEST(passed_pawns_have_no_pawn_in_their_way)
{
    int passed = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        Walk walk;
        walk_start(&walk, 3000 + seed);
        while (walk.pos.fullmove < 60 && walk_step(&walk) != MOVE_NONE)
            for (Color c = WHITE; c < COLOR_NB; c++) {
                const Bitboard found = pos_passed_pawns(&walk.pos, c);
                Bitboard expected = 0;
                for (Bitboard b = pos_pieces(&walk.pos, c, PAWN); b;) {
                    const Square s = pop_lsb(&b);
                    expected |= is_passed(&walk.pos, c, s) ? bb_of(s) : 0;
                }
                ck_assert_uint_eq(found, expected);
                passed += popcount(found);
            }
    }
    ck_assert_int_gt(passed, 1000);
}
END_TEST

START_TEST(pinned_are_the_pieces_whose_removal_opens_a_line_to_the_king)
{
    int pins = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        Walk walk;
        walk_start(&walk, 2000 + seed);
        while (walk.pos.fullmove < 60 && walk_step(&walk) != MOVE_NONE)
            for (Color c = WHITE; c < COLOR_NB; c++) {
                const Square king = pos_king(&walk.pos, c);
                const Bitboard occupied = pos_occupied(&walk.pos), enemy = walk.pos.by_color[!c];
                const Bitboard before = pos_attackers_to(&walk.pos, king, occupied) & enemy;
                Bitboard expected = 0;
                for (Bitboard b = walk.pos.by_color[c] & ~bb_of(king); b; b &= b - 1) {
                    const Bitboard without = occupied & ~(b & -b);
                    if ((pos_attackers_to(&walk.pos, king, without) & enemy) != before)
                        expected |= b & -b;
                }
                ck_assert_uint_eq(pos_pinned(&walk.pos, c), expected);
                pins += expected != 0;
            }
    }
    ck_assert_int_gt(pins, 100);
}
END_TEST

static const struct {
    const char *fen;
    bool insufficient;
} MATERIAL[] = {
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", true},     {"4k3/8/8/8/8/8/8/4KN2 w - - 0 1", true},
    {"4k1b1/8/8/8/8/8/8/4K3 w - - 0 1", true},   {"4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", false},
    {"4kn2/8/8/8/8/8/8/4KN2 w - - 0 1", false},  {"4kn2/8/8/8/8/8/8/4KB2 w - - 0 1", false},
    {"4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", true},  {"4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", false},
    {"4k3/8/8/8/8/4B3/8/2B1K3 w - - 0 1", true}, {"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false},
    {"4k3/8/8/8/8/8/8/4K2R w - - 0 1", false},   {"4k2q/8/8/8/8/8/8/4K3 w - - 0 1", false},
    {"4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", false},
};

START_TEST(insufficient_material_is_recognised)
{
    const Position pos = pos_from_fen(MATERIAL[_i].fen);
    ck_assert_int_eq(pos_insufficient_material(&pos), MATERIAL[_i].insufficient);
}
END_TEST

START_TEST(key_after_is_exact_for_plain_moves)
{
    int exact = 0, moves = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        Walk walk;
        walk_start(&walk, 3000 + seed);
        for (;;) {
            const Position before = walk.pos;
            const Move move = walk_step(&walk);
            if (move == MOVE_NONE || before.fullmove > 60)
                break;
            const bool plain = move_kind(move) == KIND_NORMAL && walk.pos.ep == SQ_NONE &&
                               before.castling == walk.pos.castling;
            const bool equal = pos_key_after(&before, move) == walk.pos.key;
            ck_assert(equal || !plain);
            exact += equal;
            moves++;
        }
    }
    ck_assert_int_gt(exact * 10, moves * 8);
}
END_TEST

START_TEST(flipping_twice_restores_the_position)
{
    for (uint64_t seed = 0; seed < 40; seed++) {
        Walk walk;
        walk_start(&walk, 4000 + seed);
        while (walk_step(&walk) != MOVE_NONE && walk.pos.fullmove < 60) {
            Position flipped, again;
            pos_flip(&flipped, &walk.pos);
            pos_flip(&again, &flipped);
            ck_assert_ptr_null(pos_check(&flipped));
            ck_assert_int_eq(flipped.side, !walk.pos.side);
            ck_assert_int_eq(gen_count(&flipped), gen_count(&walk.pos));
            ck_assert_uint_ne(flipped.key, walk.pos.key);
            ck_assert_uint_eq(again.key, walk.pos.key);
            ck_assert_mem_eq(again.board, walk.pos.board, sizeof again.board);
            ck_assert_int_eq(again.castling, walk.pos.castling);
            ck_assert_int_eq(again.ep, walk.pos.ep);
            ck_assert_int_eq(again.rule50, walk.pos.rule50);
            ck_assert_int_eq(again.reversible, walk.pos.reversible);
        }
    }
}
END_TEST

static const struct {
    const char *fen, *flipped;
} FLIPS[] = {
    {FEN_START, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"},
    {"4k3/8/8/8/3pP3/8/8/R3K3 b Q e3 0 9", "r3k3/8/8/3Pp3/8/8/8/4K3 w q e6 0 9"},
    {"8/8/8/8/8/5k2/6q1/7K w - - 12 70", "7k/6Q1/5K2/8/8/8/8/8 b - - 12 70"},
};

START_TEST(flipping_exchanges_the_colours)
{
    Position pos = pos_from_fen(FLIPS[_i].fen), flipped;
    char fen[FEN_MAX];
    pos_flip(&flipped, &pos);
    fen_print(&flipped, false, fen);
    ck_assert_str_eq(fen, FLIPS[_i].flipped);
    const Position expected = pos_from_fen(FLIPS[_i].flipped);
    ck_assert_mem_eq(flipped.castling_rook, expected.castling_rook, sizeof expected.castling_rook);
}
END_TEST

static const struct {
    const char *fen;
    bool needs;
} CASTLINGS[] = {
    {FEN_START, false},
    {"r3k2r/8/8/8/8/8/8/1R1K2R1 w kq - 0 1", false}, // lost rights do not matter
    {"r3k2r/8/8/8/8/8/8/R4K1R w HAkq - 0 1", true},
    {"r3k2r/8/8/8/8/8/8/RR2K2R w KBkq - 0 1", true},
    {"r3k2r/8/8/8/8/8/8/RR2K2R w KQkq - 0 1", false},
    {"r3k1r1/8/8/8/8/8/8/R3K2R w KQgq - 0 1", true},
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", false},
};

START_TEST(chess960_is_needed_for_castling_from_other_squares)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert(fen_parse(&pos, CASTLINGS[_i].fen, true, error));
    ck_assert_int_eq(pos_needs_chess960(&pos), CASTLINGS[_i].needs);
}
END_TEST

Suite *suite_position(void);
Suite *suite_position(void)
{
    Suite *suite = suite_create("position");
    TCase *tc = tcase_create("position");
    tcase_set_timeout(tc, 20);
    tcase_add_loop_test(tc, pos_check_names_every_fault, 0, sizeof BREAKERS / sizeof BREAKERS[0]);
    tcase_add_loop_test(tc, en_passant_exists_only_after_a_possible_double_step, 0,
                        sizeof EN_PASSANT / sizeof EN_PASSANT[0]);
    tcase_add_loop_test(tc, a_captured_piece_has_a_type_and_castling_captures_nothing, 0,
                        sizeof CAPTURES / sizeof CAPTURES[0]);
    tcase_add_test(tc, en_passant_does_not_answer_a_check_of_a_knight);
    tcase_add_test(tc, en_passant_does_not_answer_a_check_of_another_pawn);
    tcase_add_test(tc, putting_a_piece_twice_changes_nothing);
    tcase_add_test(tc, gives_check_equals_playing_the_move);
    tcase_add_loop_test(tc, special_moves_give_check_as_expected, 0,
                        sizeof CHECKS / sizeof CHECKS[0]);
    tcase_add_test(tc, attack_queries_agree_with_one_another);
    tcase_add_test(tc, passed_pawns_have_no_pawn_in_their_way);
    tcase_add_test(tc, pinned_are_the_pieces_whose_removal_opens_a_line_to_the_king);
    tcase_add_loop_test(tc, insufficient_material_is_recognised, 0,
                        sizeof MATERIAL / sizeof MATERIAL[0]);
    tcase_add_test(tc, key_after_is_exact_for_plain_moves);
    tcase_add_test(tc, flipping_twice_restores_the_position);
    tcase_add_loop_test(tc, flipping_exchanges_the_colours, 0, sizeof FLIPS / sizeof FLIPS[0]);
    tcase_add_loop_test(tc, chess960_is_needed_for_castling_from_other_squares, 0,
                        sizeof CASTLINGS / sizeof CASTLINGS[0]);
    suite_add_tcase(suite, tc);
    return suite;
}
