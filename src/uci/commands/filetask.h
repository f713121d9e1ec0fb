// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The commands that work through a file of positions or games: their arguments, their searches, and
 * their progress bar. */

#include "base/progress.h"
#include "uci/session.h"

enum { FILE_TASK_ERROR_MAX = 240 };

/* The arguments: one or two files, a limit in the words of `go`, switches. Files point into the
 * parsed text; a file name with blanks must be in double quotes. */
typedef struct {
    const char *files[2];
    int file_count;
    Limits limits;
    const char *csv; // file of --csv; NULL: none
    bool is_json;    // --json
} FileTaskOptions;

/* What a command accepts. */
typedef struct {
    const char *name;
    int most_files;
    bool takes_csv;
    Limits limits; // if the arguments have none
} FileTaskForm;

/* Parses the arguments and modifies their text. False, with the reason in `error`
 * (FILE_TASK_ERROR_MAX bytes), when they are faulty. */
bool file_task_parse(FileTaskOptions *options, const FileTaskForm *form, char *arguments,
                     char *error);

/* The state of a running command: `session` and `name`, then zeros. */
typedef struct {
    Session *session;
    const char *name;
    Progress progress;
    bool has_progress;
    bool has_begun; // signals stop the task
} FileTask;

/* Starts the task, whose searches have no clock: from now on Ctrl-C, SIGTERM and SIGHUP do not end
 * the program but stop the task. */
void file_task_begin(FileTask *task);

/* After the last search: removes the bar from the screen. */
void file_task_end(FileTask *task);

/* After the last output: signals end the program again, at once if SIGTERM or SIGHUP has stopped
 * the task. */
void file_task_leave(FileTask *task);

/* Shows `done` of `total` steps on stderr, if that is a terminal. */
void file_task_progress(FileTask *task, uint64_t done, uint64_t total);

/* True after Ctrl-C, `stop` or `quit`. An EngineStopsFn. */
bool file_task_is_stopped(void *task);

/* Removes the bar from the screen, then prints a line and frees it. */
void file_task_print(FileTask *task, StrBuf *line);

/* Prints `info string error: NAME: ...` or, for a warning, `info string NAME: ...`. */
void file_task_fail(FileTask *task, const char *format, ...) __attribute__((format(printf, 2, 3)));
void file_task_warn(FileTask *task, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A search of `root` with the session's options. */
SearchJob file_task_job(const FileTask *task, const Position *root, const Limits *limits);
