// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* One worker with a table of its own, searching in the caller's thread: for programs that run many
 * small searches side by side. Not shared between threads. */

#include "eval/eval.h"
#include "search/job.h"
#include "search/stats.h"

typedef struct Single Single;

typedef struct {
    Move best;     // MOVE_NONE when the root has no legal move
    Score score;   // from the root side's view; never a mere bound, see deepening_outcome()
    bool is_exact; // false: `score` is of the last finished iteration, perhaps of another move
    int depth;     // plies completed
    uint64_t nodes;
} SingleResult;

/* A table of `hash_mib` MiB and an evaluation from `source`, which must outlive it. NULL when
 * memory is short. */
Single *single_create(uint64_t hash_mib, const EvalSource *source);
void single_destroy(Single *single);

/* Forgets table and histories: the next search depends on nothing before it. */
void single_new_game(Single *single);

/* Searches `root`, the last position of `path`, until soft_nodes (no new iteration), nodes (exact)
 * or depth of `limits` ends it. */
SingleResult single_search(Single *single, const Position *root, const Path *path,
                           const Limits *limits);

/* Openings are worth playing up to this score, either way, by a search of so many nodes. */
enum { SINGLE_LEVEL_SCORE = 400, SINGLE_LEVEL_NODES = 1000 };

/* Whether such a search, with nothing known before, says so of `root`, the last position of `path`.
 */
bool single_is_level(Single *single, const Position *root, const Path *path);

/* The table, to be set up otherwise than for play between searches: for the laboratory. */
Tt *single_table(Single *single);

/* The statistics of the last search, without its node count. */
const SearchStats *single_stats(const Single *single);
