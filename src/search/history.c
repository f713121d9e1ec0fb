// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/history.h"

#include <assert.h>
#include <string.h>

#include "search/params.h"

void history_clear(Histories *h)
{
    memset(h, 0, sizeof *h);
}

static void update(int16_t *entry, int bonus)
{
    history_gravity(entry, bonus, HISTORY_MAX);
}

void history_update_butterfly(Histories *h, const Position *pos, Move move, int bonus)
{
    update(&h->butterfly[pos->side][history_butterfly_index(pos, move)], bonus);
}

void history_update_quiet(Histories *h, const Position *pos, const HistoryContext *context,
                          Move move, int bonus)
{
    history_update_butterfly(h, pos, move, bonus);
    update(&(*context->pawn)[pos_piece_on(pos, move_from(move))][move_to(move)], bonus);
    history_update_continuation(h, pos, context, move, bonus);
}

void history_update_continuation(Histories *h, const Position *pos, const HistoryContext *context,
                                 Move move, int bonus)
{
    const Piece piece = pos_piece_on(pos, move_from(move));
    const Square to = move_to(move);
    for (int i = 0; i < CONTINUATION_NB; i++) {
        if (context->continuation[i] != history_continuation(h, NO_PIECE, 0))
            update(&(*context->continuation[i])[piece][to], bonus);
    }
}

static int linear_bonus(int slope, int offset, int max, int depth)
{
    const int amount = slope * depth - offset;
    return amount < 0 ? 0 : amount > max ? max : amount;
}

int history_bonus(int depth)
{
    return linear_bonus(params.history_bonus_slope, params.history_bonus_offset,
                        params.history_bonus_max, depth);
}

int history_parent_bonus(int depth)
{
    return linear_bonus(params.history_parent_slope, params.history_parent_offset,
                        params.history_parent_max, depth);
}

int history_eval_bonus(int rise)
{
    const int max = params.history_eval_max, bonus = params.history_eval_slope * rise;
    return (bonus > max ? max : bonus < -max ? -max : bonus) + params.history_eval_offset;
}

void history_update_on_cutoff(Histories *h, const Position *pos, const HistoryContext *context,
                              Move best, const TriedMoves *tried, int depth)
{
    const int bonus = history_bonus(depth);
    const int malus = linear_bonus(params.history_malus_slope, params.history_malus_offset,
                                   params.history_malus_max, depth);
    if (pos_is_noisy(pos, best)) {
        update(&h->capture[history_capture_index(pos, best)], bonus);
    } else {
        history_update_quiet(h, pos, context, best, bonus);
        for (int i = 0; i < tried->quiet.count; i++) {
            assert(tried->quiet.moves[i] != best);
            history_update_quiet(h, pos, context, tried->quiet.moves[i], -malus);
        }
    }
    for (int i = 0; i < tried->noisy.count; i++) {
        assert(tried->noisy.moves[i] != best);
        update(&h->capture[history_capture_index(pos, tried->noisy.moves[i])], -malus);
    }
}
