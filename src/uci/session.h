// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The state of one UCI session, shared by two threads. The reader thread reads lines and never
 * waits for a search or for other commands: it runs `stop`, `ponderhit`, `quit`, and `isready`
 * while only the search runs. All other commands enter a queue, which the command thread runs in
 * order. Commands have serial numbers in the order of reading, so that a `stop` read while its `go`
 * is still in the queue stops that search, too. */

#include "uci/command.h"
#include "uci/report.h"
#include "uci/settings.h"
#include "uci/setup.h"

/* A command in the queue. */
typedef struct QueuedCommand {
    struct QueuedCommand *next;
    const Command *command; // NULL: the line has no known command
    uint64_t serial;        // from 1
    char arguments[];       // the text after the command's name, or the whole line
} QueuedCommand;

/* Callbacks for a program that adds something to the UCI engine. The command thread calls them. */
typedef struct {
    void (*opened)(void *ctx, Engine *engine); // before the first command
    /* Before each one. Returns NULL, or why it has no effect there: a constant. */
    const char *(*command)(void *ctx, const char *name, const char *arguments);
    void *ctx;
} SessionListener;

typedef struct Session {
    Mutex lock;   // protects the fields down to `effect`
    Cond arrived; // a command was queued, or the input ended
    QueuedCommand *first, *last;
    uint64_t newest;        // serial of the last queued command
    uint64_t newest_wait;   // serial of the last queued `wait`
    uint64_t stopped_to;    // greatest serial that `stop` applies to
    uint64_t spared_from;   // `stop` does not end commands with the effect SEARCH_ENDS and this
                            // serial or a greater one: they only waited for the stopped search
    uint64_t ponderhit_to;  // greatest serial that `ponderhit` applies to
    uint64_t search_serial; // serial of the last command that searches or may last long
    bool search_ends;       // it has a limit, so it ends by itself
    bool search_ponders;    // it ponders, so it ends only after `ponderhit`
    int64_t search_ms;      // clock_ms() when it started
    bool search_answers;    // that search is printing or has printed its best move: for the client
                            // it is over, even if its threads have not ended yet
    bool is_script;    // the input is complete, see session_input_complete(); only the thread that
                       // calls that function and session_input_end() writes it
    bool closed;       // no more input: `quit` or end of the input
    bool keeps_task;   // at the end of the input, no search or long command had run for more
                       // than SESSION_SCRIPT_MS: session_ends_old_task() lets it run on
    bool limits_saves; // all saves of hash files together have only a few seconds from now on
    bool is_idle;      // the command thread waits for a command
    SearchEffect awaits; // effect of the command that waits for the search; SEARCH_CONTINUES: no
                         // command waits
    uint64_t serial;     // of the command that runs now
    SearchEffect effect; // of this command

    /* Of the command thread only, except `out` and `engine`, which have their own locks. */
    Output out;
    Engine *engine;
    Settings settings;
    Setup setup;
    const SessionListener *listener; // NULL: none
    ReportWriter writer;
    bool watches_signals; // Ctrl-C and its like only set a flag: HashFile Auto has to save
    bool stops_endless;   // a command that waits for a search without a limit stops it
    bool saves_meanwhile; // no clock runs: HashFile Auto may save its file
    bool is_command_line; // the commands are arguments of the program: no client waits for its end
    bool is_interrupted;  // Ctrl-C has ended a command that works through a file
    bool is_closing;      // session_close() was called
    int64_t close_until_ms; // then: when files must be closed (clock_ms())
    bool failed;            // a command failed
} Session;

/* Initialises the session and its engine; session_close() frees them. False when memory is short.
 */
bool session_open(Session *session);

/* Stops a running search, which still prints its best move; saves what HashFile Auto has, and waits
 * for that and for a save that runs, at most a few seconds if there is a client; frees everything.
 * False when a file could not be saved. If a signal comes while HashFile Auto saves, the program
 * ends by that signal after the save. */
bool session_close(Session *session);

/* Runs the command at once if it belongs to the reader thread, else appends it to the queue. May
 * modify `arguments`. Reader thread only. */
void session_receive(Session *session, const Command *command, char *arguments);

/* Prints `info string error: ` and the formatted text; the program's status will be a failure.
 * Command thread only. */
void session_fail(Session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* For a command without arguments: false, with an error, when the text is not empty. Command thread
 * only. */
bool session_takes_none(Session *session, const char *command, const char *arguments);

/* True when a command must not replace the file `path` (hash_files_kept_kind()): prints that
 * `command` fails. Command thread only. */
bool session_keeps_file(Session *session, const char *command, const char *path);

/* Parses a FEN in the arguments of `command` and prints errors and repairs as info strings. False,
 * with `pos` unchanged, when the FEN is invalid. */
bool session_read_fen(Session *session, const char *command, const char *text, Position *pos);

/* After such a signal as Ctrl-C: saves what HashFile Auto and position learning have, then ends the
 * program by this signal. */
_Noreturn void session_end_by_signal(Session *session);

/* Waits for the next command, which the caller frees; NULL when the queue is empty and no more
 * input will come. If HashFile Auto has something to save, Ctrl-C, SIGTERM and SIGHUP end the
 * program only after the save. */
QueuedCommand *session_next(Session *session);

/* Applies `stop` to all commands read so far: ends their searches and long commands such as perft,
 * but not a command that has only waited for the end of a search. Any thread. */
void session_stop(Session *session);

/* Applies a ponderhit to the searches of all commands read so far. Any thread. */
void session_ponderhit(Session *session);

/* To be called when the input is complete: nobody can send `stop` any more. From now on a search
 * with a limit runs to its end, and the commands after it wait for that. No effect when a search
 * has run for a while, longer than SESSION_SCRIPT_MS or, if the input ends with `quit`,
 * SESSION_QUIT_MS, and no command has stopped it: then the input is not a script, but a client has
 * ended. */
enum { SESSION_SCRIPT_MS = 1000, SESSION_QUIT_MS = 200 };
void session_input_complete(Session *session, int longest_ms);

/* Records the end of the input. Stops a running search, unless it has a limit and either the input
 * is complete or a `wait` was read. Reader thread only, or the only thread. */
void session_input_end(Session *session);

/* True when no more input will be read. Any thread. */
bool session_input_has_ended(Session *session);

/* True while a search runs that ends only when a command ends it. Command thread only. */
bool session_is_endless(Session *session);

/* Starts a new game: waits for a running search, clears the table (in analysis mode it is kept),
 * and draws a new random seed for weaker play. */
void session_new_game(Session *session);

/* To be called before a command such as `suite` or `why` searches by itself, without a clock and
 * without session_search(). Loads the file of `HashFile Auto`, if that is not done yet, and lets
 * the results be saved. Command thread only. */
void session_begin_analysis(Session *session);

/* Starts a search of the current position and returns; the search prints its results itself. No
 * search may be running. Command thread only. */
void session_search(Session *session, const Limits *limits);

/* To be called before a command runs, after session_await(). At the end of the input the command is
 * treated as a search with a limit. No effect while a search runs. Command thread only. */
void session_begin_task(Session *session);

/* True when the current command must end: `stop` applies to it, a signal that is watched has come,
 * or nobody needs it any more because the input has ended, was not a script
 * (session_input_complete()), and no `wait` follows. Any thread. */
bool session_ends_task(Session *session);

/* The same for commands that other engines complete before they read `quit`, such as perft and
 * bench: the end of the input ends them only when they have run for more than a second. */
bool session_ends_old_task(Session *session);

/* To be called before a command with this `effect`. If a search runs:
 *
 * SEARCH_CONTINUES  returns at once; if the best move was printed, waits for the threads to end
 * SEARCH_STOPS      stops the search and waits for its end
 * SEARCH_ENDS       waits for the end of the search. A later command in the queue that stops
 *                   searches, such as `go`, stops this one, too: else the wait could last forever.
 *                   An `isready` before that command is answered at once
 * SEARCH_AWAITED    waits for the end of the search
 *
 * Exception: commands of a script always wait for the end of a search that has a limit. They are
 * those of a script if the input is complete, or if very many of them are in the queue. HashFile
 * Auto saves meanwhile, and signals have the effect that they have in session_next(). Command
 * thread only. */
void session_await(Session *session, SearchEffect effect);
