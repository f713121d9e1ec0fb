// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Position learning of one engine: the file (learn_store.h), its copy in RAM that the search probes
 * (learned_table.h), and the thread that writes to the file (learn_writer.h), as the options
 * request them. No move waits for the disk: only learning_apply() opens and reads files, and the
 * front end calls it only where the protocol allows a delay.
 *
 * All functions are for the thread that commands the engine, while no search runs. Exception:
 * learning_record(), which the engine's main worker calls at the end of a search. */

#include "chess/game.h"
#include "learning/learn_writer.h"
#include "search/job.h"
#include "search/learned_table.h"

typedef struct Learning Learning;

typedef enum { LEARNING_OFF, LEARNING_READ, LEARNING_LEARN, LEARNING_MODE_NB } LearningMode;

enum {
    LEARNING_FUZZ = 20,    // default fuzz: 0.2 pawns
    LEARNING_MAX = 100000, // default maximum of positions
    LEARNING_PATH_MAX = 4096,
    LEARNING_MESSAGE_MAX = LEARNING_PATH_MAX + LEARN_WRITER_ERROR_MAX + 128,
    LEARNING_CLOSE_MS = 2000 // limit for writing the queue when a file is closed
};

/* Requested by the user. */
typedef struct {
    LearningMode mode;
    LearnPolicy policy;
    Score fuzz;  // see LearnedTable
    int64_t max; // positions, in the file and in RAM
    char path[LEARNING_PATH_MAX];
} LearningOptions;

/* The mode's name, as the option writes it. */
const char *learning_mode_name(LearningMode mode);

/* Position learning with default options, off. NULL when memory is short. */
Learning *learning_create(void);

/* Writes the queue within LEARNING_CLOSE_MS, closes the file and frees everything. NULL is allowed.
 */
void learning_destroy(Learning *learning);

const LearningOptions *learning_options(const Learning *learning);

/* Sets the options. If they differ from the old ones, the file is closed and learning is off until
 * learning_apply(). */
void learning_set_options(Learning *learning, const LearningOptions *options);

/* Maximum number of positions: options.max, or less if the policy limits it. */
int64_t learning_capacity(const Learning *learning);

/* Sets the evaluation of the coming searches, by its eval_fingerprint_short(). */
void learning_set_network(Learning *learning, uint32_t network);

/* Applies new options: opens the file and reads it. In a new game, reads the file again if another
 * program changed it. True when `message` (LEARNING_MESSAGE_MAX bytes) should be printed; it begins
 * with "error: " if there is a problem. */
bool learning_apply(Learning *learning, char *message);

/* The next search is of another game: the next learning_apply() checks the file for changes. */
void learning_new_game(Learning *learning);

/* The table for the search, or NULL while learning is off. It changes only between searches. */
const LearnedTable *learning_table(const Learning *learning);

/* Records the outcome of a search of `root`, the last position of `path`, if mode and policy say
 * so. `origin` is ORIGIN_LEARNED or ORIGIN_ANALYSIS. */
void learning_record(Learning *learning, const Position *root, const Path *path,
                     const SearchOutcome *outcome, LearnOrigin origin);

/* Waits until all recorded positions are written, for at most `ms` milliseconds; false on timeout.
 */
bool learning_flush(Learning *learning, int64_t ms);

/* Moves the latest unreported problem of the writer to `message` (LEARNING_MESSAGE_MAX bytes).
 * False when there is none. */
bool learning_take_error(Learning *learning, char *message);

/* Locks the store for the caller, until learning_unlock_store(). NULL when no file is open. */
LearnStore *learning_lock_store(Learning *learning);

/* Ends the access; with `has_changed` reads the file again. */
void learning_unlock_store(Learning *learning, bool has_changed);

typedef struct {
    LearningMode mode; // in effect; may be less than options.mode
    int64_t positions; // in RAM
    int64_t damaged;   // rows of the file that were skipped
    int64_t bytes;     // of RAM
    LearnWriterCounts writer;
} LearningState;
LearningState learning_state(Learning *learning);
