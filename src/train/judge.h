// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Measures a network without games: compares its static evaluation with the scores of labelled
 * positions (palimpsest-datagen --label). Both scores are converted to expected points
 * (points.h), as in training. The error is the mean squared difference of these points. The scale
 * of a network may differ from that of the labels. So its evaluations are first multiplied by the
 * factor (1/8 to 8) that gives the smallest error.
 *
 * The centred error leaves out the mean of the differences. Scores of some engines favour the side
 * to move, and a network that has learned the same preference has a smaller error, but plays no
 * better. */

#include <stdio.h>

#include "chess/position.h"
#include "nnue/network.h"

enum { JUDGE_ERROR_MAX = 512 };

/* The errors are mean squared differences of expected points (0..1). */
typedef struct {
    int positions;
    double error;         // with the best factor
    double factor;        // best factor on the network's scores
    double raw_error;     // with factor 1
    double centred_error; // the variance of the differences, with the factor that makes it least
    double mean;          // of the differences (evaluation minus label), with that factor
    double correlation;   // of the expected points of labels and network, with the best factor
    struct {
        int positions;
        double error;
    } strata[PIECE_COUNT_RANGES]; // by piece count: 1..4, 5..8, ...
} Judgement;

/* Labelled positions, with working memory for one judgement at a time. */
typedef struct LabelSet LabelSet;

/* Reads the positions of the file at `path`. NULL, with the reason in `error` (JUDGE_ERROR_MAX
 * bytes), when the file cannot be read, has an invalid line or no position, or fewer positions than
 * its first line, from palimpsest-datagen --label, announces. Free with judge_free(). */
LabelSet *judge_read(const char *path, char *error);
void judge_free(LabelSet *set);

/* Judges `network` on the positions. `unit` converts its scores and those of the labels to expected
 * points (points.h). */
Judgement judge_network(LabelSet *set, const Network *network, double unit);

/* Prints the judgement. */
void judge_print(const Judgement *judgement, FILE *out);
