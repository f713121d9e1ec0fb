// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* One conversation with a GUI, shared by two threads. The reader takes lines in and never waits:
 * `stop`, `ponderhit`, `quit`, and `isready` during a search it serves itself. All other orders
 * queue for the command thread, which alone touches what stands below `holding`, but for `out` and
 * `pool`. Orders are numbered as they are read, so that a `stop` that overtakes its `go` in the
 * queue still stops it. */

#include "uci/command.h"
#include "uci/report.h"
#include "uci/settings.h"
#include "uci/setup.h"

/* A line that was read, waiting to be carried out. */
typedef struct QueuedCommand {
    struct QueuedCommand *next;
    const Command *command; // NULL: none was found in the line
    uint64_t serial;        // from 1
    char arguments[];       // what follows the command's word, or the whole line
} QueuedCommand;

typedef struct Session {
    Mutex lock; // of the fields up to `holding`
    Cond arrived;
    QueuedCommand *first, *last;
    uint64_t newest;        // serial of the last order queued
    uint64_t newest_wait;   // of the last `wait`
    uint64_t stopped_to;    // the searches of orders up to this one have been told to stop
    uint64_t hit_to;        // and of these the pondered move was played
    uint64_t search_serial; // of the order that began the last search
    bool search_ends;       // that search has a limit, which counts
    bool search_ponders;    // once the pondered move was played
    bool closed;            // nothing more will be read
    bool holding;           // the command thread waits for the search to end on behalf of an order

    Output out;
    Engine *engine;
    Settings settings;
    Setup setup;
    ReportWriter writer;
    uint64_t serial; // of the order being carried out
    bool failed;     // an order was refused
} Session;

/* False when there is no memory for it. */
bool session_open(Session *session);

/* Ends a running search, whose best move is still printed. A hash file being saved is given a few
 * seconds. */
void session_close(Session *session);

/* Carries out at once what may not wait and queues the rest; `arguments` is written to. The
 * reader's, and only its. */
void session_receive(Session *session, const Command *command, char *arguments);

/* Reads a FEN given to a command and says what is wrong with it, or was mended; false when it is
 * none, and `pos` as it was. */
bool session_read_fen(Session *session, const char *command, const char *text, Position *pos);

/* The next order, which the caller frees; NULL once the session is closed and the queue empty. */
QueuedCommand *session_next(Session *session);

/* Any thread: ends the searches and counts of all orders read so far. */
void session_stop(Session *session);

/* Any thread: the move pondered on in the orders read so far was played. */
void session_ponderhit(Session *session);

/* Any thread: nothing more will be read. Ends running searches, but lets one with a limit finish
 * for a `wait` that was read. */
void session_shut(Session *session);

/* True once nothing more will be read. Any thread. */
bool session_is_shut(Session *session);

/* Forgets the last game. */
void session_new_game(Session *session);

/* Starts a search of the position set up, as part of the current order. */
void session_search(Session *session, const Limits *limits);

/* True when the current order was told to stop. */
bool session_is_stopped(Session *session);

/* Returns when no search runs; an `isready` in the queue is answered meanwhile. With `yields`, an
 * order in the queue that stops searches stops this one, or it would never come to its turn. */
void session_await(Session *session, bool yields);
