// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The long memory of one engine: a file of lessons (memory.h), what of it the search sees
 * (recall.h), and the thread that adds to it (scribe.h), as the options want them. Nothing here
 * delays a move: files are opened and read by keeper_settle() alone, which the front end calls
 * where the protocol lets it wait, and written behind the engine's back.
 *
 * All is for the thread that commands the pool while no search runs, but for keeper_learn(), which
 * is the pool's at the end of a search. */

#include "chess/game.h"
#include "engine/scribe.h"
#include "search/deepening.h"
#include "search/learned_table.h"

typedef struct Keeper Keeper;

typedef enum { KEEPER_OFF, KEEPER_READ, KEEPER_LEARN, KEEPER_MODE_NB } KeeperMode;

enum {
    KEEPER_FUZZ = 20,    // what a score is believed to be out by, unless told: 0.2 pawns
    KEEPER_MAX = 100000, // lessons kept, unless told
    KEEPER_PATH_MAX = 4096,
    KEEPER_MESSAGE_MAX = KEEPER_PATH_MAX + SCRIBE_NOTICE_MAX + 128,
    KEEPER_CLOSE_MS = 2000 // that closing a file may wait for what is still to be written
};

/* What the options ask for. */
typedef struct {
    KeeperMode mode;
    LessonPolicy policy;
    Score fuzz;
    int64_t max; // lessons, in the file and in RAM
    char path[KEEPER_PATH_MAX];
} KeeperPlan;

/* The mode's name, as the option writes it. */
const char *keeper_mode_name(KeeperMode mode);

/* NULL when there is no memory for it. */
Keeper *keeper_create(void);

/* Writes what is still to be written, within KEEPER_CLOSE_MS. NULL may be given. */
void keeper_destroy(Keeper *keeper);

/* The plan. A new one closes a file that is open under another, and the memory is off until
 * keeper_settle(). */
const KeeperPlan *keeper_plan(const Keeper *keeper);
void keeper_set_plan(Keeper *keeper, const KeeperPlan *plan);

/* How many lessons that allows: the policy may want fewer. */
int64_t keeper_most(const Keeper *keeper);

/* Searches evaluate by what has this eval_fingerprint_short() from now on. */
void keeper_set_network(Keeper *keeper, uint32_t network);

/* Makes all as planned that is not: opens the file, reads it again where others changed it. True:
 * `message` (KEEPER_MESSAGE_MAX bytes) is to be told, "error: ..." if something is wrong. */
bool keeper_settle(Keeper *keeper, char *message);

/* The next search is of another game; keeper_settle() looks whether others have learned. */
void keeper_new_game(Keeper *keeper);

/* What the searches see; NULL when memory is off. Changes between searches only. */
const LearnedTable *keeper_recall(const Keeper *keeper);

/* A search of `root`, the last position of `path`, has ended as `outcome` says: learns from it if
 * the plan has it so. `origin` is that of the search. */
void keeper_learn(Keeper *keeper, const Position *root, const Path *path,
                  const SearchOutcome *outcome, LessonOrigin origin);

/* Waits until all that was learned is in the file, but no longer than so; false when it is not. */
bool keeper_await(Keeper *keeper, int64_t ms);

/* What went wrong with writing since the last call, once. */
bool keeper_take_notice(Keeper *keeper, char *message);

/* Lends the file to the caller, until keeper_return(), which takes over what the caller changed
 * when that is said; NULL while none is open. */
Memory *keeper_lend(Keeper *keeper);
void keeper_return(Keeper *keeper, bool has_changed);

/* What there is: what is done in place of what was planned, and the lessons in RAM. */
typedef struct {
    KeeperMode mode;
    int64_t recalled; // lessons the search sees
    int64_t faulty;   // rows of the file that are none
    int64_t bytes;    // of RAM
    ScribeCounts scribe;
} KeeperState;
KeeperState keeper_state(Keeper *keeper);
