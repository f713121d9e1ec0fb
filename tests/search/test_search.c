// SPDX-License-Identifier: GPL-3.0-or-later
/* The steps of a node, each called directly. */
#include "search/search.h"

#include <check.h>

#include "search/search_steps.h"
#include "search/worker_fixture.h"

static const char MIDDLEGAME[] =
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8";

static SearchFixture fixture;

static void teardown(void)
{
    fixture_close(&fixture);
}

/* The singular search runs on the node's own stack entry. */
START_TEST(singular_search_leaves_the_stack_entry_as_it_was)
{
    fixture_open(&fixture, MIDDLEGAME, 1);
    Node n = fixture_node(&fixture, -20, -19, 8);
    n.tt_pv = n.ss->tt_pv = true; // known from the table entry that the singular search will not see
    n.ss->eval = 77;
    fixture_add_entry(&n, fixture_move(&n, "d4c5"), 50, BOUND_LOWER, 7);
    Score score;
    singular_extension(&n, &score);
    ck_assert_uint_eq(n.w->stats.singular_tries, 1);
    ck_assert(n.ss->tt_pv);
    ck_assert_int_eq(n.ss->eval, 77);
    ck_assert_int_eq(n.ss->excluded, MOVE_NONE);
}
END_TEST

Suite *suite_search(void);
Suite *suite_search(void)
{
    Suite *suite = suite_create("search");
    TCase *tcase = tcase_create("steps");
    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_test(tcase, singular_search_leaves_the_stack_entry_as_it_was);
    suite_add_tcase(suite, tcase);
    return suite;
}
