// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/options.h"

#include "datagen/generate.h"

#define COUNT_MAX INT64_C(1000000000000)

static const ArgumentCommand COMMANDS[] = {
    [DATAGEN_MERGE] =
        {"--merge",
         "one file of many, each game once, numbered anew; to be added to with another seed only"},
    [DATAGEN_STATS] = {"--stats", "games, positions, scores, and the win model"},
    [DATAGEN_VERIFY] = {"--verify", "replays every game; exit code 1 on damage"},
    [DATAGEN_WDL] = {"--wdl", "fits the chances of winning by score and material; reads PGN, too"}};

static const Argument OPTIONS[] = {
    {"--out", ARGUMENT_TEXT, offsetof(DatagenOptions, out), .is_required = true, .value = "FILE",
     .help = "games are added to it; what is there counts"},
    {"--threads", ARGUMENT_INTEGER, offsetof(DatagenOptions, threads), .min = 1,
     .max = GENERATE_THREADS_MAX, .help = "threads (all cores)"},
    {"--games", ARGUMENT_INTEGER, offsetof(DatagenOptions, games), .min = 1, .max = UINT32_MAX,
     .help = "until the file holds so many games; this or the next must be given"},
    {"--positions", ARGUMENT_INTEGER, offsetof(DatagenOptions, positions), .min = 1,
     .max = COUNT_MAX, .help = "until it holds so many positions to train on"},
    {"--soft", ARGUMENT_INTEGER, offsetof(DatagenOptions, soft), .min = 1, .max = COUNT_MAX,
     .def = "200", .help = "a search begins no iteration after so many nodes"},
    {"--hard", ARGUMENT_INTEGER, offsetof(DatagenOptions, hard), .min = 1, .max = COUNT_MAX,
     .def = "1000", .help = "and ends after so many"},
    {"--opening-plies", ARGUMENT_INTEGER, offsetof(DatagenOptions, opening_plies), .min = 1,
     .max = OPENING_PLIES_MAX - 1, .def = "8",
     .help = "random plies a game begins with, or one more"},
    {"--chess960", ARGUMENT_INTEGER, offsetof(DatagenOptions, chess960), .max = 100, .def = "10",
     .value = "PERCENT", .help = "games that begin from a Chess960 array"},
    {"--seed", ARGUMENT_INTEGER, offsetof(DatagenOptions, seed), .max = INT64_MAX, .def = "1",
     .help = "what all chance is drawn from"},
    {"--hash", ARGUMENT_INTEGER, offsetof(DatagenOptions, hash), .min = 1, .max = 65536, .def = "2",
     .value = "MIB", .help = "table of each thread"},
    {"--eval", ARGUMENT_TEXT, offsetof(DatagenOptions, eval), .value = "bootstrap|FILE",
     .help = "what evaluates: the rules of generation 0, or a network (the one built in, else "
             "bootstrap)"},
    {"--player", ARGUMENT_TEXT, offsetof(DatagenOptions, player), .value = "NAME",
     .commands = 1 << DATAGEN_WDL, .help = "whose scores in PGN are looked at (everybody's)"},
    {"--figure", ARGUMENT_TEXT, offsetof(DatagenOptions, figure), .value = "FILE",
     .commands = 1 << DATAGEN_WDL, .help = "where to put what scripts/wdl/plot.gp draws"},
    {"OUT", ARGUMENT_TEXT, offsetof(DatagenOptions, out), .commands = 1 << DATAGEN_MERGE},
    {"FILES", ARGUMENT_LIST, offsetof(DatagenOptions, files),
     .commands = 1 << DATAGEN_MERGE | 1 << DATAGEN_STATS | 1 << DATAGEN_VERIFY | 1 << DATAGEN_WDL}};

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
    snprintf(error, DATAGEN_OPTIONS_ERROR_MAX, "%s", reason);
    return false;
}

bool datagen_options_parse(DatagenOptions *options, int argc, char **argv, char *error)
{
    *options = (DatagenOptions){0};
    const int command = arguments_read(&ARGUMENTS, options, argc - 1, argv + 1, error);
    options->kind = (DatagenTask)command;
    if (command != DATAGEN_PLAY)
        return command != ARGUMENTS_WRONG;
    if (options->games == 0 && options->positions == 0)
        return refuse(error, "--games, --positions: one of them must say how many");
    return options->hard >= options->soft || refuse(error, "--hard: is less than --soft");
}

void datagen_options_print_help(FILE *out)
{
    arguments_print_help(&ARGUMENTS, out);
}
