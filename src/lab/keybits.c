// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/keybits.h"

#include <math.h>

#include "lab/results.h"

double keybits_expected(uint64_t foreign, int bits)
{
    return (double)foreign * exp2(-bits);
}

int keybits_read_list(const char *text, int *bits)
{
    int count = results_numbers(text, bits, KEYBITS_MAX, KEYBITS_MAX);
    for (int i = 1; i < count; i++)
        if (bits[i] < bits[i - 1])
            return 0;
    if (count > 0 && bits[count - 1] < KEYBITS_MAX)
        bits[count++] = KEYBITS_MAX;
    return count;
}
