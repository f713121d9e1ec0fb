// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>

#include "chess/chess960.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "datagen/game.h"

static SelfplayGame game;

/* Sets the game to another start position. */
static void start_at(const char *fen)
{
    char error[FEN_ERROR_MAX];
    selfplay_game_start(&game, 7, CHESS960_STANDARD, CHESS960_STANDARD);
    ck_assert_msg(fen_parse(&game.pos, fen, false, error), "%s", error);
    path_start(&game.path, &game.pos);
}

static void play(const char *san, int score)
{
    const Move move = move_from_san(&game.pos, san);
    ck_assert_msg(move != MOVE_NONE, "%s", san);
    selfplay_game_play(&game, move, score);
}

START_TEST(a_game_is_recorded_as_played)
{
    selfplay_game_start(&game, 7, CHESS960_STANDARD, CHESS960_STANDARD);
    selfplay_game_play_opening(&game, move_from_san(&game.pos, "e4"));
    selfplay_game_play_opening(&game, move_from_san(&game.pos, "d5"));
    play("exd5", 120);
    play("Qxd5", -130);
    play("Nc3", 140);
    play("Qe5+", 3001);
    play("Be2", 10); // out of check
    ck_assert_uint_eq(game.record.number, 7);
    ck_assert_uint_eq(game.record.opening, 2);
    ck_assert_uint_eq(game.record.plies, 7);
    ck_assert_int_eq(game.record.scores[1], 0);
    ck_assert_int_eq(game.record.scores[3], -130);
    ck_assert_int_eq(game.record.moves[4], move_make(B1, C3, KIND_NORMAL));
    ck_assert_msg(game.kept == 1, "only Nc3 is quiet and within bounds, but %d are kept",
                  game.kept);
    ck_assert_int_eq(selfplay_game_end(&game), END_NONE);
}
END_TEST

START_TEST(a_replay_repeats_the_game)
{
    static const char *const MOVES[] = {"exd5", "Qxd5", "Nc3", "Qe5+", "Be2", "c6", "d4"};
    static const bool SUITS[] = {false, false, false, false, true, false, false, true, true};
    SelfplayGame replay;
    selfplay_game_start(&game, 7, CHESS960_STANDARD, CHESS960_STANDARD);
    selfplay_game_play_opening(&game, move_from_san(&game.pos, "e4"));
    selfplay_game_play_opening(&game, move_from_san(&game.pos, "d5"));
    for (int i = 0; i < 7; i++)
        play(MOVES[i], i == 3 ? 3001 : -i);
    selfplay_game_replay(&replay, &game.record);
    ck_assert_uint_eq(replay.record.plies, 0);
    for (int ply = 0; ply < game.record.plies; ply++)
        ck_assert_int_eq(selfplay_game_replay_move(&replay, &game.record), SUITS[ply]);
    ck_assert_int_eq(replay.kept, game.kept);
    ck_assert_mem_eq(&replay.record, &game.record, sizeof game.record);
    ck_assert_uint_eq(replay.pos.key, game.pos.key);
    ck_assert_int_eq(path_occurrences(&replay.path, &replay.pos), 0);
}
END_TEST

static const struct {
    const char *fen, *move;
    GameEnd end;
    int result;
} ENDS[] = {
    {"6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "Re8", END_MATE, GAME_WHITE_WINS},
    {"k3r3/8/8/8/8/8/5PPP/6K1 b - - 99 60", "Re1", END_MATE, GAME_BLACK_WINS},
    {"k7/8/1K6/2Q5/8/8/8/8 w - - 0 1", "Qc7", END_STALEMATE, GAME_DRAW},
    {"k7/8/1K6/2Q5/8/8/8/8 w - - 99 80", "Qd5", END_FIFTY, GAME_DRAW},
    {"8/k7/8/8/3pB3/8/4K3/8 w - - 3 80", "Kd3", END_NONE, GAME_DRAW},
    {"8/k7/8/8/3p4/4K3/8/3B4 w - - 3 80", "Kxd4", END_MATERIAL, GAME_DRAW},
};

START_TEST(the_rules_end_a_game)
{
    start_at(ENDS[_i].fen);
    play(ENDS[_i].move, 0);
    ck_assert_int_eq(selfplay_game_end(&game), ENDS[_i].end);
    if (ENDS[_i].end != END_NONE)
        ck_assert_int_eq(selfplay_game_result(&game, ENDS[_i].end), ENDS[_i].result);
}
END_TEST

START_TEST(the_third_occurrence_ends_a_game)
{
    static const char *const SHUFFLE[] = {"Nf3", "Nf6", "Ng1", "Ng8"};
    selfplay_game_start(&game, 0, CHESS960_STANDARD, CHESS960_STANDARD);
    for (int i = 0; i < 8; i++) {
        ck_assert_int_eq(selfplay_game_end(&game), END_NONE);
        play(SHUFFLE[i % 4], 0);
    }
    ck_assert_int_eq(selfplay_game_end(&game), END_REPETITION);
    ck_assert_int_eq(selfplay_game_result(&game, END_REPETITION), GAME_DRAW);
}
END_TEST

START_TEST(a_full_record_ends_a_game)
{
    selfplay_game_start(&game, 0, CHESS960_STANDARD, CHESS960_STANDARD);
    play("e4", 0);
    game.record.plies = GAME_MAX_PLIES;
    ck_assert_int_eq(selfplay_game_end(&game), END_LENGTH);
    ck_assert_int_eq(selfplay_game_result(&game, END_LENGTH), GAME_DRAW);
}
END_TEST

Suite *suite_datagen_game(void);
Suite *suite_datagen_game(void)
{
    Suite *suite = suite_create("datagen_game");
    TCase *tcase = tcase_create("live");
    tcase_add_test(tcase, a_game_is_recorded_as_played);
    tcase_add_test(tcase, a_replay_repeats_the_game);
    tcase_add_loop_test(tcase, the_rules_end_a_game, 0, sizeof ENDS / sizeof ENDS[0]);
    tcase_add_test(tcase, the_third_occurrence_ends_a_game);
    tcase_add_test(tcase, a_full_record_ends_a_game);
    suite_add_tcase(suite, tcase);
    return suite;
}
