// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Initialisation of a process that searches. */

#include <stdbool.h>

/* Fills the tables of the search and initialises the built-in evaluation. main() calls it once,
 * after chess_init() and before any other thread starts. A program that makes only quiescence
 * searches (single.h) and opens its evaluation by eval_choice_open() does not need it. Returns
 * false, with the reason in `error` (NETWORK_ERROR_MAX bytes), when the built-in network does not
 * fit this program, which must then end. */
bool engine_init(char *error);
