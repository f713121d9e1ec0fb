// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Entries torn by two writers: one's lock word beside another's data word. What is stored for a key
 * is a function of the key and a small version number, as like as a search's results for one
 * position are: two moves, scores near each other, depths that follow each other. So what is read
 * can be checked: it must be one of the versions of its key. */

#include "tt/tt.h"

typedef enum {
    TORN_FOLDED, // the engine's: data folded into the lock, by tt.c itself
    TORN_XOR,    // plain exclusive or with the data word
    TORN_BARE,   // the key as it is
    TORN_LOCK_NB
} TornLock;

/* What was read. */
typedef enum {
    TORN_WHOLE,     // a version of the key
    TORN_SIZE_ONLY, // wrong in the subtree size alone, which shares a word with the lock
    TORN_WRONG      // of another position
} TornVerdict;

enum { TORN_VERSIONS = 256, TORN_KEYS = 64, TORN_PLACES = 8 };

const char *torn_lock_name(TornLock lock);

/* The key of number `key` (0..TORN_KEYS-1). Numbers equal modulo TORN_PLACES share a slot, in
 * tables of up to 65,536. */
Key torn_key(int key);

/* The result number `version` (0..TORN_VERSIONS-1) for key number `key`; no two are alike. */
TtData torn_version(int key, int version);

/* Judges what was read for key number `key`. */
TornVerdict torn_judge(int key, const TtData *data);

/* A table under one of the locks; the simple ones use the first entry of each slot. */
typedef struct {
    TornLock lock;
    Tt tt;
} TornTable;

/* False when there is no memory. */
bool torn_create(TornTable *table, TornLock lock);
void torn_destroy(TornTable *table);

/* Stores a version; any number of threads. */
void torn_store(TornTable *table, int key, int version, TtStats *stats);

/* Reads what there is for the key; returns how many entries, 0..2. Any number of threads. */
int torn_probe(TornTable *table, int key, TtData out[2], TtStats *stats);

/* Puts the lock of each version of some keys beside the data of each other version of the same key
 * and of its neighbour in the slot: `pairs` of them, of which so many were accepted, by verdict. */
typedef struct {
    uint64_t pairs, accepted[TORN_WRONG + 1];
} TornByHand;

TornByHand torn_by_hand(TornTable *table);
