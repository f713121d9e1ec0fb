// SPDX-License-Identifier: GPL-3.0-or-later
#include "tt/record.h"

#include <stdlib.h>
#include <string.h>

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are copied without conversion");

/* Shifts of the fields of a record. */
enum { FIELD_SCORE = 16, FIELD_EVAL = 32, FIELD_DEPTH = 48, FIELD_BOUND = 56, FIELD_PV = 58 };
enum { FIELD_FIRST = 59, FIELD_END = 60 };

/* Returns true when the score depends on neither the game nor the tablebases. SCORE_EVAL_MAX is
 * excluded, too: the search may have it from a tablebase win that the fifty-move rule prevents. */
static bool is_lasting(const TtData *data)
{
    const Score score = data->score;
    return data->bound != BOUND_NONE && !score_is_near_draw(score) &&
           (abs(score) < SCORE_EVAL_MAX || score_is_mate(score));
}

bool record_make_lasting(TtRecord *record)
{
    TtData *const data = &record->data;
    if (!is_lasting(data)) {
        data->bound = BOUND_NONE;
        data->score = SCORE_NONE;
    }
    return data->bound != BOUND_NONE || data->move != MOVE_NONE;
}

void record_encode(const TtRecord *record, bool is_first_level, uint8_t *bytes)
{
    const TtData *const data = &record->data;
    const uint64_t fields =
        (uint64_t)data->move | (uint64_t)(uint16_t)data->score << FIELD_SCORE |
        (uint64_t)(uint16_t)data->eval << FIELD_EVAL | (uint64_t)data->depth << FIELD_DEPTH |
        (uint64_t)data->bound << FIELD_BOUND | (uint64_t)data->was_pv << FIELD_PV |
        (uint64_t)is_first_level << FIELD_FIRST;
    const uint16_t size = (uint16_t)entry_pack_size(data->nodes);
    memcpy(bytes, &record->key, 8);
    memcpy(bytes + 8, &fields, 8);
    memcpy(bytes + 16, &size, 2);
}

bool record_decode(const uint8_t *bytes, TtRecord *record, bool *is_first_level)
{
    uint64_t fields;
    uint16_t size;
    memcpy(&record->key, bytes, 8);
    memcpy(&fields, bytes + 8, 8);
    memcpy(&size, bytes + 16, 2);
    record->key_is_whole = true;
    record->data = (TtData){
        .move = (Move)fields,
        .score = (int16_t)(fields >> FIELD_SCORE),
        .eval = (int16_t)(fields >> FIELD_EVAL),
        .depth = (int)(fields >> FIELD_DEPTH & 255),
        .bound = (Bound)(fields >> FIELD_BOUND & 3),
        .was_pv = fields >> FIELD_PV & 1,
        .nodes = entry_unpack_size(size),
    };
    *is_first_level = fields >> FIELD_FIRST & 1;
    const TtData *const data = &record->data;
    return fields >> FIELD_END == 0 && data->depth > 0 && tt_data_is_sound(data) &&
           (is_lasting(data) || (data->bound == BOUND_NONE && data->move != MOVE_NONE));
}
