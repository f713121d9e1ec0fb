// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/filetask.h"

#include <stdarg.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/text.h"
#include "uci/commands/hash_files.h"
#include "uci/commands/memory.h"
#include "uci/go.h"
#include "uci/options.h"

/* True for the words that limit a search of a single position. */
static bool is_limit(const char *word)
{
    static const char *const WORDS[] = {"depth", "nodes", "movetime", "mate"};
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++)
        if (strcmp(word, WORDS[i]) == 0)
            return true;
    return false;
}

static bool parse_words(FileTaskOptions *options, const FileTaskForm *form, char *arguments,
                        StrBuf *limit, char *error)
{
    char *cursor = arguments;
    for (char *word = text_quoted_word(&cursor); word != NULL; word = text_quoted_word(&cursor)) {
        const bool is_csv = form->takes_csv && strcmp(word, "--csv") == 0;
        const char *const value = is_csv || is_limit(word) ? text_quoted_word(&cursor) : "";
        if (value == NULL) {
            snprintf(error, FILE_TASK_ERROR_MAX, "%.40s needs a %s", word,
                     is_csv ? "file" : "number");
            return false;
        }
        if (is_csv)
            options->csv = value;
        else if (strcmp(word, "--json") == 0)
            options->is_json = true;
        else if (is_limit(word))
            strbuf_add(limit, "%s %s ", word, value);
        else if (options->file_count < form->most_files && strncmp(word, "--", 2) != 0)
            options->files[options->file_count++] = word;
        else {
            snprintf(error, FILE_TASK_ERROR_MAX, "'%.*s' is not understood", text_cut(word, 80),
                     word);
            return false;
        }
    }
    return true;
}

bool file_task_parse(FileTaskOptions *options, const FileTaskForm *form, char *arguments,
                     char *error)
{
    StrBuf limit = {0};
    *options = (FileTaskOptions){.limits = form->limits};
    bool is_good = parse_words(options, form, arguments, &limit, error);
    if (is_good && limit.length > 0)
        is_good = go_parse_limits(&options->limits, limit.text, error, FILE_TASK_ERROR_MAX);
    if (limit.is_cut) {
        snprintf(error, FILE_TASK_ERROR_MAX, "out of memory");
        is_good = false;
    }
    strbuf_free(&limit);
    if (is_good && options->file_count == 0) {
        snprintf(error, FILE_TASK_ERROR_MAX, "needs a file, see help %s", form->name);
        is_good = false;
    }
    return is_good;
}

void file_task_begin(FileTask *task)
{
    task->has_begun = true;
    session_begin_analysis(task->session);
    memory_apply(task->session);
    if (!interrupt_pending()) // else a signal that the session watches has come since the command
        interrupt_watch();
}

void file_task_end(FileTask *task)
{
    if (task->has_progress)
        progress_clear(&task->progress);
    memory_print_error(task->session);
}

void file_task_leave(FileTask *task)
{
    if (!task->has_begun || !interrupt_release())
        return;
    task->session->is_interrupted = true;
    if (!interrupt_is_from_keyboard())
        session_end_by_signal(task->session);
}

void file_task_progress(FileTask *task, uint64_t done, uint64_t total)
{
    if (total == 0)
        return;
    if (!task->has_progress)
        progress_start(&task->progress, task->name, total);
    task->has_progress = true;
    if (task->progress.is_terminal)
        progress_update(&task->progress, done);
}

bool file_task_is_stopped(void *task)
{
    FileTask *const t = task;
    hash_auto_tick(&t->session->settings);
    hash_auto_note(&t->session->settings); // the next search of the task
    return session_ends_task(t->session);
}

void file_task_print(FileTask *task, StrBuf *line)
{
    if (task->has_progress)
        progress_clear(&task->progress);
    output_buffer_line(&task->session->out, line);
}

static void complain(FileTask *task, const char *kind, const char *format, va_list values)
{
    StrBuf line = {0};
    strbuf_add(&line, "info string %s%s: ", kind, task->name);
    strbuf_add_list(&line, format, values);
    file_task_print(task, &line);
}

void file_task_fail(FileTask *task, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    complain(task, "error: ", format, values);
    va_end(values);
    task->session->failed = true;
}

void file_task_warn(FileTask *task, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    complain(task, "", format, values);
    va_end(values);
}

SearchJob file_task_job(const FileTask *task, const Position *root, const Limits *limits)
{
    SearchJob job = task->session->settings.job;
    job.root = *root;
    job.limits = *limits;
    job.strength = options_strength(&task->session->settings, root, limits);
    path_start(&job.path, root);
    return job;
}
