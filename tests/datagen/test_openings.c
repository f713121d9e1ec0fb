// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "chess/chess960.h"
#include "chess/movegen.h"
#include "chess/play.h"
#include "datagen/openings.h"
#include "eval/bootstrap.h"

static const EvalSource SOURCE = {.bootstrap = bootstrap_eval};
static SelfplayGame game;

/* Replays the record. Fails on an illegal move or a final position other than game.pos. */
static void check_record(void)
{
    Position pos, after;
    const GameRecord *record = &game.record;
    chess960_start(&pos, record->setup[WHITE], record->setup[BLACK]);
    for (int ply = 0; ply < record->plies; ply++) {
        ck_assert(gen_is_legal(&pos, record->moves[ply]));
        ck_assert_int_eq(record->scores[ply], 0);
        pos_play(&after, &pos, record->moves[ply]);
        pos = after;
    }
    ck_assert_uint_eq(pos.key, game.pos.key);
    ck_assert_uint_eq(record->opening, record->plies);
}

START_TEST(openings_are_legal_and_have_the_requested_length)
{
    Rng rng;
    rng_seed(&rng, 11);
    const OpeningOptions options = {.plies = 8, .chess960_percent = 50};
    int lengths[2] = {0};
    for (int i = 0; i < 400; i++) {
        if (!opening_draw(&game, 5, &rng, &options))
            continue;
        check_record();
        ck_assert_uint_eq(game.record.number, 5);
        ck_assert(game.record.plies == 8 || game.record.plies == 9);
        ck_assert_int_eq(game.kept, 0);
        lengths[game.record.plies - 8]++;
    }
    ck_assert_int_gt(lengths[0], 150);
    ck_assert_int_gt(lengths[1], 150);
}
END_TEST

START_TEST(chess960_has_the_requested_share)
{
    enum { DRAWN = 4000 };
    Rng rng;
    rng_seed(&rng, 3);
    const OpeningOptions options = {.plies = 1, .chess960_percent = 20};
    int other = 0, two = 0;
    for (int i = 0; i < DRAWN; i++) {
        opening_draw(&game, 0, &rng, &options);
        const uint16_t *setup = game.record.setup;
        ck_assert_uint_lt(setup[WHITE], CHESS960_NB);
        ck_assert_uint_lt(setup[BLACK], CHESS960_NB);
        other += setup[WHITE] != CHESS960_STANDARD || setup[BLACK] != CHESS960_STANDARD;
        two += setup[WHITE] != setup[BLACK];
    }
    // five standard deviations of 800 and 400
    ck_assert_msg(abs(other - DRAWN / 5) < 127, "%d of %d", other, DRAWN);
    ck_assert_msg(abs(two - DRAWN / 10) < 95, "%d of %d", two, DRAWN);
    const OpeningOptions never = {.plies = 1};
    for (int i = 0; i < 200; i++) {
        opening_draw(&game, 0, &rng, &never);
        ck_assert_uint_eq(game.record.setup[WHITE], CHESS960_STANDARD);
        ck_assert_uint_eq(game.record.setup[BLACK], CHESS960_STANDARD);
    }
}
END_TEST

START_TEST(every_kind_of_piece_moves_in_some_opening)
{
    Rng rng;
    rng_seed(&rng, 5);
    const OpeningOptions options = {.plies = 20};
    int moved[PIECE_TYPE_NB] = {0}, castled = 0;
    for (int i = 0; i < 300; i++) {
        opening_draw(&game, 0, &rng, &options);
        Position pos, after;
        chess960_start(&pos, game.record.setup[WHITE], game.record.setup[BLACK]);
        for (int ply = 0; ply < game.record.plies; ply++) {
            const Move move = game.record.moves[ply];
            moved[piece_type(pos_piece_on(&pos, move_from(move)))]++;
            castled += move_kind(move) == KIND_CASTLING;
            pos_play(&after, &pos, move);
            pos = after;
        }
    }
    for (PieceType t = PAWN; t < PIECE_TYPE_NB; t++)
        ck_assert_msg(moved[t] > 50, "type %d moved %d times", t, moved[t]);
    ck_assert_int_gt(castled, 0);
}
END_TEST

START_TEST(found_openings_are_level_and_not_over)
{
    Single *single = single_create(1, &SOURCE), *judge = single_create(1, &SOURCE);
    ck_assert(single != NULL && judge != NULL);
    Rng rng;
    rng_seed(&rng, 12);
    const OpeningOptions options = {.plies = 8, .chess960_percent = 30};
    for (uint32_t i = 0; i < 60; i++) {
        ck_assert(opening_find(&game, i, &rng, &options, single, NULL));
        check_record();
        ck_assert_int_eq(selfplay_game_end(&game), END_NONE);
        const Limits limits = {.nodes = SINGLE_LEVEL_NODES};
        single_new_game(judge);
        const Score score = single_search(judge, &game.pos, &game.path, &limits).score;
        ck_assert_msg(abs(score) <= SINGLE_LEVEL_SCORE, "%d", score);
    }
    single_destroy(single);
    single_destroy(judge);
}
END_TEST

START_TEST(the_search_for_an_opening_ends_when_stopped)
{
    Single *single = single_create(1, &SOURCE);
    ck_assert_ptr_nonnull(single);
    Rng rng;
    rng_seed(&rng, 12);
    const OpeningOptions options = {.plies = 8};
    atomic_bool stop;
    atomic_init(&stop, true);
    ck_assert(!opening_find(&game, 0, &rng, &options, single, &stop));
    atomic_store(&stop, false);
    ck_assert(opening_find(&game, 0, &rng, &options, single, &stop));
    single_destroy(single);
}
END_TEST

Suite *suite_openings(void);
Suite *suite_openings(void)
{
    Suite *suite = suite_create("openings");
    TCase *tcase = tcase_create("openings");
    tcase_set_timeout(tcase, 20);
    tcase_add_test(tcase, openings_are_legal_and_have_the_requested_length);
    tcase_add_test(tcase, chess960_has_the_requested_share);
    tcase_add_test(tcase, every_kind_of_piece_moves_in_some_opening);
    tcase_add_test(tcase, found_openings_are_level_and_not_over);
    tcase_add_test(tcase, the_search_for_an_opening_ends_when_stopped);
    suite_add_tcase(suite, tcase);
    return suite;
}
