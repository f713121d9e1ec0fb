// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/options.h"

#include "datagen/generate.h"

#define COUNT_MAX INT64_C(1000000000000)

static const ArgumentCommand COMMANDS[] = {
    [DATAGEN_MERGE] = {"--merge", "merges files into one, drops duplicates, renumbers the games; "
                                  "use another --seed to add to the result"},
    [DATAGEN_STATS] = {"--stats",
                       "prints numbers of games and positions, results, scores and the win model"},
    [DATAGEN_VERIFY] = {"--verify", "checks every game; exit status 1 when a file is damaged"},
    [DATAGEN_WDL] = {"--wdl", "fits win, draw and loss by score and material; also reads PGN"}};

static const Argument OPTIONS[] = {
    {"--out", ARGUMENT_TEXT, offsetof(DatagenOptions, out), .is_required = true, .value = "FILE",
     .help = "file to write the games to; games already there count"},
    {"--threads", ARGUMENT_INTEGER, offsetof(DatagenOptions, threads), .min = 1,
     .max = GENERATE_THREADS_MAX, .help = "number of threads (all cores)"},
    {"--games", ARGUMENT_INTEGER, offsetof(DatagenOptions, games), .min = 1, .max = UINT32_MAX,
     .help = "stop when the file holds this many games"},
    {"--positions", ARGUMENT_INTEGER, offsetof(DatagenOptions, positions), .min = 1,
     .max = COUNT_MAX,
     .help = "stop when the file holds this many training positions; give this or --games"},
    {"--soft", ARGUMENT_INTEGER, offsetof(DatagenOptions, soft), .min = 1, .max = COUNT_MAX,
     .def = "200", .help = "a search starts no new iteration after this many nodes"},
    {"--hard", ARGUMENT_INTEGER, offsetof(DatagenOptions, hard), .min = 1, .max = COUNT_MAX,
     .def = "1000", .help = "a search ends after this many nodes"},
    {"--opening-plies", ARGUMENT_INTEGER, offsetof(DatagenOptions, opening_plies), .min = 1,
     .max = OPENING_PLIES_MAX - 1, .def = "8",
     .help = "random plies, or one more, at the start of a game"},
    {"--chess960", ARGUMENT_INTEGER, offsetof(DatagenOptions, chess960), .max = 100, .def = "10",
     .value = "PERCENT", .help = "share of games that start from a Chess960 array"},
    {"--seed", ARGUMENT_INTEGER, offsetof(DatagenOptions, seed), .max = INT64_MAX, .def = "1",
     .help = "seed of all random choices"},
    {"--hash", ARGUMENT_INTEGER, offsetof(DatagenOptions, hash), .min = 1, .max = 65536, .def = "2",
     .value = "MIB", .help = "transposition table of each thread"},
    {"--eval", ARGUMENT_TEXT, offsetof(DatagenOptions, eval), .value = "bootstrap|FILE",
     .help = "evaluation: the rules of generation 0, or a network file (the built-in network, or "
             "bootstrap without one)"},
    {"--player", ARGUMENT_TEXT, offsetof(DatagenOptions, player), .value = "NAME",
     .commands = 1 << DATAGEN_WDL, .help = "use only this player's scores from PGN (all players)"},
    {"--figure", ARGUMENT_TEXT, offsetof(DatagenOptions, figure), .value = "FILE",
     .commands = 1 << DATAGEN_WDL, .help = "data file for scripts/wdl/plot.gp"},
    {"OUT", ARGUMENT_TEXT, offsetof(DatagenOptions, out), .commands = 1 << DATAGEN_MERGE},
    {"FILES", ARGUMENT_LIST, offsetof(DatagenOptions, files),
     .commands = 1 << DATAGEN_MERGE | 1 << DATAGEN_STATS | 1 << DATAGEN_VERIFY | 1 << DATAGEN_WDL}};

static const Arguments ARGUMENTS = {
    .program = "palimpsest-datagen",
    .purpose = "palimpsest-datagen plays the engine against itself and writes the games to a file.",
    .remark = "Ctrl-C drops the unfinished games; the exit status is then 130. The same command "
              "continues the file, also after a crash.",
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
    options->task = (DatagenTask)command;
    if (command != DATAGEN_PLAY)
        return command != ARGUMENTS_WRONG;
    if (options->games == 0 && options->positions == 0)
        return refuse(error, "--games or --positions must be given");
    return options->hard >= options->soft || refuse(error, "--hard: is less than --soft");
}

void datagen_options_print_help(FILE *out)
{
    arguments_print_help(&ARGUMENTS, out);
}
