// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The command line of palimpsest-datagen. */

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
    DatagenTask task;
    const char *out;    // for DATAGEN_PLAY and DATAGEN_MERGE
    const char *eval;   // "bootstrap" or a file; NULL: the built-in evaluation
    int64_t threads;    // 0: all cores
    int64_t games;      // 0: no target
    int64_t positions;  // 0: no target
    int64_t soft, hard; // node limits
    int64_t opening_plies;
    int64_t chess960; // percent
    int64_t seed;
    int64_t hash;                // MiB
    const char *player, *figure; // for DATAGEN_WDL; or NULL
    ArgumentList files;          // for all tasks but DATAGEN_PLAY
} DatagenOptions;

/* Parses argv[1] and those after it into `options`, which then points into argv; may reorder argv.
 * Returns false, with the reason in `error` (DATAGEN_OPTIONS_ERROR_MAX bytes), when an argument is
 * wrong or missing. */
bool datagen_options_parse(DatagenOptions *options, int argc, char **argv, char *error);

/* Prints the text of --help. */
void datagen_options_print_help(FILE *out);
