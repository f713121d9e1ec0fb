// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/randommove.h"

#include "chess/movegen.h"

static const uint8_t WEIGHTS[PIECE_TYPE_NB] = {
    [PAWN] = 35, [KNIGHT] = 15, [BISHOP] = 15, [ROOK] = 5, [QUEEN] = 15, [KING] = 15};

/* Legal moves by type of the moving piece. */
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

Move randommove_draw(const Position *pos, Rng *rng)
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
