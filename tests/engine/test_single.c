// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>

#include "chess/chess960.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/play.h"
#include "chess/pos_from_fen.h"
#include "chess/random_game.h"
#include "engine/engine.h"
#include "engine/single.h"
#include "eval/bootstrap.h"

static const EvalSource SOURCE = {.bootstrap = bootstrap_eval};

static Single *open_single(void)
{
    Single *single = single_create(1, &SOURCE);
    ck_assert_ptr_nonnull(single);
    return single;
}

static SingleResult search(Single *single, const char *fen, const Limits *limits)
{
    Position pos;
    Path path;
    char error[FEN_ERROR_MAX];
    ck_assert_msg(fen_parse(&pos, fen, false, error), "%s", error);
    path_start(&path, &pos);
    return single_search(single, &pos, &path, limits);
}

START_TEST(a_root_without_moves_has_no_best_move)
{
    Single *single = open_single();
    const Limits limits = {.nodes = 1000};
    const SingleResult mated = search(single, "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", &limits);
    ck_assert_int_eq(mated.best, MOVE_NONE);
    ck_assert_int_eq(mated.score, score_mated_in(0));
    const SingleResult stalemate = search(single, "k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", &limits);
    ck_assert_int_eq(stalemate.best, MOVE_NONE);
    ck_assert_int_eq(stalemate.score, SCORE_DRAW);
    single_destroy(single);
}
END_TEST

START_TEST(mates_are_found)
{
    Single *single = open_single();
    const Limits limits = {.depth = 4};
    const SingleResult one = search(single, "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", &limits);
    ck_assert_int_eq(one.score, score_mate_in(1));
    ck_assert_int_eq(one.best, move_make(E1, E8, KIND_NORMAL));
    ck_assert_int_eq(one.depth, 4);
    ck_assert_uint_gt(one.nodes, 0);
    ck_assert_uint_eq(single_nodes(single), one.nodes);
    single_destroy(single);
}
END_TEST

START_TEST(a_search_stopped_in_its_first_iteration_has_the_move_of_the_table_and_no_depth)
{
    Single *single = open_single();
    const Limits deep = {.depth = 6}, short_one = {.nodes = 1};
    const SingleResult before = search(single, FEN_START, &deep);
    const SingleResult stopped = search(single, FEN_START, &short_one);
    ck_assert_int_ge(before.depth, 5);
    ck_assert_int_eq(stopped.depth, 0);
    ck_assert_int_eq(stopped.best, before.best);
    single_destroy(single);
}
END_TEST

/* After a fail-high of the aspiration window the root is searched to fewer plies. */
START_TEST(the_depth_of_a_result_is_that_of_the_root_in_the_table)
{
    static const char *const ROOTS[] = {
        FEN_START, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", KIWIPETE,
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 8"};
    Single *const single = open_single();
    int shallower = 0;
    for (size_t i = 0; i < sizeof ROOTS / sizeof ROOTS[0]; i++)
        for (int depth = 5; depth <= 10; depth++) {
            TtData found[2];
            TtStats unused = {0};
            Position pos;
            char error[FEN_ERROR_MAX];
            single_new_game(single);
            const SingleResult result = search(single, ROOTS[i], &(Limits){.depth = depth});
            ck_assert(fen_parse(&pos, ROOTS[i], false, error));
            ck_assert_int_gt(
                tt_probe(single_table(single), pos.key, (SearchPoint){.ply = 0}, found, &unused),
                0);
            ck_assert_int_eq(result.depth, found[0].depth);
            shallower += result.depth < depth;
        }
    ck_assert_int_gt(shallower, 0);
    single_destroy(single);
}
END_TEST

START_TEST(limits_are_obeyed)
{
    Single *single = open_single();
    const SingleResult exact = search(single, FEN_START, &(Limits){.nodes = 777});
    ck_assert_uint_eq(exact.nodes, 777);
    const SingleResult soft = search(single, FEN_START, &(Limits){.soft_nodes = 3000});
    ck_assert_uint_ge(soft.nodes, 3000);
    ck_assert_uint_lt(soft.nodes, 60000);
    const SingleResult both =
        search(single, FEN_START, &(Limits){.soft_nodes = 3000, .nodes = 3100});
    ck_assert_uint_le(both.nodes, 3100);
    const SingleResult depth = search(single, FEN_START, &(Limits){.depth = 3});
    ck_assert_int_eq(depth.depth, 3);
    single_destroy(single);
}
END_TEST

START_TEST(more_late_moves_make_a_search_larger)
{
    Single *single = open_single();
    const Limits limits = {.depth = 4};
    const uint64_t as_in_play = search(single, FEN_START, &limits).nodes;
    single_new_game(single);
    single_set_lmp_extra(single, 255);
    const uint64_t unpruned = search(single, FEN_START, &limits).nodes;
    single_new_game(single);
    single_set_lmp_extra(single, 0);
    ck_assert_uint_lt(as_in_play, unpruned);
    ck_assert_uint_eq(search(single, FEN_START, &limits).nodes, as_in_play);
    single_destroy(single);
}
END_TEST

/* The reports of an engine with one thread: whether its last line has an exact score or a bound,
 * the last exact score, and the best move. */
typedef struct {
    bool is_exact;
    Score exact_score;
    Move best;
} Line;

static void record(void *ctx, const Report *report)
{
    Line *line = ctx;
    if (report->kind == REPORT_LINE) {
        line->is_exact = report->bound == BOUND_EXACT;
        line->exact_score = line->is_exact ? report->score : line->exact_score;
    }
    if (report->kind == REPORT_DONE)
        line->best = report->best;
}

START_TEST(the_result_equals_that_of_the_engine_at_any_node_limit)
{
    static SearchJob job;
    static Walk walk;
    Engine *engine = engine_create(1);
    ck_assert_ptr_nonnull(engine);
    Single *single = single_create(1, engine_eval_source(engine));
    ck_assert_ptr_nonnull(single);
    int bounds = 0;
    for (int i = 0; i < 60; i++) {
        walk_start(&walk, (uint64_t)i);
        for (int ply = 0; ply < 6; ply++)
            walk_step(&walk);
        if (!gen_any(&walk.pos))
            continue;
        Line line = {.exact_score = SCORE_NONE};
        job = (SearchJob){.root = walk.pos, .multi_pv = 1, .report = record, .ctx = &line};
        job.limits = (Limits){.nodes = 150 + 37 * (uint64_t)i};
        path_start(&job.path, &job.root);
        engine_new_game(engine);
        engine_start(engine, &job);
        engine_wait(engine);
        single_new_game(single);
        const SingleResult result = single_search(single, &job.root, &job.path, &job.limits);
        ck_assert_int_eq(result.best, line.best);
        ck_assert_int_eq(result.score, line.exact_score);
        ck_assert_int_eq(result.is_exact, line.is_exact);
        bounds += !line.is_exact;
    }
    ck_assert_msg(bounds >= 5, "cut off within a window only %d times", bounds);
    engine_destroy(engine);
    single_destroy(single);
}
END_TEST

/* Plays moves with small searches and hashes their results. */
static uint64_t play_and_hash(Single *single)
{
    Position pos;
    Path path;
    char error[FEN_ERROR_MAX];
    ck_assert(fen_parse(&pos, FEN_START, false, error));
    path_start(&path, &pos);
    uint64_t hash = 0;
    for (int ply = 0; ply < 40; ply++) {
        const Limits limits = {.soft_nodes = 200, .nodes = 1000};
        const SingleResult result = single_search(single, &pos, &path, &limits);
        hash = hash * 31 + result.best;
        hash = hash * 31 + (uint64_t)(result.score + SCORE_INF);
        hash = hash * 31 + result.nodes;
        pos_advance(&pos, result.best);
        path_extend(&path, &pos);
    }
    return hash;
}

START_TEST(a_new_game_clears_everything)
{
    Single *single = open_single();
    const uint64_t first = play_and_hash(single);
    ck_assert_msg(play_and_hash(single) != first,
                  "nothing is remembered, so the test proves nothing");
    single_new_game(single);
    ck_assert_uint_eq(play_and_hash(single), first);
    Single *other = open_single();
    ck_assert_uint_eq(play_and_hash(other), first);
    single_destroy(other);
    single_destroy(single);
}
END_TEST

START_TEST(whether_an_opening_is_level_does_not_depend_on_earlier_searches)
{
    Single *single = open_single();
    Position pos;
    Path path;
    uint64_t hits[2];
    pos_start(&pos);
    path_start(&path, &pos);
    for (int i = 0; i < 2; i++) {
        ck_assert(single_is_balanced(single, &pos, &path));
        hits[i] = single_stats(single)->tt.hits;
    }
    ck_assert_uint_eq(hits[1], hits[0]);
    single_destroy(single);
}
END_TEST

START_TEST(repetitions_on_the_path_count)
{
    /* Black is a queen up, but Kg8 leads to the first position for the third time. */
    Single *single = open_single();
    Position pos;
    Path path;
    char error[FEN_ERROR_MAX];
    ck_assert(fen_parse(&pos, "6k1/5ppp/8/8/8/8/q4PPP/6K1 w - - 0 1", false, error));
    path_start(&path, &pos);
    const Move shuffle[] = {move_make(G1, H1, KIND_NORMAL), move_make(G8, H8, KIND_NORMAL),
                            move_make(H1, G1, KIND_NORMAL), move_make(H8, G8, KIND_NORMAL),
                            move_make(G1, H1, KIND_NORMAL), move_make(G8, H8, KIND_NORMAL),
                            move_make(H1, G1, KIND_NORMAL)};
    const Limits limits = {.depth = 1,
                           .has_search_moves = true,
                           .search_move_count = 1,
                           .search_moves = {move_make(H8, G8, KIND_NORMAL)}};
    Path fresh;
    for (size_t i = 0; i < sizeof shuffle / sizeof shuffle[0]; i++) {
        ck_assert(gen_is_legal(&pos, shuffle[i]));
        pos_advance(&pos, shuffle[i]);
        path_extend(&path, &pos);
    }
    path_start(&fresh, &pos);
    const SingleResult drawn = single_search(single, &pos, &path, &limits);
    single_new_game(single);
    const SingleResult winning = single_search(single, &pos, &fresh, &limits);
    ck_assert_int_le(drawn.score, 1);
    ck_assert_int_ge(winning.score, 300);
    single_destroy(single);
}
END_TEST

static bool is_quiet(Single *single, const char *fen, int margin)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert_msg(fen_parse(&pos, fen, false, error), "%s", error);
    return single_is_quiet(single, &pos, margin);
}

START_TEST(a_position_with_something_to_win_is_not_quiet)
{
    Single *single = open_single();
    static const char *const HANGING = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1";
    static const char *const DEFENDED = "4k3/8/4p3/3p4/4P3/3P4/8/4K3 w - - 0 1";
    ck_assert(!is_quiet(single, HANGING, 100));
    ck_assert(is_quiet(single, HANGING, 3000));
    ck_assert(is_quiet(single, DEFENDED, 60));
    ck_assert(is_quiet(single, FEN_START, 0)); // no captures
    ck_assert(is_quiet(single, "8/8/4k3/8/8/3BK3/8/8 w - - 0 1", 0));
    ck_assert(is_quiet(single, "7k/8/8/8/8/8/8/KQ6 b - - 90 100", 0));
    single_destroy(single);
}
END_TEST

/* Late-move pruning counts only the captures that are not futile, so a margin that makes fewer of
 * them futile can hide a good one. This is rare. */
START_TEST(a_larger_margin_makes_more_positions_quiet)
{
    static const int MARGINS[] = {0, 50, 200, 800};
    enum { MARGIN_COUNT = 4 };
    int quiet[MARGIN_COUNT] = {0}, positions = 0, exceptions = 0;
    Single *single = open_single();
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Walk walk;
        walk_start(&walk, seed);
        for (int ply = 0; ply < 80 && walk_step(&walk) != MOVE_NONE; ply++) {
            if (pos_in_check(&walk.pos))
                continue;
            bool before = false;
            positions++;
            for (int i = 0; i < MARGIN_COUNT; i++) {
                single_new_game(single);
                const bool now = single_is_quiet(single, &walk.pos, MARGINS[i]);
                exceptions += before && !now;
                before = now;
                quiet[i] += now;
            }
        }
    }
    ck_assert_int_lt(exceptions, positions / 100);
    ck_assert_int_gt(quiet[0], positions / 20);
    for (int i = 1; i < MARGIN_COUNT; i++)
        ck_assert_int_gt(quiet[i], quiet[i - 1]);
    ck_assert_int_lt(quiet[MARGIN_COUNT - 1], positions);
    single_destroy(single);
}
END_TEST

START_TEST(a_quiescence_search_leaves_no_trace_after_a_new_game)
{
    Single *single = open_single();
    const Limits limits = {.nodes = 5000};
    const SingleResult first = search(single, FEN_START, &limits);
    is_quiet(single, "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 100);
    single_new_game(single);
    const SingleResult again = search(single, FEN_START, &limits);
    ck_assert_int_eq(again.best, first.best);
    ck_assert_int_eq(again.score, first.score);
    ck_assert_uint_eq(again.nodes, first.nodes);
    single_destroy(single);
}
END_TEST

typedef struct {
    Single *again;
    int asked, agreed, given_up;
} SecondSearch;

/* Searches the node twice with an empty table and accepts the cutoff. */
static bool search_twice(void *ctx, const Node *n, const TtData *entry)
{
    SecondSearch *const second_search = ctx;
    Score first, second;
    second_search->asked++;
    second_search->given_up +=
        !single_search_again(second_search->again, n, n->depth + 2, false, 1, &first);
    for (int i = 0; i < 2; i++) {
        single_new_game(second_search->again);
        ck_assert(single_search_again(second_search->again, n, n->depth, false, 1000000,
                                      i == 0 ? &first : &second));
    }
    ck_assert_int_eq(first, second);
    second_search->agreed += (first >= n->beta) == (entry->score >= n->beta);
    return true;
}

START_TEST(a_node_searched_again_does_not_disturb_its_search)
{
    Single *const single = open_single(), *const again = open_single();
    const Limits limits = {.depth = 9};
    static const char FEN[] = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ -";
    const SingleResult plain = search(single, FEN, &limits);
    SecondSearch second_search = {.again = again};
    const CutoffJudge judge = {search_twice, &second_search};
    single_new_game(single);
    single_set_judge(single, &judge);
    const SingleResult judged = search(single, FEN, &limits);
    ck_assert_uint_eq(judged.nodes, plain.nodes);
    ck_assert_int_eq(judged.score, plain.score);
    ck_assert_int_gt(second_search.asked, 20);
    ck_assert_int_gt(second_search.given_up, 0);
    ck_assert_int_gt(second_search.agreed, second_search.asked * 3 / 4);
    single_new_game(again); // what it copied of the line leaves no trace
    const SingleResult after = search(again, FEN, &limits);
    ck_assert_uint_eq(after.nodes, plain.nodes);
    ck_assert_int_eq(after.score, plain.score);
    single_destroy(again);
    single_destroy(single);
}
END_TEST

Suite *suite_single(void);
Suite *suite_single(void)
{
    Suite *suite = suite_create("single");
    TCase *tcase = tcase_create("single");
    tcase_set_timeout(tcase, 20);
    tcase_add_test(tcase, a_root_without_moves_has_no_best_move);
    tcase_add_test(tcase, mates_are_found);
    tcase_add_test(tcase,
                   a_search_stopped_in_its_first_iteration_has_the_move_of_the_table_and_no_depth);
    tcase_add_test(tcase, the_depth_of_a_result_is_that_of_the_root_in_the_table);
    tcase_add_test(tcase, limits_are_obeyed);
    tcase_add_test(tcase, more_late_moves_make_a_search_larger);
    tcase_add_test(tcase, the_result_equals_that_of_the_engine_at_any_node_limit);
    tcase_add_test(tcase, a_new_game_clears_everything);
    tcase_add_test(tcase, whether_an_opening_is_level_does_not_depend_on_earlier_searches);
    tcase_add_test(tcase, repetitions_on_the_path_count);
    tcase_add_test(tcase, a_position_with_something_to_win_is_not_quiet);
    tcase_add_test(tcase, a_larger_margin_makes_more_positions_quiet);
    tcase_add_test(tcase, a_quiescence_search_leaves_no_trace_after_a_new_game);
    tcase_add_test(tcase, a_node_searched_again_does_not_disturb_its_search);
    suite_add_tcase(suite, tcase);
    return suite;
}
