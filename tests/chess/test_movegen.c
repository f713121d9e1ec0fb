// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>
#include <string.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/perft.h"
#include "chess/pos_from_fen.h"
#include "chess/random_game.h"

/* A set of moves: one flag for each 16-bit value. */
typedef struct {
    bool has[1 << 16];
} MoveSet;

static void set_fill(MoveSet *set, const Move *moves, int count)
{
    memset(set, 0, sizeof *set);
    for (int i = 0; i < count; i++) {
        ck_assert_msg(!set->has[moves[i]], "a move is generated twice");
        set->has[moves[i]] = true;
    }
}

static void check_generators_agree(const Position *pos)
{
    Move legal[MAX_MOVES], split[2 * MAX_MOVES];
    const int count = gen_legal(pos, legal);
    const int noisy = gen_noisy(pos, split), quiet = gen_quiet(pos, split + noisy);
    ck_assert_int_eq(noisy + quiet, count);
    ck_assert_int_eq(gen_count(pos), count);
    ck_assert_int_eq(gen_any(pos), count != 0);
    for (int i = 0; i < noisy + quiet; i++)
        ck_assert_int_eq(pos_is_noisy(pos, split[i]), i < noisy);
    MoveSet set;
    set_fill(&set, split, noisy + quiet);
    for (int i = 0; i < count; i++)
        ck_assert(set.has[legal[i]] && gen_is_legal(pos, legal[i]));
}

static void check_every_value(const Position *pos)
{
    Move legal[MAX_MOVES];
    MoveSet set;
    set_fill(&set, legal, gen_legal(pos, legal));
    for (int value = 0; value < 1 << 16; value++)
        if (gen_is_legal(pos, (Move)value) != set.has[value])
            ck_abort_msg("move %04x", (unsigned)value);
    ck_assert(!gen_is_legal(pos, MOVE_NONE) && !gen_is_legal(pos, MOVE_NULL));
}

START_TEST(noisy_and_quiet_moves_are_the_legal_moves)
{
    for (uint64_t seed = 0; seed < 150; seed++) {
        Walk walk;
        walk_start(&walk, 7000 + seed);
        for (int ply = 0; ply < 120; ply++) {
            check_generators_agree(&walk.pos);
            if (walk_step(&walk) == MOVE_NONE)
                break;
        }
    }
}
END_TEST

START_TEST(is_legal_equals_membership_for_every_16_bit_value)
{
    for (uint64_t seed = 0; seed < 120; seed++) {
        Walk walk;
        walk_start(&walk, 9000 + seed);
        for (int ply = 0; ply < 60; ply++) {
            if (ply % 6 == 0 || pos_in_check(&walk.pos) || walk.pos.ep != SQ_NONE)
                check_every_value(&walk.pos);
            if (walk_step(&walk) == MOVE_NONE)
                break;
        }
    }
}
END_TEST

START_TEST(a_list_contains_only_its_own_moves)
{
    Move legal[MAX_MOVES];
    const Position pos = pos_from_fen(FEN_START);
    const int count = gen_legal(&pos, legal);
    for (int i = 0; i < count; i++) {
        ck_assert(moves_contain(legal, count, legal[i]));
        ck_assert(!moves_contain(legal, i, legal[i]));
    }
    ck_assert(!moves_contain(legal, count, MOVE_NONE));
}
END_TEST

static const struct {
    const char *fen, *move;
    bool legal;
} CASES[] = {
    // En passant.
    {"8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", "e5d6", false}, // both pawns leave the king's rank
    {"8/8/8/3pP3/8/8/8/K3k3 w - d6 0 1", "e5d6", true},
    {"4r3/8/8/3pP3/8/8/8/k3K3 w - d6 0 1", "e5d6", false}, // pinned on the file
    {"8/8/8/3pP3/4K3/8/8/4k3 w - d6 0 1", "e5d6", true},   // takes the pawn that checks
    {"7b/8/8/3pP3/3K4/8/8/4k3 w - d6 0 1", "e5d6", false}, // pinned on the diagonal
    {"3r4/8/8/3pP3/8/8/8/k2K4 w - d6 0 1", "e5d6", true},
    {"b7/8/8/3pP3/8/8/8/k6K w - d6 0 1", "e5d6", false}, // the captured pawn shielded the king
    // Castling: through, into and out of check, and past an attacked rook.
    {"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1h1", true},
    {"4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1h1", false},
    {"4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1h1", false},
    {"3kr3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1h1", false},
    {"1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1a1", true},
    {"4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "e1a1", false},
    {"4k3/8/8/8/8/8/8/R3K2R w K - 0 1", "e1a1", false},
    // Chess960: a rook that shields the king's target, or is merely attacked; king or rook on its
    // target.
    {"4k3/8/8/8/8/8/8/r1R1K3 w C - 0 1", "e1c1", false},
    {"4k3/8/8/8/8/8/8/rR1K4 w B - 0 1", "d1b1", false},
    {"4k3/8/8/8/8/8/8/1RK4r w - - 0 1", "c1b1", false},
    {"4k3/8/8/8/8/8/8/1RK5 w B - 0 1", "c1b1", true},
    {"4k3/8/8/8/8/8/8/1RKN4 w B - 0 1", "c1b1", false},
    {"4k3/8/8/8/8/8/8/5RK1 w F - 0 1", "g1f1", true}, // long castling from g1
    {"4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", true},
    {"4k3/8/8/8/8/8/8/5KRr w G - 0 1", "f1g1", false},
    // Kings do not retreat along the line of a check and do not capture defended pieces.
    {"4r2k/8/8/8/8/4K3/8/8 w - - 0 1", "e3e2", false},
    {"4r2k/8/8/8/8/4K3/8/8 w - - 0 1", "e3d2", true},
    {"7k/8/8/8/3r4/4q3/4K3/8 w - - 0 1", "e2e3", true},
    {"7k/8/8/8/8/3r4/4q3/4K3 w - - 0 1", "e1e2", true},
    {"7k/8/8/7b/8/8/4q3/4K3 w - - 0 1", "e1e2", false},
    // Pins and double checks.
    {"4r2k/8/8/8/8/4B3/8/4K3 w - - 0 1", "e3d2", false},
    {"4r2k/8/8/8/8/4R3/8/4K3 w - - 0 1", "e3e8", true},
    {"4r2k/8/8/8/8/5n2/6P1/4K3 w - - 0 1", "g2f3", false},
    {"7k/8/8/8/8/6b1/5P2/4K3 w - - 0 1", "f2g3", true},
    {"7k/8/8/8/8/6b1/5P2/4K3 w - - 0 1", "f2f3", false},
};

START_TEST(hard_cases_of_legality_are_recognised)
{
    const Position pos = pos_from_fen(CASES[_i].fen);
    check_generators_agree(&pos);
    check_every_value(&pos);
    ck_assert_int_eq(move_from_uci(&pos, CASES[_i].move) != MOVE_NONE, CASES[_i].legal);
}
END_TEST

static const struct {
    const char *fen;
    int count;
} COUNTS[] = {
    {FEN_START, 20},
    {"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
     218}, // Petrovic 1964: the largest known number of a game
    {"Q4Q1K/2Q4Q/4Q3/1Q4Q1/3Q4/Q4Q2/ppQ4Q/knQ1QQ2 w - - 0 1", 241},
    {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0},
    {"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 0},
    {"8/P7/8/8/8/8/8/k6K w - - 0 1", 7},
};

START_TEST(move_counts_are_right)
{
    const Position pos = pos_from_fen(COUNTS[_i].fen);
    ck_assert_int_eq(gen_count(&pos), COUNTS[_i].count);
    check_generators_agree(&pos);
}
END_TEST

/* The slow model: a plain board, men that walk square by square, and a look at the king after every
 * move. Without castling and en passant. */
typedef struct {
    uint8_t board[SQ_NB]; // as in Position
} SlowBoard;

/* Squares that the man on `from` can move to; a king may also leave itself in check. */
static Bitboard slow_targets(const SlowBoard *slow, Square from)
{
    /* Straight, diagonal, and knight's steps: files, ranks. */
    static const int STEPS[16][2] = {{1, 0},   {0, 1},   {-1, 0}, {0, -1}, {1, 1},  {-1, 1},
                                     {-1, -1}, {1, -1},  {1, 2},  {2, 1},  {2, -1}, {1, -2},
                                     {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    static const int FIRST[PIECE_TYPE_NB] = {0, 8, 4, 0, 0, 0};
    static const int END[PIECE_TYPE_NB] = {8, 16, 8, 4, 8, 8};
    const Color us = piece_color(slow->board[from]);
    const PieceType type = piece_type(slow->board[from]);
    Bitboard targets = 0;
    for (int i = FIRST[type]; i < END[type]; i++) {
        const int x = STEPS[i][0], y = STEPS[i][1];
        const bool is_home = rank_of(from) == (us == WHITE ? 1 : 6);
        int reach = type == KNIGHT || type == KING ? 1 : 7;
        if (type == PAWN)
            reach = y != (us == WHITE ? 1 : -1) ? 0 : x == 0 && is_home ? 2 : 1;
        for (int n = 1; n <= reach; n++) {
            const int file = file_of(from) + n * x, rank = rank_of(from) + n * y;
            if (file < 0 || file > 7 || rank < 0 || rank > 7)
                break;
            const Piece found = slow->board[square_make(file, rank)];
            const bool goes = found == NO_PIECE && (type != PAWN || x == 0);
            const bool takes =
                found != NO_PIECE && piece_color(found) != us && (type != PAWN || x != 0);
            if (goes || takes)
                targets |= bb_of(square_make(file, rank));
            if (found != NO_PIECE)
                break;
        }
    }
    return targets;
}

static bool slow_can_take_king(const SlowBoard *slow, Color us)
{
    for (Square from = A1; from <= H8; from++) {
        if (slow->board[from] == NO_PIECE || piece_color(slow->board[from]) != us)
            continue;
        for (Bitboard targets = slow_targets(slow, from); targets;)
            if (slow->board[pop_lsb(&targets)] == piece_make(!us, KING))
                return true;
    }
    return false;
}

static uint64_t slow_perft(const SlowBoard *slow, Color us, int depth)
{
    uint64_t leaves = 0;
    if (depth == 0)
        return 1;
    for (Square from = A1; from <= H8; from++) {
        const Piece piece = slow->board[from];
        if (piece == NO_PIECE || piece_color(piece) != us)
            continue;
        for (Bitboard targets = slow_targets(slow, from); targets;) {
            const Square to = pop_lsb(&targets);
            const bool is_last = rank_of(to) == 0 || rank_of(to) == 7;
            const bool is_promotion = piece_type(piece) == PAWN && is_last;
            SlowBoard after = *slow;
            after.board[from] = NO_PIECE;
            for (int i = 0; i < (is_promotion ? 4 : 1); i++) {
                after.board[to] = (uint8_t)(is_promotion ? piece_make(us, KNIGHT + i) : piece);
                if (!slow_can_take_king(&after, !us))
                    leaves += slow_perft(&after, !us, depth - 1);
            }
        }
    }
    return leaves;
}

/* Positions with more men of a kind than a game can have. Nobody can castle; in two plies nobody
 * can capture en passant. */
static const char *const CROWDED[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/QQQQKQQQ w - - 0 1",
    "nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/1Q1QK1Q1 w - - 0 1",
    "qqqqqqqk/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQQQQK w - - 0 1",
    "q1q1q1qk/1q1q1q1q/q1q1q1q1/8/8/1Q1Q1Q1Q/Q1Q1Q1Q1/KQ1Q1Q1Q w - - 0 1",
    "Q4Q1K/2Q4Q/4Q3/1Q4Q1/3Q4/Q4Q2/ppQ4Q/knQ1QQ2 w - - 0 1",
    "1r1n1b1q/PPPPPPPP/8/8/QQQQQQQ1/8/6pp/K6k w - - 0 1",
    "nnnnnnnk/nnnnnnnn/8/8/8/8/BBBBBBBB/KBBBBBBB w - - 0 1",
    "rrrrkrrr/rrrrrrrr/8/8/8/8/BBBBNNNN/QQQQKRRR w - - 0 1",
};

START_TEST(fifteen_queens_have_the_moves_of_a_slow_model)
{
    const Position given = pos_from_fen(CROWDED[_i]);
    Position flipped;
    pos_flip(&flipped, &given);
    const Position *const both[] = {&given, &flipped};
    for (int i = 0; i < 2; i++) {
        SlowBoard slow;
        memcpy(slow.board, both[i]->board, sizeof slow.board);
        ck_assert_int_eq(both[i]->castling, 0);
        check_generators_agree(both[i]);
        check_every_value(both[i]);
        ck_assert_int_le(gen_count(both[i]), LEGAL_MOVES_MAX);
        for (int depth = 1; depth <= 2; depth++)
            ck_assert_uint_eq(perft(both[i], depth), slow_perft(&slow, both[i]->side, depth));
    }
}
END_TEST

Suite *suite_movegen(void);
Suite *suite_movegen(void)
{
    Suite *suite = suite_create("movegen");
    TCase *tc = tcase_create("movegen");
    tcase_set_timeout(tc, 30);
    tcase_add_test(tc, noisy_and_quiet_moves_are_the_legal_moves);
    tcase_add_test(tc, is_legal_equals_membership_for_every_16_bit_value);
    tcase_add_test(tc, a_list_contains_only_its_own_moves);
    tcase_add_loop_test(tc, hard_cases_of_legality_are_recognised, 0,
                        sizeof CASES / sizeof CASES[0]);
    tcase_add_loop_test(tc, move_counts_are_right, 0, sizeof COUNTS / sizeof COUNTS[0]);
    tcase_add_loop_test(tc, fifteen_queens_have_the_moves_of_a_slow_model, 0,
                        sizeof CROWDED / sizeof CROWDED[0]);
    suite_add_tcase(suite, tc);
    return suite;
}
