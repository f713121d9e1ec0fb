// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>
#include <string.h>

#include "lab/temp_file.h"
#include "lab/trial.h"

/* Opens a trial of `count` of these lines; 0: all. */
static void open_trial(Trial *trial, const char *text, int count)
{
    char error[TRIAL_ERROR_MAX] = "";
    ck_assert_msg(trial_open(trial, temp_file_write(text), count, "bootstrap", error), "%s", error);
    temp_file_remove();
}

/* Prints the key of the first `count` positions. */
static void print_key(const char *text, int count, char *key)
{
    Trial trial;
    open_trial(&trial, text, 0);
    ck_assert_uint_gt(trial.signature, 0);
    trial_print_key(&trial, 0, count, key);
    trial_close(&trial);
}

START_TEST(a_key_depends_on_all_its_positions)
{
    static const char OTHER[] =
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"A.1\";\n"
        "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - id \"A.2\";\n";
    char key[TRIAL_KEY_MAX], again[TRIAL_KEY_MAX];
    print_key(FOUR_POSITIONS, 1, key);
    ck_assert_int_eq(strncmp(key, "bootstrap,", 10), 0);
    print_key(FOUR_POSITIONS, 1, again);
    ck_assert_str_eq(key, again);
    print_key(OTHER, 1, again);
    ck_assert_str_eq(key, again);
    print_key(FOUR_POSITIONS, 2, key);
    ck_assert_str_ne(key, again);
    print_key(OTHER, 2, again);
    ck_assert_str_ne(key, again);
}
END_TEST

/* So the signature changes with each scheme. */
START_TEST(the_searches_of_the_signature_depend_on_the_scheme)
{
    Trial trial;
    open_trial(&trial, FOUR_POSITIONS, 0);
    const EvalSource *const eval = &trial.eval.source;
    uint64_t nodes[REPLACEMENT_NB + 1];
    uint64_t sum = 0;
    for (int i = 0; i <= REPLACEMENT_NB; i++) {
        nodes[i] = i < REPLACEMENT_NB ? trial_scheme_nodes(eval, (Replacement)i, false)
                                      : trial_scheme_nodes(eval, REPLACE_THOMPSON, true);
        for (int k = 0; k < i; k++)
            ck_assert_uint_ne(nodes[i], nodes[k]);
        sum += nodes[i];
    }
    ck_assert_uint_gt(trial.signature, sum);
    trial_close(&trial);
}
END_TEST

START_TEST(unreadable_files_are_refused_with_a_reason)
{
    static const char *const EVALS[] = {NULL, "/nonexistent"};
    for (int i = 0; i < 2; i++) {
        Trial trial;
        char error[TRIAL_ERROR_MAX] = "";
        const char *const path = temp_file_write(i == 0 ? "nonsense\n" : FOUR_POSITIONS);
        ck_assert(!trial_open(&trial, path, 0, EVALS[i], error));
        ck_assert(error[0] != '\0');
        trial_close(&trial);
    }
    temp_file_remove();
}
END_TEST

START_TEST(searches_are_reproducible_and_short_checks_cause_false_hits)
{
    Trial trial;
    open_trial(&trial, FOUR_POSITIONS, 0);
    TrialSetting setting = {
        .hash_mib = 1, .replacement = REPLACE_THOMPSON, .check_bits = 48, .depth = 7};
    TrialResult first, again;
    ck_assert(trial_search(&trial, 3, &setting, &first));
    ck_assert(trial_search(&trial, 3, &setting, &again));
    ck_assert_int_le(first.search.depth, 7);
    ck_assert_int_ge(first.search.depth, 5);
    ck_assert_uint_eq(first.search.nodes, again.search.nodes);
    ck_assert_uint_gt(first.tt.probes, 0);
    setting.check_bits = 47;
    ck_assert(trial_search(&trial, 3, &setting, &again));
    ck_assert_uint_eq(again.tt.false_hits, 0);
    setting.check_bits = 1;
    ck_assert(trial_search(&trial, 3, &setting, &again));
    ck_assert_uint_gt(again.tt.false_hits, 0);
    ck_assert_uint_gt(again.tt.type1_errors, 0);
    trial_close(&trial);
}
END_TEST

START_TEST(the_positions_of_a_game_share_a_table)
{
    Trial trial;
    open_trial(&trial, FOUR_POSITIONS, 0);
    TrialSetting setting = {
        .hash_mib = 1, .replacement = REPLACE_THOMPSON, .check_bits = 48, .depth = 8};
    TrialResult game, stale, one_move, alone[2];
    ck_assert(trial_game(&trial, 0, &setting, &game));
    for (int i = 0; i < 2; i++)
        ck_assert(trial_search(&trial, i, &setting, &alone[i]));
    ck_assert_uint_eq(alone[0].tt.refreshes, 0);
    ck_assert_uint_gt(game.tt.refreshes, 0);
    ck_assert_uint_ne(game.search.nodes, alone[0].search.nodes + alone[1].search.nodes);
    setting.no_refresh = true;
    ck_assert(trial_game(&trial, 0, &setting, &stale));
    ck_assert_uint_eq(stale.tt.refreshes, 0);
    setting.no_refresh = false;
    setting.first_move_only = true;
    ck_assert(trial_game(&trial, 0, &setting, &one_move));
    ck_assert_uint_gt(game.tt.two_moves, 0);
    ck_assert_uint_ne(game.search.nodes, one_move.search.nodes);
    trial_close(&trial);
}
END_TEST

Suite *suite_trial(void);
Suite *suite_trial(void)
{
    Suite *suite = suite_create("trial");
    TCase *tcase = tcase_create("trial");
    tcase_set_timeout(tcase, 30);
    tcase_add_test(tcase, a_key_depends_on_all_its_positions);
    tcase_add_test(tcase, the_searches_of_the_signature_depend_on_the_scheme);
    tcase_add_test(tcase, unreadable_files_are_refused_with_a_reason);
    tcase_add_test(tcase, searches_are_reproducible_and_short_checks_cause_false_hits);
    tcase_add_test(tcase, the_positions_of_a_game_share_a_table);
    suite_add_tcase(suite, tcase);
    return suite;
}
