// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* perft with an always-replace hash table of 16-byte entries and keys of several lengths. It
 * repeats an experiment with perft on GPUs, where 32-bit keys gave 3,195,075,629 instead of
 * 3,195,901,860 at depth 7. Each entry may have a shadow: another 64-bit hash of the position,
 * which the count does not use. The shadow detects false hits, that is hits on an entry of another
 * position. */

#include "chess/position.h"

enum { HASHPERFT_DEPTH_MAX = 15 };

typedef enum {
    HASHPERFT_32,    // slot index and check come from the same 32 bits
    HASHPERFT_26_32, // a check of 32 bits and other bits for the index (26 bits with 1 GiB)
    HASHPERFT_64,    // the whole key is checked
    HASHPERFT_KEY_NB
} HashPerftKey;

/* The name of a kind of key in options and results: "32", "26+32", "64". */
const char *hashperft_key_name(HashPerftKey kind);

typedef struct {
    uint64_t check; // the part of the key that is compared
    uint64_t count; // depth (8 bits) and leaves (56 bits); 0 when the entry is empty
} HashPerftEntry;

typedef struct {
    HashPerftKey kind;
    int turn; // keys are rotated left by this number of bits, so that other bits become index and
              // check; 0 after hashperft_create()
    HashPerftEntry *entries;
    uint64_t *shadows; // one per entry, or NULL
    uint64_t entry_count;
} HashPerftTable;

/* Statistics of the probes at one remaining depth. */
typedef struct {
    uint64_t probes, hits;
    uint64_t collisions; // probes that met an entry with another check
    uint64_t rivals;     // probes that met an entry of this depth but of another position; false
                         // hits are included
    uint64_t false_hits; // hits on an entry of another position; 0 without shadows
} HashPerftLevel;

typedef struct {
    uint64_t leaves;
    HashPerftLevel levels[HASHPERFT_DEPTH_MAX + 1]; // by remaining depth; [0] is unused
} HashPerftResult;

/* Allocates an empty table of `mib` MiB, and half as much more for shadows. Free with
 * hashperft_destroy(). False if memory is short; then nothing needs freeing. */
bool hashperft_create(HashPerftTable *table, HashPerftKey kind, uint64_t mib, bool with_shadows);
void hashperft_destroy(HashPerftTable *table);

/* Called after each of the `count` root moves, `done` of which are finished; returns false to end
 * the count. */
typedef bool (*HashPerftVisit)(void *ctx, int done, int count);

/* Counts the leaves `depth` plies (1..HASHPERFT_DEPTH_MAX) below `pos`. The table stores only
 * positions above the leaves. `visit` may be NULL; at depth 1 it is not called. False when `visit`
 * ended the count. */
bool hashperft_count(HashPerftTable *table, const Position *pos, int depth, HashPerftResult *result,
                     HashPerftVisit visit, void *ctx);

/* Number of key bits that are checked beyond those that selected the slot. */
double hashperft_free_bits(const HashPerftTable *table);

/* Expected number of false hits at a level. An entry of another position passes the check with
 * probability 2^-free_bits. A false hit does not replace the entry, so later probes of the same
 * position are false hits, too. On average, a position is probed again hits / misses times. The
 * formula adds half of this, because only in half of the pairs the other position was stored first.
 * The observed number varies much more than a binomial one: pairs of positions that differ by the
 * same pieces have the same difference of keys, so the check fails for all such pairs or for none.
 */
double hashperft_expected(const HashPerftLevel *level, double free_bits);
