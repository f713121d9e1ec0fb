// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The evaluation that a tool is told to play by. Not linked into the engine, which has no use for
 * bootstrap.h once a network is built in. */

#include "eval/eval.h"
#include "nnue/network.h"

enum { EVAL_CHOICE_ERROR_MAX = 256, EVAL_CHOICE_NAME_MAX = 16 };

typedef struct {
    EvalSource source;
    Network *loaded;                 // to be freed; NULL when the evaluation is the program's own
    char name[EVAL_CHOICE_NAME_MAX]; // of the network, or "bootstrap"
} EvalChoice;

/* Finds `wanted`: a network's file, "bootstrap", or NULL for what is built in. False, with the
 * reason in `error` (EVAL_CHOICE_ERROR_MAX bytes), when it is none. eval_choice_close() in either
 * case. */
bool eval_choice_open(EvalChoice *choice, const char *wanted, char *error);
void eval_choice_close(EvalChoice *choice);
