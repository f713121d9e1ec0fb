// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/order.h"

#include "datagen/farm.h"

#define COUNT_MAX INT64_C(1000000000000)

static const ArgumentCommand COMMANDS[] = {
    [ORDER_MERGE] =
        {"--merge",
         "one file of many, each game once, numbered anew; to be added to with another seed only"},
    [ORDER_STATS] = {"--stats", "games, positions, scores, and the win model"},
    [ORDER_VERIFY] = {"--verify", "replays every game; exit code 1 on damage"},
    [ORDER_WDL] = {"--wdl", "fits the chances of winning by score and material; reads PGN, too"}};

static const Argument OPTIONS[] = {
    {"--out", ARGUMENT_TEXT, offsetof(Order, out), .is_required = true, .value = "FILE",
     .help = "games are added to it; what is there counts"},
    {"--threads", ARGUMENT_INTEGER, offsetof(Order, threads), .min = 1, .max = FARM_THREADS_MAX,
     .help = "threads (all cores)"},
    {"--games", ARGUMENT_INTEGER, offsetof(Order, games), .min = 1, .max = UINT32_MAX,
     .help = "until the file holds so many games; this or the next must be given"},
    {"--positions", ARGUMENT_INTEGER, offsetof(Order, positions), .min = 1, .max = COUNT_MAX,
     .help = "until it holds so many positions to train on"},
    {"--soft", ARGUMENT_INTEGER, offsetof(Order, soft), .min = 1, .max = COUNT_MAX, .def = "200",
     .help = "a search begins no iteration after so many nodes"},
    {"--hard", ARGUMENT_INTEGER, offsetof(Order, hard), .min = 1, .max = COUNT_MAX, .def = "1000",
     .help = "and ends after so many"},
    {"--opening-plies", ARGUMENT_INTEGER, offsetof(Order, opening_plies), .min = 1,
     .max = OPENING_PLIES_MAX - 1, .def = "8",
     .help = "random plies a game begins with, or one more"},
    {"--chess960", ARGUMENT_INTEGER, offsetof(Order, chess960), .max = 100, .def = "10",
     .value = "PERCENT", .help = "games that begin from a Chess960 array"},
    {"--seed", ARGUMENT_INTEGER, offsetof(Order, seed), .max = INT64_MAX, .def = "1",
     .help = "what all chance is drawn from"},
    {"--hash", ARGUMENT_INTEGER, offsetof(Order, hash), .min = 1, .max = 65536, .def = "2",
     .value = "MIB", .help = "table of each thread"},
    {"--eval", ARGUMENT_TEXT, offsetof(Order, eval), .value = "bootstrap|FILE",
     .help = "what evaluates: the rules of generation 0, or a network (the one built in, else "
             "bootstrap)"},
    {"--player", ARGUMENT_TEXT, offsetof(Order, player), .value = "NAME",
     .commands = 1 << ORDER_WDL, .help = "whose scores in PGN are looked at (everybody's)"},
    {"--figure", ARGUMENT_TEXT, offsetof(Order, figure), .value = "FILE",
     .commands = 1 << ORDER_WDL, .help = "where to put what scripts/wdl/plot.gp draws"},
    {"OUT", ARGUMENT_TEXT, offsetof(Order, out), .commands = 1 << ORDER_MERGE},
    {"FILES", ARGUMENT_LIST, offsetof(Order, files),
     .commands = 1 << ORDER_MERGE | 1 << ORDER_STATS | 1 << ORDER_VERIFY | 1 << ORDER_WDL}};

static const Arguments ARGUMENTS = {
    .program = "palimpsest-datagen",
    .purpose = "palimpsest-datagen plays the engine against itself and writes the games to a file.",
    .remark = "Interrupted (Ctrl-C), it drops the games in hand and exits with code 130. The same "
              "command goes on where it was, also after a crash.",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .commands = COMMANDS,
    .command_count = sizeof COMMANDS / sizeof COMMANDS[0]};

static bool refuse(char *error, const char *reason)
{
    snprintf(error, ORDER_ERROR_MAX, "%s", reason);
    return false;
}

bool order_parse(Order *order, int argc, char **argv, char *error)
{
    *order = (Order){0};
    const int command = arguments_read(&ARGUMENTS, order, argc - 1, argv + 1, error);
    order->kind = (OrderKind)command;
    if (command != ORDER_PLAY)
        return command != ARGUMENTS_WRONG;
    if (order->games == 0 && order->positions == 0)
        return refuse(error, "--games, --positions: one of them must say how many");
    return order->hard >= order->soft || refuse(error, "--hard: is less than --soft");
}

void order_print_help(FILE *out)
{
    arguments_print_help(&ARGUMENTS, out);
}
