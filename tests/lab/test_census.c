// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/census.h"

#include <check.h>

#include "chess/fen.h"
#include "chess/pos_from_fen.h"
#include "eval/bootstrap.h"

enum { EVERY = 5 };

static const EvalSource SOURCE = {.bootstrap = bootstrap_eval};

/* Counts of a census during a search to 10 plies, whose table compares `bits` bits of the key.
 * Second searches above `nodes_max` are given up. */
static CensusCounts count_limited(CensusPolicy policy, int bits, uint64_t nodes_max,
                                  SingleResult *result, TtStats *stats)
{
    const Limits limits = {.depth = 10};
    Position pos;
    Path path;
    char error[FEN_ERROR_MAX];
    ck_assert(fen_parse(&pos, MIDDLEGAME, false, error));
    path_start(&path, &pos);
    Single *const single = single_create(1, &SOURCE);
    Census *const census = census_create(&SOURCE, policy, EVERY, nodes_max);
    ck_assert(single != NULL && census != NULL);
    single_table(single)->check_mask = UINT64_MAX >> (64 - bits);
    single_set_judge(single, census_judge(census));
    *result = single_search(single, &pos, &path, &limits);
    *stats = single_stats(single)->tt;
    const CensusCounts counts = *census_counts(census);
    census_destroy(census);
    single_destroy(single);
    return counts;
}

static CensusCounts count(CensusPolicy policy, int bits, SingleResult *result, TtStats *stats)
{
    return count_limited(policy, bits, CENSUS_NODES_MAX, result, stats);
}

static SingleResult plain_search(TtStats *stats)
{
    SingleResult result;
    const CensusCounts counts = count(CENSUS_OBSERVE, 48, &result, stats);
    ck_assert_int_gt(counts.cutoffs, 0);
    return result;
}

START_TEST(one_of_every_few_cutoffs_is_checked_and_each_contradiction_has_one_cause)
{
    SingleResult result;
    TtStats stats;
    const CensusCounts counts = count(CENSUS_OBSERVE, 48, &result, &stats);
    ck_assert_int_eq(counts.samples, counts.cutoffs / EVERY);
    ck_assert_int_gt(counts.samples, 20);
    int64_t contradicted = 0;
    for (int cause = 0; cause < CENSUS_CAUSE_NB; cause++)
        contradicted += counts.causes[cause];
    ck_assert_int_gt(contradicted, 0);
    ck_assert_int_lt(contradicted, counts.samples / 2);
    ck_assert_int_eq(counts.undecided, 0);
    ck_assert_int_le(counts.deep_samples, counts.samples);
    ck_assert_int_le(counts.deep, counts.deep_samples);
    ck_assert_int_gt(counts.without_table, 0);
}
END_TEST

START_TEST(entries_of_other_positions_are_found_when_few_bits_are_compared)
{
    SingleResult result;
    TtStats stats;
    const CensusCounts counts = count(CENSUS_OBSERVE, 1, &result, &stats);
    ck_assert_int_gt(counts.causes[CENSUS_KEY], 0);
}
END_TEST

START_TEST(refused_cutoffs_change_the_search_and_are_not_checked)
{
    SingleResult result;
    TtStats stats;
    const SingleResult observed = plain_search(&stats);
    const CensusCounts counts = count(CENSUS_REFUSE, 48, &result, &stats);
    ck_assert_int_gt(counts.cutoffs, 0);
    ck_assert_int_eq(counts.samples, 0);
    ck_assert_uint_ne(result.nodes, observed.nodes);
}
END_TEST

START_TEST(corrected_cutoffs_change_the_search_but_observed_ones_do_not)
{
    TtStats stats;
    SingleResult corrected, control;
    const SingleResult observed = plain_search(&stats), again = plain_search(&stats);
    ck_assert_uint_eq(again.nodes, observed.nodes);
    count(CENSUS_CORRECT, 48, &corrected, &stats);
    ck_assert_uint_ne(corrected.nodes, observed.nodes);
    count(CENSUS_CONTROL, 48, &control, &stats);
    ck_assert_uint_ne(control.nodes, observed.nodes);
    ck_assert_uint_ne(control.nodes, corrected.nodes);
}
END_TEST

START_TEST(samples_given_up_have_no_cause_and_are_not_deep)
{
    SingleResult result;
    TtStats stats;
    const CensusCounts all = count(CENSUS_OBSERVE, 48, &result, &stats);
    const CensusCounts some = count_limited(CENSUS_OBSERVE, 48, 10, &result, &stats);
    ck_assert_int_eq(some.samples, all.samples);
    ck_assert_int_gt(some.undecided, 0);
    for (int cause = 0; cause < CENSUS_CAUSE_NB; cause++)
        ck_assert_int_le(some.causes[cause], all.causes[cause]);
    ck_assert_int_lt(some.causes[CENSUS_OTHER], all.causes[CENSUS_OTHER]);
    ck_assert_int_lt(some.deep_samples, all.deep_samples);
    ck_assert_int_le(some.deep_samples, some.samples - some.undecided);
}
END_TEST

Suite *suite_census(void);
Suite *suite_census(void)
{
    Suite *suite = suite_create("census");
    TCase *tcase = tcase_create("census");
    tcase_add_test(tcase, one_of_every_few_cutoffs_is_checked_and_each_contradiction_has_one_cause);
    tcase_add_test(tcase, entries_of_other_positions_are_found_when_few_bits_are_compared);
    tcase_add_test(tcase, refused_cutoffs_change_the_search_and_are_not_checked);
    tcase_add_test(tcase, corrected_cutoffs_change_the_search_but_observed_ones_do_not);
    tcase_add_test(tcase, samples_given_up_have_no_cause_and_are_not_deep);
    suite_add_tcase(suite, tcase);
    return suite;
}
