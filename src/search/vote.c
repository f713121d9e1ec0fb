// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/vote.h"

#include "search/params.h"
#include "search/peers.h"

/* All voters: first the workers, then the other processes (peers.h). */
typedef struct {
    Worker *const *workers;
    int worker_count;
    const PeerResult *results;
    int result_count;
} Electorate;

/* The vote of a worker or of a process. */
typedef struct {
    Move move;
    Score score;
    int depth; // of the last completed iteration; 0: does not count
} Ballot;

static Ballot ballot_of(const Electorate *all, int i)
{
    if (i < all->worker_count) {
        const Worker *const w = all->workers[i];
        const RootMove *const root = &w->root_moves[0];
        return (Ballot){root->move, root_move_score(root), w->completed_depth};
    }
    const PeerResult *const result = &all->results[i - all->worker_count];
    return (Ballot){result->line.move, root_move_score(&result->line), result->depth};
}

/* Votes for `move`. The weight of a vote is its completed depth times its score above `worst`. */
static int64_t count_votes(const Electorate *all, Move move, Score worst)
{
    int64_t votes = 0;
    for (int i = 0; i < all->worker_count + all->result_count; i++) {
        const Ballot vote = ballot_of(all, i);
        if (vote.move == move)
            votes += (int64_t)(vote.score - worst + params.vote_score_offset) * vote.depth;
    }
    return votes;
}

/* Returns the index of the elected worker or process. */
static int elect(const Electorate *all)
{
    const int count = all->worker_count + all->result_count;
    Score worst = SCORE_INF;
    for (int i = 0; i < count; i++) {
        const Ballot ballot = ballot_of(all, i);
        if (ballot.depth > 0 && ballot.score < worst)
            worst = ballot.score;
    }
    int elected = 0;
    int64_t most = -1;
    Score best = -SCORE_INF; // of the elected one
    for (int i = 0; i < count; i++) {
        const Ballot candidate = ballot_of(all, i);
        const int64_t votes = count_votes(all, candidate.move, worst);
        const bool proven = score_is_win(candidate.score) || score_is_win(best);
        if (candidate.depth > 0 && (proven ? candidate.score > best : votes > most)) {
            elected = i;
            most = votes;
            best = candidate.score;
        }
    }
    return elected;
}

/* False after `go depth` and `go mate`: only the main worker searches to that depth, or proves that
 * mate. */
static bool has_vote(const SearchShared *shared)
{
    const SearchJob *const job = shared->job;
    return job->limits.depth == 0 && job->limits.mate == 0;
}

Worker *vote_of_workers(const SearchShared *shared)
{
    const Electorate all = {.workers = shared->workers, .worker_count = shared->worker_count};
    return shared->workers[has_vote(shared) ? elect(&all) : 0];
}

bool vote_of_peers(const Worker *elected, Worker *main_worker)
{
    const SearchShared *const shared = main_worker->shared;
    Worker *const own[] = {shared->workers[elected->index]};
    const Electorate all = {.workers = own,
                            .worker_count = 1,
                            .results = shared->peer_results,
                            .result_count = shared->peer_count};
    const int winner = shared->peer_count > 0 && has_vote(shared) ? elect(&all) : 0;
    const PeerResult *const result = winner > 0 ? &shared->peer_results[winner - 1] : NULL;
    if (result == NULL || !worker_bring_to_front(main_worker, result->line.move))
        return false;
    const int rank = main_worker->root_moves[0].rank; // the other process may have no tablebases
    main_worker->root_moves[0] = result->line;
    main_worker->root_moves[0].rank = rank;
    main_worker->completed = main_worker->root_moves[0];
    main_worker->completed_depth = result->depth;
    return true;
}
