// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/randommove.h"

#include <check.h>
#include <stdlib.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/play.h"

enum { DRAWN = 6000 };

START_TEST(pieces_are_drawn_by_their_weights)
{
    Rng rng;
    Position pos;
    char error[FEN_ERROR_MAX];
    rng_seed(&rng, 4);
    ck_assert(fen_parse(&pos, FEN_START, false, error));
    int pawns = 0;
    for (int i = 0; i < DRAWN; i++)
        pawns += piece_type(pos_piece_on(&pos, move_from(randommove_draw(&pos, &rng)))) == PAWN;
    // Only pawns and knights can move: 35 in 50, where moves drawn evenly give 40 in 50.
    ck_assert_msg(abs(pawns - DRAWN * 35 / 50) < 178, "%d of %d", pawns, DRAWN);
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
    tcase_add_test(tcase, a_random_game_is_legal_and_can_be_repeated);
    suite_add_tcase(suite, tcase);
    return suite;
}
