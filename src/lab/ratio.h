// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The geometric mean of ratios, with a 95% confidence interval. Each ratio compares a pair of
 * values. Pairs belong to groups, such as the positions of one game. The pairs of a group are
 * correlated, so the standard error is computed between groups (cluster-robust, Liang and Zeger
 * 1986). The interval uses Student's t distribution with one degree of freedom less than the number
 * of groups. */

typedef struct {
    double log_ratio; // natural logarithm of the ratio
    int group;        // equal for the pairs of a group, which are adjacent in the array
} RatioPair;

typedef struct {
    double mean;      // geometric; 1 without pairs
    double low, high; // 95% confidence interval; 0 and infinity with fewer than two groups
    int pairs, groups;
} Ratio;

/* Computes the mean ratio and its interval over `count` pairs. */
Ratio ratio_of(const RatioPair *pairs, int count);

/* The two-sided 95% quantile of Student's t distribution with `freedom` >= 1 degrees of freedom,
 * accurate to 1% from 3 degrees on. */
double ratio_student(int freedom);
