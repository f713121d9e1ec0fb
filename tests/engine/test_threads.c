// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/threads.h"

#include <check.h>

#include "base/clock.h"
#include "chess/fen.h"
#include "engine/prepare.h"
#include "eval/bootstrap.h"

enum { THREADS_TRIED = 8 };

static Tt tt;
static const EvalSource SOURCE = {.bootstrap = bootstrap_eval};
static SearchJob job;
static SearchShared shared;
static Threads *threads;
static int conclusions; // written by the main worker's thread, read while no search runs
static bool was_stopped;
static uint64_t nodes_at_conclusion;

static void conclude(void *ctx, Worker *main_worker)
{
    ck_assert_ptr_eq(ctx, &conclusions);
    ck_assert_int_eq(main_worker->index, 0);
    conclusions++;
    was_stopped = atomic_load(&shared.stop);
    nodes_at_conclusion = worker_total_nodes(&shared);
}

static void setup(void)
{
    char error[FEN_ERROR_MAX];
    conclusions = 0;
    tt = (Tt){0};
    ck_assert_uint_eq(tt_resize(&tt, 2), 2);
    job = (SearchJob){.multi_pv = 1};
    ck_assert(fen_parse(&job.root, FEN_START, false, error));
    path_start(&job.path, &job.root);
    shared = (SearchShared){.tt = &tt, .eval = &SOURCE, .job = &job};
    threads = threads_create(&shared, THREADS_TRIED, conclude, &conclusions);
    ck_assert_ptr_nonnull(threads);
}

static void teardown(void)
{
    threads_destroy(threads);
    ck_assert_int_eq(shared.worker_count, 0);
    tt_free(&tt);
}

static void start(void)
{
    const SearchResources resources = {
        .plan = {.soft_ms = TIME_UNLIMITED, .hard_ms = TIME_UNLIMITED}};
    prepare_search(&shared, &job, &resources);
    threads_start(threads);
}

START_TEST(the_initial_number_of_threads_is_one)
{
    ck_assert_int_eq(shared.worker_count, 1);
    ck_assert(!threads_is_searching(threads));
    threads_wait(threads);
    SearchStats stats;
    threads_stats(threads, &stats);
    ck_assert_uint_eq(stats.nodes, 0);
}
END_TEST

START_TEST(each_search_is_concluded_once_with_any_number_of_threads)
{
    static const int COUNTS[] = {1, 4, THREADS_TRIED, 2, 1};
    SearchStats stats;
    job.limits.depth = 4;
    for (int i = 0; i < 5; i++) {
        ck_assert_int_eq(threads_set_count(threads, COUNTS[i]), COUNTS[i]);
        ck_assert_int_eq(shared.worker_count, COUNTS[i]);
        for (int search = 0; search < 5; search++) {
            start();
            threads_wait(threads);
            ck_assert_int_eq(conclusions, 5 * i + search + 1);
            ck_assert(was_stopped);
            ck_assert(!threads_is_searching(threads));
            threads_stats(threads, &stats);
            ck_assert_double_gt(stats.branching, 0);
        }
    }
}
END_TEST

START_TEST(the_statistics_of_a_search_stay_when_threads_end)
{
    SearchStats before, after;
    job.limits.infinite = true;
    threads_set_count(threads, 4);
    start();
    while (worker_nodes(shared.workers[1]) == 0 || worker_nodes(shared.workers[3]) == 0)
        ck_assert(!threads_wait_ms(threads, 5));
    threads_stop(threads);
    threads_wait(threads);
    threads_stats(threads, &before);
    for (int count = 3; count > 0; count -= 2) {
        threads_set_count(threads, count);
        threads_stats(threads, &after);
        ck_assert_mem_eq(&after, &before, sizeof before);
    }
    job.limits = (Limits){.depth = 1};
    start();
    threads_wait(threads);
    threads_stats(threads, &after);
    ck_assert_uint_eq(after.nodes, worker_nodes(shared.workers[0]));
}
END_TEST

START_TEST(all_workers_are_idle_when_the_search_is_concluded)
{
    SearchStats stats;
    threads_set_count(threads, 4);
    job.limits.infinite = true;
    start();
    ck_assert(!threads_wait_ms(threads, 50));
    threads_stop(threads);
    ck_assert(threads_wait_ms(threads, 60000));
    threads_stats(threads, &stats);
    ck_assert_uint_eq(stats.nodes, worker_total_nodes(&shared));
    const SearchProgress done = worker_progress(&shared);
    ck_assert_uint_eq(done.nodes, stats.nodes);
    ck_assert_uint_gt(done.replaced_empty, 0);
    ck_assert_uint_eq(done.replaced_empty, stats.tt.replaced_empty);
    ck_assert_uint_eq(done.replaced_same, stats.tt.replaced_same);
    ck_assert_uint_eq(done.replaced_stale, stats.tt.replaced_stale);
    ck_assert_uint_eq(done.replaced_other, stats.tt.replaced_other);
    clock_sleep_ms(20);
    ck_assert_uint_eq(stats.nodes, worker_total_nodes(&shared));
    for (int i = 0; i < 20; i++) {
        start();
        ck_assert(!threads_wait_ms(threads, 10));
        threads_stop(threads);
        threads_wait(threads);
        ck_assert_uint_eq(nodes_at_conclusion, worker_total_nodes(&shared));
    }
}
END_TEST

START_TEST(progress_of_a_running_search_grows)
{
    threads_set_count(threads, 2);
    job.limits.infinite = true;
    start();
    uint64_t nodes = 0, empty = 0;
    for (int i = 0; i < 3; i++) {
        SearchProgress now = worker_progress(&shared);
        for (int ms = 0; ms < 10000 && (now.nodes <= nodes || now.replaced_empty <= empty); ms++) {
            clock_sleep_ms(1);
            now = worker_progress(&shared);
        }
        ck_assert_uint_gt(now.nodes, nodes);
        ck_assert_uint_gt(now.replaced_empty, empty);
        nodes = now.nodes;
        empty = now.replaced_empty;
    }
    threads_stop(threads);
    threads_wait(threads);
}
END_TEST

START_TEST(a_search_below_full_strength_uses_the_main_worker_only)
{
    threads_set_count(threads, 3);
    job.strength.nodes = job.limits.nodes = 2000;
    start();
    threads_wait(threads);
    ck_assert_uint_eq(worker_nodes(shared.workers[0]), worker_total_nodes(&shared));
    ck_assert_uint_gt(worker_nodes(shared.workers[0]), 0);
}
END_TEST

START_TEST(nodes_and_time_up_to_the_ponderhit_are_counted)
{
    job.limits.ponder = true;
    job.limits.nodes = 5000;
    start();
    ck_assert(!threads_wait_ms(threads, 100));
    threads_ponderhit(threads);
    threads_wait(threads);
    const uint64_t pondered = threads_pondered_nodes(threads);
    ck_assert_uint_gt(pondered, 0);
    ck_assert_uint_le(pondered, worker_total_nodes(&shared));
    const int64_t pondered_ms = threads_pondered_ms(threads);
    ck_assert_int_ge(pondered_ms, 100);
    ck_assert_int_le(pondered_ms, worker_spent_ms(&shared));
    job.limits = (Limits){.infinite = true};
    start();
    while (worker_total_nodes(&shared) == 0 || worker_spent_ms(&shared) == 0)
        clock_sleep_ms(1);
    threads_ponderhit(threads); // no effect: the search does not ponder
    threads_stop(threads);
    threads_wait(threads);
    ck_assert_uint_eq(threads_pondered_nodes(threads), 0);
    ck_assert_int_eq(threads_pondered_ms(threads), 0);
}
END_TEST

START_TEST(destroying_the_threads_ends_an_infinite_search)
{
    threads_set_count(threads, 4);
    job.limits.infinite = true;
    start();
    threads_destroy(threads);
    ck_assert_int_eq(conclusions, 1);
    threads = threads_create(&shared, THREADS_TRIED, conclude, &conclusions);
    ck_assert_ptr_nonnull(threads);
}
END_TEST

START_TEST(preparing_a_search_resets_what_the_workers_share)
{
    threads_set_count(threads, 2);
    atomic_store(&shared.stop, true);
    atomic_store(&shared.soft_limit_hit, true);
    atomic_store(&shared.workers[1]->nodes, 7);
    atomic_store(&shared.workers[1]->tb_hits, 7);
    atomic_store(&shared.workers[1]->written[3], 7);
    shared.root_has_dtz = true;
    shared.root_tb_hits = 7;
    job.limits.ponder = true;
    const unsigned generation = tt.generation;
    const SearchResources resources = {.plan = {.soft_ms = 5, .hard_ms = 6}};
    prepare_search(&shared, &job, &resources);
    ck_assert(!atomic_load(&shared.stop));
    ck_assert(!atomic_load(&shared.soft_limit_hit));
    ck_assert(atomic_load(&shared.pondering));
    ck_assert(!shared.root_has_dtz);
    ck_assert(!shared.uses_root_cache);
    ck_assert_int_eq(shared.plan.hard_ms, 6);
    ck_assert_uint_eq(worker_total_nodes(&shared), 0);
    ck_assert_uint_eq(worker_total_tb_hits(&shared), 0);
    ck_assert_uint_eq(atomic_load(&shared.workers[1]->written[3]), 0);
    ck_assert_uint_ne(tt.generation, generation);
}
END_TEST

START_TEST(entries_age_unless_the_search_continues_an_analysis)
{
    const unsigned generation = tt.generation;
    const SearchResources resources = {.continues_analysis = true};
    prepare_search(&shared, &job, &resources);
    ck_assert_uint_eq(tt.generation, generation);
}
END_TEST

Suite *suite_threads(void);
Suite *suite_threads(void)
{
    Suite *suite = suite_create("threads");
    TCase *tcase = tcase_create("threads");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, the_initial_number_of_threads_is_one);
    tcase_add_test(tcase, each_search_is_concluded_once_with_any_number_of_threads);
    tcase_add_test(tcase, the_statistics_of_a_search_stay_when_threads_end);
    tcase_add_test(tcase, all_workers_are_idle_when_the_search_is_concluded);
    tcase_add_test(tcase, progress_of_a_running_search_grows);
    tcase_add_test(tcase, a_search_below_full_strength_uses_the_main_worker_only);
    tcase_add_test(tcase, nodes_and_time_up_to_the_ponderhit_are_counted);
    tcase_add_test(tcase, destroying_the_threads_ends_an_infinite_search);
    tcase_add_test(tcase, preparing_a_search_resets_what_the_workers_share);
    tcase_add_test(tcase, entries_age_unless_the_search_continues_an_analysis);
    suite_add_tcase(suite, tcase);
    return suite;
}
