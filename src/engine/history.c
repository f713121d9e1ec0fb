// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/history.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/params.h"

void history_clear(Histories *h)
{
    memset(h, 0, sizeof *h);
}

static int16_t *butterfly_entry(Histories *h, const Position *pos, Move move)
{
    return &h->butterfly[pos->side][move_from(move) | move_to(move) << 6];
}

int history_quiet(const Histories *h, const Position *pos, const HistoryContext *context, Move move)
{
    const Piece piece = pos_piece_on(pos, move_from(move));
    const Square to = move_to(move);
    const int butterfly = h->butterfly[pos->side][move_from(move) | to << 6];
    const int continuation = (*context->one)[piece][to] + (*context->two)[piece][to];
    return (butterfly * params.history_quiet_weight +
            continuation * params.history_continuation_weight) /
           100;
}

/* Gravity: x += b - x*|b|/MAX keeps |x| <= MAX for every |b| <= MAX and lets old evidence decay. */
static void pull(int16_t *entry, int bonus)
{
    assert(abs(bonus) <= HISTORY_MAX);
    *entry = (int16_t)(*entry + bonus - *entry * abs(bonus) / HISTORY_MAX);
    assert(abs(*entry) <= HISTORY_MAX);
}

static void pull_all(Histories *h, const Position *pos, const HistoryContext *context, Move move,
                     int bonus)
{
    const Piece piece = pos_piece_on(pos, move_from(move));
    const Square to = move_to(move);
    pull(butterfly_entry(h, pos, move), bonus);
    if (context->one != history_page(h, NO_PIECE, 0))
        pull(&(*context->one)[piece][to], bonus);
    if (context->two != history_page(h, NO_PIECE, 0))
        pull(&(*context->two)[piece][to], bonus);
}

static int limited(int slope, int offset, int max, int depth)
{
    const int amount = slope * depth - offset;
    return amount < 0 ? 0 : amount > max ? max : amount;
}

void history_reward(Histories *h, const Position *pos, const HistoryContext *context, Move best,
                    const QuietList *tried, int depth)
{
    pull_all(h, pos, context, best,
             limited(params.history_bonus_slope, params.history_bonus_offset,
                     params.history_bonus_max, depth));
    const int malus = limited(params.history_malus_slope, params.history_malus_offset,
                              params.history_malus_max, depth);
    for (int i = 0; i < tried->count; i++) {
        assert(tried->moves[i] != best);
        pull_all(h, pos, context, tried->moves[i], -malus);
    }
}
