// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/openings.h"

#include "chess/chess960.h"
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

bool opening_draw(SelfplayGame *game, uint32_t number, Rng *rng, const OpeningOptions *options)
{
    draw_setup(game, number, rng, options->chess960_percent);
    const int plies = options->plies + (int)rng_below(rng, 2);
    for (int i = 0; i < plies; i++) {
        if (selfplay_game_end(game) != END_NONE)
            return false;
        selfplay_game_play_opening(game, randommove_draw(&game->pos, rng));
    }
    return selfplay_game_end(game) == END_NONE;
}

bool opening_find(SelfplayGame *game, uint32_t number, Rng *rng, const OpeningOptions *options,
                  Single *single, const atomic_bool *stop)
{
    while (stop == NULL || !atomic_load_explicit(stop, memory_order_relaxed))
        if (opening_draw(game, number, rng, options) &&
            single_is_level(single, &game->pos, &game->path))
            return true;
    return false;
}
