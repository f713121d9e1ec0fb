// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The command `bench [hash threads limit positions kind]`. Prints one line for each position to
 * stderr, and at the end the two lines that OpenBench reads to stdout. Of the options, only
 * EvalFile affects the search. */

#include "uci/session.h"

/* The arguments. `positions` is a file name, "default" or "current". */
typedef struct {
    int64_t hash_mib, threads;
    Limits limits;
    const char *positions;
} BenchOptions;

/* Parses and modifies the arguments; `options` then points into them. False, with the reason in
 * `error` (FEN_ERROR_MAX bytes), when they are faulty. */
bool bench_parse(BenchOptions *options, char *arguments, char *error);
