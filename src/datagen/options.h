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
    DATAGEN_WDL,
    DATAGEN_LABEL
} DatagenTask;

typedef struct {
    DatagenTask task;
    const char *out;          // file to write, for DATAGEN_PLAY, DATAGEN_MERGE and DATAGEN_LABEL
    const char *eval;         // "bootstrap" or a file; NULL: the built-in evaluation
    int64_t threads;          // 0: all cores
    int64_t games;            // 0: no target
    int64_t positions;        // 0: no target
    int64_t labels;           // for DATAGEN_LABEL: number of positions
    int64_t nodes;            // for DATAGEN_LABEL: of each search
    bool is_from_tree;        // for DATAGEN_LABEL: see LabelOptions, label.h
    int64_t soft, hard;       // nodes per search: no new iteration after `soft`; end after `hard`
    int64_t tree, tree_depth; // see TreeOptions, gametree.h
    int64_t late_moves;       // see SearchJob, job.h
    int64_t win_score;        // internal units, see SelfplayOptions, selfplay.h
    int64_t part, between;    // plies, see SelfplayOptions
    int64_t opening_plies;
    int64_t opening_half; // internal units, see OpeningOptions, openings.h
    int64_t chess960;     // percent of the games
    int64_t seed;
    int64_t hash;                // MiB
    int64_t pawn;                // for DATAGEN_WDL: see WdlOptions, wdl.h
    const char *player, *figure; // for DATAGEN_WDL; may be NULL
    ArgumentList files;          // input files, for all tasks except DATAGEN_PLAY
} DatagenOptions;

/* Parses argv[1] to argv[argc - 1] into `options`. `options` then points into argv, whose order may
 * change. Returns false, with the reason in `error` (DATAGEN_OPTIONS_ERROR_MAX bytes), when an
 * argument is invalid or missing. */
bool datagen_options_parse(DatagenOptions *options, int argc, char **argv, char *error);

/* Prints the text of --help. */
void datagen_options_print_help(FILE *out);
