// SPDX-License-Identifier: GPL-3.0-or-later
/* Runs every suite of suites.h. Arguments: none. Select with CK_RUN_SUITE, see libcheck's manual;
 * scripts/unit_tests.sh runs one suite a core so. */
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

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    setenv("CK_DEFAULT_TIMEOUT", "30", 0); // s; libcheck's own 4 are short on a busy machine
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
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
