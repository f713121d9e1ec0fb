// SPDX-License-Identifier: GPL-3.0-or-later
/* Compares the table under each scheme with a slow and obvious model, an array of plain structs, on
 * one random trace. */
#include "tt/replacement.h"

#include <check.h>
#include <string.h>

#include "tt/table_fixture.h"

typedef struct {
    bool is_used;
    Key key;
    int search;  // the number of the search that wrote or last read it
    TtData data; // the score as stored, relative to the position
} ModelEntry;

/* A result to be stored, and the entries of its position. */
typedef struct {
    Key key;
    TtData data;
    ModelEntry *first, *second; // the same entry in schemes of one level
} NewResult;

/* The entries that the keys select: entry p in schemes of one level, else the slot of the entries
 * 2i and 2i + 1. */
enum { PLACES = 16, KEYS_PER_PLACE = 3 };

static struct {
    Replacement scheme;
    bool no_refresh;
    int search;
    TtStats stats;
    ModelEntry entries[PLACES];
} model;

/* All schemes. A new one needs a line here and a case in store_result(). */
static const struct {
    const char *name;
    bool has_one_level;
} SCHEMES[REPLACEMENT_NB] = {
    [REPLACE_TWO_DEEP] = {"TwoDeep", false},
    [REPLACE_TWO_BIG1] = {"TwoBig1", false},
    [REPLACE_THOMPSON] = {"Thompson", false},
    [REPLACE_THOMPSON_BOTH] = {"ThompsonBoth", false},
    [REPLACE_DEEP] = {"Deep", true},
    [REPLACE_BIG1] = {"Big1", true},
    [REPLACE_BIG_ALL] = {"BigAll", true},
    [REPLACE_NEW] = {"New", true},
    [REPLACE_OLD] = {"Old", true},
};

static bool has_one_level(void)
{
    return SCHEMES[model.scheme].has_one_level;
}

static bool is_current(const ModelEntry *entry)
{
    return entry->is_used && (model.search - entry->search) % 32 == 0;
}

static bool holds(const ModelEntry *entry, Key key)
{
    return entry->is_used && entry->key == key;
}

/* Returns true for a current entry with a bound. */
static bool is_valued(const ModelEntry *entry)
{
    return is_current(entry) && entry->data.bound != BOUND_NONE;
}

static bool read_entry(ModelEntry *entry, Key key)
{
    if (!holds(entry, key))
        return false;
    if (!is_current(entry) && !model.no_refresh) {
        entry->search = model.search;
        model.stats.refreshes++;
    }
    return true;
}

static int model_probe(Key key, SearchPoint at, TtData out[2])
{
    ModelEntry *const place = &model.entries[key >> 48];
    ModelEntry *const first = &model.entries[key >> 49 << 1], *const second = first + 1;
    int n = 0;
    if (has_one_level()) {
        if (read_entry(place, key))
            out[n++] = place->data;
    } else {
        if (read_entry(second, key))
            out[n++] = second->data;
        if (read_entry(first, key))
            out[n++] = first->data;
    }
    if (n == 2 && out[1].depth > out[0].depth) {
        const TtData deeper = out[1];
        out[1] = out[0];
        out[0] = deeper;
    }
    for (int i = 0; i < n; i++)
        out[i] = data_read_at(out[i], at);
    model.stats.probes++;
    model.stats.hits += n > 0;
    model.stats.double_hits += n == 2;
    model.stats.two_moves +=
        n == 2 && out[0].move != 0 && out[1].move != 0 && out[0].move != out[1].move;
    return n;
}

/* Replaces `over` and keeps its move if the new result has none. */
static void put(const NewResult *a, ModelEntry *over)
{
    const ModelEntry *const beside = over == a->first ? a->second : a->first;
    ModelEntry new = {.is_used = true, .key = a->key, .search = model.search, .data = a->data};
    if (new.data.move == MOVE_NONE && holds(over, a->key))
        new.data.move = over->data.move;
    if (new.data.move == MOVE_NONE && holds(beside, a->key))
        new.data.move = beside->data.move;
    model.stats.stores++;
    if (!over->is_used)
        model.stats.replaced_empty++;
    else if (over->key == a->key)
        model.stats.replaced_same++;
    else if (!is_current(over))
        model.stats.replaced_stale++;
    else
        model.stats.replaced_other++;
    *over = new;
}

static void thompson(const NewResult *a)
{
    put(a, !is_current(a->first) || a->data.depth >= a->first->data.depth ? a->first : a->second);
}

static void thompson_both(const NewResult *a)
{
    const ModelEntry before = *a->first;
    if (!is_current(a->first) || a->data.depth >= a->first->data.depth)
        put(a, a->first);
    const ModelEntry after = *a->first;
    *a->first = before; // each level keeps its own old move of the position
    put(a, a->second);
    *a->first = after;
}

static void two_levels(const NewResult *a, bool wins_first)
{
    const bool second_has_it = holds(a->second, a->key) && a->second->data.bound != BOUND_NONE &&
                               a->second->data.depth > 0;
    if (holds(a->first, a->key))
        put(a, a->first);
    else if (second_has_it)
        put(a, a->second);
    else if (!is_current(a->first))
        put(a, a->first);
    else if (wins_first) {
        const ModelEntry pushed = *a->first;
        put(a, a->second); // the second level loses its entry ...
        *a->first = *a->second;
        *a->second = pushed; // ... and then both levels are exchanged
    } else
        put(a, a->second);
}

static void one_level(const NewResult *a, bool wins)
{
    if (!is_valued(a->first) || holds(a->first, a->key) || wins)
        put(a, a->first);
}

static void store_result(const NewResult *a)
{
    const TtData *const old = &a->first->data;
    const bool as_deep = a->data.depth >= old->depth, as_big = a->data.nodes >= old->nodes;
    switch (model.scheme) {
    case REPLACE_THOMPSON: thompson(a); break;
    case REPLACE_THOMPSON_BOTH: thompson_both(a); break;
    case REPLACE_TWO_DEEP: two_levels(a, as_deep); break;
    case REPLACE_TWO_BIG1: two_levels(a, as_big); break;
    case REPLACE_DEEP: one_level(a, as_deep); break;
    case REPLACE_BIG1:
    case REPLACE_BIG_ALL: one_level(a, as_big); break;
    case REPLACE_NEW: one_level(a, true); break;
    case REPLACE_OLD: one_level(a, false); break;
    default: ck_abort_msg("no such scheme");
    }
}

static void model_store(Key key, SearchPoint at, const TtData *data)
{
    NewResult a = {.key = key, .data = *data};
    a.first = has_one_level() ? &model.entries[key >> 48] : &model.entries[key >> 49 << 1];
    a.second = has_one_level() ? a.first : a.first + 1;
    if (data->bound == BOUND_NONE) {
        if (!is_valued(a.second) && !(holds(a.first, key) && is_valued(a.first)))
            put(&a, a.second);
        return;
    }
    a.data.score = score_to_table(data->score, at.ply);
    if (data->depth == 0 && !has_one_level())
        put(&a, a.second);
    else
        store_result(&a);
}

/* The 16 bits above the check select the entry; all keys of a slot differ below them. */
static Key random_key(void)
{
    const int place = random_below(PLACES);
    const int which = place % 2 * KEYS_PER_PLACE + random_below(KEYS_PER_PLACE);
    return (Key)place << 48 | (Key)which * 0x23456789ABu;
}

/* Returns a subtree size that an entry stores exactly. */
static uint64_t random_nodes(void)
{
    if (random_below(2) == 0)
        return 1 + (uint64_t)random_below(6);
    return (uint64_t)(1024 + random_below(1024)) << random_below(40);
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
        .nodes = random_nodes(),
    };
    if (kind < 2) {
        data.bound = BOUND_NONE;
        data.score = SCORE_NONE;
        data.depth = random_below(2);
    }
    return data;
}

static void forget_all(void)
{
    memset(model.entries, 0, sizeof model.entries);
    tt_clear_small(&tt);
}

/* Sometimes does one of the rare operations and returns true. */
static bool do_something_rare(void)
{
    const int action = random_below(10000);
    if (action < 50) {
        model.search++;
        tt_new_search(&tt);
    } else if (action < 52)
        forget_all();
    else if (action < 56)
        model.no_refresh = tt.no_refresh = random_below(2);
    return action < 56;
}

/* Compares all entries. */
static void compare_records(void)
{
    int current = 0;
    for (int i = 0; i < PLACES; i++) {
        const ModelEntry *const entry = &model.entries[i];
        TtRecord record;
        const TtRecordState state = tt_record(&tt, (uint64_t)i, &record);
        current += is_current(entry);
        ck_assert_int_eq(state, !entry->is_used     ? TT_RECORD_EMPTY
                                : is_current(entry) ? TT_RECORD_CURRENT
                                                    : TT_RECORD_STALE);
        if (state == TT_RECORD_EMPTY)
            continue;
        const Key known = has_one_level() ? entry->key : entry->key & 0xFFFFFFFFFFFF;
        ck_assert_int_eq(record.key_is_whole, has_one_level());
        ck_assert_uint_eq(record.key, known);
        const TtData expected = data_read_at(entry->data, ROOT);
        ck_assert(same_data(&record.data, &expected));
    }
    ck_assert_int_eq(tt_hashfull(&tt), current / 2);
}

static void check_coverage(const long answers[3])
{
    const TtStats *const s = &model.stats;
    for (int n = 0; n < (has_one_level() ? 2 : 3); n++)
        ck_assert_int_gt(answers[n], 3000);
    ck_assert_uint_gt(s->replaced_empty, 100);
    ck_assert_uint_gt(s->replaced_same, 10000);
    ck_assert_uint_gt(s->replaced_stale, 1000);
    ck_assert_uint_gt(s->replaced_other, 10000);
    ck_assert_uint_gt(s->refreshes, 1000);
    ck_assert_uint_eq(s->stores,
                      s->replaced_empty + s->replaced_same + s->replaced_stale + s->replaced_other);
}

START_TEST(every_scheme_agrees_with_its_model)
{
    memset(&model, 0, sizeof model);
    model.scheme = tt.replacement = (Replacement)_i;
    rng_seed(&rng, 1994 + (uint64_t)_i);
    long answers[3] = {0};
    for (int i = 0; i < 1000000; i++) {
        const Key key = random_key();
        const SearchPoint at = {.ply = random_below(80), .rule50 = random_below(100)};
        if (i % 5000 == 0)
            compare_records();
        if (do_something_rare())
            continue;
        if (i % 2 == 0) {
            const TtData data = random_result();
            model_store(key, at, &data);
            tt_store(&tt, key, at, &data, &stats);
            continue;
        }
        TtData expected[2], out[2];
        const int n = model_probe(key, at, expected);
        bool agree = tt_probe(&tt, key, at, out, &stats) == n;
        answers[n]++;
        for (int e = 0; e < n && agree; e++)
            agree = same_data(&out[e], &expected[e]);
        if (!agree) // a million calls of ck_assert() would take minutes
            ck_abort_msg("operation %d", i);
    }
    ck_assert(memcmp(&stats, &model.stats, sizeof stats) == 0);
    check_coverage(answers);
}
END_TEST

START_TEST(names_are_read_back_in_any_case)
{
    Replacement found = REPLACEMENT_NB;
    for (int i = 0; i < REPLACEMENT_NB; i++) {
        ck_assert_msg(SCHEMES[i].name != NULL, "SCHEMES lacks %s",
                      replacement_name((Replacement)i));
        ck_assert_str_eq(replacement_name((Replacement)i), SCHEMES[i].name);
        ck_assert(replacement_parse(SCHEMES[i].name, &found));
        ck_assert_int_eq(found, i);
    }
    ck_assert(replacement_parse("tWObIG1", &found));
    ck_assert_int_eq(found, REPLACE_TWO_BIG1);
    ck_assert(!replacement_parse("Two", &found) && !replacement_parse("", &found));
    ck_assert_int_eq(found, REPLACE_TWO_BIG1);
}
END_TEST

Suite *suite_replacement(void);

Suite *suite_replacement(void)
{
    Suite *const suite = suite_create("replacement");
    TCase *const models = tcase_create("models");
    tcase_add_checked_fixture(models, table_setup, table_teardown);
    tcase_set_timeout(models, 30);
    tcase_add_loop_test(models, every_scheme_agrees_with_its_model, 0, REPLACEMENT_NB);
    suite_add_tcase(suite, models);
    TCase *const names = tcase_create("names");
    tcase_add_test(names, names_are_read_back_in_any_case);
    suite_add_tcase(suite, names);
    return suite;
}
