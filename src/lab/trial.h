// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What an experiment on the playing engine's search works on: positions of a suite and an
 * evaluation; one search of one of them, with a table made for it; and the way from the options
 * that all such experiments have to a grid of searches and its report. */

#include "engine/single.h"
#include "eval/eval_choice.h"
#include "lab/grid.h"

enum { TRIAL_ERROR_MAX = 512, TRIAL_KEY_MAX = 72 };

/* The first columns of every such file of results, which trial_print_key() fills: evaluation,
 * signature of the search, number of the first root in the suite, key of the roots. */
#define TRIAL_KEY_HEADER "evaluation,search,position,key"

typedef struct {
    Position pos;
    int number; // in the file, from 1
    int game;   // equal for neighbours taken from one game: ids "MG01.12" and "MG01.13"
} TrialRoot;

typedef struct {
    TrialRoot *roots;
    int count, game_count;
    EvalChoice eval;
    uint64_t signature; // nodes of a fixed search: other where search or evaluation are
} Trial;

/* How to search. */
typedef struct {
    uint64_t hash_mib;
    Replacement replacement;
    int check_bits;                   // 1..48 of the key are compared
    int depth;                        // plies
    bool keeps_stale, tells_one_move; // no_refresh and first_move_only of tt/table.h
} TrialSetting;

typedef struct {
    SingleResult search;
    TtStats tt;
} TrialResult;

/* Reads `wanted` positions (0: all) spread evenly over the suite, and loads the network `eval`, or
 * NULL: what is built in, or "bootstrap". False, with the reason in `error` (TRIAL_ERROR_MAX
 * bytes), when it cannot be. In either case trial_close() frees it. */
bool trial_open(Trial *trial, const char *suite, int wanted, const char *eval, char *error);
void trial_close(Trial *trial);

/* Writes those columns for `count` roots from `first` on to `key` (TRIAL_KEY_MAX bytes): all that
 * their searches depend on but the setting. */
void trial_print_key(const Trial *trial, int first, int count, char *key);

/* Searches a root with nothing known before. Any thread. False when memory is short. */
bool trial_search(const Trial *trial, int root, const TrialSetting *setting, TrialResult *result);

/* The first root of game `game`, from 0, and in `*count` how many there are of it. */
int trial_game_roots(const Trial *trial, int game, int *count);

/* Searches the roots of a game one after the other, each with what those before it left in the
 * table; `result` has the sums, and of the last root best move, score and depth. Any thread. False
 * when memory is short. */
bool trial_game(const Trial *trial, int game, const TrialSetting *setting, TrialResult *result);

/* What every such experiment can be told. */
typedef struct {
    const char *suite; // NULL: that of the shared folder
    const char *eval, *csv_path;
    int64_t positions, depth;
    int64_t jobs; // 0: one a core
    Shard shard;
} TrialOptions;

/* The lines of its table for that: TrialOptions are the `field` of the `type` it reads into. */
// clang-format off
#define TRIAL_ARGUMENTS(type, field, default_depth)                                                \
    {"--suite", ARGUMENT_TEXT, offsetof(type, field.suite), .value = "FILE",                       \
     .help = "file of positions, EPD (middlegames-500.epd of the shared folder)"},                 \
    {"--positions", ARGUMENT_INTEGER, offsetof(type, field.positions), .max = 1000000,             \
     .def = "0", .help = "so many of them, evenly spread; 0: all"},                                \
    {"--depth", ARGUMENT_INTEGER, offsetof(type, field.depth), .min = 1, .max = MAX_DEPTH,         \
     .def = default_depth, .help = "plies"},                                                       \
    {"--eval", ARGUMENT_TEXT, offsetof(type, field.eval), .value = "bootstrap|FILE",               \
     .help = "rules or a network (the one built in)"},                                             \
    {"--jobs", ARGUMENT_INTEGER, offsetof(type, field.jobs), .min = 1, .max = GRID_JOBS_MAX,       \
     .help = "searches side by side (one a core)"},                                                \
    {"--shard", ARGUMENT_SHARD, offsetof(type, field.shard), .def = "1/1",                         \
     .help = "only the i-th of n parts"},                                                          \
    {"--csv", ARGUMENT_TEXT, offsetof(type, field.csv_path), .value = "FILE",                      \
     .help = "file to resume from and to write to"}
// clang-format on

/* Prints what the grid holds; false when memory is short. */
typedef bool (*TrialReport)(const void *ctx, const Grid *grid);

/* What the rows of the grid are. */
typedef enum { TRIAL_ROOTS, TRIAL_GAMES } TrialRows;

/* Opens the trial and makes the observations of `plan`, whose `count` is that of one row and which
 * lacks what the options tell, and reports. Prints what is wrong; returns the exit status. */
int trial_run(Trial *trial, const TrialOptions *options, TrialRows rows, GridPlan plan,
              TrialReport report);
