// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/options.h"

#include "datagen/generate.h"

#define COUNT_MAX INT64_C(1000000000000)

static const ArgumentCommand COMMANDS[] = {
    [DATAGEN_MERGE] = {"--merge",
                       "merges FILES into a new file OUT, drops duplicates and renumbers the "
                       "games; a file with nothing but duplicates is an error; to append more "
                       "games to OUT later, use a new --seed"},
    [DATAGEN_STATS] =
        {"--stats",
         "prints the numbers of games and positions, the results, a histogram of the scores "
         "and the fitted win model"},
    [DATAGEN_VERIFY] = {"--verify",
                        "checks every game; the exit status is 1 if a file has a fault"},
    [DATAGEN_WDL] = {"--wdl",
                     "fits the win, draw and loss model to games; FILES may also be PGN, or "
                     "pipes with PGN"},
    [DATAGEN_LABEL] = {"--label", "draws quiet positions from games and scores each with a deep "
                                  "search, for palimpsest-train --judge"}};

#define PLAY_AND_LABEL (1 << DATAGEN_PLAY | 1 << DATAGEN_LABEL)

static const Argument OPTIONS[] = {
    {"--out", ARGUMENT_TEXT, offsetof(DatagenOptions, out), .is_required = true, .value = "FILE",
     .help = "file to append the games to; games already in the file count"},
    {"--threads", ARGUMENT_INTEGER, offsetof(DatagenOptions, threads), .commands = PLAY_AND_LABEL,
     .min = 1, .max = GENERATE_THREADS_MAX, .help = "number of threads (all cores)"},
    {"--games", ARGUMENT_INTEGER, offsetof(DatagenOptions, games), .min = 1, .max = UINT32_MAX,
     .help = "stop when the file holds this many games"},
    {"--positions", ARGUMENT_INTEGER, offsetof(DatagenOptions, positions), .min = 1,
     .max = COUNT_MAX,
     .help = "stop when the file holds this many training positions; give this or --games"},
    {"--soft", ARGUMENT_INTEGER, offsetof(DatagenOptions, soft), .min = 1, .max = COUNT_MAX,
     .def = "200", .help = "a search starts no new iteration after this many nodes"},
    {"--hard", ARGUMENT_INTEGER, offsetof(DatagenOptions, hard), .min = 1, .max = COUNT_MAX,
     .def = "1000", .help = "a search ends after this many nodes"},
    {"--late-moves", ARGUMENT_INTEGER, offsetof(DatagenOptions, late_moves), .max = 255,
     .def = "26",
     .help = "search this many moves more than in play before late-move pruning begins, because "
             "that pruning spoils the scores of small searches; 255: hardly any move is pruned"},
    {"--win-score", ARGUMENT_INTEGER, offsetof(DatagenOptions, win_score), .min = 1, .max = 20000,
     .def = "1500", .value = "UNITS",
     .help = "a game is adjudicated as won when the same side has at least this score for five "
             "plies"},
    {"--part", ARGUMENT_INTEGER, offsetof(DatagenOptions, part), .max = GAME_MAX_PLIES, .def = "0",
     .value = "PLIES",
     .help = "store the scores of random parts of each game only, with this many plies each, and "
             "play the plies between them with --soft 100: long searches then go to more different "
             "positions; 0: the whole game"},
    {"--between", ARGUMENT_INTEGER, offsetof(DatagenOptions, between), .max = GAME_MAX_PLIES,
     .value = "PLIES", .help = "plies between two parts (--part), on average (24)"},
    {"--opening-plies", ARGUMENT_INTEGER, offsetof(DatagenOptions, opening_plies), .min = 1,
     .max = OPENING_PLIES_MAX - 1, .def = "8",
     .help = "random plies at the start of a game; half of the games have one more"},
    {"--opening-half", ARGUMENT_INTEGER, offsetof(DatagenOptions, opening_half), .max = 10000,
     .def = "0", .value = "UNITS",
     .help = "draw the random plies by score, so that openings look like those of players: a move "
             "is half as likely as one that a quiescence search scores better by this; 0: any "
             "legal move"},
    {"--chess960", ARGUMENT_INTEGER, offsetof(DatagenOptions, chess960), .max = 100, .def = "10",
     .value = "PERCENT", .help = "share of games that start from a Chess960 array"},
    {"--seed", ARGUMENT_INTEGER, offsetof(DatagenOptions, seed), .commands = PLAY_AND_LABEL,
     .max = INT64_MAX, .def = "1", .help = "seed of all random choices"},
    {"--tree", ARGUMENT_INTEGER, offsetof(DatagenOptions, tree), .max = TREE_SEARCH_MAX, .def = "0",
     .value = "NODES",
     .help = "also store up to this many interior nodes of each search, for --tree of "
             "palimpsest-train; the games stay the same"},
    {"--tree-depth", ARGUMENT_INTEGER, offsetof(DatagenOptions, tree_depth), .min = 1,
     .max = TREE_DEPTH_MAX, .value = "PLIES",
     .help = "least search depth of the nodes of --tree (4)"},
    {"--hash", ARGUMENT_INTEGER, offsetof(DatagenOptions, hash), .min = 1, .max = 65536, .def = "2",
     .value = "MIB", .help = "size of the transposition table of each thread"},
    {"--eval", ARGUMENT_TEXT, offsetof(DatagenOptions, eval), .commands = PLAY_AND_LABEL,
     .value = "bootstrap|FILE",
     .help = "evaluation: bootstrap, the hand-written one of generation 0, or a network file (the "
             "built-in network, or bootstrap if there is none)"},
    {"--player", ARGUMENT_TEXT, offsetof(DatagenOptions, player), .value = "NAME",
     .commands = 1 << DATAGEN_WDL, .help = "use only this player's scores from PGN (all players)"},
    {"--pawn", ARGUMENT_INTEGER, offsetof(DatagenOptions, pawn), .max = 1000, .def = "0",
     .value = "UNITS", .commands = 1 << DATAGEN_WDL,
     .help =
         "score of a pawn in the PGN files, in internal units; 0: as this program prints scores"},
    {"--figure", ARGUMENT_TEXT, offsetof(DatagenOptions, figure), .value = "FILE",
     .commands = 1 << DATAGEN_WDL, .help = "write the data for scripts/wdl/plot.gp to this file"},
    {"--number", ARGUMENT_INTEGER, offsetof(DatagenOptions, labels), .min = PIECE_COUNT_RANGES,
     .max = 10000000, .def = "1000", .commands = 1 << DATAGEN_LABEL,
     .help = "number of positions, spread evenly over the piece counts"},
    {"--nodes", ARGUMENT_INTEGER, offsetof(DatagenOptions, nodes), .min = 1, .max = COUNT_MAX,
     .def = "200000", .commands = 1 << DATAGEN_LABEL, .help = "nodes of each search"},
    {"--from-tree", ARGUMENT_FLAG, offsetof(DatagenOptions, is_from_tree),
     .commands = 1 << DATAGEN_LABEL,
     .help = "replace each drawn position by a random quiet one of a 2,000-node search of it"},
    {"OUT", ARGUMENT_TEXT, offsetof(DatagenOptions, out),
     .commands = 1 << DATAGEN_MERGE | 1 << DATAGEN_LABEL},
    {"FILES", ARGUMENT_LIST, offsetof(DatagenOptions, files),
     .commands = 1 << DATAGEN_MERGE | 1 << DATAGEN_STATS | 1 << DATAGEN_VERIFY | 1 << DATAGEN_WDL |
                 1 << DATAGEN_LABEL}};

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
    enum { UNSET = -1, BETWEEN_DEFAULT = 24, TREE_DEPTH_DEFAULT = 4 };
    *options = (DatagenOptions){.between = UNSET, .tree_depth = UNSET};
    const int command = arguments_read(&ARGUMENTS, options, argc - 1, argv + 1, error);
    options->task = (DatagenTask)command;
    if (command != DATAGEN_PLAY)
        return command != ARGUMENTS_WRONG;
    if (options->games == 0 && options->positions == 0)
        return refuse(error, "--games or --positions is required");
    if (options->between != UNSET && options->part == 0)
        return refuse(error, "--between: has no effect without --part");
    if (options->tree_depth != UNSET && options->tree == 0)
        return refuse(error, "--tree-depth: has no effect without --tree");
    if (options->between == UNSET)
        options->between = BETWEEN_DEFAULT;
    if (options->tree_depth == UNSET)
        options->tree_depth = TREE_DEPTH_DEFAULT;
    return options->hard >= options->soft || refuse(error, "--hard: is less than --soft");
}

void datagen_options_print_help(FILE *out)
{
    arguments_print_help(&ARGUMENTS, out);
}
