// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The evaluation linked into the program. The build selects one implementation: built_in_network.c
 * if a network is embedded, else built_in_bootstrap.c. The engine links bootstrap.c only in the
 * second case; the tools always link it. */

#include "eval/eval.h"

/* Initialises the evaluation; engine_init() and eval_choice_open() call this. Returns false, with
 * the reason in `error` (NETWORK_ERROR_MAX bytes), if the embedded network does not fit this
 * program. */
bool built_in_init(char *error);

/* Returns the evaluation. Call built_in_init() first. */
EvalSource built_in_eval(void);
