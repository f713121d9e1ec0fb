// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/checksum.h"

/* Eight bytes as a number, the first one lowest; compilers make one load of it. */
static uint64_t load_word(const uint8_t *bytes)
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++)
        word |= (uint64_t)bytes[i] << 8 * i;
    return word;
}

/* Each step is a bijection of the state for a given word, and of the word for a given state, so two
 * inputs that differ in one word cannot meet again. The multiplication carries a change up, the
 * shift brings it down for the next one. */
static uint64_t absorb(uint64_t state, uint64_t word)
{
    state = (state ^ word) * 0x9e3779b97f4a7c15; // 2^64 / golden ratio
    return state ^ state >> 32;
}

/* Spreads what the last words left in few bits: the finish of splitmix64 (Steele, Lea & Flood
 * 2014). */
static uint64_t finish(uint64_t state)
{
    state = (state ^ state >> 30) * 0xbf58476d1ce4e5b9;
    state = (state ^ state >> 27) * 0x94d049bb133111eb;
    return state ^ state >> 31;
}

uint64_t checksum64(const void *bytes, size_t size)
{
    const uint8_t *next = bytes;
    uint64_t state = absorb(0x243f6a8885a308d3, size); // pi, so that zeros are not nothing
    size_t left = size;
    for (; left >= 8; left -= 8, next += 8)
        state = absorb(state, load_word(next));
    if (left > 0) {
        uint64_t word = 0; // filled up with zeros: the size told above keeps it unlike a full one
        for (size_t i = 0; i < left; i++)
            word |= (uint64_t)next[i] << 8 * i;
        state = absorb(state, word);
    }
    return finish(state);
}
