// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/recall.h"

#include <assert.h>
#include <stdlib.h>

static_assert(sizeof(Memo) == 24, "a lesson in RAM takes 24 bytes");

enum { BITS_LEAST = 10 };

static size_t place_count(const Recall *recall)
{
    return recall->places != NULL ? (size_t)1 << recall->bits : 0;
}

size_t recall_bytes(const Recall *recall)
{
    return place_count(recall) * sizeof(Memo);
}

/* The place of `key`, or the empty one where it belongs. At least one place is empty. */
static Memo *find_place(const Recall *recall, Key key)
{
    const size_t mask = place_count(recall) - 1;
    /* Multiplied, so that keys that share their high bits are parted, too (Knuth 1973). */
    size_t i = (size_t)(key * 0x9e3779b97f4a7c15 >> (64 - recall->bits));
    while (recall->places[i].move != MOVE_NONE && recall->places[i].key != key)
        i = (i + 1) & mask;
    return &recall->places[i];
}

/* Three quarters full at most, so that a search for what is not there ends soon. */
bool recall_reserve(Recall *recall, size_t count)
{
    if (recall->places != NULL && count <= place_count(recall) / 4 * 3)
        return true;
    Recall larger = *recall;
    for (larger.bits = BITS_LEAST; count > ((size_t)1 << larger.bits) / 4 * 3;)
        larger.bits++;
    larger.places = calloc((size_t)1 << larger.bits, sizeof *larger.places);
    if (larger.places == NULL)
        return false;
    for (size_t i = 0; i < place_count(recall); i++)
        if (recall->places[i].move != MOVE_NONE)
            *find_place(&larger, recall->places[i].key) = recall->places[i];
    free(recall->places);
    *recall = larger;
    return true;
}

void recall_clear(Recall *recall)
{
    free(recall->places);
    recall->places = NULL;
    recall->bits = 0;
    recall->count = 0;
}

/* Whether `lesson` shall stand where `extant` does, both of one position. */
static bool displaces(const Recall *recall, const Lesson *lesson, const Memo *extant, bool is_newer)
{
    const Lesson old = {.score = extant->score,
                        .depth = extant->depth,
                        .network = extant->network,
                        .origin = (LessonOrigin)extant->origin};
    if (lesson->origin == old.origin)
        return is_newer ? lesson_replaces(recall->policy, lesson, &old)
                        : !lesson_replaces(recall->policy, &old, lesson);
    if (lesson->origin == LESSON_ADVICE || old.origin == LESSON_ADVICE)
        return lesson->origin == LESSON_ADVICE;
    return lesson->depth > old.depth || (lesson->depth == old.depth && is_newer);
}

bool recall_put(Recall *recall, const Lesson *lesson, bool is_newer)
{
    if (!recall_reserve(recall, recall->count + 1))
        return false;
    Memo *const place = find_place(recall, lesson->key);
    const bool is_empty = place->move == MOVE_NONE;
    recall->count += is_empty;
    if (is_empty || displaces(recall, lesson, place, is_newer))
        *place = (Memo){.key = lesson->key,
                        .network = lesson->network,
                        .score = (int16_t)lesson->score,
                        .move = lesson->move,
                        .depth = (uint8_t)lesson->depth,
                        .origin = (uint8_t)lesson->origin};
    return true;
}

const Memo *recall_find(const Recall *recall, Key key)
{
    if (recall->places == NULL)
        return NULL;
    const Memo *const place = find_place(recall, key);
    return place->move != MOVE_NONE ? place : NULL;
}
