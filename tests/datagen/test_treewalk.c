// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/treewalk.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "chess/chess960.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/play.h"
#include "chess/random_game.h"
#include "engine/single.h"
#include "eval/bootstrap.h"
#include "search/table_key.h"

enum { NODES = 4000 };

static const EvalSource SOURCE = {.bootstrap = bootstrap_eval};
static Treewalk walk;
static Single *single;

static void setup(void)
{
    single = single_create(1, &SOURCE);
    ck_assert_ptr_nonnull(single);
}

static void teardown(void)
{
    single_destroy(single);
}

static void search(const Position *root)
{
    const Limits limits = {.nodes = NODES};
    Path path;
    path_start(&path, root);
    single_new_game(single);
    single_search(single, root, &path, &limits);
}

/* A position of a random game in which the side to move is not mated. */
static Position draw_root(uint64_t seed)
{
    Walk game;
    walk_start(&game, seed);
    for (int i = 0; i < 12; i++)
        walk_step(&game);
    game.pos.rule50 += seed % 2 == 0 ? 0 : 30; // other table keys
    return game.pos;
}

/* Whether the table has this entry for the position. */
static bool is_in_table(const Position *pos, const TtData *entry)
{
    TtData found[2];
    const int count = tt_peek(single_table(single), table_key(pos), (SearchPoint){.ply = 0}, found);
    for (int i = 0; i < count; i++)
        if (found[i].score == entry->score && found[i].bound == entry->bound &&
            found[i].depth == entry->depth && found[i].move == entry->move)
            return true;
    return false;
}

START_TEST(nodes_are_distinct_positions_below_the_root_with_their_entries)
{
    enum { DEPTH = 2 };
    const Position root = draw_root((uint64_t)_i);
    search(&root);
    treewalk_find(&walk, single_table(single), &root, DEPTH);
    ck_assert_uint_eq(walk.found[0].pos.key, root.key);
    for (int i = 1; i < walk.count; i++) {
        const TreewalkNode *const node = &walk.found[i];
        Position pos = root;
        ck_assert(1 <= node->length && node->length <= TREE_PATH_MAX);
        for (int k = 0; k < node->length; k++) {
            ck_assert(gen_is_legal(&pos, node->path[k]));
            pos_advance(&pos, node->path[k]);
        }
        ck_assert_uint_eq(node->pos.key, pos.key);
        ck_assert_ptr_null(pos_check(&node->pos));
        ck_assert(node->entry.bound != BOUND_NONE && node->entry.depth >= DEPTH);
        ck_assert(is_in_table(&pos, &node->entry));
        for (int k = 0; k < i; k++)
            ck_assert_uint_ne(walk.found[k].pos.key, pos.key);
    }
}
END_TEST

START_TEST(all_children_with_deep_entries_are_found)
{
    enum { DEPTH = 3 };
    int found = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        const Position root = draw_root(seed);
        Move moves[MAX_MOVES];
        search(&root);
        treewalk_find(&walk, single_table(single), &root, DEPTH);
        const int count = gen_legal(&root, moves);
        for (int i = 0; i < count; i++) {
            TtData entries[2];
            Position child;
            pos_play(&child, &root, moves[i]);
            const int hits =
                tt_peek(single_table(single), table_key(&child), (SearchPoint){.ply = 0}, entries);
            const bool is_deep =
                hits > 0 && entries[0].bound != BOUND_NONE && entries[0].depth >= DEPTH;
            int k = 1;
            while (k < walk.count && walk.found[k].pos.key != child.key)
                k++;
            ck_assert_msg(!is_deep || k < walk.count, "a child is missing");
            found += is_deep;
        }
    }
    ck_assert_int_gt(found, 20);
}
END_TEST

START_TEST(a_walk_leaves_the_table_as_it_is)
{
    const Position root = draw_root(3);
    search(&root);
    const Tt *const tt = single_table(single);
    TtSlot *const copy = malloc(tt->bytes);
    ck_assert_ptr_nonnull(copy);
    tt_new_search(single_table(single)); // all entries are stale
    memcpy(copy, tt->slots, tt->bytes);
    treewalk_find(&walk, tt, &root, 2);
    ck_assert_int_gt(walk.count, 10);
    ck_assert_int_eq(memcmp(copy, tt->slots, tt->bytes), 0);
    free(copy);
}
END_TEST

START_TEST(a_walk_through_an_empty_table_finds_the_root_alone)
{
    const Position root = draw_root(4);
    single_new_game(single);
    treewalk_find(&walk, single_table(single), &root, 1);
    ck_assert_int_eq(walk.count, 1);
}
END_TEST

/* Moves that castle, promote, capture en passant, end rights or make two steps. */
static const char *const SPECIAL[] = {
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/1P6/8/8/8/8/6p1/R3K2R b KQkq - 0 1",
    "4k3/8/8/3pP3/8/8/5P2/4K3 w - d6 0 1", "4k3/4p3/8/3P4/8/8/8/4K3 b - - 0 1",
    "r3k3/8/8/8/8/8/6B1/4K3 w q - 0 1"};

START_TEST(children_after_special_moves_are_found)
{
    Position root;
    Move moves[MAX_MOVES];
    char error[FEN_ERROR_MAX];
    TtStats unused = {0};
    ck_assert(fen_parse(&root, SPECIAL[_i], false, error));
    single_new_game(single);
    const int count = gen_legal(&root, moves);
    for (int i = 0; i < count; i++) {
        Position child;
        pos_play(&child, &root, moves[i]);
        const TtData entry = {.score = i, .bound = BOUND_LOWER, .depth = 4, .nodes = 1};
        tt_store(single_table(single), child.key, (SearchPoint){.ply = 0}, &entry, &unused);
    }
    treewalk_find(&walk, single_table(single), &root, 4);
    ck_assert_int_eq(walk.count, 1 + count);
}
END_TEST

START_TEST(a_walk_does_not_come_back_to_its_root)
{
    static const Move MOVES[] = {G1 | F3 << 6, G8 | F6 << 6, F3 | G1 << 6, F6 | G8 << 6};
    const TtData entry = {.score = 20, .bound = BOUND_EXACT, .depth = 4, .nodes = 1};
    TtStats unused = {0};
    Position root, pos;
    pos_start(&root);
    pos = root;
    single_new_game(single);
    for (int i = 0; i < 4; i++) {
        pos_advance(&pos, MOVES[i]);
        tt_store(single_table(single), pos.key, (SearchPoint){.ply = 0}, &entry, &unused);
    }
    treewalk_find(&walk, single_table(single), &root, 1);
    ck_assert_int_eq(walk.count, 4);
}
END_TEST

Suite *suite_treewalk(void);
Suite *suite_treewalk(void)
{
    Suite *suite = suite_create("treewalk");
    TCase *tcase = tcase_create("treewalk");
    tcase_set_timeout(tcase, 30);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, nodes_are_distinct_positions_below_the_root_with_their_entries, 0,
                        20);
    tcase_add_test(tcase, all_children_with_deep_entries_are_found);
    tcase_add_test(tcase, a_walk_leaves_the_table_as_it_is);
    tcase_add_test(tcase, a_walk_through_an_empty_table_finds_the_root_alone);
    tcase_add_loop_test(tcase, children_after_special_moves_are_found, 0,
                        sizeof SPECIAL / sizeof SPECIAL[0]);
    tcase_add_test(tcase, a_walk_does_not_come_back_to_its_root);
    suite_add_tcase(suite, tcase);
    return suite;
}
