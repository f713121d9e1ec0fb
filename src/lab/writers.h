// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Races between threads that store in one table without locks. A store reads the entries of its
 * position, decides by the replacement scheme, and writes. When another thread writes one of these
 * entries in between, the decision is about entries that are no longer there.
 *
 * The engine's store cannot be stopped in the middle. So the laboratory has a table of its own,
 * with the size and scheme of the engine's. Each thread of the search repeats its stores there, as
 * a SearchPeers (peers.h): copies the entries, lets the engine's code store into the copy,
 * compares, and writes what the copy has become. The playing engine does not change. Bare
 * evaluations and results from tablebases are not repeated, because the search does not offer them.
 */

#include "search/peers.h"
#include "tt/tt.h"

/* Counts of one thread, or of all. A store is `wrong` if the entries of its position afterwards
 * differ from those that an atomic store at the moment of its write would have left. */
typedef struct {
    int64_t stores;
    int64_t changed;      // another thread wrote an entry of the position meanwhile
    int64_t overwritten;  // of these: wrote over an entry other than the one judged
    int64_t wrong;        // of the changed
    int64_t lost;         // positions that the table should hold after a wrong store and does not
    int64_t pushes;       // stores that moved the entry of the first level to the second
    int64_t wrong_pushes; // of the wrong
    int64_t unused[9];    // keeps the counts of two threads in different cache lines
} WriterCounts;

/* A store in two halves. */
typedef struct {
    Tt *tt;
    Key key;
    TtData data;                     // scores relative to the position itself
    EntryWords judged[2], chosen[2]; // the entries as read, and as they will be
    bool writes[2];                  // the store writes the entry, perhaps what it holds already
} SplitStore;

/* Reads the entries of `key` and decides what to write. */
void split_store_decide(SplitStore *store, Tt *tt, Key key, const TtData *data);

/* Reads the entries again, counts what has changed, and writes. */
void split_store_write(const SplitStore *store, WriterCounts *counts);

typedef struct Writers Writers;

/* Creates an empty table of `positions` entries for `threads` threads. `gives_way`: each store lets
 * other threads run between its halves (thread_give_way()). NULL when memory is short. */
Writers *writers_create(uint64_t positions, Replacement replacement, int threads, bool gives_way);
void writers_destroy(Writers *writers);

/* The stores of a search, for engine_set_peers(). */
SearchPeers *writers_peers(Writers *writers);

/* What the threads counted. No search may be running. */
WriterCounts writers_sum(const Writers *writers);

/* The counts of thread `index` alone. */
const WriterCounts *writers_of_thread(const Writers *writers, int index);

/* Nanoseconds of a store into a table in the cache, by one thread: tt_store(), or the two halves.
 * The shortest of several rounds; zeros when memory is short. */
typedef struct {
    double engine, split;
} StoreTime;
StoreTime writers_time(void);
