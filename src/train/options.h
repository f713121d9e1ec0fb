// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The command line of palimpsest-train: what is to be done. */

#include "base/arguments.h"

enum { TRAIN_OPTIONS_ERROR_MAX = ARGUMENTS_ERROR_MAX };

typedef enum { TRAIN_HELP = ARGUMENTS_HELP, TRAIN_RUN = 0, TRAIN_SPEED } TrainTask;

typedef struct {
    TrainTask kind;
    const char *out;
    ArgumentList games; // files to train on
    int64_t threads;    // 0: all cores
    int64_t epochs, batch, seed;
    int64_t max_positions; // 0: all
    int64_t stop_after;    // batches; 0: at the end
    double lambda, unit, hindsight, rate, rate_end, power;
    double held_out; // percent of the games
    double output_scale;
    bool resume, is_repeatable;
} TrainOptions;

/* Reads the arguments, argv[0] not being one, into `plan`, which points into them; their order
 * changes. False, with the reason in `error` (TRAIN_OPTIONS_ERROR_MAX bytes), when they make no
 * sense. */
bool train_options_parse(TrainOptions *options, int argc, char **argv, char *error);

/* Prints how to call the program. */
void train_options_print_help(FILE *out);
