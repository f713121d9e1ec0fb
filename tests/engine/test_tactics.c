// SPDX-License-Identifier: GPL-3.0-or-later
/* Win at Chess and the test of Bratko and Kopec: how many positions a short search solves, 20,000
 * nodes each, or one second with PALIMPSEST_SLOW. Falls below the minimum only when something in
 * the search is broken. */
#include <check.h>
#include <stdio.h>

#include "chess/epdgoal.h"
#include "chess/fen.h"
#include "engine/engine_run.h"
#include "shared_data.h"
#include "skip.h"

typedef struct {
    const char *name;
    int at_least_by_nodes; // solved with 20,000 nodes a position
    int at_least_by_time;  // solved in one second a position
} SuiteCase;

static const SuiteCase CASES[] = {
    {"wac.epd", 195, 278},
    {"bratko-kopec.epd", 10, 15},
};

static bool is_solved(const EpdRecord *record, Move move)
{
    EpdGoal goal;
    char error[FEN_ERROR_MAX];
    ck_assert_msg(epd_goal_read(&goal, record, error) == 1, "%s", error);
    return epd_goal_is_met(&goal, move, 0);
}

static Move answer(Engine *engine, const EpdRecord *record)
{
    static Run run;
    char fen[FEN_MAX];
    fen_print(&record->pos, false, fen);
    SearchJob job = run_job(&run, fen);
    job.limits =
        is_slow_run() ? (Limits){.has_move_time = true, .move_ms = 1000} : (Limits){.nodes = 20000};
    engine_new_game(engine);
    run_search(engine, &job);
    return run.best;
}

START_TEST(each_suite_has_its_minimum_of_solved_positions)
{
    const SuiteCase *suite = &CASES[_i];
    FILE *file = shared_open(suite->name);
    if (file == NULL)
        return;
    Engine *engine = engine_create(64); // with the built-in network, unlike other tests
    ck_assert_ptr_nonnull(engine);
    EpdRecord record;
    char error[FEN_ERROR_MAX];
    int solved = 0, tried = 0;
    while (epd_next(file, &record, false, error) == 1) {
        tried++;
        solved += is_solved(&record, answer(engine, &record));
    }
    fclose(file);
    engine_destroy(engine);
    printf("%s: %d of %d solved %s\n", suite->name, solved, tried,
           is_slow_run() ? "in 1 s each" : "with 20,000 nodes each");
    ck_assert_int_ge(solved, is_slow_run() ? suite->at_least_by_time : suite->at_least_by_nodes);
}
END_TEST

Suite *suite_tactics(void);
Suite *suite_tactics(void)
{
    Suite *suite = suite_create("tactics");
    TCase *tcase = tcase_create("tactics");
    tcase_set_timeout(tcase, 600);
    tcase_add_loop_test(tcase, each_suite_has_its_minimum_of_solved_positions, 0,
                        sizeof CASES / sizeof CASES[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
