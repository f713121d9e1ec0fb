// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>
#include <string.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
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
    ck_assert_int_eq(move_from_uci(&pos, CASES[_i].move, true) != MOVE_NONE, CASES[_i].legal);
}
END_TEST

static const struct {
    const char *fen;
    int count;
} COUNTS[] = {
    {FEN_START, 20},
    {"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
     218}, // Petrovic 1964: the largest known number
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
    suite_add_tcase(suite, tc);
    return suite;
}
