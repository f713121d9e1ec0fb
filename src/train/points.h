// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Scores as expected points, 0..1: the logistic function of score / `unit`. A score of `unit` is
 * worth 73% of the points. The float version is for the inner loops of the training. */

#include <math.h>

static inline double points_of(double score, double unit)
{
    return 1.0 / (1.0 + exp(-score / unit));
}

static inline float points_of_float(float score, float unit)
{
    return 1.0f / (1.0f + expf(-score / unit));
}
