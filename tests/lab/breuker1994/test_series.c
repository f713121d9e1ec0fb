// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/breuker1994/series.h"

#include <check.h>

#include "chess/fen.h"
#include "lab/breuker1994/claims.h"
#include "lab/temp_file.h"

static char error[RESULTS_ERROR_MAX];
static Results results;

static void open_results(Results *opened, ResultsMode mode)
{
    const ResultsFile file = {.path = temp_file_path(),
                              .header = OBSERVATION_HEADER,
                              .key_columns = OBSERVATION_KEY_COLUMNS,
                              .mode = mode};
    ck_assert_msg(results_open(opened, &file, error), "%s", error);
}

static LabPosition positions[3];

static SeriesPlan small_plan(void)
{
    static const char *const FENS[] = {
        "2b3k1/1r2q2p/pn2p1p1/4Q1N1/2p4P/5P1B/PP6/1K1R4 w - - 1 30",
        "2b3k1/1r2q2p/pn1Rp1p1/4Q1N1/7P/2p2P1B/PP6/1K6 w - - 0 31",
        "6k1/1r2q2p/pn1Rb1p1/4Q1N1/7P/2p2P2/PP6/1K6 w - - 0 32",
    };
    for (int i = 0; i < 3; i++)
        ck_assert(fen_parse(&positions[i].pos, FENS[i], false, error));
    return (SeriesPlan){.positions = positions,
                        .position_count = 3,
                        .suite = 7,
                        .schemes = {REPLACE_TWO_BIG1, REPLACE_NEW},
                        .scheme_count = 2,
                        .kilos = {1, 2},
                        .kilo_count = 2,
                        .stampings = {true, true, true},
                        .min_ply = 2,
                        .max_ply = 4,
                        .seed_count = 2,
                        .history = HISTORY_KEPT,
                        .reference = true,
                        .threads = 2,
                        .shard = {1, 1}};
}

static void run_series(const SeriesPlan *plan, Results *into)
{
    SeriesTally tally;
    open_results(into, RESULTS_EXTEND);
    ck_assert_msg(series_run(plan, into, &tally, error) == JOBS_DONE, "%s", error);
    const uint64_t wanted = tally.wanted;
    ck_assert(series_survey(plan, into, &tally));
    ck_assert_uint_eq(tally.found, wanted);
}

/* The same, and reopens the file for reading, so that another writer can use it. */
static void make_series(const SeriesPlan *plan, Results *made)
{
    run_series(plan, made);
    results_close(made);
    open_results(made, RESULTS_READ);
}

/* Expects the open results to have exactly the rows of `reference`. */
static void expect_same_rows(const Results *reference)
{
    ck_assert_uint_eq(results.count, reference->count);
    for (size_t i = 0; i < reference->count; i++) {
        char key[RESULTS_ROW_MAX];
        Observation o;
        ck_assert(observation_parse(&o, reference->rows[i]));
        observation_key(&o, key);
        ck_assert_ptr_nonnull(results_find(&results, key));
        ck_assert_str_eq(results_find(&results, key), reference->rows[i]);
    }
}

START_TEST(a_resumed_run_yields_the_same_rows)
{
    SeriesPlan plan = small_plan();
    plan.history = _i == 0 ? HISTORY_CLEARED : HISTORY_KEPT; // single searches, then series
    Results whole;
    make_series(&plan, &whole);
    ck_assert_uint_eq(whole.count, 2 * 2 * 3 * 3 * 3 * 2 + 9);
    FILE *file = fopen(temp_file_path(), "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "%s\n", OBSERVATION_HEADER);
    for (size_t i = 0; i < whole.count; i++) // every third row is missing
        if (i % 3 != 1)
            fprintf(file, "%s\n", whole.rows[i]);
    fprintf(file, "%.20s", whole.rows[1]);
    fclose(file);
    plan.threads = 1;
    run_series(&plan, &results);
    expect_same_rows(&whole);
    results_close(&results);
    results_close(&whole);
}
END_TEST

START_TEST(shards_add_up_to_the_whole)
{
    SeriesPlan plan = small_plan();
    Results whole;
    make_series(&plan, &whole);
    temp_file_write("");
    for (int i = 1; i <= 3; i++) {
        plan.shard = (Shard){i, 3};
        run_series(&plan, &results);
        if (i < 3)
            results_close(&results);
    }
    expect_same_rows(&whole);
    results_close(&results);
    results_close(&whole);
}
END_TEST

START_TEST(the_whole_experiment_has_11088_observations)
{
    static LabPosition game[18];
    SeriesPlan plan = small_plan();
    for (int i = 0; i < 18; i++)
        game[i] = positions[0];
    plan.positions = game;
    plan.position_count = 18;
    plan.scheme_count = 7;
    for (int i = 0; i < 7; i++)
        plan.schemes[i] = claims_schemes[i];
    plan.kilo_count = 8;
    for (int i = 0; i < 8; i++)
        plan.kilos[i] = 8 << i;
    plan.stampings[STAMPING_REFRESH] = plan.reference = false;
    plan.min_ply = 3;
    plan.max_ply = 8;
    plan.seed_count = 1;
    open_results(&results, RESULTS_EXTEND);
    for (int linked = 0; linked < 2; linked++) {
        plan.history = linked ? HISTORY_KEPT : HISTORY_CLEARED;
        SeriesTally tally;
        plan.has_depths_of_paper = true;
        ck_assert(series_survey(&plan, &results, &tally));
        ck_assert_uint_eq(tally.wanted, 11088);
        plan.has_depths_of_paper = false;
        ck_assert(series_survey(&plan, &results, &tally));
        ck_assert_uint_eq(tally.wanted, 7 * 8 * 2 * 6 * 18);
    }
    results_close(&results);
}
END_TEST

/* The nodes of the last position at 4 ply, whether the positions before it belong to its game or
 * not. */
static uint64_t nodes_of_last(HistoryFate history, bool is_same_game)
{
    SeriesPlan plan = small_plan();
    plan.history = history;
    plan.scheme_count = plan.kilo_count = plan.seed_count = 1;
    plan.min_ply = 4;
    plan.reference = plan.stampings[STAMPING_OFF] = plan.stampings[STAMPING_REFRESH] = false;
    positions[0].game = positions[1].game = 1;
    positions[2].game = is_same_game ? 1 : 3;
    temp_file_remove();
    run_series(&plan, &results);
    Observation o = {0};
    for (size_t i = 0; i < results.count && o.position != 3; i++)
        ck_assert(observation_parse(&o, results.rows[i]));
    results_close(&results);
    ck_assert_int_eq(o.position, 3);
    return nodes_total(&o.nodes);
}

START_TEST(each_game_begins_with_an_empty_table_and_history)
{
    const uint64_t alone = nodes_of_last(HISTORY_CLEARED, false);
    ck_assert_uint_eq(nodes_of_last(HISTORY_KEPT, false), alone);
    ck_assert_uint_ne(nodes_of_last(HISTORY_CLEARED, true), alone); // with the table of its game
    ck_assert_uint_ne(nodes_of_last(HISTORY_KEPT, true), nodes_of_last(HISTORY_CLEARED, true));
}
END_TEST

START_TEST(the_longest_game_is_found)
{
    SeriesPlan plan = small_plan();
    positions[0].game = 1;
    positions[1].game = positions[2].game = 2;
    ck_assert_int_eq(series_longest_game(&plan), 2);
    positions[1].game = 1;
    positions[0].game = positions[2].game = 1;
    ck_assert_int_eq(series_longest_game(&plan), 3);
}
END_TEST

Suite *suite_series(void);
Suite *suite_series(void)
{
    Suite *suite = suite_create("series");
    TCase *tcase = tcase_create("series");
    tcase_add_checked_fixture(tcase, temp_file_remove, temp_file_remove);
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, a_resumed_run_yields_the_same_rows, 0, 2);
    tcase_add_test(tcase, shards_add_up_to_the_whole);
    tcase_add_test(tcase, each_game_begins_with_an_empty_table_and_history);
    tcase_add_test(tcase, the_longest_game_is_found);
    tcase_add_test(tcase, the_whole_experiment_has_11088_observations);
    suite_add_tcase(suite, tcase);
    return suite;
}
