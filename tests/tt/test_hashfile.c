// SPDX-License-Identifier: GPL-3.0-or-later
#include "tt/hashfile.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "base/checksum.h"
#include "base/mem.h"
#include "chess/zobrist.h"
#include "eval/bootstrap.h"
#include "eval/eval.h"
#include "nnue/network.h"
#include "skip.h"
#include "tt/hashfile_fixture.h"
#include "whole_file.h"

static Tt from, to;

static void setup(void)
{
    hash_enter(false);
    from = to = (Tt){0};
}

static void teardown(void)
{
    tt_free(&from);
    tt_free(&to);
    hash_leave();
}

static bool is_near_draw(Score score)
{
    return -2 <= score && score <= 2;
}

static bool is_by_tablebase(Score score)
{
    return (score >= SCORE_TB_MIN && score < SCORE_MATE_MIN) ||
           (score <= -SCORE_TB_MIN && score > -SCORE_MATE_MIN);
}

/* Writes to `out` what a file with `min_depth` keeps of an entry. Returns false for nothing. */
static bool survives(const TtData *data, int min_depth, TtData *out)
{
    *out = *data;
    if (data->depth < min_depth || data->bound == BOUND_NONE)
        return false;
    if (is_near_draw(data->score) || is_by_tablebase(data->score)) {
        out->bound = BOUND_NONE;
        out->score = SCORE_NONE;
    }
    return out->bound != BOUND_NONE || out->move != MOVE_NONE;
}

static bool is_same(const TtData *a, const TtData *b)
{
    return a->move == b->move && a->score == b->score && a->eval == b->eval &&
           a->depth == b->depth && a->bound == b->bound && a->was_pv == b->was_pv &&
           a->nodes == b->nodes;
}

/* Returns true when `table` has exactly this result for the key. */
static bool knows(Tt *table, Key key, const TtData *data)
{
    TtData found[2];
    TtStats unused = {0};
    const int count = tt_probe(table, key, (SearchPoint){.ply = 0, .rule50 = 0}, found, &unused);
    for (int i = 0; i < count; i++)
        if (is_same(&found[i], data))
            return true;
    return false;
}

/* Counts the entries of `from` that belong into the file, and those of them found in `to`. */
static void compare(int min_depth, int *expected, int *found)
{
    *expected = *found = 0;
    for (uint64_t i = 0; i < 2 * from.slot_count; i++) {
        TtRecord record;
        TtData kept;
        if (tt_record(&from, i, &record) == TT_RECORD_EMPTY ||
            !survives(&record.data, min_depth, &kept))
            continue;
        (*expected)++;
        *found += knows(&to, record.key, &kept);
    }
}

static int count_entries(Tt *table)
{
    int count = 0;
    TtRecord record;
    for (uint64_t i = 0; i < 2 * table->slot_count; i++)
        count += tt_record(table, i, &record) != TT_RECORD_EMPTY;
    return count;
}

START_TEST(saved_entries_are_loaded)
{
    int expected, found;
    hash_make_table(&from, 2, REPLACE_THOMPSON);
    hash_fill(&from, 1, 10000);
    tt_new_search(&from); // entries of earlier searches are saved, too
    hash_fill(&from, 2, 10000);
    hash_make_table(&to, 2, REPLACE_THOMPSON);
    ck_assert_msg(hash_save(&from, 6), "%s", hash_error);
    const HashFileSummary saved = hash_sum;
    ck_assert_msg(hash_load(&to), "%s", hash_error);
    ck_assert_mem_eq(&saved, &hash_sum, sizeof saved);
    compare(6, &expected, &found);
    ck_assert_int_gt(expected, 5000);
    ck_assert_int_eq(found, expected);
    ck_assert_uint_eq(hash_sum.records, (uint64_t)expected);
    ck_assert_uint_gt(hash_sum.moves, 100);
    ck_assert_int_eq(count_entries(&to), expected); // and no other entry was loaded
}
END_TEST

START_TEST(every_scheme_loads_files_of_every_other)
{
    const Replacement writer = (Replacement)(_i / REPLACEMENT_NB);
    const Replacement reader = (Replacement)(_i % REPLACEMENT_NB);
    const uint64_t sizes[] = {2, 3, 16};
    int expected, found;
    hash_make_table(&from, sizes[_i % 3], writer);
    hash_fill(&from, 2, 3000);
    hash_make_table(&to, sizes[_i / 3 % 3], reader);
    ck_assert_msg(hash_save(&from, 1), "%s", hash_error);
    ck_assert_msg(hash_load(&to), "%s", hash_error);
    compare(1, &expected, &found);
    ck_assert_int_gt(expected, 1500);
    ck_assert_int_ge(found * 100, expected * 97); // some entries compete for a slot
    ck_assert_int_le(count_entries(&to), expected);
}
END_TEST

START_TEST(a_table_that_is_too_small_keeps_the_deepest_entries)
{
    int expected, found;
    hash_make_table(&from, 16, REPLACE_THOMPSON);
    hash_fill(&from, 3, 600000);
    hash_make_table(&to, 2, REPLACE_THOMPSON);
    ck_assert(hash_save(&from, 20));
    ck_assert(hash_load(&to));
    compare(29, &expected, &found);
    ck_assert_int_gt(expected, 8000);
    ck_assert_int_gt(found * 100, expected * 80); // entries of one slot replace each other
    compare(20, &expected, &found);
    ck_assert_int_lt(found * 100, expected * 75);
}
END_TEST

START_TEST(a_table_of_one_mib_can_be_loaded_but_not_saved)
{
    int expected, found;
    hash_make_table(&from, 1, REPLACE_THOMPSON);
    hash_fill(&from, 4, 3000);
    ck_assert(!hash_save(&from, 6));
    ck_assert_ptr_nonnull(strstr(hash_error, "1 MiB"));
    tt_free(&from);
    hash_make_table(&from, 2, REPLACE_THOMPSON);
    hash_fill(&from, 4, 3000);
    hash_make_table(&to, 1, REPLACE_THOMPSON);
    ck_assert(hash_save(&from, 6));
    ck_assert(hash_load(&to));
    compare(6, &expected, &found);
    ck_assert_int_ge(found * 100, expected * 95);
}
END_TEST

/* A bug reported for asmFish: load and save changed the table. */
START_TEST(a_table_that_was_loaded_saves_the_same_file)
{
    for (Replacement scheme = 0; scheme < REPLACEMENT_NB; scheme++) {
        size_t size, again_size;
        hash_make_table(&from, 3, scheme);
        hash_fill(&from, 5, 150000);
        hash_make_table(&to, 3, scheme);
        ck_assert(hash_save(&from, 4));
        uint8_t *const bytes = whole_file_read(hash_path, &size);
        ck_assert(hash_load(&to));
        ck_assert(hash_load(&to)); // a second load changes nothing
        ck_assert(hash_save(&to, 4));
        uint8_t *const again = whole_file_read(hash_path, &again_size);
        ck_assert_uint_eq(size, again_size);
        ck_assert_mem_eq(bytes, again, size);
        free(bytes);
        free(again);
        tt_free(&from);
        tt_free(&to);
    }
}
END_TEST

START_TEST(loading_keeps_the_entries_of_the_table)
{
    static Tt second;
    int expected, found;
    hash_make_table(&from, 2, REPLACE_THOMPSON);
    hash_fill(&from, 6, 2000);
    hash_make_table(&to, 16, REPLACE_THOMPSON);
    ck_assert(hash_save(&from, 6));
    ck_assert(hash_load(&to));
    hash_make_table(&second, 2, REPLACE_THOMPSON);
    hash_fill(&second, 7, 2000);
    ck_assert(hash_save(&second, 6));
    ck_assert(hash_load(&to));
    compare(6, &expected, &found);
    ck_assert_int_ge(found, expected - 20);
    tt_free(&from);
    from = second;
    compare(6, &expected, &found);
    ck_assert_int_ge(found, expected - 20);
}
END_TEST

START_TEST(loading_keeps_a_deeper_entry_of_the_same_position)
{
    const SearchPoint own = {.ply = 0, .rule50 = 0};
    TtStats unused = {0};
    TtData out[2];
    hash_make_table(&from, 2, REPLACE_THOMPSON);
    TtData data = {
        .move = 5, .score = 90, .eval = 3, .depth = 10, .bound = BOUND_EXACT, .nodes = 9};
    tt_store(&from, 12345, own, &data, &unused);
    ck_assert(hash_save(&from, 6));
    data.depth = 20;
    tt_store(&from, 12345, own, &data, &unused);
    for (int age = 0; age < 3; age++) {
        ck_assert(hash_load(&from));
        ck_assert_int_ge(tt_probe(&from, 12345, own, out, &unused), 1);
        ck_assert_int_eq(out[0].depth, 20);
        tt_new_search(&from);
    }
}
END_TEST

START_TEST(a_file_stays_within_its_size_limit)
{
    hash_make_table(&from, 16, REPLACE_THOMPSON);
    hash_fill(&from, 8, 300000);
    HashFileTask task = {.path = hash_path, .evaluation = 1, .min_depth = 3};
    uint64_t before = UINT64_MAX;
    int depth = 0;
    for (int64_t limit = 4 << 20; limit >= 1 << 18; limit /= 2) {
        task.max_bytes = limit;
        ck_assert(hashfile_save(&task, &from, &hash_sum, hash_error));
        ck_assert_int_le(hash_sum.bytes, limit);
        ck_assert_int_ge(hash_sum.min_depth, 3);
        ck_assert_uint_le(hash_sum.records, before);
        ck_assert_uint_gt(hash_sum.records, 0);
        before = hash_sum.records;
        depth = hash_sum.min_depth;
    }
    ck_assert_int_gt(depth, 20);
    hash_make_table(&to, 16, REPLACE_THOMPSON);
    ck_assert(hashfile_load(&task, &to, &hash_sum, hash_error));
    ck_assert_int_eq(hash_sum.min_depth, depth);
    int expected, found;
    compare(depth, &expected, &found);
    ck_assert_int_eq(found, expected);
    ck_assert_uint_eq(hash_sum.records, (uint64_t)expected);
}
END_TEST

/* Saves `table` over the file at hash_path, whose records stay. */
static bool save_and_keep(Tt *table, int min_depth, int64_t max_bytes)
{
    const HashFileTask task = {.path = hash_path,
                               .evaluation = FIXTURE_EVALUATION,
                               .min_depth = min_depth,
                               .max_bytes = max_bytes,
                               .keeps_old = true};
    return hashfile_save(&task, table, &hash_sum, hash_error);
}

START_TEST(saving_may_keep_the_records_of_the_file)
{
    static Tt second;
    int expected, found;
    for (Replacement scheme = 0; scheme < REPLACEMENT_NB; scheme++) {
        hash_make_table(&from, 16, scheme);
        hash_fill(&from, 21, 20000);
        ck_assert(hash_save(&from, 4));
        const uint64_t before = hash_sum.records;
        hash_make_table(&second, 2, REPLACEMENT_NB - 1 - scheme); // of another size and scheme
        hash_fill(&second, 22, 3000);
        ck_assert_msg(save_and_keep(&second, 6, INT64_MAX), "%s", hash_error);
        const HashFileSummary saved = hash_sum;
        ck_assert_uint_gt(saved.records, before + 500);
        ck_assert_int_eq(saved.min_depth, 4);
        hash_make_table(&to, 64, REPLACE_TWO_DEEP);
        ck_assert_msg(hash_load(&to), "%s", hash_error); // also checks the order and the foot
        ck_assert_uint_eq(hash_sum.records, saved.records);
        compare(4, &expected, &found);
        ck_assert_int_ge(found, expected - 40); // two of the same slot
        tt_free(&from);
        from = second;
        compare(6, &expected, &found);
        ck_assert_int_ge(found, expected - 40);
        const int deep = found;
        compare(4, &expected, &found);
        ck_assert_int_eq(found, deep); // less deep results of the table are not saved
        second = (Tt){0};
    }
}
END_TEST

/* The keys of the file descend within a slot of the small table. Two such records have different
 * slots in the large one. */
START_TEST(saving_from_a_larger_table_keeps_every_record_once)
{
    hash_make_table(&from, 2, REPLACE_TWO_DEEP);
    hash_fill(&from, 26, 300000);
    ck_assert(hash_save(&from, 1));
    const HashFileSummary first = hash_sum;
    hash_make_table(&to, 64, REPLACE_TWO_DEEP);
    ck_assert(hash_load(&to));
    const int64_t limits[] = {INT64_MAX, first.bytes + 1000};
    for (int i = 0; i < 2; i++) {
        ck_assert_msg(save_and_keep(&to, 1, limits[i]), "%s", hash_error);
        ck_assert_uint_eq(hash_sum.records, first.records);
        ck_assert_int_eq(hash_sum.min_depth, 1);
    }
}
END_TEST

START_TEST(saving_keeps_the_deeper_of_two_results)
{
    const SearchPoint own = {.ply = 0, .rule50 = 0};
    TtStats unused = {0};
    TtData data = {
        .move = 5, .score = 90, .eval = 3, .depth = 20, .bound = BOUND_EXACT, .nodes = 9};
    hash_make_table(&from, 2, REPLACE_NEW);
    tt_store(&from, 12345, own, &data, &unused);
    ck_assert(hash_save(&from, 6));
    for (int depth = 10; depth <= 30; depth += 10) {
        data.depth = depth;
        hash_make_table(&to, 2, REPLACE_NEW);
        tt_store(&to, 12345, own, &data, &unused);
        ck_assert_msg(save_and_keep(&to, 6, INT64_MAX), "%s", hash_error);
        ck_assert_uint_eq(hash_sum.records, 1);
        hash_make_table(&to, 2, REPLACE_TWO_DEEP);
        ck_assert(hash_load(&to));
        TtData out[2];
        ck_assert_int_ge(tt_probe(&to, 12345, own, out, &unused), 1);
        ck_assert_int_eq(out[0].depth, depth < 20 ? 20 : depth);
    }
}
END_TEST

/* Of a score near a draw the file has only the move. */
START_TEST(a_deeper_move_does_not_replace_a_result)
{
    const SearchPoint own = {.ply = 0, .rule50 = 0};
    TtStats unused = {0};
    TtData data = {.move = 5, .score = 90, .eval = 3, .depth = 10, .bound = BOUND_EXACT};
    hash_make_table(&from, 2, REPLACE_NEW);
    tt_store(&from, 12345, own, &data, &unused);
    ck_assert(hash_save(&from, 6));
    data.score = SCORE_DRAW;
    data.depth = 20;
    hash_make_table(&to, 2, REPLACE_NEW);
    tt_store(&to, 12345, own, &data, &unused);
    ck_assert_msg(save_and_keep(&to, 6, INT64_MAX), "%s", hash_error);
    ck_assert_uint_eq(hash_sum.records, 2);
    ck_assert_uint_eq(hash_sum.moves, 1);
}
END_TEST

START_TEST(what_is_kept_stays_within_the_size_limit)
{
    hash_make_table(&from, 16, REPLACE_THOMPSON);
    hash_fill(&from, 23, 100000);
    ck_assert(hash_save(&from, 3));
    const int64_t limit = _i == 0 ? hash_sum.bytes : hash_sum.bytes * 3 / 2;
    hash_make_table(&to, 16, REPLACE_THOMPSON);
    hash_fill(&to, 24, 100000);
    ck_assert_msg(save_and_keep(&to, 3, limit), "%s", hash_error);
    ck_assert_int_le(hash_sum.bytes, limit);
    ck_assert_int_gt(hash_sum.bytes, limit / 2);
    ck_assert_int_gt(hash_sum.min_depth, 3);
    tt_clear(&to);
    ck_assert_msg(hash_load(&to), "%s", hash_error);
    for (uint64_t i = 0; i < 2 * to.slot_count; i++) {
        TtRecord record;
        if (tt_record(&to, i, &record) != TT_RECORD_EMPTY)
            ck_assert_int_ge(record.data.depth, hash_sum.min_depth);
    }
}
END_TEST

/* Fills the table `to` when its records are about to be written. */
static bool fill_meanwhile(void *ctx, uint64_t done, uint64_t total)
{
    bool *const is_filled = ctx;
    if (done >= total / 2 && !*is_filled)
        hash_fill(&to, 27, 50000);
    *is_filled |= done >= total / 2;
    return true;
}

START_TEST(what_a_search_adds_stays_within_the_size_limit)
{
    bool is_filled = false;
    hash_make_table(&from, 16, REPLACE_THOMPSON);
    hash_fill(&from, 23, 50000);
    ck_assert(hash_save(&from, 3));
    hash_make_table(&to, 16, REPLACE_THOMPSON);
    hash_fill(&to, 24, 50000);
    const HashFileTask task = {.path = hash_path,
                               .evaluation = FIXTURE_EVALUATION,
                               .min_depth = 3,
                               .max_bytes = hash_sum.bytes * 3 / 2,
                               .keeps_old = _i == 0,
                               .goes_on = fill_meanwhile,
                               .ctx = &is_filled};
    ck_assert_msg(hashfile_save(&task, &to, &hash_sum, hash_error), "%s", hash_error);
    ck_assert(is_filled);
    ck_assert_int_le(hash_sum.bytes, task.max_bytes);
    ck_assert(hash_verify());
}
END_TEST

START_TEST(a_faulty_file_is_not_replaced_when_its_records_are_to_stay)
{
    size_t size;
    hash_make_table(&from, 2, REPLACE_THOMPSON);
    hash_fill(&from, 25, 5000);
    ck_assert(hash_save(&from, 3));
    uint8_t *const bytes = whole_file_read(hash_path, &size);
    bytes[size / 2] ^= 1;
    hash_write(bytes, size);
    ck_assert(!save_and_keep(&from, 3, INT64_MAX));
    ck_assert_str_eq(hash_error, "is damaged; it stays as it is");
    whole_file_expect(hash_path, bytes, size);
    free(bytes);
}
END_TEST

START_TEST(an_empty_file_has_no_records_to_keep)
{
    hash_make_table(&from, 2, REPLACE_THOMPSON);
    hash_write((const uint8_t *)"", 0);
    ck_assert_msg(save_and_keep(&from, 3, INT64_MAX), "%s", hash_error);
    ck_assert(hash_verify());
}
END_TEST

START_TEST(a_saved_file_can_be_read_by_its_owner)
{
    struct stat found;
    hash_make_table(&from, 2, REPLACE_THOMPSON);
    ck_assert(hash_save(&from, 6)); // an empty table gives a file, too, of more than 0 bytes
    ck_assert_int_eq(stat(hash_path, &found), 0);
    ck_assert_int_gt(found.st_size, 0);
    ck_assert_uint_eq(found.st_mode & 0600, 0600);
    ck_assert(hash_verify());
    ck_assert_uint_eq(hash_sum.records, 0);
}
END_TEST

/* Returns false after a number of calls. */
static bool pass_some(void *ctx, uint64_t done, uint64_t total)
{
    int *const left = ctx;
    ck_assert_uint_le(done, total);
    return (*left)-- > 0;
}

START_TEST(a_cancelled_save_keeps_the_old_file_and_a_cancelled_load_the_table)
{
    enum { MANY = 1000 };
    size_t size, again_size;
    hash_make_table(&from, 16, REPLACE_THOMPSON);
    hash_fill(&from, 9, 400000);
    int left = MANY;
    HashFileTask task = {.path = hash_path,
                         .evaluation = 1,
                         .min_depth = 1,
                         .max_bytes = 1 << 30,
                         .goes_on = pass_some,
                         .ctx = &left};
    ck_assert(hashfile_save(&task, &from, &hash_sum, hash_error));
    const int steps = MANY - left;
    ck_assert_int_gt(steps, 4);
    uint8_t *const bytes = whole_file_read(hash_path, &size);
    hash_fill(&from, 10, 1000);
    for (int pass = 0; pass < steps; pass++) {
        left = pass;
        ck_assert(!hashfile_save(&task, &from, &hash_sum, hash_error));
        ck_assert_ptr_nonnull(strstr(hash_error, "stopped"));
        uint8_t *const again = whole_file_read(hash_path, &again_size);
        ck_assert(size == again_size && memcmp(bytes, again, size) == 0);
        free(again);
    }
    free(bytes);
    hash_make_table(&to, 2, REPLACE_THOMPSON);
    left = 0;
    ck_assert(!hashfile_load(&task, &to, &hash_sum, hash_error));
    ck_assert_str_eq(hash_error, "was not read to its end: stopped");
    ck_assert_int_eq(count_entries(&to), 0);
}
END_TEST

/* At the end of the program a save has little time, and the file may be much larger than the table.
 */
START_TEST(a_save_can_be_cancelled_while_it_reads_the_old_file)
{
    int left;
    bool was_reading = false;
    hash_make_table(&from, 16, REPLACE_THOMPSON);
    hash_fill(&from, 28, 300000);
    ck_assert(hash_save(&from, 1));
    ck_assert_int_gt(hash_sum.bytes, 3 << 20);
    hash_make_table(&to, 2, REPLACE_THOMPSON);
    const HashFileTask task = {.path = hash_path,
                               .evaluation = FIXTURE_EVALUATION,
                               .min_depth = 1,
                               .max_bytes = INT64_MAX,
                               .keeps_old = true,
                               .goes_on = pass_some,
                               .ctx = &left};
    for (int calls = 0; calls < 8; calls++) { // of more than ten
        left = calls;
        ck_assert(!hashfile_save(&task, &to, &hash_sum, hash_error));
        ck_assert_ptr_nonnull(strstr(hash_error, "stopped"));
        was_reading |=
            strcmp(hash_error, "was not read to its end: stopped; it stays as it is") == 0;
        ck_assert(hash_verify());
    }
    ck_assert(was_reading);
}
END_TEST

/* A bug reported for BrainLearn: it used fifty times the size of the file in memory. */
START_TEST(loading_a_large_file_takes_little_memory)
{
    struct rusage before, after;
    hash_make_table(&from, 64, REPLACE_THOMPSON);
    hash_fill(&from, 11, 2000000);
    hash_make_table(&to, 2, REPLACE_THOMPSON);
    hash_fill(&to, 12, 200000); // to back its pages by memory
    getrusage(RUSAGE_SELF, &before);
    ck_assert(hash_save(&from, 1));
    ck_assert_int_gt(hash_sum.bytes, 16 << 20);
    ck_assert(hash_load(&to));
    getrusage(RUSAGE_SELF, &after);
    ck_assert_int_lt(after.ru_maxrss - before.ru_maxrss, 4 << 10); // KiB
}
END_TEST

/* Other programs had bugs with tables of more than 8 GB. */
START_TEST(a_table_of_nine_gib_is_saved)
{
    enum { MIB = 9 << 10, RESULTS = 200 };
    int expected, found;
    if (!is_slow_run() || mem_available() < (uint64_t)(MIB + 1024) << 20) {
        skip_test("%s", is_slow_run() ? "less than 10 GiB of memory" : "a long case");
        return;
    }
    hash_make_table(&from, MIB, REPLACE_THOMPSON);
    hash_fill(&from, 13, RESULTS);
    hash_make_table(&to, 16, REPLACE_THOMPSON);
    ck_assert_msg(hash_save(&from, 1), "%s", hash_error);
    ck_assert(hash_load(&to));
    compare(1, &expected, &found);
    ck_assert_int_gt(expected, RESULTS / 2);
    ck_assert_int_eq(found, expected);
}
END_TEST

static double processor_s(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Fills every entry of the table with a result that is saved. */
static void fill_up(Tt *table)
{
    const SearchPoint own = {.ply = 0, .rule50 = 0};
    TtStats unused = {0};
    Rng rng;
    rng_seed(&rng, 15);
    for (int round = 0; round < 3; round++)
        for (uint64_t slot = 0; slot < table->slot_count; slot++) {
            const TtData data = {.move = (Move)(1 + rng_below(&rng, 60000)),
                                 .score = 500,
                                 .eval = 20,
                                 .depth = 1 + (int)rng_below(&rng, 20),
                                 .bound = BOUND_LOWER,
                                 .nodes = 1000};
            const Key key = slot * (UINT64_MAX / table->slot_count) + (rng_next(&rng) >> 40);
            tt_store(table, key, own, &data, &unused);
        }
}

START_TEST(a_full_table_of_one_gib_is_saved_in_seconds)
{
    if (!is_slow_run() || mem_available() < (uint64_t)3 << 30) {
        skip_test("%s", is_slow_run() ? "less than 3 GiB of memory" : "a long case");
        return;
    }
    HashFileTask task = {.path = hash_path, .min_depth = 1, .max_bytes = INT64_C(2) << 30};
    hash_make_table(&from, 1024, REPLACE_THOMPSON);
    fill_up(&from);
    hash_make_table(&to, 1024, REPLACE_THOMPSON);
    const double start = processor_s();
    ck_assert_msg(hashfile_save(&task, &from, &hash_sum, hash_error), "%s", hash_error);
    const double saved = processor_s();
    ck_assert_msg(hashfile_load(&task, &to, &hash_sum, hash_error), "%s", hash_error);
    const double loaded = processor_s();
    printf("A table of 1 GiB: %.1f million records, %.0f MB, saved in %.1f s and loaded in %.1f s "
           "of one processor\n",
           (double)hash_sum.records / 1e6, (double)hash_sum.bytes / (1 << 20), saved - start,
           loaded - saved);
    ck_assert_uint_gt(hash_sum.records, 50000000);
    ck_assert(loaded - start < 30);
}
END_TEST

/* A change of keys or format must be intended, as it makes all existing files unusable. */
START_TEST(keys_and_file_format_have_not_changed)
{
    size_t size;
    ck_assert_uint_eq(zobrist_fingerprint(), 17371381184861726474u);
    hash_make_table(&from, 2, REPLACE_THOMPSON);
    hash_fill(&from, 14, 4);
    ck_assert(hash_save(&from, 1));
    uint8_t *const bytes = whole_file_read(hash_path, &size);
    ck_assert_uint_eq(checksum64(bytes, size), 13999758391543994369u);
    free(bytes);
}
END_TEST

START_TEST(different_evaluations_have_different_fingerprints)
{
    static Network networks[2];
    for (int i = 0; i < 2; i++)
        network_randomise(&networks[i], (uint64_t)i);
    const uint64_t prints[] = {
        eval_fingerprint(&(EvalSource){.network = &networks[0]}),
        eval_fingerprint(&(EvalSource){.network = &networks[1]}),
        eval_fingerprint(&(EvalSource){.bootstrap = bootstrap_eval}),
    };
    ck_assert_uint_ne(prints[0], prints[1]);
    ck_assert_uint_ne(prints[0], prints[2]);
    ck_assert_uint_ne(prints[1], prints[2]);
    network_randomise(&networks[1], 0);
    ck_assert_uint_eq(eval_fingerprint(&(EvalSource){.network = &networks[1]}), prints[0]);
}
END_TEST

Suite *suite_hashfile(void);
Suite *suite_hashfile(void)
{
    Suite *const suite = suite_create("hashfile");
    TCase *const tcase = tcase_create("hashfile");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, saved_entries_are_loaded);
    tcase_add_loop_test(tcase, every_scheme_loads_files_of_every_other, 0,
                        REPLACEMENT_NB * REPLACEMENT_NB);
    tcase_add_test(tcase, a_table_that_is_too_small_keeps_the_deepest_entries);
    tcase_add_test(tcase, a_table_of_one_mib_can_be_loaded_but_not_saved);
    tcase_add_test(tcase, a_table_that_was_loaded_saves_the_same_file);
    tcase_add_test(tcase, loading_keeps_the_entries_of_the_table);
    tcase_add_test(tcase, loading_keeps_a_deeper_entry_of_the_same_position);
    tcase_add_test(tcase, a_file_stays_within_its_size_limit);
    tcase_add_test(tcase, saving_may_keep_the_records_of_the_file);
    tcase_add_test(tcase, saving_from_a_larger_table_keeps_every_record_once);
    tcase_add_test(tcase, saving_keeps_the_deeper_of_two_results);
    tcase_add_test(tcase, a_deeper_move_does_not_replace_a_result);
    tcase_add_loop_test(tcase, what_is_kept_stays_within_the_size_limit, 0, 2);
    tcase_add_loop_test(tcase, what_a_search_adds_stays_within_the_size_limit, 0, 2);
    tcase_add_test(tcase, a_faulty_file_is_not_replaced_when_its_records_are_to_stay);
    tcase_add_test(tcase, an_empty_file_has_no_records_to_keep);
    tcase_add_test(tcase, a_saved_file_can_be_read_by_its_owner);
    tcase_add_test(tcase, a_cancelled_save_keeps_the_old_file_and_a_cancelled_load_the_table);
    tcase_add_test(tcase, a_save_can_be_cancelled_while_it_reads_the_old_file);
    tcase_add_test(tcase, loading_a_large_file_takes_little_memory);
    tcase_add_test(tcase, a_table_of_nine_gib_is_saved);
    tcase_add_test(tcase, a_full_table_of_one_gib_is_saved_in_seconds);
    tcase_add_test(tcase, keys_and_file_format_have_not_changed);
    tcase_add_test(tcase, different_evaluations_have_different_fingerprints);
    suite_add_tcase(suite, tcase);
    return suite;
}
