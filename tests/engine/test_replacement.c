// SPDX-License-Identifier: GPL-3.0-or-later
/* The table against a slow and obvious model of its replacement scheme, on one random trace. */
#include "engine/tt.h"

#include <check.h>
#include <stdbool.h>
#include <string.h>

#include "base/rng.h"

static Tt tt;
static TtStats stats;
static Rng rng;

static void setup(void)
{
    tt = (Tt){0};
    stats = (TtStats){0};
    rng_seed(&rng, 20261103);
    ck_assert_uint_eq(tt_resize(&tt, 1), 1);
}

static void teardown(void)
{
    tt_free(&tt);
}

static int random_below(int n)
{
    return (int)rng_below(&rng, (uint64_t)n);
}

/* A key of the given slot of a 1 MiB table; `which` tells the slot's keys apart. */
static Key key_in_slot(int slot, int which)
{
    return (Key)slot << 49 | (Key)which * 0x123456789ABu;
}

static bool same_data(const TtData *a, const TtData *b)
{
    return a->move == b->move && a->score == b->score && a->eval == b->eval &&
           a->depth == b->depth && a->bound == b->bound && a->was_pv == b->was_pv &&
           a->nodes == b->nodes;
}

/* Thompson's scheme, told as slowly and plainly as it can be. */
typedef struct {
    bool is_used;
    Key key;
    int search; // the number of the search that wrote or last read it
    TtData data;
} ModelEntry;

typedef struct {
    ModelEntry deep, recent;
} ModelSlot;

enum { MODEL_SLOTS = 8, MODEL_KEYS = 4 };

static ModelSlot model[MODEL_SLOTS];
static int model_search;

static bool model_is_fresh(const ModelEntry *entry)
{
    return entry->is_used && (model_search - entry->search) % 32 == 0;
}

static int model_probe(Key key, SearchPoint at, TtData out[2])
{
    ModelSlot *const slot = &model[key >> 49];
    int n = 0;
    if (slot->recent.is_used && slot->recent.key == key) {
        slot->recent.search = model_search;
        out[n++] = slot->recent.data;
    }
    if (slot->deep.is_used && slot->deep.key == key) {
        slot->deep.search = model_search;
        out[n++] = slot->deep.data;
    }
    if (n == 2 && out[1].depth > out[0].depth) {
        const TtData first = out[0];
        out[0] = out[1];
        out[1] = first;
    }
    for (int i = 0; i < n; i++)
        out[i].score = score_from_table(out[i].score, at.ply, at.rule50);
    return n;
}

static void model_store(Key key, SearchPoint at, const TtData *data)
{
    ModelSlot *const slot = &model[key >> 49];
    ModelEntry *const deep = &slot->deep, *const recent = &slot->recent;
    ModelEntry *target;
    if (data->bound == BOUND_NONE) {
        if (model_is_fresh(recent) && recent->data.bound != BOUND_NONE)
            return;
        if (model_is_fresh(deep) && deep->key == key)
            return; // *deep* never holds an evaluation alone
        target = recent;
    } else if (data->depth == 0)
        target = recent;
    else if (!model_is_fresh(deep) || deep->data.depth <= data->depth)
        target = deep;
    else
        target = recent;

    Move move = data->move;
    if (move == MOVE_NONE && target->is_used && target->key == key)
        move = target->data.move;
    ModelEntry *const other = target == deep ? recent : deep;
    if (move == MOVE_NONE && other->is_used && other->key == key)
        move = other->data.move;
    *target = (ModelEntry){.is_used = true, .key = key, .search = model_search, .data = *data};
    target->data.move = move;
    if (data->bound != BOUND_NONE)
        target->data.score = score_to_table(data->score, at.ply);
}

static TtData random_result(void)
{
    const int kind = random_below(8); // 0, 1: evaluation; 2, 3: quiescence; else: search
    TtData data = {
        .move = random_below(3) == 0 ? MOVE_NONE : (Move)(1 + random_below(5)),
        .score = random_below(8) == 0 ? score_mate_in(100 + random_below(60)) : random_below(9),
        .eval = random_below(4) == 0 ? SCORE_NONE : random_below(1000) - 500,
        .depth = kind < 4 ? 0 : 1 + random_below(6),
        .bound = (Bound)(BOUND_UPPER + random_below(3)),
        .was_pv = random_below(2),
        .nodes = rng_below(&rng, 2048),
    };
    if (kind < 2) {
        data.bound = BOUND_NONE;
        data.score = SCORE_NONE;
        data.depth = random_below(2);
    }
    return data;
}

START_TEST(thompson_does_what_its_model_does)
{
    memset(model, 0, sizeof model);
    model_search = 0;
    long answers[3] = {0};
    for (int i = 0; i < 1000000; i++) {
        const Key key = key_in_slot(random_below(MODEL_SLOTS), random_below(MODEL_KEYS));
        const SearchPoint at = {.ply = random_below(80), .rule50 = random_below(100)};
        const int action = random_below(1000);
        if (action < 5) {
            model_search++;
            tt_new_search(&tt);
        } else if (action < 500) {
            const TtData data = random_result();
            model_store(key, at, &data);
            tt_store(&tt, key, at, &data, &stats);
        } else {
            TtData expected[2], out[2];
            const int n = model_probe(key, at, expected);
            ck_assert_int_eq(tt_probe(&tt, key, at, out, &stats), n);
            answers[n]++;
            for (int e = 0; e < n; e++)
                ck_assert_msg(same_data(&out[e], &expected[e]), "operation %d, entry %d", i, e);
        }
    }
    for (int n = 0; n <= 2; n++)
        ck_assert_int_gt(answers[n], 10000); // the trace visits all of it
    ck_assert_uint_eq(stats.stores, stats.replaced_empty + stats.replaced_same +
                                        stats.replaced_stale + stats.replaced_other);
    ck_assert_uint_le(stats.replaced_empty, MODEL_SLOTS * 2);
    ck_assert_uint_eq(stats.probes, (uint64_t)(answers[0] + answers[1] + answers[2]));
    ck_assert_uint_eq(stats.hits, (uint64_t)(answers[1] + answers[2]));
    ck_assert_uint_eq(stats.double_hits, (uint64_t)answers[2]);
}
END_TEST

Suite *suite_replacement(void);

Suite *suite_replacement(void)
{
    Suite *const suite = suite_create("replacement");
    TCase *const models = tcase_create("models");
    tcase_add_checked_fixture(models, setup, teardown);
    tcase_set_timeout(models, 30);
    tcase_add_test(models, thompson_does_what_its_model_does);
    suite_add_tcase(suite, models);
    return suite;
}
