// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/built_in.h"

#include <stddef.h>

#include "nnue/network.h"

bool built_in_init(char *error)
{
    return network_embedded(error) != NULL;
}

EvalSource built_in_eval(void)
{
    char error[NETWORK_ERROR_MAX];
    return (EvalSource){.network = network_embedded(error)};
}
