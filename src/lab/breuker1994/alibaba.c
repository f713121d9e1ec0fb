// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/breuker1994/alibaba.h"

#include <assert.h>
#include <string.h>

#include "base/bits.h"
#include "base/interrupt.h"
#include "chess/game.h"
#include "chess/movegen.h"
#include "chess/play.h"

enum { STOP_DEPTH = 3 }; // minimum depth at which the search checks the stop flag

/* Hash move and bounds of a position from the table. */
typedef struct {
    Move move;
    Score lower, upper; // bounds of the score, from entries of sufficient depth
} Hint;
static const Hint NO_HINT = {.move = MOVE_NONE, .lower = -SCORE_INF, .upper = SCORE_INF};

/* The state of a node. */
typedef struct {
    int ply, depth;
    Window window;
    Move refutation; // from the line of the previous iteration, or MOVE_NONE
    Move best_move;
    Score best;
} AlibabaNode;

/* --- ends of the game --- */

/* True when some pawn or knight surely has a legal move. The piece cannot be pinned, because it is
 * not on a rank, file or diagonal of its king. The side to move must not be in check. */
static inline bool has_obvious_move(const Position *pos)
{
    const Color us = pos->side;
    const Bitboard own = pos->by_color[us];
    const Bitboard free = own & ~attacks_queen(pos_king(pos, us), 0);
    const Bitboard steps = bb_forward(us, free & pos->by_type[PAWN]) & ~pos_occupied(pos);
    return steps != 0 || (bb_knight_attacks(free & pos->by_type[KNIGHT]) & ~own) != 0;
}

static inline bool is_stalemate(const Position *pos)
{
    return !has_obvious_move(pos) && !gen_any(pos);
}

/* Draw by third occurrence or by the fifty-move rule. Positions before the root are unknown, so
 * occurrences are counted from the root. */
static inline bool is_draw(const Alibaba *a, int ply)
{
    const Position *const pos = &a->frames[ply].pos;
    const int reach = pos->reversible < ply ? pos->reversible : ply;
    int earlier = 0;
    if (reach >= 8)
        for (int back = 4; back <= reach; back += 2)
            earlier += a->frames[ply - back].pos.key == pos->key;
    return earlier >= 2 || (pos->rule50 >= 100 && game_fifty_moves(pos));
}

/* --- the table --- */

/* The key for the table. A seed other than 0 maps all keys by a bijection: different keys stay
 * different. */
static inline Key table_key(const Alibaba *a, Key key)
{
    if (a->seed == 0)
        return key;
    key = (key ^ a->seed * 0xD1342543DE82EF95u) * GOLDEN_RATIO_64;
    key ^= key >> 32;
    return key * 0xBF58476D1CE4E5B9u;
}

static inline SearchPoint search_point(const Alibaba *a, int ply)
{
    return (SearchPoint){.ply = ply, .rule50 = a->frames[ply].pos.rule50};
}

static inline bool has_table(const Alibaba *a)
{
    return a->tt != NULL || a->bounds != NULL;
}

/* Probes the table for results of at least `depth` plies, which is 0 in quiescence. On a cutoff
 * returns true and sets `*score`; otherwise narrows `*window` by the bounds. Always sets `*hint`.
 */
static bool table_cutoff(Alibaba *a, int ply, int depth, Window *window, Hint *hint, Score *score)
{
    *hint = NO_HINT;
    if (!has_table(a))
        return false;
    BoundsFound probed;
    TtData *const found = probed.results;
    const Key key = table_key(a, a->frames[ply].pos.key);
    const SearchPoint at = search_point(a, ply);
    const int count = a->bounds != NULL ? bounds_probe(a->bounds, key, at, &probed)
                                        : tt_probe(a->tt, key, at, found, &a->stats);
    if (a->bounds != NULL)
        bounds_count(a->bounds, &probed, count, depth, *window);
    const TableBounds bounds = tablecut_bounds(found, count, depth, a->equal_depth_only);
    const Bound cut = tablecut_kind(&bounds, *window, score);
    if (a->trace != NULL)
        trace_probe(a->trace, key, at,
                    &(TraceProbe){.depth = depth,
                                  .window = *window,
                                  .cut = cut,
                                  .entry = cut != BOUND_NONE ? &found[bounds.used] : NULL,
                                  .clock = a->effort});
    if (cut != BOUND_NONE) {
        a->stats.cutoffs[cut]++;
        if (a->bounds == NULL && a->tt->replacement == REPLACE_BIG_ALL)
            a->effort += found[bounds.used].nodes - 1;
        return true;
    }
    hint->move = count > 0 ? found[0].move : MOVE_NONE;
    hint->lower = bounds.lower;
    hint->upper = bounds.upper;
    window->alpha = hint->lower > window->alpha ? hint->lower : window->alpha;
    window->beta = hint->upper < window->beta ? hint->upper : window->beta;
    return false;
}

/* Stores the result of an interior node. Its callers do not store draws, positions without legal
 * moves and quiescence positions. */
static void store(Alibaba *a, const AlibabaNode *node, uint64_t effort)
{
    if (!has_table(a))
        return;
    const TtData result = {
        .move = node->best_move,
        .score = node->best,
        .eval = SCORE_NONE,
        .depth = node->depth,
        .bound = node->best <= node->window.alpha  ? BOUND_UPPER
                 : node->best >= node->window.beta ? BOUND_LOWER
                                                   : BOUND_EXACT,
        .nodes = effort,
    };
    const Key key = table_key(a, a->frames[node->ply].pos.key);
    if (a->bounds != NULL) {
        bounds_store(a->bounds, key, search_point(a, node->ply), &result);
        return;
    }
    tt_store(a->tt, key, search_point(a, node->ply), &result, &a->stats);
    if (a->trace != NULL)
        trace_store(a->trace, key, search_point(a, node->ply), &result, a->effort);
}

/* --- search --- */

/* Makes `move` and sets the next frame; `value` is the evaluation after the move, White's view. */
static inline void play(Alibaba *a, int ply, Move move, Score value)
{
    AlibabaFrame *const frame = &a->frames[ply];
    if (a->bounds != NULL)
        bounds_prefetch(a->bounds, table_key(a, pos_key_after(&frame->pos, move)));
    else if (a->tt != NULL)
        tt_prefetch(a->tt, table_key(a, pos_key_after(&frame->pos, move)));
    frame[1].value = value;
    pos_play(&frame[1].pos, &frame->pos, move);
}

static Score quiesce(Alibaba *a, int ply, Window window);

/* Searches the moves of a quiescence position and returns the best score, at least `best`. Early
 * termination skips a move if the evaluation after the move does not exceed alpha, because the
 * opponent may stand pat. It does not test whether the move gives check. */
static Score quiesce_moves(Alibaba *a, int ply, Window window, Score best, RankedMoves *ranked)
{
    const AlibabaFrame *const frame = &a->frames[ply];
    const Position *const pos = &frame->pos;
    const bool may_skip = a->early_termination && !pos_in_check(pos);
    for (int i = 0; i < ranked->count && best < window.beta; i++) {
        const Move move = moverank_pick(ranked, i);
        const Score value = piecesquare_after(&a->values, pos, frame->value, move);
        const Score alpha = best > window.alpha ? best : window.alpha;
        const Score stand_pat = pos->side == WHITE ? value : -value;
        if (may_skip && stand_pat <= alpha) {
            best = stand_pat > best ? stand_pat : best;
            continue;
        }
        play(a, ply, move, value);
        a->nodes.quiescence++;
        const Score score = -quiesce(a, ply + 1, (Window){-window.beta, -alpha});
        best = score > best ? score : best;
    }
    return best;
}

/* Quiescence in check: searches all legal moves. */
static Score quiesce_check(Alibaba *a, int ply, Window window, Move table_move)
{
    const Position *const pos = &a->frames[ply].pos;
    RankedMoves ranked;
    moverank_all(&ranked, pos, &a->history);
    if (ranked.count == 0)
        return score_mated_in(ply);
    if (table_move != MOVE_NONE)
        moverank_raise(&ranked, table_move, RANK_HASH_MOVE);
    return quiesce_moves(a, ply, window, -SCORE_INF, &ranked);
}

/* Returns the score of a leaf or of a quiescence position. The caller counts the node. */
static Score quiesce(Alibaba *a, int ply, Window window)
{
    const AlibabaFrame *const frame = &a->frames[ply];
    const Position *const pos = &frame->pos;
    Score best = pos->side == WHITE ? frame->value : -frame->value;
    Hint hint = NO_HINT;
    Score table_score;
    assert(frame->value == piecesquare_sum(&a->values, pos));
    a->effort++;
    if (is_draw(a, ply))
        return SCORE_DRAW;
    if (ply == ALIBABA_MAX_PLY)
        return best;
    if (!a->equal_depth_only && table_cutoff(a, ply, 0, &window, &hint, &table_score))
        return table_score;
    if (pos_in_check(pos))
        return quiesce_check(a, ply, window, hint.move);
    if (is_stalemate(pos))
        return SCORE_DRAW;
    best = best < hint.lower ? hint.lower : best > hint.upper ? hint.upper : best;
    if (best >= window.beta)
        return best;
    RankedMoves ranked;
    moverank_forcing(&ranked, pos, &a->history);
    if (hint.move != MOVE_NONE)
        moverank_raise(&ranked, hint.move, RANK_HASH_MOVE);
    return quiesce_moves(a, ply, window, best, &ranked);
}

static Score search(Alibaba *a, int ply, int depth, Window window, bool on_line);

static Score search_below(Alibaba *a, const AlibabaNode *node, Window window, bool on_line)
{
    return -search(a, node->ply + 1, node->depth - 1, (Window){-window.beta, -window.alpha},
                   on_line);
}

/* Principal-variation search. The first move gets the full window. Any other move first gets a
 * minimal window, and is searched again if it fails high. Bounds are fail-soft, so the lower bound
 * of the second search is the score of the first. */
static Score search_move(Alibaba *a, const AlibabaNode *node, Move move, bool is_first,
                         bool on_line)
{
    const AlibabaFrame *const frame = &a->frames[node->ply];
    play(a, node->ply, move, piecesquare_after(&a->values, &frame->pos, frame->value, move));
    if (is_first)
        return search_below(a, node, node->window, on_line);
    const Score lower = node->best > node->window.alpha ? node->best : node->window.alpha;
    Score score = search_below(a, node, (Window){lower, lower + 1}, on_line);
    if (score > lower && score < node->window.beta && !a->is_stopped) {
        const Score again = search_below(a, node, (Window){score, node->window.beta}, on_line);
        score = again > score ? again : score;
    }
    return score;
}

/* Sets `line` to `move`, followed by the line of the child that was searched last. */
static void extend_line(AlibabaLine *line, Move move, const AlibabaFrame *child, int depth)
{
    line->moves[0] = move;
    line->length = 1;
    if (depth == 1) // leaves keep no line
        return;
    memcpy(&line->moves[1], child->line.moves, (size_t)child->line.length * sizeof(Move));
    line->length += child->line.length;
}

/* Updates history and table after a node. The history count of the best move, indexed by side, from
 * and to, grows by the depth, also when no move exceeds alpha: the paper stores the best move of
 * such nodes, too. */
static void update_tables(Alibaba *a, const AlibabaNode *node, uint64_t effort)
{
    const Position *const pos = &a->frames[node->ply].pos;
    *moverank_count(&a->history, pos->side, node->best_move) += (uint32_t)node->depth;
    store(a, node, effort);
}

static void search_moves(Alibaba *a, AlibabaNode *node, RankedMoves *ranked)
{
    AlibabaFrame *const frame = &a->frames[node->ply];
    for (int i = 0; i < ranked->count && node->best < node->window.beta; i++) {
        const Move move = moverank_pick(ranked, i);
        const Score score = search_move(a, node, move, i == 0, move == node->refutation);
        if (a->is_stopped)
            return;
        if (score <= node->best)
            continue;
        node->best = score;
        node->best_move = move;
        extend_line(&frame->line, move, frame + 1, node->depth);
    }
}

/* Generates and orders the legal moves. A hash move that is not among them is a type-1 error. */
static void generate_ranked(Alibaba *a, const AlibabaNode *node, Move table_move,
                            RankedMoves *ranked)
{
    moverank_all(ranked, &a->frames[node->ply].pos, &a->history);
    if (table_move != MOVE_NONE && !moverank_raise(ranked, table_move, RANK_HASH_MOVE))
        a->stats.type1_errors++;
    if (node->refutation != MOVE_NONE)
        moverank_raise(ranked, node->refutation, RANK_REFUTATION);
}

static Score search(Alibaba *a, int ply, int depth, Window window, bool on_line)
{
    if (depth == 0) {
        a->nodes.leaf++;
        return quiesce(a, ply, window);
    }
    AlibabaFrame *const frame = &a->frames[ply];
    const uint64_t effort = a->effort++;
    a->nodes.interior++;
    frame->line.length = 0;
    if (depth >= STOP_DEPTH && interrupt_is_set(a->stop))
        a->is_stopped = true;
    if (a->is_stopped || is_draw(a, ply))
        return SCORE_DRAW;
    Hint hint;
    Score table_score;
    if (table_cutoff(a, ply, depth, &window, &hint, &table_score))
        return table_score;

    const bool has_refutation = on_line && ply - 1 < a->old_line.length;
    AlibabaNode node = {.ply = ply, .depth = depth, .window = window, .best = -SCORE_INF};
    node.refutation = has_refutation ? a->old_line.moves[ply - 1] : MOVE_NONE;
    RankedMoves ranked;
    generate_ranked(a, &node, hint.move, &ranked);
    if (ranked.count == 0)
        return pos_in_check(&frame->pos) ? score_mated_in(ply) : SCORE_DRAW;
    search_moves(a, &node, &ranked);
    if (!a->is_stopped)
        update_tables(a, &node, a->effort - effort);
    return node.best;
}

static void move_to_front(AlibabaRootMove *moves, int i)
{
    const AlibabaRootMove best = moves[i];
    memmove(moves + 1, moves, (size_t)i * sizeof *moves);
    moves[0] = best;
}

/* Stores the last line of each root move, even of a move that fails low: it is the refutation in
 * the next iteration. A move that raises alpha becomes the first; the others keep their order. */
static Score search_root(Alibaba *a, int depth, Window window)
{
    AlibabaNode node = {.ply = 0, .depth = depth, .window = window, .best = -SCORE_INF};
    const uint64_t effort = a->effort++;
    a->nodes.interior++;
    a->root_searches++;
    for (int i = 0; i < a->root_count && node.best < window.beta; i++) {
        AlibabaRootMove *const root_move = &a->root_moves[i];
        const Move move = root_move->move;
        a->old_line = root_move->line;
        const Score score = search_move(a, &node, move, i == 0, true);
        if (a->is_stopped)
            return node.best;
        root_move->line.length = 0;
        if (depth > 1)
            root_move->line = a->frames[1].line;
        if (score <= node.best)
            continue;
        node.best = score;
        node.best_move = move;
        if (score > window.alpha)
            move_to_front(a->root_moves, i);
    }
    update_tables(a, &node, a->effort - effort);
    return node.best;
}

/* Searches with a window of one pawn on each side of the previous score. If the score is outside,
 * searches again with a window that is open on that side. */
static Score aspire(Alibaba *a, int depth, Score guess)
{
    Window window = {-SCORE_INF, SCORE_INF};
    if (depth > 1)
        window = (Window){guess - PIECESQUARE_PAWN, guess + PIECESQUARE_PAWN};
    const Score score = search_root(a, depth, window);
    if (a->is_stopped || (score > window.alpha && score < window.beta))
        return score;
    return search_root(
        a, depth, score <= window.alpha ? (Window){-SCORE_INF, score} : (Window){score, SCORE_INF});
}

/* The upper end of the next minimal window, when the last score was `score` and the result is in
 * `bounds`. It is above bounds.alpha and at most bounds.beta, so each search narrows the bounds. */
static Score next_beta(AlibabaDriver driver, Window bounds, Score score)
{
    const bool has_lower = bounds.alpha > -SCORE_INF, has_upper = bounds.beta < SCORE_INF;
    if (driver == DRIVER_MTD || (!has_lower && !has_upper))
        return score > bounds.alpha ? score : score + 1;
    if (has_lower && has_upper)
        return bounds.alpha + (bounds.beta - bounds.alpha + 1) / 2;
    if (has_lower)
        return score + PIECESQUARE_PAWN < SCORE_MATE ? score + PIECESQUARE_PAWN : SCORE_MATE;
    return score - PIECESQUARE_PAWN > -SCORE_MATE ? score - PIECESQUARE_PAWN : -SCORE_MATE;
}

/* Searches with minimal windows until the bounds of the score meet, or cross, because of a deeper
 * entry of the table. */
static Score close_in(Alibaba *a, int depth, Score guess)
{
    Window bounds = {-SCORE_INF, SCORE_INF};
    Score score = guess;
    while (bounds.alpha < bounds.beta && !a->is_stopped) {
        const Score beta = next_beta(a->driver, bounds, score);
        score = search_root(a, depth, (Window){beta - 1, beta});
        if (score < beta)
            bounds.beta = score;
        else
            bounds.alpha = score;
    }
    return score;
}

static void start(Alibaba *a, const Position *root)
{
    RankedMoves ranked;
    moverank_all(&ranked, root, &a->history);
    a->root_count = ranked.count;
    piecesquare_fill(&a->values, root);
    a->frames[0].pos = *root;
    a->frames[0].value = piecesquare_sum(&a->values, root);
    a->nodes = (AlibabaNodes){0};
    a->effort = 0;
    a->root_searches = 0;
    a->is_stopped = false;
    for (int i = 0; i < a->root_count; i++) {
        a->root_moves[i].move = moverank_pick(&ranked, i);
        a->root_moves[i].line.length = 0;
    }
}

void alibaba_init(Alibaba *a)
{
    a->stats = (TtStats){0};
    alibaba_pass_history(a, HISTORY_CLEARED);
}

void alibaba_pass_history(Alibaba *a, HistoryFate fate)
{
    if (fate == HISTORY_CLEARED)
        memset(&a->history, 0, sizeof a->history);
    if (fate == HISTORY_AGED)
        for (Color c = WHITE; c < COLOR_NB; c++)
            for (int i = 0; i < SQ_NB * SQ_NB; i++)
                a->history.counts[c][i] /= 2;
}

int alibaba_search(Alibaba *a, const Position *root, int depth, AlibabaIteration *iterations)
{
    assert(1 <= depth && depth <= ALIBABA_MAX_DEPTH);
    start(a, root);
    Score score = pos_in_check(root) ? score_mated_in(0) : SCORE_DRAW;
    for (int d = 1; d <= depth; d++) {
        if (a->root_count > 0)
            score = a->driver == DRIVER_PVS ? aspire(a, d, score) : close_in(a, d, score);
        if (a->is_stopped)
            return d - 1;
        iterations[d] = (AlibabaIteration){
            .nodes = a->nodes,
            .score = score,
            .move = a->root_count > 0 ? a->root_moves[0].move : MOVE_NONE,
        };
    }
    return depth;
}
