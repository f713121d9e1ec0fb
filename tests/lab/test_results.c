// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/results.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chess/fen.h"
#include "lab/breuker1994/claims.h"
#include "lab/breuker1994/series.h"
#include "tt/replacement.h"

#define HEADER "name,size,nodes"
enum { KEY_COLUMNS = 2 };

static char path[64], error[RESULTS_ERROR_MAX];
static Results results;

static void setup(void)
{
    snprintf(path, sizeof path, "/tmp/palimpsest-results-XXXXXX");
    const int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
}

static void teardown(void)
{
    unlink(path);
}

static void open_for(ResultsMode mode)
{
    ck_assert_msg(results_open(&results, path, HEADER, KEY_COLUMNS, mode, error), "%s", error);
}

static void write_file(const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static void expect_file(const char *text)
{
    char found[1024];
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    found[fread(found, 1, sizeof found - 1, file)] = '\0';
    fclose(file);
    ck_assert_str_eq(found, text);
}

START_TEST(rows_reach_the_file_at_once_and_are_found_again)
{
    open_for(RESULTS_EXTEND);
    ck_assert(results_add(&results, "a,1,100", error));
    expect_file(HEADER "\na,1,100\n");
    ck_assert(results_add(&results, "a,10,200", error));
    ck_assert_str_eq(results_find(&results, "a,1"), "a,1,100");
    ck_assert_ptr_null(results_find(&results, "a"));
    ck_assert_ptr_null(results_find(&results, "b,1"));
    results_close(&results);
    open_for(RESULTS_READ);
    ck_assert_uint_eq(results.count, 2);
    ck_assert_str_eq(results_find(&results, "a,10"), "a,10,200");
    results_close(&results);
}
END_TEST

START_TEST(half_a_row_left_by_a_crash_is_cut_off)
{
    write_file(HEADER "\na,1,100\na,2,20");
    open_for(RESULTS_EXTEND);
    ck_assert_uint_eq(results.count, 1);
    ck_assert(results_add(&results, "a,2,200", error));
    results_close(&results);
    expect_file(HEADER "\na,1,100\na,2,200\n");
}
END_TEST

START_TEST(a_file_has_one_writer_at_a_time_and_any_number_of_readers)
{
    Results second;
    open_for(RESULTS_EXTEND);
    ck_assert(!results_open(&second, path, HEADER, KEY_COLUMNS, RESULTS_EXTEND, error));
    ck_assert_ptr_nonnull(strstr(error, "another program"));
    ck_assert_msg(results_open(&second, path, HEADER, KEY_COLUMNS, RESULTS_READ, error), "%s",
                  error);
    results_close(&second);
    ck_assert(results_add(&results, "a,1,100", error));
    results_close(&results);
    open_for(RESULTS_EXTEND);
    ck_assert_uint_eq(results.count, 1);
    results_close(&results);
}
END_TEST

START_TEST(files_joined_by_concatenation_are_one)
{
    write_file(HEADER "\na,1,100\n" HEADER "\nb,1,300\na,1,100\n");
    open_for(RESULTS_READ);
    ck_assert_uint_eq(results.count, 2);
    ck_assert_str_eq(results_find(&results, "b,1"), "b,1,300");
    results_close(&results);
}
END_TEST

START_TEST(what_is_no_such_file_is_refused_and_left_alone)
{
    static const char *const BAD[] = {
        "another,header\na,1\n",
        HEADER "\na,1,100\na,1,101\n",
        HEADER "\na,1\n",
        HEADER "\na,1,2,3\n",
    };
    write_file(BAD[_i]);
    ck_assert(!results_open(&results, path, HEADER, KEY_COLUMNS, RESULTS_EXTEND, error));
    ck_assert_ptr_nonnull(strstr(error, path));
    expect_file(BAD[_i]);
}
END_TEST

START_TEST(a_contradicting_row_is_refused)
{
    open_for(RESULTS_EXTEND);
    ck_assert(results_add(&results, "a,1,100", error));
    ck_assert(results_add(&results, "a,1,100", error));
    ck_assert(!results_add(&results, "a,1,101", error));
    results_close(&results);
    expect_file(HEADER "\na,1,100\n");
}
END_TEST

START_TEST(thousands_of_rows_are_found)
{
    char row[64];
    open_for(RESULTS_EXTEND);
    for (int i = 0; i < 5000; i++) {
        snprintf(row, sizeof row, "name%d,%d,%d", i % 7, i, i * i);
        ck_assert(results_add(&results, row, error));
    }
    for (int i = 0; i < 5000; i++) {
        snprintf(row, sizeof row, "name%d,%d", i % 7, i);
        ck_assert_ptr_nonnull(results_find(&results, row));
    }
    results_close(&results);
}
END_TEST

START_TEST(fields_are_cut_out_by_number)
{
    char field[4];
    ck_assert(results_field("a,bcd,,e", 1, field, sizeof field));
    ck_assert_str_eq(field, "bcd");
    ck_assert(results_field("a,bcd,,e", 2, field, sizeof field));
    ck_assert_str_eq(field, "");
    ck_assert(results_field("a,bcd,,e", 3, field, sizeof field));
    ck_assert_str_eq(field, "e");
    ck_assert(!results_field("a,bcd,,e", 4, field, sizeof field));
    ck_assert(!results_field("abcd", 0, field, sizeof field));
}
END_TEST

START_TEST(observations_survive_the_way_through_a_row)
{
    const Observation made = {
        .setting = {0x0BADF00D, REPLACE_BIG_ALL, 64, STAMPING_ON, HISTORY_AGED, true, 3},
        .ply = 7,
        .position = 18,
        .nodes = {1, 20000000000, 3},
        .score = -31990,
        .move = "e7e8q"};
    char row[RESULTS_ROW_MAX], key[RESULTS_ROW_MAX];
    Observation read;
    observation_print(&made, row);
    observation_key(&made, key);
    ck_assert_str_eq(row, "0badf00d,BigAll,64,stamped,aged,1,3,7,18,1,20000000000,3,-31990,e7e8q");
    ck_assert_int_eq(strncmp(row, key, strlen(key)), 0);
    ck_assert(observation_parse(&read, row));
    observation_print(&read, key);
    ck_assert_str_eq(row, key);
    ck_assert(!observation_parse(&read, "0badf00d,BigAll,64,stamped,aged,1,3,7,18,1,2,3,4"));
    ck_assert(!observation_parse(&read, "0badf00d,Bigger,64,stamped,aged,1,3,7,18,1,2,3,4,e2e4"));
}
END_TEST

/* --- series: resuming and sharding --- */

static Position positions[3];

static SeriesPlan small_plan(void)
{
    static const char *const FENS[] = {
        "2b3k1/1r2q2p/pn2p1p1/4Q1N1/2p4P/5P1B/PP6/1K1R4 w - - 1 30",
        "2b3k1/1r2q2p/pn1Rp1p1/4Q1N1/7P/2p2P1B/PP6/1K6 w - - 0 31",
        "6k1/1r2q2p/pn1Rb1p1/4Q1N1/7P/2p2P2/PP6/1K6 w - - 0 32",
    };
    for (int i = 0; i < 3; i++)
        ck_assert(fen_parse(&positions[i], FENS[i], false, error));
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
                        .jobs = 2,
                        .shard = {1, 1}};
}

static void run_series(const SeriesPlan *plan, Results *into)
{
    SeriesTally tally;
    ck_assert_msg(results_open(into, path, OBSERVATION_HEADER, OBSERVATION_KEY_COLUMNS,
                               RESULTS_EXTEND, error),
                  "%s", error);
    ck_assert_msg(series_run(plan, into, &tally, error) == SERIES_DONE, "%s", error);
    ck_assert_uint_eq(series_survey(plan, into).found, tally.wanted);
}

/* The same, and frees the file for another writer. */
static void make_series(const SeriesPlan *plan, Results *made)
{
    run_series(plan, made);
    results_close(made);
    ck_assert_msg(
        results_open(made, path, OBSERVATION_HEADER, OBSERVATION_KEY_COLUMNS, RESULTS_READ, error),
        "%s", error);
}

/* Whether the open results hold just what `reference` does. */
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
    plan.history = _i == 0 ? HISTORY_CLEARED : HISTORY_KEPT; // single searches, linked ones
    Results whole;
    make_series(&plan, &whole);
    ck_assert_uint_eq(whole.count, 2 * 2 * 3 * 3 * 3 * 2 + 9);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "%s\n", OBSERVATION_HEADER);
    for (size_t i = 0; i < whole.count; i++) // holes all over
        if (i % 3 != 1)
            fprintf(file, "%s\n", whole.rows[i]);
    fprintf(file, "%.20s", whole.rows[1]);
    fclose(file);
    plan.jobs = 1;
    run_series(&plan, &results);
    expect_same_rows(&whole);
    results_close(&results);
    results_close(&whole);
}
END_TEST

START_TEST(shards_together_are_the_whole)
{
    SeriesPlan plan = small_plan();
    Results whole;
    make_series(&plan, &whole);
    write_file("");
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
    static Position game[18];
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
    ck_assert(results_open(&results, path, OBSERVATION_HEADER, OBSERVATION_KEY_COLUMNS,
                           RESULTS_EXTEND, error));
    for (int linked = 0; linked < 2; linked++) {
        plan.history = linked ? HISTORY_KEPT : HISTORY_CLEARED;
        ck_assert_uint_eq(series_survey(&plan, &results).wanted, 11088);
    }
    results_close(&results);
}
END_TEST

/* --- the claims, on figures made up --- */

static Cube cube;

/* Fills the cube: the schemes in the paper's order `step` percent apart at 8K, half of it at each
 * doubling, every doubling saves `saving` percent, and stamping `edge`. */
static void make_up(double step, double saving, double edge)
{
    static const char *const STAMPINGS[] = {"cleared", "stamped"};
    ck_assert(results_open(&results, path, OBSERVATION_HEADER, OBSERVATION_KEY_COLUMNS,
                           RESULTS_EXTEND, error));
    for (int stamping = 0; stamping < 2; stamping++)
        for (int i = 0; i < CLAIMS_SCHEMES; i++) {
            double nodes = 1e6 * (1 - stamping * edge / 100), apart = step;
            for (int kilo = 8; kilo <= 1024; kilo *= 2) {
                char row[RESULTS_ROW_MAX];
                snprintf(row, sizeof row, "00000007,%s,%d,%s,cleared,0,0,7,1,0,0,%.0f,0,a1a1",
                         scheme_name(claims_schemes[i]), kilo, STAMPINGS[stamping],
                         nodes * (1 + i * apart / 100));
                ck_assert(results_add(&results, row, error));
                nodes *= 1 - saving / 100;
                apart /= 2;
            }
        }
    const Setting common = {.suite = 7, .history = HISTORY_CLEARED};
    ck_assert_msg(cube_fill(&cube, &results, &common, error), "%s", error);
    results_close(&results);
}

static Verdict verdict_of(const char *words)
{
    for (int i = 0; i < claims_count(); i++)
        if (strstr(claims_text(i), words) != NULL)
            return claims_judge(i, &cube, CUBE_MEAN, 7).verdict;
    ck_abort_msg("no claim has the words %s", words);
    return CLAIM_OPEN;
}

START_TEST(claims_are_judged_by_the_figures)
{
    make_up(3.5, 6, 2);
    ck_assert_int_eq(verdict_of("Two levels beat one"), CLAIM_HOLDS);
    ck_assert_int_eq(verdict_of("TwoBig1 comes first"), CLAIM_HOLDS);
    ck_assert_int_eq(verdict_of("New comes last"), CLAIM_FAILS); // Old does
    ck_assert_int_eq(verdict_of("about 23%"), CLAIM_HOLDS);      // 6 * 3.5
    ck_assert_int_eq(verdict_of("512K up"), CLAIM_HOLDS);
    ck_assert_int_eq(verdict_of("A doubling"), CLAIM_FAILS); // the schemes close up, too: over 7
    ck_assert_int_eq(verdict_of("slight edge"), CLAIM_HOLDS);
    ck_assert_int_eq(verdict_of("order of the schemes"), CLAIM_HOLDS);
    ck_assert_int_eq(verdict_of("At 3 ply"), CLAIM_OPEN);
}
END_TEST

START_TEST(claims_can_fail)
{
    make_up(-3.5, 0, -2);
    ck_assert_int_eq(verdict_of("Two levels beat one"), CLAIM_FAILS);
    ck_assert_int_eq(verdict_of("TwoBig1 comes first"), CLAIM_FAILS);
    ck_assert_int_eq(verdict_of("TwoBig1 is best"), CLAIM_FAILS);
    ck_assert_int_eq(verdict_of("slight edge"), CLAIM_FAILS);
    ck_assert_int_eq(verdict_of("TwoDeep saves"), CLAIM_FAILS);
}
END_TEST

Suite *suite_results(void);
Suite *suite_results(void)
{
    Suite *suite = suite_create("results");
    TCase *tcase = tcase_create("results");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, rows_reach_the_file_at_once_and_are_found_again);
    tcase_add_test(tcase, half_a_row_left_by_a_crash_is_cut_off);
    tcase_add_test(tcase, a_file_has_one_writer_at_a_time_and_any_number_of_readers);
    tcase_add_test(tcase, files_joined_by_concatenation_are_one);
    tcase_add_loop_test(tcase, what_is_no_such_file_is_refused_and_left_alone, 0, 4);
    tcase_add_test(tcase, a_contradicting_row_is_refused);
    tcase_add_test(tcase, thousands_of_rows_are_found);
    tcase_add_test(tcase, fields_are_cut_out_by_number);
    tcase_add_test(tcase, observations_survive_the_way_through_a_row);
    tcase_add_loop_test(tcase, a_resumed_run_yields_the_same_rows, 0, 2);
    tcase_add_test(tcase, shards_together_are_the_whole);
    tcase_add_test(tcase, the_whole_experiment_has_11088_observations);
    tcase_add_test(tcase, claims_are_judged_by_the_figures);
    tcase_add_test(tcase, claims_can_fail);
    suite_add_tcase(suite, tcase);
    return suite;
}
