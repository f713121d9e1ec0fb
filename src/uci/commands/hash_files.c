// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/hash_files.h"

#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"

enum { PROGRESS_INTERVAL_MS = 1000 };

static void begin(HashFileJob *job, Settings *settings, const char *verb)
{
    job->settings = settings;
    job->verb = verb;
    job->start_ms = job->last_message_ms = clock_ms();
    job->has_failed = false;
}

/* Prints the share done and the estimated remaining time. */
static void print_progress(void *ctx, uint64_t done, uint64_t total)
{
    HashFileJob *const job = ctx;
    const int64_t now = clock_ms();
    if (now - job->last_message_ms < PROGRESS_INTERVAL_MS || done == 0)
        return;
    job->last_message_ms = now;
    const double share = (double)done / (double)total;
    const double left_s = (double)(now - job->start_ms) * (1 / share - 1) / 1000;
    output_line(job->settings->out, "info string hash %s: %.0f%%, %.0f s left", job->verb,
                100 * share, left_s);
}

static bool may_continue(void *ctx, uint64_t done, uint64_t total)
{
    const HashFileJob *const job = ctx;
    print_progress(ctx, done, total);
    return !settings_is_stopped(job->settings);
}

/* Prints an error about the file and returns false. */
static bool refuse_file(const Settings *settings, const char *verb, const char *path,
                        const char *error)
{
    output_line(settings->out, "info string error: hash %s: '%s' %s", verb, path, error);
    return false;
}

static void print_outcome(void *ctx, const HashFileSummary *sum, const char *error)
{
    HashFileJob *const job = ctx;
    Output *const out = job->settings->out;
    job->has_failed = error != NULL;
    if (error != NULL) {
        refuse_file(job->settings, job->verb, job->path, error);
        return;
    }
    output_line(out,
                "info string hash %s: %" PRIu64 " positions of depth %d and more, %" PRIu64
                " of them without a score (move only), %.1f MiB in '%s' in %.2f s",
                job->verb, sum->records, sum->min_depth, sum->moves, (double)sum->bytes / (1 << 20),
                job->path, (double)(clock_ms() - job->start_ms) / 1000);
}

static void print_waiting(void *ctx)
{
    const HashFileJob *const job = ctx;
    output_line(job->settings->out, "info string hash: waiting until '%s' is saved", job->path);
}

/* Prints an error and returns false. */
static bool refuse(const Settings *settings, const char *verb, const char *error)
{
    output_line(settings->out, "info string error: hash %s: %s", verb, error);
    return false;
}

/* Copies `path`, or the path of the option HashFile if `path` is "", to `found` (FILE_PATH_MAX
 * bytes). Prints an error and returns false when both are "". */
static bool find_path(const Settings *settings, const char *verb, const char *path, char *found)
{
    snprintf(found, FILE_PATH_MAX, "%s", *path != '\0' ? path : settings->hash_file);
    return *found != '\0' || refuse(settings, verb, "needs a file name or the option HashFile");
}

/* Whether the save that runs, or has just ended, is one of HashFile Auto. */
static bool is_auto_save(const Settings *settings)
{
    const char *const path = settings->hash_save.path;
    return *path != '\0' && strcmp(path, settings->auto_hash_file.path) == 0;
}

/* After the end of a save: what HashFile Auto could not write is still to be saved. */
static void note_save(Settings *settings)
{
    AutoHashFile *const file = &settings->auto_hash_file;
    HashFileJob *const job = &settings->hash_save;
    if (is_auto_save(settings))
        file->has_unsaved |= job->has_failed;
    *job->path = '\0';
}

/* Starts to save the file `path` (FILE_PATH_MAX bytes) by `save`. Prints an error and returns false
 * when that fails. No save may be running. */
static bool start_save(Settings *settings, const char *path, bool keeps_old,
                       bool (*save)(Engine *, const HashFileTask *, const HashSaveListener *))
{
    HashFileJob *const job = &settings->hash_save;
    const HashSaveListener listener = {
        .progress = print_progress, .outcome = print_outcome, .awaited = print_waiting, .ctx = job};
    const HashFileTask task = {.path = path,
                               .min_depth = settings->hash_file_min_depth,
                               .max_bytes = settings->hash_file_max_mib << 20,
                               .keeps_old = keeps_old};
    begin(job, settings, "save");
    memcpy(job->path, path, sizeof job->path);
    if (save(settings->engine, &task, &listener))
        return true;
    job->has_failed = true;
    note_save(settings);
    return refuse(settings, "save", "out of memory or threads");
}

/* Waits for a running save, which uses the same HashFileJob as the next one. */
static void await_save(Settings *settings)
{
    engine_await_save(settings->engine);
    note_save(settings);
}

/* Whether the option HashFile names this file. */
static bool is_hash_file(const Settings *settings, const char *path)
{
    return strcmp(path, settings->hash_file) == 0 || file_is_same(path, settings->hash_file);
}

/* False when the option HashFile has changed since the file was loaded. */
static bool is_current(const Settings *settings)
{
    return strcmp(settings->auto_hash_file.path, settings->hash_file) == 0;
}

/* Whether HashFile Auto uses this file, or will when it loads it, and has not failed to read it. */
static bool is_auto_file(const Settings *settings, const char *path)
{
    const bool is_unreadable = is_current(settings) && !settings->auto_hash_file.is_readable;
    return settings->hash_file_auto && !is_unreadable && is_hash_file(settings, path);
}

bool hash_files_save(Settings *settings, const char *path)
{
    char found[FILE_PATH_MAX], error[HASHFILE_ERROR_MAX];
    await_save(settings);
    if (!find_path(settings, "save", path, found))
        return false;
    if (settings->hash_file_read_only && is_hash_file(settings, found))
        return refuse(settings, "save",
                      "the option HashFile ReadOnly protects this file; set it to false first");
    if (file_is_database(found))
        return refuse_file(settings, "save", found, "is a database");
    /* Fail at once: otherwise a message may say that the program waits until the file is saved. */
    if (!hashfile_can_save(found, engine_table(settings->engine), error))
        return refuse_file(settings, "save", found, error);
    return start_save(settings, found, is_auto_file(settings, found), engine_save_hash);
}

/* Loads or verifies a file: calls `read` and prints the outcome. */
static bool read_file(Settings *settings, const char *verb, const char *path,
                      bool (*read)(Engine *, HashFileTask *, HashFileSummary *, char *))
{
    HashFileJob job;
    HashFileSummary sum;
    HashFileTask task = {.path = job.path, .goes_on = may_continue, .ctx = &job};
    char error[HASHFILE_ERROR_MAX];
    if (!find_path(settings, verb, path, job.path))
        return false;
    engine_await_save(settings->engine);
    begin(&job, settings, verb);
    const bool is_good = read(settings->engine, &task, &sum, error);
    print_outcome(&job, &sum, is_good ? NULL : error);
    return is_good;
}

const char *hash_files_kept_kind(const char *path)
{
    if (file_kind(path, NULL) != FILE_REGULAR) // a pipe would be read
        return NULL;
    return file_is_database(path) ? "database" : hashfile_is_one(path) ? "hash file" : NULL;
}

bool hash_files_load(Settings *settings, const char *path)
{
    return read_file(settings, "load", path, engine_load_hash);
}

bool hash_files_verify(Settings *settings, const char *path)
{
    return read_file(settings, "verify", path, engine_verify_hash_file);
}

/* -- HashFile Auto ----------------------------------------------------------------------------- */

void hash_auto_forget(Settings *settings)
{
    *settings->auto_hash_file.path = '\0';
}

/* Loads the file, if it exists and is not empty. A file that cannot be loaded is never overwritten,
 * because a save keeps what the file holds. */
static void load_auto_file(Settings *settings)
{
    AutoHashFile *const file = &settings->auto_hash_file;
    int64_t bytes = 0;
    const FileKind kind = file_kind(file->path, &bytes);
    file->is_readable = true;
    if (kind == FILE_MISSING)
        output_line(settings->out, "info string hash: '%s' does not exist yet", file->path);
    else if (kind == FILE_REGULAR && bytes == 0)
        output_line(settings->out, "info string hash: '%s' is still empty", file->path);
    else
        file->is_readable = read_file(settings, "load", file->path, engine_load_hash);
    if (!file->is_readable && settings_is_stopped(settings))
        hash_auto_forget(settings); // the next search loads it
    if (settings->hash_file_read_only && *file->path != '\0')
        output_line(settings->out,
                    "info string hash: '%s' will not be saved; for that set the option HashFile "
                    "ReadOnly to false",
                    file->path);
}

/* Begins to use the file of the option HashFile; false if that is not wanted or was done. */
static bool take_file(Settings *settings)
{
    AutoHashFile *const file = &settings->auto_hash_file;
    if (!settings->hash_file_auto || *settings->hash_file == '\0' || is_current(settings))
        return false;
    await_save(settings); // a save to the old file may fail: then the new one gets its results
    *file = (AutoHashFile){
        .has_unsaved = file->has_unsaved, .saved_ms = file->saved_ms, .is_readable = true};
    memcpy(file->path, settings->hash_file, sizeof file->path);
    return true;
}

void hash_auto_load(Settings *settings)
{
    AutoHashFile *const file = &settings->auto_hash_file;
    if (engine_is_searching(settings->engine) || settings_weaken(settings))
        return;
    if (take_file(settings))
        load_auto_file(settings);
    const bool lacks_file = settings->hash_file_auto && *settings->hash_file == '\0';
    if (lacks_file && !file->lacks_file)
        output_line(settings->out,
                    "info string error: HashFile Auto needs a file: set the option HashFile");
    file->lacks_file = lacks_file;
}

void hash_auto_note(Settings *settings)
{
    AutoHashFile *const file = &settings->auto_hash_file;
    if (!file->has_unsaved)
        file->saved_ms = clock_ms();
    file->has_unsaved = true;
}

/* Whether there are results to write to the file in use. */
static bool may_save(const Settings *settings)
{
    const AutoHashFile *const file = &settings->auto_hash_file;
    return settings->hash_file_auto && file->has_unsaved && !settings->hash_file_read_only &&
           *file->path != '\0';
}

/* Begins to save them. Prints the reason and returns false on failure. */
static bool save_news(Settings *settings)
{
    AutoHashFile *const file = &settings->auto_hash_file;
    await_save(settings);
    file->has_unsaved = false;
    return start_save(settings, file->path, true, engine_save_hash);
}

bool hash_auto_change(Settings *settings)
{
    return !may_save(settings) || is_current(settings) || save_news(settings);
}

/* Saves new results and waits until they are saved. */
static void hash_auto_keep(Settings *settings)
{
    await_save(settings); // if it fails, its results are to be saved again
    if (settings->auto_hash_file.has_unsaved)
        take_file(settings); // not done yet if all searches had a clock
    if (may_save(settings)) {
        save_news(settings);
        await_save(settings);
    }
}

void hash_files_clear(Settings *settings)
{
    hash_auto_keep(settings);
    engine_clear_hash(settings->engine);
}

void hash_auto_before_clear(void *ctx)
{
    hash_auto_keep(ctx);
    hash_auto_forget(ctx);
}

void hash_auto_tick(Settings *settings)
{
    AutoHashFile *const file = &settings->auto_hash_file;
    if (engine_is_saving(settings->engine))
        return;
    await_save(settings);
    if (!may_save(settings) || !is_current(settings) ||
        clock_ms() - file->saved_ms < 1000 * (int64_t)settings->hash_file_interval_s)
        return;
    file->saved_ms = clock_ms();
    file->has_unsaved = engine_is_searching(settings->engine);
    start_save(settings, file->path, true,
               file->has_unsaved ? engine_save_hash_during_search : engine_save_hash);
}

bool hash_auto_has_unsaved(const Settings *settings)
{
    const AutoHashFile *const file = &settings->auto_hash_file;
    const bool is_saving = engine_is_saving(settings->engine) && is_auto_save(settings);
    return is_saving || (settings->hash_file_auto && !settings->hash_file_read_only &&
                         *settings->hash_file != '\0' && file->has_unsaved);
}

bool hash_auto_end(Settings *settings)
{
    engine_end_save(settings->engine);
    note_save(settings);
    take_file(settings); // not done yet if all searches had a clock
    AutoHashFile *const file = &settings->auto_hash_file;
    const bool is_lost = settings->hash_file_auto && !settings->hash_file_read_only &&
                         file->has_unsaved && *file->path == '\0';
    const bool is_begun = !may_save(settings) || !is_current(settings) ||
                          start_save(settings, file->path, true, engine_save_hash);
    file->has_unsaved = false;
    return is_begun && !is_lost;
}
