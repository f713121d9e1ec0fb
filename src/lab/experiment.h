// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What all experiments of palimpsest-lab share: how the command line finds them, their exit status
 * and their file of results. An experiment prints tables to stdout, writes results as CSV if the
 * user names a file, and shows its progress on stderr. */

#include "base/arguments.h"
#include "lab/results.h"

/* Exit status of the program. */
typedef enum {
    EXPERIMENT_OK = 0,
    EXPERIMENT_FAILED = 1,       // an invariant is violated, or an input or output failed
    EXPERIMENT_USAGE = 2,        // wrong arguments
    EXPERIMENT_INTERRUPTED = 130 // by a signal; the same command resumes from its CSV file
} ExperimentStatus;

typedef struct {
    const char *name;        // on the command line
    const char *summary;     // one line in the help of the program
    const char *purpose;     // first paragraph of the experiment's own help
    const Argument *options; // fill the settings
    size_t option_count;
    size_t settings_size; // bytes of the settings, a struct of the experiment
    /* Runs the experiment. The members of `settings` without an option are zero. */
    ExperimentStatus (*run)(void *settings);
} Experiment;

/* Each is defined in the file of its name. */
extern const Experiment replacement_experiment; // breuker1994/
extern const Experiment modern_experiment;
extern const Experiment reads_experiment;
extern const Experiment perft_experiment;
extern const Experiment keybits_experiment;
extern const Experiment torn_experiment;

/* Parses the arguments that follow the name of the experiment, catches signals (interrupt.h) and
 * runs it. Prints the help or the error itself. */
ExperimentStatus experiment_main(const Experiment *experiment, int argc, char **argv);

/* Opens a file of results (results_open()), calls `run` and closes the file. Prints the error when
 * the file cannot be used. */
typedef ExperimentStatus (*ResultsUser)(void *ctx, Results *results);
ExperimentStatus experiment_with_results(const ResultsFile *file, ResultsUser run, void *ctx);

/* Writes the path of data/`name` in the shared folder, $PALIMPSEST_SHARED or ../shared, to `path`
 * (`size` bytes). */
void experiment_shared_file(const char *name, char *path, size_t size);
