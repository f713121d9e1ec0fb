// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/keeper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"

enum {
    SPARE = 4096,         // lessons of one game that RAM takes beyond the plan's most
    RELOAD_WAIT_MS = 1000 // for the scribe, before the file is read again
};

struct Keeper {
    KeeperPlan plan;
    KeeperMode mode;  // as far as the plan could be carried out
    bool is_settled;  // the plan was tried
    bool looks_again; // whether others changed the file
    bool is_behind;   // RAM may lack what is in the file: it could not be read when it was due
    Memory *memory;   // NULL: no file is open
    Scribe *scribe;   // NULL: nothing is learned
    LearnedTable learned;
    MemoryRest rest;             // of the file, that was not read
    Key previous_root;           // of the search before in this game
    Score previous;              // and its score; SCORE_NONE: there was none
    char told[MEMORY_ERROR_MAX]; // the last complaint about the file
};

const char *keeper_mode_name(KeeperMode mode)
{
    static const char *const names[] = {"off", "read", "learn"};
    return names[mode];
}

Keeper *keeper_create(void)
{
    Keeper *const keeper = calloc(1, sizeof *keeper);
    if (keeper == NULL)
        return NULL;
    keeper->plan = (KeeperPlan){
        .mode = KEEPER_OFF, .policy = LESSON_BEBE, .fuzz = KEEPER_FUZZ, .max = KEEPER_MAX};
    keeper->previous = SCORE_NONE;
    return keeper;
}

/* Closes what is open. A file in which a thread hangs is left to the end of the process. */
static void close_file(Keeper *keeper)
{
    if (keeper->scribe == NULL || scribe_destroy(keeper->scribe, KEEPER_CLOSE_MS))
        memory_close(keeper->memory);
    keeper->scribe = NULL;
    keeper->memory = NULL;
    keeper->mode = KEEPER_OFF;
    keeper->rest = (MemoryRest){0};
    learned_table_clear(&keeper->learned);
}

void keeper_destroy(Keeper *keeper)
{
    if (keeper == NULL)
        return;
    close_file(keeper);
    free(keeper);
}

const KeeperPlan *keeper_plan(const Keeper *keeper)
{
    return &keeper->plan;
}

void keeper_set_plan(Keeper *keeper, const KeeperPlan *plan)
{
    const KeeperPlan *const old = &keeper->plan;
    if (plan->mode == old->mode && plan->policy == old->policy && plan->fuzz == old->fuzz &&
        plan->max == old->max && strcmp(plan->path, old->path) == 0)
        return;
    close_file(keeper);
    keeper->plan = *plan;
    keeper->is_settled = false;
    keeper->told[0] = '\0';
}

void keeper_set_network(Keeper *keeper, uint32_t network)
{
    keeper->learned.network = network;
    keeper->previous = SCORE_NONE;
}

int64_t keeper_most(const Keeper *keeper)
{
    const KeeperPlan *const plan = &keeper->plan;
    const bool is_limited = plan->policy == LESSON_CRAFTY && plan->max > LESSON_CRAFTY_MAX;
    return is_limited ? LESSON_CRAFTY_MAX : plan->max;
}

static bool take_in(void *ctx, const Lesson *lesson)
{
    Keeper *const keeper = ctx;
    return learned_table_put(&keeper->learned, lesson, false);
}

/* Reads the file into RAM, in place of what is there, which stays when others hold the file. */
static MemoryVerdict load(Keeper *keeper)
{
    LearnedTable before = keeper->learned;
    keeper->learned = (LearnedTable){
        .network = before.network, .policy = keeper->plan.policy, .fuzz = keeper->plan.fuzz};
    const MemoryReader reader = {
        .visit = take_in, .ctx = keeper, .limit = keeper_most(keeper), .ms = MEMORY_READ_MS};
    const MemoryVerdict verdict = memory_read(keeper->memory, &reader, &keeper->rest);
    if (verdict == MEMORY_BUSY) {
        learned_table_clear(&keeper->learned);
        keeper->learned = before;
    } else {
        learned_table_clear(&before);
    }
    keeper->is_behind = verdict == MEMORY_BUSY;
    return verdict;
}

/* Opens the file and reads it; what is wrong is put into `error` (MEMORY_ERROR_MAX bytes). */
static void open_file(Keeper *keeper, char *error)
{
    const KeeperPlan *const plan = &keeper->plan;
    const bool learns = plan->mode == KEEPER_LEARN;
    MemoryVerdict verdict;
    keeper->memory = memory_open(plan->path, learns, &verdict, error);
    if (keeper->memory == NULL)
        return;
    const MemoryVerdict read = load(keeper);
    if (read != MEMORY_DONE)
        text_copy(error, MEMORY_ERROR_MAX, memory_error(keeper->memory));
    if (read == MEMORY_BUSY) { // to be tried again in the next game
        close_file(keeper);
        return;
    }
    keeper->mode = KEEPER_READ;
    if (read != MEMORY_DONE || !learns || !memory_is_writable(keeper->memory))
        return;
    const MemoryTerms terms = {.policy = plan->policy, .max = keeper_most(keeper)};
    keeper->scribe = scribe_create(keeper->memory, terms);
    if (keeper->scribe != NULL)
        keeper->mode = KEEPER_LEARN;
    else
        text_copy(error, MEMORY_ERROR_MAX, "is only read: no thread to write it");
}

/* What came of opening the file, in words; false when it was said before. */
static bool tell_opened(Keeper *keeper, const char *error, char *message)
{
    const KeeperPlan *const plan = &keeper->plan;
    const long long count = (long long)keeper->learned.count;
    if (*error != '\0' && strcmp(error, keeper->told) == 0)
        return false;
    text_copy(keeper->told, sizeof keeper->told, error);
    if (keeper->mode == KEEPER_OFF) {
        snprintf(message, KEEPER_MESSAGE_MAX, "error: MemoryFile: '%s' %s; memory is off",
                 plan->path, error);
        return true;
    }
    char rest[96] = "";
    if (keeper->rest.faulty > 0)
        snprintf(rest, sizeof rest, ", %lld damaged ones left out", (long long)keeper->rest.faulty);
    if (keeper->rest.is_late)
        snprintf(rest + strlen(rest), sizeof rest - strlen(rest), ", older ones left out for time");
    if (*error != '\0')
        snprintf(message, KEEPER_MESSAGE_MAX,
                 "error: MemoryFile: '%s' %s; %lld lessons are of use%s, nothing is learned",
                 plan->path, error, count, rest);
    else
        snprintf(message, KEEPER_MESSAGE_MAX,
                 "memory: %lld lessons in '%s'%s; %s by the rules of %s", count, plan->path, rest,
                 keeper->mode == KEEPER_LEARN ? "learning" : "reading",
                 lesson_policy_name(plan->policy));
    return true;
}

/* Carries out the plan from the start. */
static bool settle_plan(Keeper *keeper, char *message)
{
    char error[MEMORY_ERROR_MAX] = "";
    keeper->is_settled = true;
    if (keeper->plan.mode == KEEPER_OFF)
        return false;
    if (keeper->plan.path[0] == '\0') {
        if (strcmp(keeper->told, "no path") == 0)
            return false;
        text_copy(keeper->told, sizeof keeper->told, "no path");
        snprintf(message, KEEPER_MESSAGE_MAX,
                 "error: Memory needs a file, set the option MemoryFile; memory is off");
        return true;
    }
    open_file(keeper, error);
    return tell_opened(keeper, error, message);
}

/* Reads the file again where that is worth while: others have learned, or RAM holds more than the
 * plan says. A file that was not to be had before may be now. */
static bool refresh(Keeper *keeper, char *message)
{
    keeper->looks_again = false;
    if (keeper->plan.mode == KEEPER_OFF)
        return false;
    if (keeper->memory == NULL)
        return settle_plan(keeper, message);
    bool is_written = true;
    if (keeper->scribe != NULL) {
        is_written = scribe_await(keeper->scribe, RELOAD_WAIT_MS);
        scribe_lock(keeper->scribe);
    }
    const bool is_stale = memory_has_changed(keeper->memory) || keeper->is_behind;
    const bool is_full = (int64_t)keeper->learned.count > keeper_most(keeper);
    const bool is_due = is_written && (is_stale || is_full);
    const MemoryVerdict verdict = is_due ? load(keeper) : MEMORY_DONE;
    keeper->is_behind |= is_stale && !is_written; // what waits would be missing
    if (verdict != MEMORY_DONE)
        snprintf(message, KEEPER_MESSAGE_MAX, "error: MemoryFile: '%s' %s; %lld lessons are of use",
                 keeper->plan.path, memory_error(keeper->memory), (long long)keeper->learned.count);
    if (keeper->scribe != NULL)
        scribe_unlock(keeper->scribe);
    return verdict != MEMORY_DONE;
}

bool keeper_settle(Keeper *keeper, char *message)
{
    if (!keeper->is_settled)
        return settle_plan(keeper, message);
    return keeper->looks_again && refresh(keeper, message);
}

void keeper_new_game(Keeper *keeper)
{
    keeper->previous = SCORE_NONE;
    keeper->looks_again = true;
}

const LearnedTable *keeper_recall(const Keeper *keeper)
{
    return keeper->mode != KEEPER_OFF ? &keeper->learned : NULL;
}

/* The score of the search before this one in the same game: there it stood two plies back. */
static Score previous_score(const Keeper *keeper, const Path *path)
{
    const bool goes_on = path->count >= 3 && path->keys[path->count - 3] == keeper->previous_root;
    return goes_on ? keeper->previous : SCORE_NONE;
}

void keeper_learn(Keeper *keeper, const Position *root, const Path *path,
                  const SearchOutcome *outcome, LessonOrigin origin)
{
    const Score previous = previous_score(keeper, path);
    keeper->previous_root = root->key;
    keeper->previous = outcome->score;
    if (keeper->mode != KEEPER_LEARN || !lesson_is_due(keeper->plan.policy, outcome, previous))
        return;
    Lesson lesson = {.depth = outcome->depth,
                     .network = keeper->learned.network,
                     .origin = origin,
                     .calendar_s = clock_calendar_s(),
                     .seen = 1};
    lesson_place(&lesson, root, outcome->best, outcome->score);
    if ((int64_t)keeper->learned.count < keeper_most(keeper) + SPARE)
        learned_table_put(&keeper->learned, &lesson, true);
    scribe_note(keeper->scribe, &lesson);
}

bool keeper_await(Keeper *keeper, int64_t ms)
{
    return keeper->scribe == NULL || scribe_await(keeper->scribe, ms);
}

bool keeper_take_notice(Keeper *keeper, char *message)
{
    char notice[SCRIBE_NOTICE_MAX];
    if (keeper->scribe == NULL || !scribe_take_notice(keeper->scribe, notice))
        return false;
    snprintf(message, KEEPER_MESSAGE_MAX, "error: MemoryFile: '%s' %s", keeper->plan.path, notice);
    return true;
}

Memory *keeper_lend(Keeper *keeper)
{
    if (keeper->scribe != NULL)
        scribe_lock(keeper->scribe);
    return keeper->memory;
}

void keeper_return(Keeper *keeper, bool has_changed)
{
    if (has_changed)
        load(keeper);
    if (keeper->scribe != NULL)
        scribe_unlock(keeper->scribe);
}

KeeperState keeper_state(Keeper *keeper)
{
    KeeperState state = {.mode = keeper->mode,
                         .recalled = (int64_t)keeper->learned.count,
                         .faulty = keeper->rest.faulty,
                         .bytes = (int64_t)learned_table_bytes(&keeper->learned)};
    if (keeper->scribe != NULL)
        state.scribe = scribe_count(keeper->scribe);
    if (state.scribe.has_stopped)
        state.mode = KEEPER_READ;
    return state;
}
