// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The fit of engine/winrate.h to games, by maximum likelihood: every position counts once for its
 * side to move and once, with the score turned round, for the other. A fit to one material after
 * the other would leave those with few games to chance, so all are fitted together, by the
 * polynomials' coefficients. The positions of a game share its result, so errors are taken from
 * games: each of WINFIT_GROUPS groups of them is left out in turn (the jackknife, Tukey 1958). */

#include <stdbool.h>
#include <stdint.h>

#include "eval/winrate.h"
#include "games/gamecode.h"

enum {
    WINFIT_GROUPS = 16,
    WINFIT_SCORE_MAX = 3000, // internal units; positions with greater scores are of no interest
    WINFIT_BIN = 10,         // units
    WINFIT_BINS = 2 * (WINFIT_SCORE_MAX / WINFIT_BIN) + 1,
    WINFIT_MATERIALS = WINRATE_MATERIAL_MAX - WINRATE_MATERIAL_MIN + 1
};

/* Of each group, material and score: how many positions, how many of them won. */
typedef struct {
    uint32_t seen[WINFIT_GROUPS][WINFIT_MATERIALS][WINFIT_BINS];
    uint32_t won[WINFIT_GROUPS][WINFIT_MATERIALS][WINFIT_BINS];
} WinTable;

typedef enum { OUTCOME_LOSS, OUTCOME_DRAW, OUTCOME_WIN } Outcome; // for the side to move

/* What a game's result (gamecode.h) is for `side`. */
static inline Outcome winfit_outcome(int result, Color side)
{
    return (Outcome)(side == WHITE ? result : GAME_WHITE_WINS - result);
}

/* Books a position of a game of `group`; false, booking nothing, when the score or the material is
 * out of the range. `table` is zero at first. */
bool winfit_count(WinTable *table, int group, Score score, int material, Outcome outcome);

/* The score in the middle of a bin. */
static inline Score winfit_bin_score(int bin)
{
    return (bin - WINFIT_SCORE_MAX / WINFIT_BIN) * WINFIT_BIN;
}

typedef struct {
    WinRate model;
    WinRate without[WINFIT_GROUPS]; // the same from all groups but that one
} WinFit;

/* Fits the first `terms` coefficients of half and of spread, 1..WINRATE_TERMS, the others being 0:
 * with 1 the material does not matter. False when the counts do not determine a model that is
 * sound at each material: half and spread positive. */
bool winfit_fit(const WinTable *table, int terms, WinFit *fit);

/* Standard error of the half at that material. */
double winfit_half_error(const WinFit *fit, int material);
