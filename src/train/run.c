// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/run.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/mem.h"
#include "base/progress.h"
#include "nnue/network.h"
#include "train/batches.h"
#include "train/quantise.h"

enum {
    NOTE_ROOM = 120,
    LABELS_ROOM = 32,
    MEASURED_ROOM = 64,
    CHECKPOINT_MS = 60000,
    COMPARED_MAX = 100000,
    CENTRED_MAX = 10000 // for a judgement after each epoch: fewer, to save time
};
static_assert((int)RUN_ERROR_MAX >= (int)CHECKPOINT_ERROR_MAX &&
                  (int)RUN_ERROR_MAX >= (int)NETWORK_ERROR_MAX,
              "holds every error message");

typedef struct {
    Trainer *trainer;
    const Dataset *dataset;
    const RunOptions *options;
    char checkpoint[FILE_PATH_MAX];
    int64_t saved_ms;   // time of the last checkpoint, or of the start
    uint64_t positions; // positions trained on by this call
    int64_t busy_us;    // time of this training
    int64_t start_ms;
    uint64_t first_step;
    Network *network; // the rounded model
    double held_out_loss, label_error;
    bool is_measured; // these two
    Progress progress;
    char note[NOTE_ROOM]; // text after the bar
    bool has_bar;
} TrainingRun;

static double speed_of(const TrainingRun *run)
{
    return run->busy_us > 0 ? (double)run->positions / (double)run->busy_us : 0.0;
}

static double epoch_loss(const TrainingRun *run)
{
    const Model *const model = trainer_model(run->trainer);
    return model->loss_count > 0 ? model->loss_sum / (double)model->loss_count : 0.0;
}

/* Writes the error on the labelled positions, with a comma before it, to `text` (LABELS_ROOM);
 * nothing without them or before the first measurement. */
static void format_label_error(const TrainingRun *run, char *text)
{
    text[0] = '\0';
    if (run->is_measured && run->options->labels != NULL)
        snprintf(text, LABELS_ROOM, ", on labels %.5f", run->label_error);
}

/* Writes the loss on held-out positions, with a comma before it, to `text` (MEASURED_ROOM); nothing
 * without them or before the first measurement. */
static void format_held_out(const TrainingRun *run, char *text)
{
    text[0] = '\0';
    if (run->is_measured && run->dataset->held_out.count > 0)
        snprintf(text, MEASURED_ROOM, ", held out %.6f", run->held_out_loss);
}

static void draw_bar(TrainingRun *run, uint64_t done)
{
    if (!run->has_bar)
        return;
    char labels[LABELS_ROOM], held_out[MEASURED_ROOM];
    format_label_error(run, labels);
    format_held_out(run, held_out);
    snprintf(run->note, sizeof run->note, "loss %.6f%s%s, %.2f M/s", epoch_loss(run), held_out,
             labels, speed_of(run));
    progress_update(&run->progress, done);
}

static size_t at_most(size_t count, size_t limit)
{
    return count < limit ? count : limit;
}

/* Rounds the model to `run->network`, centred on `count` training positions. Returns the number of
 * parameters that were clipped. */
static size_t round_model(const TrainingRun *run, size_t count)
{
    const Parameters *const weights = trainer_rounded(run->trainer);
    const SampleSet *const train = &run->dataset->train;
    const double scale = run->options->output_scale;
    const size_t clipped = quantise_model(run->network, weights, scale);
    quantise_centre(run->network, weights, scale, train->samples, at_most(train->count, count));
    return clipped;
}

/* Measures the current model on positions that it does not learn from. */
static void measure(TrainingRun *run)
{
    run->held_out_loss = trainer_loss(run->trainer, &run->dataset->held_out);
    run->is_measured = true;
    if (run->options->labels == NULL)
        return;
    round_model(run, CENTRED_MAX);
    run->label_error =
        judge_network(run->options->labels, run->network, trainer_key(run->trainer)->unit).error;
}

/* Writes the estimated time to the end of the training to `text` (PROGRESS_TIME_MAX). */
static void format_time_left(const TrainingRun *run, char *text)
{
    const uint64_t step = trainer_model(run->trainer)->step;
    const double done = (double)(step - run->first_step);
    const double left = (double)(trainer_steps(run->trainer) - step);
    progress_format_time(text, (int64_t)((double)(clock_ms() - run->start_ms) * left / done));
}

/* Prints the line of the epoch to stdout. Erases the progress bar first: it is on stderr, which may
 * be the same terminal. */
static void end_epoch(TrainingRun *run)
{
    Trainer *const trainer = run->trainer;
    measure(run);
    if (run->options->is_silent)
        return;
    if (run->has_bar)
        progress_clear(&run->progress);
    const uint64_t epoch_steps = trainer_epoch_steps(trainer);
    char labels[LABELS_ROOM], held_out[MEASURED_ROOM], left[PROGRESS_TIME_MAX];
    format_label_error(run, labels);
    format_held_out(run, held_out);
    format_time_left(run, left);
    printf("epoch %" PRIu64 "/%" PRIu64 ": loss %.6f%s, rate %.2e, %.2f M positions/s%s, %s left\n",
           trainer_model(trainer)->step / epoch_steps, trainer_steps(trainer) / epoch_steps,
           epoch_loss(run), held_out, trainer_rate(trainer), speed_of(run), labels, left);
    fflush(stdout);
}

static bool save_checkpoint(TrainingRun *run, char *error)
{
    const bool is_saved = checkpoint_save(trainer_model(run->trainer), trainer_key(run->trainer),
                                          run->checkpoint, error);
    run->saved_ms = clock_ms();
    return is_saved;
}

/* Writes a checkpoint. Only warns on failure, because a full disk may have space again later. */
static void try_checkpoint(TrainingRun *run)
{
    char reason[CHECKPOINT_ERROR_MAX];
    if (save_checkpoint(run, reason) || run->options->is_silent)
        return;
    if (run->has_bar)
        progress_clear(&run->progress);
    fprintf(stderr, "%s\n", reason);
}

/* Whether the run must stop after `done` batches of this call. */
static bool is_stopped(const TrainingRun *run, uint64_t done)
{
    const RunOptions *const options = run->options;
    return (options->stop_after != 0 && done >= options->stop_after) ||
           interrupt_is_set(options->stop);
}

/* Trains on all remaining batches, or until stopped. */
static RunEnd train(TrainingRun *run, char *error)
{
    Trainer *const trainer = run->trainer;
    const Model *const model = trainer_model(trainer);
    const uint64_t first = run->first_step, steps = trainer_steps(trainer);
    const int64_t chosen_ms = run->options->checkpoint_ms;
    const int64_t period_ms = chosen_ms > 0 ? chosen_ms : CHECKPOINT_MS;
    while (model->step < steps) {
        if (is_stopped(run, model->step - first))
            return save_checkpoint(run, error) ? RUN_STOPPED : RUN_FAILED;
        const int64_t begin_us = clock_us();
        const size_t count = trainer_batch(trainer);
        if (count == 0) {
            try_checkpoint(run);
            snprintf(error, RUN_ERROR_MAX, "the positions cannot be read from the disk");
            return RUN_FAILED;
        }
        run->positions += count;
        run->busy_us += clock_us() - begin_us;
        if (model->step % trainer_epoch_steps(trainer) == 0)
            end_epoch(run);
        draw_bar(run, model->step - first);
        if (model->step < steps && clock_ms() - run->saved_ms >= period_ms)
            try_checkpoint(run);
    }
    return RUN_DONE;
}

static void print_network(const TrainingRun *run, size_t clipped, const QuantiseLoss *loss)
{
    char name[NETWORK_NAME_MAX];
    network_name(run->network, name);
    printf("network %s: rounding error %.1f units on average, %.1f at worst\n", name, loss->mean,
           loss->worst);
    if (clipped > 0)
        printf("%zu parameters were clipped to their limits\n", clipped);
    printf("written to %s\n", run->options->out);
}

static bool save_network(const Network *network, const char *out, char *error)
{
    char reason[NETWORK_ERROR_MAX];
    const bool is_saved = network_save(network, out, reason);
    if (!is_saved)
        snprintf(error, RUN_ERROR_MAX, "%.200s: %s", out, reason);
    return is_saved;
}

/* Rounds the model and writes the network if the rounding error is within bounds. */
static bool export_network(const TrainingRun *run, char *error)
{
    const RunOptions *const options = run->options;
    const Dataset *const dataset = run->dataset;
    const Parameters *const weights = trainer_rounded(run->trainer);
    const SampleSet *const held_out = &dataset->held_out;
    const SampleSet *const test = held_out->count > 0 ? held_out : &dataset->train;
    const double scale = options->output_scale;
    const size_t clipped = round_model(run, COMPARED_MAX);
    const QuantiseLoss loss = quantise_compare(run->network, weights, scale, test->samples,
                                               at_most(test->count, COMPARED_MAX));
    if (!loss.is_within) {
        snprintf(error, RUN_ERROR_MAX,
                 "no network written: rounding changes evaluations by %.1f on average and %.1f at "
                 "worst, which exceeds the bounds",
                 loss.mean, loss.worst);
        return false;
    }
    if (!save_network(run->network, options->out, error))
        return false;
    if (!options->is_silent)
        print_network(run, clipped, &loss);
    return true;
}

static void add_resume_hint(char *error)
{
    const size_t length = strlen(error);
    snprintf(
        error + length, RUN_ERROR_MAX - length,
        "; its checkpoint holds the finished run: --resume writes the network, also with another "
        "--output-scale");
}

/* Writes the checkpoint, then the network: so a new network has its checkpoint even if the process
 * is killed in between. A later run can resume from this checkpoint to write the network again,
 * also with another output scale. Without space for the checkpoint, the network is still written,
 * but the run has failed: an older checkpoint may be left. */
static RunEnd finish(TrainingRun *run, char *error)
{
    char reason[CHECKPOINT_ERROR_MAX];
    const bool is_saved = save_checkpoint(run, reason);
    if (!export_network(run, error)) {
        if (is_saved)
            add_resume_hint(error);
        return RUN_FAILED;
    }
    if (!is_saved)
        snprintf(error, RUN_ERROR_MAX, "the network is written, but not its checkpoint: %.400s",
                 reason);
    return is_saved ? RUN_DONE : RUN_FAILED;
}

/* Writes the path of the checkpoint of the network `out` to `path` (FILE_PATH_MAX bytes). False,
 * with the reason in `error`, when it is too long. */
static bool name_checkpoint(const char *out, char *path, char *error)
{
    if (snprintf(path, FILE_PATH_MAX, "%s.ckpt", out) < FILE_PATH_MAX)
        return true;
    snprintf(error, RUN_ERROR_MAX, "--out: the name is too long");
    return false;
}

/* Whether a file of a kind that `has_magic` knows can be written to `path` and replaces nothing but
 * another such file. */
static bool can_replace(const char *path, bool (*has_magic)(const char *path), char *error)
{
    int64_t bytes;
    if (!file_can_save(path))
        snprintf(error, RUN_ERROR_MAX, "%.200s: cannot be written: %s", path, strerror(errno));
    else if (file_kind(path, &bytes) == FILE_REGULAR && bytes > 0 && !has_magic(path))
        snprintf(error, RUN_ERROR_MAX, "%.200s: is another kind of file", path);
    else
        return true;
    return false;
}

bool run_overwrites(const char *out, const char *path)
{
    char checkpoint[FILE_PATH_MAX], error[RUN_ERROR_MAX];
    return file_is_same(out, path) ||
           (name_checkpoint(out, checkpoint, error) && file_is_same(checkpoint, path));
}

/* A file beside the network, locked and there only while a run writes that network. */
typedef struct {
    char path[FILE_PATH_MAX];
    FILE *stream;
} RunLock;

/* Whether nothing is at `path`, or only the empty file of a run that was killed. The lock is
 * removed at the end, and any other file is the user's. */
static bool can_be_lock(const char *path)
{
    int64_t bytes = 0;
    const FileKind kind = file_kind(path, &bytes);
    return kind == FILE_MISSING || (kind == FILE_REGULAR && bytes == 0);
}

/* Keeps other processes from the files of the network `out`. False, with the reason in `error`,
 * when one uses them. */
static bool take_lock(RunLock *lock, const char *out, char *error)
{
    snprintf(lock->path, sizeof lock->path, "%s.lock", out);
    if (!can_be_lock(lock->path)) {
        snprintf(error, RUN_ERROR_MAX,
                 "%.200s: is not the lock of a run; rename it, or choose another output",
                 lock->path);
        return false;
    }
    lock->stream = file_open_locked(lock->path);
    if (lock->stream != NULL)
        return true;
    if (errno == EBUSY)
        snprintf(error, RUN_ERROR_MAX, "%.200s: another process is training it", out);
    else
        snprintf(error, RUN_ERROR_MAX, "%.200s: cannot be written: %.200s: %s", out, lock->path,
                 strerror(errno));
    return false;
}

static void release_lock(RunLock *lock)
{
    file_remove_locked(lock->stream, lock->path);
}

/* Takes the lock of the network `out` and tests whether it and its checkpoint (NULL: none) can be
 * written. Takes the lock first, because the test opens drafts of the files, and a run that saves
 * at that moment could not open them. False, without a lock and with the reason in `error`, on
 * failure. */
static bool lock_files(RunLock *lock, const char *out, const char *checkpoint, char *error)
{
    if (!take_lock(lock, out, error))
        return false;
    if (can_replace(out, network_has_magic, error) &&
        (checkpoint == NULL || can_replace(checkpoint, checkpoint_has_magic, error)))
        return true;
    release_lock(lock);
    return false;
}

bool run_save_network(const Network *network, const char *out, char *error)
{
    RunLock lock = {.stream = NULL};
    if (!lock_files(&lock, out, NULL, error))
        return false;
    const bool is_saved = save_network(network, out, error);
    release_lock(&lock);
    return is_saved;
}

/* False, with the reason in `error`, when a new run would overwrite the checkpoint of a run that is
 * unfinished or whose network `out` is missing, or one that this program cannot read. */
static bool may_start_anew(const char *out, const char *checkpoint, char *error)
{
    CheckpointKey found;
    uint64_t done;
    if (!checkpoint_read_key(&found, &done, checkpoint)) {
        if (!checkpoint_has_magic(checkpoint))
            return true;
        snprintf(
            error, RUN_ERROR_MAX,
            "%.200s: is a checkpoint of another architecture, or damaged; delete it, or choose "
            "another --out",
            checkpoint);
        return false;
    }
    if (done == 0)
        return true;
    const bool is_finished =
        found.batch == 0 || done >= found.epochs * batches_among(found.positions, found.batch);
    if (is_finished && network_has_magic(out))
        return true;
    snprintf(error, RUN_ERROR_MAX,
             is_finished ? "%.200s: holds a finished run whose network is missing; write it with "
                           "--resume and the settings of that run, or delete the file"
                         : "%.200s: holds an unfinished run; continue that run with --resume and "
                           "its settings, or delete the file",
             checkpoint);
    return false;
}

bool run_can_start(const char *out, bool resume, char *error)
{
    char checkpoint[FILE_PATH_MAX];
    RunLock lock = {.stream = NULL};
    if (!name_checkpoint(out, checkpoint, error) || !lock_files(&lock, out, checkpoint, error))
        return false;
    release_lock(&lock);
    return resume ? checkpoint_can_open(checkpoint, error) : may_start_anew(out, checkpoint, error);
}

/* Loads the checkpoint or checks that there is none to lose; measures weights that are not random.
 */
static bool begin(TrainingRun *run, char *error)
{
    Trainer *const trainer = run->trainer;
    if (!run->options->resume && !may_start_anew(run->options->out, run->checkpoint, error))
        return false;
    if (run->options->resume &&
        !checkpoint_load(trainer_model(trainer), trainer_key(trainer), run->checkpoint, error))
        return false;
    const bool is_finetuning = !run->options->resume && trainer_key(trainer)->initial_checksum != 0;
    if (run->options->resume || is_finetuning)
        measure(run);
    char labels[LABELS_ROOM], held_out[MEASURED_ROOM];
    format_label_error(run, labels);
    format_held_out(run, held_out);
    const bool has_news = *labels != '\0' || *held_out != '\0';
    if (is_finetuning && has_news && !run->options->is_silent) {
        printf("initial weights%s%s\n", held_out, labels);
        fflush(stdout);
    }
    return true;
}

RunEnd run_training(Trainer *trainer, const Dataset *dataset, const RunOptions *options,
                    char *error)
{
    TrainingRun run = {.trainer = trainer,
                       .dataset = dataset,
                       .options = options,
                       .saved_ms = clock_ms(),
                       .has_bar = !options->is_silent && isatty(STDERR_FILENO) != 0};
    RunLock lock = {.stream = NULL};
    if (!name_checkpoint(options->out, run.checkpoint, error) ||
        !lock_files(&lock, options->out, run.checkpoint, error))
        return RUN_FAILED;
    run.network = mem_alloc_large(sizeof *run.network, NULL);
    if (run.network == NULL)
        snprintf(error, RUN_ERROR_MAX, "out of memory for the network");
    RunEnd end = RUN_FAILED;
    if (run.network != NULL && begin(&run, error)) {
        run.first_step = trainer_model(trainer)->step;
        run.start_ms = clock_ms();
        if (run.has_bar) {
            progress_start(&run.progress, "training", trainer_steps(trainer) - run.first_step);
            run.progress.note = run.note;
        }
        end = train(&run, error);
        if (run.has_bar)
            progress_end(&run.progress, end == RUN_DONE);
        if (end == RUN_DONE)
            end = finish(&run, error);
    }
    mem_free_large(run.network, sizeof *run.network);
    release_lock(&lock);
    return end;
}
