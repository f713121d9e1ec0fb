// SPDX-License-Identifier: GPL-3.0-or-later
#include "syzygy/md5.h"

#include <string.h>

static const uint32_t START[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};

/* Constant of step i: the integer part of 2^32 |sin(i + 1)|. */
static const uint32_t SINES[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

static const uint8_t TURNS[4][4] = {
    {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

/* Returns the round function of step `i`, and sets `*word` to the index of the block word for this
 * step. */
static uint32_t mix(int i, uint32_t b, uint32_t c, uint32_t d, int *word)
{
    switch (i / 16) {
    case 0: *word = i; return (b & c) | (~b & d);
    case 1: *word = (5 * i + 1) % 16; return (b & d) | (c & ~d);
    case 2: *word = (3 * i + 5) % 16; return b ^ c ^ d;
    default: *word = 7 * i % 16; return c ^ (b | ~d);
    }
}

/* Adds one block of MD5_BLOCK_BYTES to the state. */
static void digest(uint32_t state[4], const uint8_t *block)
{
    uint32_t words[16], a = state[0], b = state[1], c = state[2], d = state[3];
    for (int i = 0; i < 16; i++)
        words[i] = block[4 * i] | (uint32_t)block[4 * i + 1] << 8 |
                   (uint32_t)block[4 * i + 2] << 16 | (uint32_t)block[4 * i + 3] << 24;
    for (int i = 0; i < 64; i++) {
        int word;
        const uint32_t sum = mix(i, b, c, d, &word) + a + SINES[i] + words[word];
        const int turn = TURNS[i / 16][i % 4];
        a = d;
        d = c;
        c = b;
        b += sum << turn | sum >> (32 - turn);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

void md5_start(Md5 *md5)
{
    memcpy(md5->state, START, sizeof START);
    md5->length = 0;
}

void md5_add(Md5 *md5, const void *bytes, size_t size)
{
    const uint8_t *from = bytes;
    while (size > 0) {
        const size_t held = md5->length % MD5_BLOCK_BYTES, room = MD5_BLOCK_BYTES - held;
        const size_t taken = size < room ? size : room;
        memcpy(md5->pending + held, from, taken);
        if (taken == room)
            digest(md5->state, md5->pending);
        md5->length += taken;
        from += taken;
        size -= taken;
    }
}

void md5_finish(Md5 *md5, uint8_t sum[MD5_BYTES])
{
    static const uint8_t padding[MD5_BLOCK_BYTES] = {0x80};
    const uint64_t bits = md5->length * 8;
    uint8_t tail[8];
    for (int i = 0; i < 8; i++)
        tail[i] = (uint8_t)(bits >> 8 * i);
    md5_add(md5, padding,
            1 + (2 * MD5_BLOCK_BYTES - 9 - md5->length % MD5_BLOCK_BYTES) % MD5_BLOCK_BYTES);
    md5_add(md5, tail, sizeof tail);
    for (int i = 0; i < MD5_BYTES; i++)
        sum[i] = (uint8_t)(md5->state[i / 4] >> 8 * (i % 4));
}
