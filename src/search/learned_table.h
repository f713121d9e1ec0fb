// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The lessons as a search asks for them: a hash of their own in RAM, beside the transposition
 * table, so that nothing a search stores can displace what was table. Any number of threads may
 * look while none puts. */

#include <stddef.h>

#include "learning/learned_position.h"

typedef struct {
    Key key;
    uint32_t network;
    int16_t score;  // as in LearnedPosition
    Move move;      // MOVE_NONE: the place is empty
    uint8_t depth;  // as in LearnedPosition
    uint8_t origin; // LearnOrigin
} LearnedEntry;

typedef struct {
    LearnedEntry *places; // 2^bits of them; NULL while empty
    int bits;
    size_t count;
    uint32_t network;   // what searches evaluate by: scores of others are not believed
    LearnPolicy policy; // how those of this one are
    Score fuzz;
} LearnedTable;

/* Makes room for `count` lessons. False, with all as it was, when there is no memory for them. */
bool learned_table_reserve(LearnedTable *table, size_t count);

/* Frees the memory; settings stay. */
void learned_table_clear(LearnedTable *table);

/* Takes in a lesson, later than all those here (`is_newer`) or earlier. Of one position one lesson
 * is kept: advice before others, of one origin the later one unless the policy protects the other,
 * and between play and analysis the deeper one. False when there is no memory for it. */
bool learned_table_put(LearnedTable *table, const LearnedPosition *learned, bool is_newer);

/* Bytes of RAM taken. */
size_t learned_table_bytes(const LearnedTable *table);

/* What was learned of the position with that key, or NULL. Lives until the next
 * learned_table_put(). */
const LearnedEntry *learned_table_find(const LearnedTable *table, Key key);
