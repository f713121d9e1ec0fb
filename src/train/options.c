// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/options.h"

#include "train/thread_pool.h"

#define COUNT_MAX INT64_C(1000000000000)

static const ArgumentCommand COMMANDS[] = {
    [TRAIN_SPEED] = {
        "--bench", "measure the speed of training, on positions of 28 pieces, and of the network"}};

static const Argument OPTIONS[] = {
    {"--out", ARGUMENT_TEXT, offsetof(TrainOptions, out), .is_required = true, .value = "FILE",
     .help = "the network; FILE.ckpt is what --resume goes on from, written every minute and when "
             "interrupted"},
    {"--data", ARGUMENT_LIST, offsetof(TrainOptions, games), .is_required = true, .value = "GAMES",
     .help = "what to train on, with or without the word --data"},
    {"--epochs", ARGUMENT_INTEGER, offsetof(TrainOptions, epochs), .min = 1, .max = 100000,
     .def = "30", .help = "passes of all positions"},
    {"--batch", ARGUMENT_INTEGER, offsetof(TrainOptions, batch), .min = 1, .max = 1 << 24,
     .def = "16384", .help = "positions in a step, at least"},
    {"--lambda", ARGUMENT_REAL, offsetof(TrainOptions, lambda), .most = 1, .def = "0.1",
     .help = "share of the game's result in the target"},
    {"--unit", ARGUMENT_REAL, offsetof(TrainOptions, unit), .least = 1, .most = 10000, .def = "400",
     .help = "score that stands for 73% of the points: where half of the games are won"},
    {"--hindsight", ARGUMENT_REAL, offsetof(TrainOptions, hindsight), .most = 1, .def = "0",
     .help = "share of what the next ply says in each score"},
    {"--lr", ARGUMENT_REAL, offsetof(TrainOptions, rate), .least = 1e-9, .most = 1, .def = "0.001",
     .help = "step length at the beginning"},
    {"--lr-end", ARGUMENT_REAL, offsetof(TrainOptions, rate_end), .most = 1, .def = "0.000002",
     .help = "and at the end of a cosine"},
    {"--power", ARGUMENT_REAL, offsetof(TrainOptions, power), .least = 1, .most = 8, .def = "2",
     .help = "of the error in the loss"},
    {"--held-out", ARGUMENT_REAL, offsetof(TrainOptions, held_out), .most = 50, .def = "2",
     .help = "percent of each file's games not trained on, its last"},
    {"--max-positions", ARGUMENT_INTEGER, offsetof(TrainOptions, max_positions), .min = 1,
     .max = COUNT_MAX, .help = "a random choice of so many to train on (all)"},
    {"--seed", ARGUMENT_INTEGER, offsetof(TrainOptions, seed), .max = INT64_C(1) << 53, .def = "1",
     .help = "what all chance is drawn from"},
    {"--threads", ARGUMENT_INTEGER, offsetof(TrainOptions, threads), .min = 1,
     .max = THREAD_POOL_MAX, .help = "threads (all cores)",
     .commands = 1 << TRAIN_RUN | 1 << TRAIN_SPEED},
    {"--output-scale", ARGUMENT_REAL, offsetof(TrainOptions, output_scale), .least = 0.01,
     .most = 10, .def = "1",
     .help = "multiplies what the network written evaluates to; with --resume also that of one "
             "already trained"},
    {"--stop-after-batches", ARGUMENT_INTEGER, offsetof(TrainOptions, stop_after), .min = 1,
     .max = COUNT_MAX, .help = "as if interrupted then; to be resumed"},
    {"--resume", ARGUMENT_FLAG, offsetof(TrainOptions, resume),
     .help = "go on where the same command was interrupted"},
    {"--repeatable", ARGUMENT_FLAG, offsetof(TrainOptions, is_repeatable),
     .help = "the same network to the last bit with the same threads, and whether resumed or not; "
             "always so with --threads 1, otherwise slower where other programs run"}};

static const Arguments ARGUMENTS = {
    .program = "palimpsest-train",
    .purpose = "palimpsest-train makes a network out of files of games (palimpsest-datagen).",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .commands = COMMANDS,
    .command_count = sizeof COMMANDS / sizeof COMMANDS[0]};

bool train_options_parse(TrainOptions *options, int argc, char **argv, char *error)
{
    *options = (TrainOptions){0};
    const int command = arguments_read(&ARGUMENTS, options, argc - 1, argv + 1, error);
    options->kind = (TrainTask)command;
    if (command != TRAIN_RUN || options->rate_end <= options->rate)
        return command != ARGUMENTS_WRONG;
    snprintf(error, TRAIN_OPTIONS_ERROR_MAX, "--lr-end: is more than --lr");
    return false;
}

void train_options_print_help(FILE *out)
{
    arguments_print_help(&ARGUMENTS, out);
}
