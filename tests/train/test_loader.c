// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/loader.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/record_log.h"
#include "chess/chess960.h"
#include "chess/play.h"
#include "engine/single.h"
#include "eval/bootstrap.h"
#include "made_data.h"
#include "train/td_targets.h"
#include "whole_file.h"

static const double UNIT = 208;
enum { GAMES = 40, ROOM = 40000 };

/* Samples without a defined order. */
typedef struct {
    Sample samples[ROOM];
    size_t count;
} SampleBag;

static char paths[2][MADE_PATH_ROOM];
static char error[LOADER_ERROR_MAX];
static SampleBag expected;
static double td_share;             // options of the loader
static int score_max, quiet_within; // -1: all
static const EvalSource BOOTSTRAP = {.bootstrap = bootstrap_eval};

static int compare(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(Sample));
}

/* Games first_seed.. of which made_game() makes the file. */
static void write_games(const char *path, uint64_t first_seed, int count)
{
    RecordWriter writer;
    ck_assert_msg(record_log_append_open(&writer, path, GAMECODE_MAGIC, NULL, error), "%s", error);
    for (int i = 0; i < count; i++) {
        GameRecord game;
        uint8_t bytes[GAME_MAX_BYTES];
        made_game(&game, first_seed + (uint64_t)i);
        ck_assert(record_log_append(&writer, bytes, gamecode_pack(&game, bytes)));
    }
    record_log_append_close(&writer);
}

/* Whether the position passes the filter of `quiet_within`. */
static bool is_quiet(const Position *pos)
{
    static Single *single;
    if (quiet_within < 0)
        return true;
    if (single == NULL)
        single = single_create(1, &BOOTSTRAP);
    single_new_game(single);
    return single_is_quiet(single, pos, quiet_within);
}

/* Adds the expected samples of a game. Plays the game without the code under test. */
static void expect_game(uint64_t seed)
{
    GameRecord game, targets;
    made_game(&game, seed);
    targets = game;
    if (td_share > 0.0)
        td_targets_mix(&targets, td_share, UNIT);
    Position pos;
    chess960_start(&pos, game.setup[WHITE], game.setup[BLACK]);
    for (int ply = 0; ply < game.plies; ply++) {
        const bool is_within = score_max == 0 || abs(game.scores[ply]) <= score_max;
        if (gamecode_suits_training(&pos, &game, ply) && is_within && is_quiet(&pos)) {
            ck_assert_uint_lt(expected.count, ROOM);
            sample_pack(&expected.samples[expected.count++], &pos, targets.scores[ply],
                        pos.side == WHITE ? game.result : 2 - game.result);
        }
        pos_advance(&pos, game.moves[ply]);
    }
}

static void expect_games(uint64_t first_seed, int count)
{
    for (int i = 0; i < count; i++)
        expect_game(first_seed + (uint64_t)i);
}

/* Checks that the set equals the expected samples, then clears the expected samples. */
static void check_set(const SampleSet *set)
{
    ck_assert_uint_gt(expected.count, 0);
    ck_assert_uint_eq(set->count, expected.count);
    qsort(set->samples, set->count, sizeof(Sample), compare);
    qsort(expected.samples, expected.count, sizeof(Sample), compare);
    ck_assert_mem_eq(set->samples, expected.samples, expected.count * sizeof(Sample));
    expected.count = 0;
}

static bool is_on_disk; // option of the loader

static bool load(Dataset *dataset, int files, double held_out, uint64_t max_positions, int threads)
{
    const char *const names[2] = {paths[0], paths[1]};
    const LoaderOptions options = {.paths = names,
                                   .path_count = files,
                                   .held_out_percent = held_out,
                                   .max_positions = max_positions,
                                   .seed = 1,
                                   .score_max = score_max,
                                   .quiet_eval = quiet_within < 0 ? NULL : &BOOTSTRAP,
                                   .quiet_within = quiet_within,
                                   .store_path = is_on_disk ? paths[1] : NULL,
                                   .td_share = td_share,
                                   .unit = UNIT,
                                   .is_silent = true};
    ThreadPool *const pool = thread_pool_create(threads);
    const bool is_loaded = loader_load(dataset, &options, pool, error);
    thread_pool_free(pool);
    return is_loaded;
}

static void setup(void)
{
    expected.count = 0;
    td_share = 0.0;
    score_max = 0;
    quiet_within = -1;
    is_on_disk = false;
    for (int i = 0; i < 2; i++)
        made_path(paths[i]);
}

static void teardown(void)
{
    for (int i = 0; i < 2; i++)
        remove(paths[i]);
}

START_TEST(all_positions_to_keep_are_read_back)
{
    write_games(paths[0], 1, GAMES);
    Dataset dataset;
    ck_assert_msg(load(&dataset, 1, 0, 0, 1), "%s", error);
    ck_assert_uint_eq(dataset.games, GAMES);
    ck_assert_uint_eq(dataset.damaged, 0);
    ck_assert_uint_eq(dataset.held_out.count, 0);
    expect_games(1, GAMES);
    check_set(&dataset.train);
    loader_free(&dataset);
}
END_TEST

START_TEST(td_targets_change_scores_but_not_the_positions_kept)
{
    write_games(paths[0], 1, GAMES);
    Dataset dataset;
    td_share = 0.8;
    ck_assert_msg(load(&dataset, 1, 0, 0, 2), "%s", error);
    expect_games(1, GAMES);
    check_set(&dataset.train);
    loader_free(&dataset);
}
END_TEST

START_TEST(positions_with_larger_scores_are_left_out)
{
    write_games(paths[0], 1, GAMES);
    Dataset all, some;
    ck_assert(load(&all, 1, 0, 0, 1));
    td_share = 0.8; // changes the scores only afterwards
    score_max = 700;
    ck_assert(load(&some, 1, 0, 0, 1));
    ck_assert_uint_lt(some.train.count, all.train.count / 3);
    expect_games(1, GAMES);
    check_set(&some.train);
    loader_free(&all);
    loader_free(&some);
}
END_TEST

START_TEST(positions_that_are_not_quiet_are_left_out)
{
    write_games(paths[0], 1, GAMES);
    Dataset all, some, three;
    ck_assert(load(&all, 1, 0, 0, 1));
    quiet_within = 50;
    ck_assert(load(&some, 1, 0, 0, 1) && load(&three, 1, 0, 0, 3));
    ck_assert_uint_gt(some.train.count, all.train.count / 20);
    ck_assert_uint_lt(some.train.count, all.train.count * 9 / 10);
    ck_assert_uint_eq(three.train.count, some.train.count);
    ck_assert_mem_eq(three.train.samples, some.train.samples, some.train.count * sizeof(Sample));
    expect_games(1, GAMES / 8);
    const size_t expected_of_part = expected.count;
    expected.count = 0;
    quiet_within = -1;
    expect_games(1, GAMES / 8);
    ck_assert_uint_lt(expected_of_part, expected.count);
    loader_free(&all);
    loader_free(&some);
    loader_free(&three);
}
END_TEST

START_TEST(the_last_games_of_each_file_are_held_out_and_no_others)
{
    write_games(paths[0], 1, GAMES);
    write_games(paths[1], 500, GAMES / 2);
    Dataset dataset;
    ck_assert_msg(load(&dataset, 2, 10, 0, 2), "%s", error);
    const int first = GAMES / 10, second = GAMES / 20;
    ck_assert_uint_eq(dataset.held_out_games, (uint64_t)(first + second));
    expect_games(1, GAMES - first);
    expect_games(500, GAMES / 2 - second);
    check_set(&dataset.train);
    expect_games(1 + GAMES - first, first);
    expect_games(500 + GAMES / 2 - second, second);
    check_set(&dataset.held_out);
    loader_free(&dataset);
}
END_TEST

START_TEST(a_file_given_twice_counts_twice_and_holds_out_the_same_games)
{
    write_games(paths[0], 1, GAMES);
    remove(paths[1]);
    memcpy(paths[1], paths[0], sizeof paths[1]);
    Dataset dataset;
    ck_assert_msg(load(&dataset, 2, 10, 0, 2), "%s", error);
    const int held = GAMES / 10;
    for (int copy = 0; copy < 2; copy++)
        expect_games(1, GAMES - held);
    check_set(&dataset.train);
    for (int copy = 0; copy < 2; copy++)
        expect_games(1 + GAMES - held, held);
    check_set(&dataset.held_out);
    loader_free(&dataset);
}
END_TEST

/* Reads all positions to train on into a new set. */
static SampleSet read_store(const Dataset *dataset)
{
    const size_t count = (size_t)loader_positions(dataset);
    SampleSet set = {.bytes = count * sizeof(Sample)};
    set.samples = mem_alloc_large(set.bytes, NULL);
    for (int b = 0; b < SAMPLE_STORE_BINS; b++) {
        ck_assert(sample_store_read(dataset->store, b, set.samples + set.count));
        set.count += sample_store_bin_count(dataset->store, b);
    }
    ck_assert_uint_eq(set.count, count);
    return set;
}

START_TEST(a_store_has_the_positions_that_memory_would_have)
{
    write_games(paths[0], 1, GAMES);
    Dataset memory, disk, three;
    ck_assert(load(&memory, 1, 10, 0, 1));
    is_on_disk = true;
    ck_assert_msg(load(&disk, 1, 10, 0, 1), "%s", error);
    ck_assert(load(&three, 1, 10, 0, 3));
    ck_assert_uint_eq(loader_positions(&disk), loader_positions(&memory));
    Dataset read = {.train = read_store(&disk)}, read_three = {.train = read_store(&three)};
    ck_assert_mem_eq(read.train.samples, read_three.train.samples,
                     read.train.count * sizeof(Sample)); // the same bins
    expect_games(1, GAMES - GAMES / 10);
    check_set(&read.train);
    ck_assert_uint_eq(disk.held_out.count, memory.held_out.count);
    ck_assert_mem_eq(disk.held_out.samples, memory.held_out.samples,
                     disk.held_out.count * sizeof(Sample));
    ck_assert_uint_gt(disk.train.count, 1000); // to measure with
    loader_free(&read);
    loader_free(&read_three);
    loader_free(&memory);
    loader_free(&disk);
    loader_free(&three);
}
END_TEST

START_TEST(a_store_obeys_the_limit)
{
    write_games(paths[0], 1, GAMES);
    Dataset dataset;
    is_on_disk = true;
    ck_assert(load(&dataset, 1, 2, 100, 2));
    ck_assert_uint_eq(loader_positions(&dataset), 100);
    ck_assert_uint_eq(dataset.train.count, 100);
    loader_free(&dataset);
}
END_TEST

START_TEST(a_store_that_cannot_be_made_is_an_error)
{
    write_games(paths[0], 1, GAMES);
    Dataset dataset;
    is_on_disk = true;
    remove(paths[1]);
    snprintf(paths[1], sizeof paths[1], "/tmp/no such folder of palimpsest/a");
    ck_assert(!load(&dataset, 1, 2, 0, 1));
    ck_assert_msg(strstr(error, paths[1]) != NULL, "%s", error);
    loader_free(&dataset);
}
END_TEST

START_TEST(a_small_percentage_holds_out_at_least_one_game)
{
    write_games(paths[0], 1, GAMES);
    Dataset dataset;
    ck_assert_msg(load(&dataset, 1, 0.1, 0, 1), "%s", error);
    ck_assert_uint_eq(dataset.held_out_games, 1);
    loader_free(&dataset);
}
END_TEST

START_TEST(the_order_is_shuffled_and_equal_for_any_number_of_threads)
{
    write_games(paths[0], 1, GAMES);
    Dataset one, three;
    ck_assert(load(&one, 1, 2, 0, 1) && load(&three, 1, 2, 0, 3));
    ck_assert_uint_eq(one.train.count, three.train.count);
    ck_assert_mem_eq(one.train.samples, three.train.samples, one.train.count * sizeof(Sample));
    ck_assert_mem_eq(one.held_out.samples, three.held_out.samples,
                     one.held_out.count * sizeof(Sample));
    expect_games(1, GAMES - 1);
    size_t in_place = 0;
    for (size_t i = 0; i < one.train.count; i++)
        in_place += compare(&one.train.samples[i], &expected.samples[i]) == 0;
    ck_assert_uint_lt(in_place, one.train.count / 20);
    loader_free(&one);
    loader_free(&three);
}
END_TEST

START_TEST(a_limit_takes_part_of_the_positions)
{
    write_games(paths[0], 1, GAMES);
    Dataset all, some;
    ck_assert(load(&all, 1, 2, 0, 1) && load(&some, 1, 2, 100, 1));
    ck_assert_uint_eq(some.train.count, 100);
    ck_assert_uint_eq(some.held_out.count, all.held_out.count);
    ck_assert_mem_eq(some.train.samples, all.train.samples, 100 * sizeof(Sample));
    loader_free(&all);
    loader_free(&some);
}
END_TEST

START_TEST(damaged_games_are_left_out_and_counted)
{
    write_games(paths[0], 1, GAMES / 2);
    RecordWriter writer;
    ck_assert(record_log_append_open(&writer, paths[0], GAMECODE_MAGIC, NULL, error));
    ck_assert(record_log_append(&writer, "\xFFno game", 8));
    record_log_append_close(&writer);
    write_games(paths[0], 1 + GAMES / 2, GAMES / 2);
    FILE *const file = fopen(paths[0], "ab"); // an incomplete block, as after a crash
    ck_assert_int_eq(fputc(200, file), 200);
    fclose(file);
    Dataset dataset;
    ck_assert_msg(load(&dataset, 1, 0, 0, 1), "%s", error);
    ck_assert_uint_eq(dataset.damaged, 2);
    ck_assert_uint_eq(dataset.games, GAMES);
    expect_games(1, GAMES);
    check_set(&dataset.train);
    loader_free(&dataset);
}
END_TEST

/* As a newer version of the program may write them. */
START_TEST(a_file_of_unreadable_games_is_not_said_to_have_no_positions)
{
    RecordWriter writer;
    Dataset dataset;
    ck_assert(record_log_append_open(&writer, paths[0], GAMECODE_MAGIC, NULL, error));
    ck_assert(record_log_append(&writer, "\xFEgame", 5));
    ck_assert(record_log_append_close(&writer));
    ck_assert(!load(&dataset, 1, 0, 0, 1));
    ck_assert_msg(strstr(error, "1 games or blocks in these files cannot be read") != NULL, "%s",
                  error);
    loader_free(&dataset);
}
END_TEST

/* The reason is the filter, not the damage or the games held out. */
START_TEST(positions_that_no_filter_passes_are_not_said_to_be_lacking)
{
    Dataset dataset;
    quiet_within = 0;
    score_max = 1;
    write_games(paths[0], 1, 3);
    FILE *const file = fopen(paths[0], "ab");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fputs("unfinished", file) >= 0, 1);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert(!load(&dataset, 1, _i == 0 ? 0 : 50, 0, 1));
    ck_assert_msg(strstr(error, "passes") != NULL, "%s", error);
    loader_free(&dataset);
}
END_TEST

START_TEST(files_without_games_are_refused_by_name)
{
    Dataset dataset;
    ck_assert(!load(&dataset, 1, 0, 0, 1)); // empty
    loader_free(&dataset);
    whole_file_write_text(paths[0], "some other file altogether");
    ck_assert(!load(&dataset, 1, 0, 0, 1));
    ck_assert_msg(strstr(error, paths[0]) != NULL, "%s", error);
    loader_free(&dataset);
    remove(paths[0]);
    ck_assert(!load(&dataset, 1, 0, 0, 1));
    ck_assert_msg(strstr(error, paths[0]) != NULL, "%s", error);
    loader_free(&dataset);
}
END_TEST

Suite *suite_loader(void);
Suite *suite_loader(void)
{
    Suite *suite = suite_create("loader");
    TCase *tcase = tcase_create("loader");
    tcase_set_timeout(tcase, 20);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, all_positions_to_keep_are_read_back);
    tcase_add_test(tcase, td_targets_change_scores_but_not_the_positions_kept);
    tcase_add_test(tcase, positions_with_larger_scores_are_left_out);
    tcase_add_test(tcase, positions_that_are_not_quiet_are_left_out);
    tcase_add_test(tcase, the_last_games_of_each_file_are_held_out_and_no_others);
    tcase_add_test(tcase, a_file_given_twice_counts_twice_and_holds_out_the_same_games);
    tcase_add_test(tcase, a_store_has_the_positions_that_memory_would_have);
    tcase_add_test(tcase, a_store_obeys_the_limit);
    tcase_add_test(tcase, a_store_that_cannot_be_made_is_an_error);
    tcase_add_test(tcase, a_small_percentage_holds_out_at_least_one_game);
    tcase_add_test(tcase, the_order_is_shuffled_and_equal_for_any_number_of_threads);
    tcase_add_test(tcase, a_limit_takes_part_of_the_positions);
    tcase_add_test(tcase, damaged_games_are_left_out_and_counted);
    tcase_add_test(tcase, a_file_of_unreadable_games_is_not_said_to_have_no_positions);
    tcase_add_loop_test(tcase, positions_that_no_filter_passes_are_not_said_to_be_lacking, 0, 2);
    tcase_add_test(tcase, files_without_games_are_refused_by_name);
    suite_add_tcase(suite, tcase);
    return suite;
}
