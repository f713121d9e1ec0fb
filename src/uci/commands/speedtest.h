// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* speedtest as a command: `speedtest [threads hashMB secs]`. What users report of their machine:
 * processor, threads, table and pages, and the speed over positions of all kinds, the table going
 * from one to the next as in a game. */

#include "uci/session.h"

typedef struct {
    int64_t threads, hash_mib, seconds;
} SpeedOptions;

/* Parses the arguments, which are written to; all threads of the machine, 128 MiB each and 150
 * seconds unless told. False, with what is wrong in `error`, which then points to constant text. */
bool speed_command_parse(SpeedOptions *options, char *arguments, const char **error);
