// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>
#include <stdlib.h>

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
        if (!opening_draw(&game, 5, &rng, &options, NULL))
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

START_TEST(an_opening_that_ends_the_game_is_none)
{
    Rng rng;
    rng_seed(&rng, 17);
    const OpeningOptions options = {.plies = OPENING_PLIES_MAX - 1};
    int over[2] = {0}; // [1]: by the last move
    for (int i = 0; over[1] == 0 && i < 100000; i++) {
        const bool is_open = opening_draw(&game, 0, &rng, &options, NULL);
        ck_assert_int_eq(selfplay_game_end(&game) == END_NONE, is_open);
        over[game.record.plies > options.plies] += !is_open;
    }
    ck_assert_int_gt(over[0], 0);
    ck_assert_int_gt(over[1], 0);
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
        opening_draw(&game, 0, &rng, &options, NULL);
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
        opening_draw(&game, 0, &rng, &never, NULL);
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
        opening_draw(&game, 0, &rng, &options, NULL);
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

START_TEST(weights_halve_for_each_lost_half)
{
    ck_assert_uint_eq(opening_weight(0, 25), OPENING_WEIGHT_MAX);
    ck_assert_uint_eq(opening_weight(25, 25), OPENING_WEIGHT_MAX / 2);
    ck_assert_uint_eq(opening_weight(250, 25), OPENING_WEIGHT_MAX >> 10);
    ck_assert_uint_eq(opening_weight(19 * 25, 25), OPENING_WEIGHT_MAX >> 19);
    ck_assert_uint_eq(opening_weight(20 * 25, 25), 0);
    ck_assert_uint_eq(opening_weight(64000, 1), 0);
    for (int loss = 1; loss < 600; loss++)
        ck_assert_uint_le(opening_weight(loss, 25), opening_weight(loss - 1, 25));
}
END_TEST

/* Material of the side to move minus that of the other side, in pawns. */
static int material(const Position *pos)
{
    static const int VALUES[PIECE_TYPE_NB] = {
        [PAWN] = 1, [KNIGHT] = 3, [BISHOP] = 3, [ROOK] = 5, [QUEEN] = 9};
    int sum = 0;
    for (Square s = 0; s < SQ_NB; s++) {
        const Piece piece = pos_piece_on(pos, s);
        if (piece != NO_PIECE)
            sum += piece_color(piece) == pos->side ? VALUES[piece_type(piece)]
                                                   : -VALUES[piece_type(piece)];
    }
    return sum;
}

START_TEST(openings_drawn_by_score_lose_less_material)
{
    enum { DRAWN = 60 };
    Single *single = single_create(1, &SOURCE);
    ck_assert_ptr_nonnull(single);
    int lost[2] = {0};
    for (int by_score = 0; by_score < 2; by_score++) {
        Rng rng;
        rng_seed(&rng, 21);
        const OpeningOptions options = {.plies = 12, .half = 25 * by_score};
        for (int i = 0; i < DRAWN; i++) {
            if (!opening_draw(&game, 0, &rng, &options, single))
                continue;
            check_record();
            lost[by_score] += abs(material(&game.pos));
        }
    }
    ck_assert_msg(lost[1] < lost[0] / 2, "%d against %d", lost[1], lost[0]);
    single_destroy(single);
}
END_TEST

START_TEST(openings_drawn_by_score_do_not_depend_on_earlier_searches)
{
    Single *single = single_create(1, &SOURCE), *used = single_create(1, &SOURCE);
    ck_assert(single != NULL && used != NULL);
    const OpeningOptions options = {.plies = 12, .half = 25, .chess960_percent = 50};
    Rng rng;
    for (uint64_t seed = 0; seed < 10; seed++) {
        rng_seed(&rng, 100 + seed);
        ck_assert(opening_find(&game, 0, &rng, &options, used, NULL)); // leaves traces in `used`
        rng_seed(&rng, seed);
        const bool is_open = opening_draw(&game, 0, &rng, &options, single);
        const Key key = game.pos.key;
        rng_seed(&rng, seed);
        ck_assert(opening_draw(&game, 0, &rng, &options, used) == is_open);
        ck_assert_uint_eq(game.pos.key, key);
    }
    single_destroy(single);
    single_destroy(used);
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
        const Limits limits = {.nodes = SINGLE_BALANCED_NODES};
        single_new_game(judge);
        const Score score = single_search(judge, &game.pos, &game.path, &limits).score;
        ck_assert_msg(abs(score) <= SINGLE_BALANCED_SCORE, "%d", score);
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
    tcase_add_test(tcase, an_opening_that_ends_the_game_is_none);
    tcase_add_test(tcase, chess960_has_the_requested_share);
    tcase_add_test(tcase, every_kind_of_piece_moves_in_some_opening);
    tcase_add_test(tcase, weights_halve_for_each_lost_half);
    tcase_add_test(tcase, openings_drawn_by_score_lose_less_material);
    tcase_add_test(tcase, openings_drawn_by_score_do_not_depend_on_earlier_searches);
    tcase_add_test(tcase, found_openings_are_level_and_not_over);
    tcase_add_test(tcase, the_search_for_an_opening_ends_when_stopped);
    suite_add_tcase(suite, tcase);
    return suite;
}
