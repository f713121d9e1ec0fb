// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The geometric mean of paired ratios and how well it is known. Pairs come in groups (positions of
 * one game): what is alike inside a group is one piece of evidence, not many, so the spread is
 * taken between groups (cluster-robust standard error, Liang and Zeger 1986; Student's t with one
 * degree of freedom less than there are groups). */

typedef struct {
    double log_ratio; // natural
    int group;        // equal for pairs that belong together; those stand next to each other
} RatioPair;

typedef struct {
    double mean;      // geometric
    double low, high; // its 95% confidence interval; with less than two groups 0 and infinity
    int pairs, groups;
} Ratio;

Ratio ratio_of(const RatioPair *pairs, int count);

/* The two-sided 95% point of Student's t with `freedom` >= 1 degrees of freedom, within 1% from
 * 3 on. */
double ratio_student(int freedom);
