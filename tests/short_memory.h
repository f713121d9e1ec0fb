// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Tests of what works without memory. */

#include <stdbool.h>

/* Takes all memory that malloc() can still give. False, and the test counts as skipped, where the
 * memory of a process cannot be limited. */
bool short_memory_begin(void);

/* Gives it back. */
void short_memory_end(void);
