// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The long memory of one engine: a file of lessons (memory.h), what of it the search sees
 * (recall.h), and the thread that adds to it (scribe.h), as the options want them. Nothing here
 * delays a move: files are opened and read by learning_apply() alone, which the front end calls
 * where the protocol lets it wait, and written behind the engine's back.
 *
 * All is for the thread that commands the pool while no search runs, but for learning_record(),
 * which is the pool's at the end of a search. */

#include "chess/game.h"
#include "learning/learn_writer.h"
#include "search/job.h"
#include "search/learned_table.h"

typedef struct Learning Learning;

typedef enum { LEARNING_OFF, LEARNING_READ, LEARNING_LEARN, LEARNING_MODE_NB } LearningMode;

enum {
    LEARNING_FUZZ = 20,    // what a score is believed to be out by, unless told: 0.2 pawns
    LEARNING_MAX = 100000, // lessons kept, unless told
    LEARNING_PATH_MAX = 4096,
    LEARNING_MESSAGE_MAX = LEARNING_PATH_MAX + LEARN_WRITER_ERROR_MAX + 128,
    LEARNING_CLOSE_MS = 2000 // that closing a file may wait for what is still to be written
};

/* What the options ask for. */
typedef struct {
    LearningMode mode;
    LearnPolicy policy;
    Score fuzz;
    int64_t max; // lessons, in the file and in RAM
    char path[LEARNING_PATH_MAX];
} LearningOptions;

/* The mode's name, as the option writes it. */
const char *learning_mode_name(LearningMode mode);

/* NULL when there is no memory for it. */
Learning *learning_create(void);

/* Writes what is still to be written, within LEARNING_CLOSE_MS. NULL may be given. */
void learning_destroy(Learning *learning);

/* The plan. A new one closes a file that is open under another, and the memory is off until
 * learning_apply(). */
const LearningOptions *learning_options(const Learning *learning);
void learning_set_options(Learning *learning, const LearningOptions *plan);

/* How many lessons that allows: the policy may want fewer. */
int64_t learning_capacity(const Learning *learning);

/* Searches evaluate by what has this eval_fingerprint_short() from now on. */
void learning_set_network(Learning *learning, uint32_t network);

/* Makes all as planned that is not: opens the file, reads it again where others changed it. True:
 * `message` (LEARNING_MESSAGE_MAX bytes) is to be told, "error: ..." if something is wrong. */
bool learning_apply(Learning *learning, char *message);

/* The next search is of another game; learning_apply() looks whether others have learned. */
void learning_new_game(Learning *learning);

/* What the searches see; NULL when memory is off. Changes between searches only. */
const LearnedTable *learning_table(const Learning *learning);

/* A search of `root`, the last position of `path`, has ended as `outcome` says: learns from it if
 * the plan has it so. `origin` is that of the search. */
void learning_record(Learning *learning, const Position *root, const Path *path,
                     const SearchOutcome *outcome, LearnOrigin origin);

/* Waits until all that was learned is in the file, but no longer than so; false when it is not. */
bool learning_flush(Learning *learning, int64_t ms);

/* What went wrong with writing since the last call, once. */
bool learning_take_error(Learning *learning, char *message);

/* Lends the file to the caller, until learning_return_store(), which takes over what the caller
 * changed when that is said; NULL while none is open. */
LearnStore *learning_borrow_store(Learning *learning);
void learning_return_store(Learning *learning, bool has_changed);

/* What there is: what is done in place of what was planned, and the lessons in RAM. */
typedef struct {
    LearningMode mode;
    int64_t recalled; // lessons the search sees
    int64_t faulty;   // rows of the file that are none
    int64_t bytes;    // of RAM
    LearnWriterCounts writer;
} LearningState;
LearningState learning_state(Learning *learning);
