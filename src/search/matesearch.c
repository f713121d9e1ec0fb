// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/matesearch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "search/mateproof.h"

#define TABLE_BYTES_MIN ((size_t)1 << 20)
#define TABLE_BYTES_MAX ((size_t)1 << (sizeof(size_t) > 4 ? 32 : 28))

enum {
    FIRST_NODES = 200000, // budget of the first proof; also added to the budget for shorter mates
    LINE_NODES = 200000,  // budget for the line of a proven mate, beyond the nodes of the proof
    SHORT_MOVES = 3,      // mates up to this length are searched one length after another
    LONG_MOVES = 11,      // from this length on, half of the proof uses weak numbers
    PROOF_NODES = 2,      // nodes of the proof for each of the alpha-beta search: they are cheaper
    LAST_DEPTH = 10       // without a mate the alpha-beta search still completes this depth
};

bool matesearch_open(MateSearch *search, Worker *w)
{
    size_t bytes = w->shared->tt->bytes < TABLE_BYTES_MAX ? w->shared->tt->bytes : TABLE_BYTES_MAX;
    const int mate = w->shared->job->limits.mate;
    *search =
        (MateSearch){.w = w, .wanted = mate < MATEPROOF_MOVES_MAX ? mate : MATEPROOF_MOVES_MAX};
    for (; search->proof == NULL && bytes >= TABLE_BYTES_MIN; bytes /= 2)
        search->proof = mateproof_create(w, search->wanted, bytes);
    return search->proof != NULL;
}

void matesearch_close(MateSearch *search)
{
    mateproof_destroy(search->proof);
    search->proof = NULL;
}

static Color own_side(const MateSearch *search)
{
    return search->w->shared->job->root.side;
}

/* Searches a mate by `attacker` in `moves` and counts the nodes. */
static MateResult prove(MateSearch *search, Color attacker, int moves, uint64_t budget)
{
    const uint64_t before = worker_nodes(search->w);
    const bool is_long = moves >= LONG_MOVES;
    assert(moves > search->refuted[attacker]);
    MateResult result = mateproof_search(search->proof, attacker, moves, MATE_NUMBERS_SUM,
                                         is_long ? budget / 2 : budget);
    if (is_long && result.verdict == MATE_UNKNOWN && !search->w->stopped)
        result = mateproof_search(search->proof, attacker, moves, MATE_NUMBERS_WEAK, budget / 2);
    search->proof_nodes += worker_nodes(search->w) - before;
    if (result.verdict == MATE_REFUTED)
        search->refuted[attacker] = moves;
    return result;
}

/* The opponent mates within `plies` whatever is played: no other root move may look better. No
 * depth falls, see set_mate(). */
static void limit_other_moves(Worker *w, int plies)
{
    const Score loss = score_mated_in(plies);
    for (int i = 1; i < w->root_move_count; i++) {
        RootMove *const move = &w->root_moves[i];
        if (move->score <= loss)
            continue;
        move->score = move->previous = move->average = loss;
        move->bound = BOUND_UPPER;
        move->depth = max_int(plies, move->depth);
    }
}

/* Writes the proven mate to the first root move. Its depth is at least that of the line before it,
 * which may be a longer mate: the depth of a line never falls. */
static void set_mate(MateSearch *search, Color attacker, const MateResult *mate)
{
    Worker *const w = search->w;
    const int plies = 2 * mate->moves - (attacker == own_side(search));
    const int depth = max_int(w->completed_depth, w->root_moves[0].depth);
    const int searched = w->completed.searched_depth;
    Move pv[MAX_PLY] = {mate->first};
    const int length =
        mateproof_line(search->proof, attacker, mate->moves, search->proof_nodes + LINE_NODES, pv);
    worker_bring_to_front(w, pv[0]);
    RootMove *const root = &w->root_moves[0];
    assert(root->move == pv[0]); // the proof tries no other moves at the root
    root->score = root->previous = root->average =
        attacker == own_side(search) ? score_mate_in(plies) : score_mated_in(plies);
    root->bound = BOUND_EXACT;
    root->depth = max_int(plies, depth);
    root->searched_depth = max_int(searched, root->searched_depth);
    root->seldepth = plies;
    root->pv_length = length > 0 ? length : 1;
    memcpy(root->pv, pv, (size_t)root->pv_length * sizeof pv[0]);
    w->completed = *root;
    if (attacker != own_side(search))
        limit_other_moves(w, plies);
    search->found = mate->moves;
    search->winner = attacker;
}

/* Records a mate that the alpha-beta search has found. */
static void note_score(MateSearch *search)
{
    const Score score = search->w->root_moves[0].score;
    if (!score_is_mate(score))
        return;
    const int moves = abs(score_mate_moves(score));
    if (moves <= search->wanted && (search->found == 0 || moves < search->found)) {
        search->found = moves;
        search->winner = score > 0 ? own_side(search) : !own_side(search);
    }
}

/* Looks for a shorter mate than the known one. */
static MateStep shorten(MateSearch *search)
{
    const uint64_t nodes = worker_nodes(search->w);
    if (search->last_node == 0)
        search->last_node = 2 * nodes + FIRST_NODES;
    if (search->proof == NULL || search->found - 1 <= search->refuted[search->winner] ||
        nodes >= search->last_node)
        return MATE_STEP_DONE;
    const MateResult mate =
        prove(search, search->winner, search->found - 1, search->last_node - nodes);
    if (mate.verdict != MATE_PROVEN)
        return MATE_STEP_DONE;
    set_mate(search, search->winner, &mate);
    return MATE_STEP_FOUND;
}

/* Searches mates by `attacker`, short ones first, with `budget` nodes; true when one is proven. */
static bool attack(MateSearch *search, Color attacker, uint64_t budget)
{
    const uint64_t last_node = worker_nodes(search->w) + budget;
    while (search->refuted[attacker] < search->wanted && worker_nodes(search->w) < last_node) {
        const int next = search->refuted[attacker] + 1;
        const int moves = next <= SHORT_MOVES ? next : search->wanted;
        const MateResult mate = prove(search, attacker, moves, last_node - worker_nodes(search->w));
        if (mate.verdict == MATE_PROVEN)
            set_mate(search, attacker, &mate);
        if (mate.verdict != MATE_REFUTED)
            return mate.verdict == MATE_PROVEN;
    }
    return false;
}

/* Nodes for the next turn of the proof, until it has its share of all nodes. */
static uint64_t next_budget(const MateSearch *search)
{
    const uint64_t share = PROOF_NODES * (worker_nodes(search->w) - search->proof_nodes);
    if (search->proof_nodes == 0)
        return FIRST_NODES;
    return share > search->proof_nodes ? share - search->proof_nodes : 0;
}

MateStep matesearch_step(MateSearch *search)
{
    const Worker *const w = search->w;
    const Color own = w->shared->job->root.side;
    note_score(search);
    if (search->found > 0)
        return shorten(search);
    if (search->proof == NULL)
        return MATE_STEP_GO_ON;
    const bool is_worse = w->root_moves[0].score < 0;
    const uint64_t budget = next_budget(search) / (is_worse ? 2 : 1);
    if (attack(search, own, budget) || (is_worse && attack(search, !own, budget)))
        return MATE_STEP_FOUND;
    const bool is_decided = search->refuted[own] >= search->wanted &&
                            (!is_worse || search->refuted[!own] >= search->wanted);
    return is_decided && w->completed_depth >= LAST_DEPTH ? MATE_STEP_NONE : MATE_STEP_GO_ON;
}
