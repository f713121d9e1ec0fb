// SPDX-License-Identifier: GPL-3.0-or-later
/* Replaces syzygy.c where libfathom is missing. */
#include <stdio.h>

#include "syzygy/syzygy.h"

bool syzygy_is_linked(void)
{
    return false;
}

bool syzygy_open(const char *folders, SyzygyTables *found, char *error)
{
    (void)folders;
    *found = (SyzygyTables){0};
    snprintf(error, SYZYGY_ERROR_MAX, "this program was built without libfathom");
    return false;
}

SyzygyWdl syzygy_probe(const Position *pos)
{
    (void)pos;
    return SYZYGY_UNKNOWN;
}

void syzygy_look_up(const Position *pos, bool rule50, bool has_repeated, SyzygyView *view)
{
    (void)pos;
    (void)rule50;
    (void)has_repeated;
    *view = (SyzygyView){.wdl = SYZYGY_UNKNOWN};
}
