// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/session.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "chess/fen.h"
#include "uci/commands/hash_files.h"
#include "uci/options.h"

enum {
    CLOSE_MS = 3000, // some GUIs kill an engine 5 s after `quit`
    NO_LIMIT_MS = INT32_MAX,
    AUTO_SAVE_TICK_MS = 200, // between two tests whether to save the hash file, and for signals
    SCRIPT_COMMANDS = 64,    // if so many commands wait, they are those of a script
    SCRIPT_READ_MS = 20,     // in which the reader thread reads the beginning of a script
};

/* Whether a hash file or tables must not be read any further. */
static bool is_stopped(void *ctx)
{
    Session *const session = ctx;
    return session->is_closing ? clock_ms() >= session->close_until_ms : session_ends_task(session);
}

bool session_open(Session *session)
{
    *session = (Session){.is_idle = true, .saves_meanwhile = true};
    session->engine = engine_create((uint64_t)options_find("Hash")->initial);
    if (session->engine == NULL)
        return false;
    mutex_init(&session->lock);
    cond_init(&session->arrived);
    output_init(&session->out);
    options_init(&session->settings, session->engine, &session->out);
    engine_on_clear(session->engine, hash_auto_before_clear, &session->settings);
    session->settings.game_seed = (uint64_t)clock_us();
    session->settings.is_stopped = is_stopped;
    session->settings.ctx = session;
    setup_init(&session->setup);
    return true;
}

/* From now on, all saves of hash files together have CLOSE_MS. The lock is held. */
static void limit_saves(Session *session)
{
    if (!session->limits_saves)
        engine_limit_saves(session->engine, CLOSE_MS);
    session->limits_saves = true;
}

/* Stops a running search and ends all saves of hash files, in CLOSE_MS unless `has_time`. False
 * when HashFile Auto could not save. */
static bool end_saving(Session *session, bool has_time)
{
    engine_stop(session->engine);
    engine_wait(session->engine);
    session->is_closing = true;
    session->close_until_ms = clock_ms() + (has_time ? NO_LIMIT_MS : CLOSE_MS);
    mutex_lock(&session->lock);
    if (!has_time)
        limit_saves(session);
    mutex_unlock(&session->lock);
    const bool is_begun = hash_auto_end(&session->settings);
    return engine_end_save(session->engine) && is_begun;
}

/* To be called before and after each command and each wait. While HashFile Auto has something to
 * save, Ctrl-C and its like only set a flag, which ends a long command, too (ends_task()). If it is
 * set, saves and ends the program. */
static void watch_signals(Session *session)
{
    if (!interrupt_pending() && hash_auto_has_unsaved(&session->settings)) {
        interrupt_watch_unless_ignored();
        session->watches_signals = true;
    } else if (session->watches_signals) {
        session->watches_signals = false;
        if (interrupt_release())
            session_end_by_signal(session);
    }
}

bool session_close(Session *session)
{
    watch_signals(session);
    const bool is_saved = end_saving(session, session->is_command_line);
    const bool is_interrupted = session->watches_signals && interrupt_release();
    engine_destroy(session->engine);
    output_close(&session->out);
    cond_destroy(&session->arrived);
    mutex_destroy(&session->lock);
    if (is_interrupted)
        interrupt_end();
    return is_saved;
}

static QueuedCommand *command_create(const Command *command, const char *arguments)
{
    const size_t size = strlen(arguments) + 1;
    QueuedCommand *const queued = malloc(sizeof *queued + size);
    if (queued == NULL)
        return NULL;
    *queued = (QueuedCommand){.command = command};
    memcpy(queued->arguments, arguments, size);
    return queued;
}

/* Runs a command of the kind BY_SEARCH and frees it. The lock is held, so that its answer is
 * printed before the best move. After the best move it would have to wait for its turn. */
static void run_now(Session *session, QueuedCommand *queued)
{
    atomic_store(&session->out.blocks_input, true);
    queued->command->run(session, queued->arguments);
    atomic_store(&session->out.blocks_input, false);
    free(queued);
}

/* False also for a line that is no command. */
static bool has_effect(const Command *command, SearchEffect effect)
{
    return command != NULL && command->effect == effect;
}

/* Appends to the queue. The lock is held. */
static void append(Session *session, QueuedCommand *queued)
{
    queued->serial = ++session->newest;
    if (session->first == NULL)
        session->first = queued;
    else
        session->last->next = queued;
    session->last = queued;
    if (has_effect(queued->command, SEARCH_AWAITED))
        session->newest_wait = queued->serial;
    cond_signal(&session->arrived);
}

/* True for a command that stops the search, and for `wait`. */
static bool is_in_order(const QueuedCommand *queued)
{
    return has_effect(queued->command, SEARCH_STOPS) || has_effect(queued->command, SEARCH_AWAITED);
}

/* True when the command thread runs no command before the search ends by itself. Otherwise
 * `isready` waits for its turn. The lock is held. */
static bool is_command_thread_free(const Session *session)
{
    if (session->awaits != SEARCH_ENDS)
        return session->is_idle && session->first == NULL;
    const QueuedCommand *queued = session->first;
    while (queued != NULL && !is_in_order(queued))
        queued = queued->next;
    return queued == NULL;
}

/* True until the client can read the best move. The search may then still need a moment to end, but
 * the client's next commands must already be executed in order. The lock is held. */
static bool is_searching_for_client(const Session *session)
{
    return engine_is_searching(session->engine) && !session->search_answers;
}

void session_receive(Session *session, const Command *command, char *arguments)
{
    if (command != NULL && command->thread == BY_READER) {
        command->run(session, arguments);
        return;
    }
    QueuedCommand *const queued = command_create(command, arguments);
    if (queued == NULL) {
        output_line(&session->out, "info string error: out of memory for a line of input");
        return;
    }
    /* All tests and their effects are under the lock. So if a search starts after the first test,
     * session_await() finds the command in the queue; and if `stops` is true, engine_stop() ends
     * the search that is awaited, not a later one. */
    mutex_lock(&session->lock);
    const bool runs_now = command != NULL && command->thread == BY_SEARCH &&
                          is_searching_for_client(session) && is_command_thread_free(session);
    const bool stops = session->awaits == SEARCH_ENDS && has_effect(command, SEARCH_STOPS);
    if (runs_now)
        run_now(session, queued);
    else
        append(session, queued);
    if (stops)
        engine_stop(session->engine);
    mutex_unlock(&session->lock);
}

void session_fail(Session *session, const char *format, ...)
{
    StrBuf text = {0};
    va_list values;
    va_start(values, format);
    strbuf_add(&text, "info string error: ");
    strbuf_add_list(&text, format, values);
    va_end(values);
    output_buffer_line(&session->out, &text);
    session->failed = true;
}

bool session_takes_none(Session *session, const char *command, const char *arguments)
{
    const bool is_good = arguments[strspn(arguments, TEXT_SPACES)] == '\0';
    if (!is_good)
        session_fail(session, "%s takes no arguments", command);
    return is_good;
}

bool session_keeps_file(Session *session, const char *command, const char *path)
{
    const char *const kind = hash_files_kept_kind(path);
    if (kind != NULL)
        session_fail(session, "%s: '%s' is a %s", command, path, kind);
    return kind != NULL;
}

bool session_read_fen(Session *session, const char *command, const char *text, Position *pos)
{
    char error[FEN_ERROR_MAX];
    const bool is_good = fen_parse(pos, text, session->settings.chess960, error);
    if (!is_good)
        session_fail(session, "%s: %s", command, error);
    else if (*error != '\0')
        output_line(&session->out, "info string %s: %s", command, error);
    return is_good;
}

/* The reader thread may still wait for input, so nothing is freed. */
void session_end_by_signal(Session *session)
{
    const bool has_time = interrupt_is_from_keyboard(); // a second Ctrl-C ends the saves
    output_end(&session->out); // does not wait long for a reader of the output
    end_saving(session, has_time);
    learning_flush(engine_learning(session->engine),
                   has_time ? CLOSE_MS : session->close_until_ms - clock_ms());
    interrupt_end();
}

/* True when HashFile Auto may save while the command thread waits. */
static bool saves_meanwhile(const Session *session)
{
    return session->settings.hash_file_auto && session->saves_meanwhile;
}

/* True when a signal asks for the end of the program. */
static bool is_interrupted(const Session *session)
{
    return session->watches_signals && interrupt_pending();
}

QueuedCommand *session_next(Session *session)
{
    const bool saves = saves_meanwhile(session);
    if (saves) // also between commands that leave no pause
        hash_auto_tick(&session->settings);
    watch_signals(session);
    mutex_lock(&session->lock);
    session->is_idle = true;
    while (session->first == NULL && !session->closed && !is_interrupted(session)) {
        if (!saves && !session->watches_signals) {
            cond_wait(&session->arrived, &session->lock);
        } else if (!cond_wait_ms(&session->arrived, &session->lock, AUTO_SAVE_TICK_MS) && saves) {
            mutex_unlock(&session->lock);
            hash_auto_tick(&session->settings);
            mutex_lock(&session->lock);
        }
    }
    session->is_idle = false;
    QueuedCommand *const queued = session->first;
    if (queued != NULL) {
        session->first = queued->next;
        session->serial = queued->serial;
    }
    mutex_unlock(&session->lock);
    watch_signals(session);
    return queued;
}

void session_stop(Session *session)
{
    mutex_lock(&session->lock);
    session->stopped_to = session->newest;
    session->spared_from =
        engine_is_searching(session->engine) ? session->search_serial + 1 : UINT64_MAX;
    mutex_unlock(&session->lock);
    engine_stop(session->engine);
}

void session_ponderhit(Session *session)
{
    mutex_lock(&session->lock);
    session->ponderhit_to = session->newest;
    mutex_unlock(&session->lock);
    engine_ponderhit(session->engine);
}

/* True when the last search has a limit, so that it ends by itself. The lock is held. */
static bool ends_by_itself(const Session *session)
{
    return session->search_ends &&
           (!session->search_ponders || session->ponderhit_to >= session->search_serial);
}

/* True when nobody can read the output any more and the input has ended, too: a client has ended
 * without `quit`. The lock is held. */
static bool is_abandoned(const Session *session)
{
    return session->closed && atomic_load(&session->out.has_failed);
}

/* True when the input has ended and nobody needs the result of the last search. The lock is held.
 */
static bool is_orphan(const Session *session)
{
    const bool is_awaited = session->is_script || session->newest_wait > session->search_serial;
    return is_abandoned(session) || (session->closed && !(ends_by_itself(session) && is_awaited));
}

/* True when a command in the queue stops searches. The lock is held. */
static bool has_stopping_command(const Session *session)
{
    for (const QueuedCommand *q = session->first; q != NULL; q = q->next)
        if (has_effect(q->command, SEARCH_STOPS))
            return true;
    return false;
}

/* True when `stop` applies to the command with this serial, which runs or has started the last
 * search. A command that has only waited for the search that the stop ended is spared. The lock is
 * held. */
static bool was_stopped(const Session *session, uint64_t serial)
{
    const bool is_spared = session->effect == SEARCH_ENDS && serial >= session->spared_from;
    return session->stopped_to >= serial && !is_spared;
}

/* True when a search or long command has run for more than `ms` and no command has stopped it: the
 * next `go` stops a search, but waits for the end of such a command as bench. The lock is held. */
static bool runs_old_task(const Session *session, int ms)
{
    const bool is_command = !session->is_idle && session->search_serial == session->serial;
    const bool has_next = session->awaits == SEARCH_STOPS || has_stopping_command(session);
    const bool is_stopped =
        was_stopped(session, session->search_serial) || (has_next && !is_command);
    return (is_command || engine_is_searching(session->engine)) && !is_stopped &&
           clock_ms() - session->search_ms > ms;
}

bool session_is_endless(Session *session)
{
    mutex_lock(&session->lock);
    const bool is_endless = engine_is_searching(session->engine) && !session->closed &&
                            !ends_by_itself(session) &&
                            !was_stopped(session, session->search_serial);
    mutex_unlock(&session->lock);
    return is_endless;
}

void session_input_complete(Session *session, int longest_ms)
{
    mutex_lock(&session->lock);
    session->is_script |= !runs_old_task(session, longest_ms);
    mutex_unlock(&session->lock);
}

/* True when nobody needs the files that the current command waits for: the client has ended, and
 * has sent no `wait` that is still to be done. The lock is held. */
static bool is_save_orphan(const Session *session)
{
    return !session->is_script && !session->is_command_line &&
           session->newest_wait < session->serial;
}

void session_input_end(Session *session)
{
    /* Before the lock, which a thread may hold that waits for a reader of the output. The output of
     * a script may be read slowly, such as by a pager. */
    if (!session->is_script)
        output_end(&session->out);
    mutex_lock(&session->lock);
    session->closed = true;
    session->keeps_task = !runs_old_task(session, SESSION_SCRIPT_MS);
    cond_signal(&session->arrived);
    if (is_orphan(session))
        engine_stop(session->engine);
    if (is_save_orphan(session))
        limit_saves(session);
    mutex_unlock(&session->lock);
}

bool session_input_has_ended(Session *session)
{
    mutex_lock(&session->lock);
    const bool is_shut = session->closed;
    mutex_unlock(&session->lock);
    return is_shut;
}

void session_new_game(Session *session)
{
    engine_new_game(session->engine);
    if (session->settings.is_weak)
        engine_clear_strong_results(session->engine); // those of an analysis
    session->setup.in_game = false;
    session->settings.game_seed = (uint64_t)clock_us();
}

/* Notes a search for HashFile Auto; while a clock runs nothing is saved. */
static void note_search(Session *session, bool has_clock)
{
    hash_auto_note(&session->settings);
    session->saves_meanwhile = !has_clock;
}

void session_begin_analysis(Session *session)
{
    hash_auto_load(&session->settings);
    note_search(session, false);
}

/* Reports of the running search, as a ReportFn. */
static void write_report(void *ctx, const Report *report)
{
    Session *const session = ctx;
    if (report->kind == REPORT_DONE) {
        mutex_lock(&session->lock);
        session->search_answers = true;
        mutex_unlock(&session->lock);
    }
    report_write(&session->writer, report);
    if (!atomic_load(&session->out.has_failed))
        return;
    mutex_lock(&session->lock);
    if (is_abandoned(session))
        engine_stop(session->engine);
    mutex_unlock(&session->lock);
}

/* Notes that the current command begins a search or a long task. */
static void note_begin(Session *session, bool ends, bool ponders)
{
    mutex_lock(&session->lock);
    session->search_answers = false;
    session->search_serial = session->serial;
    session->search_ms = clock_ms();
    session->search_ends = ends;
    session->search_ponders = ponders;
    mutex_unlock(&session->lock);
}

void session_search(Session *session, const Limits *limits)
{
    session->writer = (ReportWriter){
        .out = &session->out,
        .style = {.chess960 = settings_chess960(&session->settings, &session->setup.pos),
                  .shows_wdl = session->settings.shows_wdl || session->settings.shows_wdl_too,
                  .material = pos_material(&session->setup.pos)},
    };
    session->setup.in_game = limits->has_clock && !limits->infinite;
    SearchJob job = session->settings.job;
    job.root = session->setup.pos;
    job.path = session->setup.path;
    job.limits = *limits;
    job.strength = options_strength(&session->settings, &job.root, limits);
    job.report = write_report;
    job.ctx = session;
    if (!strength_is_full(&job.strength))
        engine_clear_strong_results(session->engine); // before note_search(): these are to be saved
    note_begin(session, limits_end(limits), limits->ponder);
    note_search(session, limits->has_clock || limits->ponder);
    watch_signals(session); // before the search prints: a client may answer with a signal
    engine_start(session->engine, &job);

    // Apply a `stop` or `ponderhit` that the reader handled before the search started.
    mutex_lock(&session->lock);
    const bool ends = was_stopped(session, session->serial) || is_orphan(session);
    const bool was_hit = session->ponderhit_to >= session->serial;
    mutex_unlock(&session->lock);
    if (was_hit)
        engine_ponderhit(session->engine);
    if (ends)
        engine_stop(session->engine);
}

void session_begin_task(Session *session)
{
    if (!engine_is_searching(session->engine))
        note_begin(session, true, false);
}

/* Whether the current command must end; with `only_old` a young one is completed. */
static bool ends_task(Session *session, bool only_old)
{
    thread_web_turn();
    mutex_lock(&session->lock);
    const bool is_kept = only_old && session->keeps_task && !is_abandoned(session);
    const bool ends = was_stopped(session, session->serial) || (is_orphan(session) && !is_kept);
    mutex_unlock(&session->lock);
    return ends || interrupt_pending();
}

bool session_ends_task(Session *session)
{
    return ends_task(session, false);
}

bool session_ends_old_task(Session *session)
{
    return ends_task(session, true);
}

/* Runs the commands in the queue that may run during a search, up to the first one that stops it or
 * waits for it. The lock is held. */
static void run_search_commands(Session *session)
{
    QueuedCommand **place = &session->first;
    bool is_running = true;
    session->last = NULL;
    while (*place != NULL) {
        QueuedCommand *const queued = *place;
        is_running &= !is_in_order(queued);
        if (is_running && queued->command != NULL && queued->command->thread == BY_SEARCH) {
            *place = queued->next;
            run_now(session, queued);
        } else {
            session->last = queued;
            place = &queued->next;
        }
    }
}

/* Waits for the end of the search. */
static void await_search(Session *session)
{
    const bool saves = saves_meanwhile(session);
    watch_signals(session);
    while ((saves || session->watches_signals) && !is_interrupted(session) &&
           !engine_wait_ms(session->engine, AUTO_SAVE_TICK_MS))
        if (saves)
            hash_auto_tick(&session->settings);
    watch_signals(session);
    engine_wait(session->engine);
}

/* True when the commands are those of a script: all are read, or so many that nobody can have
 * waited for their answers. The lock is held. */
static bool is_scripted(const Session *session)
{
    return session->is_script || session->newest - session->serial >= SCRIPT_COMMANDS;
}

/* While a search with a limit is young: waits until the reader thread has read enough to tell
 * whether the input is a script. The lock is held. */
static void await_script(Session *session)
{
    while (is_searching_for_client(session) && ends_by_itself(session) && !is_scripted(session) &&
           clock_ms() - session->search_ms < SCRIPT_READ_MS)
        cond_wait_ms(&session->arrived, &session->lock, 1);
}

void session_await(Session *session, SearchEffect effect)
{
    mutex_lock(&session->lock);
    session->effect = effect;
    if (effect == SEARCH_STOPS || effect == SEARCH_ENDS)
        await_script(session);
    if (!engine_is_searching(session->engine)) {
        mutex_unlock(&session->lock);
        watch_signals(session); // the search may have ended before any wait for it
        return;
    }
    const bool is_over = !is_searching_for_client(session);
    const bool is_awaited = is_scripted(session) && ends_by_itself(session);
    if (effect == SEARCH_CONTINUES && !is_over && !is_awaited) {
        mutex_unlock(&session->lock);
        return;
    }
    if (is_awaited)
        effect = SEARCH_AWAITED;
    session->awaits = effect;
    const bool ends_endless =
        session->stops_endless && effect != SEARCH_CONTINUES && !ends_by_itself(session);
    const bool stops = effect == SEARCH_STOPS || ends_endless ||
                       (effect == SEARCH_ENDS && has_stopping_command(session));
    if (effect == SEARCH_ENDS && !is_over)
        run_search_commands(session);
    mutex_unlock(&session->lock);
    if (stops)
        engine_stop(session->engine);
    await_search(session);
    mutex_lock(&session->lock);
    session->awaits = SEARCH_CONTINUES;
    mutex_unlock(&session->lock);
}
