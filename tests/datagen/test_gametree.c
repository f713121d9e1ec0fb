// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/gametree.h"

#include <check.h>
#include <string.h>

#include "chess/chess960.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/play.h"
#include "datagen/selfplay.h"
#include "eval/bootstrap.h"
#include "search/table_key.h"

static const EvalSource SOURCE = {.bootstrap = bootstrap_eval};
static const SelfplayOptions OPTIONS = {.opening = {.plies = 8, .chess960_percent = 30},
                                        .soft_nodes = 200,
                                        .hard_nodes = 1000,
                                        .win_score = 1500,
                                        .seed = 9,
                                        .tree = {.nodes = 4, .depth = 2}};
static SelfplayGame game;
static GameTree tree;
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

/* A quiet position and an entry that suit training. */
#define QUIET "4k3/pp3ppp/8/3p4/3P4/8/PP3PPP/4K3 w - - 0 1"
static const TtData GOOD = {
    .move = F2 | F4 << 6, .score = 150, .eval = 20, .depth = 4, .bound = BOUND_LOWER, .nodes = 50};

static bool suits(const char *fen, TtData entry)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert_msg(fen_parse(&pos, fen, false, error), "%s", error);
    return gametree_suits_training(&pos, &entry);
}

START_TEST(only_quiet_positions_with_usable_scores_suit)
{
    TtData entry = GOOD;
    ck_assert(suits(QUIET, GOOD));
    entry.move = MOVE_NONE;
    ck_assert(suits(QUIET, entry));
    entry.move = F2 | F5 << 6; // illegal: the entry belongs to another position
    ck_assert(!suits(QUIET, entry));
    entry = GOOD;
    entry.score = TREE_SCORE_MAX + 1;
    ck_assert(!suits(QUIET, entry));
    entry.score = score_mate_in(5);
    ck_assert(!suits(QUIET, entry));
    entry.score = 1; // may come from a repetition
    ck_assert(!suits(QUIET, entry));
    entry = GOOD;
    entry.score = TREE_SCORE_MAX;
    ck_assert(suits(QUIET, entry));
    entry.bound = BOUND_UPPER;
    entry.eval = SCORE_NONE;
    ck_assert(!suits(QUIET, entry));
    ck_assert(!suits("4k3/pp3ppp/8/3p4/3P4/8/PP3PPP/4K3 w - - 41 60", GOOD));
    ck_assert(suits("4k3/pp3ppp/8/3p4/3P4/8/PP3PPP/4K3 w - - 40 60", GOOD));
    ck_assert(!suits("4k3/8/8/8/8/8/5P2/4K3 w - - 0 1", GOOD)); // three pieces
    ck_assert(suits("4k3/p7/8/8/8/8/5P2/4K3 w - - 0 1", GOOD));
    entry = GOOD;
    entry.move = MOVE_NONE;
    ck_assert(!suits("4k3/pp3ppp/8/3p4/3PP3/8/PP3PP1/4K3 w - - 0 1", entry)); // wins a pawn
    ck_assert(!suits("4k3/pp3ppp/8/3p4/3P4/8/PP2rPPP/4K3 w - - 0 1", entry)); // in check
}
END_TEST

START_TEST(the_best_move_must_be_quiet)
{
    TtData entry = GOOD;
    entry.move = E4 | D5 << 6; // an even exchange: no capture wins material
    ck_assert(!suits("4k3/pp3ppp/2p5/3p4/3PP3/8/PP3PPP/4K3 w - - 0 1", entry));
    entry.move = E4 | E5 << 6;
    ck_assert(suits("4k3/pp3ppp/2p5/3p4/3PP3/8/PP3PPP/4K3 w - - 0 1", entry));
}
END_TEST

/* Scores relative to the evaluation, and whether the entry teaches something. */
static const struct {
    Bound bound;
    int above;
    bool suits;
} BOUNDS[] = {
    {BOUND_LOWER, 1, true},    {BOUND_LOWER, -99, true}, {BOUND_LOWER, -100, false},
    {BOUND_LOWER, 900, true},  {BOUND_UPPER, -1, true},  {BOUND_UPPER, 99, true},
    {BOUND_UPPER, 100, false}, {BOUND_EXACT, 0, true},   {BOUND_EXACT, 900, true},
    {BOUND_NONE, 0, false},
};

START_TEST(bounds_far_from_the_evaluation_teach_nothing)
{
    TtData entry = GOOD;
    entry.bound = BOUNDS[_i].bound;
    entry.eval = 200;
    entry.score = entry.eval + BOUNDS[_i].above;
    ck_assert(suits(QUIET, entry) == BOUNDS[_i].suits);
}
END_TEST

/* Checks the kept nodes of one search against the table. Returns how many follow the best move. */
static int check_nodes(int first, Move best)
{
    int nodes = 0, after_best = 0;
    for (int i = first; i < tree.count; i++) {
        const TreeNode *const node = &tree.nodes[i];
        Position pos = game.pos;
        ck_assert_uint_eq(node->ply, game.record.plies);
        for (int k = 0; k < node->length; k++)
            pos_advance(&pos, node->path[k]);
        ck_assert_uint_eq(tree.keys[i], pos.key);
        TtData found[2];
        const int count =
            tt_peek(single_table(single), pos.key, (SearchPoint){.rule50 = pos.rule50}, found);
        bool is_found = false;
        for (int k = 0; k < count; k++)
            is_found |= found[k].score == node->score && found[k].depth == node->depth &&
                        (int)found[k].bound == node->bound &&
                        gametree_suits_training(&pos, &found[k]);
        ck_assert_msg(is_found, "the table has another result");
        ck_assert_int_ge(node->depth, OPTIONS.tree.depth);
        ck_assert(node->length > 1 || node->path[0] != best);
        after_best += node->path[0] == best;
        nodes++;
    }
    ck_assert_int_le(nodes, OPTIONS.tree.nodes);
    return after_best;
}

START_TEST(kept_nodes_agree_with_the_table)
{
    const Limits limits = {.soft_nodes = 500, .nodes = 2000};
    int after_best = 0;
    Rng rng;
    rng_seed(&rng, 5);
    ck_assert(opening_find(&game, 1, &rng, &OPTIONS.opening, single, NULL));
    gametree_start(&tree, 3);
    while (selfplay_game_end(&game) == END_NONE && game.record.plies < 80) {
        const int first = tree.count;
        const SingleResult found = single_search(single, &game.pos, &game.path, &limits);
        gametree_collect(&tree, &OPTIONS.tree, single_table(single), &game, found.best);
        after_best += check_nodes(first, found.best);
        selfplay_game_play(&game, found.best, 0);
    }
    ck_assert_int_gt(tree.count, 100);
    ck_assert_int_gt(after_best, 0);
    for (int i = 0; i < tree.count; i++)
        for (int k = 0; k < i; k++)
            ck_assert_msg(tree.keys[i] != tree.keys[k], "a position is kept twice");
}
END_TEST

/* Begins a game whose table has results of all positions after the first move: exact scores of the
 * first `exact` of them, lower bounds of the others. */
static void begin_with_results(int exact, int depth)
{
    Move moves[MAX_MOVES];
    TtStats stats = {0};
    selfplay_game_start(&game, 0, CHESS960_STANDARD, CHESS960_STANDARD);
    const int count = gen_legal(&game.pos, moves);
    for (int i = 0; i < count; i++) {
        const TtData entry = {.score = 150,
                              .eval = 20,
                              .depth = depth,
                              .bound = i < exact ? BOUND_EXACT : BOUND_LOWER,
                              .nodes = 50};
        Position after;
        pos_play(&after, &game.pos, moves[i]);
        tt_store(single_table(single), table_key(&after), (SearchPoint){.ply = 0}, &entry, &stats);
    }
}

START_TEST(half_of_the_nodes_have_exact_scores_if_there_are_any)
{
    enum { SEEDS = 30 };
    int exact = 0;
    begin_with_results(10, 4);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        int here = 0;
        gametree_start(&tree, seed);
        gametree_collect(&tree, &OPTIONS.tree, single_table(single), &game, MOVE_NONE);
        ck_assert_int_eq(tree.count, 4);
        for (int i = 0; i < tree.count; i++)
            here += tree.nodes[i].bound == TREE_EXACT;
        ck_assert_int_ge(here, 2);
        exact += here;
    }
    ck_assert_int_lt(exact, 4 * SEEDS); // the rest are drawn from all nodes
}
END_TEST

START_TEST(the_depth_of_a_node_is_limited)
{
    begin_with_results(0, TREE_DEPTH_MAX + 1);
    gametree_start(&tree, 1);
    gametree_collect(&tree, &OPTIONS.tree, single_table(single), &game, MOVE_NONE);
    ck_assert_int_eq(tree.nodes[0].depth, TREE_DEPTH_MAX);
}
END_TEST

START_TEST(a_tree_is_filled_to_its_limit)
{
    begin_with_results(10, 4);
    gametree_start(&tree, 1);
    tree.count = TREE_NODES_MAX - 1;
    memset(tree.keys, 0, sizeof tree.keys);
    gametree_collect(&tree, &OPTIONS.tree, single_table(single), &game, MOVE_NONE);
    ck_assert_int_eq(tree.count, TREE_NODES_MAX);
}
END_TEST

START_TEST(no_kept_position_occurs_in_the_game)
{
    for (uint32_t number = 0; number < 4; number++) {
        ck_assert(selfplay_game(&game, &tree, number, &OPTIONS, single, NULL));
        ck_assert_int_gt(tree.count, 0);
        SelfplayGame replay;
        selfplay_game_start(&replay, 0, game.record.setup[WHITE], game.record.setup[BLACK]);
        for (int ply = 0; ply <= game.record.plies; ply++) {
            for (int i = 0; i < tree.count; i++)
                ck_assert_uint_ne(tree.keys[i], replay.pos.key);
            if (ply < game.record.plies)
                selfplay_game_play(&replay, game.record.moves[ply], 0);
        }
    }
}
END_TEST

START_TEST(only_plies_with_a_score_have_nodes)
{
    SelfplayOptions options = OPTIONS;
    options.part = 4;
    options.between = 12;
    int unscored = 0;
    for (uint32_t number = 0; number < 4; number++) {
        ck_assert(selfplay_game(&game, &tree, number, &options, single, NULL));
        ck_assert_int_gt(tree.count, 0);
        for (int i = 0; i < tree.count; i++)
            ck_assert_int_ne(game.record.scores[tree.nodes[i].ply], GAME_NO_SCORE);
        for (int ply = 0; ply < game.record.plies; ply++)
            unscored += game.record.scores[ply] == GAME_NO_SCORE;
    }
    ck_assert_int_gt(unscored, 0);
}
END_TEST

START_TEST(finishing_drops_the_positions_of_the_game)
{
    Position pos[2];
    selfplay_game_start(&game, 0, CHESS960_STANDARD, CHESS960_STANDARD);
    gametree_start(&tree, 1);
    chess960_start(&pos[0], CHESS960_STANDARD, CHESS960_STANDARD);
    pos_play(&pos[1], &pos[0], E2 | E4 << 6);
    selfplay_game_play(&game, E2 | E4 << 6, 0);
    tree.count = 3;
    for (int i = 0; i < 3; i++)
        tree.nodes[i] = (TreeNode){.score = (int16_t)i};
    tree.keys[0] = 77;
    tree.keys[1] = pos[1].key;
    tree.keys[2] = 78;
    gametree_finish(&tree, &game.record);
    ck_assert_int_eq(tree.count, 2);
    ck_assert_int_eq(tree.nodes[0].score, 0);
    ck_assert_int_eq(tree.nodes[1].score, 2);
    ck_assert_uint_eq(tree.keys[1], 78);
}
END_TEST

Suite *suite_gametree(void);
Suite *suite_gametree(void)
{
    Suite *suite = suite_create("gametree");
    TCase *tcase = tcase_create("gametree");
    tcase_set_timeout(tcase, 30);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, only_quiet_positions_with_usable_scores_suit);
    tcase_add_test(tcase, the_best_move_must_be_quiet);
    tcase_add_loop_test(tcase, bounds_far_from_the_evaluation_teach_nothing, 0,
                        sizeof BOUNDS / sizeof BOUNDS[0]);
    tcase_add_test(tcase, kept_nodes_agree_with_the_table);
    tcase_add_test(tcase, half_of_the_nodes_have_exact_scores_if_there_are_any);
    tcase_add_test(tcase, the_depth_of_a_node_is_limited);
    tcase_add_test(tcase, a_tree_is_filled_to_its_limit);
    tcase_add_test(tcase, no_kept_position_occurs_in_the_game);
    tcase_add_test(tcase, only_plies_with_a_score_have_nodes);
    tcase_add_test(tcase, finishing_drops_the_positions_of_the_game);
    suite_add_tcase(suite, tcase);
    return suite;
}
