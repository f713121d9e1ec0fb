// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The transposition table. Each key selects a slot of two entries, a first and a second level, as
 * in Thompson's two tables (Moreland 2001). A replacement scheme decides which results stay
 * (replacement.h; by default TwoDeep). An entry torn by two writers reads as a miss (entry.h).
 * Every search makes the existing entries stale; reading an entry makes it current again (Robinson
 * 1995). Stale entries are replaced first.
 *
 * Any number of threads may probe, store, insert and inspect at once. No other thread may use the
 * table while it is resized, cleared, freed or told of a new search. */

#include "tt/stats.h"
#include "tt/table.h"

/* Gives the table `mib` MiB (1..33554432), and half of it as often as the memory does not suffice.
 * All entries are lost. Returns the size in MiB, or 0 when not even 1 MiB is free: then tt->slots
 * is NULL and the table must not be used. `*tt` must be zero or valid. */
uint64_t tt_resize(Tt *tt, uint64_t mib);

/* The same for a number of entries, a multiple of 2. Returns false when out of memory. */
bool tt_resize_positions(Tt *tt, uint64_t positions);

/* Frees the memory. The table may be resized again. */
void tt_free(Tt *tt);

/* Removes all entries. Fast where the system can exchange pages for fresh ones. */
void tt_clear(Tt *tt);

/* Clears part `i` of `n`, so that several threads can share the work. */
void tt_clear_slice(Tt *tt, int i, int n);

/* Has the system back the next part of the table by memory, so that no search waits for it. Takes
 * about 10 ms. Returns false when the whole table is backed. */
bool tt_touch(Tt *tt);

/* Begins a search: all entries become stale. */
void tt_new_search(Tt *tt);

/* Loads the slot of `key` into the cache, ahead of a probe. */
static inline void tt_prefetch(const Tt *tt, Key key)
{
    __builtin_prefetch(tt_slot(tt, key));
}

/* Writes the entries of `key` to `out`, the deeper one first, with scores for the position at `at`,
 * and returns their number: 0, 1 or 2. Makes them current, unless tt->no_refresh is set. */
int tt_probe(Tt *tt, Key key, SearchPoint at, TtData out[2], TtStats *stats);

/* The same for display: entries stay stale, nothing is counted. */
int tt_peek(Tt *tt, Key key, SearchPoint at, TtData out[2]);

/* Stores a result under the replacement scheme of the table, which may reject the result. A result
 * with a bound must have a score. A result without a move keeps the move of an entry of its
 * position. */
void tt_store(Tt *tt, Key key, SearchPoint at, const TtData *data, TtStats *stats);

/* Returns the current entries per thousand, estimated from the first 1000 slots. */
int tt_hashfull(Tt *tt);

/* An entry with its key, for callers that inspect or copy the whole table. */
typedef struct {
    TtData data; // scores relative to the position itself
    Key key;
    bool key_is_whole; // else only the low 48 bits are known; see tt_has_whole_keys()
} TtRecord;

typedef enum {
    TT_RECORD_EMPTY,
    TT_RECORD_FRESH,  // current: written or read in the last search
    TT_RECORD_STALE,  // older
    TT_RECORD_DAMAGED // impossible contents: torn, or of another slot
} TtRecordState;

/* Reads entry `index`, 0 .. 2 * slot_count - 1; even entries are first levels. Does not make it
 * current. `*out` is unchanged for an empty entry and unreliable for a damaged one. */
TtRecordState tt_record(Tt *tt, uint64_t index, TtRecord *out);

/* Returns true when the fields of a result are consistent. */
bool tt_data_is_sound(const TtData *data);

/* Inserts a record of another table as a current entry. The record must have a whole key and sound
 * data. It goes to the first level when `is_first_level`, else to the second. If that entry is
 * taken, the replacement scheme decides. */
void tt_insert(Tt *tt, const TtRecord *record, bool is_first_level);
