// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>
#include <math.h>

#include "lab/comparison.h"

/* Four rows of two columns with two values each. */
static int64_t values[] = {7, 100, 7, 200, 7, 400, 7, 200, 7, 50, 7, 100, 7, 0, 7, 3};
static bool is_done[8];
static const Grid GRID = {.values = values, .is_done = is_done, .value_count = 2};
static MeanValue pairs[4];

static Comparison comparison_of_all(void)
{
    for (int i = 0; i < 8; i++)
        is_done[i] = true;
    return (Comparison){.grid = &GRID, .rows = 4, .columns = 2, .value = 1, .pairs = pairs};
}

START_TEST(rows_known_in_both_columns_are_compared)
{
    const Comparison comparison = comparison_of_all();
    const Ratio ratio = comparison_ratio(&comparison, 1, 0);
    ck_assert_int_eq(ratio.pairs, 3); // the last row has a zero
    ck_assert_int_eq(ratio.groups, 3);
    ck_assert_double_eq_tol(ratio.mean, pow(2.0 * 0.5 * 2.0, 1.0 / 3.0), 1e-12);
    is_done[2] = false;
    ck_assert_int_eq(comparison_ratio(&comparison, 1, 0).pairs, 2);
    ck_assert_double_eq_tol(comparison_ratio(&comparison, 1, 0).mean, 2.0, 1e-12);
}
END_TEST

START_TEST(the_mean_is_geometric)
{
    const Comparison comparison = comparison_of_all();
    ck_assert_double_eq_tol(comparison_mean(&comparison, 0), pow(100.0 * 400.0 * 50.0, 1.0 / 3.0),
                            1e-9);
    for (int i = 0; i < 8; i++)
        is_done[i] = false;
    ck_assert_double_eq(comparison_mean(&comparison, 0), 0.0);
}
END_TEST

START_TEST(rows_of_one_game_are_counted_as_one_group)
{
    LabPosition positions[] = {{.game = 1}, {.game = 1}, {.game = 3}, {.game = 3}};
    const PositionSet set = {.positions = positions, .count = 4};
    Comparison comparison = comparison_of_all();
    comparison.set = &set;
    ck_assert_int_eq(comparison_ratio(&comparison, 1, 0).groups, 2);
}
END_TEST

/* Columns with nodes, score and best move: the first row changes nothing but the nodes, the second
 * all three; the third lacks the reference. */
START_TEST(changes_of_searches_are_counted_where_both_are_known)
{
    static int64_t searches[] = {400, 30, 5, 100, 30, 5, 100, -20, 6,
                                 100, 10, 7, 900, 0,  1, 0,   0,   0};
    static bool is_known[] = {true, true, true, true, true, false};
    const Grid grid = {.values = searches, .is_done = is_known, .value_count = 3};
    const SearchChange change = comparison_change(&grid, 3, 2, (SearchValues){0, 1, 2}, 0, 1);
    ck_assert_int_eq(change.positions, 2);
    ck_assert_double_eq_tol(change.moves, 0.5, 1e-12);
    ck_assert_double_eq_tol(change.scores, 0.5, 1e-12);
    ck_assert_double_eq_tol(change.distance, 15.0, 1e-12);
    ck_assert_double_eq_tol(change.nodes, 2.0, 1e-12);
    ck_assert_int_eq(comparison_change(&grid, 0, 2, (SearchValues){0, 1, 2}, 0, 1).positions, 0);
}
END_TEST

/* A search of a mate or stalemate has no nodes, so the ratio cannot count it. */
START_TEST(searches_without_nodes_do_not_count_in_the_ratio_of_nodes)
{
    static int64_t searches[] = {0, 30, 5, 0, 30, 5, 100, -20, 6, 50, 10, 7};
    static bool is_known[] = {true, true, true, true};
    const Grid grid = {.values = searches, .is_done = is_known, .value_count = 3};
    SearchChange change = comparison_change(&grid, 2, 2, (SearchValues){0, 1, 2}, 0, 1);
    ck_assert_int_eq(change.positions, 2);
    ck_assert_double_eq_tol(change.moves, 0.5, 1e-12);
    ck_assert_double_eq_tol(change.nodes, 2.0, 1e-12);
    change = comparison_change(&grid, 1, 2, (SearchValues){0, 1, 2}, 0, 1);
    ck_assert_int_eq(change.positions, 1);
    ck_assert_double_eq_tol(change.nodes, 1.0, 1e-12);
}
END_TEST

Suite *suite_comparison(void);
Suite *suite_comparison(void)
{
    Suite *suite = suite_create("comparison");
    TCase *tcase = tcase_create("comparison");
    tcase_add_test(tcase, rows_known_in_both_columns_are_compared);
    tcase_add_test(tcase, the_mean_is_geometric);
    tcase_add_test(tcase, rows_of_one_game_are_counted_as_one_group);
    tcase_add_test(tcase, changes_of_searches_are_counted_where_both_are_known);
    tcase_add_test(tcase, searches_without_nodes_do_not_count_in_the_ratio_of_nodes);
    suite_add_tcase(suite, tcase);
    return suite;
}
