// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/ratio.h"

#include <math.h>
#include <stdbool.h>

double ratio_student(int freedom)
{
    /* The expansion of Cornish and Fisher around the quantile of the normal distribution. For one
     * and two degrees of freedom it is too inaccurate. */
    static const double EXACT[] = {12.706, 4.303};
    if (freedom <= 2)
        return EXACT[freedom - 1];
    const double z = 1.959964, n = freedom, z2 = z * z;
    const double first = z * (z2 + 1.0) / 4.0;
    const double second = z * ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0;
    const double third = z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0;
    return z + first / n + second / (n * n) + third / (n * n * n);
}

/* Adds up deviations by groups of adjacent observations. Start with zeros. */
typedef struct {
    double squares; // sum over the groups of the squared sum of deviations
    double group_sum, group_weight;
    int groups; // with trials or values
} Clusters;

/* Adds an observation. `weight`: the number of its trials; 1 for a value. */
static void add_deviation(Clusters *clusters, double deviation, double weight, bool ends_group)
{
    clusters->group_sum += deviation;
    clusters->group_weight += weight;
    if (!ends_group)
        return;
    clusters->squares += clusters->group_sum * clusters->group_sum;
    clusters->groups += clusters->group_weight > 0.0;
    clusters->group_sum = clusters->group_weight = 0.0;
}

/* Half the width of the interval of the sum of all observations; at least two groups. */
static double margin_of(const Clusters *clusters)
{
    const double g = clusters->groups;
    return ratio_student(clusters->groups - 1) * sqrt(clusters->squares * g / (g - 1.0));
}

Mean mean_of(const MeanValue *values, int count)
{
    Mean mean = {.low = -INFINITY, .high = INFINITY};
    if (count == 0)
        return mean;
    Clusters clusters = {0};
    for (int i = 0; i < count; i++)
        mean.mean += values[i].value;
    mean.mean /= count;
    for (int i = 0; i < count; i++)
        add_deviation(&clusters, values[i].value - mean.mean, 1.0,
                      i + 1 == count || values[i + 1].group != values[i].group);
    mean.groups = clusters.groups;
    if (mean.groups < 2)
        return mean;
    const double margin = margin_of(&clusters) / count;
    mean.low = mean.mean - margin;
    mean.high = mean.mean + margin;
    return mean;
}

Ratio ratio_of(const MeanValue *logs, int count)
{
    const Mean mean = mean_of(logs, count);
    return (Ratio){.mean = exp(mean.mean),
                   .low = exp(mean.low),
                   .high = exp(mean.high),
                   .pairs = count,
                   .groups = mean.groups};
}

Share share_of(const ShareCount *counts, int count)
{
    Share share = {.high = 1.0};
    double events = 0.0;
    for (int i = 0; i < count; i++) {
        events += counts[i].events;
        share.trials += counts[i].trials;
    }
    if (share.trials <= 0.0)
        return share;
    share.share = events / share.trials;
    Clusters clusters = {0};
    for (int i = 0; i < count; i++)
        add_deviation(&clusters, counts[i].events - share.share * counts[i].trials,
                      counts[i].trials, i + 1 == count || counts[i + 1].group != counts[i].group);
    share.groups = clusters.groups;
    if (share.groups < 2 || events <= 0.0 || events >= share.trials)
        return share;
    const double margin = margin_of(&clusters) / share.trials;
    share.low = fmax(share.share - margin, 0.0);
    share.high = fmin(share.share + margin, 1.0);
    return share;
}
