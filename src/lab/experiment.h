// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The common frame of all experiments of palimpsest-lab: name and options on the command line, exit
 * status, file of results. An experiment prints tables to stdout, writes its results to a CSV file
 * if the user names one, and shows its progress on stderr. */

#include <stddef.h>

#include "base/arguments.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "lab/jobs.h"
#include "lab/results.h"

/* Exit status of the program. */
typedef enum {
    EXPERIMENT_OK = 0,
    EXPERIMENT_FAILED = 1, // an error, or a result that must not occur (see --help)
    EXPERIMENT_USAGE = EXIT_USAGE,
    EXPERIMENT_INTERRUPTED = EXIT_INTERRUPTED // the same command resumes from its CSV file
} ExperimentStatus;

/* Options of several experiments as lines of their tables of options. `type` is the struct of the
 * settings; the other arguments in lower case are its members. DEF may be NULL. */
// clang-format off
#define EXPERIMENT_NUMBER(type, number)                                                            \
    {"--number", ARGUMENT_INTEGER, offsetof(type, number), .max = 1000000, .def = "0",             \
     .help = "number of positions, evenly spread over the file; 0: all"}
#define EXPERIMENT_CSV(type, path, DEF)                                                            \
    {"--csv", ARGUMENT_TEXT, offsetof(type, path), .value = "FILE", .def = DEF,                    \
     .help = "results file; a run adds to it, and skips observations that are in it"}
#define EXPERIMENT_JOBS(type, jobs, shard, joined)                                                 \
    {"--jobs", ARGUMENT_INTEGER, offsetof(type, jobs), .min = 1, .max = JOBS_THREADS_MAX,          \
     .help = "number of parallel searches (one per processor)"},                                   \
    EXPERIMENT_SHARD(type, shard, joined)
#define EXPERIMENT_SHARD(type, shard, joined)                                                      \
    {"--shard", ARGUMENT_SHARD, offsetof(type, shard), .def = "1/1",                               \
     .help = "do only part i of n"},                                                               \
    {"--joined", ARGUMENT_FLAG, offsetof(type, joined),                                            \
     .help = "only print the report of --csv, the joined files of all shards; an error if "        \
             "observations are missing"}
// clang-format on

typedef struct {
    const char *name;        // on the command line
    const char *summary;     // one line in the help of the program
    const char *purpose;     // first paragraph of the experiment's own help
    const Argument *options; // their values go into the settings, a struct of the experiment
    size_t option_count;
    size_t settings_size; // of that struct, bytes
    /* Runs the experiment and prints errors. Members of `settings` without an option are zero. */
    ExperimentStatus (*run)(void *settings);
} Experiment;

/* Each is defined in the source file of the same name. */
extern const Experiment replacement_experiment; // breuker1994/
extern const Experiment optimal_experiment;     // optimal/
extern const Experiment bounds_experiment;      // breuker1994/
extern const Experiment modern_experiment;
extern const Experiment reads_experiment;
extern const Experiment census_experiment;
extern const Experiment lesson_experiment;
extern const Experiment perft_experiment;
extern const Experiment keybits_experiment;
extern const Experiment torn_experiment;
extern const Experiment writers_experiment;

/* Parses the arguments that follow the name of the experiment, starts to catch signals
 * (interrupt.h) and runs the experiment. Prints the help or the error of the arguments. */
ExperimentStatus experiment_main(const Experiment *experiment, int argc, char **argv);

/* Opens a file of results (results_open()), calls `run` with it and closes it. Returns the status
 * of `run`, or prints an error and returns EXPERIMENT_FAILED when the file cannot be opened. */
typedef ExperimentStatus (*ResultsUser)(void *ctx, Results *results);
ExperimentStatus experiment_with_results(const ResultsFile *file, ResultsUser run, void *ctx);

/* Prints a line to stderr. Returns EXPERIMENT_FAILED. */
ExperimentStatus experiment_fail(const char *error);

/* Says on stderr what becomes of an interrupted run; `csv_path` is its file of results, or NULL.
 * Returns EXPERIMENT_INTERRUPTED. */
ExperimentStatus experiment_interrupted(const char *csv_path);

/* Says what is left to do after a part of a run: the file of results has `made` of the `wanted`
 * observations of the whole run. */
void experiment_explain_part(const Shard *shard, uint64_t made, uint64_t wanted);

/* Prints "OPTION VALUE: not EXPECTED" to stderr. Returns EXPERIMENT_USAGE. */
ExperimentStatus experiment_refuse(const char *option, const char *value, const char *expected);

/* The same where `expected` is followed by the names of all replacement schemes. */
ExperimentStatus experiment_refuse_scheme(const char *option, const char *value,
                                          const char *expected);

/* Prints "OPTION: has no effect WHY" to stderr. Returns EXPERIMENT_USAGE. */
ExperimentStatus experiment_refuse_idle(const char *option, const char *why);

/* Refuses --shard together with --joined, and without a file of results (`csv_path` is NULL): what
 * the shard finds would be lost. */
ExperimentStatus experiment_check_shard(const Shard *shard, bool joined, const char *csv_path);

/* Reads the value of an option, different whole numbers from 1 to `most` with commas between.
 * Returns how many there are; 0 when there are more than `max_count` or one is wrong, with a
 * message on stderr. */
int experiment_numbers(const char *option, const char *value, int *numbers, int max_count,
                       int most);

/* The file of test positions: `option`, the value of --positions, or, when that is NULL, the file
 * data/`name` of the shared folder, whose path is written to `path` (a longer one is cut). The
 * shared folder is $PALIMPSEST_SHARED, by default ../shared. */
const char *experiment_positions(const char *option, const char *name, char path[FILE_PATH_MAX]);
