// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/play.h"
#include "chess/pos_from_fen.h"
#include "chess/random_game.h"

/* Plays moves in coordinates, castling as king takes rook, separated by blanks. */
static Position play(const char *fen, const char *moves)
{
    Position pos = pos_from_fen(fen);
    while (*moves) {
        const size_t length = strcspn(moves, " ");
        char text[MOVE_TEXT_MAX] = {0};
        memcpy(text, moves, length);
        const Move move = move_from_uci(&pos, text);
        ck_assert_msg(move != MOVE_NONE, "%s is not legal", text);
        pos_advance(&pos, move);
        moves += length + strspn(moves + length, " ");
    }
    ck_assert_ptr_null(pos_check(&pos));
    return pos;
}

/* Counts of the moves seen, to detect walks that prove little. */
typedef struct {
    int all, castling, ep, promotion;
} Seen;

/* Plays every legal move of a position and verifies the result. */
static void check_successors(const Position *pos, Seen *seen)
{
    Move moves[MAX_MOVES];
    const int count = gen_legal(pos, moves);
    for (int i = 0; i < count; i++) {
        Position after;
        pos_play(&after, pos, moves[i]);
        const char *error = pos_check(&after);
        ck_assert_msg(error == NULL, "move %04x: %s", moves[i], error);
        seen->castling += move_kind(moves[i]) == KIND_CASTLING;
        seen->ep += move_kind(moves[i]) == KIND_EN_PASSANT;
        seen->promotion += move_kind(moves[i]) == KIND_PROMOTION;
    }
    seen->all += count;
}

START_TEST(random_games_stay_consistent)
{
    Seen seen = {0};
    for (uint64_t seed = 0; seed < 150; seed++) {
        Walk walk;
        walk_start(&walk, 5000 + seed);
        for (int ply = 0; ply < 150; ply++) {
            check_successors(&walk.pos, &seen);
            if (walk_step(&walk) == MOVE_NONE)
                break;
        }
    }
    ck_assert_int_gt(seen.all, 100000);
    ck_assert_int_gt(seen.castling, 100);
    ck_assert_int_gt(seen.ep, 15);
    ck_assert_int_gt(seen.promotion, 1000);
}
END_TEST

/* An en passant square is set exactly when the generator, given the square, finds a capture on it.
 */
START_TEST(ep_square_is_set_only_for_legal_captures)
{
    int jumps = 0;
    for (uint64_t seed = 0; seed < 150; seed++) {
        Walk walk;
        walk_start(&walk, 6000 + seed);
        for (Move move = walk_step(&walk); move != MOVE_NONE && walk.pos.fullmove < 60;
             move = walk_step(&walk)) {
            const Square from = move_from(move), to = move_to(move);
            if (piece_type(walk.pos.board[to]) != PAWN || (from ^ to) != 16)
                continue;
            Position given = walk.pos;
            given.ep = (uint8_t)((from + to) / 2);
            Move moves[MAX_MOVES];
            bool is_possible = false;
            for (int i = gen_noisy(&given, moves) - 1; i >= 0; i--)
                is_possible |= move_kind(moves[i]) == KIND_EN_PASSANT;
            ck_assert_int_eq(walk.pos.ep != SQ_NONE, is_possible);
            jumps++;
        }
    }
    ck_assert_int_gt(jumps, 200);
}
END_TEST

static const struct {
    const char *before, *moves, *after; // the latter in Shredder-FEN
} LINES[] = {
    {FEN_START, "e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b HAha - 0 1"},
    {FEN_START, "g1f3 b8c6", "r1bqkbnr/pppppppp/2n5/8/8/5N2/PPPPPPPP/RNBQKB1R w HAha - 2 2"},
    {FEN_START, "e2e4 a7a6 e4e5 d7d5",
     "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w HAha d6 0 3"},
    {FEN_START, "e2e4 a7a6 e4e5 d7d5 e5d6",
     "rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR b HAha - 0 3"},
    {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9", "e1h1", "r3k2r/8/8/8/8/8/8/R4RK1 b ha - 4 9"},
    {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1a1 e8h8", "r4rk1/8/8/8/8/8/8/2KR3R w - - 2 2"},
    {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1a8", "R3k2r/8/8/8/8/8/8/4K2R b Hh - 0 1"},
    {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1e2", "r3k2r/8/8/8/8/8/4K3/R6R b ha - 1 1"},
    {"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "h8g8", "r3k1r1/8/8/8/8/8/8/R3K2R w HAa - 1 2"},
    {"r3k3/1P6/8/8/8/8/8/4K3 w q - 5 1", "b7a8q", "Q3k3/8/8/8/8/8/8/4K3 b - - 0 1"},
    {"8/P3k3/8/8/8/8/8/4K3 w - - 5 1", "a7a8n", "N7/4k3/8/8/8/8/8/4K3 b - - 0 1"},
    // Chess960: king and rook change places, or only one of them moves.
    {"4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"},
    {"4k3/8/8/8/8/8/8/2KR4 w D - 0 1", "", "4k3/8/8/8/8/8/8/2KR4 w D - 0 1"},
    {"4k3/8/8/8/8/8/8/1RK5 w B - 0 1", "c1b1", "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"},
    {"4k3/8/8/8/8/8/8/5R1K w - - 0 1", "h1g1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"},
    {"r1k3r1/8/8/8/8/8/8/RK5R b HAga - 0 1", "c8g8", "r4rk1/8/8/8/8/8/8/RK5R w HA - 1 2"},
};

START_TEST(moves_lead_to_the_expected_positions)
{
    const Position pos = play(LINES[_i].before, LINES[_i].moves);
    char fen[FEN_MAX];
    fen_print(&pos, true, fen);
    ck_assert_str_eq(fen, LINES[_i].after);
}
END_TEST

START_TEST(transpositions_have_equal_keys)
{
    const Position a = play(FEN_START, "e2e4 e7e5 g1f3 b8c6"),
                   b = play(FEN_START, "g1f3 b8c6 e2e4 e7e5");
    ck_assert_uint_eq(a.key, b.key);
    ck_assert_uint_eq(a.pawn_key, b.pawn_key);
    ck_assert_uint_eq(a.minor_key, b.minor_key);
    const Position c = play(FEN_START, "g1f3 g8f6 f3g1 f6g8"), start = pos_from_fen(FEN_START);
    ck_assert_uint_eq(c.key, start.key);
}
END_TEST

START_TEST(the_key_depends_on_side_castling_rights_and_en_passant)
{
    const Position start = pos_from_fen("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 1");
    ck_assert_uint_ne(start.key, pos_from_fen("r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 1").key);
    ck_assert_uint_ne(start.key, pos_from_fen("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQk - 0 1").key);
    ck_assert_uint_ne(start.key, pos_from_fen("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1").key);
    // Chess960: of two rooks on the same side of the king, only one may castle.
    const char *const two_rooks = "2rkr3/2p1p3/8/8/8/8/8/RRK5 w %s - 0 1";
    char outer[FEN_MAX], inner[FEN_MAX];
    snprintf(outer, sizeof outer, two_rooks, "A");
    snprintf(inner, sizeof inner, two_rooks, "B");
    ck_assert_uint_ne(pos_from_fen(outer).key, pos_from_fen(inner).key);
    const char *const without = "2rkr3/2p1p3/8/8/8/8/8/RR1K4 b - - 1 1";
    ck_assert_uint_eq(play(outer, "c1d1").key, pos_from_fen(without).key);
    ck_assert_uint_eq(play(inner, "c1d1").key, pos_from_fen(without).key);
    // Not by an en passant square that no legal capture can use.
    ck_assert_uint_eq(
        play(FEN_START, "e2e4").key,
        pos_from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").key);
    const Position pinned = play("4k3/2p5/8/KP5r/8/8/8/8 b - - 0 1", "c7c5");
    ck_assert_int_eq(pinned.ep, SQ_NONE);
}
END_TEST

/* Hash files and learned positions contain keys: other keys would make old files worthless. */
START_TEST(the_keys_are_those_of_the_files)
{
    static const struct {
        const char *fen;
        Key key;
    } KEYS[] = {
        {FEN_START, 0xc6dfde31271853bd},
        {"r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1", 0x11f643ee2a26f1c8},
        {"2rkr3/2p1p3/8/8/8/8/8/RRK5 b Bce - 0 1",
         0xe0b644a30647bf2b}, // Chess960, with an inner rook
    };
    for (int i = 0; i < 3; i++)
        ck_assert_uint_eq(pos_from_fen(KEYS[i].fen).key, KEYS[i].key);
}
END_TEST

START_TEST(clocks_saturate)
{
    Position pos = pos_from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 254 65535"), after;
    pos_play(&after, &pos, move_make(A1, A2, KIND_NORMAL));
    ck_assert_int_eq(after.rule50, 255);
    pos_play(&pos, &after, move_make(E8, E7, KIND_NORMAL));
    ck_assert_int_eq(pos.rule50, 255);
    ck_assert_int_eq(pos.fullmove, 65535);
}
END_TEST

START_TEST(null_moves_pass_the_turn_and_nothing_else)
{
    const Position pos = play(FEN_START, "e2e4 a7a6 e4e5 d7d5");
    Position after, back;
    pos_play_null(&after, &pos);
    ck_assert_ptr_null(pos_check(&after));
    ck_assert_int_eq(after.side, BLACK);
    ck_assert_int_eq(after.ep, SQ_NONE);
    ck_assert_uint_eq(after.key, pos_key_after(&pos, MOVE_NULL));
    ck_assert_int_eq(after.rule50, pos.rule50 + 1);
    ck_assert_int_eq(after.reversible, 0);
    ck_assert_mem_eq(after.board, pos.board, sizeof pos.board);
    pos_play_null(&back, &after);
    ck_assert_uint_ne(back.key, pos.key); // the en passant capture is gone
    ck_assert_int_eq(back.fullmove, pos.fullmove + 1);
}
END_TEST

Suite *suite_play(void);
Suite *suite_play(void)
{
    Suite *suite = suite_create("play");
    TCase *tc = tcase_create("play");
    tcase_set_timeout(tc, 20);
    tcase_add_test(tc, random_games_stay_consistent);
    tcase_add_test(tc, ep_square_is_set_only_for_legal_captures);
    tcase_add_loop_test(tc, moves_lead_to_the_expected_positions, 0,
                        sizeof LINES / sizeof LINES[0]);
    tcase_add_test(tc, transpositions_have_equal_keys);
    tcase_add_test(tc, the_key_depends_on_side_castling_rights_and_en_passant);
    tcase_add_test(tc, the_keys_are_those_of_the_files);
    tcase_add_test(tc, clocks_saturate);
    tcase_add_test(tc, null_moves_pass_the_turn_and_nothing_else);
    suite_add_tcase(suite, tc);
    return suite;
}
