// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Fits the win model of eval/winrate.h to games by maximum likelihood. Each position counts twice:
 * for its side to move, and with the negated score for the other side. One fit of the polynomials
 * covers all amounts of material; separate fits would be noisy where there are few games. All
 * positions of a game have the same result, so the standard error is estimated from whole games:
 * the fit is repeated without each of WINFIT_GROUPS groups of games (jackknife, Tukey 1958). */

#include <stdbool.h>
#include <stdint.h>

#include "eval/winrate.h"
#include "games/gamecode.h"

enum {
    WINFIT_GROUPS = 16,
    WINFIT_SCORE_MAX =
        3000,        // internal units; positions with a greater score for a side are ignored
    WINFIT_BIN = 10, // width of a bin of scores, internal units
    WINFIT_BINS = 2 * (WINFIT_SCORE_MAX / WINFIT_BIN) + 1,
    WINFIT_MATERIALS = WINRATE_MATERIAL_MAX - WINRATE_MATERIAL_MIN + 1
};

/* Counts of positions by group of games, material and bin of the score. Each position is counted
 * once for each side, with the score from the view of this side. */
typedef struct {
    uint32_t seen[WINFIT_GROUPS][WINFIT_MATERIALS][WINFIT_BINS]; // all positions
    uint32_t won[WINFIT_GROUPS][WINFIT_MATERIALS][WINFIT_BINS];  // those that the side won
} WinTable;

typedef enum { OUTCOME_LOSS, OUTCOME_DRAW, OUTCOME_WIN } Outcome; // for the side to move

/* A game's result (GAME_..., gamecode.h) from the view of `side`. */
static inline Outcome winfit_outcome(int result, Color side)
{
    return (Outcome)(side == WHITE ? result : GAME_WHITE_WINS - result);
}

/* Counts a position of a game of `group` (0..WINFIT_GROUPS - 1). False, with nothing counted, when
 * the score or the material is out of range. The caller zeroes `table` before the first position.
 */
bool winfit_count(WinTable *table, int group, Score score, int material, Outcome outcome);

/* The score in the middle of a bin. */
static inline Score winfit_bin_score(int bin)
{
    return (bin - WINFIT_SCORE_MAX / WINFIT_BIN) * WINFIT_BIN;
}

typedef struct {
    WinRate model;
    WinRate without[WINFIT_GROUPS]; // [g]: fitted to all groups except g
} WinFit;

/* Fits the first `terms` (1..WINRATE_TERMS) coefficients of WinRate.half and of WinRate.spread; the
 * others are 0. With `terms` == 1 the model ignores the material. False when there are too few
 * positions: the fit does not converge, or at some material winrate_half() is not positive or
 * winrate_spread() is not above WINFIT_BIN. */
bool winfit_fit(const WinTable *table, int terms, WinFit *fit);

/* Standard error of winrate_half() at `material`, internal units. */
double winfit_half_error(const WinFit *fit, int material);
