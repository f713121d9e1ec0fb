// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/perft.h"

#include "chess/movegen.h"
#include "chess/play.h"

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

uint64_t perft_divide(const Position *pos, int depth, PerftVisit visit, void *ctx)
{
    Move moves[MAX_MOVES];
    const int count = gen_legal(pos, moves);
    uint64_t leaves = 0;
    for (int i = 0; i < count; i++) {
        Position after;
        pos_play(&after, pos, moves[i]);
        const uint64_t share = perft(&after, depth - 1);
        leaves += share;
        if (!visit(ctx, moves[i], share))
            break;
    }
    return leaves;
}
