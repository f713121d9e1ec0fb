// SPDX-License-Identifier: GPL-3.0-or-later
/* palimpsest-train: makes a network from game files. */

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/arguments.h"
#include "base/argv.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/thread.h"
#include "eval/eval_choice.h"
#include "nnue/forward.h"
#include "train/initial.h"
#include "train/judge.h"
#include "train/options.h"
#include "train/run.h"
#include "train/speed.h"

enum { ERROR_MAX = 512 };
static_assert((int)ERROR_MAX >= (int)LOADER_ERROR_MAX && (int)ERROR_MAX >= (int)RUN_ERROR_MAX &&
                  (int)ERROR_MAX >= (int)TRAIN_OPTIONS_ERROR_MAX &&
                  (int)ERROR_MAX >= (int)JUDGE_ERROR_MAX &&
                  (int)ERROR_MAX >= (int)INITIAL_ERROR_MAX &&
                  (int)ERROR_MAX >= (int)EVAL_CHOICE_ERROR_MAX &&
                  (int)ERROR_MAX >= (int)NETWORK_ERROR_MAX,
              "holds every error message");

static int fail(const char *error)
{
    fprintf(stderr, "palimpsest-train: %s\n", error);
    return EXIT_FAILURE;
}

static void print_dataset(const Dataset *dataset)
{
    printf("(%d -> %d) x 2 -> (1 + %d -> %d -> 1) x %d, inputs %smirrored\n", NNUE_INPUTS,
           NNUE_HIDDEN, DENSE_FIRST, DENSE_SECOND, NNUE_BUCKETS, NNUE_MIRRORED ? "" : "not ");
    printf("%" PRIu64 " positions from %" PRIu64 " games; held out %zu from %" PRIu64 "\n",
           loader_positions(dataset), dataset->games - dataset->held_out_games,
           dataset->held_out.count, dataset->held_out_games);
    if (dataset->store != NULL)
        printf("the positions to train on are on disk, %.2f GB\n",
               (double)loader_positions(dataset) * sizeof(Sample) * 1e-9);
    if (dataset->damaged > 0)
        printf("%" PRIu64 " unreadable games or blocks were skipped\n", dataset->damaged);
    if (dataset->tree_nodes > 0)
        printf("%" PRIu64 " of the positions %s are tree nodes\n", dataset->tree_nodes,
               dataset->store != NULL ? "read" : "to train on");
    fflush(stdout);
}

/* What a run reads before the games, so that a wrong file is reported at once. */
typedef struct {
    Parameters *initial; // of --init, else NULL
    LabelSet *labels;    // of --judge-on, else NULL
    EvalChoice quiet;    // of --quiet-eval, with --quiet-within
} Inputs;

static RunEnd train_on(const TrainOptions *options, const Inputs *inputs, const Dataset *dataset,
                       ThreadPool *pool, char *error)
{
    const TrainSettings settings = {.epochs = (uint64_t)options->epochs,
                                    .batch = (uint64_t)options->batch,
                                    .seed = (uint64_t)options->seed,
                                    .lambda = options->lambda,
                                    .lambda_end = options->lambda_end,
                                    .endgame = options->lambda_endgame - options->lambda,
                                    .unit = options->unit,
                                    .balance = options->balance,
                                    .rate = options->rate,
                                    .rate_end = options->rate_end,
                                    .power = options->power,
                                    .is_repeatable = options->is_repeatable,
                                    .initial = inputs->initial};
    const RunOptions run = {.out = options->out,
                            .resume = options->resume,
                            .stop_after = (uint64_t)options->stop_after,
                            .output_scale = options->output_scale,
                            .labels = inputs->labels,
                            .stop = interrupt_watch()};
    Trainer *const trainer = trainer_create(&settings, dataset, pool);
    if (trainer == NULL) {
        snprintf(error, ERROR_MAX, "out of memory for the model");
        return RUN_FAILED;
    }
    const RunEnd end = run_training(trainer, dataset, &run, error);
    trainer_free(trainer);
    return end;
}

/* Loads the games and trains on them. */
static RunEnd load_and_train(const TrainOptions *options, const Inputs *inputs, ThreadPool *pool,
                             char *error)
{
    const LoaderOptions loading = {.paths = (const char *const *)options->games.words,
                                   .path_count = options->games.count,
                                   .tree = options->tree,
                                   .held_out_percent = options->held_out,
                                   .max_positions = (uint64_t)options->max_positions,
                                   .seed = (uint64_t)options->seed,
                                   .score_max = (int)options->score_max,
                                   .store_path = options->is_on_disk ? options->out : NULL,
                                   .quiet_eval =
                                       options->quiet_within >= 0 ? &inputs->quiet.source : NULL,
                                   .quiet_within = (int)options->quiet_within,
                                   .td_share = options->td_share,
                                   .unit = options->unit};
    Dataset dataset;
    RunEnd end = RUN_FAILED;
    if (loader_load(&dataset, &loading, pool, error)) {
        print_dataset(&dataset);
        end = train_on(options, inputs, &dataset, pool, error);
    }
    loader_free(&dataset);
    return end;
}

/* False, with the reason in `error`, if the run would overwrite a file that it reads. */
static bool keeps_inputs(const TrainOptions *options, char *error)
{
    const struct {
        const char *option, *path;
    } inputs[] = {{"--init", options->initial},
                  {"--judge-on", options->labels},
                  {"--quiet-eval", options->quiet_eval}};
    const char *overwritten = NULL;
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++)
        if (inputs[i].path != NULL && run_overwrites(options->out, inputs[i].path))
            overwritten = inputs[i].option;
    for (int i = 0; i < options->games.count; i++)
        if (run_overwrites(options->out, options->games.words[i]))
            overwritten = options->games.words[i];
    if (overwritten != NULL)
        snprintf(error, ERROR_MAX, "%.200s: would be overwritten; choose another --out",
                 overwritten);
    return overwritten == NULL;
}

/* Reads the weights of --init. */
static bool read_initial(const TrainOptions *options, Inputs *inputs, char *error)
{
    if (options->initial == NULL)
        return true;
    inputs->initial = initial_read(options->initial, error);
    return inputs->initial != NULL;
}

static bool read_labels(const TrainOptions *options, Inputs *inputs, char *error)
{
    if (options->labels == NULL)
        return true;
    inputs->labels = judge_read(options->labels, error);
    return inputs->labels != NULL;
}

static bool read_quiet_eval(const TrainOptions *options, Inputs *inputs, char *error)
{
    return options->quiet_within < 0 ||
           eval_choice_open(&inputs->quiet, options->quiet_eval, error);
}

static int train(const TrainOptions *options, ThreadPool *pool)
{
    char error[ERROR_MAX];
    Inputs inputs = {0};
    RunEnd end = RUN_FAILED;
    if (keeps_inputs(options, error) && run_can_start(options->out, options->resume, error) &&
        read_initial(options, &inputs, error) && read_labels(options, &inputs, error) &&
        read_quiet_eval(options, &inputs, error))
        end = load_and_train(options, &inputs, pool, error);
    parameters_free(inputs.initial);
    judge_free(inputs.labels);
    eval_choice_close(&inputs.quiet);
    switch (end) {
    case RUN_DONE: return EXIT_SUCCESS;
    case RUN_FAILED: return fail(error);
    case RUN_STOPPED: break;
    }
    fprintf(stderr, "stopped; to continue from %s.ckpt, repeat the command with --resume\n",
            options->out);
    return EXIT_INTERRUPTED;
}

static int bench(ThreadPool *pool)
{
    Speed speed;
    if (!speed_measure(&speed, pool))
        return fail("out of memory");
    printf("%d hidden neurons, %d threads: %.2f M positions/s, %.2f M per CPU-second\n",
           NNUE_HIDDEN, thread_pool_size(pool), speed.positions_per_second * 1e-6,
           speed.positions_per_cpu_second * 1e-6);
    const double ns = speed_inference();
    if (ns <= 0.0)
        return fail("out of memory");
    printf("%s: %.1f ns to update the accumulators and evaluate\n", nnue_simd_name(), ns);
    return EXIT_SUCCESS;
}

/* Reads the network of a command; NULL, with a message, on failure. */
static Network *open_network(const TrainOptions *options)
{
    char error[NETWORK_ERROR_MAX];
    Network *const network = network_open(options->network, error);
    if (network == NULL)
        fprintf(stderr, "palimpsest-train: %s %s\n", options->network, error);
    return network;
}

/* Sets the scale of the output; false, with the reason in `error`, if a network cannot have it. */
static bool set_scale(Network *network, double scale, char *error)
{
    const bool is_possible = scale >= 1.0 && scale <= NNUE_SCALE_MAX;
    if (is_possible)
        network->scale = (int32_t)scale;
    else
        snprintf(error, ERROR_MAX, "the new scale of the output would be %.0f, not 1 to %d", scale,
                 NNUE_SCALE_MAX);
    return is_possible;
}

static int rescale(const TrainOptions *options)
{
    char error[ERROR_MAX];
    if (file_is_same(options->network, options->out)) {
        snprintf(error, sizeof error, "%.200s: is the network to rescale; name another file",
                 options->out);
        return fail(error);
    }
    Network *const network = open_network(options);
    if (network == NULL)
        return EXIT_FAILURE;
    const bool is_written =
        set_scale(network, round(network->scale * options->output_scale), error) &&
        run_save_network(network, options->out, error);
    if (is_written) {
        char name[NETWORK_NAME_MAX];
        network_name(network, name);
        printf("network %s: scale of the output %d\n", name, (int)network->scale);
    }
    network_close(network);
    return is_written ? EXIT_SUCCESS : fail(error);
}

static int judge(const TrainOptions *options)
{
    char error[ERROR_MAX];
    Network *const network = open_network(options);
    if (network == NULL)
        return EXIT_FAILURE;
    LabelSet *const labels = judge_read(options->positions, error);
    if (labels != NULL) {
        const Judgement judgement = judge_network(labels, network, options->unit);
        judge_print(&judgement, stdout);
    }
    judge_free(labels);
    network_close(network);
    return labels != NULL ? EXIT_SUCCESS : fail(error);
}

static int run(int argc, char **argv)
{
    TrainOptions options;
    char error[TRAIN_OPTIONS_ERROR_MAX];
    if (!train_options_parse(&options, argc, argv, error)) {
        fail(error);
        return EXIT_USAGE;
    }
    if (options.task == TRAIN_HELP) {
        train_options_print_help(stdout);
        return EXIT_SUCCESS;
    }
    chess_init(); // not engine_init(): --quiet-within needs only quiescence searches
    if (options.task == TRAIN_JUDGE || options.task == TRAIN_RESCALE)
        return options.task == TRAIN_JUDGE ? judge(&options) : rescale(&options);
    const int cores =
        thread_hardware_count() < THREAD_POOL_MAX ? thread_hardware_count() : THREAD_POOL_MAX;
    ThreadPool *const pool = thread_pool_create(options.threads > 0 ? (int)options.threads : cores);
    if (pool == NULL)
        return fail("cannot start the threads");
    const int status = options.task == TRAIN_SPEED ? bench(pool) : train(&options, pool);
    thread_pool_free(pool);
    return status;
}

int main(int argc, char **argv)
{
    file_fill_standard_streams();
    file_outlive_limits();
    return file_end_output("palimpsest-train", run(argc, argv_in_utf8(argc, argv)));
}
