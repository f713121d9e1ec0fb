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

/* Plays from the opening until the game is decided; false when `*stop` is true. */
static bool play_out(SelfplayGame *game, GameTree *tree, const SelfplayOptions *options,
                     Single *single, const atomic_bool *stop)
{
    const Limits limits = {.soft_nodes = options->soft_nodes, .nodes = options->hard_nodes};
    GameRecord *record = &game->record;
    int result = GAME_DRAW;
    GameEnd end = END_NONE;
    while (end == END_NONE && !adjudicate_scores(record->scores, record->opening, record->plies,
                                                 options->win_score, &result)) {
        if (interrupt_is_set(stop))
            return false;
        const SingleResult found = single_search(single, &game->pos, &game->path, &limits);
        if (options->tree.nodes > 0)
            gametree_collect(tree, &options->tree, single_table(single), game, found.best);
        selfplay_game_play(game, found.best, clamp_score(found.score));
        end = selfplay_game_end(game);
    }
    record->result = (uint8_t)(end != END_NONE ? selfplay_game_result(game, end) : result);
    return true;
}

bool selfplay_game(SelfplayGame *game, GameTree *tree, uint32_t number,
                   const SelfplayOptions *options, Single *single, const atomic_bool *stop)
{
    Rng rng;
    seed_game(&rng, options->seed, number);
    single_set_late_moves(single, options->late_moves);
    if (options->tree.nodes > 0)
        gametree_start(tree, ~rng.s[0]);
    if (!opening_find(game, number, &rng, &options->opening, single, stop) ||
        !play_out(game, tree, options, single, stop))
        return false;
    if (options->tree.nodes > 0)
        gametree_finish(tree, &game->record);
    return true;
}
