// SPDX-License-Identifier: GPL-3.0-or-later
/* palimpsest-lab: experiments on the transposition table. */

#include <stdio.h>
#include <string.h>

#include "base/argv.h"
#include "base/file.h"
#include "chess/position.h"
#include "engine/init.h"
#include "lab/experiment.h"
#include "nnue/network.h"

static const Experiment *const EXPERIMENTS[] = {
    &replacement_experiment, &modern_experiment,  &reads_experiment,   &perft_experiment,
    &keybits_experiment,     &torn_experiment,    &optimal_experiment, &census_experiment,
    &lesson_experiment,      &writers_experiment, &bounds_experiment};
enum { EXPERIMENT_NB = sizeof EXPERIMENTS / sizeof EXPERIMENTS[0] };

static void print_help(FILE *out)
{
    fprintf(out, "palimpsest-lab EXPERIMENT [options]\n\n");
    for (int i = 0; i < EXPERIMENT_NB; i++)
        fprintf(out, "  %-12s %s\n", EXPERIMENTS[i]->name, EXPERIMENTS[i]->summary);
    fprintf(out, "\npalimpsest-lab EXPERIMENT --help explains the options of an experiment.\n"
                 "Tables go to stdout, results to a CSV file, progress to stderr.\n"
                 "Exit status: 0 success, 1 failure or a result that the experiment forbids,\n"
                 "2 wrong usage, 130 interrupted.\n");
}

static const Experiment *find_experiment(const char *name)
{
    for (int i = 0; i < EXPERIMENT_NB; i++)
        if (strcmp(name, EXPERIMENTS[i]->name) == 0)
            return EXPERIMENTS[i];
    return NULL;
}

static ExperimentStatus run(int argc, char **argv)
{
    if (argc >= 2 && strcmp(argv[1], "--help") == 0) {
        print_help(stdout);
        return EXPERIMENT_OK;
    }
    const Experiment *const experiment = argc >= 2 ? find_experiment(argv[1]) : NULL;
    if (experiment == NULL) {
        if (argc >= 2)
            fprintf(stderr, "%s: unknown experiment\n", argv[1]);
        print_help(stderr);
        return EXPERIMENT_USAGE;
    }
    char error[NETWORK_ERROR_MAX];
    chess_init();
    if (!engine_init(error)) {
        fprintf(stderr, "palimpsest-lab: the built-in network %s\n", error);
        return EXPERIMENT_FAILED;
    }
    return experiment_main(experiment, argc - 2, argv + 2);
}

int main(int argc, char **argv)
{
    file_fill_standard_streams();
    file_outlive_limits();
    return file_end_output("palimpsest-lab", run(argc, argv_in_utf8(argc, argv)));
}
