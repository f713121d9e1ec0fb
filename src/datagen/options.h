// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The command line of palimpsest-datagen: what is to be done. */

#include "base/arguments.h"

enum { DATAGEN_OPTIONS_ERROR_MAX = ARGUMENTS_ERROR_MAX };

typedef enum {
    DATAGEN_HELP = ARGUMENTS_HELP,
    DATAGEN_PLAY = 0,
    DATAGEN_MERGE,
    DATAGEN_STATS,
    DATAGEN_VERIFY,
    DATAGEN_WDL
} DatagenTask;

typedef struct {
    DatagenTask kind;
    const char *out;  // of DATAGEN_PLAY and DATAGEN_MERGE
    const char *eval; // "bootstrap" or a file; NULL: what is built in
    int64_t threads;  // 0: all cores
    int64_t games;    // 0: no such end; the next likewise
    int64_t positions;
    int64_t soft, hard; // nodes
    int64_t opening_plies;
    int64_t chess960; // percent
    int64_t seed;
    int64_t hash;                // MiB
    const char *player, *figure; // of DATAGEN_WDL; or NULL
    ArgumentList files;          // of all but DATAGEN_PLAY
} DatagenOptions;

/* Reads the arguments, argv[0] not being one, into `order`, which points into them; their order
 * changes. False, with the reason in `error` (DATAGEN_OPTIONS_ERROR_MAX bytes), when they make no
 * sense. */
bool datagen_options_parse(DatagenOptions *options, int argc, char **argv, char *error);

/* Prints how to call the program. */
void datagen_options_print_help(FILE *out);
