// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The geometric mean of paired ratios, with a 95% confidence interval. Pairs come in groups, such
 * as the positions of one game. Pairs of a group are correlated, so the standard error is computed
 * between groups (cluster-robust, Liang and Zeger 1986), with Student's t distribution and one
 * degree of freedom less than the number of groups. */

typedef struct {
    double log_ratio; // natural logarithm
    int group;        // equal for the pairs of a group, which are adjacent in the array
} RatioPair;

typedef struct {
    double mean;      // geometric; 1 without pairs
    double low, high; // 95% confidence interval; 0 and infinity with fewer than two groups
    int pairs, groups;
} Ratio;

Ratio ratio_of(const RatioPair *pairs, int count);

/* The two-sided 95% quantile of Student's t distribution with `freedom` >= 1 degrees of freedom,
 * accurate to 1% from 3 degrees on. */
double ratio_student(int freedom);
