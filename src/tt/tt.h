// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The transposition table. A slot holds two entries. Under a scheme of two levels these are the
 * first and the second level of a key, as in Thompson's two tables (Moreland 2001). A replacement
 * scheme decides which results stay (replacement.h; by default TwoDeep). An entry torn by two
 * writers reads as a miss (entry.h). tt_new_search() makes all entries stale; a probe makes an
 * entry current again (Robinson 1995). Stale entries are replaced first.
 *
 * Any number of threads may probe, store, insert and inspect at once. No other thread may use the
 * table during tt_resize(), tt_resize_positions(), tt_clear(), tt_clear_small(), tt_free() and
 * tt_new_search(). */

#include "tt/stats.h"
#include "tt/table.h"

enum { TT_MIB_MAX = 33554432 }; // 32 TiB; documents name the number

/* Sets the size to `mib` MiB (1..TT_MIB_MAX). When memory is short, tries half the size, and so on.
 * All entries are lost (resize.h keeps them). Returns the size in MiB. Returns 0 when not even 1
 * MiB is free: then tt->slots is NULL and the table must not be used. `*tt` must be zero or valid.
 */
uint64_t tt_resize(Tt *tt, uint64_t mib);

/* Sets the size to a number of entries, a multiple of 2. All entries are lost. Returns false when
 * out of memory: then tt->slots is NULL. */
bool tt_resize_positions(Tt *tt, uint64_t positions);

/* Frees the memory. The table may be resized again; its settings stay. */
void tt_free(Tt *tt);

/* Removes all entries and cancels a migration. Fast on Linux: the system replaces each page by a
 * zeroed one when the page is next used. */
void tt_clear(Tt *tt);

/* Removes all entries of a small table that is used again at once. Keeps the memory: to get it back
 * from the system would take longer, and threads that change the page tables of one process wait
 * for each other. No migration may be under way. */
void tt_clear_small(Tt *tt);

/* A part of the table's memory. */
enum { TT_PART_BYTES = 32 << 20 }; // the most
typedef struct {
    void *start;
    size_t bytes; // 0: none
} TtPart;

/* Returns the next part of the table that has not been returned since it was cleared. The caller
 * touches it (warmup.h). */
TtPart tt_take_untouched(Tt *tt);

/* Begins a search: all entries become stale. Searches are numbered modulo TT_AGES, so an entry last
 * used TT_AGES searches before counts as current again. An engine that continues an analysis does
 * not call this. */
void tt_new_search(Tt *tt);

/* Loads the slot of `key` into the cache, ahead of a probe. */
static inline void tt_prefetch(const Tt *tt, Key key)
{
    __builtin_prefetch(tt_slot(tt, key));
}

/* Writes the entries of `key` to `out`, with scores converted for the position at `at`, and returns
 * their number: 0, 1 or 2. The deeper entry comes first; at equal depth, the entry of the second
 * level comes first. Makes them current, unless tt->no_refresh is set. */
int tt_probe(Tt *tt, Key key, SearchPoint at, TtData out[2], TtStats *stats);

/* Does the same for display: entries stay stale, nothing is counted. */
int tt_peek(Tt *tt, Key key, SearchPoint at, TtData out[2]);

/* Stores a result under the replacement scheme of the table, which may reject the result. A result
 * with a bound must have a score; the depth is 0..255. A result without a move keeps the stored
 * move of its position. */
void tt_store(Tt *tt, Key key, SearchPoint at, const TtData *data, TtStats *stats);

/* Returns how many entries per thousand are current, estimated from the first 1000 slots. */
int tt_hashfull(Tt *tt);

/* An entry with its key, for callers that inspect or copy the whole table. */
typedef struct {
    TtData data; // scores relative to the position itself
    Key key;
    bool key_is_whole; // else only the low 48 bits are known; see tt_has_whole_keys()
} TtRecord;

typedef enum {
    TT_RECORD_EMPTY,
    TT_RECORD_CURRENT, // written or probed in the last search
    TT_RECORD_STALE,   // older
    TT_RECORD_DAMAGED  // torn: impossible contents, or check bits that do not belong to this slot
} TtRecordState;

/* Reads entry `index`, 0 .. 2 * slot_count - 1; even entries are first levels. Does not make the
 * entry current. `*out` is unchanged for an empty entry and unreliable for a damaged one. */
TtRecordState tt_record(Tt *tt, uint64_t index, TtRecord *out);

/* Contents of one level of the table. */
enum { TT_AGES = GENERATION_MASK + 1 };
typedef struct {
    uint64_t counted; // entries, also empty ones
    uint64_t empty;
    uint64_t bounds[BOUND_EXACT + 1]; // of the others
    uint64_t ages[TT_AGES];           // of the others: searches since they were last used
} TtContents;

/* Counts the entries of `slots` slots at equal distances; of all slots if there are fewer. A scheme
 * of one level has only levels[0]. Does not make entries current. May run during a search; an entry
 * that is being written may then be counted with the wrong bound. */
void tt_contents(Tt *tt, uint64_t slots, TtContents levels[2]);

/* Returns a table with the settings of `tt`, but without memory: for tt_resize(). */
static inline Tt tt_without_memory(const Tt *tt)
{
    Tt created = *tt;
    created.slots = NULL;
    created.bytes = 0;
    created.migration = NULL;
    return created;
}

/* Returns true when the fields of a result are consistent. */
bool tt_data_is_sound(const TtData *data);

/* Inserts a record of another table as a current entry. The record must have a whole key and sound
 * data. If its place is empty, it is written there; else the replacement scheme decides. Returns
 * false when the place is not empty and the slot already has the position at this depth or deeper;
 * else true, even if the scheme drops the record.
 *
 * Under a scheme of two levels the place is the first level if `is_first_level`, else the second.
 * Schemes of one level ignore it. A slot keeps only one main-search result for a position, except
 * under Thompson's two schemes: if the record is a second one, its place is that of the first. */
bool tt_insert(Tt *tt, const TtRecord *record, bool is_first_level);
