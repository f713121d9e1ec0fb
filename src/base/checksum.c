// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/checksum.h"

#include <assert.h>
#include <string.h>

#include "base/bits.h"

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words are read without conversion");

/* Mixes a word into the state. For a fixed word this is a bijection of the state, for a fixed state
 * a bijection of the word. Two inputs that differ in a single word therefore never end in the same
 * state. The multiplication spreads a change to the higher bits, the shift to the lower ones. */
static uint64_t absorb(uint64_t state, uint64_t word)
{
    state = (state ^ word) * GOLDEN_RATIO_64;
    return state ^ state >> 32;
}

/* Spreads the last words over all bits: the last step of splitmix64 (Steele, Lea & Flood 2014). */
static uint64_t finish(uint64_t state)
{
    state = (state ^ state >> 30) * 0xbf58476d1ce4e5b9;
    state = (state ^ state >> 27) * 0x94d049bb133111eb;
    return state ^ state >> 31;
}

uint64_t checksum64(const void *bytes, size_t size)
{
    const uint8_t *next = bytes;
    /* Starts from digits of pi, because words of 0 would not change a state of 0. */
    uint64_t state = absorb(0x243f6a8885a308d3, size);
    size_t left = size;
    uint64_t word;
    for (; left >= sizeof word; left -= sizeof word, next += sizeof word) {
        memcpy(&word, next, sizeof word);
        state = absorb(state, word);
    }
    if (left > 0) {
        word = 0; // the padding; the size in the state tells it from zeros in the input
        memcpy(&word, next, left);
        state = absorb(state, word);
    }
    return finish(state);
}
