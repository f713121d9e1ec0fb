// SPDX-License-Identifier: GPL-3.0-or-later
/* In place of dispatch.c in a program made for one kind of processor. */
#include <stddef.h>

#include "uci/dispatch.h"

const DispatchChoice *dispatch_choice(void)
{
    return NULL;
}
