// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Appends the moves to a set of squares to a list, in the order of the squares. With AVX-512 VBMI2
 * without a loop, whose length the processor would often predict wrongly: this writes
 * MOVELIST_BLOCK moves, of which those beyond the new end mean nothing. */

#include <assert.h>

#include "chess/bitboard.h"

#if defined(__AVX512VBMI2__)
#include <immintrin.h>
#endif

enum { MOVELIST_BLOCK = 32 }; // more than one piece can have: a queen has up to 27
static_assert(218 + MOVELIST_BLOCK <= MAX_MOVES, "a block fits behind the longest list");

#if defined(__AVX512VBMI2__)
/* The squares of a set in lanes of 16 bits. */
static inline __m512i movelist_squares(Bitboard set)
{
    static const _Alignas(64) uint8_t SQUARES[SQ_NB] = {
        A1, B1, C1, D1, E1, F1, G1, H1, A2, B2, C2, D2, E2, F2, G2, H2, //
        A3, B3, C3, D3, E3, F3, G3, H3, A4, B4, C4, D4, E4, F4, G4, H4, //
        A5, B5, C5, D5, E5, F5, G5, H5, A6, B6, C6, D6, E6, F6, G6, H6, //
        A7, B7, C7, D7, E7, F7, G7, H7, A8, B8, C8, D8, E8, F8, G8, H8,
    };
    const __m512i found = _mm512_maskz_compress_epi8(set, _mm512_load_si512(SQUARES));
    return _mm512_cvtepu8_epi16(_mm512_castsi512_si256(found));
}
#endif

/* Moves of a piece on `from`. Returns the new end of the list. */
static inline Move *movelist_add(Move *end, Square from, Bitboard targets)
{
#if defined(__AVX512VBMI2__)
    const __m512i to = _mm512_slli_epi16(movelist_squares(targets), 6);
    _mm512_storeu_si512(end, _mm512_or_si512(to, _mm512_set1_epi16((short)from)));
    return end + popcount(targets);
#else
    while (targets)
        *end++ = move_make(from, pop_lsb(&targets), KIND_NORMAL);
    return end;
#endif
}

/* Moves of several pieces, each from `step` squares before its target. */
static inline Move *movelist_add_step(Move *end, int step, Bitboard targets)
{
#if defined(__AVX512VBMI2__)
    const __m512i to = movelist_squares(targets);
    const __m512i from = _mm512_sub_epi16(to, _mm512_set1_epi16((short)step));
    _mm512_storeu_si512(end, _mm512_or_si512(_mm512_slli_epi16(to, 6), from));
    return end + popcount(targets);
#else
    while (targets) {
        const Square to = pop_lsb(&targets);
        *end++ = move_make(to - step, to, KIND_NORMAL);
    }
    return end;
#endif
}
