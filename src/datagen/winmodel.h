// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* How often the side to move wins by its score: P(win) = 1 / (1 + exp((a - s) / b)), fitted to
 * games by maximum likelihood. At the score `a` half are won. The positions of a game share its
 * result, so the error of `a` is taken from games: each of WINMODEL_GROUPS groups of them is left
 * out in turn (the jackknife, Tukey 1958). */

#include <stdbool.h>
#include <stdint.h>

enum {
    WINMODEL_GROUPS = 16,
    WINMODEL_SCORE_MAX = 3000,
    WINMODEL_BINS = 2 * WINMODEL_SCORE_MAX + 1
};

/* Positions and wins by score. Large (1.5 MiB); zero is empty. */
typedef struct {
    uint64_t seen[WINMODEL_GROUPS][WINMODEL_BINS];
    uint64_t won[WINMODEL_GROUPS][WINMODEL_BINS];
} WinCounts;

typedef struct {
    double a, b;    // internal units
    double a_error; // standard error of `a`
} WinModel;

/* Books a position of a game of `group` with a score of at most WINMODEL_SCORE_MAX either way. */
void winmodel_count(WinCounts *counts, int group, int score, bool is_won);

/* Fits the model; false when the counts do not determine one. */
bool winmodel_fit(const WinCounts *counts, WinModel *model);
