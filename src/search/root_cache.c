// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/root_cache.h"

#include <assert.h>
#include <stdlib.h>

#include "base/bits.h"
#include "chess/movegen.h"
#include "chess/play.h"
#include "search/learned_table.h"

/* Probes the table for the position at `ply`. */
static int probe(Worker *w, int ply, TtData found[2])
{
    const Position *const pos = &worker_stack(w, ply)->pos;
    TtStats unused = {0};
    return tt_probe(w->shared->tt, table_key(pos), (SearchPoint){ply, pos->rule50}, found, &unused);
}

/* Probes the table for a cached result. Its key says at which counter it is valid, so it is read as
 * it was stored. */
static int probe_cached(Worker *w, Key key, TtData found[2])
{
    TtStats unused = {0};
    return tt_probe(w->shared->tt, key, (SearchPoint){0, 0}, found, &unused);
}

static Key mix(Key key)
{
    return (key ^ key >> 32) * GOLDEN_RATIO_64;
}

/* Different from the key of the root's entry, so that the search does not overwrite the result. */
Key root_cache_key(const Position *root, const SyzygyUse *use)
{
    const Key key = mix(root->key);
    return use->men == 0 ? key : mix(key ^ (Key)(2 * use->men + use->rule50));
}

/* Whether the fifty-move counter is so low that the score does not depend on it. */
static bool has_low_rule50(const SearchJob *job)
{
    return job->root.rule50 < LEARNED_RULE50_MAX;
}

/* Key of the cached result of a root that may depend on the fifty-move counter and on repetitions:
 * a draw, a result with a high counter, or one of a game in which a position has occurred twice. It
 * includes the counter and the game since the last zeroing move. (A hash file keeps only the move
 * of a draw; under this key that is enough.) */
static Key path_key(const SearchShared *shared)
{
    const SearchJob *const job = shared->job;
    const Path *const path = &job->path;
    const int reversible = job->root.reversible, last = path->count - 1;
    Key key = mix(root_cache_key(&job->root, &shared->syzygy) ^ (Key)job->root.rule50);
    for (int i = 1; i <= reversible && i <= last; i++)
        key = mix(key ^ path->keys[last - i]);
    return key;
}

/* Whether results of the root may be stored and loaded: not if the root is repeated. */
static bool is_cacheable(const SearchJob *job)
{
    return path_occurrences(&job->path, &job->root) == 0;
}

bool root_cache_applies(const SearchJob *job)
{
    const Limits *const limits = &job->limits;
    return job->multi_pv == 1 && !limits->has_search_moves && limits->mate == 0 &&
           is_cacheable(job);
}

/* Number of squares on which the boards differ. */
static int difference(const Position *a, const Position *b)
{
    int count = 0;
    for (Square s = 0; s < SQ_NB; s++)
        count += pos_piece_on(a, s) != pos_piece_on(b, s);
    return count;
}

bool root_cache_is_related(Tt *tt, const SearchJob *before, const SearchJob *job)
{
    enum { SQUARES_APART = 12 }; // about six plies
    if (path_contains(&job->path, before->root.key) ||
        path_contains(&before->path, job->root.key) ||
        difference(&before->root, &job->root) <= SQUARES_APART)
        return true;
    TtData found[2];
    TtStats unused = {0};
    return tt_probe(tt, table_key(&job->root), (SearchPoint){.ply = 0}, found, &unused) > 0;
}

/* The table move of the position at `ply`; MOVE_NONE: none, or the game is over. */
static Move table_move(Worker *w, int ply)
{
    TtData found[2];
    const int count = worker_is_draw(w, worker_stack(w, ply)) ? 0 : probe(w, ply, found);
    for (int i = 0; i < count; i++)
        if (gen_is_legal(&worker_stack(w, ply)->pos, found[i].move))
            return found[i].move;
    return MOVE_NONE;
}

void root_cache_extend_pv(Worker *w, RootMove *root, int plies)
{
    const int count = w->path.count;
    for (int ply = 0; ply < plies; ply++) {
        const Move move = ply < root->pv_length ? root->pv[ply] : table_move(w, ply);
        if (move == MOVE_NONE)
            break;
        if (ply == root->pv_length)
            root->pv[root->pv_length++] = move;
        pos_play(&worker_stack(w, ply + 1)->pos, &worker_stack(w, ply)->pos, move);
        worker_stack(w, ply + 1)->ply = ply + 1;
        path_push(&w->path, worker_stack(w, ply + 1)->pos.key);
    }
    w->path.count = count;
}

/* Whether the entry can serve as the result of the root. A proven score cannot, because its line
 * may be lost. A draw cannot, because it may depend on the earlier moves of the game. */
static bool is_root_result(const TtData *entry, const Worker *w)
{
    return entry->bound == BOUND_EXACT && entry->depth > 0 && !score_is_proven(entry->score) &&
           !score_is_near_draw(entry->score) && gen_is_legal(&w->shared->job->root, entry->move);
}

/* The same for a draw under the key that includes the earlier moves of the game. */
static bool is_root_draw(const TtData *entry, const SearchJob *job)
{
    return (entry->bound == BOUND_NONE || score_is_near_draw(entry->score)) && entry->depth > 0 &&
           gen_is_legal(&job->root, entry->move);
}

/* Sets `*best` to the deepest of it and the entries that can serve as the result of the root. Draws
 * can only under the key that includes the path. */
static void take_deepest(TtData *best, const TtData *found, int count, Worker *w, bool has_path)
{
    for (int i = 0; i < count; i++) {
        const bool is_draw = has_path && is_root_draw(&found[i], w->shared->job);
        if (found[i].depth <= best->depth || (!is_draw && !is_root_result(&found[i], w)))
            continue;
        *best = found[i];
        if (is_draw)
            best->score = SCORE_DRAW;
    }
}

/* The deepest entry that can serve as the result of the root; depth 0: none. If a position of the
 * game has occurred twice, results of other games do not count; nor does, with tablebases, an entry
 * of the root, which may be older than they. */
static TtData find_root(Worker *w)
{
    const SearchShared *const shared = w->shared;
    const SearchJob *const job = shared->job;
    const Key key = root_cache_key(&job->root, &shared->syzygy);
    TtData best = {.depth = 0}, found[2];
    if (has_low_rule50(job) && !w->has_repeated) {
        if (shared->syzygy.men == 0)
            take_deepest(&best, found, probe(w, 0, found), w, false);
        take_deepest(&best, found, probe_cached(w, key, found), w, false);
    }
    take_deepest(&best, found, probe_cached(w, path_key(shared), found), w, true);
    return best;
}

bool root_cache_load(Worker *w, int max_depth)
{
    const TtData known = find_root(w);
    if (known.depth == 0)
        return false;
    const int depth = known.depth < max_depth ? known.depth : max_depth;
    worker_bring_to_front(w, known.move);
    RootMove *const root = &w->root_moves[0];
    assert(root->move == known.move);
    root->score = root->average = known.score;
    root->bound = BOUND_EXACT;
    root->depth = root->searched_depth = depth;
    root_cache_extend_pv(w, root, depth);
    root->seldepth = root->pv_length;
    w->root_depth = w->completed_depth = w->cached_depth = depth;
    w->completed = *root;
    w->may_stop = true;
    return true;
}

/* Whether the score of a root may be stored. Not a proven score: see is_root_result(). Nor the
 * largest evaluation, which stands for a mate beyond the fifty-move rule: a hash file keeps only
 * its move, and that is read as a draw under path_key(). */
static bool is_storable(Score score)
{
    return abs(score) < SCORE_EVAL_MAX;
}

void root_cache_store(Worker *w)
{
    const SearchShared *const shared = w->shared;
    const Position *const pos = &worker_stack(w, 0)->pos;
    const SearchJob *const job = shared->job;
    if (w->completed_depth == w->cached_depth || job->limits.has_search_moves ||
        shared->root_has_dtz || !is_cacheable(job) || !is_storable(w->completed.score))
        return;
    const TtData data = {.move = w->completed.move,
                         .score = w->completed.score,
                         .eval = pos_in_check(pos) ? SCORE_NONE : eval_raw(&w->evaluator, pos, 0),
                         .depth = w->completed_depth,
                         .bound = BOUND_EXACT,
                         .was_pv = true,
                         .nodes = worker_nodes(w) + 1};
    const bool has_path = score_is_near_draw(data.score) || !has_low_rule50(job) || w->has_repeated;
    const Key key = has_path ? path_key(shared) : root_cache_key(&job->root, &shared->syzygy);
    tt_store(shared->tt, key, (SearchPoint){0, pos->rule50}, &data, &w->stats.tt);
}

void root_cache_forget(Worker *w)
{
    w->completed_depth = w->cached_depth = 0;
}
