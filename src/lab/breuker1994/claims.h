// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The claims of Breuker, Uiterwijk and van den Herik (1994, sections 6.3, 7 and 8) about
 * replacement schemes, two of them quoted from Ebeling (1986) and Schaeffer (1994). Each claim has
 * a test, which decides whether the claim holds for our observations at one depth (7 ply in the
 * paper). A claimed figure holds within half of itself on both sides, a claimed limit within half
 * of itself beyond it. Means over table sizes and schemes are geometric. */

#include "lab/breuker1994/cube.h"

enum { CLAIM_FIGURES_MAX = 240 };

typedef enum {
    CLAIM_HOLDS,
    CLAIM_FAILS,
    CLAIM_DEPENDS, // the verdict depends on the Zobrist seed
    CLAIM_OPEN     // observations are missing
} Verdict;

typedef struct {
    Verdict verdict;
    char figures[CLAIM_FIGURES_MAX]; // the numbers behind the verdict, as text
} Finding;

int claims_count(void);

/* The text of a claim (0..claims_count() - 1), with its test in parentheses. */
const char *claims_text(int claim);

/* Tests a claim (0..claims_count() - 1) at depth `ply` for one seed of the cube (an index), or for
 * all seeds (CUBE_MEAN): the figures are then those of the mean nodes, and the verdict is
 * CLAIM_DEPENDS unless each seed has that of the mean. */
Finding claims_judge(int claim, const Cube *cube, int seed, int ply);

/* Returns for how many seeds the claim has a verdict at depth `ply`, and writes for how many it
 * holds to `*holds`. */
int claims_judge_seeds(int claim, const Cube *cube, int ply, int *holds);

/* The schemes (Replacement) of the paper, in the order of its tables. */
enum { CLAIMS_SCHEMES = 7 };
extern const int claims_schemes[CLAIMS_SCHEMES];

/* How many per cent more nodes the worst of these schemes needs than the best, at the seed,
 * stamping, size and depth of `at`; at.scheme is ignored. NAN when a scheme is missing. */
double claims_spread(const Cube *cube, CubePlace at);
