// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Winning chances: P(win) = 1 / (1 + exp((half - score) / spread)) for the side to move. Both
 * parameters are polynomials of the material on the board, because the same lead wins more often
 * with more material. The parameters hold for games of 100,000 nodes a move between equal players
 * and for the scores of one network; scripts/wdl/README.md names the games. The search does not use
 * them. */

#include "eval/score.h"

enum {
    WINRATE_TERMS = 3,
    WINRATE_MATERIAL_MIN = 17, // pos_material() is clamped to this range, because the fit
    WINRATE_MATERIAL_MAX = 78  // has few undecided games outside it
};

/* Coefficients of two polynomials of winrate_place(), constant term first. */
typedef struct {
    double half[WINRATE_TERMS];   // a: the score that wins half of all games, internal units
    double spread[WINRATE_TERMS]; // b: internal units; positive over the whole range of material
} WinRate;

/* Maps material, clamped to the range above, linearly to -1..1. */
double winrate_place(int material);

/* Return the two parameters for `material`, a value of pos_material(). */
double winrate_half(const WinRate *model, int material);
double winrate_spread(const WinRate *model, int material);

/* Returns the chance to win, 0 to 1, of the side to move. `score` must not be proven. */
double winrate_win(const WinRate *model, Score score, int material);

/* The fitted model, and nothing else, defines the unit of the scores that users see: 100 centipawns
 * are the score that wins half of all games at this material (as in Stockfish since 15.1). The
 * functions return scores for the same side as they get; `score` must not be proven. Units are
 * clamped to the range of evaluations. */
int winrate_centipawns(Score score, int material);
Score winrate_units(double centipawns, int material);

/* Wins, draws and losses of the side to move in a thousand games. */
typedef struct {
    int wins, draws, losses; // their sum is 1000
} WinShares;

/* Returns the shares by the fitted model; for proven scores all games are won or lost. */
WinShares winrate_shares(Score score, int material);

/* The same for a certain result, by the rules or by tablebases: there a draw is no estimate. */
WinShares winrate_certain_shares(Score score, int material);
