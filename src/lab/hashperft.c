// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/hashperft.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "base/mem.h"
#include "chess/movegen.h"
#include "chess/play.h"

static_assert(sizeof(HashPerftEntry) == 16, "as in the experiment on GPUs");

enum { DEPTH_SHIFT = 56 };

const char *hashperft_key_name(HashPerftKey kind)
{
    static const char *const NAMES[HASHPERFT_KEY_NB] = {"32", "26+32", "64"};
    return NAMES[kind];
}

bool hashperft_create(HashPerftTable *table, HashPerftKey kind, uint64_t mib, bool with_shadows)
{
    *table = (HashPerftTable){.kind = kind, .entry_count = (mib << 20) / sizeof(HashPerftEntry)};
    table->entries = mem_alloc_large(table->entry_count * sizeof *table->entries, NULL);
    if (table->entries != NULL && with_shadows)
        table->shadows = mem_alloc_large(table->entry_count * sizeof *table->shadows, NULL);
    if (table->entries == NULL || (table->shadows == NULL && with_shadows)) {
        hashperft_destroy(table);
        return false;
    }
    /* Write all pages now: the system maps a page at its first use, which would distort the time.
     */
    memset(table->entries, 0, table->entry_count * sizeof *table->entries);
    if (with_shadows)
        memset(table->shadows, 0, table->entry_count * sizeof *table->shadows);
    return true;
}

void hashperft_destroy(HashPerftTable *table)
{
    mem_free_large(table->entries, table->entry_count * sizeof *table->entries);
    mem_free_large(table->shadows, table->entry_count * sizeof *table->shadows);
    *table = (HashPerftTable){.kind = table->kind};
}

static uint64_t slot_of(const HashPerftTable *table, Key key)
{
    if (table->kind == HASHPERFT_32) // the highest of the 32 bits select the slot
        return (key >> 32) * table->entry_count >> 32;
    return mulhi64(key, table->entry_count);
}

static uint64_t check_of(const HashPerftTable *table, Key key)
{
    switch (table->kind) {
    case HASHPERFT_32: return key >> 32;
    case HASHPERFT_26_32: return key & UINT32_MAX;
    default: return key;
    }
}

/* Another hash of the position, mixed from its key and the keys of its pawns and of White's pieces.
 * Addition and multiplication are not linear in XOR, so the shadow fails independently of the
 * key. */
static uint64_t shadow_of(const Position *pos)
{
    uint64_t x = (pos->key ^ pos->pawn_key << 23 ^ pos->pawn_key >> 41) * 0xD6E8FEB86659FD93u;
    x ^= x >> 32;
    x = (x + pos->nonpawn_key[WHITE]) * 0xA0761D6478BD642Fu;
    return x ^ x >> 29;
}

/* The entry for a position, and the values to compare with it. */
typedef struct {
    HashPerftEntry *entry;
    uint64_t *shadow; // may be NULL
    uint64_t check, shadow_value;
} Probe;

static Probe probe_at(const HashPerftTable *table, const Position *pos)
{
    const Key key = rotate_left(pos->key, table->turn);
    const uint64_t slot = slot_of(table, key);
    Probe probe = {.entry = &table->entries[slot], .check = check_of(table, key)};
    if (table->shadows != NULL) {
        probe.shadow = &table->shadows[slot];
        probe.shadow_value = shadow_of(pos);
    }
    return probe;
}

/* True when depth and check of the entry match, even by a false hit. Updates the statistics. */
static bool probe_hits(const Probe *probe, int depth, HashPerftLevel *level)
{
    level->probes++;
    const HashPerftEntry *const entry = probe->entry;
    if (entry->count == 0)
        return false;
    const bool is_same = entry->check == probe->check;
    const bool is_same_depth = (int)(entry->count >> DEPTH_SHIFT) == depth;
    const bool is_false = is_same && probe->shadow != NULL && *probe->shadow != probe->shadow_value;
    level->collisions += !is_same;
    level->rivals += is_same_depth && (!is_same || is_false);
    level->hits += is_same && is_same_depth;
    level->false_hits += is_false && is_same_depth;
    return is_same && is_same_depth;
}

static void probe_store(const Probe *probe, int depth, uint64_t leaves)
{
    *probe->entry =
        (HashPerftEntry){.check = probe->check, .count = (uint64_t)depth << DEPTH_SHIFT | leaves};
    if (probe->shadow != NULL)
        *probe->shadow = probe->shadow_value;
}

static uint64_t count(HashPerftTable *table, const Position *pos, int depth, HashPerftLevel *levels)
{
    const Probe probe = probe_at(table, pos);
    if (probe_hits(&probe, depth, &levels[depth]))
        return probe.entry->count & ((UINT64_C(1) << DEPTH_SHIFT) - 1);
    uint64_t leaves = 0;
    if (depth == 1) {
        leaves = (uint64_t)gen_count(pos);
    } else {
        Move moves[MAX_MOVES];
        const int move_count = gen_legal(pos, moves);
        for (int i = 0; i < move_count; i++) {
            Position after;
            pos_play(&after, pos, moves[i]);
            leaves += count(table, &after, depth - 1, levels);
        }
    }
    probe_store(&probe, depth, leaves);
    return leaves;
}

bool hashperft_count(HashPerftTable *table, const Position *pos, int depth, HashPerftResult *result,
                     HashPerftVisit visit, void *ctx)
{
    assert(1 <= depth && depth <= HASHPERFT_DEPTH_MAX);
    *result = (HashPerftResult){0};
    if (depth == 1) {
        result->leaves = count(table, pos, 1, result->levels);
        return true;
    }
    /* Probe the root, too, so that its level has statistics. */
    const Probe probe = probe_at(table, pos);
    probe_hits(&probe, depth, &result->levels[depth]);
    Move moves[MAX_MOVES];
    const int move_count = gen_legal(pos, moves);
    for (int i = 0; i < move_count; i++) {
        Position after;
        pos_play(&after, pos, moves[i]);
        result->leaves += count(table, &after, depth - 1, result->levels);
        if (visit != NULL && !visit(ctx, i + 1, move_count))
            return false;
    }
    return true;
}

double hashperft_free_bits(const HashPerftTable *table)
{
    const double slot_bits = log2((double)table->entry_count);
    switch (table->kind) {
    case HASHPERFT_32: return fmax(0.0, 32.0 - slot_bits);
    case HASHPERFT_26_32: return 32.0;
    default: return 64.0 - slot_bits;
    }
}

double hashperft_expected(const HashPerftLevel *level, double free_bits)
{
    const double misses = (double)(level->probes - level->hits), hits = (double)level->hits;
    const double mistakes = (double)level->rivals * exp2(-free_bits);
    return misses > 0.0 ? mistakes * (misses + hits / 2.0) / misses : 0.0;
}
