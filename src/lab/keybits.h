// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The arithmetic of short key checks: type-1 errors (Zobrist 1970), in which an entry of another
 * position passes the check. */

#include <stdbool.h>
#include <stdint.h>

enum { KEYBITS_MAX = 48, KEYBITS_LIST_MAX = 16 };

/* Expected number of false hits when `foreign` entries of other positions are compared in `bits`
 * bits: each passes with probability 2^-bits. */
double keybits_expected(uint64_t foreign, int bits);

/* Parses a list such as "8,12,16" of ascending numbers from 1 to KEYBITS_MAX into `bits` (room for
 * KEYBITS_LIST_MAX) and appends KEYBITS_MAX, the reference, if it is absent. Returns the number of
 * elements, or 0 when the list is malformed. */
int keybits_read_list(const char *text, int *bits);
