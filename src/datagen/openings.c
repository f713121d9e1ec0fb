// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/openings.h"

#include <stdlib.h>

#include "chess/movegen.h"

static const uint8_t WEIGHTS[PIECE_TYPE_NB] = {
    [PAWN] = 35, [KNIGHT] = 15, [BISHOP] = 15, [ROOK] = 5, [QUEEN] = 15, [KING] = 15};

/* Moves by type of the piece that makes them. */
typedef struct {
    Move moves[PIECE_TYPE_NB][MAX_MOVES];
    int counts[PIECE_TYPE_NB];
} MovesByType;

static void sort_by_type(const Position *pos, MovesByType *sorted)
{
    Move moves[MAX_MOVES];
    const int count = gen_legal(pos, moves);
    for (PieceType t = PAWN; t < PIECE_TYPE_NB; t++)
        sorted->counts[t] = 0;
    for (int i = 0; i < count; i++) {
        const PieceType t = piece_type(pos_piece_on(pos, move_from(moves[i])));
        sorted->moves[t][sorted->counts[t]++] = moves[i];
    }
}

/* A random legal move, of which there must be one. */
static Move draw_move(const Position *pos, Rng *rng)
{
    MovesByType sorted;
    sort_by_type(pos, &sorted);
    uint64_t total = 0;
    for (PieceType t = PAWN; t < PIECE_TYPE_NB; t++)
        total += sorted.counts[t] > 0 ? WEIGHTS[t] : 0;
    uint64_t left = rng_below(rng, total);
    PieceType type = PAWN;
    while (sorted.counts[type] == 0 || left >= WEIGHTS[type]) {
        left -= sorted.counts[type] > 0 ? WEIGHTS[type] : 0;
        type++;
    }
    return sorted.moves[type][rng_below(rng, (uint64_t)sorted.counts[type])];
}

static void draw_setup(LiveGame *game, uint32_t number, Rng *rng, int chess960_percent)
{
    int white = CHESS960_STANDARD, black = CHESS960_STANDARD;
    if (rng_below(rng, 100) < (uint64_t)chess960_percent) {
        white = black = (int)rng_below(rng, CHESS960_NB);
        if (rng_below(rng, 2) == 0)
            black = (int)rng_below(rng, CHESS960_NB);
    }
    live_start(game, number, white, black);
}

bool opening_draw(LiveGame *game, uint32_t number, Rng *rng, const OpeningOptions *options)
{
    draw_setup(game, number, rng, options->chess960_percent);
    const int plies = options->plies + (int)rng_below(rng, 2);
    for (int i = 0; i < plies; i++) {
        if (live_end(game) != END_NONE)
            return false;
        live_play_opening(game, draw_move(&game->pos, rng));
    }
    return live_end(game) == END_NONE;
}

static bool is_level(const LiveGame *game, Solo *solo)
{
    const Limits limits = {.nodes = OPENING_CHECK_NODES};
    solo_new_game(solo);
    return abs(solo_search(solo, &game->pos, &game->path, &limits).score) <= OPENING_SCORE_MAX;
}

bool opening_find(LiveGame *game, uint32_t number, Rng *rng, const OpeningOptions *options,
                  Solo *solo, const atomic_bool *stop)
{
    while (stop == NULL || !atomic_load_explicit(stop, memory_order_relaxed))
        if (opening_draw(game, number, rng, options) && is_level(game, solo))
            return true;
    return false;
}
