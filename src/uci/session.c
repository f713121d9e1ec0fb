// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/session.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "chess/fen.h"
#include "uci/options.h"

enum { SAVE_ENDS_MS = 3000 }; // GUIs kill an engine five seconds after `quit`

static bool is_stopped(void *ctx)
{
    return session_is_stopped(ctx);
}

bool session_open(Session *session)
{
    *session = (Session){.closed = false};
    session->engine = engine_create((uint64_t)options_find("Hash")->initial);
    if (session->engine == NULL)
        return false;
    mutex_init(&session->lock);
    cond_init(&session->arrived);
    output_init(&session->out);
    options_init(&session->settings, session->engine, &session->out);
    session->settings.game_seed = (uint64_t)clock_us();
    session->settings.is_stopped = is_stopped;
    session->settings.ctx = session;
    setup_init(&session->setup);
    return true;
}

void session_close(Session *session)
{
    engine_stop(session->engine);
    engine_wait(session->engine);
    engine_end_save(session->engine, SAVE_ENDS_MS);
    engine_destroy(session->engine);
    output_close(&session->out);
    cond_destroy(&session->arrived);
    mutex_destroy(&session->lock);
}

static QueuedCommand *order_create(const Command *command, const char *arguments)
{
    const size_t size = strlen(arguments) + 1;
    QueuedCommand *const order = malloc(sizeof *order + size);
    if (order == NULL)
        return NULL;
    *order = (QueuedCommand){.command = command};
    memcpy(order->arguments, arguments, size);
    return order;
}

/* Puts the order last in the queue. The lock is held. */
static void append(Session *session, QueuedCommand *order)
{
    order->serial = ++session->newest;
    if (session->first == NULL)
        session->first = order;
    else
        session->last->next = order;
    session->last = order;
    if (order->command != NULL && order->command->effect == SEARCH_AWAITED)
        session->newest_wait = order->serial;
    cond_signal(&session->arrived);
}

void session_receive(Session *session, const Command *command, char *arguments)
{
    if (command != NULL && command->thread == BY_READER) {
        command->run(session, arguments);
        return;
    }
    QueuedCommand *const order = order_create(command, arguments);
    if (order == NULL) {
        output_line(&session->out, "info string error: no memory for a line of input");
        return;
    }
    /* Asked under the lock, so that an order queued because no search ran is seen by
     * session_await() should one have begun meanwhile; and the search that an order stops is still
     * the one that is waited for. */
    mutex_lock(&session->lock);
    const bool passes =
        command != NULL && command->thread == BY_SEARCH && engine_is_searching(session->engine);
    const bool stops = session->holding && command != NULL && command->effect == SEARCH_STOPS;
    if (!passes)
        append(session, order);
    if (stops)
        engine_stop(session->engine);
    mutex_unlock(&session->lock);
    if (passes) {
        command->run(session, order->arguments);
        free(order);
    }
}

bool session_read_fen(Session *session, const char *command, const char *text, Position *pos)
{
    char error[FEN_ERROR_MAX];
    const bool is_good = fen_parse(pos, text, session->settings.chess960, error);
    if (*error != '\0')
        output_line(&session->out, "info string %s%s: %s", is_good ? "" : "error: ", command,
                    error);
    session->failed |= !is_good;
    return is_good;
}

QueuedCommand *session_next(Session *session)
{
    mutex_lock(&session->lock);
    while (session->first == NULL && !session->closed)
        cond_wait(&session->arrived, &session->lock);
    QueuedCommand *const order = session->first;
    if (order != NULL) {
        session->first = order->next;
        session->serial = order->serial;
    }
    mutex_unlock(&session->lock);
    return order;
}

void session_stop(Session *session)
{
    mutex_lock(&session->lock);
    session->stopped_to = session->newest;
    mutex_unlock(&session->lock);
    engine_stop(session->engine);
}

void session_ponderhit(Session *session)
{
    mutex_lock(&session->lock);
    session->hit_to = session->newest;
    mutex_unlock(&session->lock);
    engine_ponderhit(session->engine);
}

/* True when nobody is left to stop the last search and nobody asked to wait for it. The lock is
 * held. */
static bool is_orphan(const Session *session)
{
    const bool ends = session->search_ends &&
                      (!session->search_ponders || session->hit_to >= session->search_serial);
    return session->closed && !(ends && session->newest_wait > session->search_serial);
}

void session_shut(Session *session)
{
    mutex_lock(&session->lock);
    session->closed = true;
    cond_signal(&session->arrived);
    if (is_orphan(session))
        engine_stop(session->engine);
    mutex_unlock(&session->lock);
}

bool session_is_shut(Session *session)
{
    mutex_lock(&session->lock);
    const bool is_shut = session->closed;
    mutex_unlock(&session->lock);
    return is_shut;
}

void session_new_game(Session *session)
{
    engine_new_game(session->engine);
    session->settings.game_seed = (uint64_t)clock_us();
}

void session_search(Session *session, const Limits *limits)
{
    session->writer = (ReportWriter){
        .out = &session->out,
        .style = {.chess960 = session->settings.chess960,
                  .shows_wdl = session->settings.shows_wdl,
                  .material = pos_material(&session->setup.pos)},
    };
    SearchJob job = session->settings.job;
    job.root = session->setup.pos;
    job.path = session->setup.path;
    job.limits = *limits;
    job.strength = options_strength(&session->settings, limits);
    job.report = report_write;
    job.ctx = &session->writer;
    mutex_lock(&session->lock);
    session->search_serial = session->serial;
    Limits sure = *limits;
    sure.mate = 0; // there may be none
    session->search_ends = limits_end(&sure);
    session->search_ponders = limits->ponder;
    mutex_unlock(&session->lock);

    engine_start(session->engine, &job);

    // What the reader said before this moment reached no search; what it says from now on does.
    mutex_lock(&session->lock);
    const bool was_stopped = session->stopped_to >= session->serial || is_orphan(session);
    const bool was_hit = session->hit_to >= session->serial;
    mutex_unlock(&session->lock);
    if (was_hit)
        engine_ponderhit(session->engine);
    if (was_stopped)
        engine_stop(session->engine);
}

bool session_is_stopped(Session *session)
{
    mutex_lock(&session->lock);
    const bool is_stopped = session->stopped_to >= session->serial;
    mutex_unlock(&session->lock);
    return is_stopped;
}

/* Takes the orders that a running search lets pass out of the queue and returns them as a list. The
 * lock is held. */
static QueuedCommand *take_passing(Session *session)
{
    QueuedCommand *passing = NULL, **place = &session->first;
    session->last = NULL;
    while (*place != NULL) {
        QueuedCommand *const order = *place;
        if (order->command != NULL && order->command->thread == BY_SEARCH) {
            *place = order->next;
            order->next = passing;
            passing = order;
        } else {
            session->last = order;
            place = &order->next;
        }
    }
    return passing;
}

/* True when an order in the queue stops searches. The lock is held. */
static bool has_stopper(const Session *session)
{
    for (const QueuedCommand *o = session->first; o != NULL; o = o->next)
        if (o->command != NULL && o->command->effect == SEARCH_STOPS)
            return true;
    return false;
}

void session_await(Session *session, bool yields)
{
    if (!engine_is_searching(session->engine))
        return;
    mutex_lock(&session->lock);
    session->holding = yields;
    const bool stops = yields && has_stopper(session);
    QueuedCommand *passing = take_passing(session);
    mutex_unlock(&session->lock);
    while (passing != NULL) {
        QueuedCommand *const order = passing;
        passing = order->next;
        order->command->run(session, order->arguments);
        free(order);
    }
    if (stops)
        engine_stop(session->engine);
    engine_wait(session->engine);
    mutex_lock(&session->lock);
    session->holding = false;
    mutex_unlock(&session->lock);
}
