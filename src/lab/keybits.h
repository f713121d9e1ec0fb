// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Calculations for short key checks. A type-1 error (Zobrist 1970) is a false hit: an entry of
 * another position passes the check. */

#include <stdbool.h>
#include <stdint.h>

enum { KEYBITS_MAX = 48 };

/* Expected number of false hits. `foreign` is the number of times that a probe met an entry of
 * another position. Each such entry passes a check of `bits` bits with probability 2^-bits. */
double keybits_expected(uint64_t foreign, int bits);

/* Parses a list such as "8,12,16" of ascending numbers from 1 to KEYBITS_MAX into `bits`
 * (KEYBITS_MAX elements). Appends KEYBITS_MAX, the reference, if it is absent. Returns the
 * number of elements, or 0 when the list is malformed. */
int keybits_read_list(const char *text, int *bits);
