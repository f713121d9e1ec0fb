// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Fits the win model of eval/winrate.h to games by maximum likelihood. Each position counts twice:
 * for its side to move, and with the negated score for the other side. All materials are fitted
 * together, by the coefficients of the polynomials, because a separate fit of each would be noisy
 * where games are few. The positions of a game share its result, so the standard error is
 * estimated from games: each of WINFIT_GROUPS groups of games is left out in turn (jackknife,
 * Tukey 1958). */

#include <stdbool.h>
#include <stdint.h>

#include "eval/winrate.h"
#include "games/gamecode.h"

enum {
    WINFIT_GROUPS = 16,
    WINFIT_SCORE_MAX = 3000, // internal units; positions with greater scores are ignored
    WINFIT_BIN = 10,         // width of a bin, internal units
    WINFIT_BINS = 2 * (WINFIT_SCORE_MAX / WINFIT_BIN) + 1,
    WINFIT_MATERIALS = WINRATE_MATERIAL_MAX - WINRATE_MATERIAL_MIN + 1
};

/* Positions, and those that were won, by group, material and score. */
typedef struct {
    uint32_t seen[WINFIT_GROUPS][WINFIT_MATERIALS][WINFIT_BINS];
    uint32_t won[WINFIT_GROUPS][WINFIT_MATERIALS][WINFIT_BINS];
} WinTable;

typedef enum { OUTCOME_LOSS, OUTCOME_DRAW, OUTCOME_WIN } Outcome; // for the side to move

/* A game's result (GAME_..., gamecode.h) from the view of `side`. */
static inline Outcome winfit_outcome(int result, Color side)
{
    return (Outcome)(side == WHITE ? result : GAME_WHITE_WINS - result);
}

/* Counts a position of a game of `group`. False, with nothing counted, when the score or the
 * material is out of range. The caller zeroes `table` first. */
bool winfit_count(WinTable *table, int group, Score score, int material, Outcome outcome);

/* The score in the middle of a bin. */
static inline Score winfit_bin_score(int bin)
{
    return (bin - WINFIT_SCORE_MAX / WINFIT_BIN) * WINFIT_BIN;
}

typedef struct {
    WinRate model;
    WinRate without[WINFIT_GROUPS]; // fitted to all groups but that one
} WinFit;

/* Fits the first `terms` (1..WINRATE_TERMS) coefficients of half and of spread; the others are 0.
 * With `terms` == 1 the model ignores the material. False when the counts are too few for a model
 * with positive half and spread at each material. */
bool winfit_fit(const WinTable *table, int terms, WinFit *fit);

/* Standard error of the half at `material`. */
double winfit_half_error(const WinFit *fit, int material);
