// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Means with 95% confidence intervals: the geometric mean of ratios between pairs of values, the
 * share of events among trials, and the mean of values. Observations belong to groups, such as the
 * positions of one game. Those of a group are correlated, so the standard error is computed between
 * groups (cluster-robust, Liang and Zeger 1986). The interval uses Student's t distribution with
 * one degree of freedom less than the number of groups. */

/* A value of an observation. */
typedef struct {
    double value;
    int group; // equal for the observations of a group, which are adjacent in the array
} MeanValue;

typedef struct {
    double mean;      // 0 without values
    double low, high; // 95% confidence interval; infinite with fewer than two groups
    int groups;
} Mean;

/* Computes the arithmetic mean of `count` values. */
Mean mean_of(const MeanValue *values, int count);

typedef struct {
    double mean;      // geometric; 1 without pairs
    double low, high; // 95% confidence interval; 0 and infinity with fewer than two groups
    int pairs, groups;
} Ratio;

/* Computes the mean ratio and its interval over `count` pairs, given as the natural logarithms of
 * their ratios. */
Ratio ratio_of(const MeanValue *logs, int count);

/* Events and trials of an observation. */
typedef struct {
    double events, trials;
    int group; // equal for the observations of a group, which are adjacent in the array
} ShareCount;

typedef struct {
    double share;     // all events divided by all trials; 0 without trials
    double low, high; // 95% confidence interval; 0 and 1 with fewer than two groups, and where no
                      // trial or each is an event: the scatter between groups is then unknown
    double trials;
    int groups; // with trials
} Share;

/* Computes the share over `count` observations. */
Share share_of(const ShareCount *counts, int count);

/* The two-sided 95% quantile of Student's t distribution with `freedom` >= 1 degrees of freedom,
 * accurate to 1% from 3 degrees on. */
double ratio_student(int freedom);
