// SPDX-License-Identifier: GPL-3.0-or-later
/* The unit tests: runs every suite of suites.h, or only the suite named by the environment variable
 * CK_RUN_SUITE (libcheck). scripts/unit-tests.sh runs the suites in parallel in this way. No
 * arguments. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "chess/position.h"
#include "engine/init.h"
#include "eval/bootstrap.h"
#include "nnue/network.h"
#include "skip.h"

#define SUITE_ALONE SUITE

#define SUITE(name) Suite *suite_##name(void);
#include "suites.h"
#undef SUITE

/* Stands in for _mark_point() of libcheck (-Wl,--wrap): an assertion that holds notes its place in
 * a file, so that a crash can be reported with it. Some tests make a million assertions, and on a
 * virtual machine these system calls took a third of the time of all tests. A crash is now reported
 * with the place of its test. */
void __wrap__mark_point(const char *file, int line);
void __wrap__mark_point(const char *file, int line)
{
    (void)file;
    (void)line;
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    setenv("CK_DEFAULT_TIMEOUT", "30",
           0); // seconds; the default of 4 is too short on a busy machine
    skip_init();
    chess_init();
    char error[NETWORK_ERROR_MAX];
    if (!engine_init(error)) {
        fprintf(stderr, "unit-tests: the network built in %s\n", error);
        return EXIT_FAILURE;
    }
    bootstrap_init();
    SRunner *runner = srunner_create(NULL);
#define SUITE(name) srunner_add_suite(runner, suite_##name());
#include "suites.h"
#undef SUITE
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner), run = srunner_ntests_run(runner);
    srunner_free(runner);
    printf("%d passed, %d failed, %d skipped\n", run - failed - skip_count(), failed, skip_count());
    if (run == 0 && skip_count() == 0) {
        fprintf(stderr,
                "unit-tests: no suite (see tests/suites.h) or test case (see tcase_create() in "
                "its file) has this name\n");
        return EXIT_FAILURE;
    }
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
