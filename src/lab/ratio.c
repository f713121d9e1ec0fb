// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/ratio.h"

#include <math.h>

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

static double mean_of(const RatioPair *pairs, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += pairs[i].log_ratio;
    return sum / count;
}

Ratio ratio_of(const RatioPair *pairs, int count)
{
    Ratio ratio = {.mean = 1.0, .high = INFINITY, .pairs = count};
    if (count == 0)
        return ratio;
    const double mean = mean_of(pairs, count);
    double squares = 0.0, group_sum = 0.0;
    for (int i = 0; i < count; i++) {
        group_sum += pairs[i].log_ratio - mean;
        if (i + 1 < count && pairs[i + 1].group == pairs[i].group)
            continue;
        squares += group_sum * group_sum;
        group_sum = 0.0;
        ratio.groups++;
    }
    ratio.mean = exp(mean);
    if (ratio.groups < 2)
        return ratio;
    const double g = ratio.groups;
    const double error = sqrt(squares * g / (g - 1.0)) / count;
    const double margin = ratio_student(ratio.groups - 1) * error;
    ratio.low = exp(mean - margin);
    ratio.high = exp(mean + margin);
    return ratio;
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
    double squares = 0.0, group_sum = 0.0;
    for (int i = 0; i < count; i++) {
        group_sum += counts[i].events - share.share * counts[i].trials;
        if (i + 1 < count && counts[i + 1].group == counts[i].group)
            continue;
        squares += group_sum * group_sum;
        group_sum = 0.0;
        share.groups++;
    }
    if (share.groups < 2)
        return share;
    const double g = share.groups;
    const double margin =
        ratio_student(share.groups - 1) * sqrt(squares * g / (g - 1.0)) / share.trials;
    share.low = fmax(share.share - margin, 0.0);
    share.high = fmin(share.share + margin, 1.0);
    return share;
}
