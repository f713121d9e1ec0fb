// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/experiment.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/interrupt.h"
#include "base/strbuf.h"
#include "tt/replacement.h"

enum { PROGRAM_MAX = 64 };

static ExperimentStatus parse_and_run(const Experiment *experiment, const Arguments *arguments,
                                      void *settings, int argc, char **argv)
{
    char error[ARGUMENTS_ERROR_MAX];
    const int command = arguments_read(arguments, settings, argc, argv, error);
    if (command == ARGUMENTS_HELP) {
        arguments_print_help(arguments, stdout);
        return EXPERIMENT_OK;
    }
    if (command == ARGUMENTS_WRONG) {
        fprintf(stderr, "%s\n", error);
        return EXPERIMENT_USAGE;
    }
    interrupt_watch();
    return experiment->run(settings);
}

ExperimentStatus experiment_main(const Experiment *experiment, int argc, char **argv)
{
    char program[PROGRAM_MAX];
    snprintf(program, sizeof program, "palimpsest-lab %s", experiment->name);
    const Arguments arguments = {.program = program,
                                 .purpose = experiment->purpose,
                                 .options = experiment->options,
                                 .option_count = (int)experiment->option_count};
    void *const settings = calloc(1, experiment->settings_size);
    if (settings == NULL)
        return experiment_fail("out of memory");
    const ExperimentStatus status = parse_and_run(experiment, &arguments, settings, argc, argv);
    free(settings);
    return status;
}

ExperimentStatus experiment_with_results(const ResultsFile *file, ResultsUser run, void *ctx)
{
    Results results;
    char error[RESULTS_ERROR_MAX];
    if (!results_open(&results, file, error))
        return experiment_fail(error);
    const ExperimentStatus status = run(ctx, &results);
    results_close(&results);
    return status;
}

ExperimentStatus experiment_fail(const char *error)
{
    fprintf(stderr, "%s\n", error);
    return EXPERIMENT_FAILED;
}

ExperimentStatus experiment_interrupted(const char *csv_path)
{
    if (csv_path != NULL)
        fprintf(stderr, "interrupted; the same command resumes from %s\n", csv_path);
    else
        fprintf(stderr, "interrupted; a run without --csv cannot be resumed\n");
    return EXPERIMENT_INTERRUPTED;
}

void experiment_explain_part(const Shard *shard, uint64_t made, uint64_t wanted)
{
    printf("part %" PRId64 " of %" PRId64 " is complete, %" PRIu64 " of %" PRIu64
           " observations; when all parts are, join their CSV files with cat and run this "
           "experiment with --csv and --joined\n",
           shard->number, shard->count, made, wanted);
}

ExperimentStatus experiment_refuse(const char *option, const char *value, const char *expected)
{
    fprintf(stderr, "%s %s: not %s\n", option, value, expected);
    return EXPERIMENT_USAGE;
}

ExperimentStatus experiment_refuse_scheme(const char *option, const char *value,
                                          const char *expected)
{
    StrBuf text = {0};
    strbuf_add(&text, "%s:", expected);
    for (Replacement scheme = 0; scheme < REPLACEMENT_NB; scheme++)
        strbuf_add(&text, " %s", replacement_name(scheme));
    experiment_refuse(option, value, text.text != NULL ? text.text : expected);
    strbuf_free(&text);
    return EXPERIMENT_USAGE;
}

ExperimentStatus experiment_refuse_idle(const char *option, const char *why)
{
    fprintf(stderr, "%s: has no effect %s\n", option, why);
    return EXPERIMENT_USAGE;
}

ExperimentStatus experiment_check_shard(const Shard *shard, bool joined, const char *csv_path)
{
    if (shard->count == 1)
        return EXPERIMENT_OK;
    if (joined)
        return experiment_refuse_idle("--shard", "with --joined");
    return csv_path == NULL ? experiment_refuse_idle("--shard", "without --csv") : EXPERIMENT_OK;
}

int experiment_numbers(const char *option, const char *value, int *numbers, int max_count, int most)
{
    const int count = results_numbers(value, numbers, max_count, most);
    char expected[96];
    snprintf(expected, sizeof expected,
             "up to %d different numbers from 1 to %d, with commas between", max_count, most);
    if (count == 0)
        experiment_refuse(option, value, expected);
    return count;
}

const char *experiment_positions(const char *option, const char *name, char path[FILE_PATH_MAX])
{
    const char *const folder = getenv("PALIMPSEST_SHARED");
    snprintf(path, FILE_PATH_MAX, "%s/data/%s", folder != NULL ? folder : "../shared", name);
    return option != NULL ? option : path;
}
