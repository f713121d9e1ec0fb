// SPDX-License-Identifier: GPL-3.0-or-later
#include "tt/table_fixture.h"

#include <check.h>
#include <stdlib.h>

Tt tt;
TtStats stats;
Rng rng;
const SearchPoint ROOT = {.ply = 0, .rule50 = 0};

void table_setup(void)
{
    tt = (Tt){.replacement = REPLACE_THOMPSON};
    stats = (TtStats){0};
    rng_seed(&rng, 20261103);
    ck_assert_uint_eq(tt_resize(&tt, 1), 1);
}

void table_teardown(void)
{
    tt_free(&tt);
}

int random_below(int n)
{
    return (int)rng_below(&rng, (uint64_t)n);
}

Key key_in_slot(int slot, int which)
{
    return (Key)slot << 49 | (Key)which * 0x123456789ABu;
}

TtData data_read_at(TtData data, SearchPoint at)
{
    const Score score = score_from_table(data.score, at.ply, at.rule50);
    const bool is_mate = data.bound != BOUND_NONE && score_is_proven(data.score);
    data.score = score;
    if (is_mate && abs(score) == SCORE_EVAL_MAX) {
        data.score = SCORE_NONE;
        data.bound = BOUND_NONE;
    }
    return data;
}

bool same_data(const TtData *a, const TtData *b)
{
    return a->move == b->move && a->score == b->score && a->eval == b->eval &&
           a->depth == b->depth && a->bound == b->bound && a->was_pv == b->was_pv &&
           a->nodes == b->nodes;
}

void table_store(Key key, Move move, Score score, int depth, Bound bound)
{
    const TtData data = {
        .move = move, .score = score, .eval = 20, .depth = depth, .bound = bound, .nodes = 1};
    tt_store(&tt, key, ROOT, &data, &stats);
}

int table_probe(Key key, TtData out[2])
{
    return tt_probe(&tt, key, ROOT, out, &stats);
}
