// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* One worker with a table of its own, searching in the caller's thread: for programs that run many
 * small searches side by side. Not shared between threads. */

#include "eval/eval.h"
#include "search/deepening.h"

typedef struct Solo Solo;

typedef struct {
    Move best;     // MOVE_NONE when the root has no legal move
    Score score;   // from the root side's view; never a mere bound, see search_outcome()
    bool is_exact; // false: `score` is of the last finished iteration, perhaps of another move
    int depth;     // plies completed
    uint64_t nodes;
} SoloResult;

/* A table of `hash_mib` MiB and an evaluation from `source`, which must outlive it. NULL when
 * memory is short. */
Solo *solo_create(uint64_t hash_mib, const EvalSource *source);
void solo_destroy(Solo *solo);

/* Forgets table and histories: the next search depends on nothing before it. */
void solo_new_game(Solo *solo);

/* Searches `root`, the last position of `path`, until soft_nodes (no new iteration), nodes (exact)
 * or depth of `limits` ends it. */
SoloResult solo_search(Solo *solo, const Position *root, const Path *path, const Limits *limits);

/* Openings are worth playing up to this score, either way, by a search of so many nodes. */
enum { SOLO_LEVEL_SCORE = 400, SOLO_LEVEL_NODES = 1000 };

/* Whether such a search, with nothing known before, says so of `root`, the last position of `path`.
 */
bool solo_is_level(Solo *solo, const Position *root, const Path *path);

/* The table, to be set up otherwise than for play between searches: for the laboratory. */
Tt *solo_table(Solo *solo);

/* The statistics of the last search, without its node count. */
const SearchStats *solo_stats(const Solo *solo);
