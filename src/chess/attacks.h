// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Attack sets of all pieces. Sliders use a table indexed by the relevant occupancy: by PEXT where
 * that instruction is fast (BMI2, but not Excavator, Zen 1 and Zen 2), elsewhere by magic
 * multiplication (Kannan 2007). Both give the same sets. */

#include <string.h>

#include "chess/bitboard.h"

#if defined(__BMI2__) && !defined(__bdver4__) && !defined(__znver1__) && !defined(__znver2__)
#define ATTACKS_PEXT 1
#else
#define ATTACKS_PEXT 0
#endif

typedef struct {
    Bitboard mask;     // squares whose occupancy matters
    uint64_t magic;    // unused with PEXT
    Bitboard *attacks; // attack sets of this square, by attacks_slider_index()
    int shift;         // 64 - number of squares in `mask`; unused with PEXT
} Slider;

extern Slider attacks_bishop_sliders[SQ_NB]; // all filled by attacks_init(), then constant
extern Slider attacks_rook_sliders[SQ_NB];
extern Bitboard attacks_pawn_table[COLOR_NB][SQ_NB];
extern Bitboard attacks_knight_table[SQ_NB];
extern Bitboard attacks_king_table[SQ_NB];

/* Fills the tables. Called once, by chess_init(). */
void attacks_init(void);

/* Returns "pext" or "magic". */
const char *attacks_method(void);

/* Index into `s->attacks` for the occupancy `occupied`. Without <immintrin.h>, because most files
 * include this one, and the compiler would need three times as long. */
static inline uint64_t attacks_slider_index(const Slider *s, Bitboard occupied)
{
#if ATTACKS_PEXT
    return __builtin_ia32_pext_di(occupied, s->mask);
#else
    return ((occupied & s->mask) * s->magic) >> s->shift;
#endif
}

static inline Bitboard attacks_slider(const Slider *s, Bitboard occupied)
{
    return s->attacks[attacks_slider_index(s, occupied)];
}

/* Squares attacked by a pawn of colour `c` on `s`. */
static inline Bitboard attacks_pawn(Color c, Square s)
{
    return attacks_pawn_table[c][s];
}

static inline Bitboard attacks_knight(Square s)
{
    return attacks_knight_table[s];
}

static inline Bitboard attacks_king(Square s)
{
    return attacks_king_table[s];
}

static inline Bitboard attacks_bishop(Square s, Bitboard occupied)
{
    return attacks_slider(&attacks_bishop_sliders[s], occupied);
}

static inline Bitboard attacks_rook(Square s, Bitboard occupied)
{
    return attacks_slider(&attacks_rook_sliders[s], occupied);
}

static inline Bitboard attacks_queen(Square s, Bitboard occupied)
{
    return attacks_bishop(s, occupied) | attacks_rook(s, occupied);
}

#if defined(__AVX2__)
/* Four sets of squares, for the directions up: east, north, north-east and north-west; or down: the
 * opposite ones. */
typedef Bitboard Rays __attribute__((vector_size(32)));

/* Squares attacked along the rays in all eight directions. No loop whose length the processor must
 * predict: four rays at a time grow over free squares by one, two and four steps (a parallel
 * prefix, Kogge & Stone 1973). The steppers, of the rays up and down, attack only the next square.
 */
static inline Rays attacks_rays(Rays sliders, Rays up_steppers, Rays down_steppers,
                                Bitboard occupied)
{
    const Rays step = {1, 8, 9, 7};
    const Rays above = {~BB_FILE_A, BB_ALL, ~BB_FILE_A, ~BB_FILE_H}; // where a step up can end
    const Rays below = {~BB_FILE_H, BB_ALL, ~BB_FILE_H, ~BB_FILE_A};
    Rays up = sliders, down = sliders;
    Rays up_free = above & ~occupied, down_free = below & ~occupied;
    for (int steps = 1; steps <= 4; steps *= 2) {
        up |= up << steps * step & up_free;
        down |= down >> steps * step & down_free;
        up_free &= up_free << steps * step;
        down_free &= down_free >> steps * step;
    }
    return ((up | up_steppers) << step & above) | ((down | down_steppers) >> step & below);
}

/* Squares attacked by knights; `knights` has the same set four times. */
static inline Rays attacks_knight_rays(Rays knights)
{
    const Bitboard left = BB_FILE_A | BB_FILE_A << 1, right = BB_FILE_H | BB_FILE_H >> 1;
    const Rays leap = {17, 15, 10, 6};
    const Rays above = {~BB_FILE_A, ~BB_FILE_H, ~left, ~right}; // where a leap up can end
    const Rays below = {~BB_FILE_H, ~BB_FILE_A, ~right, ~left};
    return (knights << leap & above) | (knights >> leap & below);
}

/* The union of the four sets. */
static inline Bitboard attacks_join(Rays rays)
{
    typedef Bitboard Pair __attribute__((vector_size(16)));
    Pair pairs[2];
    memcpy(pairs, &rays, sizeof pairs);
    const Pair joined = pairs[0] | pairs[1];
    return joined[0] | joined[1];
}
#endif

/* All squares attacked by some bishops and rooks; queens belong to both sets. */
static inline Bitboard attacks_sliders(Bitboard bishops, Bitboard rooks, Bitboard occupied)
{
#if defined(__AVX2__)
    const Rays none = {0}, sliders = {rooks, rooks, bishops, bishops};
    return attacks_join(attacks_rays(sliders, none, none, occupied));
#else
    Bitboard attacks = 0;
    while (bishops)
        attacks |= attacks_bishop(pop_lsb(&bishops), occupied);
    while (rooks)
        attacks |= attacks_rook(pop_lsb(&rooks), occupied);
    return attacks;
#endif
}

/* All squares attacked by the pieces `own` of colour `c`, one of which is a king. `by_type`: the
 * pieces of both colours. */
static inline Bitboard attacks_of_side(Color c, Bitboard own, const Bitboard by_type[],
                                       Bitboard occupied)
{
    const Bitboard diagonal = by_type[BISHOP] | by_type[QUEEN];
    const Bitboard straight = by_type[ROOK] | by_type[QUEEN];
#if defined(__AVX2__)
    const Rays none = {0}, ours = none | own;
    const Rays sliders = (Rays){straight, straight, diagonal, diagonal} & ours;
    const Rays king = (none | by_type[KING]) & ours;
    const Rays pawns = (Rays){0, 0, by_type[PAWN], by_type[PAWN]} & ours;
    const Rays rays = c == WHITE ? attacks_rays(sliders, king | pawns, king, occupied)
                                 : attacks_rays(sliders, king, king | pawns, occupied);
    return attacks_join(rays | attacks_knight_rays((none | by_type[KNIGHT]) & ours));
#else
    return bb_pawn_attacks(c, by_type[PAWN] & own) | bb_knight_attacks(by_type[KNIGHT] & own) |
           attacks_king(lsb(by_type[KING] & own)) |
           attacks_sliders(diagonal & own, straight & own, occupied);
#endif
}

/* Attacks of any piece type except a pawn. */
static inline Bitboard attacks_of(PieceType t, Square s, Bitboard occupied)
{
    switch (t) {
    case KNIGHT: return attacks_knight(s);
    case BISHOP: return attacks_bishop(s, occupied);
    case ROOK: return attacks_rook(s, occupied);
    case QUEEN: return attacks_queen(s, occupied);
    default: return attacks_king(s);
    }
}
