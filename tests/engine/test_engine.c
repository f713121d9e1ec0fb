// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/engine.h"

#include <check.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/resource.h>
#endif

#include "base/clock.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "chess/play.h"
#include "chess/pos_from_fen.h"
#include "engine/engine_fixture.h"
#include "eval/bootstrap.h"
#include "skip.h"

/* Searches the position to this depth and returns the last line. */
static const Report *search_to_depth(const char *fen, int depth)
{
    SearchJob job = run_job(&run, fen);
    job.limits.depth = depth;
    run_search(engine, &job);
    return run_last(&run);
}

static int64_t stop_takes_ms(int threads, uint64_t after_nodes)
{
    SearchJob job = run_job(&run, MIDDLEGAME);
    job.limits.infinite = true;
    engine_set_threads(engine, threads);
    engine_start(engine, &job);
    run_await_nodes(engine, after_nodes);
    const int64_t before = clock_ms();
    stop_search(engine);
    const int64_t taken = clock_ms() - before;
    run_check_done(&run, &job);
    return taken;
}

START_TEST(stop_is_answered_within_100_ms)
{
    for (int i = 0; i < 10; i++)
        for (int late = 0; stop_takes_ms(1 + i % 2, 20000 * (uint64_t)i) >= 100; late++)
            ck_assert_int_lt(late, TRIES - 1);
}
END_TEST

START_TEST(an_infinite_search_reports_its_move_only_after_stop)
{
    SearchJob job = run_job(&run, MIDDLEGAME);
    job.limits.infinite = true;
    job.limits.depth = 1;
    engine_start(engine, &job);
    run_await_depth(&run, 1);
    ck_assert(!engine_wait_ms(engine, 50));
    stop_search(engine);
    run_check_done(&run, &job);
}
END_TEST

START_TEST(an_infinite_search_at_its_node_limit_waits_for_stop)
{
    for (int i = 0; i < 2; i++) { // the second search must not take the stop of the first for its
        SearchJob job = run_job(&run, MIDDLEGAME);
        job.limits.infinite = true;
        job.limits.nodes = 100;
        engine_start(engine, &job);
        ck_assert(!engine_wait_ms(engine, 50));
        stop_search(engine);
        run_check_done(&run, &job);
    }
}
END_TEST

START_TEST(an_infinite_search_of_a_mated_root_waits_for_stop)
{
    SearchJob job = run_job(&run, "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
    job.limits.infinite = true;
    engine_start(engine, &job);
    ck_assert(!engine_wait_ms(engine, 30));
    stop_search(engine);
    ck_assert_int_eq(run.done_count, 1);
    ck_assert_int_eq(run.best, MOVE_NONE);
}
END_TEST

/* The ponderhit comes in the middle of a long iteration, after EVALUATIONS_TO_HIT evaluations. At
 * most EVALUATIONS_TO_LOOK follow until the search checks its limits. */
enum { EVALUATIONS_TO_HIT = 200000, EVALUATIONS_TO_LOOK = 2048 };
static int evaluations, lines_at_hit;

static Score evaluate_and_hit(const Position *pos)
{
    if (++evaluations == EVALUATIONS_TO_HIT) {
        lines_at_hit = run.line_count;
        engine_ponderhit(engine);
    }
    return bootstrap_eval(pos);
}

START_TEST(a_pondering_search_beyond_its_soft_limit_ends_at_the_ponderhit)
{
    evaluations = 0;
    engine_set_eval(engine, (EvalSource){.bootstrap = evaluate_and_hit});
    SearchJob job = run_job(&run, MIDDLEGAME);
    job.limits.ponder = true;
    job.limits.soft_nodes = 1;
    run_search(engine, &job);
    ck_assert_int_ge(evaluations, EVALUATIONS_TO_HIT);
    ck_assert_int_lt(evaluations, EVALUATIONS_TO_HIT + EVALUATIONS_TO_LOOK);
    ck_assert_int_gt(lines_at_hit, 8);
    run_check_done(&run, &job);
}
END_TEST

/* The score of a short search with an empty table. */
static Score score_afresh(void)
{
    engine_clear_hash(engine);
    return search_to_depth(MIDDLEGAME, 2)->score;
}

START_TEST(a_search_of_one_bad_move_does_not_correct_the_evaluation)
{
    const Score before = score_afresh();
    engine_new_game(engine);
    SearchJob job = run_job(&run, MIDDLEGAME);
    job.limits.depth = 1;
    job.limits.has_search_moves = true;
    job.limits.search_moves[job.limits.search_move_count++] = move_make(D3, A6, KIND_NORMAL);
    run_search(engine, &job);
    ck_assert_int_lt(run_last(&run)->score, before - 150);
    ck_assert_int_eq(score_afresh(), before);
}
END_TEST

static int64_t search_takes_ms(const Limits *limits)
{
    SearchJob job = run_job(&run, MIDDLEGAME);
    job.limits = *limits;
    job.overhead_ms = 10;
    const int64_t before = clock_ms();
    run_search(engine, &job);
    const int64_t taken = clock_ms() - before;
    run_check_done(&run, &job);
    return taken;
}

START_TEST(a_move_time_is_used_and_not_exceeded)
{
    const Limits limits = {.has_move_time = true, .move_ms = 200};
    int64_t used = search_takes_ms(&limits);
    for (int late = 1; used > 220 && late < TRIES; late++)
        used = search_takes_ms(&limits);
    ck_assert_int_ge(used, 150);
    ck_assert_int_le(used, 220);
}
END_TEST

START_TEST(with_no_time_left_a_legal_move_comes_at_once)
{
    const int64_t clocks[] = {-1000, 0, 1, 5};
    for (int i = 0; i < 4; i++) {
        const Limits limits = {.has_clock = true, .clock_ms = {[WHITE] = clocks[i]}};
        for (int late = 0; search_takes_ms(&limits) >= 30; late++)
            ck_assert_int_lt(late, TRIES - 1);
    }
}
END_TEST

START_TEST(any_number_of_threads_finds_the_mate)
{
    const int threads[] = {4, 2, 16, 1, 3};
    for (int i = 0; i < 5; i++) {
        ck_assert_int_eq(engine_set_threads(engine, threads[i]), threads[i]);
        engine_new_game(engine);
        SearchJob job =
            run_job(&run, "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1");
        job.limits.depth = 8;
        run_search(engine, &job);
        run_check_done(&run, &job);
        ck_assert_int_eq(run_last(&run)->score, SCORE_MATE - 3);
    }
}
END_TEST

/* Number of threads that evaluate. */
static atomic_int searchers;
static _Thread_local bool has_evaluated;

static Score count_searchers(const Position *pos)
{
    atomic_fetch_add(&searchers, !has_evaluated);
    has_evaluated = true;
    return bootstrap_eval(pos);
}

START_TEST(all_threads_search)
{
    ck_assert_int_eq(engine_set_threads(engine, 4), 4);
    atomic_store(&searchers, 0);
    engine_set_eval(engine, (EvalSource){.bootstrap = count_searchers});
    SearchJob job = run_job(&run, MIDDLEGAME);
    job.limits.infinite = true;
    engine_start(engine, &job);
    for (int ms = 0; ms < 10000 && atomic_load(&searchers) < 4; ms++)
        clock_sleep_ms(1);
    stop_search(engine);
    run_check_done(&run, &job);
    ck_assert_int_eq(atomic_load(&searchers), 4);
}
END_TEST

START_TEST(the_time_limit_holds_with_far_more_threads_than_processors)
{
    const int threads = engine_set_threads(engine, 400);
    ck_assert_int_gt(threads, 50);
    const Limits limits = {.has_move_time = true, .move_ms = 100};
    for (int i = 0; i < 3; i++)
        ck_assert_int_lt(search_takes_ms(&limits), 1500);
}
END_TEST

START_TEST(a_table_with_entries_is_not_warmed_up)
{
    bool kept;
    const Tt *const tt = engine_table(engine);
    engine_set_hash(engine, 4, &kept);
    engine_warm_up(engine, 60000);
    ck_assert_uint_eq(tt->touched, tt->bytes); // it is empty
    engine_set_hash(engine, 64, &kept);
    SearchJob job = run_job(&run, MIDDLEGAME);
    job.limits.nodes = 100;
    run_search(engine, &job);
    const size_t before = tt->touched;
    engine_warm_up(engine, 60000);
    ck_assert_uint_eq(tt->touched, before);
}
END_TEST

/* Nobody has claimed the draw. */
START_TEST(after_fifty_moves_the_game_goes_on_to_move_75)
{
    SearchJob job =
        run_job(&run, "6k1/5pp1/3r3p/2b5/3Q4/8/6PP/7K w - - 100 150"); // Qd4 is attacked
    job.limits.depth = 8;
    run_search(engine, &job);
    ck_assert(!score_is_near_draw(run_last(&run)->score));
    ck_assert_int_ne(run.best, move_from_uci(&job.root, "d4d1"));
    job = run_job(&run, "7k/8/6K1/8/8/8/1R6/8 w - - 149 220"); // the mate comes before the draw
    job.limits.depth = 4;
    run_search(engine, &job);
    ck_assert_int_eq(run.best, move_from_uci(&job.root, "b2b8"));
    job = run_job(&run, "7k/8/8/8/8/8/1R6/K7 w - - 149 220");
    job.limits.depth = 4;
    run_search(engine, &job);
    ck_assert(score_is_near_draw(run_last(&run)->score));
}
END_TEST

/* The only move leads to a position that has occurred twice, about forty moves ago. */
START_TEST(after_fifty_moves_old_repetitions_still_count)
{
    enum { PLIES = 120 };
    SearchJob job = run_job(&run, "k7/8/8/8/8/8/4q3/7K w - - 120 150");
    Position after;
    pos_play(&after, &job.root, move_from_uci(&job.root, "h1g1"));
    job.path.count = PLIES + 1;
    for (int i = 0; i < PLIES; i++)
        job.path.keys[i] = (Key)i + 1;
    job.path.keys[PLIES] = job.root.key;
    job.path.keys[PLIES - 79] = job.path.keys[PLIES - 83] = after.key;
    job.limits.depth = 4;
    run_search(engine, &job);
    ck_assert(score_is_near_draw(run_last(&run)->score));
}
END_TEST

START_TEST(a_list_of_folders_that_does_not_fit_into_memory_is_refused)
{
#if defined __linux__ && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
    enum { BYTES = 64 << 20 };
    char error[SYZYGY_ERROR_MAX] = "";
    char *const folders = malloc(BYTES);
    ck_assert_ptr_nonnull(folders);
    memset(folders, 'x', BYTES - 1);
    folders[BYTES - 1] = '\0';
    ck_assert(!engine_set_syzygy(engine, "/there/is/no/such/folder", error));
    ck_assert_str_eq(engine_syzygy_folders(engine), "/there/is/no/such/folder");
    struct rlimit old;
    ck_assert_int_eq(getrlimit(RLIMIT_AS, &old), 0);
    const struct rlimit small = {.rlim_cur = BYTES / 2, .rlim_max = old.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &small), 0);
    const bool is_set = engine_set_syzygy(engine, folders, error);
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &old), 0);
    free(folders);
    ck_assert(!is_set);
    ck_assert_str_eq(error, "no memory for the list of folders");
    ck_assert_str_eq(engine_syzygy_folders(engine), "");
    ck_assert_int_eq(engine_syzygy_tables(engine)->men, 0);
#else
    skip_test("the memory of this process cannot be limited");
#endif
}
END_TEST

/* Listens to engine_on_clear(). */
static void count_clear(void *ctx)
{
    ck_assert_int_gt(tt_hashfull(engine_table(engine)), 0);
    ++*(int *)ctx;
}

START_TEST(without_memory_for_another_table_the_old_one_stays)
{
#if defined __linux__ && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
    search_to_depth(MIDDLEGAME, 8);
    int clears = 0;
    engine_on_clear(engine, count_clear, &clears);
    struct rlimit old;
    ck_assert_int_eq(getrlimit(RLIMIT_AS, &old), 0);
    const struct rlimit small = {.rlim_cur = 1 << 20, .rlim_max = old.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &small), 0);
    bool kept = false;
    const uint64_t got = engine_set_hash(engine, 32, &kept);
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &old), 0);
    ck_assert_uint_eq(got, 16);
    ck_assert(kept);
    ck_assert_int_eq(clears, 1);
    ck_assert_ptr_nonnull(engine_table(engine)->slots);
    ck_assert_int_gt(tt_hashfull(engine_table(engine)), 0);
    SearchJob job = run_job(&run, MIDDLEGAME);
    job.limits.depth = 8;
    run_search(engine, &job);
    run_check_done(&run, &job);
#else
    skip_test("the memory of this process cannot be limited");
#endif
}
END_TEST

START_TEST(before_a_setting_drops_entries_the_listener_is_called)
{
    int calls = 0;
    bool kept;
    char error[NETWORK_ERROR_MAX];
    ck_assert(engine_set_network(engine, "", error));
    search_to_depth(MIDDLEGAME, 11);
    engine_on_clear(engine, count_clear, &calls);
    engine_set_hash(engine, 23, &kept);
    ck_assert(engine_set_network(engine, "", error));
    engine_set_replacement(engine, engine_table(engine)->replacement);
    SyzygyUse use = engine_syzygy_use(engine);
    use.rule50 = !use.rule50;
    engine_set_syzygy_use(engine, use); // no tables: changes no score
    ck_assert_int_eq(calls, 0);
    engine_set_hash(engine, 5, &kept);
    ck_assert_int_eq(calls, 1);
    engine_set_replacement(engine, REPLACE_DEEP);
    ck_assert_int_eq(calls, 2);
    engine_set_hash(engine, 3, &kept); // the table is empty
    ck_assert_int_eq(calls, 2);
}
END_TEST

START_TEST(a_new_game_clears_everything_after_changes_of_threads_and_hash)
{
    const uint64_t first = search_to_depth(MIDDLEGAME, 9)->nodes;
    engine_set_threads(engine, 3);
    bool kept;
    engine_set_hash(engine, 3, &kept);
    engine_set_threads(engine, 1);
    ck_assert_uint_eq(engine_set_hash(engine, 16, &kept), 16);
    engine_new_game(engine);
    ck_assert_uint_eq(search_to_depth(MIDDLEGAME, 9)->nodes, first);
}
END_TEST

/* Depth of the deepest table entry of the position; -1 without one. */
static int table_depth(const Position *pos)
{
    TtData found[2];
    TtStats unused = {0};
    const SearchPoint root = {.ply = 0, .rule50 = pos->rule50};
    return tt_probe(engine_table(engine), pos->key, root, found, &unused) > 0 ? found[0].depth : -1;
}

START_TEST(the_table_survives_a_resize_and_a_change_of_threads)
{
    bool kept;
    SearchJob job = run_job(&run, MIDDLEGAME);
    job.limits.depth = 11;
    run_search(engine, &job);
    const uint64_t first = run_last(&run)->nodes;
    const int depth = table_depth(&job.root);
    ck_assert_int_ge(depth, 8); // fail-highs make the root shallower than the iteration
    const uint64_t sizes[] = {16, 64, 7, 23};
    for (int i = 0; i < 4; i++) {
        ck_assert_uint_eq(engine_set_hash(engine, sizes[i], &kept), sizes[i]);
        ck_assert(kept);
        ck_assert_uint_eq(engine_table(engine)->bytes, sizes[i] << 20);
        engine_set_threads(engine, 2 - i % 2);
    }
    ck_assert_int_eq(table_depth(&job.root), depth);
    /* After a new game there is nothing to keep: the search equals the first one. */
    engine_new_game(engine);
    ck_assert_uint_eq(engine_set_hash(engine, 16, &kept), 16);
    ck_assert(kept);
    ck_assert_uint_eq(search_to_depth(MIDDLEGAME, 11)->nodes, first);
}
END_TEST

START_TEST(a_new_game_keeps_the_table_while_analysing)
{
    const uint64_t first = search_to_depth(MIDDLEGAME, 9)->nodes;
    engine_set_analysing(engine, true);
    engine_new_game(engine);
    ck_assert_uint_lt(search_to_depth(MIDDLEGAME, 9)->nodes, first * 3 / 4);
    engine_set_analysing(engine, false);
    engine_new_game(engine);
    ck_assert_uint_eq(search_to_depth(MIDDLEGAME, 9)->nodes, first);
}
END_TEST

/* What was learned about moves in another game would mislead the first searches of this one. */
START_TEST(a_new_game_clears_the_histories_while_analysing)
{
    static const char ENDGAME[] = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    engine_set_analysing(engine, true);
    uint64_t nodes[2];
    for (int i = 0; i < 2; i++) {
        nodes[i] = search_to_depth(MIDDLEGAME, 9)->nodes;
        search_to_depth(ENDGAME, 12);
        engine_new_game(engine);
        engine_clear_hash(engine);
    }
    ck_assert_uint_eq(nodes[0], nodes[1]);
}
END_TEST

START_TEST(another_evaluation_begins_without_the_histories_of_the_old_one)
{
    uint64_t nodes[2];
    for (int i = 0; i < 2; i++) {
        nodes[i] = search_to_depth(MIDDLEGAME, 9)->nodes;
        engine_set_eval(engine, *engine_eval_source(engine));
    }
    ck_assert_uint_eq(nodes[0], nodes[1]);
}
END_TEST

START_TEST(draws_near_the_fifty_move_rule_are_not_read_at_a_low_counter)
{
    enum { ROOK_AHEAD = 1500 };
    engine_set_analysing(engine, true);
    search_to_depth("8/8/8/4k3/8/8/4K3/7R w - - 92 120", 18);
    ck_assert_int_gt(search_to_depth("8/8/8/4k3/8/8/4K3/7R w - - 0 79", 6)->score, ROOK_AHEAD);
    search_to_depth("8/8/8/4k3/8/8/4K3/7R w - - 84 120", 18);
    ck_assert_int_gt(search_to_depth("8/8/8/4k3/8/8/4K3/7R w - - 1 79", 6)->score, ROOK_AHEAD);
}
END_TEST

START_TEST(with_nodes_as_time_the_limit_is_exact)
{
    SearchJob job = run_job(&run, MIDDLEGAME);
    job.nodes_per_ms = 123;
    job.overhead_ms = 50;
    job.limits.has_move_time = true;
    job.limits.move_ms = 400;
    run_search(engine, &job);
    run_check_done(&run, &job);
    ck_assert_uint_eq(run_last(&run)->nodes, 400 * 123);
}
END_TEST

/* A game of a few moves; the clock of the GUI differs between the two runs. */
START_TEST(a_game_with_nodes_as_time_can_be_repeated)
{
    uint64_t nodes[2][6];
    for (int game = 0; game < 2; game++) {
        engine_new_game(engine);
        for (int i = 0; i < 6; i++) {
            SearchJob job = run_job(&run, MIDDLEGAME);
            job.nodes_per_ms = 200;
            job.limits.has_clock = true;
            job.limits.clock_ms[WHITE] = i == 0 ? 6000 : 1 + 1000 * game;
            job.limits.increment_ms[WHITE] = 20;
            run_search(engine, &job);
            nodes[game][i] = run_last(&run)->nodes;
            ck_assert_uint_gt(nodes[game][i], 2000);
        }
    }
    ck_assert_mem_eq(nodes[0], nodes[1], sizeof nodes[0]);
}
END_TEST

START_TEST(nodes_searched_while_pondering_cost_no_time)
{
    evaluations = 0;
    engine_set_eval(engine, (EvalSource){.bootstrap = evaluate_and_hit});
    for (int i = 0; i < 2; i++) {
        SearchJob job = run_job(&run, MIDDLEGAME);
        job.nodes_per_ms = 100;
        job.limits.has_clock = true;
        job.limits.clock_ms[WHITE] = 1000;
        job.limits.ponder = i == 0; // until twice as many nodes are searched
        run_search(engine, &job);
    }
    ck_assert_uint_gt(run_last(&run)->nodes, 1000);
}
END_TEST

START_TEST(waiting_can_be_limited)
{
    SearchJob job = run_job(&run, MIDDLEGAME);
    ck_assert(engine_wait_ms(engine, 0));
    job.limits.infinite = true;
    engine_start(engine, &job);
    const int64_t before = clock_ms();
    ck_assert(!engine_wait_ms(engine, 30));
    ck_assert_int_ge(clock_ms() - before, 30);
    engine_stop(engine);
    ck_assert(engine_wait_ms(engine, 60000));
    ck_assert_int_eq(run.done_count, 1);
}
END_TEST

START_TEST(two_engines_search_side_by_side)
{
    static Run other_run;
    Engine *other = run_open_engine(1);
    SearchJob job = run_job(&run, MIDDLEGAME), other_job = run_job(&other_run, FEN_START);
    job.limits.depth = other_job.limits.depth = 8;
    engine_start(engine, &job);
    engine_start(other, &other_job);
    engine_wait(other);
    engine_wait(engine);
    engine_destroy(other);
    run_check_done(&run, &job);
    ck_assert_int_eq(other_run.done_count, 1);
}
END_TEST

Suite *suite_engine(void);
Suite *suite_engine(void)
{
    Suite *suite = suite_create("engine");
    TCase *tcase = tcase_create("engine");
    tcase_add_checked_fixture(tcase, engine_setup, engine_teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, stop_is_answered_within_100_ms);
    tcase_add_test(tcase, an_infinite_search_reports_its_move_only_after_stop);
    tcase_add_test(tcase, an_infinite_search_at_its_node_limit_waits_for_stop);
    tcase_add_test(tcase, an_infinite_search_of_a_mated_root_waits_for_stop);
    tcase_add_test(tcase, a_search_of_one_bad_move_does_not_correct_the_evaluation);
    tcase_add_test(tcase, a_pondering_search_beyond_its_soft_limit_ends_at_the_ponderhit);
    tcase_add_test(tcase, a_move_time_is_used_and_not_exceeded);
    tcase_add_test(tcase, with_no_time_left_a_legal_move_comes_at_once);
    tcase_add_test(tcase, any_number_of_threads_finds_the_mate);
    tcase_add_test(tcase, all_threads_search);
    tcase_add_test(tcase, the_time_limit_holds_with_far_more_threads_than_processors);
    tcase_add_test(tcase, a_table_with_entries_is_not_warmed_up);
    tcase_add_test(tcase, after_fifty_moves_the_game_goes_on_to_move_75);
    tcase_add_test(tcase, after_fifty_moves_old_repetitions_still_count);
    tcase_add_test(tcase, a_list_of_folders_that_does_not_fit_into_memory_is_refused);
    tcase_add_test(tcase, without_memory_for_another_table_the_old_one_stays);
    tcase_add_test(tcase, before_a_setting_drops_entries_the_listener_is_called);
    tcase_add_test(tcase, a_new_game_clears_everything_after_changes_of_threads_and_hash);
    tcase_add_test(tcase, the_table_survives_a_resize_and_a_change_of_threads);
    tcase_add_test(tcase, a_new_game_keeps_the_table_while_analysing);
    tcase_add_test(tcase, a_new_game_clears_the_histories_while_analysing);
    tcase_add_test(tcase, another_evaluation_begins_without_the_histories_of_the_old_one);
    tcase_add_test(tcase, draws_near_the_fifty_move_rule_are_not_read_at_a_low_counter);
    tcase_add_test(tcase, with_nodes_as_time_the_limit_is_exact);
    tcase_add_test(tcase, a_game_with_nodes_as_time_can_be_repeated);
    tcase_add_test(tcase, nodes_searched_while_pondering_cost_no_time);
    tcase_add_test(tcase, waiting_can_be_limited);
    tcase_add_test(tcase, two_engines_search_side_by_side);
    suite_add_tcase(suite, tcase);
    return suite;
}
