// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/keybits.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

double keybits_expected(uint64_t foreign, int bits)
{
    return (double)foreign * exp2(-bits);
}

int keybits_read_list(const char *text, int *bits)
{
    int count = 0, last = 0;
    for (const char *cursor = text;; cursor++) {
        char number[4];
        const size_t length = strcspn(cursor, ",");
        int64_t value;
        if (length >= sizeof number || count == KEYBITS_LIST_MAX - 1)
            return 0;
        memcpy(number, cursor, length);
        number[length] = '\0';
        if (!text_parse_int(number, last + 1, KEYBITS_MAX, &value))
            return 0;
        bits[count++] = last = (int)value;
        cursor += length;
        if (*cursor == '\0')
            break;
    }
    if (last < KEYBITS_MAX)
        bits[count++] = KEYBITS_MAX;
    return count;
}
