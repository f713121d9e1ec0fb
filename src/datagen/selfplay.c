// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/selfplay.h"

#include <stdlib.h>

#include "base/interrupt.h"

/* Counts the consecutive plies, back from the last one, with a score of at least `win_score` for
 * the side that is better at the last ply; at most ADJUDICATE_WIN_PLIES. The view of the scores
 * alternates from ply to ply. */
static int winning_streak(const int16_t *scores, int opening, int plies, int win_score)
{
    const bool mover_wins = scores[plies - 1] > 0;
    int streak = 0;
    for (int ply = plies - 1; ply >= opening && streak < ADJUDICATE_WIN_PLIES; ply--, streak++) {
        const bool is_mover = (plies - 1 - ply) % 2 == 0;
        const int score = is_mover == mover_wins ? scores[ply] : -scores[ply];
        if (score < win_score)
            break;
    }
    return streak;
}

/* Counts the consecutive plies, back from the last one, with a drawish score; at most
 * ADJUDICATE_DRAW_PLIES. */
static int level_streak(const int16_t *scores, int opening, int plies)
{
    const int from = opening > ADJUDICATE_DRAW_FROM ? opening : ADJUDICATE_DRAW_FROM;
    int streak = 0;
    for (int ply = plies - 1; ply >= from && streak < ADJUDICATE_DRAW_PLIES; ply--, streak++) {
        if (abs(scores[ply]) > ADJUDICATE_DRAW_SCORE)
            break;
    }
    return streak;
}

bool adjudicate_scores(const int16_t *scores, int opening, int plies, int win_score, int *result)
{
    if (plies <= opening)
        return false;
    if (winning_streak(scores, opening, plies, win_score) == ADJUDICATE_WIN_PLIES) {
        /* White moves on even plies. */
        const bool white_moved = (plies - 1) % 2 == 0, mover_wins = scores[plies - 1] > 0;
        *result = white_moved == mover_wins ? GAME_WHITE_WINS : GAME_BLACK_WINS;
        return true;
    }
    if (level_streak(scores, opening, plies) == ADJUDICATE_DRAW_PLIES) {
        *result = GAME_DRAW;
        return true;
    }
    return false;
}

/* Seeds the generator for one game. The seed of the run is mixed before the game number is added,
 * so that runs with consecutive seeds share no games; rng_seed() mixes the sum, so that consecutive
 * numbers give unrelated games. */
static void seed_game(Rng *rng, uint64_t seed, uint32_t number)
{
    rng_seed(rng, seed);
    rng_seed(rng, rng_next(rng) + number);
}

static int clamp_score(Score score)
{
    return score > SELFPLAY_SCORE_MAX    ? SELFPLAY_SCORE_MAX
           : score < -SELFPLAY_SCORE_MAX ? -SELFPLAY_SCORE_MAX
                                         : score;
}

/* Whether the game is decided; `*result` is then GAME_... (gamecode.h). */
static bool is_decided(const SelfplayGame *game, int win_score, int *result)
{
    const GameRecord *const record = &game->record;
    const GameEnd end = selfplay_game_end(game);
    if (end != END_NONE)
        *result = selfplay_game_result(game, end);
    return end != END_NONE ||
           adjudicate_scores(record->scores, record->opening, record->plies, win_score, result);
}

SingleResult selfplay_search(const SelfplayGame *game, const SelfplayOptions *options,
                             SelfplayEffort effort, Single *single)
{
    const Limits quick = {.soft_nodes = QUICK_SOFT_NODES, .nodes = QUICK_HARD_NODES};
    const Limits full = {.soft_nodes = options->soft_nodes, .nodes = options->hard_nodes};
    if (effort != EFFORT_LONG) {
        const SingleResult found = single_search(single, &game->pos, &game->path, &quick);
        if (effort == EFFORT_QUICK || pos_in_check(&game->pos) ||
            !gamecode_keeps_material(&game->pos, found.best))
            return found;
    }
    return single_search(single, &game->pos, &game->path, &full);
}

/* The effort for the next ply. With parts, each ply outside them begins one with the same
 * probability; `*left` counts the plies that the current part still has. */
static SelfplayEffort next_effort(const SelfplayOptions *options, Rng *rng, int *left)
{
    if (options->part == 0)
        return EFFORT_LONG;
    if (*left == 0 && rng_below(rng, (uint64_t)options->between + 1) == 0)
        *left = options->part;
    if (*left == 0)
        return EFFORT_QUICK;
    --*left;
    return EFFORT_PART;
}

/* Erases the scores of the plies between the parts. */
static void forget_scores_between(GameRecord *record, const bool is_between[GAME_MAX_PLIES])
{
    for (int ply = record->opening; ply < record->plies; ply++)
        if (is_between[ply])
            record->scores[ply] = GAME_NO_SCORE;
}

/* Plays from the opening until the game is decided; `tree` (may be NULL) gets nodes of the searches
 * in parts, or of all if there are no parts. False when `*stop` is true. */
static bool play_out(SelfplayGame *game, GameTree *tree, Rng *rng, const SelfplayOptions *options,
                     Single *single, const atomic_bool *stop)
{
    bool is_between[GAME_MAX_PLIES];
    int result, left = 0;
    while (!is_decided(game, options->win_score, &result)) {
        if (interrupt_is_set(stop))
            return false;
        const int ply = game->record.plies, kept = game->kept;
        const SelfplayEffort effort = next_effort(options, rng, &left);
        const SingleResult found = selfplay_search(game, options, effort, single);
        is_between[ply] = effort == EFFORT_QUICK;
        if (tree != NULL && !is_between[ply])
            gametree_collect(tree, &options->tree, single_table(single), game, found.best);
        selfplay_game_play(game, found.best, clamp_score(found.score));
        if (is_between[ply])
            game->kept = kept;
    }
    game->record.result = (uint8_t)result;
    forget_scores_between(&game->record, is_between);
    return true;
}

bool selfplay_game(SelfplayGame *game, GameTree *tree, uint32_t number,
                   const SelfplayOptions *options, Single *single, const atomic_bool *stop)
{
    GameTree *const nodes = options->tree.nodes > 0 ? tree : NULL;
    Rng rng;
    seed_game(&rng, options->seed, number);
    single_set_lmp_extra(single, options->late_moves);
    if (nodes != NULL)
        gametree_start(nodes, ~rng.s[0]);
    if (!opening_find(game, number, &rng, &options->opening, single, stop) ||
        !play_out(game, nodes, &rng, options, single, stop))
        return false;
    if (nodes != NULL)
        gametree_finish(nodes, &game->record);
    return true;
}
