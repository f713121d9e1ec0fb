// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Attack sets of all pieces. Sliders use a table indexed by the relevant occupancy: by PEXT where
 * that instruction is fast (BMI2, but not Excavator, Zen 1 and Zen 2), elsewhere by magic
 * multiplication (Kannan 2007). Both give the same sets. */

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

/* All squares attacked by some bishops and rooks; queens belong to both sets. With AVX2 this needs
 * no loop whose length the processor must predict: four rays at a time grow over free squares by
 * one, two and four steps (a parallel prefix, Kogge & Stone 1973). */
static inline Bitboard attacks_sliders(Bitboard bishops, Bitboard rooks, Bitboard occupied)
{
#if defined(__AVX2__)
    typedef Bitboard Rays __attribute__((vector_size(32)));
    const Rays step = {1, 8, 9, 7}; // up: east, north, north-east, north-west; down: the opposite
    const Rays above = {~BB_FILE_A, BB_ALL, ~BB_FILE_A, ~BB_FILE_H}; // where a step up can end
    const Rays below = {~BB_FILE_H, BB_ALL, ~BB_FILE_H, ~BB_FILE_A};
    Rays up = {rooks, rooks, bishops, bishops}, down = up;
    Rays up_free = above & ~occupied, down_free = below & ~occupied;
    for (int steps = 1; steps <= 4; steps *= 2) {
        up |= up << steps * step & up_free;
        down |= down >> steps * step & down_free;
        up_free &= up_free << steps * step;
        down_free &= down_free >> steps * step;
    }
    const Rays all = (up << step & above) | (down >> step & below);
    return all[0] | all[1] | all[2] | all[3];
#else
    Bitboard attacks = 0;
    while (bishops)
        attacks |= attacks_bishop(pop_lsb(&bishops), occupied);
    while (rooks)
        attacks |= attacks_rook(pop_lsb(&rooks), occupied);
    return attacks;
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
