// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The engine as one object: its search threads (threads.h), the transposition table, the
 * evaluation, tablebases, position learning and hash files, and the settings of a front end. It
 * prepares each search from these settings, and records its outcome.
 *
 * One thread, the front end's, calls all functions except engine_stop(), engine_ponderhit() and
 * engine_is_searching(), which any thread may call at any time, and those below that say so. */

#include "eval/eval.h"
#include "learning/learning.h"
#include "nnue/network.h"
#include "search/job.h"
#include "search/lag.h"
#include "search/peers.h"
#include "search/stats.h"
#include "syzygy/syzygy.h"
#include "tt/hashsave.h"

typedef struct Engine Engine;

enum { ENGINE_MAX_THREADS = 1024 };

/* Creates an engine with one thread, the built-in evaluation and a table of `hash_mib` MiB, or a
 * smaller one when memory is short. Returns NULL when memory or threads do not suffice for that. */
Engine *engine_create(uint64_t hash_mib);

/* Stops a running search, waits for a running save of a hash file, ends all threads and frees
 * everything. */
void engine_destroy(Engine *engine);

/* -- Settings ---------------------------------------------------------------------------------- */

/* Sets the number of search threads to `threads` (1..ENGINE_MAX_THREADS), or fewer when the machine
 * allows no more; returns the number. Waits for a running search. */
int engine_set_threads(Engine *engine, int threads);

/* Resizes the table to `mib` MiB. When memory is short, tries half of that, and so on; when not
 * even 1 MiB is free, the table stays as it is. Returns the size in MiB. Keeps the entries that
 * fit. Sets `*kept` to false when the entries were lost: memory was short, or the table had no
 * whole keys (1 MiB, see tt_has_whole_keys()). Waits for a running search. */
uint64_t engine_set_hash(Engine *engine, uint64_t mib, bool *kept);

/* Empties the table. Waits for a running search. */
void engine_clear_hash(Engine *engine);

/* Empties the table if a search at full strength may have filled it. engine_start() does so before
 * a weaker search, which must not know such results. Waits for a running search. */
void engine_clear_strong_results(Engine *engine);

/* Called before the table is emptied, while it still has its entries. */
typedef void ClearListener(void *ctx);

/* Sets the function to call before a changed setting or weaker play empties the table, or before
 * entries are lost because the table gets smaller or memory is short. Then the front end can still
 * save them. Not called by engine_new_game() and engine_clear_hash(), nor for a table whose entries
 * cannot be saved (tt_has_whole_keys()). NULL: none. */
void engine_on_clear(Engine *engine, ClearListener *listener, void *ctx);

/* Touches the memory of an empty table, so that the next searches have no page faults there. Uses
 * as many threads as a search. Stops after `ms` milliseconds. Does nothing when memory is short
 * (tt/warmup.h). No search may be running. */
void engine_warm_up(Engine *engine, int64_t ms);

/* Sets the replacement scheme. A change empties the table. Waits for a running search. */
void engine_set_replacement(Engine *engine, Replacement replacement);

/* Clears table, histories, node clock (nodestime.h), average lag (lag.h; its longest pause stays)
 * and the previous score of position learning. A search without a clock then equals the first
 * search of a new process. In analysis, also after an infinite search, the table stays, because
 * some GUIs announce a new game with every position. The histories are always cleared, because
 * those of another game mislead the search. Waits for a running search. */
void engine_new_game(Engine *engine);

/* As engine_new_game(), but an infinite search before it makes no difference. For test positions.
 */
void engine_new_test(Engine *engine);

/* Sets whether the next searches are analysis or play. In analysis, table entries do not age as
 * long as each root is related to the previous one, and a search continues from the result that the
 * table stores for its root (root_cache.h). An infinite search is always analysis; so is a search
 * without a clock after a hash file was loaded. Waits for a running search. */
void engine_set_analysing(Engine *engine, bool analysing);

/* Sets whether a new game keeps the table in play, too. Waits for a running search. */
void engine_set_keeps_table(Engine *engine, bool keeps);

/* Opens the network in the file `path`, or uses the built-in evaluation when `path` is "". The
 * engine owns the network. Clears the same state as engine_set_eval(), but nothing if this network
 * is already in use, because some GUIs send all options before each search. Returns false, with the
 * reason in `error` (NETWORK_ERROR_MAX bytes) and the old evaluation in use, when the file holds no
 * usable network. Waits for a running search. */
bool engine_set_network(Engine *engine, const char *path, char *error);

/* Sets the evaluation. A network in `source` must outlive the engine; it must not be one that
 * engine_set_network() opened, because that is closed. Empties the table and clears all else that
 * engine_new_game() clears. Waits for a running search. */
void engine_set_eval(Engine *engine, EvalSource source);

/* The evaluation in use. */
const EvalSource *engine_eval_source(const Engine *engine);

/* Position learning, which is off at first. The engine owns it. Call its functions between
 * searches. */
Learning *engine_learning(Engine *engine);

/* -- Tablebases -------------------------------------------------------------------------------- */

/* Opens the Syzygy tables in `folders` (a list, see syzygy_open()) and closes those opened before;
 * "" only closes them. Returns false, with the reason in `error` (SYZYGY_ERROR_MAX bytes) and no
 * tables in use, when a table is faulty, none is found or memory is short. If the folders or
 * the tables in them have changed, the transposition table is emptied: its scores depend on them.
 * The library has one set of tables per process, so only one engine may use it. Waits for a running
 * search. */
bool engine_set_syzygy(Engine *engine, const char *folders, char *error);

/* Closes the tables, too, but remembers `folders` as those requested: they must not be used yet. */
void engine_refuse_syzygy(Engine *engine, const char *folders);

/* The folders that were last requested, even if their tables could not be opened. "" at first, and
 * after memory was short for the list. The text is valid until folders are set again; do not pass
 * it to the functions that set them. */
const char *engine_syzygy_folders(const Engine *engine);

/* Sets the limits on tablebase probes. A change of the fifty-move rule, or of the number of men up
 * to which the open tables are probed, empties the transposition table: its scores depend on them.
 * Waits for a running search. */
void engine_set_syzygy_use(Engine *engine, SyzygyUse use);

/* The limits as set, but capped by the open tables. */
SyzygyUse engine_syzygy_use(const Engine *engine);

/* The open tables. */
const SyzygyTables *engine_syzygy_tables(const Engine *engine);

/* Probes `root`, the last position of `path`, under the limits that a search uses. Returns false,
 * with the reason in `error` (SYZYGY_ERROR_MAX bytes), when the open tables do not contain it. No
 * search may be running. */
bool engine_syzygy_look_up(const Engine *engine, const Position *root, const Path *path,
                           SyzygyView *view, char *error);

/* -- Hash files -------------------------------------------------------------------------------- */

/* Waits for a running search and for an earlier save. Then starts to save the table to a file on a
 * thread of its own, and returns. New searches may run during the save, but calls that change the
 * whole table wait for its end. Copies the task and sets `evaluation` in the copy. Returns false
 * when memory or threads are short. */
bool engine_save_hash(Engine *engine, const HashFileTask *task, const HashSaveListener *listener);

/* True while a save runs. */
bool engine_is_saving(const Engine *engine);

/* As engine_save_hash(), but does not wait for the end of a running search, and does not add the
 * result of the last search at its root. No save may be running. */
bool engine_save_hash_during_search(Engine *engine, const HashFileTask *task,
                                    const HashSaveListener *listener);

/* Waits for a running save. Returns false if the save failed, true if there was none. */
bool engine_await_save(Engine *engine);

/* As engine_await_save(), but does not call the listener's `awaited`. */
bool engine_end_save(Engine *engine);

/* From now on, all saves together have `ms` > 0 milliseconds, the running one and later ones. The
 * one that is not complete by then is given up: the old file stays, and the save has failed. Any
 * thread. */
void engine_limit_saves(Engine *engine, int64_t ms);

/* engine_load_hash() calls hashfile_load() for the table; engine_verify_hash_file() calls
 * hashfile_verify(). Both set task->evaluation to the evaluation in use and wait for a running
 * save. Loading also waits for a running search. */
bool engine_load_hash(Engine *engine, HashFileTask *task, HashFileSummary *out, char *error);
bool engine_verify_hash_file(Engine *engine, HashFileTask *task, HashFileSummary *out, char *error);

/* -- Searching --------------------------------------------------------------------------------- */

/* Starts a search of a copy of `job` and returns; no search may be running. */
void engine_start(Engine *engine, const SearchJob *job);

/* Connects the engine with other processes: each search calls `peers`, which must outlive the
 * engine. NULL: none, as at first. Waits for a running search. */
void engine_set_peers(Engine *engine, SearchPeers *peers);

/* Nodes and tablebase hits of the running or last search. While a search runs, any thread may call
 * them. */
uint64_t engine_nodes(const Engine *engine);
uint64_t engine_tb_hits(const Engine *engine);

/* Writes the result of the last search, for another process. Reads it from a worker, so call it
 * directly after the search, before any call that changes a setting or begins a game. No search may
 * be running. */
void engine_result(const Engine *engine, PeerResult *result);

/* Requests the end of a running search; REPORT_DONE follows soon. No effect when none runs. */
void engine_stop(Engine *engine);

/* Reports that the opponent played the expected move: from now on the time limits apply. They count
 * from the start of the search, so a search that has pondered for longer ends at once. No effect
 * when the search does not ponder. */
void engine_ponderhit(Engine *engine);

/* Returns when no search runs and REPORT_DONE has been delivered. */
void engine_wait(Engine *engine);

/* As engine_wait(), but for at most `ms` milliseconds; false on timeout. */
bool engine_wait_ms(Engine *engine, int64_t ms);

/* Called about 20 times a second during a search, on the thread that waits for it, and at its end.
 * True ends the search; from then on the answer must stay true. */
typedef bool (*EngineStopsFn)(void *ctx);

/* Starts a search of a copy of `job` and waits for its end. `stops` may be NULL. Returns false if
 * it answered true: the search may be incomplete. */
bool engine_search(Engine *engine, const SearchJob *job, EngineStopsFn stops, void *ctx);

/* Where the result of a search comes from. */
typedef enum {
    RESULT_SEARCHED,
    RESULT_CACHED,    // from the table (root_cache.h); the search went no deeper
    RESULT_TABLEBASES // the root is in the tablebases
} ResultKind;

/* Where the result of the last search comes from. No search may be running. */
ResultKind engine_result_kind(const Engine *engine);

/* True when the table has entries that were loaded from a hash file. */
bool engine_has_loaded_hash(const Engine *engine);

/* True from engine_start() until REPORT_DONE has been delivered. */
bool engine_is_searching(const Engine *engine);

/* The measured lag of this game, and the pauses of this and earlier games (lag.h). No search may be
 * running. */
Lag engine_lag(const Engine *engine);

/* Writes the statistics of the last search, or zeros before the first. No search may be running. */
void engine_stats(const Engine *engine, SearchStats *stats);

/* Nodes and written entries of the running search, or of the last one. The search updates the
 * number of entries when it checks its limits, and at its end. */
SearchProgress engine_progress(const Engine *engine);

/* The table. Display commands may use it while no search runs, during a search only through
 * tt_peek() and tt_contents(). SearchPeers may also call tt_insert() then. */
Tt *engine_table(Engine *engine);
