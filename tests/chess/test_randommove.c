// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/randommove.h"

#include <check.h>
#include <math.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/play.h"

enum { DRAWN = 6000 };

/* Counts the types of the moving pieces of DRAWN moves. */
static void count_types(const char *fen, int counts[PIECE_TYPE_NB])
{
    Rng rng;
    Position pos;
    char error[FEN_ERROR_MAX];
    rng_seed(&rng, 4);
    ck_assert(fen_parse(&pos, fen, false, error));
    for (int i = 0; i < DRAWN; i++)
        counts[piece_type(pos_piece_on(&pos, move_from(randommove_draw(&pos, &rng))))]++;
}

/* The tolerances are 4.5 standard deviations. */
static void expect_share(int count, int percent)
{
    const double share = percent / 100.0;
    const double tolerance = 4.5 * sqrt(DRAWN * share * (1 - share));
    ck_assert_msg(fabs(count - DRAWN * share) < tolerance, "%d of %d, not %d%%", count, DRAWN,
                  percent);
}

START_TEST(pieces_are_drawn_by_their_weights)
{
    int counts[PIECE_TYPE_NB] = {0};
    count_types("4k3/8/8/8/3Q4/2N1B3/P7/R3K3 w - - 0 1", counts);
    expect_share(counts[PAWN], 35);
    expect_share(counts[ROOK], 5);
    for (size_t i = 0; i < 4; i++)
        expect_share(counts[(PieceType[]){KNIGHT, BISHOP, QUEEN, KING}[i]], 15);
}
END_TEST

START_TEST(pieces_that_cannot_move_have_no_weight)
{
    int counts[PIECE_TYPE_NB] = {0};
    count_types(FEN_START, counts);
    expect_share(counts[PAWN], 70); // 35 in 50, where moves drawn evenly give 40 in 50
    expect_share(counts[KNIGHT], 30);
}
END_TEST

START_TEST(a_random_game_is_legal_and_can_be_repeated)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        Rng rng, again;
        Position pos, after;
        char error[FEN_ERROR_MAX];
        rng_seed(&rng, seed);
        rng_seed(&again, seed);
        ck_assert(fen_parse(&pos, FEN_START, false, error));
        for (int ply = 0; ply < 200 && gen_any(&pos); ply++) {
            const Move move = randommove_draw(&pos, &rng);
            ck_assert(gen_is_legal(&pos, move));
            ck_assert_int_eq(move, randommove_draw(&pos, &again));
            pos_play(&after, &pos, move);
            pos = after;
        }
    }
}
END_TEST

Suite *suite_randommove(void);
Suite *suite_randommove(void)
{
    Suite *suite = suite_create("randommove");
    TCase *tcase = tcase_create("randommove");
    tcase_add_test(tcase, pieces_are_drawn_by_their_weights);
    tcase_add_test(tcase, pieces_that_cannot_move_have_no_weight);
    tcase_add_test(tcase, a_random_game_is_legal_and_can_be_repeated);
    suite_add_tcase(suite, tcase);
    return suite;
}
