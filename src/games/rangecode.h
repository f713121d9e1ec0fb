// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A range coder (Martin 1979): writes a choice whose chance is width / total in close to
 * log2(total / width) bits, fractions of a bit not lost. The reader must ask for the same choices
 * in the same order with the same totals. Bytes that the writer would not have written are told
 * from those it would, so each message has one spelling. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RANGE_TOTAL_MAX = 1 << 20 }; // beyond it precision would be lost

typedef struct {
    uint8_t *bytes;
    size_t capacity;
    size_t size; // may grow beyond `capacity`; nothing is written there
    uint32_t low, range;
} RangeWriter;

typedef struct {
    const uint8_t *bytes;
    size_t size;
    size_t next;          // may grow beyond `size`; zeros are read there
    uint32_t code, range; // where in the present range the message points
    uint32_t unit;        // part of the range for a width of 1, set by range_peek()
} RangeReader;

/* Begins a message in `bytes`. */
void range_write_start(RangeWriter *writer, uint8_t *bytes, size_t capacity);

/* Writes the choice that takes `from`..`from` + `width` - 1 of 0..`total` - 1. `width` is not 0. */
void range_write(RangeWriter *writer, uint32_t from, uint32_t width, uint32_t total);

/* Ends the message and returns its size, 0 when it did not fit. */
size_t range_write_end(RangeWriter *writer);

/* Begins to read a message of `size` bytes. */
void range_read_start(RangeReader *reader, const uint8_t *bytes, size_t size);

/* A number below `total` that belongs to the choice written here, or `total` when there is none.
 * range_take() with that choice must follow before the next. */
uint32_t range_peek(RangeReader *reader, uint32_t total);

void range_take(RangeReader *reader, uint32_t from, uint32_t width);

/* True when the message ends here and a writer of the same choices would have made it. */
bool range_read_end(const RangeReader *reader);
