// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The engine as one object: worker threads that search the same root side by side and share nothing
 * but the table (Lazy SMP), the table itself, and the switches a front end needs. One thread, the
 * front end's, calls everything here but engine_stop(), engine_ponderhit() and
 * engine_is_searching(), which any thread may call at any time. */

#include "eval/eval.h"
#include "learning/learn.h"
#include "nnue/network.h"
#include "search/job.h"
#include "search/stats.h"
#include "syzygy/syzygy.h"
#include "tt/hashsave.h"

typedef struct Engine Engine;

enum { ENGINE_MAX_THREADS = 1024 };

/* A pool of one worker with a table of `hash_mib` MiB or what fits. NULL when the machine has no
 * memory for it. */
Engine *engine_create(uint64_t hash_mib);

/* Stops a running search, ends all threads, frees everything. */
void engine_destroy(Engine *engine);

/* Makes it `threads` workers (1..ENGINE_MAX_THREADS) or as many as the machine allows; returns how
 * many. Waits for a running search. */
int engine_set_threads(Engine *engine, int threads);

/* Gives the table `mib` MiB or, halving, what fits; returns the MiB. What it knows it keeps, as far
 * as there is room; `*kept` is false when it was given up, for want of memory or because the table
 * does not tell the keys (those of 1 MiB, tt.h). Waits for a running search. */
uint64_t engine_set_hash(Engine *engine, uint64_t mib, bool *kept);

/* Empties the table. Waits for a running search. */
void engine_clear_hash(Engine *engine);

/* Gets the memory of an empty table ready, so that the next searches need not wait for it; what
 * takes longer than `ms` milliseconds is left to them, and all of it where there is not much more
 * memory than that. Not during a search. */
void engine_warm_up(Engine *engine, int64_t ms);

/* Keeps entries by another scheme from now on; a change empties the table. Waits for a running
 * search. */
void engine_set_replacement(Engine *engine, Replacement replacement);

/* Forgets everything learned: table, histories, clocks. The next search is as the first of a fresh
 * process. While analysing all but the clocks stays, since GUIs announce a new game with every
 * position. */
void engine_new_game(Engine *engine);

/* Whether what follows is analysis rather than play: nothing in the table grows old while one root
 * leads to the next, and what it knows of a root is not searched for again (resume.h). The same
 * goes, without a clock, for a table that came from a file. Waits for a running search. */
void engine_set_analysing(Engine *engine, bool analysing);

/* Begins to save the table to a file while what follows goes on; only what changes the table as a
 * whole, or its file, waits for the end. The task's `evaluation` is filled in here. False when
 * there is no thread for it. Waits for a running search and an earlier saving. */
bool engine_save_hash(Engine *engine, const HashFileTask *task, const HashSaveListener *listener);

/* Returns when no saving is under way: true unless one was and failed. */
bool engine_await_save(Engine *engine);

/* The same, but one that is not done after `ms` milliseconds is given up. */
bool engine_end_save(Engine *engine, int64_t ms);

/* hashfile_load() into the table, and hashfile_verify(), for what searches evaluate by; a saving is
 * waited for. Loading waits for a running search. */
bool engine_load_hash(Engine *engine, HashFileTask *task, HashFileSummary *out, char *error);
bool engine_verify_hash_file(Engine *engine, HashFileTask *task, HashFileSummary *out, char *error);

/* Evaluates by the network in file `path` from now on, or by the one built in when `path` is "".
 * False, with the reason in `error` (NETWORK_ERROR_MAX bytes) and all as it was, when there is
 * none. On success everything learned is forgotten. Waits for a running search. */
bool engine_set_network(Engine *engine, const char *path, char *error);

/* Evaluates by `source` from now on, whose network, if it has one, outlives the pool. Everything
 * learned is forgotten. Waits for a running search. */
void engine_set_eval(Engine *engine, EvalSource source);

/* Looks positions up in the Syzygy tables of these folders from now on (see syzygy_open()), or in
 * none when `folders` is "". False, with the reason in `error` (SYZYGY_ERROR_MAX bytes) and no
 * tables in use, when they are not all good. The library has one set of tables a process: one pool
 * may use it. A change empties the transposition table, whose scores rest on what was known
 * before. Waits for a running search. */
bool engine_set_syzygy(Engine *engine, const char *folders, char *error);

/* The folders last asked for, good or not; "" at first. */
const char *engine_syzygy_folders(const Engine *engine);

/* How the tables are used from now on. A change of the fifty-move rule empties the transposition
 * table. Waits for a running search. */
void engine_set_syzygy_use(Engine *engine, SyzygyUse use);

/* As set, whatever tables there are. */
SyzygyUse engine_syzygy_use(const Engine *engine);

/* The Syzygy tables in use. */
const SyzygyTables *engine_syzygy_tables(const Engine *engine);

/* Looks up `root`, the last position of `path`, as a search of it would. False, with the reason in
 * `error` (SYZYGY_ERROR_MAX bytes), when the tables know nothing of it. No search may be running.
 */
bool engine_syzygy_look_up(const Engine *engine, const Position *root, const Path *path,
                           SyzygyView *view, char *error);

/* The long memory, which is off at first. What it is asked to do it does between searches. */
Learning *engine_learning(Engine *engine);

/* What searches evaluate by. */
const EvalSource *engine_eval_source(const Engine *engine);

/* Starts a search and returns; no search may be running. The job is copied. */
void engine_start(Engine *engine, const SearchJob *job);

/* Asks a running search to end: REPORT_DONE follows soon. Harmless when none runs. */
void engine_stop(Engine *engine);

/* The move pondered on was played: from now on the clock counts. Harmless when none runs. */
void engine_ponderhit(Engine *engine);

/* Returns once no search runs and its REPORT_DONE was delivered. */
void engine_wait(Engine *engine);

/* The same for at most `ms` milliseconds; false when they passed. */
bool engine_wait_ms(Engine *engine, int64_t ms);

/* True from engine_start() until REPORT_DONE was delivered. */
bool engine_is_searching(Engine *engine);

/* The statistics of the last search, or zeros. No search may be running. */
void engine_stats(Engine *engine, SearchStats *stats);

/* The table, for display commands. No search may be running. */
const Tt *engine_table(const Engine *engine);
