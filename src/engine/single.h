// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* One worker with its own table that searches on the caller's thread, for programs that run many
 * small searches in parallel, one Single per thread. No tablebases, no clock. */

#include "eval/eval.h"
#include "search/job.h"
#include "search/learned_table.h"
#include "search/node.h"
#include "search/stats.h"

typedef struct Single Single;

typedef struct {
    Move best;     // MOVE_NONE when the root has no legal move
    Score score;   // for the side to move at the root; never a bound, see deepening_outcome()
    bool is_exact; // true: `score` is the score of `best`. false: only a bound of that is known;
                   // `score` is that of the last finished iteration, perhaps of another move
    int depth;     // to which the root was searched, in plies; see SearchOutcome
    Score peak;    // best score of the iterations from depth 4 on; SCORE_NONE: none
    uint64_t nodes;
} SingleResult;

/* Creates a Single: a table of `hash_mib` MiB and a worker that evaluates with `source`, which must
 * outlive the Single. Returns NULL when memory is short. Free it with single_destroy(). */
Single *single_create(uint64_t hash_mib, const EvalSource *source);

/* Frees everything. NULL is allowed. */
void single_destroy(Single *single);

/* Clears table and histories: the next search does not depend on earlier ones. */
void single_new_game(Single *single);

/* Searches `root`, the last position of `path`, until a limit ends the search. `limits` must set at
 * least one of soft_nodes (no new iteration after this number), nodes (the search ends there) and
 * depth; its times are ignored. */
SingleResult single_search(Single *single, const Position *root, const Path *path,
                           const Limits *limits);

/* Whether the quiescence search of `pos` scores at most `margin` internal units above the static
 * evaluation. It never scores below it, because the side to move need not capture. The side to move
 * must not be in check. Searches since single_new_game() may change the answer; the same searches
 * and calls always give the same answers. */
bool single_is_quiet(Single *single, const Position *pos, int margin);

/* The score of a quiescence search of `pos` for the side to move, in internal units. Earlier
 * searches since single_new_game() may change it. */
Score single_quiescence(Single *single, const Position *pos);

/* An opening is balanced when a search of SINGLE_BALANCED_NODES scores it at most
 * SINGLE_BALANCED_SCORE (internal units) for either side. */
enum { SINGLE_BALANCED_SCORE = 400, SINGLE_BALANCED_NODES = 1000 };

/* Whether `root`, the last position of `path`, is balanced. Calls single_new_game() first. */
bool single_is_balanced(Single *single, const Position *root, const Path *path);

/* Searches the node `n` of another search again: with the same window, line, game path and
 * histories, but to `depth` plies and with this table. With `forgets_path` no position has occurred
 * before and the fifty-move counter is 0. The other search does not change. Both must have the same
 * evaluation. False when the search needs more than `max_nodes` nodes; else its score is in
 * `*score`. */
bool single_search_again(Single *single, const Node *n, int depth, bool forgets_path,
                         uint64_t max_nodes, Score *score);

/* Sets SearchJob.lmp_extra of later searches; 0 at first. */
void single_set_lmp_extra(Single *single, int lmp_extra);

/* Sets the learned positions that later searches use; the table must outlive them. NULL: none. */
void single_set_learned(Single *single, const LearnedTable *learned);

/* Sets the judge of table cutoffs of later searches; it must outlive them. NULL: none. */
void single_set_judge(Single *single, const CutoffJudge *judge);

/* The nodes of the running search so far, or of the last one. */
uint64_t single_nodes(const Single *single);

/* The table. The laboratory changes its settings between searches. */
Tt *single_table(Single *single);

/* The statistics of the last search, without its node count. */
const SearchStats *single_stats(const Single *single);
