// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>
#include <stdlib.h>

#include "chess/epd.h"
#include "chess/fen.h"
#include "chess/pos_from_fen.h"
#include "chess/random_game.h"
#include "eval/bootstrap.h"
#include "shared_data.h"

static Score value(const char *fen)
{
    const Position pos = pos_from_fen(fen);
    return bootstrap_eval(&pos);
}

/* The same board with every square turned by `flip` (56: upside down, 7: left to right), colours
 * exchanged for 56. */
static Position turned(const Position *pos, int flip)
{
    Position out = {.side = pos->side, .ep = SQ_NONE, .fullmove = 1};
    const int colors = flip == 56 ? 1 : 0;
    for (Square s = A1; s <= H8; s++)
        out.board[s] = NO_PIECE;
    for (Square s = A1; s <= H8; s++)
        if (pos->board[s] != NO_PIECE)
            pos_put(&out, pos->board[s] ^ colors, s ^ flip);
    for (int right = 0; right < 4; right++)
        out.castling_rook[right] = SQ_NONE;
    out.side ^= colors;
    if (colors) {
        out.castling = (uint8_t)((pos->castling & 3) << 2 | pos->castling >> 2);
        for (int right = 0; right < 4; right++)
            if (pos->castling_rook[right] != SQ_NONE)
                out.castling_rook[right ^ 2] = pos->castling_rook[right] ^ 56;
    }
    pos_refresh(&out);
    return out;
}

static void expect_symmetry(const Position *pos)
{
    char fen[FEN_MAX];
    fen_print(pos, true, fen);
    const Score plain = bootstrap_eval(pos);
    const Position colors = turned(pos, 56);
    ck_assert_msg(bootstrap_eval(&colors) == plain, "%s: %d, colours exchanged %d", fen, plain,
                  bootstrap_eval(&colors));
    if (!pos->castling) {
        const Position sides = turned(pos, 7);
        ck_assert_msg(bootstrap_eval(&sides) == plain, "%s: %d, left to right %d", fen, plain,
                      bootstrap_eval(&sides));
    }
    ck_assert_int_le(abs(plain), SCORE_EVAL_MAX);
}

START_TEST(mirrored_positions_have_the_same_value)
{
    const char *fens[] = {
        FEN_START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQ - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/8/8/3k4/8/8/8/KBN5 w - - 0 1",
        "8/8/8/3k4/8/8/8/KBN5 b - - 0 1",
        "7k/8/8/P7/8/8/8/K7 b - - 0 1",
        "k7/8/P7/K7/3B4/8/8/8 w - - 0 1",
        "QQQQ4/QQQQQ3/8/8/8/8/6k1/3K4 b - - 0 1",
        "8/8/8/3k4/8/3K4/8/8 b - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/QQQQKQQQ w - - 0 1",
        "QQQQQQQQ/QQQQQQQ1/8/8/8/8/6k1/3K4 b - - 0 1",
        "qqqqqqqk/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQQQQK w - - 0 1",
        "4k3/pppppppp/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1",
    };
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        const Position pos = pos_from_fen(fens[i]);
        expect_symmetry(&pos);
    }
}
END_TEST

START_TEST(mirrored_random_games_have_the_same_values)
{
    for (uint64_t seed = 1; seed <= 200; seed++) {
        Walk walk;
        walk_start(&walk, seed);
        expect_symmetry(&walk.pos);
        for (int ply = 0; ply < 100 && walk_step(&walk) != MOVE_NONE; ply++)
            expect_symmetry(&walk.pos);
    }
}
END_TEST

START_TEST(mirrored_middlegames_have_the_same_values)
{
    FILE *file = shared_open("middlegames-500.epd");
    if (file == NULL)
        return;
    static EpdRecord record;
    char error[FEN_ERROR_MAX];
    int64_t sum = 0;
    int count = 0;
    for (; epd_next(file, &record, false, error) == 1; count++) {
        expect_symmetry(&record.pos);
        sum += abs(bootstrap_eval(&record.pos));
    }
    fclose(file);
    ck_assert_int_eq(count, 500);
    ck_assert_int_lt(sum / count, 300); // these are balanced
}
END_TEST

START_TEST(more_material_is_better)
{
    const char *fens[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", // White is missing a pawn,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR b KQkq - 0 1", // a knight,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR b Kkq - 0 1",  // a rook,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1", // the queen
    };
    Score last = value(FEN_START);
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        const Score score = value(fens[i]);
        ck_assert_msg(score > last + 60, "%s: %d after %d", fens[i], score, last);
        last = score;
    }
}
END_TEST

START_TEST(the_start_position_is_balanced_except_for_the_move)
{
    const Score score = value(FEN_START);
    ck_assert_int_gt(score, 0);
    ck_assert_int_lt(score, 60);
}
END_TEST

START_TEST(positions_that_cannot_be_won_have_small_values)
{
    const struct {
        const char *fen;
        Score most;
    } rows[] = {
        {"4k3/8/8/8/8/8/8/4KN2 w - - 0 1", 0},
        {"4k3/8/8/8/8/8/8/4KB2 b - - 0 1", 0},
        {"4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", 0},
        {"4k3/8/8/8/8/8/8/2B1K1B1 w - - 0 1", 0},     // two bishops of one colour
        {"4k3/5b2/8/8/8/8/3R4/4K3 w - - 0 1", 120},   // rook against bishop
        {"4k3/4r3/8/8/8/8/2N1R3/4K3 w - - 0 1", 120}, // rook and knight against rook
        {"k7/8/8/P7/8/8/3B4/3K4 w - - 0 1", 0},       // the wrong bishop
        {"k7/8/8/P7/8/8/8/3K4 w - - 0 1", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(abs(value(rows[i].fen)) <= rows[i].most, "%s: %d", rows[i].fen,
                      value(rows[i].fen));
    ck_assert_int_gt(value("k7/8/8/P7/8/8/2B5/3K4 w - - 0 1"), 500); // the right one
}
END_TEST

START_TEST(opposite_bishops_are_drawish)
{
    const Score same = value("4k3/3b4/8/8/8/3B4/PP6/4K3 w - - 0 1");
    const Score opposite = value("4k3/2b5/8/8/8/3B4/PP6/4K3 w - - 0 1");
    ck_assert_int_gt(opposite, 0);
    ck_assert_int_lt(opposite, same * 2 / 3);
}
END_TEST

START_TEST(a_lone_king_is_driven_to_the_edge)
{
    const char *pieces[] = {"7R", "7Q", "6BB"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        char middle[FEN_MAX], side[FEN_MAX], corner[FEN_MAX];
        snprintf(middle, sizeof middle, "8/8/8/3k4/8/2K5/8/%s b - - 0 1", pieces[i]);
        snprintf(side, sizeof side, "8/3k4/8/3K4/8/8/8/%s b - - 0 1", pieces[i]);
        snprintf(corner, sizeof corner, "k7/8/1K6/8/8/8/8/%s b - - 0 1", pieces[i]);
        ck_assert_int_gt(value(middle), value(side));
        ck_assert_int_gt(value(side), value(corner));
        ck_assert_int_lt(value(middle), -1000);
    }
    ck_assert_int_lt(value("8/8/8/3k4/8/2K5/8/7R b - - 0 1"), // the kings come close
                     value("8/8/8/3k4/8/8/8/K6R b - - 0 1"));
}
END_TEST

START_TEST(bishop_and_knight_drive_to_the_bishops_corner)
{
    /* The bishop on c3 runs on dark squares: a1 and h8 are the corners to reach. */
    const Score right = value("7k/5K2/8/8/3N4/2B5/8/8 b - - 0 1");
    const Score wrong = value("k7/2K5/8/8/3N4/2B5/8/8 b - - 0 1");
    const Score edge = value("4k3/8/4K3/8/3N4/2B5/8/8 b - - 0 1");
    ck_assert_int_lt(right, edge);
    ck_assert_int_lt(edge, wrong);
}
END_TEST

START_TEST(passed_pawns_gain_by_advancing)
{
    const char *fens[] = {
        "4k3/7p/8/3n4/3N4/P7/7P/4K3 w - - 0 1", "4k3/7p/8/3n4/P2N4/8/7P/4K3 w - - 0 1",
        "4k3/7p/8/P2n4/3N4/8/7P/4K3 w - - 0 1", "4k3/7p/P7/3n4/3N4/8/7P/4K3 w - - 0 1",
        "4k3/P6p/8/3n4/3N4/8/7P/4K3 w - - 0 1",
    };
    for (size_t i = 1; i < sizeof fens / sizeof *fens; i++)
        ck_assert_int_gt(value(fens[i]), value(fens[i - 1]));
    ck_assert_int_gt(value("7k/8/8/P7/8/8/8/7K w - - 0 1"), // no king can catch it
                     value("4k3/8/8/P7/8/8/8/7K b - - 0 1") + 500);
}
END_TEST

START_TEST(a_bare_king_in_the_middlegame_is_worse_than_a_sheltered_one)
{
    ck_assert_int_gt(value("r4rk1/pp1q1ppp/2n1bn2/8/8/2N1BN2/PP1Q1PPP/R4RK1 w - - 0 1"),
                     value("r4rk1/pp1q1ppp/2n1bn2/8/8/2N1BN2/PPPQ4/R4RK1 w - - 0 1") + 100);
}
END_TEST

Suite *suite_bootstrap(void);
Suite *suite_bootstrap(void)
{
    Suite *suite = suite_create("bootstrap");
    TCase *tests = tcase_create("bootstrap");
    tcase_add_unchecked_fixture(tests, bootstrap_init, NULL);
    tcase_set_timeout(tests, 20);
    tcase_add_test(tests, mirrored_positions_have_the_same_value);
    tcase_add_test(tests, mirrored_random_games_have_the_same_values);
    tcase_add_test(tests, mirrored_middlegames_have_the_same_values);
    tcase_add_test(tests, more_material_is_better);
    tcase_add_test(tests, the_start_position_is_balanced_except_for_the_move);
    tcase_add_test(tests, positions_that_cannot_be_won_have_small_values);
    tcase_add_test(tests, opposite_bishops_are_drawish);
    tcase_add_test(tests, a_lone_king_is_driven_to_the_edge);
    tcase_add_test(tests, bishop_and_knight_drive_to_the_bishops_corner);
    tcase_add_test(tests, passed_pawns_gain_by_advancing);
    tcase_add_test(tests, a_bare_king_in_the_middlegame_is_worse_than_a_sheltered_one);
    suite_add_tcase(suite, tests);
    return suite;
}
