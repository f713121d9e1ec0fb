// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/clock.h"
#include "base/rng.h"
#include "base/thread.h"
#include "datagen/generate.h"
#include "datagen/verify.h"
#include "eval/bootstrap.h"
#include "whole_file.h"

enum { GAMES_MAX = 400 };

static const EvalSource SOURCE = {.bootstrap = bootstrap_eval};
static char path[64];
static char error[GAMEFILE_ERROR_MAX];

/* The games of a file, by number. */
typedef struct {
    GameRecord games[GAMES_MAX];
    uint64_t trees[GAMES_MAX]; // checksums of their tree nodes; 0: none
    bool present[GAMES_MAX];
    int count;
} NumberedGames;

static void setup(void)
{
    snprintf(path, sizeof path, "/tmp/palimpsest-test-XXXXXX");
    const int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
}

static void teardown(void)
{
    remove(path);
}

static GenerateOptions options_for(int threads, uint64_t games)
{
    return (GenerateOptions){.path = path,
                             .threads = threads,
                             .games = games,
                             .hash_mib = 1,
                             .selfplay = {.opening = {.plies = 8, .chess960_percent = 20},
                                          .soft_nodes = 30,
                                          .win_score = 1500,
                                          .hard_nodes = 120,
                                          .seed = 5},
                             .eval = &SOURCE,
                             .is_silent = true};
}

static GenerateResult run(const GenerateOptions *options)
{
    GenerateResult result;
    ck_assert_msg(generate_games(options, &result, error), "%s", error);
    return result;
}

static bool add_game(void *ctx, const GameRecord *game, const GameBlock *block)
{
    NumberedGames *found = ctx;
    ck_assert_uint_gt(block->game_size, 0);
    ck_assert_uint_lt(game->number, GAMES_MAX);
    ck_assert_msg(!found->present[game->number], "two games are number %u", game->number);
    ck_assert_msg(verify_game(game) == NULL, "%s", verify_game(game));
    found->present[game->number] = true;
    found->games[game->number] = *game;
    ck_assert_ptr_null(verify_block(game, block));
    if (block->tree_size > 0)
        found->trees[game->number] = checksum64(block->tree, block->tree_size);
    found->count++;
    return true;
}

/* Reads the whole file; any fault fails the test. */
static GamefileTally read_games(NumberedGames *found)
{
    GamefileTally tally;
    memset(found, 0, sizeof *found);
    ck_assert_msg(gamefile_read(&(GamefileSource){.path = path}, add_game, found, &tally, error),
                  "%s", error);
    ck_assert_uint_eq(tally.damaged + tally.unreadable + tally.truncated, 0);
    return tally;
}

static bool is_same_game(const GameRecord *a, const GameRecord *b)
{
    return a->plies == b->plies && a->opening == b->opening && a->result == b->result &&
           memcmp(a->setup, b->setup, sizeof a->setup) == 0 &&
           memcmp(a->moves, b->moves, a->plies * sizeof a->moves[0]) == 0 &&
           memcmp(a->scores, b->scores, a->plies * sizeof a->scores[0]) == 0;
}

START_TEST(games_are_the_same_with_any_number_of_threads)
{
    enum { GAMES = 14 };
    static NumberedGames one, three;
    GenerateOptions options = options_for(1, GAMES);
    const GenerateResult result = run(&options);
    const GamefileTally tally = read_games(&one);
    ck_assert_uint_eq(result.games, GAMES);
    ck_assert_uint_eq(result.positions, tally.kept);
    ck_assert(!result.stopped);
    teardown();
    options.threads = 3;
    run(&options);
    read_games(&three);
    ck_assert_int_eq(one.count, GAMES);
    ck_assert_int_eq(three.count, GAMES);
    for (int i = 0; i < GAMES; i++) {
        ck_assert(one.present[i] && three.present[i]);
        ck_assert(is_same_game(&one.games[i], &three.games[i]));
    }
    ck_assert(!is_same_game(&one.games[0], &one.games[1]));
}
END_TEST

START_TEST(tree_nodes_do_not_depend_on_the_threads_nor_games_on_tree_nodes)
{
    enum { GAMES = 8 };
    static NumberedGames plain, one, three;
    GenerateOptions options = options_for(1, GAMES);
    ck_assert_uint_eq(run(&options).tree_nodes, 0);
    read_games(&plain);
    options.selfplay.tree = (TreeOptions){.nodes = 3, .depth = 1};
    teardown();
    ck_assert_uint_gt(run(&options).tree_nodes, 100);
    read_games(&one);
    options.threads = 3;
    teardown();
    run(&options);
    read_games(&three);
    for (int i = 0; i < GAMES; i++) {
        ck_assert(is_same_game(&plain.games[i], &one.games[i]));
        ck_assert(is_same_game(&plain.games[i], &three.games[i]));
        ck_assert_uint_eq(plain.trees[i], 0);
        ck_assert_uint_ne(one.trees[i], 0);
        ck_assert_uint_eq(one.trees[i], three.trees[i]);
    }
    ck_assert_uint_ne(one.trees[0], one.trees[1]);
}
END_TEST

START_TEST(a_run_continues_after_its_last_game)
{
    static NumberedGames whole, parts;
    GenerateOptions options = options_for(2, 12);
    run(&options);
    read_games(&whole);
    teardown();
    options.games = 5;
    run(&options);
    options.games = 12;
    const GenerateResult result = run(&options);
    ck_assert_uint_eq(result.found.games, 5);
    const GamefileTally tally = read_games(&parts);
    ck_assert_uint_eq(result.positions, tally.kept);
    for (int i = 0; i < 12; i++)
        ck_assert(parts.present[i] && is_same_game(&whole.games[i], &parts.games[i]));
    ck_assert_uint_eq(run(&options).games, 12); // nothing left to do
}
END_TEST

START_TEST(a_number_of_positions_ends_a_run)
{
    static NumberedGames found;
    GenerateOptions options = options_for(2, 0);
    options.positions = 500;
    const GenerateResult result = run(&options);
    const GamefileTally tally = read_games(&found);
    ck_assert_uint_ge(tally.kept, 500);
    ck_assert_uint_eq(result.positions, tally.kept);
    ck_assert_uint_lt(tally.kept, 500 + 2 * GAME_MAX_PLIES);
    options.positions = tally.kept;
    ck_assert_uint_eq(run(&options).games, tally.games); // nothing left to do
}
END_TEST

/* The file is in the state that a process leaves when it dies while writing. */
static void truncate_by(long bytes)
{
    ck_assert_int_eq(truncate(path, (long)whole_file_size(path) - bytes), 0);
}

START_TEST(a_truncated_file_is_continued)
{
    static NumberedGames found;
    GenerateOptions options = options_for(1, 6);
    run(&options);
    truncate_by(5);
    ck_assert_msg(!verify_file(path, tmpfile()), "the damage is not seen");
    options.games = 8;
    const GenerateResult result = run(&options);
    ck_assert_uint_eq(result.found.games, 5);
    ck_assert_uint_eq(result.games, 8);
    read_games(&found);
    ck_assert_int_eq(found.count, 8);
    for (int i = 0; i < 8; i++)
        ck_assert(found.present[i]);
    ck_assert(verify_file(path, tmpfile()));
}
END_TEST

static atomic_bool stop;

static void *stop_soon(void *arg)
{
    clock_sleep_ms(*(int *)arg);
    atomic_store(&stop, true);
    return NULL;
}

START_TEST(an_interrupted_run_ends_soon_and_leaves_whole_games)
{
    static NumberedGames found;
    Thread thread;
    int wait_ms = 300;
    atomic_init(&stop, false);
    GenerateOptions options = options_for(2, GAMES_MAX);
    options.selfplay.soft_nodes = 100;
    options.selfplay.hard_nodes = 400;
    options.stop = &stop;
    ck_assert(thread_start(&thread, stop_soon, &wait_ms));
    const int64_t start = clock_ms();
    const GenerateResult result = run(&options);
    const int64_t taken = clock_ms() - start;
    thread_join(&thread);
    const GamefileTally tally = read_games(&found);
    ck_assert(result.stopped);
    ck_assert_int_le(result.dropped, 2);
    ck_assert_uint_eq(result.games, tally.games);
    ck_assert_uint_eq(result.positions, tally.kept);
    ck_assert_uint_lt(tally.games, GAMES_MAX);
    ck_assert_msg(taken < wait_ms + 1000, "%d ms", (int)taken);
}
END_TEST

START_TEST(a_run_can_be_stopped_while_it_reads_its_file)
{
    GenerateOptions options = options_for(1, 2);
    run(&options);
    GenerateResult result;
    atomic_init(&stop, true);
    options.stop = &stop;
    options.games = 4;
    ck_assert(!generate_games(&options, &result, error));
    ck_assert(result.stopped);
    ck_assert_ptr_nonnull(strstr(error, "interrupted"));
}
END_TEST

/* Without the flag the search for a good game in these bytes would take 20 seconds. */
START_TEST(a_run_can_be_stopped_while_it_searches_a_damaged_file)
{
    enum { BYTES = 2 << 20 };
    static uint8_t noise[BYTES];
    Thread thread;
    Rng rng;
    int wait_ms = 200;
    GenerateOptions options = options_for(1, 2);
    run(&options);
    rng_seed(&rng, 1);
    for (size_t i = 0; i < BYTES; i++)
        noise[i] = (uint8_t)rng_next(&rng);
    FILE *const file = fopen(path, "ab");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(noise, 1, BYTES, file), BYTES);
    fclose(file);
    atomic_init(&stop, false);
    options.stop = &stop;
    options.games = 4;
    GenerateResult result;
    ck_assert(thread_start(&thread, stop_soon, &wait_ms));
    const int64_t start_ms = clock_ms();
    ck_assert(!generate_games(&options, &result, error));
    const int64_t taken_ms = clock_ms() - start_ms;
    thread_join(&thread);
    ck_assert(result.stopped);
    ck_assert_msg(strstr(error, "interrupted") != NULL, "%s", error);
    ck_assert_msg(taken_ms < wait_ms + 1000, "%d ms", (int)taken_ms);
}
END_TEST

START_TEST(files_of_other_kinds_are_left_unchanged)
{
    static const char OTHER[] = "these are no games at all";
    whole_file_write_text(path, OTHER);
    const GenerateOptions options = options_for(1, 3);
    GenerateResult result;
    ck_assert(!generate_games(&options, &result, error));
    ck_assert_ptr_nonnull(strstr(error, path));
    size_t size;
    char *const text = (char *)whole_file_read(path, &size);
    ck_assert_str_eq(text, OTHER);
    free(text);
}
END_TEST

/* Else its games would not count, and their numbers would be given to new games. */
START_TEST(a_file_with_games_of_a_newer_version_is_left_unchanged)
{
    RecordWriter writer;
    ck_assert_msg(record_log_append_open(&writer, path, GAMECODE_MAGIC, NULL, error), "%s", error);
    ck_assert(record_log_append(&writer, "\xFEgame", 5));
    ck_assert(record_log_append_close(&writer));
    size_t size;
    uint8_t *const before = whole_file_read(path, &size);
    const GenerateOptions options = options_for(1, 3);
    GenerateResult result;
    ck_assert(!generate_games(&options, &result, error));
    ck_assert_msg(strstr(error, path) != NULL && strstr(error, "newer version") != NULL, "%s",
                  error);
    whole_file_expect(path, before, size);
    free(before);
}
END_TEST

START_TEST(a_path_that_cannot_be_written_is_an_error)
{
    GenerateOptions options = options_for(1, 3);
    options.path = "/nowhere/games";
    GenerateResult result;
    ck_assert(!generate_games(&options, &result, error));
    ck_assert_ptr_nonnull(strstr(error, "/nowhere/games"));
}
END_TEST

Suite *suite_generate(void);
Suite *suite_generate(void)
{
    Suite *suite = suite_create("generate");
    TCase *tcase = tcase_create("generate");
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, games_are_the_same_with_any_number_of_threads);
    tcase_add_test(tcase, tree_nodes_do_not_depend_on_the_threads_nor_games_on_tree_nodes);
    tcase_add_test(tcase, a_run_continues_after_its_last_game);
    tcase_add_test(tcase, a_number_of_positions_ends_a_run);
    tcase_add_test(tcase, a_truncated_file_is_continued);
    tcase_add_test(tcase, an_interrupted_run_ends_soon_and_leaves_whole_games);
    tcase_add_test(tcase, a_run_can_be_stopped_while_it_reads_its_file);
    tcase_add_test(tcase, a_run_can_be_stopped_while_it_searches_a_damaged_file);
    tcase_add_test(tcase, files_of_other_kinds_are_left_unchanged);
    tcase_add_test(tcase, a_file_with_games_of_a_newer_version_is_left_unchanged);
    tcase_add_test(tcase, a_path_that_cannot_be_written_is_an_error);
    suite_add_tcase(suite, tcase);
    return suite;
}
