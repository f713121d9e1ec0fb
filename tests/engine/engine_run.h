// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Runs a search to its end and records its reports, for the tests of search and engine. */

#include <stdatomic.h>

#include "engine/engine.h"

enum { RUN_LINES = 600 };

typedef struct {
    Report lines[RUN_LINES]; // REPORT_LINE, in order; their `pv` points into `pvs`
    Move pvs[RUN_LINES][MAX_PLY + 1];
    int line_count;
    int done_count; // number of REPORT_DONE reports
    Move best, ponder;
    atomic_int depth; // of the last line; may be read while the search runs
} Run;

/* Creates an engine with one thread that evaluates by the bootstrap rules, so that expected results
 * do not change with the network. Fails the test when memory is short. The caller destroys it. */
Engine *run_open_engine(uint64_t hash_mib);

/* A job at `fen` without limits that reports into `run`, which is emptied first. Fails the test on
 * a bad FEN. */
SearchJob run_job(Run *run, const char *fen);

/* Ignores all that a save of the table tells. */
extern const HashSaveListener run_ignore_save;

/* Starts the job and waits for its end. */
void run_search(Engine *engine, const SearchJob *job);

/* Stops the search and waits for its end. */
void stop_search(Engine *engine);

/* Wait until the running search has reported a line of this depth, or has searched this many nodes.
 * Fail the test after 10 s. */
void run_await_depth(const Run *run, int depth);
void run_await_nodes(const Engine *engine, uint64_t nodes);

/* The last line with multipv 1; fails the test when there is none. */
const Report *run_last(const Run *run);

/* The search of `job` has reported once that it is done, with a legal move that begins its last
 * line. */
void run_check_done(const Run *run, const SearchJob *job);
