// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The one bits of a word as a list. With AVX-512 VBMI2 without a loop, whose length the processor
 * would often predict wrongly. */

#include <stdint.h>

#include "base/bits.h"

#ifdef __AVX512VBMI2__
#include <immintrin.h>
#endif

enum { BITLIST_MAX = 32 };

/* Writes for each one bit of `set` (at most BITLIST_MAX), the lowest first, its index times
 * `factor` plus `base` to `list`, modulo 2^16. Returns the end of the list; BITLIST_MAX numbers may
 * be overwritten. */
static inline uint16_t *bitlist_add(uint16_t *list, uint64_t set, int factor, int base)
{
#ifdef __AVX512VBMI2__
    static const _Alignas(64) uint8_t INDICES[64] = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, //
        16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, //
        32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, //
        48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
    };
    const __m512i found = _mm512_maskz_compress_epi8(set, _mm512_load_si512(INDICES));
    const __m512i bits = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(found));
    const __m512i products = _mm512_mullo_epi16(bits, _mm512_set1_epi16((short)factor));
    _mm512_storeu_si512(list, _mm512_add_epi16(products, _mm512_set1_epi16((short)base)));
    return list + popcount(set);
#else
    while (set != 0)
        *list++ = (uint16_t)(pop_lsb(&set) * factor + base);
    return list;
#endif
}
