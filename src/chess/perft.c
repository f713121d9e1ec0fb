// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/perft.h"

#include "chess/movegen.h"
#include "chess/play.h"

enum { UNWATCHED_DEPTH = 4 }; // counting so few plies takes a few milliseconds

uint64_t perft(const Position *pos, int depth)
{
    if (depth <= 0)
        return 1;
    if (depth == 1)
        return (uint64_t)gen_count(pos);
    Move moves[MAX_MOVES];
    const int count = gen_legal(pos, moves);
    uint64_t leaves = 0;
    for (int i = 0; i < count; i++) {
        Position after;
        pos_play(&after, pos, moves[i]);
        leaves += perft(&after, depth - 1);
    }
    return leaves;
}

/* As perft(). The result has no meaning once is_stopped() has returned true. */
static uint64_t perft_watched(const Position *pos, int depth, const PerftWatch *watch)
{
    if (depth <= UNWATCHED_DEPTH)
        return perft(pos, depth);
    Move moves[MAX_MOVES];
    const int count = gen_legal(pos, moves);
    uint64_t leaves = 0;
    for (int i = 0; i < count && !watch->is_stopped(watch->ctx); i++) {
        Position after;
        pos_play(&after, pos, moves[i]);
        leaves += perft_watched(&after, depth - 1, watch);
    }
    return leaves;
}

bool perft_divide(const Position *pos, int depth, const PerftWatch *watch, uint64_t *leaves)
{
    Move moves[MAX_MOVES];
    const int count = gen_legal(pos, moves);
    *leaves = 0;
    for (int i = 0; i < count; i++) {
        Position after;
        pos_play(&after, pos, moves[i]);
        const uint64_t below = perft_watched(&after, depth - 1, watch);
        if (watch->is_stopped(watch->ctx))
            return false;
        watch->report(watch->ctx, moves[i], below);
        *leaves += below;
    }
    return true;
}
