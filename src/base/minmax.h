// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The smaller and the larger of two numbers, for expressions in which `a < b ? a : b` would be too
 * long. */

static inline int min_int(int a, int b)
{
    return a < b ? a : b;
}

static inline int max_int(int a, int b)
{
    return a > b ? a : b;
}
