// SPDX-License-Identifier: GPL-3.0-or-later
/* Tests of loader.h with tree nodes. */

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/record_log.h"
#include "chess/chess960.h"
#include "chess/play.h"
#include "games/made_tree.h"
#include "made_data.h"
#include "train/loader.h"

enum { GAMES = 20, HELD = 2, PER_PLY = 2, ROOM = 20000 };

static char path[MADE_PATH_ROOM], error[LOADER_ERROR_MAX];
static TreeNode nodes[TREE_NODES_MAX];
static Sample expected[ROOM];
static size_t expected_count;
static uint64_t max_positions; // options of the loader; 0: all
static int score_max;
static int per_ply; // tree nodes in the files

/* Writes games with tree nodes. A byte follows the nodes of the last `spoilt` games. */
static void write_games(int spoilt)
{
    static uint8_t bytes[GAMEBLOCK_MAX_BYTES + 1];
    RecordWriter writer;
    ck_assert_msg(record_log_append_open(&writer, path, GAMECODE_MAGIC, NULL, error), "%s", error);
    for (int i = 0; i < GAMES; i++) {
        GameRecord game;
        made_game(&game, (uint64_t)i);
        const size_t size =
            made_block(&game, nodes, made_tree(&game, (uint64_t)i, per_ply, nodes), bytes);
        bytes[size] = 0;
        ck_assert(record_log_append(&writer, bytes, size + (i >= GAMES - spoilt)));
    }
    record_log_append_close(&writer);
}

static void setup(void)
{
    made_path(path);
    expected_count = 0;
    max_positions = 0;
    score_max = 0;
    per_ply = PER_PLY;
}

static void teardown(void)
{
    remove(path);
}

static bool try_load(Dataset *dataset, const TreeLearning *tree, double held_out, int threads)
{
    const char *const names[] = {path};
    const LoaderOptions options = {.paths = names,
                                   .path_count = 1,
                                   .tree = *tree,
                                   .held_out_percent = held_out,
                                   .max_positions = max_positions,
                                   .seed = 1,
                                   .score_max = score_max,
                                   .is_silent = true};
    ThreadPool *const pool = thread_pool_create(threads);
    const bool is_loaded = loader_load(dataset, &options, pool, error);
    thread_pool_free(pool);
    return is_loaded;
}

static void load(Dataset *dataset, const TreeLearning *tree, double held_out, int threads)
{
    ck_assert_msg(try_load(dataset, tree, held_out, threads), "%s", error);
}

static Sample *expect(void)
{
    ck_assert_uint_lt(expected_count, ROOM);
    return &expected[expected_count++];
}

/* Plays the game and the paths of its nodes without the code under test. */
static void expect_games(int end)
{
    for (int i = 0; i < end; i++) {
        GameRecord game;
        Position pos;
        made_game(&game, (uint64_t)i);
        chess960_start(&pos, game.setup[WHITE], game.setup[BLACK]);
        for (int ply = 0; ply < game.plies; ply++) {
            const bool is_within = score_max == 0 || abs(game.scores[ply]) <= score_max;
            if (gamecode_suits_training(&pos, &game, ply) && is_within)
                sample_pack(expect(), &pos, game.scores[ply],
                            pos.side == WHITE ? game.result : 2 - game.result);
            pos_advance(&pos, game.moves[ply]);
        }
    }
}

static void expect_trees(int end, const TreeLearning *learning)
{
    for (int i = 0; i < end; i++) {
        GameRecord game;
        made_game(&game, (uint64_t)i);
        const int count = made_tree(&game, (uint64_t)i, PER_PLY, nodes);
        for (int k = 0; k < count; k++) {
            const TreeNode *const node = &nodes[k];
            Position pos;
            chess960_start(&pos, game.setup[WHITE], game.setup[BLACK]);
            for (int m = 0; m < node->ply + node->length; m++)
                pos_advance(&pos, m < node->ply ? game.moves[m] : node->path[m - node->ply]);
            expected_count -= !tree_learning_sample(expect(), &pos, node, learning);
        }
    }
}

static int compare(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(Sample));
}

static void check_train(Dataset *dataset)
{
    const SampleSet *const set = &dataset->train;
    ck_assert_uint_eq(set->count, expected_count);
    qsort(set->samples, set->count, sizeof(Sample), compare);
    qsort(expected, expected_count, sizeof(Sample), compare);
    ck_assert_mem_eq(set->samples, expected, expected_count * sizeof(Sample));
}

START_TEST(tree_nodes_are_read_for_training_but_not_held_out)
{
    static const TreeLearning LEARNING[] = {{0.25, 1.0, 0.6}, {1.0, 0.25, 1.0}, {2.0, 0.0, 1.5}};
    const TreeLearning *const learning = &LEARNING[_i];
    Dataset dataset;
    write_games(0);
    load(&dataset, learning, 100.0 * HELD / GAMES, 1 + _i);
    expect_games(GAMES - HELD);
    const size_t positions = expected_count;
    expect_trees(GAMES - HELD, learning);
    ck_assert_uint_gt(expected_count, positions);
    ck_assert_uint_eq(dataset.tree_nodes, expected_count - positions);
    ck_assert_uint_eq(dataset.damaged, 0);
    check_train(&dataset);
    for (size_t i = 0; i < dataset.held_out.count; i++)
        ck_assert_uint_eq(dataset.held_out.samples[i].bound, 0);
    ck_assert_uint_gt(dataset.held_out.count, 0);
    loader_free(&dataset);
}
END_TEST

START_TEST(without_weight_tree_nodes_are_not_even_read)
{
    Dataset dataset;
    write_games(1);
    load(&dataset, &(TreeLearning){.bounds = 1.0, .scale = 1.0}, 0, 1);
    expect_games(GAMES);
    ck_assert_uint_eq(dataset.damaged, 0);
    ck_assert_uint_eq(dataset.tree_nodes, 0);
    check_train(&dataset);
    loader_free(&dataset);
}
END_TEST

START_TEST(a_weight_for_tree_nodes_without_any_is_refused)
{
    Dataset dataset;
    per_ply = 0;
    write_games(0);
    ck_assert(!try_load(&dataset, &(TreeLearning){1.0, 1.0, 1.0}, 0, 1));
    ck_assert_msg(strstr(error, "no tree nodes") != NULL, "%s", error);
    loader_free(&dataset);
    load(&dataset, &(TreeLearning){0.0, 1.0, 1.0}, 0, 1);
    loader_free(&dataset);
}
END_TEST

START_TEST(invalid_tree_nodes_are_left_out_and_counted)
{
    const TreeLearning learning = {1.0, 1.0, 1.0};
    Dataset dataset;
    write_games(3);
    load(&dataset, &learning, 0, 2);
    expect_games(GAMES);
    expect_trees(GAMES - 3, &learning);
    ck_assert_uint_eq(dataset.damaged, 3);
    check_train(&dataset);
    loader_free(&dataset);
}
END_TEST

START_TEST(a_filter_of_positions_keeps_the_tree_nodes_of_their_games)
{
    const TreeLearning learning = {1.0, 1.0, 1.0};
    Dataset dataset;
    write_games(0);
    score_max = 3;
    load(&dataset, &learning, 0, 2);
    expect_games(1);
    ck_assert_uint_eq(expected_count, 0); // the first game has no such position
    expect_games(GAMES);
    expect_trees(GAMES, &learning);
    check_train(&dataset);
    loader_free(&dataset);
}
END_TEST

START_TEST(only_tree_nodes_within_the_limit_are_counted)
{
    const TreeLearning learning = {1.0, 1.0, 1.0};
    Dataset dataset;
    uint64_t count = 0;
    write_games(0);
    max_positions = 100;
    load(&dataset, &learning, 0, 1);
    for (size_t i = 0; i < dataset.train.count; i++)
        count += dataset.train.samples[i].bound != 0;
    ck_assert(count > 0 && count < max_positions);
    ck_assert_uint_eq(dataset.tree_nodes, count);
    loader_free(&dataset);
}
END_TEST

START_TEST(a_block_that_ends_in_its_head_is_counted_as_damaged)
{
    const TreeLearning learning = {1.0, 1.0, 1.0};
    static uint8_t bytes[GAMEBLOCK_MAX_BYTES];
    GameBlock block;
    GameRecord game;
    RecordWriter writer;
    Dataset dataset;
    write_games(0);
    made_game(&game, 0);
    made_block(&game, nodes, made_tree(&game, 0, PER_PLY, nodes), bytes);
    ck_assert(!gameblock_split(&block, bytes, GAMEBLOCK_HEAD - 1));
    ck_assert(record_log_append_open(&writer, path, GAMECODE_MAGIC, NULL, error));
    ck_assert(record_log_append(&writer, bytes, GAMEBLOCK_HEAD - 1));
    record_log_append_close(&writer);
    load(&dataset, &learning, 0, 1);
    expect_games(GAMES);
    expect_trees(GAMES, &learning);
    ck_assert_uint_eq(dataset.damaged, 1);
    check_train(&dataset);
    loader_free(&dataset);
}
END_TEST

Suite *suite_loader_tree(void);
Suite *suite_loader_tree(void)
{
    Suite *suite = suite_create("loader_tree");
    TCase *tcase = tcase_create("loader_tree");
    tcase_set_timeout(tcase, 30);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, tree_nodes_are_read_for_training_but_not_held_out, 0, 3);
    tcase_add_test(tcase, without_weight_tree_nodes_are_not_even_read);
    tcase_add_test(tcase, a_weight_for_tree_nodes_without_any_is_refused);
    tcase_add_test(tcase, invalid_tree_nodes_are_left_out_and_counted);
    tcase_add_test(tcase, a_filter_of_positions_keeps_the_tree_nodes_of_their_games);
    tcase_add_test(tcase, only_tree_nodes_within_the_limit_are_counted);
    tcase_add_test(tcase, a_block_that_ends_in_its_head_is_counted_as_damaged);
    suite_add_tcase(suite, tcase);
    return suite;
}
