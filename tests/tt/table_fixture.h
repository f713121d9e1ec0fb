// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Shared by the tests of the transposition table: a table of 1 MiB, statistics, a generator, and
 * keys of given slots. */

#include "base/rng.h"
#include "tt/tt.h"

extern Tt tt;
extern TtStats stats;
extern Rng rng;

enum { SLOTS_PER_MIB = (1 << 20) / 32 };

/* Setup and teardown: an empty table of 1 MiB under Thompson's scheme, in which a position can have
 * two entries. */
void table_setup(void);
void table_teardown(void);

/* Returns a random number in 0..n - 1. */
int random_below(int n);

/* Returns key number `which` of the given slot of a 1 MiB table. Under schemes of one level all
 * keys of a slot share an entry. */
Key key_in_slot(int slot, int which);

/* Returns the result as it is read at `at`; its score is that of the table, relative to its node. A
 * mate for which the fifty-move counter leaves no time is read without a bound. */
TtData data_read_at(TtData data, SearchPoint at);

bool same_data(const TtData *a, const TtData *b);

/* Probes and stores at the root. */
void table_store(Key key, Move move, Score score, int depth, Bound bound);
int table_probe(Key key, TtData out[2]);
extern const SearchPoint ROOT;
