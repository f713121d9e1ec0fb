// SPDX-License-Identifier: GPL-3.0-or-later
/* palimpsest-datagen: plays the engine against itself to make games for training. */

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/arguments.h"
#include "base/argv.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/thread.h"
#include "datagen/generate.h"
#include "datagen/label.h"
#include "datagen/options.h"
#include "datagen/stats.h"
#include "datagen/verify.h"
#include "datagen/wdl.h"
#include "engine/init.h"
#include "eval/eval_choice.h"

enum { ERROR_MAX = 512 };
static_assert((int)ERROR_MAX >= (int)GAMEFILE_ERROR_MAX &&
                  (int)ERROR_MAX >= (int)EVAL_CHOICE_ERROR_MAX &&
                  (int)ERROR_MAX >= (int)DATAGEN_OPTIONS_ERROR_MAX &&
                  (int)ERROR_MAX >= (int)WDL_ERROR_MAX && (int)ERROR_MAX >= (int)LABEL_ERROR_MAX,
              "holds every error message");

static int fail(const char *error)
{
    fprintf(stderr, "palimpsest-datagen: %s\n", error);
    return EXIT_FAILURE;
}

static void print_result(const GenerateResult *result)
{
    const GamefileTally *found = &result->found;
    if (found->damaged > 0)
        fprintf(stderr, "the file has %" PRIu64 " damaged blocks; see --verify\n", found->damaged);
    if (result->stopped)
        fprintf(stderr, "interrupted: dropped %d unfinished games\n", result->dropped);
    const double seconds = result->core_seconds;
    const uint64_t games = result->games - found->games, made = result->positions - found->kept;
    fprintf(stderr,
            "%" PRIu64 " games and %" PRIu64 " positions in %.1f core-seconds, %.0f positions "
            "per core-second; the file holds %" PRIu64 " and %" PRIu64 "\n",
            games, made, seconds, seconds > 0.0 ? (double)made / seconds : 0.0, result->games,
            result->positions);
    if (result->tree_nodes > 0)
        fprintf(stderr, "%" PRIu64 " tree nodes\n", result->tree_nodes);
}

static int play(const DatagenOptions *options)
{
    EvalChoice eval;
    char error[ERROR_MAX];
    bool is_done = eval_choice_open(&eval, options->eval, error);
    GenerateResult result = {0};
    if (is_done) {
        fprintf(stderr, "evaluation: %s%s\n", eval.source.network != NULL ? "network " : "",
                eval.name);
        const GenerateOptions job = {
            .path = options->out,
            .threads = (int)options->threads > 0 ? (int)options->threads : thread_hardware_count(),
            .games = (uint64_t)options->games,
            .positions = (uint64_t)options->positions,
            .hash_mib = (uint64_t)options->hash,
            .selfplay = {.opening = {.plies = (int)options->opening_plies,
                                     .half = (int)options->opening_half,
                                     .chess960_percent = (int)options->chess960},
                         .soft_nodes = (uint64_t)options->soft,
                         .hard_nodes = (uint64_t)options->hard,
                         .late_moves = (int)options->late_moves,
                         .win_score = (int)options->win_score,
                         .part = (int)options->part,
                         .between = (int)options->between,
                         .tree = {.nodes = (int)options->tree, .depth = (int)options->tree_depth},
                         .seed = (uint64_t)options->seed},
            .eval = &eval.source,
            .stop = interrupt_watch()};
        is_done = generate_games(&job, &result, error);
        if (is_done || result.games > 0)
            print_result(&result);
    }
    eval_choice_close(&eval);
    if (!is_done)
        fail(error);
    return result.stopped ? EXIT_INTERRUPTED : is_done ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int merge(const DatagenOptions *options)
{
    MergeTally tally;
    char error[ERROR_MAX];
    if (!merge_files(options->out, options->files.words, options->files.count, &tally, error))
        return fail(error);
    printf("%s: %" PRIu64 " games; skipped %" PRIu64 " duplicates and %" PRIu64 " faulty ones\n",
           options->out, tally.games, tally.duplicates, tally.faulty);
    return EXIT_SUCCESS;
}

static int verify(const DatagenOptions *options)
{
    bool is_good = true;
    for (int i = 0; i < options->files.count; i++)
        is_good &= verify_file(options->files.words[i], stdout);
    return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int stats(const DatagenOptions *options)
{
    char error[ERROR_MAX];
    return stats_print(options->files.words, options->files.count, stdout, error) ? EXIT_SUCCESS
                                                                                  : fail(error);
}

static int fit_wdl(const DatagenOptions *options)
{
    char error[ERROR_MAX];
    const WdlOptions wdl = {.paths = options->files.words,
                            .count = options->files.count,
                            .player = options->player,
                            .pawn = (int)options->pawn,
                            .figure = options->figure};
    return wdl_fit(&wdl, stdout, error) ? EXIT_SUCCESS : fail(error);
}

static int label(const DatagenOptions *options)
{
    EvalChoice eval;
    char error[ERROR_MAX];
    LabelResult result = {0};
    bool is_done = eval_choice_open(&eval, options->eval, error);
    if (is_done) {
        const LabelOptions job = {.out = options->out,
                                  .paths = options->files.words,
                                  .path_count = options->files.count,
                                  .is_from_tree = options->is_from_tree,
                                  .positions = (int)options->labels,
                                  .nodes = (uint64_t)options->nodes,
                                  .seed = (uint64_t)options->seed,
                                  .threads = options->threads > 0 ? (int)options->threads
                                                                  : thread_hardware_count(),
                                  .eval = &eval.source,
                                  .eval_name = eval.name,
                                  .stop = interrupt_watch()};
        is_done = label_positions(&job, &result, error);
    }
    eval_choice_close(&eval);
    if (is_done)
        printf("%s: %d of %d positions labelled%s\n", options->out, result.labelled,
               result.selected,
               result.selected < options->labels
                   ? "; the games have no more, spread evenly over the piece counts"
                   : "");
    else
        fail(error);
    return result.is_stopped ? EXIT_INTERRUPTED : is_done ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int run(int argc, char **argv)
{
    DatagenOptions options;
    char error[ERROR_MAX];
    if (!datagen_options_parse(&options, argc, argv, error)) {
        fail(error);
        return EXIT_USAGE;
    }
    chess_init();
    if (!engine_init(error)) {
        fprintf(stderr, "palimpsest-datagen: the built-in network %s\n", error);
        return EXIT_FAILURE;
    }
    switch (options.task) {
    case DATAGEN_PLAY: return play(&options);
    case DATAGEN_MERGE: return merge(&options);
    case DATAGEN_STATS: return stats(&options);
    case DATAGEN_VERIFY: return verify(&options);
    case DATAGEN_WDL: return fit_wdl(&options);
    case DATAGEN_LABEL: return label(&options);
    case DATAGEN_HELP: datagen_options_print_help(stdout); break;
    }
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    file_fill_standard_streams();
    file_outlive_limits();
    return file_end_output("palimpsest-datagen", run(argc, argv_in_utf8(argc, argv)));
}
