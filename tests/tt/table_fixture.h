// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What the tests of the transposition table share: a table of 1 MiB, statistics, a generator, and
 * keys of chosen slots. */

#include "base/rng.h"
#include "tt/tt.h"

extern Tt tt;
extern TtStats stats;
extern Rng rng;

enum { SLOTS_PER_MIB = (1 << 20) / 32 };

/* Before each test and after it: a fresh table under Thompson's scheme, which uses all that two
 * entries of one position can be, and none. */
void table_setup(void);
void table_teardown(void);

/* A number in 0..n - 1. */
int random_below(int n);

/* A key of the given slot of a 1 MiB table; `which` tells the slot's keys apart. Under schemes of
 * one level these keys share an entry. */
Key key_in_slot(int slot, int which);

bool same_data(const TtData *a, const TtData *b);

/* Probes and stores at the root. */
void table_store(Key key, Move move, Score score, int depth, Bound bound);
int table_probe(Key key, TtData out[2]);
extern const SearchPoint ROOT;
