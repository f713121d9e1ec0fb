// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Position learning of one engine, as set by its options: the file (learn_store.h), its copy in RAM
 * that the search probes (learned_table.h), and the thread that writes to the file
 * (learn_writer.h). No move waits for the disk: only learning_apply(), and learning_unlock_store()
 * after a change, read files, and the front end calls them only where the protocol allows a delay.
 *
 * One thread, the front end's, calls these functions while no search runs. Exception:
 * learning_record(), which the engine's main worker calls at the end of a search. */

#include "base/file.h"
#include "chess/game.h"
#include "learning/learn_writer.h"
#include "search/job.h"
#include "search/learned_table.h"

typedef struct Learning Learning;

typedef enum { LEARNING_OFF, LEARNING_READ, LEARNING_LEARN, LEARNING_MODE_NB } LearningMode;

enum {
    LEARNING_FUZZ = 20,    // default of LearningOptions.fuzz, internal units
    LEARNING_MAX = 100000, // default of LearningOptions.max
    LEARNING_MESSAGE_MAX = FILE_PATH_MAX + LEARN_WRITER_ERROR_MAX + 256,
    LEARNING_CLOSE_MS = 2000 // time limit to write the queue before a file is closed
};

/* Options as requested by the user. */
typedef struct {
    LearningMode mode;
    LearnPolicy policy;
    Score fuzz;  // assumed error of a score, internal units; see LearnedTable
    int64_t max; // positions in the file and in RAM
    char path[FILE_PATH_MAX];
} LearningOptions;

/* The mode's name, as the option writes it. */
const char *learning_mode_name(LearningMode mode);

/* Creates position learning with default options, off. NULL when memory is short. Free it with
 * learning_destroy(). */
Learning *learning_create(void);

/* Writes queued positions for at most LEARNING_CLOSE_MS, closes the file and frees everything. NULL
 * is allowed. */
void learning_destroy(Learning *learning);

/* The options as set, even if the file could not be opened. */
const LearningOptions *learning_options(const Learning *learning);

/* Sets the options. If any option differs from the old one, the file is closed and learning is off
 * until learning_apply(). Returns true if learned positions were in use and others, or none, will
 * be: the results of earlier searches depend on them. */
bool learning_set_options(Learning *learning, const LearningOptions *options);

/* Maximum number of positions: options.max, or less if the policy limits it. */
int64_t learning_capacity(const Learning *learning);

/* Tells which evaluation the next searches use: `network` is its eval_fingerprint_short(). */
void learning_set_network(Learning *learning, uint32_t network);

/* Applies new options: opens the file and reads it. In a new game, reads the file again if another
 * program changed it. Takes a few seconds at most. True when `message` (LEARNING_MESSAGE_MAX bytes)
 * should be printed; the message of a problem begins with "error: ". */
bool learning_apply(Learning *learning, char *message);

/* To be called before a new game: forgets the score of the previous search, and the next
 * learning_apply() checks whether another program has changed the file. */
void learning_new_game(Learning *learning);

/* The table for the search, or NULL while learning is off. It changes only between searches. */
const LearnedTable *learning_table(const Learning *learning);

/* Records the outcome of a search of `root`, the last position of `path`, if mode and policy keep
 * it. `origin` is ORIGIN_LEARNED or ORIGIN_ANALYSIS. */
void learning_record(Learning *learning, const Position *root, const Path *path,
                     const SearchOutcome *outcome, LearnOrigin origin);

/* Waits until all recorded positions are written, for at most `ms` milliseconds; false on timeout.
 */
bool learning_flush(Learning *learning, int64_t ms);

/* Moves the latest unreported problem of the writer to `message` (LEARNING_MESSAGE_MAX bytes).
 * False when there is no such problem. */
bool learning_take_error(Learning *learning, char *message);

/* Gives the caller exclusive use of the store until learning_unlock_store(). NULL when no file is
 * open; the caller must unlock in any case. */
LearnStore *learning_lock_store(Learning *learning);

/* Ends the use of the store. If the caller changed the file (`has_changed`), reads it again; after
 * a failure nothing is learned any more, and the next learning_apply() reports the problem. */
void learning_unlock_store(Learning *learning, bool has_changed);

typedef struct {
    LearningMode mode; // in effect; after a problem READ or OFF instead of the requested mode
    int64_t positions; // in RAM
    int64_t damaged;   // rows of the file that were skipped
    int64_t bytes;     // of RAM
    LearnWriterCounts writer;
} LearningState;
LearningState learning_state(Learning *learning);
