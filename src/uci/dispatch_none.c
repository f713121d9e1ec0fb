// SPDX-License-Identifier: GPL-3.0-or-later
/* Replaces dispatch.c in a program with a single engine. */
#include <stddef.h>

#include "uci/dispatch.h"

const DispatchChoice *dispatch_choice(void)
{
    return NULL;
}
