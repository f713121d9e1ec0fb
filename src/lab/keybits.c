// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/keybits.h"

#include <math.h>

#include "base/text.h"
#include "lab/results.h"

double keybits_expected(uint64_t foreign, int bits)
{
    return (double)foreign * exp2(-bits);
}

int keybits_read_list(const char *text, int *bits)
{
    int count = results_columns(text), last = 0;
    if (count > KEYBITS_LIST_MAX - 1)
        return 0;
    for (int i = 0; i < count; i++) {
        char number[4];
        int64_t value;
        if (!results_field(text, i, number, sizeof number) ||
            !text_parse_int(number, last + 1, KEYBITS_MAX, &value))
            return 0;
        bits[i] = last = (int)value;
    }
    if (last < KEYBITS_MAX)
        bits[count++] = KEYBITS_MAX;
    return count;
}
