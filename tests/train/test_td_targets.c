// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/td_targets.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "made_data.h"

static const double UNIT = 400.0;
static GameRecord game;

/* A game of `plies` plies without opening; each score is the same for the side to move. */
static void set_game(int plies, int result, int score)
{
    game = (GameRecord){.plies = (uint16_t)plies, .result = (uint8_t)result};
    for (int ply = 0; ply < plies; ply++)
        game.scores[ply] = (int16_t)score;
}

START_TEST(a_share_of_0_changes_nothing)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        made_game(&game, seed);
        const GameRecord before = game;
        td_targets_mix(&game, 0.0, UNIT);
        for (int ply = 0; ply < game.plies; ply++)
            if (abs(before.scores[ply]) <= TD_SCORE_MAX)
                ck_assert_int_eq(game.scores[ply], before.scores[ply]);
    }
}
END_TEST

START_TEST(a_share_of_1_gives_the_result)
{
    static const int FOR_WHITE[] = {-TD_SCORE_MAX, 0, TD_SCORE_MAX};
    for (int result = GAME_BLACK_WINS; result <= GAME_WHITE_WINS; result++) {
        set_game(9, result, 77);
        td_targets_mix(&game, 1.0, UNIT);
        for (int ply = 0; ply < 9; ply++)
            ck_assert_int_eq(game.scores[ply],
                             ply % 2 == 0 ? FOR_WHITE[result] : -FOR_WHITE[result]);
    }
}
END_TEST

static const double UNITS[] = {208, 400};

START_TEST(scores_are_mixed_as_points_from_one_side)
{
    const double unit = UNITS[_i];
    set_game(3, GAME_DRAW, 0);
    game.scores[0] = 100;
    game.scores[1] = 40;
    game.scores[2] = -200;
    td_targets_mix(&game, 0.5, unit);
    double points = 0.5, scores[3];
    static const double FOR_WHITE[] = {100, -40, -200};
    for (int ply = 2; ply >= 0; ply--) {
        points = 0.5 * points + 0.5 / (1 + exp(-FOR_WHITE[ply] / unit));
        scores[ply] = unit * log(points / (1 - points));
    }
    ck_assert_int_eq(game.scores[0], (int)lround(scores[0]));
    ck_assert_int_eq(game.scores[1], (int)lround(-scores[1]));
    ck_assert_int_eq(game.scores[2], (int)lround(scores[2]));
}
END_TEST

/* White's points of a score of `units` for White, and back. */
static double points(double units)
{
    return 1 / (1 + exp(-units / UNIT));
}

static int units(double white_points)
{
    return (int)lround(UNIT * log(white_points / (1 - white_points)));
}

START_TEST(unknown_scores_stay_and_weaken_what_follows)
{
    set_game(5, GAME_DRAW, 0);
    game.scores[0] = 60;
    game.scores[1] = -100;
    game.scores[2] = game.scores[3] = GAME_NO_SCORE;
    game.scores[4] = -200;
    td_targets_mix(&game, 0.5, UNIT);
    const double last = 0.5 * 0.5 + 0.5 * points(-200);
    const double second = 0.125 * last + 0.875 * points(100);
    const double first = 0.5 * second + 0.5 * points(60);
    ck_assert_int_eq(game.scores[4], units(last));
    ck_assert_int_eq(game.scores[3], GAME_NO_SCORE);
    ck_assert_int_eq(game.scores[2], GAME_NO_SCORE);
    ck_assert_int_eq(game.scores[1], -units(second));
    ck_assert_int_eq(game.scores[0], units(first));
}
END_TEST

START_TEST(scores_beyond_the_limit_count_as_the_limit)
{
    set_game(4, GAME_DRAW, TD_SCORE_MAX);
    td_targets_mix(&game, 0.5, UNIT);
    const GameRecord limited = game;
    set_game(4, GAME_DRAW, 2 * TD_SCORE_MAX);
    td_targets_mix(&game, 0.5, UNIT);
    for (int ply = 0; ply < 4; ply++)
        ck_assert_int_eq(game.scores[ply], limited.scores[ply]);
}
END_TEST

START_TEST(the_opening_keeps_its_empty_scores)
{
    set_game(6, GAME_WHITE_WINS, 0);
    game.opening = 4;
    td_targets_mix(&game, 0.9, UNIT);
    for (int ply = 0; ply < 4; ply++)
        ck_assert_int_eq(game.scores[ply], 0);
    ck_assert_int_gt(game.scores[4], 0);
    ck_assert_int_lt(game.scores[5], 0);
}
END_TEST

Suite *suite_td_targets(void);
Suite *suite_td_targets(void)
{
    Suite *const suite = suite_create("td_targets");
    TCase *const tcase = tcase_create("td_targets");
    tcase_add_test(tcase, a_share_of_0_changes_nothing);
    tcase_add_test(tcase, a_share_of_1_gives_the_result);
    tcase_add_loop_test(tcase, scores_are_mixed_as_points_from_one_side, 0, 2);
    tcase_add_test(tcase, unknown_scores_stay_and_weaken_what_follows);
    tcase_add_test(tcase, scores_beyond_the_limit_count_as_the_limit);
    tcase_add_test(tcase, the_opening_keeps_its_empty_scores);
    suite_add_tcase(suite, tcase);
    return suite;
}
