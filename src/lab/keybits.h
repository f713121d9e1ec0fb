// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The arithmetic of short keys: what a check of so many bits lets pass (type-1 errors, Zobrist
 * 1970). */

#include <stdbool.h>
#include <stdint.h>

enum { KEYBITS_MAX = 48, KEYBITS_LIST_MAX = 16 };

/* False hits to be expected when so many entries of other positions are looked at: each has one
 * chance in 2^bits (the birthday bound, one guest at a time). */
double keybits_expected(uint64_t foreign, int bits);

/* Reads a list such as "8,12,16" of numbers from 1 to KEYBITS_MAX, each greater than the one
 * before, into `bits` (KEYBITS_LIST_MAX) and adds KEYBITS_MAX, what the others are measured by, if
 * need be. Returns how many, 0 when it is no such list. */
int keybits_read_list(const char *text, int *bits);
