// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The transposition table. Two entries to a slot, as Thompson had them (Moreland 2001), and by
 * default the scheme TwoDeep of Breuker, Uiterwijk and van den Herik (1994): a result at least as
 * deep as the first's pushes that to the second, a lesser one goes to the second itself, and a
 * result of a position known is overwritten in place. The key is stored folded with the data (after
 * Hyatt's lockless hashing), so an entry torn by two writers fails the key test and reads as a
 * miss. A search makes earlier entries stale, a read refreshes them (Robinson 1995), and a stale
 * entry yields unconditionally. Any number of threads may probe and store at once; resizing and
 * clearing want the table to themselves. */

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bits.h"
#include "chess/types.h"
#include "eval/score.h"

/* One 16-byte entry, two words, least significant bits last:
 * data: move 16 | score 16 | static eval 16 | depth 8 | bound 2 | was on a PV 1 | generation 5
 * lock: (key check 48 << 16 | subtree size 16) XOR fold(data without its generation) */
typedef struct {
    _Atomic uint64_t lock;
    _Atomic uint64_t data;
} TtEntry;

typedef struct {
    _Alignas(32) TtEntry deep; // the first level
    TtEntry recent;            // the second level
} TtSlot;

typedef struct {
    Move move;      // MOVE_NONE when unknown; not tested for legality
    Score score;    // relative to the root outside the table; SCORE_NONE when there is no bound
    Score eval;     // raw static evaluation; SCORE_NONE when unknown (in check)
    int depth;      // plies, 0..255; 0 is quiescence
    Bound bound;    // BOUND_NONE: evaluation only
    bool was_pv;    // once on a principal variation
    uint64_t nodes; // size of the subtree, rounded to 0.1% by the table
} TtData;

/* Where in the search the table is asked: what turns its node-relative scores into ours. */
typedef struct {
    int ply;    // from the root
    int rule50; // of the position
} SearchPoint;

/* Who is kept when two different positions meet: the seven schemes of Breuker, Uiterwijk and van
 * den Herik (1994), Thompson's two tables and Moreland's version of them. Rules in replacement.h.
 * The first is the default. */
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
    REPLACEMENT_NB
} Replacement;

/* Counted per thread, so the caller owns one each. */
typedef struct {
    uint64_t probes, hits;             // a double hit is one hit
    uint64_t double_hits, two_moves;   // both entries hit; with different moves
    uint64_t cutoffs[BOUND_EXACT + 1]; // by bound; counted by the search
    uint64_t type1_errors;             // found, and counted, by the search
    uint64_t refreshes;
    uint64_t stores; // entries written, which are, by what the table forgot for them, one of:
    uint64_t replaced_empty, replaced_same, replaced_stale, replaced_other;
    uint64_t nodes_saved; // what answers once cost; counted by the search, under BigAll alone
    uint64_t foreign, false_hits; // under a short check_mask alone: entries of other positions that
                                  // probes looked at, and those of them taken for the one sought
} TtStats;

typedef struct {
    TtSlot *slots; // NULL before the first tt_resize()
    uint64_t slot_count;
    size_t bytes, touched; // touched: of them, for certain backed by memory
    uint64_t check_mask;   // which of the 48 key bits are compared: all, but for the laboratory
    unsigned generation;   // of the search, 0..31; changed only between searches
    Replacement replacement;
    bool keeps_stale;    // a read leaves a stale entry stale: for the laboratory, not play
    bool tells_one_move; // of two entries the deeper alone tells its move: the same
    bool huge_pages;
    struct Heritage *heritage; // what it has yet to take over from itself before it changed its
                               // size; NULL: nothing
} Tt;

/* Gives the table `mib` MiB (1..33554432), halving until the machine agrees; contents are lost.
 * Returns the MiB it got, 0 when not even one was to be had (the table is then NULL and must not be
 * used). `*tt` must be zero or valid. */
uint64_t tt_resize(Tt *tt, uint64_t mib);

/* Gives the table `mib` MiB, so that it goes on knowing what it knew as far as there is room and
 * the keys can be told: not those of tables with less than 65536 places, see TtRecord. At once: the
 * rest is done by tt_take_over(), and where it was not, by the first probe or store there. False,
 * with nothing changed, when there is no memory for both sizes. */
bool tt_change_size(Tt *tt, uint64_t mib);

/* How many of `*all` shares of what it knew the table has yet to take over. */
uint64_t tt_shares_left(const Tt *tt, uint64_t *all);

/* Takes over share `share`, if that was not done before. Any thread may, at any time. */
void tt_take_over(const Tt *tt, uint64_t share);

/* Gives back the memory of what was taken over, if all was. Nobody may look into the table, or a
 * copy of it, meanwhile. */
void tt_settle(Tt *tt);

/* The same for so many positions (entries; a multiple of 2), as the laboratory asks; false when
 * there is no memory. */
bool tt_resize_positions(Tt *tt, uint64_t positions);

/* Frees the memory; the table may be resized again. */
void tt_free(Tt *tt);

/* Forgets everything. At once where the system can swap in fresh pages. */
void tt_clear(Tt *tt);

/* Has the system back the next part of the table's memory now rather than while a search waits for
 * it; false when all of it is. */
bool tt_touch(Tt *tt);

/* Clears part `i` of `n`, so that threads can share the work. */
void tt_clear_slice(Tt *tt, int i, int n);

/* Begins a search: everything in the table becomes stale. */
void tt_new_search(Tt *tt);

/* The slot of `key`, found by its high bits; the check holds the low ones. */
static inline TtSlot *tt_slot(const Tt *tt, Key key)
{
    return &tt->slots[mulhi64(key, tt->slot_count)];
}

/* The entry of `key` under schemes of one level: the one of the slot that the next bit picks. */
static inline TtEntry *tt_entry(const Tt *tt, Key key)
{
    const uint64_t index = mulhi64(key, 2 * tt->slot_count);
    TtSlot *const slot = &tt->slots[index / 2];
    return index % 2 == 0 ? &slot->deep : &slot->recent;
}

/* Asks the memory for the slot of `key` ahead of the probe. */
static inline void tt_prefetch(const Tt *tt, Key key)
{
    __builtin_prefetch(tt_slot(tt, key));
}

/* Writes to `out` what the table knows of `key`, the deeper entry first, scores relative to the
 * root of `at`, and returns how many: 0, 1 or 2. Stale entries that are read become fresh, unless
 * the table keeps them stale. */
int tt_probe(const Tt *tt, Key key, SearchPoint at, TtData out[2], TtStats *stats);

/* Offers a result under the table's replacement scheme (replacement.h). Depth 0 (quiescence) and
 * evaluations without a bound go to *recent* only, the latter not over a fresh entry with a bound;
 * where there is but one entry, quiescence is a result like any other. A store without a move keeps
 * the move of an entry of the same position. */
void tt_store(Tt *tt, Key key, SearchPoint at, const TtData *data, TtStats *stats);

/* Entries of the current generation per thousand, from a sample. */
int tt_hashfull(const Tt *tt);

/* One entry, for those who inspect the whole table. */
typedef struct {
    TtData data; // scores relative to the position itself
    Key key;
    bool key_is_whole; // else only the low 48 bits are known, as in tables below 65536 places
} TtRecord;

typedef enum {
    TT_RECORD_EMPTY,
    TT_RECORD_FRESH,  // written or read in the last search
    TT_RECORD_STALE,  // not since an earlier one
    TT_RECORD_DAMAGED // not what any store leaves: torn, or of another place
} TtRecordState;

/* Reads entry `index`, 0 .. 2 * slot_count - 1, even ones first levels, without making it fresh.
 * `*out` is not written for an empty one and not to be trusted for a damaged one. */
TtRecordState tt_record(const Tt *tt, uint64_t index, TtRecord *out);

/* Whether the fields make sense together. */
bool tt_data_is_sound(const TtData *data);

/* Whether records tell whole keys and can go elsewhere: not in tables of 1 MiB. */
bool tt_has_whole_keys(const Tt *tt);

/* Puts a record of whole key, sound data and a depth of some other table into this one, as if
 * it had been found in the last search: where that leaves a place empty there, first level or
 * second as where it comes from, else where the scheme decides. Any number of threads may do so, as
 * with tt_store(). */
void tt_adopt(Tt *tt, const TtRecord *record, bool is_first_level);

/* The cutoffs of all bounds. */
static inline uint64_t tt_stats_cutoffs(const TtStats *stats)
{
    return stats->cutoffs[BOUND_UPPER] + stats->cutoffs[BOUND_LOWER] + stats->cutoffs[BOUND_EXACT];
}

/* Adds `from` to `sum`, field by field. */
void tt_stats_add(TtStats *sum, const TtStats *from);
