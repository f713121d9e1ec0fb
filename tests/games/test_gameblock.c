// SPDX-License-Identifier: GPL-3.0-or-later
#include "games/gameblock.h"

#include <check.h>
#include <string.h>

static const uint8_t GAME[] = {1, 20, 30, 40}, TREE[] = {5, 6};
static uint8_t bytes[GAMEBLOCK_MAX_BYTES];

START_TEST(a_block_without_nodes_is_the_packed_game)
{
    GameBlock block = {.game = GAME, .game_size = sizeof GAME}, found;
    ck_assert_uint_eq(gameblock_join(&block, bytes), sizeof GAME);
    ck_assert_mem_eq(bytes, GAME, sizeof GAME);
    ck_assert(gameblock_split(&found, bytes, sizeof GAME));
    ck_assert_ptr_eq(found.game, bytes);
    ck_assert_uint_eq(found.game_size, sizeof GAME);
    ck_assert_uint_eq(found.tree_size, 0);
}
END_TEST

START_TEST(both_parts_of_a_block_are_found)
{
    GameBlock block = {.game = GAME, .game_size = sizeof GAME, .tree = TREE, .tree_size = 2}, found;
    const size_t size = gameblock_join(&block, bytes);
    ck_assert_uint_eq(size, GAMEBLOCK_HEAD + sizeof GAME + sizeof TREE);
    ck_assert(gameblock_split(&found, bytes, size));
    ck_assert_uint_eq(found.game_size, sizeof GAME);
    ck_assert_mem_eq(found.game, GAME, sizeof GAME);
    ck_assert_uint_eq(found.tree_size, sizeof TREE);
    ck_assert_mem_eq(found.tree, TREE, sizeof TREE);
}
END_TEST

START_TEST(the_largest_parts_fit)
{
    static uint8_t game[GAME_MAX_BYTES], tree[TREE_MAX_BYTES];
    memset(game, 1, sizeof game);
    memset(tree, 3, sizeof tree);
    GameBlock block = {game, tree, sizeof game, sizeof tree}, found;
    ck_assert_uint_eq(gameblock_join(&block, bytes), GAMEBLOCK_MAX_BYTES);
    ck_assert(gameblock_split(&found, bytes, GAMEBLOCK_MAX_BYTES));
    ck_assert_mem_eq(found.game, game, sizeof game);
    ck_assert_mem_eq(found.tree, tree, sizeof tree);
}
END_TEST

START_TEST(blocks_that_are_too_short_are_refused)
{
    GameBlock block = {.game = GAME, .game_size = sizeof GAME, .tree = TREE, .tree_size = 2}, found;
    gameblock_join(&block, bytes);
    for (size_t size = 0; size <= GAMEBLOCK_HEAD + sizeof GAME; size++)
        ck_assert(!gameblock_split(&found, bytes, size));
}
END_TEST

Suite *suite_gameblock(void);
Suite *suite_gameblock(void)
{
    Suite *suite = suite_create("gameblock");
    TCase *tcase = tcase_create("gameblock");
    tcase_add_test(tcase, a_block_without_nodes_is_the_packed_game);
    tcase_add_test(tcase, both_parts_of_a_block_are_found);
    tcase_add_test(tcase, the_largest_parts_fit);
    tcase_add_test(tcase, blocks_that_are_too_short_are_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
