// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/trial.h"

static char path[64];

static void write_epd(const char *text)
{
    snprintf(path, sizeof path, "/tmp/palimpsest-trial-XXXXXX");
    const int handle = mkstemp(path);
    ck_assert_int_ge(handle, 0);
    FILE *const file = fdopen(handle, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static const char FOUR[] =
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"A.1\";\n"
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - id \"A.2\";\n"
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - id \"B.1\";\n"
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - id \"plain\";\n";

/* Opens a trial of `count` of these lines; 0: all. */
static void open_trial(Trial *trial, const char *text, int count)
{
    char error[TRIAL_ERROR_MAX] = "";
    write_epd(text);
    ck_assert_msg(trial_open(trial, path, count, "bootstrap", error), "%s", error);
    unlink(path);
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
    print_key(FOUR, 1, key);
    ck_assert_int_eq(strncmp(key, "bootstrap,", 10), 0);
    print_key(FOUR, 1, again);
    ck_assert_str_eq(key, again);
    print_key(OTHER, 1, again);
    ck_assert_str_eq(key, again);
    print_key(FOUR, 2, key);
    ck_assert_str_ne(key, again);
    print_key(OTHER, 2, again);
    ck_assert_str_ne(key, again);
}
END_TEST

START_TEST(unreadable_files_are_refused_with_a_reason)
{
    Trial trial;
    char error[TRIAL_ERROR_MAX] = "";
    ck_assert(!trial_open(&trial, "/nonexistent", 0, NULL, error));
    ck_assert(error[0] != '\0');
    trial_close(&trial);
    write_epd("nonsense\n");
    ck_assert(!trial_open(&trial, path, 0, NULL, error));
    trial_close(&trial);
    unlink(path);
    write_epd("");
    ck_assert(!trial_open(&trial, path, 0, NULL, error));
    trial_close(&trial);
    unlink(path);
    write_epd(FOUR);
    ck_assert(!trial_open(&trial, path, 0, "/nonexistent", error));
    trial_close(&trial);
    unlink(path);
}
END_TEST

START_TEST(searches_are_reproducible_and_short_checks_cause_false_hits)
{
    Trial trial;
    open_trial(&trial, FOUR, 0);
    TrialSetting setting = {
        .hash_mib = 1, .replacement = REPLACE_THOMPSON, .check_bits = 48, .depth = 7};
    TrialResult first, again;
    ck_assert(trial_search(&trial, 3, &setting, &first));
    ck_assert(trial_search(&trial, 3, &setting, &again));
    ck_assert_int_eq(first.search.depth, 7);
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
    open_trial(&trial, FOUR, 0);
    TrialSetting setting = {
        .hash_mib = 1, .replacement = REPLACE_THOMPSON, .check_bits = 48, .depth = 8};
    TrialResult game, stale, one_move, alone[2];
    ck_assert(trial_game(&trial, 0, &setting, &game));
    for (int i = 0; i < 2; i++)
        ck_assert(trial_search(&trial, i, &setting, &alone[i]));
    ck_assert_uint_eq(alone[0].tt.refreshes, 0);
    ck_assert_uint_gt(game.tt.refreshes, 0);
    ck_assert_uint_ne(game.search.nodes, alone[0].search.nodes + alone[1].search.nodes);
    setting.keeps_stale = true;
    ck_assert(trial_game(&trial, 0, &setting, &stale));
    ck_assert_uint_eq(stale.tt.refreshes, 0);
    setting.keeps_stale = false;
    setting.tells_one_move = true;
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
    tcase_add_test(tcase, unreadable_files_are_refused_with_a_reason);
    tcase_add_test(tcase, searches_are_reproducible_and_short_checks_cause_false_hits);
    tcase_add_test(tcase, the_positions_of_a_game_share_a_table);
    suite_add_tcase(suite, tcase);
    return suite;
}
