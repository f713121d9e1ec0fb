// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/options.h"

#include "games/gamecode.h"
#include "train/sample.h"
#include "train/thread_pool.h"

#define COUNT_MAX INT64_C(1000000000000)

static const ArgumentCommand COMMANDS[] = {
    [TRAIN_SPEED] = {"--bench",
                     "measures the speed of training (positions with 28 pieces) and of evaluation"},
    [TRAIN_JUDGE] = {"--judge", "measures the error of a network's evaluation on the positions of "
                                "palimpsest-datagen --label"},
    [TRAIN_RESCALE] = {"--rescale", "multiplies the evaluations of a network by a factor, as "
                                    "--output-scale does, and writes it to FILE, which may replace "
                                    "another network"}};

static const Argument OPTIONS[] = {
    {"--out", ARGUMENT_TEXT, offsetof(TrainOptions, out), .is_required = true, .value = "FILE",
     .help = "network file to write; the checkpoint for --resume is FILE.ckpt, written every "
             "minute, on interruption and at the end"},
    {"--data", ARGUMENT_LIST, offsetof(TrainOptions, games), .is_required = true, .value = "GAMES",
     .help =
         "game files to train on; a file given twice counts twice; --data itself may be omitted"},
    {"--init", ARGUMENT_TEXT, offsetof(TrainOptions, initial), .value = "FILE",
     .help = "begin with the weights of another run: its checkpoint (FILE.ckpt), which may have "
             "other games, other settings and fewer hidden neurons, or its network, which may lack "
             "marks and dense layers and is read as it was before --output-scale; with --resume, "
             "give it again"},
    {"--epochs", ARGUMENT_INTEGER, offsetof(TrainOptions, epochs), .min = 1, .max = 100000,
     .def = "30", .help = "passes over all positions"},
    {"--batch", ARGUMENT_INTEGER, offsetof(TrainOptions, batch), .min = 1, .max = 1 << 24,
     .def = "16384", .help = "minimum number of positions per step"},
    {"--lambda", ARGUMENT_REAL, offsetof(TrainOptions, lambda), .most = 1, .def = "0.1",
     .help = "weight of the game result in the target, 0..1; the score has the rest"},
    {"--lambda-end", ARGUMENT_REAL, offsetof(TrainOptions, lambda_end), .most = 1,
     .help = "lambda at the end of the run; it changes linearly (same as --lambda)"},
    {"--lambda-endgame", ARGUMENT_REAL, offsetof(TrainOptions, lambda_endgame), .most = 1,
     .help = "lambda of positions with up to 8 pieces; from 20 pieces on it is --lambda, with a "
             "straight line between; with --lambda-end it changes as much as lambda (same as "
             "--lambda)"},
    {"--unit", ARGUMENT_REAL, offsetof(TrainOptions, unit), .least = 1, .most = 10000, .def = "400",
     .commands = 1 << TRAIN_RUN | 1 << TRAIN_JUDGE,
     .help = "score worth 73% of the points, internal units; use the score at which half of the "
             "games are won (`wins` line of palimpsest-datagen --stats; shipped network: 208), not "
             "the default, which is that of the first generations"},
    {"--hindsight", ARGUMENT_REAL, offsetof(TrainOptions, td_share), .most = 1, .def = "0",
     .help = "temporal-difference learning (Sutton 1988): weight of the next ply's score in each "
             "score, 0..1; 0: use the scores of the file unchanged"},
    {"--lr", ARGUMENT_REAL, offsetof(TrainOptions, rate), .least = 1e-9, .most = 1, .def = "0.001",
     .help = "initial learning rate; that of the dense layers is ten times as high"},
    {"--lr-end", ARGUMENT_REAL, offsetof(TrainOptions, rate_end), .most = 1, .def = "0.000002",
     .help = "final learning rate; the rate falls along a cosine"},
    {"--power", ARGUMENT_REAL, offsetof(TrainOptions, power), .least = 1, .most = 8, .def = "2",
     .help = "exponent of the error in the loss"},
    {"--balance", ARGUMENT_REAL, offsetof(TrainOptions, balance), .most = 1, .def = "0",
     .help = "weight of rare piece counts: a position of an output bucket with n positions has a "
             "weight proportional to n to the power of minus this; 1: all buckets weigh the same"},
    {"--held-out", ARGUMENT_REAL, offsetof(TrainOptions, held_out), .most = 50, .def = "2",
     .help = "percentage of games, from the end of each file, used only to measure the loss; "
             "at least one game of each file, unless X is 0"},
    {"--score-max", ARGUMENT_INTEGER, offsetof(TrainOptions, score_max), .min = 1,
     .max = GAMECODE_SCORE_MAX, .def = "3000",
     .help = "leave out positions, but no tree nodes, whose score in the file is larger for either "
             "side"},
    {"--quiet-within", ARGUMENT_INTEGER, offsetof(TrainOptions, quiet_within), .max = 10000,
     .help = "leave out positions, but no tree nodes, which a quiescence search scores more than "
             "this many units above their static evaluation: without a search, a network cannot "
             "know what a capture wins (off)"},
    {"--quiet-eval", ARGUMENT_TEXT, offsetof(TrainOptions, quiet_eval), .value = "bootstrap|FILE",
     .help = "evaluation for --quiet-within: bootstrap or a network file (the built-in network, or "
             "bootstrap if there is none)"},
    {"--max-positions", ARGUMENT_INTEGER, offsetof(TrainOptions, max_positions), .min = 1,
     .max = COUNT_MAX, .help = "train on a random subset of this size (all)"},
    {"--judge-on", ARGUMENT_TEXT, offsetof(TrainOptions, labels), .value = "POSITIONS",
     .help = "after each epoch also show the error of the rounded network on these labelled "
             "positions, as --judge does"},
    {"--seed", ARGUMENT_INTEGER, offsetof(TrainOptions, seed), .max = INT64_C(1) << 53, .def = "1",
     .help = "seed of all random numbers"},
    {"--threads", ARGUMENT_INTEGER, offsetof(TrainOptions, threads), .min = 1,
     .max = THREAD_POOL_MAX, .help = "number of threads (all cores)",
     .commands = 1 << TRAIN_RUN | 1 << TRAIN_SPEED},
    {"--tree", ARGUMENT_REAL, offsetof(TrainOptions, tree.weight), .most = 3, .def = "0",
     .value = "WEIGHT",
     .help = "weight of a tree node (palimpsest-datagen --tree) relative to a position of a game, "
             "in steps of 1/64; 0: ignore tree nodes"},
    {"--tree-bounds", ARGUMENT_REAL, offsetof(TrainOptions, tree.bounds), .most = 1, .def = "1",
     .value = "SHARE",
     .help = "weight of tree nodes with bounds relative to those with exact scores; 0: only exact "
             "scores"},
    {"--tree-scale", ARGUMENT_REAL, offsetof(TrainOptions, tree.scale), .least = 0.05, .most = 4,
     .def = "1", .value = "FACTOR",
     .help = "factor of the scores of tree nodes; use 1 / --output-scale of the network, because "
             "results and --hindsight make the trained evaluations smaller by this factor"},
    {"--output-scale", ARGUMENT_REAL, offsetof(TrainOptions, output_scale), .least = 0.01,
     .most = 10, .def = "1",
     .help = "factor of the evaluations of the network; with --resume, a finished run writes its "
             "network again with this factor"},
    {"--stop-after-batches", ARGUMENT_INTEGER, offsetof(TrainOptions, stop_after), .min = 1,
     .max = COUNT_MAX, .help = "stop after this many batches, as if interrupted"},
    {"--resume", ARGUMENT_FLAG, offsetof(TrainOptions, resume),
     .help = "continue an interrupted run of the same command"},
    {"--on-disk", ARGUMENT_FLAG, offsetof(TrainOptions, is_on_disk),
     .help = "keep the positions to train on not in memory but in a temporary file beside --out, "
             "32 bytes each; it vanishes with the program, and --resume makes it again"},
    {"--repeatable", ARGUMENT_FLAG, offsetof(TrainOptions, is_repeatable),
     .help =
         "make the same command give the same network bit for bit, also after --resume, with the "
         "same --threads and the same program; always so with --threads 1; with more threads "
         "slower on a busy machine"},
    {"NETWORK", ARGUMENT_TEXT, offsetof(TrainOptions, network),
     .commands = 1 << TRAIN_JUDGE | 1 << TRAIN_RESCALE},
    {"FACTOR", ARGUMENT_REAL, offsetof(TrainOptions, output_scale), .least = 0.01, .most = 10,
     .commands = 1 << TRAIN_RESCALE},
    {"FILE", ARGUMENT_TEXT, offsetof(TrainOptions, out), .commands = 1 << TRAIN_RESCALE},
    {"POSITIONS", ARGUMENT_TEXT, offsetof(TrainOptions, positions), .commands = 1 << TRAIN_JUDGE}};

static const Arguments ARGUMENTS = {
    .program = "palimpsest-train",
    .purpose = "palimpsest-train makes a network from game files of palimpsest-datagen.",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .commands = COMMANDS,
    .command_count = sizeof COMMANDS / sizeof COMMANDS[0]};

/* Why these options do not fit together; NULL: they do. */
static const char *fault_of(const TrainOptions *options)
{
    if (options->rate_end > options->rate)
        return "--lr-end: is larger than --lr";
    if (options->quiet_eval != NULL && options->quiet_within < 0)
        return "--quiet-eval: has no effect without --quiet-within";
    if (options->tree.weight > 0.0 && options->tree.weight * SAMPLE_WEIGHT_ONE < 0.5)
        return "--tree: must be 0, or at least 1/128";
    const double bounds_weight = options->tree.weight * options->tree.bounds;
    if (bounds_weight > 0.0 && bounds_weight * SAMPLE_WEIGHT_ONE < 0.5)
        return "--tree-bounds: times --tree must be 0, or at least 1/128";
    if (options->tree.weight == 0.0 && options->tree.bounds != 1.0)
        return "--tree-bounds: has no effect without --tree";
    if (options->tree.weight == 0.0 && options->tree.scale != 1.0)
        return "--tree-scale: has no effect without --tree";
    return NULL;
}

bool train_options_parse(TrainOptions *options, int argc, char **argv, char *error)
{
    *options = (TrainOptions){.lambda_end = -1.0, .lambda_endgame = -1.0, .quiet_within = -1};
    const int command = arguments_read(&ARGUMENTS, options, argc - 1, argv + 1, error);
    options->task = (TrainTask)command;
    if (options->lambda_end < 0.0)
        options->lambda_end = options->lambda;
    if (options->lambda_endgame < 0.0)
        options->lambda_endgame = options->lambda;
    const char *const fault = command == TRAIN_RUN ? fault_of(options) : NULL;
    if (fault != NULL)
        snprintf(error, TRAIN_OPTIONS_ERROR_MAX, "%s", fault);
    return command != ARGUMENTS_WRONG && fault == NULL;
}

void train_options_print_help(FILE *out)
{
    arguments_print_help(&ARGUMENTS, out);
}
