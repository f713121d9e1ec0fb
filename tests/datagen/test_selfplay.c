// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/thread.h"
#include "chess/fen.h"
#include "datagen/selfplay.h"
#include "eval/bootstrap.h"

static const EvalSource SOURCE = {.bootstrap = bootstrap_eval};
static const SelfplayOptions OPTIONS = {.opening = {.plies = 8, .chess960_percent = 30},
                                        .soft_nodes = 60,
                                        .hard_nodes = 300,
                                        .win_score = 1500,
                                        .seed = 9};

enum { UNDECIDED = -1 };

static int judge(const int16_t *scores, int opening, int plies)
{
    int result = GAME_DRAW;
    return adjudicate_scores(scores, opening, plies, OPTIONS.win_score, &result) ? result
                                                                                 : UNDECIDED;
}

/* From `ply` on, the scores say that White is `score` units ahead. */
static void white_stands(int16_t *scores, int ply, int score)
{
    for (; ply < GAME_MAX_PLIES; ply++)
        scores[ply] = (int16_t)(ply % 2 == 0 ? score : -score);
}

START_TEST(a_game_is_won_after_five_plies_of_winning_scores)
{
    int16_t scores[GAME_MAX_PLIES];
    for (int from = 20; from < 22; from++) {
        memset(scores, 0, sizeof scores);
        white_stands(scores, from, 1500);
        ck_assert_int_eq(judge(scores, 8, from + 4), UNDECIDED);
        ck_assert_int_eq(judge(scores, 8, from + 5), GAME_WHITE_WINS);
        white_stands(scores, from, -1500);
        ck_assert_int_eq(judge(scores, 8, from + 4), UNDECIDED);
        ck_assert_int_eq(judge(scores, 8, from + 5), GAME_BLACK_WINS);
        white_stands(scores, from, 1499);
        ck_assert_int_eq(judge(scores, 8, from + 50), UNDECIDED);
    }
}
END_TEST

START_TEST(winning_scores_must_be_consecutive_and_of_one_side)
{
    int16_t scores[GAME_MAX_PLIES] = {0};
    white_stands(scores, 20, 2000);
    scores[23] = 0;
    ck_assert_int_eq(judge(scores, 8, 26), UNDECIDED);
    ck_assert_int_eq(judge(scores, 8, 28), UNDECIDED);
    ck_assert_int_eq(judge(scores, 8, 29), GAME_WHITE_WINS);
    for (int ply = 20; ply < 60; ply++)
        scores[ply] = 2000; // each side has a winning score at its own plies
    ck_assert_int_eq(judge(scores, 8, 60), UNDECIDED);
    white_stands(scores, 40, 20000);
    white_stands(scores, 43, -20000);
    ck_assert_int_eq(judge(scores, 8, 47), UNDECIDED);
    ck_assert_int_eq(judge(scores, 8, 48), GAME_BLACK_WINS);
}
END_TEST

START_TEST(opening_plies_do_not_count_for_adjudication)
{
    int16_t scores[GAME_MAX_PLIES] = {0};
    white_stands(scores, 0, 2000);
    ck_assert_int_eq(judge(scores, 8, 8), UNDECIDED);
    ck_assert_int_eq(judge(scores, 8, 12), UNDECIDED);
    ck_assert_int_eq(judge(scores, 8, 13), GAME_WHITE_WINS);
}
END_TEST

START_TEST(a_game_is_drawn_after_ten_level_plies_from_ply_70_on)
{
    int16_t scores[GAME_MAX_PLIES] = {0};
    ck_assert_int_eq(judge(scores, 8, 79), UNDECIDED);
    ck_assert_int_eq(judge(scores, 8, 80), GAME_DRAW);
    ck_assert_int_eq(judge(scores, 75, 84), UNDECIDED);
    ck_assert_int_eq(judge(scores, 75, 85), GAME_DRAW);
    scores[90] = 9;
    scores[101] = -8;
    ck_assert_int_eq(judge(scores, 8, 91), UNDECIDED);
    ck_assert_int_eq(judge(scores, 8, 100), UNDECIDED);
    ck_assert_int_eq(judge(scores, 8, 101), GAME_DRAW);
    ck_assert_int_eq(judge(scores, 8, 102), GAME_DRAW);
    scores[95] = -9;
    ck_assert_int_eq(judge(scores, 8, 102), UNDECIDED);
}
END_TEST

static Single *open_single(void)
{
    Single *single = single_create(1, &SOURCE);
    ck_assert_ptr_nonnull(single);
    return single;
}

/* Plays the game over from its record and checks each ply against the rules of self-play. */
static void check_game(const SelfplayGame *game)
{
    SelfplayGame replay;
    const GameRecord *record = &game->record;
    int result = GAME_DRAW;
    selfplay_game_start(&replay, record->number, record->setup[WHITE], record->setup[BLACK]);
    replay.record.opening = record->opening;
    for (int ply = 0; ply < record->plies; ply++) {
        ck_assert_int_eq(selfplay_game_end(&replay), END_NONE);
        ck_assert(
            !adjudicate_scores(record->scores, record->opening, ply, OPTIONS.win_score, &result));
        ck_assert_int_le(abs(record->scores[ply]), SELFPLAY_SCORE_MAX);
        selfplay_game_play(&replay, record->moves[ply], record->scores[ply]);
    }
    const GameEnd end = selfplay_game_end(&replay);
    if (end != END_NONE)
        result = selfplay_game_result(&replay, end);
    else
        ck_assert(adjudicate_scores(record->scores, record->opening, record->plies,
                                    OPTIONS.win_score, &result));
    ck_assert_int_eq(record->result, result);
    ck_assert_int_eq(replay.kept, game->kept);
    ck_assert(record->opening == 8 || record->opening == 9);
}

START_TEST(games_keep_the_rules_and_survive_packing)
{
    static SelfplayGame game;
    static GameRecord read;
    uint8_t bytes[GAME_MAX_BYTES];
    Single *single = open_single();
    int results[3] = {0};
    for (uint32_t number = 100; number < 130; number++) {
        ck_assert(selfplay_game(&game, NULL, number, &OPTIONS, single, NULL));
        check_game(&game);
        results[game.record.result]++;
        ck_assert(gamecode_unpack(&read, bytes, gamecode_pack(&game.record, bytes), NULL, NULL));
        ck_assert_uint_eq(read.number, number);
        ck_assert_uint_eq(read.plies, game.record.plies);
        ck_assert_uint_eq(read.opening, game.record.opening);
        ck_assert_uint_eq(read.result, game.record.result);
        ck_assert_mem_eq(read.setup, game.record.setup, sizeof read.setup);
        ck_assert_mem_eq(read.moves, game.record.moves, read.plies * sizeof read.moves[0]);
        ck_assert_mem_eq(read.scores, game.record.scores, read.plies * sizeof read.scores[0]);
    }
    ck_assert_msg(results[GAME_WHITE_WINS] > 0 && results[GAME_BLACK_WINS] > 0, "one-sided games");
    single_destroy(single);
}
END_TEST

START_TEST(a_game_depends_on_seed_and_number_alone)
{
    static SelfplayGame first, game;
    Single *single = open_single();
    ck_assert(selfplay_game(&first, NULL, 1, &OPTIONS, single, NULL));
    ck_assert(selfplay_game(&game, NULL, 2, &OPTIONS, single, NULL));
    ck_assert_mem_ne(game.record.moves, first.record.moves, sizeof first.record.moves);
    SelfplayOptions other = OPTIONS;
    other.seed++;
    ck_assert(selfplay_game(&game, NULL, 1, &other, single, NULL));
    ck_assert_mem_ne(&game.record, &first.record, sizeof game.record);
    ck_assert(selfplay_game(&game, NULL, 1, &OPTIONS, single, NULL));
    ck_assert_mem_eq(&game.record, &first.record, sizeof game.record);
    single_destroy(single);
}
END_TEST

START_TEST(runs_with_consecutive_seeds_share_no_games)
{
    static SelfplayGame first, game;
    Single *single = open_single();
    SelfplayOptions next = OPTIONS;
    next.seed++;
    ck_assert(selfplay_game(&first, NULL, 1, &OPTIONS, single, NULL));
    ck_assert(selfplay_game(&game, NULL, 0, &next, single, NULL));
    ck_assert_mem_ne(game.record.moves, first.record.moves, sizeof first.record.moves);
    single_destroy(single);
}
END_TEST

/* Counts of games with parts. */
typedef struct {
    int plies, scored; // after the opening; those with a score
    int starts;        // of parts
    int shorter;       // parts with fewer plies than asked for, although the game goes on
    int longer;        // plies beyond the length of a part
    int results[3];
} PartTally;

static void tally_parts(PartTally *tally, const GameRecord *record, int part)
{
    int length = 0;
    for (int ply = record->opening; ply < record->plies; ply++) {
        const bool is_scored = record->scores[ply] != GAME_NO_SCORE;
        tally->plies++;
        tally->scored += is_scored;
        tally->starts += is_scored && length == 0;
        tally->shorter += !is_scored && length > 0 && length < part;
        tally->longer += is_scored && length >= part;
        length = is_scored ? length + 1 : 0;
    }
    tally->results[record->result]++;
}

START_TEST(only_parts_of_a_game_have_scores)
{
    static SelfplayGame game, again, replay;
    Single *single = open_single();
    SelfplayOptions options = OPTIONS;
    options.part = 4;
    options.between = 12;
    PartTally tally = {0};
    for (uint32_t number = 1; number <= 30; number++) {
        ck_assert(selfplay_game(&game, NULL, number, &options, single, NULL));
        const GameRecord *const record = &game.record;
        selfplay_game_replay(&replay, record);
        while (replay.record.plies < record->plies)
            selfplay_game_replay_move(&replay, record);
        ck_assert_int_eq(replay.kept, game.kept);
        if (selfplay_game_end(&replay) != END_NONE)
            ck_assert_int_eq(record->result,
                             selfplay_game_result(&replay, selfplay_game_end(&replay)));
        tally_parts(&tally, record, options.part);
        ck_assert(selfplay_game(&again, NULL, number, &options, single, NULL));
        ck_assert_mem_eq(&again.record, record, sizeof *record);
    }
    ck_assert_int_gt(tally.starts, 60);
    ck_assert_int_eq(tally.shorter, 0);
    ck_assert_int_lt(tally.longer, tally.scored / 4); // a part that follows another at once
    ck_assert_msg(tally.scored > tally.plies / 6 && tally.scored < tally.plies / 3,
                  "%d of %d plies, where 4 of 16 are expected", tally.scored, tally.plies);
    ck_assert(tally.results[GAME_WHITE_WINS] > 0 && tally.results[GAME_BLACK_WINS] > 0);
    single_destroy(single);
}
END_TEST

START_TEST(parts_without_plies_between_them_are_the_whole_game)
{
    static SelfplayGame game;
    Single *single = open_single();
    SelfplayOptions options = OPTIONS;
    options.part = 4;
    ck_assert(selfplay_game(&game, NULL, 3, &options, single, NULL));
    for (int ply = 0; ply < game.record.plies; ply++)
        ck_assert_int_ne(game.record.scores[ply], GAME_NO_SCORE);
    single_destroy(single);
}
END_TEST

/* Nodes of the search of `fen` in a part. */
static uint64_t nodes_in_part(Single *single, const char *fen)
{
    static SelfplayGame game;
    SelfplayOptions options = OPTIONS;
    options.part = 12;
    options.soft_nodes = 4 * QUICK_HARD_NODES;
    options.hard_nodes = 5 * options.soft_nodes;
    char error[FEN_ERROR_MAX];
    ck_assert_msg(fen_parse(&game.pos, fen, false, error), "%s", error);
    path_start(&game.path, &game.pos);
    single_new_game(single);
    return selfplay_search(&game, &options, EFFORT_PART, single).nodes;
}

START_TEST(a_part_has_long_searches_only_for_positions_to_train_on)
{
    Single *single = open_single();
    ck_assert_uint_ge(nodes_in_part(single, FEN_START), 4 * QUICK_HARD_NODES);
    const char *const check = "4k3/8/8/8/7b/8/4P3/3RK3 w - - 0 1"; // no capture is legal
    ck_assert_uint_le(nodes_in_part(single, check), QUICK_HARD_NODES);
    const char *const capture = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1";
    ck_assert_uint_le(nodes_in_part(single, capture), QUICK_HARD_NODES);
    const char *const promotion = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
    ck_assert_uint_le(nodes_in_part(single, promotion), QUICK_HARD_NODES);
    single_destroy(single);
}
END_TEST

START_TEST(late_moves_change_the_searches)
{
    static SelfplayGame pruned, other;
    Single *single = open_single();
    SelfplayOptions more = OPTIONS;
    more.late_moves = 255;
    ck_assert(selfplay_game(&pruned, NULL, 7, &OPTIONS, single, NULL));
    ck_assert(selfplay_game(&other, NULL, 7, &more, single, NULL));
    ck_assert_int_ne(memcmp(pruned.record.scores, other.record.scores, sizeof other.record.scores),
                     0);
    ck_assert(selfplay_game(&other, NULL, 7, &OPTIONS, single, NULL));
    ck_assert_int_eq(memcmp(pruned.record.scores, other.record.scores, sizeof other.record.scores),
                     0);
    single_destroy(single);
}
END_TEST

START_TEST(a_smaller_win_score_ends_the_same_game_earlier)
{
    static SelfplayGame whole, cut;
    Single *single = open_single();
    SelfplayOptions early = OPTIONS;
    early.win_score = 300;
    int earlier = 0;
    for (uint32_t number = 1; number <= 8; number++) {
        ck_assert(selfplay_game(&whole, NULL, number, &OPTIONS, single, NULL));
        ck_assert(selfplay_game(&cut, NULL, number, &early, single, NULL));
        ck_assert_int_le(cut.record.plies, whole.record.plies);
        ck_assert_mem_eq(cut.record.moves, whole.record.moves,
                         cut.record.plies * sizeof cut.record.moves[0]);
        earlier += cut.record.plies < whole.record.plies;
    }
    ck_assert_int_gt(earlier, 4);
    single_destroy(single);
}
END_TEST

START_TEST(a_game_ends_when_stopped)
{
    static SelfplayGame game;
    Single *single = open_single();
    atomic_bool stop;
    atomic_init(&stop, true);
    ck_assert(!selfplay_game(&game, NULL, 1, &OPTIONS, single, &stop));
    single_destroy(single);
}
END_TEST

static void *stop_soon(void *stop)
{
    clock_sleep_ms(200);
    atomic_store((atomic_bool *)stop, true);
    return NULL;
}

START_TEST(a_stop_ends_a_game_between_its_moves)
{
    static SelfplayGame game;
    Single *single = open_single();
    atomic_bool stop;
    atomic_init(&stop, false);
    SelfplayOptions slow = OPTIONS;
    slow.soft_nodes = slow.hard_nodes = 200000; // each move takes 100 ms
    Thread thread;
    ck_assert(thread_start(&thread, stop_soon, &stop));
    ck_assert(!selfplay_game(&game, NULL, 1, &slow, single, &stop));
    thread_join(&thread);
    single_destroy(single);
}
END_TEST

Suite *suite_selfplay(void);
Suite *suite_selfplay(void)
{
    Suite *suite = suite_create("selfplay");
    TCase *tcase = tcase_create("selfplay");
    tcase_set_timeout(tcase, 30);
    tcase_add_test(tcase, a_game_is_won_after_five_plies_of_winning_scores);
    tcase_add_test(tcase, winning_scores_must_be_consecutive_and_of_one_side);
    tcase_add_test(tcase, opening_plies_do_not_count_for_adjudication);
    tcase_add_test(tcase, a_game_is_drawn_after_ten_level_plies_from_ply_70_on);
    tcase_add_test(tcase, games_keep_the_rules_and_survive_packing);
    tcase_add_test(tcase, a_game_depends_on_seed_and_number_alone);
    tcase_add_test(tcase, runs_with_consecutive_seeds_share_no_games);
    tcase_add_test(tcase, only_parts_of_a_game_have_scores);
    tcase_add_test(tcase, parts_without_plies_between_them_are_the_whole_game);
    tcase_add_test(tcase, a_part_has_long_searches_only_for_positions_to_train_on);
    tcase_add_test(tcase, late_moves_change_the_searches);
    tcase_add_test(tcase, a_smaller_win_score_ends_the_same_game_earlier);
    tcase_add_test(tcase, a_game_ends_when_stopped);
    tcase_add_test(tcase, a_stop_ends_a_game_between_its_moves);
    suite_add_tcase(suite, tcase);
    return suite;
}
