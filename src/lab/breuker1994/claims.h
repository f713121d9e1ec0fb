// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What Breuker, Uiterwijk and van den Herik (1994, sections 7 and 8) say of replacement schemes,
 * each saying with the test that decides whether it holds of our figures, at one depth (theirs: 7
 * ply). Means over table sizes and schemes are geometric. */

#include "lab/breuker1994/cube.h"

enum { CLAIM_FIGURES_MAX = 240 };

typedef enum { CLAIM_HOLDS, CLAIM_FAILS, CLAIM_OPEN } Verdict; // OPEN: observations are missing

typedef struct {
    Verdict verdict;
    char figures[CLAIM_FIGURES_MAX];
} Finding;

int claims_count(void);

/* The claim and the test, in words. */
const char *claims_text(int claim);

/* Judges a claim for one seed of the cube, or CUBE_MEAN. */
Finding claims_judge(int claim, const Cube *cube, int seed, int ply);

/* The schemes of the paper, in its order; `claims_schemes` of them. */
enum { CLAIMS_SCHEMES = 7 };
extern const int claims_schemes[CLAIMS_SCHEMES];

/* Worst against best of those schemes at a size (index), in percent; NAN when one is missing. */
double claims_spread(const Cube *cube, CubePlace at);
