// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The engine as one object: worker threads that search the same root side by side and share nothing
 * but the table (Lazy SMP), the table itself, and the switches a front end needs. One thread, the
 * front end's, calls everything here but pool_stop(), pool_ponderhit() and pool_is_searching(),
 * which any thread may call at any time. */

#include "eval/eval.h"
#include "learning/learn.h"
#include "nnue/network.h"
#include "search/deepening.h"
#include "syzygy/syzygy.h"
#include "tt/hashsave.h"

typedef struct Pool Pool;

enum { POOL_MAX_THREADS = 1024 };

/* A pool of one worker with a table of `hash_mib` MiB or what fits. NULL when the machine has no
 * memory for it. */
Pool *pool_create(uint64_t hash_mib);

/* Stops a running search, ends all threads, frees everything. */
void pool_destroy(Pool *pool);

/* Makes it `threads` workers (1..POOL_MAX_THREADS) or as many as the machine allows; returns how
 * many. Waits for a running search. */
int pool_set_threads(Pool *pool, int threads);

/* Gives the table `mib` MiB or, halving, what fits; returns the MiB. What it knows it keeps, as far
 * as there is room; `*kept` is false when it was given up, for want of memory or because the table
 * does not tell the keys (those of 1 MiB, tt.h). Waits for a running search. */
uint64_t pool_set_hash(Pool *pool, uint64_t mib, bool *kept);

/* Empties the table. Waits for a running search. */
void pool_clear_hash(Pool *pool);

/* Gets the memory of an empty table ready, so that the next searches need not wait for it; what
 * takes longer than `ms` milliseconds is left to them, and all of it where there is not much more
 * memory than that. Not during a search. */
void pool_warm_up(Pool *pool, int64_t ms);

/* Keeps entries by another scheme from now on; a change empties the table. Waits for a running
 * search. */
void pool_set_replacement(Pool *pool, Replacement replacement);

/* Forgets everything learned: table, histories, clocks. The next search is as the first of a fresh
 * process. While analysing all but the clocks stays, since GUIs announce a new game with every
 * position. */
void pool_new_game(Pool *pool);

/* Whether what follows is analysis rather than play: nothing in the table grows old while one root
 * leads to the next, and what it knows of a root is not searched for again (resume.h). The same
 * goes, without a clock, for a table that came from a file. Waits for a running search. */
void pool_set_analysing(Pool *pool, bool analysing);

/* Begins to save the table to a file while what follows goes on; only what changes the table as a
 * whole, or its file, waits for the end. The task's `evaluation` is filled in here. False when
 * there is no thread for it. Waits for a running search and an earlier saving. */
bool pool_save_hash(Pool *pool, const HashFileTask *task, const HashSaveListener *listener);

/* Returns when no saving is under way: true unless one was and failed. */
bool pool_await_save(Pool *pool);

/* The same, but one that is not done after `ms` milliseconds is given up. */
bool pool_end_save(Pool *pool, int64_t ms);

/* hashfile_load() into the table, and hashfile_verify(), for what searches evaluate by; a saving is
 * waited for. Loading waits for a running search. */
bool pool_load_hash(Pool *pool, HashFileTask *task, HashFileSummary *out, char *error);
bool pool_verify_hash_file(Pool *pool, HashFileTask *task, HashFileSummary *out, char *error);

/* Evaluates by the network in file `path` from now on, or by the one built in when `path` is "".
 * False, with the reason in `error` (NETWORK_ERROR_MAX bytes) and all as it was, when there is
 * none. On success everything learned is forgotten. Waits for a running search. */
bool pool_set_network(Pool *pool, const char *path, char *error);

/* Evaluates by `source` from now on, whose network, if it has one, outlives the pool. Everything
 * learned is forgotten. Waits for a running search. */
void pool_set_eval(Pool *pool, EvalSource source);

/* Looks positions up in the Syzygy tables of these folders from now on (see syzygy_open()), or in
 * none when `folders` is "". False, with the reason in `error` (SYZYGY_ERROR_MAX bytes) and no
 * tables in use, when they are not all good. The library has one set of tables a process: one pool
 * may use it. A change empties the transposition table, whose scores rest on what was known
 * before. Waits for a running search. */
bool pool_set_syzygy(Pool *pool, const char *folders, char *error);

/* The folders last asked for, good or not; "" at first. */
const char *pool_syzygy_folders(const Pool *pool);

/* How the tables are used from now on. A change of the fifty-move rule empties the transposition
 * table. Waits for a running search. */
void pool_set_syzygy_use(Pool *pool, SyzygyUse use);

/* As set, whatever tables there are. */
SyzygyUse pool_syzygy_use(const Pool *pool);

/* The Syzygy tables in use. */
const SyzygyTables *pool_syzygy_tables(const Pool *pool);

/* Looks up `root`, the last position of `path`, as a search of it would. False, with the reason in
 * `error` (SYZYGY_ERROR_MAX bytes), when the tables know nothing of it. No search may be running.
 */
bool pool_syzygy_look_up(const Pool *pool, const Position *root, const Path *path, SyzygyView *view,
                         char *error);

/* The long memory, which is off at first. What it is asked to do it does between searches. */
Learning *pool_memory(Pool *pool);

/* What searches evaluate by. */
const EvalSource *pool_eval_source(const Pool *pool);

/* Starts a search and returns; no search may be running. The job is copied. */
void pool_start(Pool *pool, const SearchJob *job);

/* Asks a running search to end: REPORT_DONE follows soon. Harmless when none runs. */
void pool_stop(Pool *pool);

/* The move pondered on was played: from now on the clock counts. Harmless when none runs. */
void pool_ponderhit(Pool *pool);

/* Returns once no search runs and its REPORT_DONE was delivered. */
void pool_wait(Pool *pool);

/* The same for at most `ms` milliseconds; false when they passed. */
bool pool_wait_ms(Pool *pool, int64_t ms);

/* True from pool_start() until REPORT_DONE was delivered. */
bool pool_is_searching(Pool *pool);

/* The statistics of the last search, or zeros. No search may be running. */
void pool_stats(Pool *pool, SearchStats *stats);

/* The table, for display commands. No search may be running. */
const Tt *pool_table(const Pool *pool);
