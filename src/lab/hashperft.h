// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* perft through a hash table of 16-byte entries that are always replaced, with keys of several
 * lengths (after a note on perft on GPUs, whose 32-bit keys got 3,195,075,629 for 3,195,901,860). A
 * shadow of another 64 bits of hash per entry, which the count itself never looks at, tells which
 * hits are of another position. */

#include "chess/position.h"

enum { HASHPERFT_DEPTH_MAX = 15 };

typedef enum {
    HASHPERFT_32,    // slot and check are of the same 32 bits
    HASHPERFT_26_32, // a check of 32 bits beside those of the slot: 26 for a table of 1 GiB
    HASHPERFT_64,    // the whole key
    HASHPERFT_KEY_NB
} HashPerftKey;

/* The name of each, as options and results write it. */
const char *hashperft_key_name(HashPerftKey kind);

typedef struct {
    uint64_t check; // what is kept of the key; the count tells an entry in use
    uint64_t count; // depth 8 | leaves 56
} HashPerftEntry;

typedef struct {
    HashPerftKey kind;
    int turn; // the key is turned left by so many bits first: other 32 bits of it count
    HashPerftEntry *entries;
    uint64_t *shadows; // NULL: none are kept
    uint64_t entry_count;
} HashPerftTable;

/* What happened where so many plies remained. */
typedef struct {
    uint64_t probes, hits;
    uint64_t collisions; // found an entry of a position with another check
    uint64_t rivals;     // found another position's entry of the same depth, false hits included
    uint64_t false_hits; // took it for its own; 0 without shadows
} HashPerftLevel;

typedef struct {
    uint64_t leaves;
    HashPerftLevel levels[HASHPERFT_DEPTH_MAX + 1]; // by plies that remain; [0] is not in use
} HashPerftResult;

/* Makes an empty table of `mib` MiB, and half as much again for shadows. False when there is no
 * memory. */
bool hashperft_create(HashPerftTable *table, HashPerftKey kind, uint64_t mib, bool with_shadows);
void hashperft_destroy(HashPerftTable *table);

/* Called after each of the `count` root moves; false ends the count. */
typedef bool (*HashPerftVisit)(void *ctx, int done, int count);

/* Counts the leaves `depth` plies (1..HASHPERFT_DEPTH_MAX) below `pos`; those themselves are not
 * stored. False when `visit`, which may be NULL, ended it. */
bool hashperft_count(HashPerftTable *table, const Position *pos, int depth, HashPerftResult *result,
                     HashPerftVisit visit, void *ctx);

/* Bits of the key that are compared beyond those that led to the slot. */
double hashperft_free_bits(const HashPerftTable *table);

/* False hits to be expected at a level. Each rival has one chance in 2^bits to be mistaken. A
 * position mistaken is not stored, so what would have been hits on it is in half of the cases,
 * where the other one came first, mistaken again. The number seen scatters much more than chance
 * would have it: positions that differ by the same pieces are mistaken together, whole families or
 * none. */
double hashperft_expected(const HashPerftLevel *level, double free_bits);
