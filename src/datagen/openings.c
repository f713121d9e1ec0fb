// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/openings.h"

#include "base/interrupt.h"
#include "chess/chess960.h"
#include "chess/movegen.h"
#include "chess/play.h"
#include "chess/randommove.h"

static void draw_setup(SelfplayGame *game, uint32_t number, Rng *rng, int chess960_percent)
{
    int white = CHESS960_STANDARD, black = CHESS960_STANDARD;
    if (rng_below(rng, 100) < (uint64_t)chess960_percent) {
        white = black = (int)rng_below(rng, CHESS960_NB);
        if (rng_below(rng, 2) == 0)
            black = (int)rng_below(rng, CHESS960_NB);
    }
    selfplay_game_start(game, number, white, black);
}

uint32_t opening_weight(int loss, int half)
{
    const int halvings = loss / half;
    if (halvings >= 20)
        return 0;
    const uint32_t weight = OPENING_WEIGHT_MAX >> halvings;
    return weight - (uint32_t)((uint64_t)(weight / 2) * (uint64_t)(loss % half) / (uint64_t)half);
}

/* Draws a legal move by the scores of quiescence searches. */
static Move draw_by_score(const Position *pos, Rng *rng, int half, Single *single)
{
    Move moves[MAX_MOVES];
    Score scores[MAX_MOVES] = {0}, best = -SCORE_INF;
    const int count = gen_legal(pos, moves);
    for (int i = 0; i < count; i++) {
        Position after;
        pos_play(&after, pos, moves[i]);
        scores[i] = -single_quiescence(single, &after);
        best = scores[i] > best ? scores[i] : best;
    }
    uint32_t weights[MAX_MOVES] = {0};
    uint64_t total = 0;
    for (int i = 0; i < count; i++) {
        weights[i] = opening_weight(best - scores[i], half);
        total += weights[i];
    }
    uint64_t left = rng_below(rng, total);
    int drawn = 0;
    while (left >= weights[drawn])
        left -= weights[drawn++];
    return moves[drawn];
}

bool opening_draw(SelfplayGame *game, uint32_t number, Rng *rng, const OpeningOptions *options,
                  Single *single)
{
    draw_setup(game, number, rng, options->chess960_percent);
    if (options->half > 0)
        single_new_game(single);
    const int plies = options->plies + (int)rng_below(rng, 2);
    for (int i = 0; i < plies; i++) {
        if (selfplay_game_end(game) != END_NONE)
            return false;
        selfplay_game_play_opening(game, options->half > 0
                                             ? draw_by_score(&game->pos, rng, options->half, single)
                                             : randommove_draw(&game->pos, rng));
    }
    return selfplay_game_end(game) == END_NONE;
}

bool opening_find(SelfplayGame *game, uint32_t number, Rng *rng, const OpeningOptions *options,
                  Single *single, const atomic_bool *stop)
{
    while (!interrupt_is_set(stop))
        if (opening_draw(game, number, rng, options, single) &&
            single_is_balanced(single, &game->pos, &game->path))
            return true;
    return false;
}
