// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/session.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/thread.h"
#include "engine/engine_run.h"
#include "uci/commands/commands.h"

static Session session;
static char *printed;
static size_t printed_size;

/* Opens a session that prints to memory, with the command thread idle and an endless search. */
static void setup(void)
{
    const Limits limits = {.infinite = true};
    ck_assert(session_open(&session));
    session.out.stream = open_memstream(&printed, &printed_size);
    ck_assert_ptr_nonnull(session.out.stream);
    fflush(session.out.stream); // sets `printed`
    session.is_idle = true;
    session.serial = session.newest = 1; // that of the command `go`
    session_search(&session, &limits);
}

static void teardown(void)
{
    session_close(&session); // closes the stream
    free(printed);
}

/* Hands a line to the session, as the reader thread does. */
static void receive(const char *text)
{
    char line[80];
    snprintf(line, sizeof line, "%s", text);
    char *cursor = line;
    const Command *const command = command_find(&cursor);
    session_receive(&session, command, cursor);
}

/* Number of lines printed that are this one. */
static int count_printed(const char *line)
{
    int count = 0;
    mutex_lock(&session.out.lock);
    char *text = printed;
    for (char *end = strchr(text, '\n'); end != NULL; text = end + 1, end = strchr(text, '\n'))
        count += (size_t)(end - text) == strlen(line) && memcmp(text, line, strlen(line)) == 0;
    mutex_unlock(&session.out.lock);
    return count;
}

static bool has_printed(const char *text)
{
    mutex_lock(&session.out.lock);
    const bool has = strstr(printed, text) != NULL;
    mutex_unlock(&session.out.lock);
    return has;
}

static void free_queue(void)
{
    while (session.first != NULL)
        free(session_next(&session));
}

START_TEST(a_command_that_fails_says_why_and_changes_the_status)
{
    ck_assert(!session.failed);
    session_fail(&session, "bench: %d of %s", 3, "four");
    ck_assert_int_eq(count_printed("info string error: bench: 3 of four"), 1);
    ck_assert(session.failed);
}
END_TEST

START_TEST(a_faulty_fen_is_a_failure_and_a_mended_one_is_not)
{
    Position pos;
    ck_assert(session_read_fen(&session, "perft", "k7/8/8/8/8/8/8/1RK4R w BH - 0 1", &pos));
    ck_assert(has_printed("info string perft: "));
    ck_assert(!session.failed);
    ck_assert(!session_read_fen(&session, "perft", "nonsense", &pos));
    ck_assert(has_printed("info string error: perft: "));
    ck_assert(session.failed);
}
END_TEST

START_TEST(each_game_has_its_own_seed)
{
    const uint64_t first = session.settings.game_seed;
    session_stop(&session);
    session_await(&session, SEARCH_STOPS);
    session_new_game(&session);
    ck_assert_uint_ne(session.settings.game_seed, first);
}
END_TEST

START_TEST(isready_is_answered_during_a_search)
{
    receive("isready");
    ck_assert_ptr_null(session.first);
    ck_assert_int_eq(count_printed("readyok"), 1);
}
END_TEST

/* The client has the best move and sends `setoption` and `isready`, while the threads of the search
 * still return. Then `readyok` must not come before the option is set. */
START_TEST(isready_after_the_best_move_keeps_its_turn)
{
    session.search_answers = true;
    receive("setoption name Hash value 2");
    receive("isready");
    ck_assert_ptr_nonnull(session.first);
    ck_assert_ptr_nonnull(session.first->next);
    session_stop(&session);
    session_await(&session, SEARCH_ENDS);
    ck_assert_ptr_nonnull(session.first->next); // not removed by session_await()
    ck_assert_int_eq(count_printed("readyok"), 0);
    free_queue();
}
END_TEST

START_TEST(a_search_is_over_for_its_client_when_it_has_answered)
{
    session_await(&session, SEARCH_CONTINUES);
    run_await_nodes(session.engine, engine_nodes(session.engine) + 1000); // nothing has stopped it
    ck_assert(engine_is_searching(session.engine));
    ck_assert(!session.search_answers);
    session_stop(&session);
    session_await(&session, SEARCH_ENDS);
    ck_assert(session.search_answers);
}
END_TEST

START_TEST(a_command_waits_for_the_end_of_a_search_that_has_answered)
{
    session.search_answers = true;
    session_stop(&session);
    session_await(&session, SEARCH_CONTINUES);
    ck_assert(!engine_is_searching(session.engine));
}
END_TEST

static bool is_awaiting_the_end(void)
{
    mutex_lock(&session.lock);
    const bool is_awaiting = session.awaits == SEARCH_ENDS;
    mutex_unlock(&session.lock);
    return is_awaiting;
}

static void *stop_while_awaited(void *unused)
{
    while (!is_awaiting_the_end())
        clock_sleep_ms(1);
    session_stop(&session);
    return unused;
}

START_TEST(a_stop_ends_the_search_but_no_command_that_waits_for_it)
{
    Thread thread;
    receive("hash verify");
    receive("hash verify");
    ck_assert(thread_start(&thread, stop_while_awaited, NULL));
    for (int i = 0; i < 2; i++) {
        free(session_next(&session));
        session_await(&session, SEARCH_ENDS);
        ck_assert(!engine_is_searching(session.engine));
        ck_assert(!session_ends_task(&session));
    }
    thread_join(&thread);
    session_stop(&session); // now for the command itself
    ck_assert(session_ends_task(&session));
}
END_TEST

START_TEST(a_stop_ends_the_search_but_no_command_that_is_queued_after_it)
{
    receive("hash verify");
    session_stop(&session);
    free(session_next(&session));
    session_await(&session, SEARCH_CONTINUES); // as before each command `hash`
    session_await(&session, SEARCH_ENDS);
    ck_assert(!session_ends_task(&session));
}
END_TEST

START_TEST(a_stop_ends_a_long_command_that_is_still_in_the_queue)
{
    receive("perft 9");
    session_stop(&session);
    free(session_next(&session));
    session_await(&session, SEARCH_STOPS);
    ck_assert(session_ends_task(&session));
}
END_TEST

/* Prints to a pipe that nobody reads until it is full. */
START_TEST(output_that_nobody_reads_is_dropped_after_quit)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    mutex_lock(&session.out.lock); // the search prints, too
    fclose(session.out.stream);
    session.out.stream = fdopen(ends[1], "w");
    mutex_unlock(&session.out.lock);
    receive("quit");
    for (int i = 0; i < 100; i++) {
        StrBuf buf = {0};
        strbuf_add(&buf, "%*s\n", FILE_WRITE_MAX, "");
        output_block(&session.out, &buf);
    }
    ck_assert(atomic_load(&session.out.is_unread));
    char part[FILE_WRITE_MAX];
    for (int i = 0; i < 4; i++)
        ck_assert_int_gt(read(ends[0], part, sizeof part), 0);
    output_line(&session.out, "somebody reads again");
    ck_assert(!atomic_load(&session.out.is_unread));
    session_stop(&session);
    session_await(&session, SEARCH_STOPS);
    close(ends[0]);
}
END_TEST

/* The progress of a save to a slow disk: it takes more than five seconds. */
static void write_slowly(void *ctx, uint64_t done, uint64_t total)
{
    (void)ctx, (void)done, (void)total;
    clock_sleep_ms(100);
}

/* A command such as `ucinewgame` waits until a file is saved, and the client sends `quit`; in the
 * second run a `wait` before it. GUIs kill an engine that does not end within a few seconds. */
START_TEST(a_save_that_a_command_waits_for_ends_soon_after_quit)
{
    char path[] = "/tmp/palimpsest-test-XXXXXX";
    const bool is_awaited = _i == 1;
    HashSaveListener listener = run_ignore_save;
    listener.progress = write_slowly;
    const HashFileTask task = {.path = path, .min_depth = 1, .max_bytes = 1 << 30};
    close(mkstemp(path));
    ck_assert(engine_save_hash_during_search(session.engine, &task, &listener));
    if (is_awaited)
        receive("wait");
    receive("ucinewgame");
    session.serial = session.first->serial; // this command runs
    const int64_t start_ms = clock_ms();
    session_input_end(&session);
    ck_assert(engine_await_save(session.engine) == is_awaited);
    const int64_t spent_ms = clock_ms() - start_ms;
    ck_assert_msg((spent_ms < 4500) == !is_awaited, "%d ms", (int)spent_ms);
    if (!is_awaited) { // another save after it has no more time
        ck_assert(engine_save_hash_during_search(session.engine, &task, &listener));
        ck_assert(!engine_await_save(session.engine));
        ck_assert_int_lt(clock_ms() - start_ms, 5500);
    }
    remove(path);
    free_queue();
}
END_TEST

START_TEST(the_last_save_of_a_command_line_has_no_limit)
{
    char path[] = "/tmp/palimpsest-test-XXXXXX";
    HashSaveListener listener = run_ignore_save;
    listener.progress = write_slowly;
    const HashFileTask task = {.path = path, .min_depth = 1, .max_bytes = 1 << 30};
    Session own;
    close(mkstemp(path));
    ck_assert(session_open(&own));
    own.is_command_line = true;
    ck_assert(engine_save_hash_during_search(own.engine, &task, &listener));
    session_input_end(&own); // `quit`
    ck_assert(session_close(&own));
    remove(path);
}
END_TEST

START_TEST(input_that_ends_before_the_first_command_is_a_script)
{
    Session early;
    ck_assert(session_open(&early));
    session_input_complete(&early, SESSION_SCRIPT_MS);
    session_input_end(&early);
    ck_assert(early.is_script);
    early.serial = early.newest = 1; // that of the first command
    session_begin_task(&early);
    ck_assert(!session_ends_task(&early));
    ck_assert(!session_ends_old_task(&early));
    session_close(&early);
}
END_TEST

Suite *suite_session(void);
Suite *suite_session(void)
{
    Suite *suite = suite_create("session");
    TCase *tcase = tcase_create("session");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_command_that_fails_says_why_and_changes_the_status);
    tcase_add_test(tcase, a_faulty_fen_is_a_failure_and_a_mended_one_is_not);
    tcase_add_test(tcase, each_game_has_its_own_seed);
    tcase_add_test(tcase, isready_is_answered_during_a_search);
    tcase_add_test(tcase, isready_after_the_best_move_keeps_its_turn);
    tcase_add_test(tcase, a_search_is_over_for_its_client_when_it_has_answered);
    tcase_add_test(tcase, a_command_waits_for_the_end_of_a_search_that_has_answered);
    tcase_add_test(tcase, a_stop_ends_the_search_but_no_command_that_waits_for_it);
    tcase_add_test(tcase, a_stop_ends_the_search_but_no_command_that_is_queued_after_it);
    tcase_add_test(tcase, a_stop_ends_a_long_command_that_is_still_in_the_queue);
    tcase_add_test(tcase, output_that_nobody_reads_is_dropped_after_quit);
    tcase_add_loop_test(tcase, a_save_that_a_command_waits_for_ends_soon_after_quit, 0, 2);
    tcase_add_test(tcase, the_last_save_of_a_command_line_has_no_limit);
    tcase_add_test(tcase, input_that_ends_before_the_first_command_is_a_script);
    tcase_set_timeout(tcase, 20);
    suite_add_tcase(suite, tcase);
    return suite;
}
