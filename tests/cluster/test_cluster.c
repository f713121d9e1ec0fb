// SPDX-License-Identifier: GPL-3.0-or-later
/* Two processes of a cluster as two engines in this process: a thread carries their messages, in
 * place of MPI. */
#include "cluster/cluster.h"

#include <check.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "base/thread.h"
#include "chess/fen.h"
#include "cluster/outbox.h"

enum { LEADER, FOLLOWER, COUNT };

static Cluster *clusters[COUNT];
static Engine *engines[COUNT];
static Thread follower, network;
static atomic_bool is_cut;    // the network carries nothing
static atomic_bool is_closed; // the network thread must end
static Report last_line;      // of the leader
static SearchJob job;

static void *follow(void *unused)
{
    (void)unused;
    cluster_follow(clusters[FOLLOWER], engines[FOLLOWER]);
    return NULL;
}

static void carry_from(int from)
{
    static Message message;
    Cluster *const to = clusters[1 - from];
    while (!atomic_load(&is_cut) && cluster_take_queued(clusters[from], 1 - from, &message))
        cluster_receive(to, from, &message, message_bytes(&message));
    if (!atomic_load(&is_cut) && cluster_take_records(clusters[from], &message))
        cluster_receive(to, from, &message, message_bytes(&message));
}

static void *carry(void *unused)
{
    (void)unused;
    while (!atomic_load(&is_closed)) {
        carry_from(LEADER);
        carry_from(FOLLOWER);
        clock_sleep_ms(1);
    }
    return NULL;
}

static void keep_line(void *unused, const Report *report)
{
    (void)unused;
    if (report->kind == REPORT_LINE)
        last_line = *report;
}

static void setup(void)
{
    char error[FEN_ERROR_MAX];
    atomic_store(&is_cut, false);
    atomic_store(&is_closed, false);
    for (int i = 0; i < COUNT; i++) {
        clusters[i] = cluster_create(i, COUNT, 4);
        engines[i] = engine_create(4);
        ck_assert(clusters[i] != NULL && engines[i] != NULL);
        cluster_connect(clusters[i], engines[i]);
    }
    job = (SearchJob){.multi_pv = 1, .report = keep_line};
    ck_assert(fen_parse(&job.root, FEN_START, false, error));
    path_start(&job.path, &job.root);
    ck_assert(thread_start(&follower, follow, NULL));
    ck_assert(thread_start(&network, carry, NULL));
}

static void teardown(void)
{
    engine_wait(engines[LEADER]);
    atomic_store(&is_cut, false);
    cluster_quit(clusters[LEADER]);
    thread_join(&follower);
    atomic_store(&is_closed, true);
    thread_join(&network);
    for (int i = 0; i < COUNT; i++) {
        engine_destroy(engines[i]);
        cluster_destroy(clusters[i]);
    }
}

/* Waits until process `i` has received `count` records, at most ten seconds. */
static bool has_received(int i, uint64_t count)
{
    for (int tries = 0; tries < 1000; tries++) {
        if (cluster_counts(clusters[i]).records_received >= count)
            return true;
        clock_sleep_ms(10);
    }
    return false;
}

/* Waits until the follower has executed all orders, at most ten seconds. */
static bool follower_quits(void)
{
    cluster_quit(clusters[LEADER]);
    for (int tries = 0; tries < 1000 && !cluster_is_over(clusters[FOLLOWER]); tries++)
        clock_sleep_ms(10);
    return cluster_is_over(clusters[FOLLOWER]);
}

START_TEST(two_processes_share_results_and_nodes_and_end_together)
{
    SearchStats own;
    job.limits.infinite = true;
    engine_start(engines[LEADER], &job);
    ck_assert(has_received(LEADER, 50));
    ck_assert(has_received(FOLLOWER, 50));
    engine_stop(engines[LEADER]);
    engine_wait(engines[LEADER]);
    engine_wait(engines[FOLLOWER]);
    engine_stats(engines[LEADER], &own);
    ck_assert_uint_gt(engine_nodes(engines[LEADER]), own.nodes);
    ck_assert_uint_le(last_line.nodes, engine_nodes(engines[LEADER]));
    for (int i = 0; i < COUNT; i++) {
        const ClusterCounts counts = cluster_counts(clusters[i]);
        ck_assert_uint_gt(counts.adopted, 0);
        ck_assert_uint_le(counts.adopted + counts.late, counts.records_received);
        ck_assert_uint_eq(counts.refused, 0);
    }
}
END_TEST

START_TEST(searches_follow_each_other_quickly)
{
    const int64_t start_ms = clock_ms();
    job.limits.depth = 1;
    for (int i = 0; i < 20; i++) {
        engine_start(engines[LEADER], &job);
        engine_wait(engines[LEADER]);
    }
    ck_assert_int_lt(clock_ms() - start_ms, 5000);
}
END_TEST

START_TEST(options_reach_the_other_process)
{
    cluster_command(clusters[LEADER], "setoption", "name Hash value 9");
    cluster_command(clusters[LEADER], "setoption", "name hash value 8");
    cluster_command(clusters[LEADER], "setoption", "name MultiPV value 3"); // is in the jobs
    cluster_command(clusters[LEADER], "setoption", "nonsense");
    cluster_command(clusters[LEADER], "position", "startpos");
    ck_assert(follower_quits());
    ck_assert_uint_eq(engine_table(engines[FOLLOWER])->bytes >> 20, 8);
    ck_assert_uint_eq(cluster_counts(clusters[FOLLOWER]).messages_received, 3);
}
END_TEST

START_TEST(an_option_too_long_for_a_message_is_an_error)
{
    static char arguments[2 * MESSAGE_BODY_MAX] = "name EvalFile value ";
    memset(arguments + strlen(arguments), 'x', MESSAGE_BODY_MAX);
    ck_assert_ptr_nonnull(cluster_command(clusters[LEADER], "setoption", arguments));
    memcpy(arguments, "name HashFile value ", 20); // is used by process 0 only
    ck_assert_ptr_null(cluster_command(clusters[LEADER], "setoption", arguments));
    ck_assert_ptr_null(cluster_command(clusters[LEADER], "setoption", "name Hash value 8"));
    ck_assert(follower_quits());
    ck_assert_uint_eq(cluster_counts(clusters[FOLLOWER]).messages_received, 2);
}
END_TEST

/* In analysis a new game keeps the table: process 0 alone decides that. */
START_TEST(each_clear_reaches_the_other_process)
{
    job.limits.infinite = true;
    engine_start(engines[LEADER], &job);
    ck_assert(has_received(LEADER, 50));
    engine_stop(engines[LEADER]);
    engine_wait(engines[LEADER]);
    if (_i == 0)
        engine_new_test(engines[LEADER]);
    else if (_i == 1)
        engine_clear_hash(engines[LEADER]);
    else
        engine_new_game(engines[LEADER]); // after an infinite search
    ck_assert(follower_quits());
    for (int i = 0; i < COUNT; i++)
        ck_assert_int_eq(tt_hashfull(engine_table(engines[i])) > 0, _i == 2);
}
END_TEST

START_TEST(a_process_that_is_silent_delays_nobody)
{
    job.limits.infinite = true;
    engine_start(engines[LEADER], &job);
    ck_assert(has_received(LEADER, 1));
    atomic_store(&is_cut, true);
    const int64_t start_ms = clock_ms();
    engine_stop(engines[LEADER]);
    engine_wait(engines[LEADER]);
    ck_assert_int_lt(clock_ms() - start_ms, 2000);
}
END_TEST

START_TEST(each_receiver_has_its_own_queue)
{
    static Message message;
    Cluster *const cluster = cluster_create(LEADER, 3, 4);
    cluster_quit(cluster);
    for (int to = 1; to < 3; to++) {
        ck_assert(cluster_take_queued(cluster, to, &message));
        ck_assert(!cluster_take_queued(cluster, to, &message));
    }
    cluster_destroy(cluster);
}
END_TEST

/* Without a search each call sleeps for 5 ms. */
START_TEST(messages_that_cannot_leave_do_not_end_the_sleep)
{
    atomic_store(&is_cut, true);
    engine_clear_hash(engines[LEADER]);
    const int64_t start_ms = clock_ms();
    for (int i = 0; i < 20; i++)
        cluster_wait(clusters[LEADER]);
    ck_assert_int_ge(clock_ms() - start_ms, 50);
}
END_TEST

START_TEST(only_a_process_with_the_same_evaluation_has_a_vote)
{
    static Message message;
    const PeerResult result = {.nodes = UINT64_C(1) << 40};
    const uint64_t own = eval_fingerprint(engine_eval_source(engines[LEADER]));
    atomic_store(&is_cut, true); // the test sends in place of the follower
    job.limits.infinite = true;
    engine_start(engines[LEADER], &job);
    for (int i = 0; i < 2; i++) {
        const RecordsHead head = {.evaluation = i == 0 ? own + 1 : own};
        const uint8_t none[1] = {0};
        message_write_records(&message, 1, &head, none);
        cluster_receive(clusters[LEADER], FOLLOWER, &message, message_bytes(&message));
        message_write(&message, MESSAGE_RESULT, 1, &result, sizeof result);
        cluster_receive(clusters[LEADER], FOLLOWER, &message, message_bytes(&message));
        ck_assert_int_eq(engine_nodes(engines[LEADER]) >= result.nodes, i == 1);
    }
    engine_stop(engines[LEADER]);
    engine_wait(engines[LEADER]);
    ck_assert_uint_eq(cluster_counts(clusters[LEADER]).refused, 0);
}
END_TEST

START_TEST(damaged_messages_and_false_senders_are_refused)
{
    static Message message;
    message_write(&message, MESSAGE_CLEAR_GAME, 1, NULL, 0);
    cluster_receive(clusters[LEADER], FOLLOWER, &message, message_bytes(&message)); // gives orders
    message.search++;
    cluster_receive(clusters[FOLLOWER], LEADER, &message, message_bytes(&message));
    message_write(&message, MESSAGE_RECORDS, 1, "short", 6);
    cluster_receive(clusters[LEADER], FOLLOWER, &message, message_bytes(&message));
    ck_assert_uint_eq(cluster_counts(clusters[LEADER]).refused, 2);
    ck_assert_uint_eq(cluster_counts(clusters[FOLLOWER]).refused, 1);
}
END_TEST

START_TEST(weaker_play_is_a_search_of_one_process)
{
    job.limits.depth = 3;
    job.strength = strength_at(2500, 32, 1);
    engine_start(engines[LEADER], &job);
    engine_wait(engines[LEADER]);
    ck_assert_uint_eq(cluster_counts(clusters[LEADER]).messages_sent, 0);
}
END_TEST

START_TEST(a_late_result_does_not_count_for_weaker_play)
{
    static Message message;
    const PeerResult result = {.nodes = UINT64_C(1) << 40};
    const RecordsHead head = {.evaluation = eval_fingerprint(engine_eval_source(engines[LEADER]))};
    const uint8_t none[1] = {0};
    atomic_store(&is_cut, true); // the test sends in place of the follower
    job.limits.infinite = true;
    engine_start(engines[LEADER], &job);
    message_write_records(&message, 1, &head, none);
    cluster_receive(clusters[LEADER], FOLLOWER, &message, message_bytes(&message));
    engine_stop(engines[LEADER]);
    engine_wait(engines[LEADER]);
    job.strength = strength_at(2500, 32, 1);
    engine_start(engines[LEADER], &job);
    message_write(&message, MESSAGE_RESULT, 1, &result, sizeof result);
    cluster_receive(clusters[LEADER], FOLLOWER, &message, message_bytes(&message));
    const uint64_t nodes = engine_nodes(engines[LEADER]);
    engine_stop(engines[LEADER]);
    ck_assert_uint_lt(nodes, result.nodes);
}
END_TEST

START_TEST(a_full_outbox_drops_and_keeps_the_order)
{
    static Outbox outbox;
    TtRecord record = {.key = 0};
    for (; record.key < OUTBOX_RECORDS; record.key++)
        ck_assert(outbox_put(&outbox, &record));
    ck_assert(!outbox_put(&outbox, &record));
    for (Key key = 0; key < OUTBOX_RECORDS; key++) {
        ck_assert(outbox_take(&outbox, &record));
        ck_assert_uint_eq(record.key, key);
    }
    ck_assert(!outbox_take(&outbox, &record));
}
END_TEST

Suite *suite_cluster(void);
Suite *suite_cluster(void)
{
    Suite *suite = suite_create("cluster");
    TCase *tcase = tcase_create("cluster");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, two_processes_share_results_and_nodes_and_end_together);
    tcase_add_test(tcase, searches_follow_each_other_quickly);
    tcase_add_test(tcase, options_reach_the_other_process);
    tcase_add_test(tcase, an_option_too_long_for_a_message_is_an_error);
    tcase_add_loop_test(tcase, each_clear_reaches_the_other_process, 0, 3);
    tcase_add_test(tcase, a_process_that_is_silent_delays_nobody);
    tcase_add_test(tcase, each_receiver_has_its_own_queue);
    tcase_add_test(tcase, messages_that_cannot_leave_do_not_end_the_sleep);
    tcase_add_test(tcase, only_a_process_with_the_same_evaluation_has_a_vote);
    tcase_add_test(tcase, damaged_messages_and_false_senders_are_refused);
    tcase_add_test(tcase, weaker_play_is_a_search_of_one_process);
    tcase_add_test(tcase, a_late_result_does_not_count_for_weaker_play);
    tcase_add_test(tcase, a_full_outbox_drops_and_keeps_the_order);
    suite_add_tcase(suite, tcase);
    return suite;
}
