// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Measures a network without games: the error of its static evaluation on labelled positions
 * (palimpsest-datagen --label), in points to expect. A score means the points
 * 1 / (1 + exp(-score / unit)), as in training. Networks may have another scale than the
 * labels: the factor on their scores that makes the error smallest is found first, and told. */

#include <stdio.h>

#include "nnue/network.h"

enum { JUDGE_ERROR_MAX = 512, JUDGE_STRATA = 8 };

/* Mean squared errors of points (0..1). */
typedef struct {
    int positions;
    double error;       // with the best factor
    double factor;      // best factor on the network's scores
    double raw_error;   // with factor 1
    double correlation; // between the points of labels and network, best factor
    struct {
        int positions;
        double error;
    } strata[JUDGE_STRATA]; // by piece count: 1..4, 5..8, ...
} Judgement;

/* Judges `network` on the positions of the file at `path`. False, with the reason in `error`
 * (JUDGE_ERROR_MAX bytes), when the file cannot be read, has an invalid line or no position. */
bool judge_network(const Network *network, const char *path, double unit, Judgement *judgement,
                   char *error);

/* Prints the judgement. */
void judge_print(const Judgement *judgement, FILE *out);
