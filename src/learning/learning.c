// SPDX-License-Identifier: GPL-3.0-or-later
#include "learning/learning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"

enum {
    SPARE_POSITIONS = 4096, // room in RAM beyond the capacity, for the current game
    RELOAD_WAIT_MS = 1000   // longest wait for the writer before the file is read again
};

struct Learning {
    LearningOptions options;
    LearningMode mode;   // in effect
    bool is_applied;     // learning_apply() has tried these options
    bool check_file;     // the next learning_apply() checks the file for changes
    bool is_stale;       // `table` must be read again: the file or the network has changed
    LearnStore *store;   // NULL: no file is open
    LearnWriter *writer; // NULL: no position is learned
    LearnedTable table;
    LearnStoreSkipped skipped;            // rows of the file that are not in the table
    Key previous_root;                    // root of the previous search in this game
    Score previous;                       // its score, or SCORE_NONE
    char reported[LEARN_STORE_ERROR_MAX]; // the last reported problem of the file
};

const char *learning_mode_name(LearningMode mode)
{
    static const char *const names[] = {"off", "read", "learn"};
    return names[mode];
}

Learning *learning_create(void)
{
    Learning *const learning = calloc(1, sizeof *learning);
    if (learning == NULL)
        return NULL;
    learning->options = (LearningOptions){
        .mode = LEARNING_OFF, .policy = LEARN_CRAFTY, .fuzz = LEARNING_FUZZ, .max = LEARNING_MAX};
    learning->previous = SCORE_NONE;
    return learning;
}

/* Ends the writer. If it hangs, the store is left to it, and the file stays open until the process
 * ends. */
static void end_writer(Learning *learning)
{
    if (learning->writer != NULL && !learn_writer_destroy(learning->writer, LEARNING_CLOSE_MS))
        learning->store = NULL;
    learning->writer = NULL;
}

/* Ends the writer and closes the file. */
static void close_file(Learning *learning)
{
    end_writer(learning);
    learn_store_close(learning->store);
    learning->store = NULL;
    learning->mode = LEARNING_OFF;
    learning->skipped = (LearnStoreSkipped){0};
    learned_table_clear(&learning->table);
}

void learning_destroy(Learning *learning)
{
    if (learning == NULL)
        return;
    close_file(learning);
    free(learning);
}

const LearningOptions *learning_options(const Learning *learning)
{
    return &learning->options;
}

bool learning_set_options(Learning *learning, const LearningOptions *options)
{
    const LearningOptions *const old = &learning->options;
    const bool gives_same_scores = options->mode != LEARNING_OFF &&
                                   options->policy == old->policy && options->fuzz == old->fuzz &&
                                   strcmp(options->path, old->path) == 0;
    if (gives_same_scores && options->mode == old->mode && options->max == old->max)
        return false;
    const bool was_in_use = learning->mode != LEARNING_OFF;
    close_file(learning);
    learning->options = *options;
    learning->is_applied = false;
    learning->reported[0] = '\0';
    return was_in_use && !gives_same_scores;
}

void learning_set_network(Learning *learning, uint32_t network)
{
    if (network != learning->table.network && learning->store != NULL)
        learning->is_stale = learning->check_file = true; // the table has the rows for the old one
    learning->table.network = network;
    learning->previous = SCORE_NONE;
}

int64_t learning_capacity(const Learning *learning)
{
    const LearningOptions *const options = &learning->options;
    const bool is_limited = options->policy == LEARN_CRAFTY && options->max > LEARNED_CRAFTY_MAX;
    return is_limited ? LEARNED_CRAFTY_MAX : options->max;
}

static bool add_row(void *ctx, const LearnedPosition *learned)
{
    Learning *const learning = ctx;
    const LearnedEntry entry = learned_position_entry(learned);
    return learned_table_put(&learning->table, &entry, false);
}

/* Adds the advice among the rows that load_table() did not read: advice counts, however old. */
static LearnStoreStatus add_old_advice(Learning *learning)
{
    LearnStoreSkipped ignored;
    const LearnStoreReader reader = {.visit = add_row,
                                     .ctx = learning,
                                     .limit = SPARE_POSITIONS,
                                     .ms = LEARN_STORE_READ_MS,
                                     .order = LEARN_ADVICE};
    return learn_store_read(learning->store, &reader, &ignored);
}

/* Replaces the table by the contents of the file. If another program locks the file, the old table
 * stays. */
static LearnStoreStatus load_table(Learning *learning)
{
    LearnedTable before = learning->table;
    learning->table = (LearnedTable){.network = before.network,
                                     .policy = learning->options.policy,
                                     .fuzz = learning->options.fuzz};
    const LearnStoreReader reader = {.visit = add_row,
                                     .ctx = learning,
                                     .limit = learning_capacity(learning),
                                     .ms = LEARN_STORE_READ_MS};
    LearnStoreStatus status = learn_store_read(learning->store, &reader, &learning->skipped);
    if (status == LEARN_STORE_DONE && learning->skipped.has_more)
        status = add_old_advice(learning);
    if (status == LEARN_STORE_BUSY) {
        learned_table_clear(&learning->table);
        learning->table = before;
    } else {
        learned_table_clear(&before);
    }
    learning->is_stale = status == LEARN_STORE_BUSY;
    return status;
}

/* Opens and reads the file and sets the mode. Writes the problem, if any, to `error`
 * (LEARN_STORE_ERROR_MAX bytes). */
static void open_file(Learning *learning, char *error)
{
    const LearningOptions *const options = &learning->options;
    const bool writes = options->mode == LEARNING_LEARN;
    LearnStoreStatus status;
    learning->store = learn_store_open(options->path, writes, &status, error);
    if (learning->store == NULL)
        return;
    const LearnStoreStatus read = load_table(learning);
    if (read != LEARN_STORE_DONE)
        text_copy(error, LEARN_STORE_ERROR_MAX, learn_store_error(learning->store));
    if (read == LEARN_STORE_BUSY) { // learning_apply() retries in the next game
        close_file(learning);
        return;
    }
    learning->mode = LEARNING_READ;
    if (!learn_store_is_writable(learning->store))
        return;
    const LearnStoreRules rules = {.policy = options->policy,
                                   .capacity = learning_capacity(learning)};
    learning->writer = learn_writer_create(learning->store, rules);
    if (learning->writer != NULL)
        learning->mode = LEARNING_LEARN;
    else
        text_copy(error, LEARN_STORE_ERROR_MAX, "is not written: cannot start a thread");
}

/* Describes the result of open_file(). False when this problem was reported before. */
static bool report_opened(Learning *learning, const char *error, char *message)
{
    const LearningOptions *const options = &learning->options;
    const long long count = (long long)learning->table.count;
    if (*error != '\0' && strcmp(error, learning->reported) == 0)
        return false;
    text_copy(learning->reported, sizeof learning->reported, error);
    if (learning->mode == LEARNING_OFF) {
        snprintf(message, LEARNING_MESSAGE_MAX,
                 "error: MemoryFile: '%s' %s; position learning is off", options->path, error);
        return true;
    }
    char skipped[192] = "";
    if (learning->skipped.damaged > 0)
        snprintf(skipped, sizeof skipped, ", %lld damaged row%s skipped",
                 (long long)learning->skipped.damaged, text_plural(learning->skipped.damaged));
    if (learning->skipped.timed_out)
        snprintf(skipped + strlen(skipped), sizeof skipped - strlen(skipped),
                 ", older ones skipped for lack of time");
    if (learning->skipped.has_more && learning->mode == LEARNING_LEARN)
        snprintf(skipped + strlen(skipped), sizeof skipped - strlen(skipped),
                 ", which has more: learning deletes all but %lld",
                 (long long)learning_capacity(learning));
    if (*error != '\0')
        snprintf(message, LEARNING_MESSAGE_MAX,
                 "error: MemoryFile: '%s' %s; %lld position%s loaded%s, nothing is learned",
                 options->path, error, count, text_plural(count), skipped);
    else
        snprintf(message, LEARNING_MESSAGE_MAX,
                 "position learning: %lld position%s in '%s'%s, mode %s, policy %s", count,
                 text_plural(count), options->path, skipped, learning_mode_name(learning->mode),
                 learned_policy_name(options->policy));
    return true;
}

/* Opens the file that the options name. True when `message` should be printed. */
static bool apply_options(Learning *learning, char *message)
{
    char error[LEARN_STORE_ERROR_MAX] = "";
    learning->is_applied = true;
    if (learning->options.mode == LEARNING_OFF)
        return false;
    if (learning->options.path[0] == '\0') {
        if (strcmp(learning->reported, "no path") == 0)
            return false;
        text_copy(learning->reported, sizeof learning->reported, "no path");
        snprintf(message, LEARNING_MESSAGE_MAX,
                 "error: position learning needs a file: set the option MemoryFile");
        return true;
    }
    open_file(learning, error);
    return report_opened(learning, error, message);
}

/* Ends writing after the file could not be read: it may be damaged, so it is not written again. */
static void stop_writing(Learning *learning)
{
    end_writer(learning);
    if (learning->store != NULL)
        learning->mode = LEARNING_READ;
    else
        close_file(learning);
}

static bool has_moved(Learning *learning)
{
    if (learning->writer != NULL)
        learn_writer_lock(learning->writer);
    const bool moved = learn_store_has_moved(learning->store);
    if (learning->writer != NULL)
        learn_writer_unlock(learning->writer);
    return moved;
}

/* Whether a file that could not be written, perhaps because it was damaged, can be written now.
 * Takes as long as learn_store_open(). */
static bool is_mended(const Learning *learning)
{
    LearnStoreStatus status;
    char error[LEARN_STORE_ERROR_MAX];
    if (learning->options.mode != LEARNING_LEARN || learning->writer != NULL)
        return false;
    LearnStore *const store = learn_store_open(learning->options.path, true, &status, error);
    const bool is_writable = store != NULL && learn_store_is_writable(store);
    learn_store_close(store);
    return is_writable;
}

/* Whether the file was deleted, replaced or mended, or writing has failed: then it is opened again.
 */
static bool is_lost(Learning *learning)
{
    return has_moved(learning) || file_kind(learning->options.path, NULL) == FILE_MISSING ||
           (learning->writer != NULL && learn_writer_count(learning->writer).has_stopped) ||
           is_mended(learning);
}

/* Does the work of learning_apply() at the start of a game: opens a file that could not be opened
 * before or was lost, or reads the file again if another program changed it or the table exceeds
 * its capacity. */
static bool refresh(Learning *learning, char *message)
{
    learning->check_file = false;
    if (learning->options.mode == LEARNING_OFF)
        return false;
    if (learning->store != NULL && is_lost(learning))
        close_file(learning);
    if (learning->store == NULL)
        return apply_options(learning, message);
    bool is_flushed = true;
    if (learning->writer != NULL) {
        is_flushed = learn_writer_flush(learning->writer, RELOAD_WAIT_MS);
        learn_writer_lock(learning->writer);
    }
    const bool is_stale = learn_store_has_changed(learning->store) || learning->is_stale;
    const bool is_full = (int64_t)learning->table.count > learning_capacity(learning);
    const bool must_load = is_flushed && (is_stale || is_full);
    const LearnStoreStatus status = must_load ? load_table(learning) : LEARN_STORE_DONE;
    learning->is_stale |= is_stale && !is_flushed; // a reload now would lose queued positions
    if (status != LEARN_STORE_DONE)
        snprintf(message, LEARNING_MESSAGE_MAX,
                 "error: MemoryFile: '%s' %s; %lld position%s loaded%s", learning->options.path,
                 learn_store_error(learning->store), (long long)learning->table.count,
                 text_plural((int64_t)learning->table.count),
                 status == LEARN_STORE_FAILED ? ", nothing is learned" : "");
    if (learning->writer != NULL)
        learn_writer_unlock(learning->writer);
    if (status == LEARN_STORE_FAILED)
        stop_writing(learning);
    return status != LEARN_STORE_DONE;
}

bool learning_apply(Learning *learning, char *message)
{
    if (!learning->is_applied)
        return apply_options(learning, message);
    return learning->check_file && refresh(learning, message);
}

void learning_new_game(Learning *learning)
{
    learning->previous = SCORE_NONE;
    learning->check_file = true;
}

const LearnedTable *learning_table(const Learning *learning)
{
    return learning->mode != LEARNING_OFF ? &learning->table : NULL;
}

/* Returns the score of the previous search if it was of the same game, two plies earlier; else
 * SCORE_NONE. */
static Score previous_score(const Learning *learning, const Path *path)
{
    const bool is_same_game =
        path->count >= 3 && path->keys[path->count - 3] == learning->previous_root;
    return is_same_game ? learning->previous : SCORE_NONE;
}

void learning_record(Learning *learning, const Position *root, const Path *path,
                     const SearchOutcome *outcome, LearnOrigin origin)
{
    const Score previous = previous_score(learning, path);
    /* Where a position could occur for the third time, move and score may be wrong in other games.
     */
    const bool is_general = !path_has_repeated(path, root);
    learning->previous_root = root->key;
    learning->previous = is_general ? outcome->score : SCORE_NONE;
    if (learning->mode != LEARNING_LEARN || !is_general ||
        !learned_policy_keeps(learning->options.policy, outcome, previous))
        return;
    LearnedPosition learned = {.depth = outcome->depth,
                               .network = learning->table.network,
                               .origin = origin,
                               .calendar_s = clock_calendar_s(),
                               .seen = 1};
    learned_position_set(&learned, root, outcome->best, outcome->score);
    if ((int64_t)learning->table.count < learning_capacity(learning) + SPARE_POSITIONS) {
        const LearnedEntry entry = learned_position_entry(&learned);
        learned_table_put(&learning->table, &entry, true);
    }
    learn_writer_add(learning->writer, &learned);
}

bool learning_flush(Learning *learning, int64_t ms)
{
    return learning->writer == NULL || learn_writer_flush(learning->writer, ms);
}

bool learning_take_error(Learning *learning, char *message)
{
    char error[LEARN_WRITER_ERROR_MAX];
    if (learning->writer == NULL || !learn_writer_take_error(learning->writer, error))
        return false;
    snprintf(message, LEARNING_MESSAGE_MAX, "error: MemoryFile: '%s' %s", learning->options.path,
             error);
    return true;
}

LearnStore *learning_lock_store(Learning *learning)
{
    if (learning->writer != NULL)
        learn_writer_lock(learning->writer);
    return learning->store;
}

void learning_unlock_store(Learning *learning, bool has_changed)
{
    const LearnStoreStatus status = has_changed ? load_table(learning) : LEARN_STORE_DONE;
    if (learning->writer != NULL)
        learn_writer_unlock(learning->writer);
    if (status == LEARN_STORE_FAILED) {
        stop_writing(learning);
        learning->is_stale = learning->check_file = true; // learning_apply() reports the problem
    }
}

LearningState learning_state(Learning *learning)
{
    LearningState state = {.mode = learning->mode,
                           .positions = (int64_t)learning->table.count,
                           .damaged = learning->skipped.damaged,
                           .bytes = (int64_t)learned_table_bytes(&learning->table)};
    if (learning->writer != NULL)
        state.writer = learn_writer_count(learning->writer);
    if (state.writer.has_stopped)
        state.mode = LEARNING_READ;
    return state;
}
