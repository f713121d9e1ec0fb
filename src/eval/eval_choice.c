// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/eval_choice.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "eval/bootstrap.h"
#include "eval/built_in.h"

static_assert((int)EVAL_CHOICE_NAME_MAX >= (int)NETWORK_NAME_MAX, "holds a network's name");

bool eval_choice_open(EvalChoice *choice, const char *name, char *error)
{
    char reason[NETWORK_ERROR_MAX];
    *choice = (EvalChoice){.name = "bootstrap"};
    bootstrap_init();
    if (name == NULL) {
        if (!built_in_init(reason)) {
            snprintf(error, EVAL_CHOICE_ERROR_MAX, "the built-in network %.150s", reason);
            return false;
        }
        choice->source = built_in_eval();
    } else if (strcmp(name, "bootstrap") == 0) {
        choice->source.bootstrap = bootstrap_eval;
    } else {
        choice->loaded = network_open(name, reason);
        if (choice->loaded == NULL) {
            snprintf(error, EVAL_CHOICE_ERROR_MAX, "%.100s: %.150s", name, reason);
            return false;
        }
        choice->source.network = choice->loaded;
    }
    if (choice->source.network != NULL)
        network_name(choice->source.network, choice->name);
    return true;
}

void eval_choice_close(EvalChoice *choice)
{
    network_close(choice->loaded);
    *choice = (EvalChoice){0};
}
