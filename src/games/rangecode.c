// SPDX-License-Identifier: GPL-3.0-or-later
#include "games/rangecode.h"

#include <assert.h>

/* A message is a fraction between 0 and 1 with bytes as digits. `low` and `range` are the start and
 * the width of the interval that the choices so far leave. When `range` falls below RANGE_MIN, the
 * highest byte of `low` is written and both are scaled up by 256. */
enum { RANGE_MIN = 1 << 24, WINDOW = 4 }; // WINDOW: bytes in `low` and `code`

static void put_byte(RangeWriter *writer, uint8_t byte)
{
    if (writer->size < writer->capacity)
        writer->bytes[writer->size] = byte;
    writer->size++;
}

/* Adds 1 to the number that the bytes written so far form. The fraction stays below 1, so one of
 * them is not 255. */
static void carry(RangeWriter *writer)
{
    if (writer->size > writer->capacity)
        return; // the message does not fit anyway
    for (size_t i = writer->size; i > 0; i--)
        if (++writer->bytes[i - 1] != 0)
            return;
}

void range_write_start(RangeWriter *writer, uint8_t *bytes, size_t capacity)
{
    *writer = (RangeWriter){.bytes = bytes, .capacity = capacity, .range = UINT32_MAX};
}

void range_write(RangeWriter *writer, uint32_t from, uint32_t width, uint32_t total)
{
    assert(width > 0 && from + width <= total && total <= RANGE_TOTAL_MAX);
    const uint32_t unit = writer->range / total, low = writer->low;
    writer->low += from * unit;
    writer->range = width * unit;
    if (writer->low < low)
        carry(writer);
    for (; writer->range < RANGE_MIN; writer->range <<= 8, writer->low <<= 8)
        put_byte(writer, (uint8_t)(writer->low >> 24));
}

/* Returns the number in the interval that ends in the most zero bytes. `*count` (at most 1) is the
 * number of its other bytes, which end the message. The result wraps at 2^32 and is then smaller
 * than `low`. */
static uint32_t shortest(uint32_t low, uint32_t range, int *count)
{
    *count = 0;
    uint32_t up = -low; // distance to the next number with only zeros after `*count` bytes
    for (; up >= range; up = -low & UINT32_MAX >> 8 * *count)
        ++*count;
    return low + up;
}

size_t range_write_end(RangeWriter *writer)
{
    int count;
    const uint32_t last = shortest(writer->low, writer->range, &count);
    if (last < writer->low)
        carry(writer);
    for (int i = 0; i < count; i++)
        put_byte(writer, (uint8_t)(last >> (24 - 8 * i)));
    return writer->size <= writer->capacity ? writer->size : 0;
}

static uint8_t byte_at(const RangeReader *reader, size_t i)
{
    return i < reader->size ? reader->bytes[i] : 0;
}

void range_read_start(RangeReader *reader, const uint8_t *bytes, size_t size)
{
    *reader = (RangeReader){.bytes = bytes, .size = size, .range = UINT32_MAX};
    for (; reader->next < WINDOW; reader->next++)
        reader->code = reader->code << 8 | byte_at(reader, reader->next);
}

uint32_t range_peek(RangeReader *reader, uint32_t total)
{
    assert(total > 0 && total <= RANGE_TOTAL_MAX);
    reader->unit = reader->range / total;
    const uint32_t number = reader->code / reader->unit;
    return number < total ? number : total;
}

void range_take(RangeReader *reader, uint32_t from, uint32_t width)
{
    reader->code -= from * reader->unit;
    reader->range = width * reader->unit;
    for (; reader->range < RANGE_MIN; reader->range <<= 8, reader->next++)
        reader->code = reader->code << 8 | byte_at(reader, reader->next);
}

/* The writer's `low` is the number of the last WINDOW bytes read, minus `code`. */
bool range_read_end(const RangeReader *reader)
{
    uint32_t window = 0;
    for (size_t i = reader->next - WINDOW; i < reader->next; i++)
        window = window << 8 | byte_at(reader, i);
    int count;
    const uint32_t last = shortest(window - reader->code, reader->range, &count);
    return last == window && reader->size == reader->next - WINDOW + (size_t)count;
}
