// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/init.h"

#include "eval/built_in.h"
#include "search/search.h"

bool engine_init(char *error)
{
    search_init();
    return built_in_init(error);
}
