// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The command `speedtest [threads hashMB secs]`: measures the speed of a machine over positions of
 * all kinds, and shows processor, threads, table size and page size. The table is not cleared
 * between positions, as in a game. Of the options, only EvalFile affects it. */

#include "uci/session.h"

typedef struct {
    int64_t threads, hash_mib, seconds;
} SpeedtestOptions;

/* Parses and modifies the arguments. Defaults: all threads of the machine, 128 MiB per thread, 150
 * seconds. False, with the reason in `error` (FEN_ERROR_MAX bytes), when they are faulty. */
bool speedtest_parse(SpeedtestOptions *options, char *arguments, char *error);
