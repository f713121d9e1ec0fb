// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/stats.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/keyset.h"
#include "base/mem.h"
#include "chess/chess960.h"
#include "datagen/game.h"
#include "datagen/gamefile.h"
#include "datagen/winfit.h"

enum {
    SAMPLE_MAX = 1 << 20, // distinct positions in the sample for duplicates
    BAND = 250,           // width of a row of the score histogram, internal units
    BANDS = 2 * WINFIT_SCORE_MAX / BAND + 1
};
static_assert((int)GAMECODE_SCORE_MAX <= (int)WINFIT_SCORE_MAX, "each kept position has a row");

/* Counts of tree nodes. */
typedef struct {
    uint64_t nodes, bytes, moves, depths; // moves, depths: sums over the nodes
    uint64_t bounds[TREE_BOUND_NB];
} TreeCounts;

typedef struct {
    GamefileTally sum;
    uint64_t results[GAME_WHITE_WINS + 1];
    TreeCounts tree;
    uint64_t invalid_trees;             // games with invalid tree nodes, which are not in `tree`
    uint64_t chess960, double_chess960; // games; double: a different array for each side
    uint64_t ends[END_LENGTH + 1];
    uint64_t bands[BANDS]; // kept positions by score
    uint64_t modelled;     // positions from which the win model is fitted
    WinTable wins;
    Keyset sample;        // the kept positions with key & sample_mask == 0, to count duplicates:
    uint64_t sample_mask; // equal positions are all in the sample or all outside
    bool is_out_of_memory;
    uint64_t game_count; // games so far; game_count % WINFIT_GROUPS is the group of the game
} Stats;

/* Adds the key to the sample. A full sample is thinned: with one more bit in the mask, the sample
 * loses half of its keys and takes half as many of the later ones. */
static void sample_position(Stats *stats, Key key)
{
    if ((key & stats->sample_mask) != 0)
        return;
    if (!keyset_add(&stats->sample, key, NULL))
        stats->is_out_of_memory = true;
    if (stats->sample.size < SAMPLE_MAX)
        return;
    stats->sample_mask = stats->sample_mask << 1 | 1;
    if (!keyset_thin(&stats->sample, stats->sample_mask))
        stats->is_out_of_memory = true;
}

static void count_position(Stats *stats, const Position *pos, const GameRecord *game, int ply)
{
    const int score = game->scores[ply];
    sample_position(stats, pos->key);
    stats->bands[(score + WINFIT_SCORE_MAX + BAND / 2) / BAND]++;
    stats->modelled += winfit_count(&stats->wins, (int)(stats->game_count % WINFIT_GROUPS), score,
                                    pos_material(pos), winfit_outcome(game->result, pos->side));
}

/* A TreeVisit: counts a tree node. */
static void count_node(void *ctx, const Position *pos, const TreeNode *node)
{
    (void)pos;
    Stats *stats = ctx;
    stats->tree.nodes++;
    stats->tree.moves += node->length;
    stats->tree.depths += node->depth;
    stats->tree.bounds[node->bound]++;
}

/* Counts the tree nodes of the game; when one is invalid, none of them. */
static void count_tree(Stats *stats, const GameRecord *game, const GameBlock *block)
{
    const TreeCounts before = stats->tree;
    stats->tree.bytes += block->tree_size;
    if (block->tree_size == 0 ||
        treecode_unpack(game, block->tree, block->tree_size, count_node, stats))
        return;
    stats->tree = before;
    stats->invalid_trees++;
}

/* A GamefileVisit: replays the game and counts its positions, its end and its tree nodes. */
static bool count_game(void *ctx, const GameRecord *game, const GameBlock *block)
{
    Stats *stats = ctx;
    count_tree(stats, game, block);
    SelfplayGame replay;
    selfplay_game_replay(&replay, game);
    for (int ply = 0; ply < game->plies; ply++) {
        const Position before = replay.pos;
        if (selfplay_game_replay_move(&replay, game))
            count_position(stats, &before, game, ply);
    }
    stats->ends[selfplay_game_end(&replay)]++;
    stats->results[game->result]++;
    stats->chess960 +=
        game->setup[WHITE] != CHESS960_STANDARD || game->setup[BLACK] != CHESS960_STANDARD;
    stats->double_chess960 += game->setup[WHITE] != game->setup[BLACK];
    stats->game_count++;
    return !stats->is_out_of_memory;
}

static void add_tally(GamefileTally *sum, const GamefileTally *tally)
{
    sum->games += tally->games;
    sum->plies += tally->plies;
    sum->kept += tally->kept;
    sum->bytes += tally->bytes;
    sum->damaged += tally->damaged + tally->unreadable + tally->truncated;
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0.0 : 100.0 * (double)part / (double)whole;
}

static double ratio(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0.0 : (double)part / (double)whole;
}

static void print_tree(const Stats *stats, FILE *out)
{
    const uint64_t nodes = stats->tree.nodes, *const bounds = stats->tree.bounds;
    fprintf(out,
            "tree       %" PRIu64
            " nodes, %.2f a kept position: exact %.1f%%, lower bounds %.1f%%, "
            "upper bounds %.1f%%\n",
            nodes, ratio(nodes, stats->sum.kept), percent(bounds[TREE_EXACT], nodes),
            percent(bounds[TREE_LOWER], nodes), percent(bounds[TREE_UPPER], nodes));
    fprintf(out, "           mean depth %.2f, %.2f moves from the game, %.2f bytes a node\n",
            ratio(stats->tree.depths, nodes), ratio(stats->tree.moves, nodes),
            ratio(stats->tree.bytes, nodes));
}

static void print_games(const Stats *stats, FILE *out)
{
    const GamefileTally *sum = &stats->sum;
    const uint64_t *results = stats->results, *ends = stats->ends, games = sum->games;
    fprintf(out, "games      %" PRIu64 ": White %.1f%%, drawn %.1f%%, Black %.1f%%\n", games,
            percent(results[GAME_WHITE_WINS], games), percent(results[GAME_DRAW], games),
            percent(results[GAME_BLACK_WINS], games));
    fprintf(out,
            "ends       adjudicated or cut %.1f%%, mate %.1f%%, stalemate %.1f%%, repetition "
            "%.1f%%, fifty moves %.1f%%, material %.1f%%, length %.1f%%\n",
            percent(ends[END_NONE], games), percent(ends[END_MATE], games),
            percent(ends[END_STALEMATE], games), percent(ends[END_REPETITION], games),
            percent(ends[END_FIFTY], games), percent(ends[END_MATERIAL], games),
            percent(ends[END_LENGTH], games));
    fprintf(out, "chess960   %.1f%%, different arrays %.1f%%\n", percent(stats->chess960, games),
            percent(stats->double_chess960, games));
    fprintf(out, "plies      %" PRIu64 ", %.1f a game\n", sum->plies, ratio(sum->plies, games));
    fprintf(out, "positions  %" PRIu64 " kept, %.1f a game, %.1f%% of the plies\n", sum->kept,
            ratio(sum->kept, games), percent(sum->kept, sum->plies));
    fprintf(out, "bytes      %" PRIu64 ", %.3f a kept position\n", sum->bytes,
            ratio(sum->bytes, sum->kept));
    const uint64_t sampled = stats->sample.total, different = stats->sample.size;
    fprintf(out, "duplicates %.2f%% of %" PRIu64 " sampled positions\n",
            percent(sampled - different, sampled), sampled);
    if (stats->tree.nodes > 0)
        print_tree(stats, out);
    if (stats->invalid_trees > 0)
        fprintf(out, "invalid    tree nodes of %" PRIu64 " games, not counted\n",
                stats->invalid_trees);
    if (sum->damaged > 0)
        fprintf(out, "damaged    %" PRIu64 " blocks skipped\n", sum->damaged);
}

static void print_histogram(const Stats *stats, FILE *out)
{
    enum { BAR = 50 };
    uint64_t max = 1;
    for (int i = 0; i < BANDS; i++)
        max = stats->bands[i] > max ? stats->bands[i] : max;
    fprintf(out, "scores     (kept positions by score of the side to move, rows of %d units)\n",
            BAND);
    for (int i = 0; i < BANDS; i++) {
        char bar[BAR + 1];
        const size_t length = (size_t)(stats->bands[i] * BAR / max);
        memset(bar, '#', length);
        bar[length] = '\0';
        fprintf(out, "  %+6d %6.2f%% %s\n", i * BAND - WINFIT_SCORE_MAX,
                percent(stats->bands[i], stats->sum.kept), bar);
    }
}

static void print_win_model(const Stats *stats, FILE *out)
{
    WinFit fit;
    if (!winfit_fit(&stats->wins, 1, &fit)) {
        fprintf(out, "wins       too few games to fit a model\n");
        return;
    }
    fprintf(out,
            "wins       P(win) = 1 / (1 + exp((a - score) / b)): a = %.1f +- %.1f, b = %.1f, from "
            "%" PRIu64 " positions\n",
            fit.model.half[0], winfit_half_error(&fit, 0), fit.model.spread[0], stats->modelled);
}

static bool read_files(Stats *stats, char *const *paths, int count, char *error)
{
    for (int i = 0; i < count; i++) {
        GamefileTally tally;
        const bool is_read = gamefile_read(&(GamefileSource){.path = paths[i], .label = paths[i]},
                                           count_game, stats, &tally, error);
        if (stats->is_out_of_memory)
            snprintf(error, GAMEFILE_ERROR_MAX, "out of memory");
        if (!is_read)
            return false;
        add_tally(&stats->sum, &tally);
    }
    return true;
}

bool stats_print(char *const *paths, int count, FILE *out, char *error)
{
    Stats *stats = mem_alloc_large(sizeof *stats, NULL);
    if (stats == NULL) {
        snprintf(error, GAMEFILE_ERROR_MAX, "out of memory");
        return false;
    }
    const bool is_read = read_files(stats, paths, count, error);
    if (is_read) {
        print_games(stats, out);
        print_histogram(stats, out);
        print_win_model(stats, out);
    }
    keyset_free(&stats->sample);
    mem_free_large(stats, sizeof *stats);
    return is_read;
}
