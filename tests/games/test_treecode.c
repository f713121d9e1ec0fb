// SPDX-License-Identifier: GPL-3.0-or-later
#include "games/treecode.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/rng.h"
#include "chess/chess960.h"
#include "chess/movegen.h"
#include "chess/play.h"
#include "games/made_tree.h"

enum { OPENING = 8 };

#define FORMAT_SUM UINT64_C(14175918065224853131)

static GameRecord game;
static TreeNode nodes[TREE_NODES_MAX], read[TREE_NODES_MAX], crowd[TREE_NODES_MAX + 1];
static int node_count, read_count;
static uint8_t bytes[TREE_MAX_BYTES], other_bytes[TREE_MAX_BYTES];

/* A game of random legal moves. */
static void make_game(uint64_t seed, int plies)
{
    Rng rng;
    Position pos;
    rng_seed(&rng, seed);
    game = (GameRecord){.setup = {(uint16_t)rng_below(&rng, CHESS960_NB), CHESS960_STANDARD}};
    chess960_start(&pos, game.setup[WHITE], game.setup[BLACK]);
    while (game.plies < plies) {
        Move moves[MAX_MOVES];
        const int count = gen_legal(&pos, moves);
        if (count == 0)
            break;
        game.moves[game.plies] = moves[rng_below(&rng, (uint64_t)count)];
        pos_advance(&pos, game.moves[game.plies++]);
    }
    game.opening = game.plies < OPENING ? game.plies : OPENING;
}

static void make_tree(uint64_t seed, int plies, int per_ply)
{
    make_game(seed, plies);
    node_count = made_tree(&game, seed, per_ply, nodes);
    ck_assert_int_gt(node_count, 0);
}

/* A TreeVisit: the position must be that at the end of the path. */
static void collect(void *ctx, const Position *pos, const TreeNode *node)
{
    Position end;
    (void)ctx;
    chess960_start(&end, game.setup[WHITE], game.setup[BLACK]);
    for (int i = 0; i < node->ply + node->length; i++)
        pos_advance(&end, i < node->ply ? game.moves[i] : node->path[i - node->ply]);
    ck_assert_uint_eq(pos->key, end.key);
    ck_assert(!pos_in_check(pos));
    read[read_count++] = *node;
}

static bool unpack(const uint8_t *from, size_t size)
{
    read_count = 0;
    return treecode_unpack(&game, from, size, collect, NULL);
}

START_TEST(packed_nodes_are_unpacked_unchanged)
{
    size_t sum = 0, total = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        make_tree(seed, 40 + (int)seed, 1 + (int)seed % TREE_SEARCH_MAX);
        const size_t size = treecode_pack(&game, nodes, node_count, bytes);
        ck_assert_uint_gt(size, 0);
        ck_assert(unpack(bytes, size));
        ck_assert_int_eq(read_count, node_count);
        for (int i = 0; i < node_count; i++) {
            ck_assert_uint_eq(read[i].ply, nodes[i].ply);
            ck_assert_uint_eq(read[i].length, nodes[i].length);
            ck_assert_uint_eq(read[i].depth, nodes[i].depth);
            ck_assert_uint_eq(read[i].bound, nodes[i].bound);
            ck_assert_int_eq(read[i].score, nodes[i].score);
            ck_assert_mem_eq(read[i].path, nodes[i].path, nodes[i].length * sizeof(Move));
        }
        sum += size;
        total += (size_t)node_count;
    }
    ck_assert_msg(sum < 7 * total, "%zu bytes for %zu nodes", sum, total);
}
END_TEST

START_TEST(the_longest_code_fits)
{
    make_tree(3, GAME_MAX_PLIES, 10);
    ck_assert_int_gt(node_count, 4000);
    ck_assert_uint_gt(treecode_pack(&game, nodes, node_count, bytes), 0);
    /* 218 legal moves take 7.8 bits, a node without moves 25 bits, the number of nodes at a ply 6.
     */
    const int bits = TREE_NODES_MAX * (25 + TREE_PATH_MAX * 8) + GAME_MAX_PLIES * 6;
    ck_assert_uint_lt(bits / 8, TREE_MAX_BYTES);
}
END_TEST

/* These bytes fix the format: if they change, old files become unreadable. */
START_TEST(the_format_does_not_change)
{
    uint64_t sum = 0;
    for (uint64_t seed = 0; seed < 50; seed++) {
        make_tree(seed, 100, 3);
        sum = sum * 3 + checksum64(bytes, treecode_pack(&game, nodes, node_count, bytes));
    }
    ck_assert_msg(sum == FORMAT_SUM, "%llu", (unsigned long long)sum);
}
END_TEST

/* Whether the first node can be packed after a change. */
static bool is_packed(int count)
{
    return treecode_pack(&game, nodes, count, bytes) > 0;
}

START_TEST(invalid_nodes_are_refused)
{
    make_tree(5, 60, 2);
    const TreeNode good = nodes[0];
    ck_assert(is_packed(1));
    ck_assert(!is_packed(0));
    nodes[0].score = TREE_SCORE_MAX + 1;
    ck_assert(!is_packed(1));
    nodes[0].score = -TREE_SCORE_MAX - 1;
    ck_assert(!is_packed(1));
    nodes[0] = good;
    nodes[0].bound = 0;
    ck_assert(!is_packed(1));
    nodes[0].bound = TREE_BOUND_NB;
    ck_assert(!is_packed(1));
    nodes[0] = good;
    nodes[0].depth = TREE_DEPTH_MAX + 1;
    ck_assert(!is_packed(1));
    nodes[0] = good;
    nodes[0].length = 0;
    ck_assert(!is_packed(1));
    nodes[0].length = TREE_PATH_MAX + 1;
    ck_assert(!is_packed(1));
    nodes[0] = good;
    nodes[0].path[0] = move_make(E1, E8, KIND_NORMAL);
    ck_assert(!is_packed(1));
    nodes[0] = good;
    nodes[0].ply = game.opening - 1;
    ck_assert(!is_packed(1));
    nodes[0].ply = game.plies;
    ck_assert(!is_packed(1));
    for (int i = 0; i <= TREE_SEARCH_MAX; i++)
        nodes[i] = good;
    ck_assert(is_packed(TREE_SEARCH_MAX));
    ck_assert(!is_packed(TREE_SEARCH_MAX + 1));
}
END_TEST

START_TEST(a_game_has_a_limited_number_of_nodes)
{
    int count = 0;
    make_tree(5, GAME_MAX_PLIES, 1);
    const TreeNode *const made = memcpy(read, nodes, sizeof nodes);
    for (int i = 0; count <= TREE_NODES_MAX; i++)
        for (int k = 0; k < TREE_SEARCH_MAX && count <= TREE_NODES_MAX; k++)
            crowd[count++] = made[i];
    ck_assert_uint_gt(treecode_pack(&game, crowd, TREE_NODES_MAX, bytes), 0);
    ck_assert_uint_eq(treecode_pack(&game, crowd, TREE_NODES_MAX + 1, bytes), 0);
}
END_TEST

START_TEST(the_plies_of_nodes_must_ascend)
{
    make_tree(6, 60, 1);
    ck_assert_int_gt(node_count, 2);
    const TreeNode first = nodes[0];
    nodes[0] = nodes[1];
    nodes[1] = first;
    ck_assert(!is_packed(2));
}
END_TEST

START_TEST(a_node_in_check_is_refused)
{
    static const Move CHECK[] = {E2 | E4 << 6, F7 | F6 << 6, D1 | H5 << 6};
    game = (GameRecord){.setup = {CHESS960_STANDARD, CHESS960_STANDARD}, .plies = 1};
    game.moves[0] = D2 | D4 << 6;
    nodes[0] = (TreeNode){.length = 3, .bound = TREE_EXACT};
    memcpy(nodes[0].path, CHECK, sizeof CHECK);
    ck_assert(!is_packed(1));
    nodes[0].length = 2;
    ck_assert(is_packed(1));
}
END_TEST

/* Bytes that unpack to nodes must equal the packed form of these nodes. */
static bool is_read_as_nodes(const uint8_t *altered, size_t size)
{
    if (!unpack(altered, size))
        return false;
    ck_assert_uint_eq(treecode_pack(&game, read, read_count, other_bytes), size);
    ck_assert_mem_eq(other_bytes, altered, size);
    return true;
}

START_TEST(altered_bytes_are_refused_or_other_nodes)
{
    for (uint64_t seed = 0; seed < 6; seed++) {
        make_tree(seed, 30, 2);
        const size_t size = treecode_pack(&game, nodes, node_count, bytes);
        for (size_t cut = 0; cut < size; cut++) {
            uint8_t *const exact = malloc(size); // so that a sanitizer detects reads beyond it
            ck_assert_ptr_nonnull(exact);
            memcpy(exact, bytes, size);
            is_read_as_nodes(exact, cut);
            for (int by = 1; by < 256; by += 17) {
                exact[cut] = (uint8_t)(bytes[cut] + by);
                is_read_as_nodes(exact, size);
            }
            free(exact);
        }
        memset(bytes + size, 0, 3);
        ck_assert(!unpack(bytes, size + 3));
    }
}
END_TEST

START_TEST(a_code_without_nodes_is_refused)
{
    make_game(1, OPENING + 1);
    const uint8_t zero = 0; // no node at the only ply after the opening
    ck_assert(!unpack(&zero, 0));
    ck_assert(!unpack(&zero, 1));
}
END_TEST

Suite *suite_treecode(void);
Suite *suite_treecode(void)
{
    Suite *suite = suite_create("treecode");
    TCase *tcase = tcase_create("treecode");
    tcase_set_timeout(tcase, 30);
    tcase_add_test(tcase, packed_nodes_are_unpacked_unchanged);
    tcase_add_test(tcase, the_longest_code_fits);
    tcase_add_test(tcase, the_format_does_not_change);
    tcase_add_test(tcase, invalid_nodes_are_refused);
    tcase_add_test(tcase, a_game_has_a_limited_number_of_nodes);
    tcase_add_test(tcase, the_plies_of_nodes_must_ascend);
    tcase_add_test(tcase, a_node_in_check_is_refused);
    tcase_add_test(tcase, altered_bytes_are_refused_or_other_nodes);
    tcase_add_test(tcase, a_code_without_nodes_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
