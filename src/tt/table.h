// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The data of a transposition table: its memory, its settings, and which entries belong to which
 * key. Only for the modules of this folder; all others include tt.h. */

#include <stddef.h>

#include "base/bits.h"
#include "tt/entry.h"
#include "tt/stats.h"

/* A slot of two entries fills half a cache line, so one memory access reads both. They are the
 * first and the second level; schemes of one level use them as two separate entries. */
typedef struct {
    _Alignas(32) TtEntry first;
    TtEntry second;
} TtSlot;

static_assert(sizeof(TtSlot) == 32, "two slots fill a cache line");

/* Replacement schemes: rules that decide which result stays when two positions compete for an
 * entry. They are the seven schemes of Breuker, Uiterwijk and van den Herik (1994), Thompson's two
 * tables and Moreland's version of them. replacement.h explains the rules. The first scheme is the
 * default. */
typedef enum {
    REPLACE_TWO_DEEP,
    REPLACE_TWO_BIG1,
    REPLACE_THOMPSON,
    REPLACE_THOMPSON_BOTH,
    REPLACE_DEEP,
    REPLACE_BIG1,
    REPLACE_BIG_ALL,
    REPLACE_NEW,
    REPLACE_OLD,
    REPLACEMENT_NB,
    REPLACE_BY_PROXY = REPLACEMENT_NB // only in the laboratory, see TtProxy
} Replacement;

/* Returns true for schemes of one level, in which a key can lie in one entry only, and for
 * REPLACE_BY_PROXY, so that the default scheme need not test for that. */
static inline bool replacement_is_single(Replacement replacement)
{
    return replacement >= REPLACE_DEEP;
}

/* Answers the probes and stores of a table under REPLACE_BY_PROXY. The laboratory watches a search
 * through it, or gives it a table of another kind. The arguments are those of tt_probe() and
 * tt_store(). */
typedef struct {
    int (*probe)(void *ctx, Key key, SearchPoint at, TtData out[2], TtStats *stats);
    void (*store)(void *ctx, Key key, SearchPoint at, const TtData *data, TtStats *stats);
    void *ctx;
} TtProxy;

/* A table. All zero bytes are a valid table without memory, with the default settings. */
typedef struct {
    TtSlot *slots; // NULL before the first tt_resize()
    uint64_t slot_count;
    size_t bytes;        // size of the memory at `slots`
    size_t touched;      // bytes at the start that tt_take_untouched() has returned
    uint64_t check_mask; // check bits that are compared: all 48, except in the laboratory
    unsigned generation; // number of the search modulo 32; changes only between searches
    Replacement replacement;
    bool no_refresh;      // a probe leaves stale entries stale
    bool first_move_only; // of two entries, only the deeper one returns its move; for the lab
    bool huge_pages;      // the memory has huge pages
    struct TtMigration *migration; // previous table during a resize, else NULL
    const TtProxy *proxy;          // REPLACE_BY_PROXY: must outlive the searches; else unused
} Tt;

/* Returns the number of the slot of `key`. The high bits of the key select it; the entries store
 * the low 48. */
static inline uint64_t tt_slot_number(const Tt *tt, Key key)
{
    return mulhi64(key, tt->slot_count);
}

/* Returns this slot. */
static inline TtSlot *tt_slot(const Tt *tt, Key key)
{
    return &tt->slots[tt_slot_number(tt, key)];
}

/* Returns entry `index`, 0 .. 2 * slot_count - 1. Even entries are first levels. */
static inline TtEntry *tt_entry_at(const Tt *tt, uint64_t index)
{
    TtSlot *const slot = &tt->slots[index / 2];
    return index % 2 == 0 ? &slot->first : &slot->second;
}

/* Returns the entry of `key` under a scheme of one level. One more bit of the key, below those that
 * select the slot, selects one of its two entries. */
static inline TtEntry *tt_entry(const Tt *tt, Key key)
{
    return tt_entry_at(tt, mulhi64(key, 2 * tt->slot_count));
}

/* Returns the number of buckets. The key selects one bucket: an entry under a scheme of one level,
 * else a slot. */
static inline uint64_t tt_bucket_count(const Tt *tt)
{
    return replacement_is_single(tt->replacement) ? 2 * tt->slot_count : tt->slot_count;
}

/* Returns true when bucket and check bits together determine the whole key. False for tables of
 * fewer than 65536 buckets: 1 MiB under a scheme of two levels, or smaller tables of the
 * laboratory. */
static inline bool tt_has_whole_keys(const Tt *tt)
{
    return tt_bucket_count(tt) >= 65536;
}

/* Restores the key of entry `index`, which contains `words`. The table must have whole keys.
 * Returns false when no key with these check bits belongs to this bucket: then the entry is
 * damaged. */
static inline bool tt_restore_key(const Tt *tt, uint64_t index, EntryWords words, Key *key)
{
    const uint64_t buckets = tt_bucket_count(tt), check = entry_check(words);
    const uint64_t bucket = replacement_is_single(tt->replacement) ? index : index / 2;
    /* At most two values of the 16 bits above the check bits belong to this bucket. */
    const uint64_t high = (bucket << 16) / buckets;
    for (uint64_t h = high; h <= high + 1; h++) {
        *key = h << 48 | check;
        if (mulhi64(*key, buckets) == bucket)
            return true;
    }
    return false;
}
