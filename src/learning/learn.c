// SPDX-License-Identifier: GPL-3.0-or-later
#include "learning/learn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"

enum {
    SPARE = 4096,         // lessons of one game that RAM takes beyond the plan's most
    RELOAD_WAIT_MS = 1000 // for the scribe, before the file is read again
};

struct Learning {
    LearningOptions plan;
    LearningMode mode;   // as far as the plan could be carried out
    bool is_settled;     // the plan was tried
    bool looks_again;    // whether others changed the file
    bool is_behind;      // RAM may lack what is in the file: it could not be read when it was due
    LearnStore *memory;  // NULL: no file is open
    LearnWriter *writer; // NULL: nothing is learned
    LearnedTable learned;
    LearnStoreRest rest;              // of the file, that was not read
    Key previous_root;                // of the search before in this game
    Score previous;                   // and its score; SCORE_NONE: there was none
    char told[LEARN_STORE_ERROR_MAX]; // the last complaint about the file
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
    learning->plan = (LearningOptions){
        .mode = LEARNING_OFF, .policy = LEARN_BEBE, .fuzz = LEARNING_FUZZ, .max = LEARNING_MAX};
    learning->previous = SCORE_NONE;
    return learning;
}

/* Closes what is open. A file in which a thread hangs is left to the end of the process. */
static void close_file(Learning *learning)
{
    if (learning->writer == NULL || learn_writer_destroy(learning->writer, LEARNING_CLOSE_MS))
        learn_store_close(learning->memory);
    learning->writer = NULL;
    learning->memory = NULL;
    learning->mode = LEARNING_OFF;
    learning->rest = (LearnStoreRest){0};
    learned_table_clear(&learning->learned);
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
    return &learning->plan;
}

void learning_set_options(Learning *learning, const LearningOptions *plan)
{
    const LearningOptions *const old = &learning->plan;
    if (plan->mode == old->mode && plan->policy == old->policy && plan->fuzz == old->fuzz &&
        plan->max == old->max && strcmp(plan->path, old->path) == 0)
        return;
    close_file(learning);
    learning->plan = *plan;
    learning->is_settled = false;
    learning->told[0] = '\0';
}

void learning_set_network(Learning *learning, uint32_t network)
{
    learning->learned.network = network;
    learning->previous = SCORE_NONE;
}

int64_t learning_capacity(const Learning *learning)
{
    const LearningOptions *const plan = &learning->plan;
    const bool is_limited = plan->policy == LEARN_CRAFTY && plan->max > LEARNED_CRAFTY_MAX;
    return is_limited ? LEARNED_CRAFTY_MAX : plan->max;
}

static bool take_in(void *ctx, const LearnedPosition *learned)
{
    Learning *const learning = ctx;
    const LearnedEntry entry = learned_position_entry(learned);
    return learned_table_put(&learning->learned, &entry, false);
}

/* Reads the file into RAM, in place of what is there, which stays when others hold the file. */
static LearnStoreStatus load(Learning *learning)
{
    LearnedTable before = learning->learned;
    learning->learned = (LearnedTable){
        .network = before.network, .policy = learning->plan.policy, .fuzz = learning->plan.fuzz};
    const LearnStoreReader reader = {.visit = take_in,
                                     .ctx = learning,
                                     .limit = learning_capacity(learning),
                                     .ms = LEARN_STORE_READ_MS};
    const LearnStoreStatus verdict = learn_store_read(learning->memory, &reader, &learning->rest);
    if (verdict == LEARN_STORE_BUSY) {
        learned_table_clear(&learning->learned);
        learning->learned = before;
    } else {
        learned_table_clear(&before);
    }
    learning->is_behind = verdict == LEARN_STORE_BUSY;
    return verdict;
}

/* Opens the file and reads it; what is wrong is put into `error` (LEARN_STORE_ERROR_MAX bytes). */
static void open_file(Learning *learning, char *error)
{
    const LearningOptions *const plan = &learning->plan;
    const bool learns = plan->mode == LEARNING_LEARN;
    LearnStoreStatus verdict;
    learning->memory = learn_store_open(plan->path, learns, &verdict, error);
    if (learning->memory == NULL)
        return;
    const LearnStoreStatus read = load(learning);
    if (read != LEARN_STORE_DONE)
        text_copy(error, LEARN_STORE_ERROR_MAX, learn_store_error(learning->memory));
    if (read == LEARN_STORE_BUSY) { // to be tried again in the next game
        close_file(learning);
        return;
    }
    learning->mode = LEARNING_READ;
    if (read != LEARN_STORE_DONE || !learns || !learn_store_is_writable(learning->memory))
        return;
    const LearnStoreTerms terms = {.policy = plan->policy, .max = learning_capacity(learning)};
    learning->writer = learn_writer_create(learning->memory, terms);
    if (learning->writer != NULL)
        learning->mode = LEARNING_LEARN;
    else
        text_copy(error, LEARN_STORE_ERROR_MAX, "is only read: no thread to write it");
}

/* What came of opening the file, in words; false when it was said before. */
static bool tell_opened(Learning *learning, const char *error, char *message)
{
    const LearningOptions *const plan = &learning->plan;
    const long long count = (long long)learning->learned.count;
    if (*error != '\0' && strcmp(error, learning->told) == 0)
        return false;
    text_copy(learning->told, sizeof learning->told, error);
    if (learning->mode == LEARNING_OFF) {
        snprintf(message, LEARNING_MESSAGE_MAX, "error: MemoryFile: '%s' %s; memory is off",
                 plan->path, error);
        return true;
    }
    char rest[96] = "";
    if (learning->rest.faulty > 0)
        snprintf(rest, sizeof rest, ", %lld damaged ones left out",
                 (long long)learning->rest.faulty);
    if (learning->rest.is_late)
        snprintf(rest + strlen(rest), sizeof rest - strlen(rest), ", older ones left out for time");
    if (*error != '\0')
        snprintf(message, LEARNING_MESSAGE_MAX,
                 "error: MemoryFile: '%s' %s; %lld lessons are of use%s, nothing is learned",
                 plan->path, error, count, rest);
    else
        snprintf(message, LEARNING_MESSAGE_MAX,
                 "memory: %lld lessons in '%s'%s; %s by the rules of %s", count, plan->path, rest,
                 learning->mode == LEARNING_LEARN ? "learning" : "reading",
                 learn_policy_name(plan->policy));
    return true;
}

/* Carries out the plan from the start. */
static bool settle_plan(Learning *learning, char *message)
{
    char error[LEARN_STORE_ERROR_MAX] = "";
    learning->is_settled = true;
    if (learning->plan.mode == LEARNING_OFF)
        return false;
    if (learning->plan.path[0] == '\0') {
        if (strcmp(learning->told, "no path") == 0)
            return false;
        text_copy(learning->told, sizeof learning->told, "no path");
        snprintf(message, LEARNING_MESSAGE_MAX,
                 "error: Memory needs a file, set the option MemoryFile; memory is off");
        return true;
    }
    open_file(learning, error);
    return tell_opened(learning, error, message);
}

/* Reads the file again where that is worth while: others have learned, or RAM holds more than the
 * plan says. A file that was not to be had before may be now. */
static bool refresh(Learning *learning, char *message)
{
    learning->looks_again = false;
    if (learning->plan.mode == LEARNING_OFF)
        return false;
    if (learning->memory == NULL)
        return settle_plan(learning, message);
    bool is_written = true;
    if (learning->writer != NULL) {
        is_written = learn_writer_flush(learning->writer, RELOAD_WAIT_MS);
        learn_writer_lock(learning->writer);
    }
    const bool is_stale = learn_store_has_changed(learning->memory) || learning->is_behind;
    const bool is_full = (int64_t)learning->learned.count > learning_capacity(learning);
    const bool is_due = is_written && (is_stale || is_full);
    const LearnStoreStatus verdict = is_due ? load(learning) : LEARN_STORE_DONE;
    learning->is_behind |= is_stale && !is_written; // what waits would be missing
    if (verdict != LEARN_STORE_DONE)
        snprintf(message, LEARNING_MESSAGE_MAX,
                 "error: MemoryFile: '%s' %s; %lld lessons are of use", learning->plan.path,
                 learn_store_error(learning->memory), (long long)learning->learned.count);
    if (learning->writer != NULL)
        learn_writer_unlock(learning->writer);
    return verdict != LEARN_STORE_DONE;
}

bool learning_apply(Learning *learning, char *message)
{
    if (!learning->is_settled)
        return settle_plan(learning, message);
    return learning->looks_again && refresh(learning, message);
}

void learning_new_game(Learning *learning)
{
    learning->previous = SCORE_NONE;
    learning->looks_again = true;
}

const LearnedTable *learning_table(const Learning *learning)
{
    return learning->mode != LEARNING_OFF ? &learning->learned : NULL;
}

/* The score of the search before this one in the same game: there it stood two plies back. */
static Score previous_score(const Learning *learning, const Path *path)
{
    const bool goes_on = path->count >= 3 && path->keys[path->count - 3] == learning->previous_root;
    return goes_on ? learning->previous : SCORE_NONE;
}

void learning_record(Learning *learning, const Position *root, const Path *path,
                     const SearchOutcome *outcome, LearnOrigin origin)
{
    const Score previous = previous_score(learning, path);
    learning->previous_root = root->key;
    learning->previous = outcome->score;
    if (learning->mode != LEARNING_LEARN ||
        !learn_policy_keeps(learning->plan.policy, outcome, previous))
        return;
    LearnedPosition learned = {.depth = outcome->depth,
                               .network = learning->learned.network,
                               .origin = origin,
                               .calendar_s = clock_calendar_s(),
                               .seen = 1};
    learned_position_set(&learned, root, outcome->best, outcome->score);
    if ((int64_t)learning->learned.count < learning_capacity(learning) + SPARE) {
        const LearnedEntry entry = learned_position_entry(&learned);
        learned_table_put(&learning->learned, &entry, true);
    }
    learn_writer_add(learning->writer, &learned);
}

bool learning_flush(Learning *learning, int64_t ms)
{
    return learning->writer == NULL || learn_writer_flush(learning->writer, ms);
}

bool learning_take_error(Learning *learning, char *message)
{
    char notice[LEARN_WRITER_ERROR_MAX];
    if (learning->writer == NULL || !learn_writer_take_error(learning->writer, notice))
        return false;
    snprintf(message, LEARNING_MESSAGE_MAX, "error: MemoryFile: '%s' %s", learning->plan.path,
             notice);
    return true;
}

LearnStore *learning_borrow_store(Learning *learning)
{
    if (learning->writer != NULL)
        learn_writer_lock(learning->writer);
    return learning->memory;
}

void learning_return_store(Learning *learning, bool has_changed)
{
    if (has_changed)
        load(learning);
    if (learning->writer != NULL)
        learn_writer_unlock(learning->writer);
}

LearningState learning_state(Learning *learning)
{
    LearningState state = {.mode = learning->mode,
                           .recalled = (int64_t)learning->learned.count,
                           .faulty = learning->rest.faulty,
                           .bytes = (int64_t)learned_table_bytes(&learning->learned)};
    if (learning->writer != NULL)
        state.writer = learn_writer_count(learning->writer);
    if (state.writer.has_stopped)
        state.mode = LEARNING_READ;
    return state;
}
