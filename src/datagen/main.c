// SPDX-License-Identifier: GPL-3.0-or-later
/* palimpsest-datagen: games of the engine against itself, for the network to learn from. */

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/interrupt.h"
#include "base/thread.h"
#include "datagen/audit.h"
#include "datagen/chances.h"
#include "datagen/farm.h"
#include "datagen/order.h"
#include "datagen/survey.h"
#include "eval/bootstrap.h"
#include "eval/eval_choice.h"

enum { EXIT_INTERRUPTED = 130, EXIT_USAGE = 2, ERROR_MAX = 256 };
static_assert((int)ERROR_MAX >= (int)GAMEFILE_ERROR_MAX &&
                  (int)ERROR_MAX >= (int)EVAL_CHOICE_ERROR_MAX &&
                  (int)ERROR_MAX >= (int)ORDER_ERROR_MAX &&
                  (int)ERROR_MAX >= (int)CHANCES_ERROR_MAX,
              "holds any reason");

static int fail(const char *error)
{
    fprintf(stderr, "palimpsest-datagen: %s\n", error);
    return EXIT_FAILURE;
}

static void print_result(const FarmResult *result)
{
    const GamefileTally *found = &result->found;
    const uint64_t damaged = found->damaged + found->unreadable;
    if (damaged > 0)
        fprintf(stderr, "the file has %" PRIu64 " damaged blocks; --verify tells more\n", damaged);
    if (result->stopped)
        fprintf(stderr, "interrupted: %d games in hand dropped\n", result->dropped);
    const double seconds = result->core_seconds;
    const uint64_t games = result->games - found->games, made = result->positions - found->kept;
    fprintf(stderr,
            "%" PRIu64 " games and %" PRIu64 " positions made in %.1f core-seconds, %.0f positions "
            "each; the file holds %" PRIu64 " and %" PRIu64 "\n",
            games, made, seconds, seconds > 0.0 ? (double)made / seconds : 0.0, result->games,
            result->positions);
}

static int play(const Order *order)
{
    EvalChoice eval;
    char error[ERROR_MAX];
    bool is_done = eval_choice_open(&eval, order->eval, error);
    FarmResult result = {0};
    if (is_done) {
        fprintf(stderr, "evaluation: %s%s\n", eval.source.network != NULL ? "network " : "",
                eval.name);
        const FarmOptions options = {
            .path = order->out,
            .threads = (int)order->threads > 0 ? (int)order->threads : thread_hardware_count(),
            .games = (uint64_t)order->games,
            .positions = (uint64_t)order->positions,
            .hash_mib = (uint64_t)order->hash,
            .selfplay = {.opening = {.plies = (int)order->opening_plies,
                                     .chess960_percent = (int)order->chess960},
                         .soft_nodes = (uint64_t)order->soft,
                         .hard_nodes = (uint64_t)order->hard,
                         .seed = (uint64_t)order->seed},
            .eval = &eval.source,
            .stop = interrupt_watch()};
        is_done = farm_run(&options, &result, error);
        if (is_done || result.games > 0)
            print_result(&result);
    }
    eval_choice_close(&eval);
    if (!is_done)
        fail(error);
    return result.stopped ? EXIT_INTERRUPTED : is_done ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int merge(const Order *order)
{
    MergeTally tally;
    char error[ERROR_MAX];
    if (!audit_merge(order->out, order->files.words, order->files.count, &tally, error))
        return fail(error);
    printf("%s: %" PRIu64 " games; left out %" PRIu64 " duplicates and %" PRIu64 " faulty ones\n",
           order->out, tally.games, tally.duplicates, tally.faulty);
    return EXIT_SUCCESS;
}

static int verify(const Order *order)
{
    bool is_good = true;
    for (int i = 0; i < order->files.count; i++)
        is_good &= audit_file(order->files.words[i], stdout);
    return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int stats(const Order *order)
{
    char error[ERROR_MAX];
    return survey_print(order->files.words, order->files.count, stdout, error) ? EXIT_SUCCESS
                                                                               : fail(error);
}

static int fit_chances(const Order *order)
{
    char error[ERROR_MAX];
    const ChancesOrder chances = {.paths = order->files.words,
                                  .count = order->files.count,
                                  .player = order->player,
                                  .figure = order->figure};
    return chances_fit(&chances, stdout, error) ? EXIT_SUCCESS : fail(error);
}

int main(int argc, char **argv)
{
    Order order;
    char error[ERROR_MAX];
    if (!order_parse(&order, argc, argv, error)) {
        fail(error);
        return EXIT_USAGE;
    }
    chess_init();
    bootstrap_init();
    if (!engine_init(error)) {
        fprintf(stderr, "palimpsest-datagen: the network built in %s\n", error);
        return EXIT_FAILURE;
    }
    switch (order.kind) {
    case ORDER_PLAY: return play(&order);
    case ORDER_MERGE: return merge(&order);
    case ORDER_STATS: return stats(&order);
    case ORDER_VERIFY: return verify(&order);
    case ORDER_WDL: return fit_chances(&order);
    case ORDER_HELP: order_print_help(stdout); break;
    }
    return EXIT_SUCCESS;
}
