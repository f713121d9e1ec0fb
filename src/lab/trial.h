// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Experiments on the search of the playing engine: each row is a position or a game, each column a
 * setting of table and search. A Trial holds positions and evaluation. trial_run() runs such an
 * experiment: it loads them by the options, makes a grid (grid.h) of searches and prints the
 * report. */

#include "engine/single.h"
#include "eval/eval_choice.h"
#include "lab/experiment.h"
#include "lab/grid.h"
#include "lab/positions.h"

enum { TRIAL_ERROR_MAX = POSITIONS_ERROR_MAX, TRIAL_KEY_MAX = 72 };

/* The key columns of a file of results; an experiment may append those of its variant. `search` is
 * the signature of the Trial, `position` the number of the first position, `key` the checksum of
 * the positions, `positions` their number. */
#define TRIAL_KEY_HEADER "evaluation,search,position,key"
#define TRIAL_SETTING_HEADER ",depth,hash_mib,scheme"
#define TRIAL_POSITION_HEADER TRIAL_KEY_HEADER TRIAL_SETTING_HEADER
#define TRIAL_GAME_HEADER TRIAL_KEY_HEADER ",positions" TRIAL_SETTING_HEADER

typedef struct {
    PositionSet set;
    EvalChoice eval;
    uint64_t signature; // nodes of fixed searches: another after a change of search, evaluation or
                        // a replacement scheme
} Trial;

/* Settings of table and search. */
typedef struct {
    uint64_t hash_mib;
    Replacement replacement;
    int check_bits;                   // key bits that a probe compares, 1..48
    int depth;                        // plies
    bool no_refresh, first_move_only; // settings of the table, see tt.h
    const CutoffJudge *judge;         // of table cutoffs; NULL: none
} TrialSetting;

typedef struct {
    SingleResult search;
    TtStats tt; // statistics of the table
} TrialResult;

/* Reads `count` positions (0: all), evenly spread over the file, and loads the evaluation: a
 * network file, "bootstrap", or NULL for the built-in network. False, with the reason in `error`
 * (TRIAL_ERROR_MAX bytes), on failure. Free with trial_close() in either case. */
bool trial_open(Trial *trial, const char *path, int count, const char *eval, char *error);
void trial_close(Trial *trial);

/* The nodes of a fixed search under a scheme, a part of the signature. `first_move_only` as in
 * TrialSetting. 0 when memory is short. */
uint64_t trial_scheme_nodes(const EvalSource *eval, Replacement scheme, bool first_move_only);

/* Writes the columns of TRIAL_KEY_HEADER for `count` positions from index `first` on to `key`
 * (TRIAL_KEY_MAX bytes). They identify everything the searches depend on, except the setting. */
void trial_print_key(const Trial *trial, int first, int count, char *key);

/* Creates a Single with this setting. NULL when memory is short. Free with single_destroy(). */
Single *trial_create_single(const Trial *trial, const TrialSetting *setting);

/* Searches position `index` with an empty table. Any thread. False when memory is short. */
bool trial_search(const Trial *trial, int index, const TrialSetting *setting, TrialResult *result);

/* Searches the positions of game `game` (0..game_count - 1) in order with one table, empty at
 * first. `result` has the nodes and table statistics of all positions, and best move, score and
 * depth of the last one. Any thread. False when memory is short. */
bool trial_game(const Trial *trial, int game, const TrialSetting *setting, TrialResult *result);

/* The options common to all experiments on the search. */
typedef struct {
    const char *positions; // EPD file; NULL: middlegames-500.epd of the shared folder
    const char *eval, *csv_path;
    int64_t number; // of positions; 0: all of the file
    int64_t depth;  // plies
    int64_t jobs;   // 0: one per processor
    Shard shard;
    bool joined; // see GridPlan
} TrialOptions;

/* Lines of a table of options. TRIAL_ARGUMENTS: all of TrialOptions; TRIAL_SEARCH: only those that
 * describe the searches; TRIAL_HASH: the size of the tables. `type` is the settings struct of the
 * experiment, `field` its member of type TrialOptions. */
// clang-format off
#define TRIAL_ARGUMENTS(type, field, default_depth)                                                \
    TRIAL_SEARCH(type, field, default_depth),                                                      \
    EXPERIMENT_JOBS(type, field.jobs, field.shard, field.joined),                                  \
    EXPERIMENT_CSV(type, field.csv_path, NULL)
#define TRIAL_SEARCH(type, field, default_depth)                                                   \
    {"--positions", ARGUMENT_TEXT, offsetof(type, field.positions), .value = "FILE",               \
     .help = "EPD file of positions (middlegames-500.epd of the shared folder); adjacent ones "    \
             "whose ids are equal up to a point or the word move are of one game"},                \
    EXPERIMENT_NUMBER(type, field.number),                                                         \
    {"--depth", ARGUMENT_INTEGER, offsetof(type, field.depth), .min = 1, .max = MAX_DEPTH,         \
     .def = default_depth, .help = "search depth in plies"},                                       \
    {"--eval", ARGUMENT_TEXT, offsetof(type, field.eval), .value = "bootstrap|FILE",               \
     .help = "hand-written evaluation or a network file (built-in network)"}
#define TRIAL_HASH(type, hash_mib)                                                                 \
    {"--hash", ARGUMENT_INTEGER, offsetof(type, hash_mib), .min = 1, .max = 65536, .def = "16",    \
     .value = "MIB", .help = "table size of each search"}
// clang-format on

/* The rows of the grid: positions searched separately, or games. */
typedef enum { TRIAL_POSITIONS, TRIAL_GAMES } TrialRows;

/* An experiment on the search. Observation `i` of the grid is in row i / columns and column
 * i % columns. */
typedef struct {
    const char *label;  // of the progress bar
    const char *header; // key columns, as above, then one column per value
    int value_count;
    TrialRows rows;
    int columns;
    const void *ctx;
    /* Returns the setting of a column. The option --depth replaces its depth. */
    TrialSetting (*setting)(const void *ctx, int column);
    /* Writes the key columns of the variant, with commas between, to `out` (`size` bytes). NULL
     * when the key has none. */
    void (*print_variant)(const void *ctx, int column, char *out, size_t size);
    /* Writes the `value_count` values of an observation. Any thread. */
    void (*copy_values)(const TrialResult *result, int64_t *values);
    /* Makes an observation of a position in place of trial_search() and copy_values(). NULL: they
     * make it. As GridPlan.observe. */
    bool (*observe)(const void *ctx, const Trial *trial, int index, int column,
                    const TrialSetting *setting, int64_t *values);
    /* Prints the report, below a line about the run. False when memory is short. */
    bool (*print_report)(const void *ctx, const Trial *trial, const Grid *grid);
} TrialPlan;

/* Runs the whole experiment. Prints errors to stderr. */
ExperimentStatus trial_run(const TrialPlan *plan, const TrialOptions *options);
