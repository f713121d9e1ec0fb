// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A range coder (Martin 1979). A choice with probability width / total takes about
 * log2(total / width) bits, not rounded to whole bits. The reader must read the same choices in the
 * same order with the same totals. Each message has exactly one encoding; the reader detects any
 * other. Hand-written because the encoding is part of the game file format and must not change. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RANGE_TOTAL_MAX = 1 << 20 }; // larger totals lose precision

typedef struct {
    uint8_t *bytes;
    size_t capacity;
    size_t size; // bytes of the message; may exceed `capacity`, but no byte is written beyond it
    uint32_t low, range;
} RangeWriter;

typedef struct {
    const uint8_t *bytes;
    size_t size;
    size_t next;          // next byte to read; may exceed `size`, then bytes are read as zeros
    uint32_t code, range; // `code` is the position of the message in the current range
    uint32_t unit;        // `range` / total, set by range_peek(): the share of a choice of width 1
} RangeReader;

/* Starts a message in `bytes`. */
void range_write_start(RangeWriter *writer, uint8_t *bytes, size_t capacity);

/* Writes a choice. It owns the numbers `from`..`from` + `width` - 1 out of 0..`total` - 1. `width`
 * > 0, `total` <= RANGE_TOTAL_MAX. */
void range_write(RangeWriter *writer, uint32_t from, uint32_t width, uint32_t total);

/* Ends the message and returns its size in bytes; 0 when it did not fit. */
size_t range_write_end(RangeWriter *writer);

/* Starts reading a message of `size` bytes. */
void range_read_start(RangeReader *reader, const uint8_t *bytes, size_t size);

/* Returns a number that the next choice owns, or `total` when the message is invalid. The caller
 * then finds the choice of this number and calls range_take() before the next range_peek(). */
uint32_t range_peek(RangeReader *reader, uint32_t total);

/* Consumes the choice that owns `from`..`from` + `width` - 1. */
void range_take(RangeReader *reader, uint32_t from, uint32_t width);

/* True when the message ends here and is the one encoding of the choices read. */
bool range_read_end(const RangeReader *reader);
