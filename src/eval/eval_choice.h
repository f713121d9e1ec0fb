// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The evaluation named on the command line of a tool. Not linked into the engine, because it would
 * add bootstrap.c to an engine with a network. */

#include "eval/eval.h"
#include "nnue/network.h"

enum { EVAL_CHOICE_ERROR_MAX = 256, EVAL_CHOICE_NAME_MAX = 16 };

typedef struct {
    EvalSource source;
    Network *loaded;                 // the network read from a file, else NULL
    char name[EVAL_CHOICE_NAME_MAX]; // network_name(), or "bootstrap"
} EvalChoice;

/* Initialises the hand-written evaluation and opens the evaluation `name`: the path of a network
 * file, "bootstrap", or NULL for the built-in evaluation, which it initialises. Returns false, with
 * the reason in `error` (EVAL_CHOICE_ERROR_MAX bytes), on failure. Call eval_choice_close() in
 * either case. */
bool eval_choice_open(EvalChoice *choice, const char *name, char *error);

/* Frees the network, if one was loaded. */
void eval_choice_close(EvalChoice *choice);
