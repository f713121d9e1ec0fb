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

/* What all parts of a game need. */
typedef struct {
    const SelfplayOptions *options;
    Single *single;
    const atomic_bool *stop;
} Player;

/* Plays until the game is decided or has `last` plies; `tree` (may be NULL) gets nodes of the
 * searches. False when `*stop` is true. */
static bool play(const Player *player, SelfplayGame *game, GameTree *tree, SelfplayEffort effort,
                 int last)
{
    const SelfplayOptions *const options = player->options;
    int result = GAME_DRAW;
    while (game->record.plies < last && !is_decided(game, options->win_score, &result)) {
        if (interrupt_is_set(player->stop))
            return false;
        const SingleResult found = selfplay_search(game, options, effort, player->single);
        if (tree != NULL)
            gametree_collect(tree, &options->tree, single_table(player->single), game, found.best);
        selfplay_game_play(game, found.best, clamp_score(found.score));
    }
    game->record.result = (uint8_t)result;
    return true;
}

/* Begins the game again at a random ply that was played after its opening. */
static void go_back(SelfplayGame *game, Rng *rng)
{
    const GameRecord played = game->record;
    const int first = played.opening;
    const int plies = first + (int)rng_below(rng, (uint64_t)(played.plies - first));
    selfplay_game_start(game, played.number, played.setup[WHITE], played.setup[BLACK]);
    for (int ply = 0; ply < plies; ply++)
        selfplay_game_play_opening(game, played.moves[ply]);
}

/* Plays from the opening until the game is decided, and keeps the part that the options ask for;
 * false when `*stop` is true. */
static bool play_out(const Player *player, SelfplayGame *game, GameTree *tree, Rng *rng)
{
    const int part = player->options->part, end = GAME_MAX_PLIES + 1;
    if (part == 0)
        return play(player, game, tree, EFFORT_LONG, end);
    if (!play(player, game, NULL, EFFORT_QUICK, end))
        return false;
    go_back(game, rng);
    if (!play(player, game, tree, EFFORT_PART, game->record.plies + part))
        return false;
    const int plies = game->record.plies, kept = game->kept;
    const bool is_ended = play(player, game, NULL, EFFORT_QUICK, end);
    game->record.plies = (uint16_t)plies;
    game->kept = kept;
    return is_ended;
}

bool selfplay_game(SelfplayGame *game, GameTree *tree, uint32_t number,
                   const SelfplayOptions *options, Single *single, const atomic_bool *stop)
{
    const Player player = {options, single, stop};
    Rng rng;
    seed_game(&rng, options->seed, number);
    single_set_late_moves(single, options->late_moves);
    if (options->tree.nodes > 0)
        gametree_start(tree, ~rng.s[0]);
    if (!opening_find(game, number, &rng, &options->opening, single, stop) ||
        !play_out(&player, game, options->tree.nodes > 0 ? tree : NULL, &rng))
        return false;
    if (options->tree.nodes > 0)
        gametree_finish(tree, &game->record);
    return true;
}
