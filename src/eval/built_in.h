// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The evaluation a program is born with. A link-time seam: built_in_network.c where a network is
 * built in; built_in_bootstrap.c where there is none, and only there is bootstrap.h linked into the
 * engine. */

#include "eval/eval.h"

/* Makes it ready; engine_init() calls it once. False, with the reason in `error`
 * (NETWORK_ERROR_MAX bytes), when the network built in is none for this program. */
bool built_in_init(char *error);

EvalSource built_in_eval(void);
