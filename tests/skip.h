// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Which tests run. A test that cannot run here (a file, a library or a right is missing) calls
 * skip_test() and returns: it then counts as skipped, not as passed. */

#include <stdbool.h>

/* Prepares the counter, which the processes of all tests share. Called once, before the first test.
 */
void skip_init(void);

/* Prints "skipped: WHY" and counts the running test as skipped. Called at most once by a test,
 * which then returns. */
void skip_test(const char *why, ...) __attribute__((format(printf, 1, 2)));

/* Number of tests skipped so far. */
int skip_count(void);

/* Whether PALIMPSEST_SLOW=1 asks for the long forms of tests (`make test-slow`). */
bool is_slow_run(void);
