// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* bench as a command: `bench [hash threads limit positions kind]`. A line a position on stderr; on
 * stdout, last of all, the two lines OpenBench reads. */

#include "uci/session.h"

/* What the arguments ask for; positions is a file's name, "default" or "current". */
typedef struct {
    int64_t hash_mib, threads;
    Limits limits;
    const char *positions;
} BenchOptions;

/* Parses the arguments, which are written to and must live as long as the options. False, with what
 * is wrong in `error`, which then points to constant text. */
bool bench_command_parse(BenchOptions *options, char *arguments, const char **error);
