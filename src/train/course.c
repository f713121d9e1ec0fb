// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/course.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/progress.h"
#include "nnue/network.h"
#include "train/quantise.h"

enum {
    PATH_ROOM = 4096,
    NOTE_ROOM = 80,
    CHECKPOINT_MS = 60000,
    CLEAR_WIDTH = 130,
    COMPARED_MAX = 100000
};
static_assert((int)COURSE_ERROR_MAX >= (int)CHECKPOINT_ERROR_MAX &&
                  (int)COURSE_ERROR_MAX >= (int)NETWORK_ERROR_MAX,
              "holds any reason");

typedef struct {
    Trainer *trainer;
    const Dataset *dataset;
    const CourseOptions *options;
    char checkpoint[PATH_ROOM];
    int64_t saved_ms;
    uint64_t positions; // learned from in this run
    int64_t busy_us;    // in which they were
    double held_out_loss;
    Progress progress;
    char note[NOTE_ROOM]; // behind the bar
    bool has_bar;
} Course;

static double speed_of(const Course *course)
{
    return course->busy_us > 0 ? (double)course->positions / (double)course->busy_us : 0.0;
}

static double epoch_loss(const Course *course)
{
    const Model *const model = trainer_model(course->trainer);
    return model->loss_count > 0 ? model->loss_sum / (double)model->loss_count : 0.0;
}

static void draw_bar(Course *course, uint64_t done)
{
    if (!course->has_bar)
        return;
    snprintf(course->note, sizeof course->note, "loss %.6f, held out %.6f, %.2f M/s",
             epoch_loss(course), course->held_out_loss, speed_of(course));
    progress_update(&course->progress, done);
}

/* A line for each epoch on stdout; the bar is on stderr, perhaps the same terminal. */
static void end_epoch(Course *course)
{
    Trainer *const trainer = course->trainer;
    course->held_out_loss = trainer_loss(trainer, &course->dataset->held_out);
    if (course->options->is_quiet)
        return;
    if (course->has_bar)
        fprintf(stderr, "\r%*s\r", CLEAR_WIDTH, "");
    const uint64_t epoch_steps = trainer_epoch_steps(trainer);
    printf("epoch %" PRIu64 "/%" PRIu64
           ": loss %.6f, held out %.6f, rate %.2e, %.2f M positions/s\n",
           trainer_model(trainer)->step / epoch_steps, trainer_steps(trainer) / epoch_steps,
           epoch_loss(course), course->held_out_loss, trainer_rate(trainer), speed_of(course));
    fflush(stdout);
}

static bool save_checkpoint(Course *course, char *error)
{
    const bool is_saved = checkpoint_save(trainer_model(course->trainer),
                                          trainer_key(course->trainer), course->checkpoint, error);
    course->saved_ms = clock_ms();
    return is_saved;
}

/* A full disk may have room again in a minute: no reason to lose what was learned. */
static void try_checkpoint(Course *course)
{
    char reason[CHECKPOINT_ERROR_MAX];
    if (save_checkpoint(course, reason) || course->options->is_quiet)
        return;
    if (course->has_bar)
        fprintf(stderr, "\r%*s\r", CLEAR_WIDTH, "");
    fprintf(stderr, "%s\n", reason);
}

static bool is_stopped(const Course *course, uint64_t done)
{
    const CourseOptions *const options = course->options;
    return (options->stop_after != 0 && done >= options->stop_after) ||
           (options->stop != NULL && atomic_load_explicit(options->stop, memory_order_relaxed));
}

/* All batches that are left. */
static CourseEnd train(Course *course, char *error)
{
    Trainer *const trainer = course->trainer;
    const Model *const model = trainer_model(trainer);
    const uint64_t first = model->step, steps = trainer_steps(trainer);
    const int64_t chosen_ms = course->options->checkpoint_ms;
    const int64_t period_ms = chosen_ms > 0 ? chosen_ms : CHECKPOINT_MS;
    while (model->step < steps) {
        if (is_stopped(course, model->step - first))
            return save_checkpoint(course, error) ? COURSE_STOPPED : COURSE_FAILED;
        const int64_t begin_us = clock_us();
        course->positions += trainer_batch(trainer);
        course->busy_us += clock_us() - begin_us;
        if (model->step % trainer_epoch_steps(trainer) == 0)
            end_epoch(course);
        draw_bar(course, model->step - first);
        if (model->step < steps && clock_ms() - course->saved_ms >= period_ms)
            try_checkpoint(course);
    }
    return COURSE_DONE;
}

static void print_network(const Course *course, const Network *network, size_t clipped,
                          const QuantiseLoss *loss)
{
    char name[NETWORK_NAME_MAX];
    network_name(network, name);
    printf("network %s: rounding costs %.1f units on average, %.1f at worst\n", name, loss->mean,
           loss->worst);
    if (clipped > 0)
        printf("%zu parameters were clipped to fit\n", clipped);
    printf("written to %s\n", course->options->out);
}

static size_t at_most(size_t count, size_t limit)
{
    return count < limit ? count : limit;
}

/* Rounds the model and writes the network if it is worth it. */
static bool export_network(const Course *course, Network *network, char *error)
{
    const CourseOptions *const options = course->options;
    const Dataset *const dataset = course->dataset;
    const Parameters *const weights = &trainer_model(course->trainer)->weights;
    const SampleSet *const train = &dataset->train, *const held_out = &dataset->held_out;
    const SampleSet *const test = held_out->count > 0 ? held_out : train;
    const double scale = options->output_scale;
    const size_t clipped = quantise_model(network, weights, scale);
    quantise_centre(network, weights, scale, train->samples, at_most(train->count, COMPARED_MAX));
    const QuantiseLoss loss = quantise_compare(network, weights, scale, test->samples,
                                               at_most(test->count, COMPARED_MAX));
    if (!loss.is_within) {
        snprintf(error, COURSE_ERROR_MAX,
                 "rounding changes evaluations by %.1f on average and %.1f at worst, which is too "
                 "much: no network written",
                 loss.mean, loss.worst);
        return false;
    }
    char reason[NETWORK_ERROR_MAX];
    if (!network_save(network, options->out, reason)) {
        snprintf(error, COURSE_ERROR_MAX, "%.200s: %s", options->out, reason);
        return false;
    }
    if (!options->is_quiet)
        print_network(course, network, clipped, &loss);
    return true;
}

/* The network first, as it is what all was for; the checkpoint serves to write it again with
 * another scale, or at all. */
static CourseEnd finish(Course *course, char *error)
{
    Network *const network = mem_alloc_large(sizeof *network, NULL);
    if (network == NULL)
        snprintf(error, COURSE_ERROR_MAX, "no memory for the network");
    const bool is_exported = network != NULL && export_network(course, network, error);
    mem_free_large(network, sizeof *network);
    try_checkpoint(course);
    return is_exported ? COURSE_DONE : COURSE_FAILED;
}

/* The name of the checkpoint of `out`, in `path` (PATH_ROOM bytes). */
static bool name_checkpoint(const char *out, char *path, char *error)
{
    if (snprintf(path, PATH_ROOM, "%s.ckpt", out) < PATH_ROOM)
        return true;
    snprintf(error, COURSE_ERROR_MAX, "--out: the name is too long");
    return false;
}

bool course_can_write(const char *out, char *error)
{
    char checkpoint[PATH_ROOM];
    if (!name_checkpoint(out, checkpoint, error))
        return false;
    const char *const paths[] = {out, checkpoint};
    for (int i = 0; i < 2; i++)
        if (!file_can_save(paths[i])) {
            snprintf(error, COURSE_ERROR_MAX, "%.200s: cannot be written: %s", paths[i],
                     strerror(errno));
            return false;
        }
    return true;
}

/* A run half done is not thrown away by leaving out a word. */
static bool is_free_to_begin(const Course *course, char *error)
{
    const uint64_t steps = checkpoint_steps(trainer_key(course->trainer), course->checkpoint);
    if (steps == 0 || steps >= trainer_steps(course->trainer))
        return true;
    snprintf(error, COURSE_ERROR_MAX,
             "%.200s: of this very run, half done; --resume goes on from it, without the file it "
             "begins anew",
             course->checkpoint);
    return false;
}

CourseEnd course_run(Trainer *trainer, const Dataset *dataset, const CourseOptions *options,
                     char *error)
{
    Course course = {.trainer = trainer,
                     .dataset = dataset,
                     .options = options,
                     .saved_ms = clock_ms(),
                     .has_bar = !options->is_quiet && isatty(STDERR_FILENO) != 0};
    if (!course_can_write(options->out, error) ||
        !name_checkpoint(options->out, course.checkpoint, error))
        return COURSE_FAILED;
    Model *const model = trainer_model(trainer);
    if (!options->resume && !is_free_to_begin(&course, error))
        return COURSE_FAILED;
    if (options->resume) {
        if (!checkpoint_load(model, trainer_key(trainer), course.checkpoint, error))
            return COURSE_FAILED;
        course.held_out_loss = trainer_loss(trainer, &dataset->held_out);
    }
    if (course.has_bar) {
        progress_start(&course.progress, "training", trainer_steps(trainer) - model->step);
        course.progress.note = course.note;
    }
    const CourseEnd end = train(&course, error);
    if (course.has_bar)
        progress_finish(&course.progress);
    return end == COURSE_DONE ? finish(&course, error) : end;
}
