// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* How often games are won: P(win) = 1 / (1 + exp((half - score) / spread)) for the side to move,
 * both parameters being polynomials of the material on the board, for the more is left the more
 * often a lead decides. scripts/wdl/fit.sh fits them to games. */

#include "chess/position.h"
#include "eval/score.h"

enum {
    WINRATE_TERMS = 3,
    WINRATE_MATERIAL_MIN = 17, // pos_material() is brought into this range, beyond which few
    WINRATE_MATERIAL_MAX = 78  // undecided games are
};

/* Coefficients of the powers of winrate_place(). */
typedef struct {
    double half[WINRATE_TERMS];   // a: the score at which half of all games are won, internal units
    double spread[WINRATE_TERMS]; // b: positive wherever it is asked
} WinRate;

/* The model fitted to the engine's own games. */
const WinRate *winrate_fitted(void);

/* Where an amount of material lies in the range, -1 to 1. */
double winrate_place(int material);

/* The two parameters at that material. */
double winrate_half(const WinRate *model, int material);
double winrate_spread(const WinRate *model, int material);

/* The chance to win at a score that is an estimate, 0 to 1. */
double winrate_win(const WinRate *model, Score score, int material);

/* What becomes of a thousand games, for the side to move. */
typedef struct {
    int wins, draws, losses; // 1000 together
} WinShares;

/* By the fitted model; a proven score leaves no doubt. */
WinShares winrate_shares(Score score, int material);
