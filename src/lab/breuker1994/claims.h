// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The claims of Breuker, Uiterwijk and van den Herik (1994, sections 7 and 8) about replacement
 * schemes. Each claim has a test that decides whether it holds for our observations at one depth
 * (the paper's: 7 ply). Means over table sizes and schemes are geometric. */

#include "lab/breuker1994/cube.h"

enum { CLAIM_FIGURES_MAX = 240 };

typedef enum {
    CLAIM_HOLDS,
    CLAIM_FAILS,
    CLAIM_OPEN // observations are missing
} Verdict;

typedef struct {
    Verdict verdict;
    char figures[CLAIM_FIGURES_MAX]; // the numbers behind the verdict, as text
} Finding;

int claims_count(void);

/* Claim and test as text. */
const char *claims_text(int claim);

/* Tests a claim (0..claims_count() - 1) for one seed of the cube (index, or CUBE_MEAN). */
Finding claims_judge(int claim, const Cube *cube, int seed, int ply);

/* The schemes of the paper, in its order. */
enum { CLAIMS_SCHEMES = 7 };
extern const int claims_schemes[CLAIMS_SCHEMES];

/* How many percent more nodes the worst of those schemes needs than the best, at the seed,
 * stamping, size and depth of `at`; NAN when a scheme is missing. */
double claims_spread(const Cube *cube, CubePlace at);
