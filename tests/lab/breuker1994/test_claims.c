// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/breuker1994/claims.h"

#include <check.h>
#include <math.h>
#include <string.h>

static char error[RESULTS_ERROR_MAX];
static Results results;

static Cube cube;
static int largest = 1024; // of the table sizes in the cube, in units of 1024 positions

static void open_results(void)
{
    const ResultsFile file = {.header = OBSERVATION_HEADER,
                              .key_columns = OBSERVATION_KEY_COLUMNS,
                              .mode = RESULTS_EXTEND};
    ck_assert_msg(results_open(&results, &file, error), "%s", error);
}

/* Adds invented numbers of one seed. At 8K positions, two neighbouring schemes (in the order of
 * the paper) differ by `step` percent; each doubling of the table halves the difference. A doubling
 * saves `saving` percent of the nodes, time stamps save `edge` percent. */
static void add_seed(int seed, double step, double saving, double edge)
{
    static const char *const STAMPINGS[] = {"cleared", "stamped"};
    for (int stamping = 0; stamping < 2; stamping++)
        for (int i = 0; i < CLAIMS_SCHEMES; i++) {
            double nodes = 1e6 * (1 - stamping * edge / 100), apart = step;
            for (int kilo = 8; kilo <= largest; kilo *= 2) {
                char row[RESULTS_ROW_MAX];
                snprintf(row, sizeof row, "00000007,%s,%d,%s,cleared,0,%d,7,1,0,0,%.0f,0,a1a1",
                         scheme_name(claims_schemes[i]), kilo, STAMPINGS[stamping], seed,
                         nodes * (1 + i * apart / 100));
                ck_assert(results_add(&results, row, error));
                nodes *= 1 - saving / 100;
                apart /= 2;
            }
        }
}

/* Fills the cube with the results. */
static void close_results(void)
{
    const Setting common = {.suite = 7, .history = HISTORY_CLEARED};
    ck_assert_msg(cube_fill(&cube, &results, &common, error), "%s", error);
    results_close(&results);
}

static void fill_cube(double step, double saving, double edge)
{
    open_results();
    add_seed(0, step, saving, edge);
    close_results();
}

static Finding find(const char *words)
{
    for (int i = 0; i < claims_count(); i++)
        if (strstr(claims_text(i), words) != NULL)
            return claims_judge(i, &cube, CUBE_MEAN, 7);
    ck_abort_msg("no claim has the words %s", words);
    return (Finding){.verdict = CLAIM_OPEN};
}

static Verdict verdict_on(const char *words)
{
    return find(words).verdict;
}

START_TEST(claims_hold_for_matching_numbers)
{
    fill_cube(3.5, 6, 2);
    ck_assert_int_eq(verdict_on("Two levels beat one"), CLAIM_HOLDS);
    ck_assert_int_eq(verdict_on("TwoBig1 comes first"), CLAIM_HOLDS);
    ck_assert_int_eq(verdict_on("New comes last"), CLAIM_FAILS); // Old does
    ck_assert_int_eq(verdict_on("about 23%"), CLAIM_HOLDS);      // 6 * 3.5
    ck_assert_int_eq(verdict_on("512K up"), CLAIM_HOLDS);
    ck_assert_int_eq(verdict_on("A doubling"), CLAIM_HOLDS);
    ck_assert_int_eq(verdict_on("at 8K)"), CLAIM_HOLDS); // 4 * 3.5 - 3.5 of 114: 9.2%
    ck_assert_int_eq(verdict_on("slight edge"), CLAIM_HOLDS);
    ck_assert_int_eq(verdict_on("order of the schemes"), CLAIM_HOLDS);
    ck_assert_int_eq(verdict_on("At 3 ply"), CLAIM_OPEN);
}
END_TEST

START_TEST(claims_fail_for_contrary_numbers)
{
    fill_cube(-3.5, 0, -2);
    ck_assert_int_eq(verdict_on("Two levels beat one"), CLAIM_FAILS);
    ck_assert_int_eq(verdict_on("TwoBig1 comes first"), CLAIM_FAILS);
    ck_assert_int_eq(verdict_on("TwoBig1 is best"), CLAIM_FAILS);
    ck_assert_int_eq(verdict_on("slight edge"), CLAIM_FAILS);
    ck_assert_int_eq(verdict_on("TwoDeep saves"), CLAIM_FAILS);
}
END_TEST

/* All figures of the paper have the same tolerance: half of the figure. */
START_TEST(figures_hold_within_half_of_themselves)
{
    static const struct {
        const char *words;
        double step, saving;
        Verdict verdict;
    } CASES[] = {
        {"about 23%", 11.0 / 6, 6, CLAIM_FAILS},
        {"about 23%", 12.0 / 6, 6, CLAIM_HOLDS},
        {"about 23%", 34.0 / 6, 6, CLAIM_HOLDS},
        {"about 23%", 35.0 / 6, 6, CLAIM_FAILS},
        {"512K up", 64 * 4.4 / 6, 6, CLAIM_HOLDS},
        {"512K up", 64 * 4.6 / 6, 6, CLAIM_FAILS},
        {"A doubling", 0, 2.4, CLAIM_FAILS},
        {"A doubling", 0, 2.6, CLAIM_HOLDS},
        {"A doubling", 0, 10.4, CLAIM_HOLDS},
        {"A doubling", 0, 10.6, CLAIM_FAILS},
        {"at 8K)", 0.8, 6, CLAIM_FAILS},
        {"at 8K)", 0.9, 6, CLAIM_HOLDS},
        {"at 8K)", 7, 6, CLAIM_FAILS},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        fill_cube(CASES[i].step, CASES[i].saving, 1);
        ck_assert_msg(verdict_on(CASES[i].words) == CASES[i].verdict, "%s, step %.2f, saving %.1f",
                      CASES[i].words, CASES[i].step, CASES[i].saving);
    }
}
END_TEST

START_TEST(constancy_needs_three_sizes)
{
    fill_cube(1, 6, 1);
    ck_assert_int_eq(verdict_on("constancy"), CLAIM_FAILS); // each doubling saves as much
    largest = 16;
    fill_cube(1, 6, 1);
    ck_assert_int_eq(verdict_on("constancy"), CLAIM_OPEN);
}
END_TEST

/* Adds a depth: nodes without a table, and those of all schemes with one table. */
static void add_depth(int ply, int without, int cleared, int stamped)
{
    char row[RESULTS_ROW_MAX];
    snprintf(row, sizeof row, "00000007,None,0,cleared,cleared,0,0,%d,1,0,0,%d,0,a1a1", ply,
             without);
    ck_assert(results_add(&results, row, error));
    for (int i = 0; i < 2 * CLAIMS_SCHEMES; i++) {
        const bool is_stamped = i >= CLAIMS_SCHEMES;
        snprintf(row, sizeof row, "00000007,%s,8,%s,cleared,0,0,%d,1,0,0,%d,0,a1a1",
                 scheme_name(claims_schemes[i % CLAIMS_SCHEMES]),
                 is_stamped ? "stamped" : "cleared", ply, is_stamped ? stamped : cleared);
        ck_assert(results_add(&results, row, error));
    }
}

START_TEST(a_table_is_compared_with_none_at_each_depth)
{
    const bool costs = _i == 1; // the cleared table costs nodes, where the stamped one saves some
    open_results();
    add_depth(3, 1000, costs ? 1010 : 990, costs ? 990 : 1010);
    for (int ply = 4; ply <= 7; ply++)
        add_depth(ply, 5000, costs && ply == 5 ? 5010 : 4000, costs ? 4000 : 5010);
    close_results();
    ck_assert_int_eq(verdict_on("At 3 ply"), costs ? CLAIM_FAILS : CLAIM_HOLDS);
    ck_assert_int_eq(verdict_on("Over 3 ply"), costs ? CLAIM_FAILS : CLAIM_HOLDS);
}
END_TEST

START_TEST(mean_and_noise_are_over_the_seeds_that_have_all_positions)
{
    static const char ROW[] = "00000007,New,8,cleared,cleared,0,%d,7,%d,0,0,%d,0,a1a1";
    static const int ROWS[][3] = {{0, 1, 80}, {0, 2, 20},  {1, 1, 70}, {1, 2, 40},
                                  {2, 1, 10}, {3, 1, 100}, {3, 2, 20}}; // seed, position, nodes
    const CubePlace at = {.seed = CUBE_MEAN, .scheme = REPLACE_NEW, .ply = 7};
    open_results();
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        char row[RESULTS_ROW_MAX];
        snprintf(row, sizeof row, ROW, ROWS[i][0], ROWS[i][1], ROWS[i][2]);
        ck_assert(results_add(&results, row, error));
    }
    close_results();
    ck_assert_double_eq_tol(cube_nodes(&cube, at), 110, 1e-9);
    ck_assert_double_eq_tol(cube_noise(&cube, at), 10.0 / 110, 1e-9);
    ck_assert_int_eq(cube.seed_count, 4);
    ck_assert(isnan(cube_nodes(&cube, (CubePlace){.seed = 2, .scheme = REPLACE_NEW, .ply = 7})));
}
END_TEST

START_TEST(a_verdict_that_some_seeds_contradict_depends_on_the_seed)
{
    open_results();
    add_seed(0, 3.5, 6, 3);
    add_seed(1, 3.5, 6, -1);
    close_results();
    ck_assert_int_eq(verdict_on("slight edge"), CLAIM_DEPENDS);
    ck_assert_int_eq(verdict_on("Two levels beat one"), CLAIM_HOLDS);
    ck_assert_int_eq(verdict_on("New comes last"), CLAIM_FAILS);
    ck_assert_int_eq(verdict_on("At 3 ply"), CLAIM_OPEN);
}
END_TEST

/* In a shallow search or a large table the schemes often need exactly as many nodes. */
START_TEST(a_tie_is_no_first_or_last_place)
{
    fill_cube(0, 6, 1);
    const Finding first = find("TwoBig1 comes first"), best = find("TwoBig1 is best");
    ck_assert_int_eq(first.verdict, CLAIM_FAILS);
    ck_assert_str_eq(first.figures, "first are TwoBig1 TwoDeep Big1 BigAll Deep New Old, 1000 K");
    ck_assert_str_eq(find("New comes last").figures,
                     "last are TwoBig1 TwoDeep Big1 BigAll Deep New Old, 1000 K");
    ck_assert_int_eq(best.verdict, CLAIM_FAILS);
    ck_assert_str_eq(best.figures, "best over all sizes: "
                                   "cleared TwoBig1 TwoDeep Big1 BigAll Deep New Old, "
                                   "stamped TwoBig1 TwoDeep Big1 BigAll Deep New Old");
}
END_TEST

/* Adds a row of each scheme at 8K; the nodes of the scheme `other` are `nodes`, else 1000. */
static void add_schemes(const char *stamping, Replacement other, int nodes)
{
    char row[RESULTS_ROW_MAX];
    for (int i = 0; i < CLAIMS_SCHEMES; i++) {
        snprintf(row, sizeof row, "00000007,%s,8,%s,cleared,0,0,7,1,0,0,%d,0,a1a1",
                 scheme_name(claims_schemes[i]), stamping,
                 claims_schemes[i] == (int)other ? nodes : 1000);
        ck_assert(results_add(&results, row, error));
    }
}

START_TEST(a_tie_changes_no_places)
{
    open_results();
    add_schemes("cleared", REPLACE_OLD, 1000);
    add_schemes("stamped", REPLACE_OLD, 999); // before six schemes with as many nodes when cleared
    close_results();
    ck_assert_int_eq(find("order of the schemes").verdict, CLAIM_HOLDS);
    open_results();
    add_schemes("cleared", REPLACE_OLD, 1001);
    add_schemes("stamped", REPLACE_OLD, 999);
    close_results();
    const Finding order = find("order of the schemes");
    ck_assert_int_eq(order.verdict, CLAIM_FAILS);
    ck_assert_ptr_eq(strstr(order.figures, "6 of 21"), order.figures);
}
END_TEST

START_TEST(only_seeds_with_a_verdict_are_counted)
{
    int holds = 0;
    open_results();
    add_seed(0, 3.5, 6, 3);
    add_seed(1, 3.5, 6, -1);
    ck_assert(results_add(&results, "00000007,New,8,cleared,cleared,0,2,6,1,0,0,9,0,a1a1", error));
    close_results();
    ck_assert_int_eq(cube.seed_count, 3);
    for (int i = 0; i < claims_count(); i++) {
        const int judged = claims_judge_seeds(i, &cube, 7, &holds);
        if (strstr(claims_text(i), "At 3 ply") != NULL)
            ck_assert_int_eq(judged, 0);
        if (strstr(claims_text(i), "slight edge") == NULL)
            continue;
        ck_assert_int_eq(judged, 2);
        ck_assert_int_eq(holds, 1);
    }
}
END_TEST

Suite *suite_claims(void);
Suite *suite_claims(void)
{
    Suite *suite = suite_create("claims");
    TCase *tcase = tcase_create("claims");
    tcase_set_timeout(tcase, 4);
    tcase_add_test(tcase, claims_hold_for_matching_numbers);
    tcase_add_test(tcase, claims_fail_for_contrary_numbers);
    tcase_add_test(tcase, figures_hold_within_half_of_themselves);
    tcase_add_test(tcase, constancy_needs_three_sizes);
    tcase_add_loop_test(tcase, a_table_is_compared_with_none_at_each_depth, 0, 2);
    tcase_add_test(tcase, mean_and_noise_are_over_the_seeds_that_have_all_positions);
    tcase_add_test(tcase, a_verdict_that_some_seeds_contradict_depends_on_the_seed);
    tcase_add_test(tcase, a_tie_is_no_first_or_last_place);
    tcase_add_test(tcase, a_tie_changes_no_places);
    tcase_add_test(tcase, only_seeds_with_a_verdict_are_counted);
    suite_add_tcase(suite, tcase);
    return suite;
}
