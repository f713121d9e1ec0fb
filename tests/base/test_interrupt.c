// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/interrupt.h"

#include <check.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

START_TEST(the_first_signal_sets_the_flag)
{
    const atomic_bool *const flag = interrupt_watch();
    ck_assert(!interrupt_pending());
    raise(SIGINT);
    ck_assert(interrupt_pending());
    ck_assert(atomic_load(flag));
    interrupt_watch();
    ck_assert(!interrupt_pending());
}
END_TEST

START_TEST(a_flag_that_is_missing_is_never_set)
{
    atomic_bool flag = false;
    ck_assert(!interrupt_is_set(NULL));
    ck_assert(!interrupt_is_set(&flag));
    atomic_store(&flag, true);
    ck_assert(interrupt_is_set(&flag));
}
END_TEST

/* Runs `body` in a process of its own and returns the signal that ended it, or 0. */
static int ending_signal(void (*body)(void))
{
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        body();
        _exit(0);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void release_and_raise(void)
{
    interrupt_watch();
    raise(SIGTERM);
    if (interrupt_release() && !interrupt_release() && !interrupt_pending())
        raise(SIGINT);
}

START_TEST(after_the_release_a_signal_ends_the_process)
{
    ck_assert_int_eq(ending_signal(release_and_raise), SIGINT);
}
END_TEST

static void end_later(void)
{
    interrupt_watch_unless_ignored();
    raise(SIGTERM);
    if (interrupt_release())
        interrupt_end();
}

static void end_later_by_an_ignored_signal(void)
{
    signal(SIGTERM, SIG_IGN);
    interrupt_watch();
    raise(SIGTERM);
    if (interrupt_release())
        interrupt_end();
}

START_TEST(a_process_can_end_later_by_the_signal)
{
    ck_assert_int_eq(ending_signal(end_later), SIGTERM);
    ck_assert_int_eq(ending_signal(end_later_by_an_ignored_signal), SIGTERM);
}
END_TEST

/* The signal that a closed terminal sends; `nohup` starts programs that ignore it. */
START_TEST(a_hangup_sets_the_flag_unless_it_is_ignored)
{
    signal(SIGHUP, SIG_IGN);
    interrupt_watch();
    raise(SIGHUP);
    ck_assert(!interrupt_release());
    interrupt_watch_unless_ignored();
    raise(SIGHUP);
    ck_assert(!interrupt_release());
    signal(SIGHUP, SIG_DFL);
    interrupt_watch();
    raise(SIGHUP);
    ck_assert(interrupt_release());
    interrupt_watch_unless_ignored();
    raise(SIGHUP);
    ck_assert(interrupt_release());
}
END_TEST

static void hang_up_and_terminate(void)
{
    signal(SIGHUP, SIG_DFL);
    interrupt_watch();
    raise(SIGHUP);
    raise(SIGTERM);
}

START_TEST(a_signal_after_a_hangup_ends_the_process)
{
    ck_assert_int_eq(ending_signal(hang_up_and_terminate), SIGTERM);
}
END_TEST

START_TEST(an_ignored_signal_stays_ignored)
{
    signal(SIGINT, SIG_IGN);
    interrupt_watch_unless_ignored();
    raise(SIGINT);
    ck_assert(!interrupt_pending());
    raise(SIGTERM);
    ck_assert(interrupt_pending());
    raise(SIGINT);
    ck_assert(interrupt_release());
    raise(SIGINT);
    signal(SIGINT, SIG_DFL);
}
END_TEST

/* As a program that a shell script starts in the background, after a command of several. */
START_TEST(an_ignored_signal_that_was_watched_is_ignored_again)
{
    for (int i = 0; i < 2; i++) { // without a signal, and after one
        signal(SIGINT, SIG_IGN);
        signal(SIGTERM, SIG_DFL);
        interrupt_watch();
        interrupt_watch();
        if (i == 1)
            raise(SIGINT);
        ck_assert_int_eq(interrupt_release(), i);
        ck_assert(signal(SIGINT, SIG_DFL) == SIG_IGN);
        ck_assert(signal(SIGTERM, SIG_DFL) == SIG_DFL);
        interrupt_watch();
        interrupt_release();
        ck_assert(signal(SIGINT, SIG_DFL) == SIG_DFL);
    }
}
END_TEST

Suite *suite_interrupt(void);
Suite *suite_interrupt(void)
{
    Suite *suite = suite_create("interrupt");
    TCase *tcase = tcase_create("interrupt");
    tcase_add_test(tcase, the_first_signal_sets_the_flag);
    tcase_add_test(tcase, a_flag_that_is_missing_is_never_set);
    tcase_add_test(tcase, a_process_can_end_later_by_the_signal);
    tcase_add_test(tcase, a_hangup_sets_the_flag_unless_it_is_ignored);
    tcase_add_test(tcase, a_signal_after_a_hangup_ends_the_process);
    tcase_add_test(tcase, an_ignored_signal_stays_ignored);
    tcase_add_test(tcase, an_ignored_signal_that_was_watched_is_ignored_again);
    tcase_add_test(tcase, after_the_release_a_signal_ends_the_process);
    suite_add_tcase(suite, tcase);
    return suite;
}
