// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The command line of palimpsest-train. */

#include "base/arguments.h"
#include "train/tree_learning.h"

enum { TRAIN_OPTIONS_ERROR_MAX = ARGUMENTS_ERROR_MAX };

typedef enum {
    TRAIN_HELP = ARGUMENTS_HELP,
    TRAIN_RUN = 0,
    TRAIN_SPEED,
    TRAIN_JUDGE,
    TRAIN_RESCALE
} TrainTask;

typedef struct {
    TrainTask task;
    const char *out;
    const char *initial; // checkpoint or network whose weights the run begins with; NULL: random
    const char *labels;  // positions to judge the network on after each epoch; NULL: none
    ArgumentList games;  // game files
    int64_t threads;     // 0: all cores
    int64_t epochs, batch, seed;
    int64_t max_positions;      // size of the training set; 0: all
    int64_t stop_after;         // number of batches; 0: train to the end
    int64_t quiet_within;       // -1: no such filter; else see LoaderOptions, loader.h
    const char *quiet_eval;     // as in eval_choice_open()
    int64_t score_max;          // see LoaderOptions, loader.h
    double lambda, unit, power; // see Objective, backprop.h
    double balance;             // see balance.h
    double lambda_end;          // see TrainSettings, trainer.h
    double lambda_endgame;      // lambda with few pieces
    double td_share;            // --hindsight, see td_targets.h
    double rate, rate_end;      // learning rate, first and last
    double held_out;            // percent of the games
    double output_scale;        // see RunOptions, run.h
    bool resume, is_repeatable, is_on_disk;
    const char *network, *positions; // of TRAIN_JUDGE and TRAIN_RESCALE: files
    TreeLearning tree;
} TrainOptions;

/* Reads argv[1] to argv[argc - 1] into `options`. `options` points into argv, and the order of argv
 * changes. Returns false, with the reason in `error` (TRAIN_OPTIONS_ERROR_MAX bytes), if an
 * argument is invalid. */
bool train_options_parse(TrainOptions *options, int argc, char **argv, char *error);

/* Prints the help text. */
void train_options_print_help(FILE *out);
