// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/learned_table.h"

#include <assert.h>
#include <stdlib.h>

static_assert(sizeof(LearnedEntry) == 24, "a lesson in RAM takes 24 bytes");

enum { BITS_LEAST = 10 };

static size_t place_count(const LearnedTable *table)
{
    return table->places != NULL ? (size_t)1 << table->bits : 0;
}

size_t learned_table_bytes(const LearnedTable *table)
{
    return place_count(table) * sizeof(LearnedEntry);
}

/* The place of `key`, or the empty one where it belongs. At least one place is empty. */
static LearnedEntry *find_place(const LearnedTable *table, Key key)
{
    const size_t mask = place_count(table) - 1;
    /* Multiplied, so that keys that share their high bits are parted, too (Knuth 1973). */
    size_t i = (size_t)(key * 0x9e3779b97f4a7c15 >> (64 - table->bits));
    while (table->places[i].move != MOVE_NONE && table->places[i].key != key)
        i = (i + 1) & mask;
    return &table->places[i];
}

/* Three quarters full at most, so that a search for what is not there ends soon. */
bool learned_table_reserve(LearnedTable *table, size_t count)
{
    if (table->places != NULL && count <= place_count(table) / 4 * 3)
        return true;
    LearnedTable larger = *table;
    for (larger.bits = BITS_LEAST; count > ((size_t)1 << larger.bits) / 4 * 3;)
        larger.bits++;
    larger.places = calloc((size_t)1 << larger.bits, sizeof *larger.places);
    if (larger.places == NULL)
        return false;
    for (size_t i = 0; i < place_count(table); i++)
        if (table->places[i].move != MOVE_NONE)
            *find_place(&larger, table->places[i].key) = table->places[i];
    free(table->places);
    *table = larger;
    return true;
}

void learned_table_clear(LearnedTable *table)
{
    free(table->places);
    table->places = NULL;
    table->bits = 0;
    table->count = 0;
}

/* Whether `lesson` shall stand where `extant` does, both of one position. */
static bool displaces(const LearnedTable *table, const LearnedPosition *learned,
                      const LearnedEntry *extant, bool is_newer)
{
    const LearnedPosition old = {.score = extant->score,
                                 .depth = extant->depth,
                                 .network = extant->network,
                                 .origin = (LearnOrigin)extant->origin};
    if (learned->origin == old.origin)
        return is_newer ? learned_position_replaces(table->policy, learned, &old)
                        : !learned_position_replaces(table->policy, &old, learned);
    if (learned->origin == ORIGIN_ADVICE || old.origin == ORIGIN_ADVICE)
        return learned->origin == ORIGIN_ADVICE;
    return learned->depth > old.depth || (learned->depth == old.depth && is_newer);
}

bool learned_table_put(LearnedTable *table, const LearnedPosition *learned, bool is_newer)
{
    if (!learned_table_reserve(table, table->count + 1))
        return false;
    LearnedEntry *const place = find_place(table, learned->key);
    const bool is_empty = place->move == MOVE_NONE;
    table->count += is_empty;
    if (is_empty || displaces(table, learned, place, is_newer))
        *place = (LearnedEntry){.key = learned->key,
                                .network = learned->network,
                                .score = (int16_t)learned->score,
                                .move = learned->move,
                                .depth = (uint8_t)learned->depth,
                                .origin = (uint8_t)learned->origin};
    return true;
}

const LearnedEntry *learned_table_find(const LearnedTable *table, Key key)
{
    if (table->places == NULL)
        return NULL;
    const LearnedEntry *const place = find_place(table, key);
    return place->move != MOVE_NONE ? place : NULL;
}
