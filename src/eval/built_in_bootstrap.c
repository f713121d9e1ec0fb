// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/bootstrap.h"
#include "eval/built_in.h"

bool built_in_init(char *error)
{
    (void)error;
    bootstrap_init();
    return true;
}

EvalSource built_in_eval(void)
{
    return (EvalSource){.bootstrap = bootstrap_eval};
}
