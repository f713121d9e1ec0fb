// SPDX-License-Identifier: GPL-3.0-or-later
/* The parts of iterative deepening that need workers with made-up results: the aspiration window,
 * an iteration that is cut off, the signs for the time management, and the score of the previous
 * search. */
#include <check.h>
#include <string.h>

#include "base/clock.h"
#include "chess/movegen.h"
#include "chess/play.h"
#include "search/deepening.h"
#include "search/params.h"
#include "search/table_key.h"
#include "search/worker_fixture.h"

static void setup(void)
{
    fixture_open(&fixture, "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", 3);
}

/* Begins with iteration 5, whose window lies around a wrong average score. The position is level.
 */
START_TEST(a_score_outside_the_aspiration_window_is_searched_again)
{
    static const Score AVERAGES[] = {900, -900};
    Worker *const w = fixture.workers[0];
    fixture.job.limits.depth = 5;
    w->completed_depth = 4;
    for (int i = 0; i < w->root_move_count; i++)
        w->root_moves[i].average = AVERAGES[_i];
    deepening_run(w);
    ck_assert_int_eq(w->completed_depth, 5);
    ck_assert_int_eq(w->root_moves[0].bound, BOUND_EXACT);
    ck_assert_int_gt(w->root_moves[0].score, -400);
    ck_assert_int_lt(w->root_moves[0].score, 400);
}
END_TEST

/* The searches of the root in one iteration, as they were reported: a window that failed at once,
 * because the fixture's start time is long ago. */
typedef struct {
    Score score;
    Bound bound;
    int width; // beta - alpha
} RootSearch;

static RootSearch searches[20];
static int search_count;

static void record_search(void *ctx, const Report *report)
{
    const Worker *const w = ctx;
    if (report->kind != REPORT_LINE)
        return;
    ck_assert_int_lt(search_count, 20);
    searches[search_count++] = (RootSearch){report->score, report->bound, w->root_width};
}

/* Searches as many root moves as there are lines in iteration `depth`, the first around this
 * average score. */
static Worker *search_around(Score average, int depth, ReportFn report)
{
    Worker *const w = fixture.workers[0];
    fixture.job.limits.depth = depth;
    fixture.job.report = report;
    fixture.job.ctx = w;
    w->completed_depth = depth - 1;
    w->root_move_count = fixture.job.multi_pv;
    w->root_moves[0].average = average;
    search_count = 0;
    deepening_run(w);
    return w;
}

/* An evaluation that knows only one score, and changes its mind. */
static Score level; // for White

static Score level_eval(const Position *pos)
{
    return pos->side == WHITE ? level : -level;
}

static void change_level(Score score)
{
    level = score;
    tt_clear(&fixture.tt);
}

/* After a fail-low the next window ends in the middle of the last one. */
START_TEST(the_window_moves_to_a_score_outside_it_and_widens)
{
    static const Score CASES[][2] = {{900, 0}, {-900, 0}, {1900, 3000}, {-1900, -3000}};
    const Score average = CASES[_i][0], full = params.aspiration_full;
    Score delta = params.aspiration_delta + average * average / params.aspiration_square_divisor;
    Score alpha = average - delta, beta = average + delta;
    fixture.eval.bootstrap = level_eval;
    level = CASES[_i][1];
    search_around(average, 5, record_search);
    ck_assert_int_ge(search_count, 2);
    for (int i = 0; i < search_count; i++) {
        const Score score = searches[i].score;
        ck_assert_int_eq(searches[i].width, beta - alpha);
        const Bound bound = score <= alpha  ? BOUND_UPPER
                            : score >= beta ? BOUND_LOWER
                                            : BOUND_EXACT;
        ck_assert_int_eq(searches[i].bound, bound);
        ck_assert_int_eq(bound == BOUND_EXACT, i == search_count - 1);
        if (bound == BOUND_UPPER) {
            beta = (alpha + beta) / 2;
            alpha = score - delta;
        } else {
            beta = score + delta;
        }
        delta = delta * params.aspiration_growth / 100 + 1;
        alpha = alpha < -full ? -SCORE_INF : alpha;
        beta = beta > full ? SCORE_INF : beta;
    }
}
END_TEST

/* They would only flicker. */
START_TEST(failed_windows_of_the_first_seconds_are_not_reported)
{
    fixture.shared.start_ms = clock_ms();
    search_around(900, 5, record_search);
    ck_assert_int_eq(search_count, 1);
    ck_assert_int_eq(searches[0].bound, BOUND_EXACT);
}
END_TEST

START_TEST(failed_windows_of_one_of_several_lines_are_not_reported)
{
    fixture.job.multi_pv = 2;
    search_around(900, 5, record_search);
    ck_assert_int_ge(search_count, 2);
    for (int i = 0; i < search_count; i++)
        ck_assert_int_eq(searches[i].bound, BOUND_EXACT);
}
END_TEST

static void turn_level(void *ctx, const Report *report)
{
    record_search(ctx, report);
    if (report->kind == REPORT_LINE)
        change_level(-200);
}

/* The fail-high is confirmed by shallower searches, a fail-low by one of full depth. */
START_TEST(a_search_after_fail_highs_is_shallower_until_one_fails_low)
{
    static const struct {
        Score level;
        bool turns;  // after the first search
        Bound first; // result of the first search
    } CASES[] = {{0, false, BOUND_EXACT},
                 {200, false, BOUND_LOWER},
                 {-200, false, BOUND_UPPER},
                 {200, true, BOUND_LOWER}};
    fixture.eval.bootstrap = level_eval;
    level = CASES[_i].level;
    const Worker *const w = search_around(0, 5, CASES[_i].turns ? turn_level : record_search);
    int fail_highs = 0;
    for (int i = 0; i < search_count; i++) {
        const Bound bound = searches[i].bound;
        fail_highs = bound == BOUND_LOWER ? fail_highs + 1 : bound == BOUND_UPPER ? 0 : fail_highs;
    }
    ck_assert_int_eq(searches[0].bound, CASES[_i].first);
    ck_assert_int_eq(fail_highs, _i == 1 ? search_count - 1 : 0);
    const int max = params.aspiration_shallower_max;
    int depth = 5 - (fail_highs < max ? fail_highs : max);
    depth -= depth >= params.alpha_raise_min_depth ? params.alpha_raise_reduction : 0;
    ck_assert_int_eq(w->root_moves[0].searched_depth, depth);
    ck_assert_int_eq(w->completed_depth, 5);
}
END_TEST

/* The evaluation falls after iteration 3 and after iteration 5. */
static void fall_twice(void *ctx, const Report *report)
{
    (void)ctx;
    if (report->kind == REPORT_LINE && report->bound == BOUND_EXACT &&
        (report->depth == 3 || report->depth == 5))
        change_level(level - 200);
}

START_TEST(the_peak_is_the_best_score_from_iteration_4_on)
{
    Worker *const w = fixture.workers[0];
    fixture.eval.bootstrap = level_eval;
    fixture.job.limits.depth = 6;
    fixture.job.report = fall_twice;
    level = 500;
    deepening_run(w);
    const SearchOutcome outcome = deepening_outcome(w);
    ck_assert_int_eq(outcome.peak, 300);
    ck_assert_int_eq(outcome.score, 100);
}
END_TEST

/* The result of the last completed iteration, number `depth`, is root move 0 with this score. */
static void set_completed(Worker *w, Score score, int depth)
{
    w->root_moves[0].score = score;
    w->completed = w->root_moves[0];
    w->completed_depth = depth;
    w->may_stop = true;
}

/* A former bug: root moves without a score in the last iteration kept the score of an older one.
 * When the next iteration was cut off early, such a move was played. */
START_TEST(an_unfinished_iteration_uses_no_score_of_an_older_iteration)
{
    Worker *const w = fixture.workers[0];
    set_completed(w, 30, 4);
    w->root_moves[1].previous = 500; // in iteration 3
    atomic_store(&fixture.shared.stop, true);
    deepening_run(w);
    ck_assert_int_eq(w->completed_depth, 4);
    ck_assert_int_eq(deepening_outcome(w).best, w->completed.move);
    ck_assert_int_eq(deepening_outcome(w).score, 30);
}
END_TEST

static Score score_before_stop; // of the first root move

static void stop_at_second_move(void *ctx, const Report *report)
{
    const Worker *const w = ctx;
    if (report->kind != REPORT_MOVE || report->move_number != 2)
        return;
    score_before_stop = w->root_moves[0].score;
    atomic_store(&fixture.shared.stop, true);
}

/* The first move loses. The moves that are not searched yet may be better. */
START_TEST(an_unfinished_iteration_finds_no_loss)
{
    fixture_teardown();
    Worker *const w = fixture_open(&fixture, "7k/8/5K2/8/8/8/8/R7 b - - 0 1", 1);
    set_completed(w, -300, 7);
    atomic_store(&w->nodes, 10000000); // only long searches report moves
    fixture.job.report = stop_at_second_move;
    fixture.job.ctx = w;
    deepening_run(w);
    ck_assert(score_is_loss(score_before_stop));
    ck_assert_int_eq(w->completed_depth, 7);
    ck_assert_int_eq(deepening_outcome(w).best, w->completed.move);
    ck_assert_int_eq(deepening_outcome(w).score, -300);
}
END_TEST

/* As if the second move had been searched after the first and lost later. */
static void stop_after_second_move(void *ctx, const Report *report)
{
    Worker *const w = ctx;
    if (report->kind != REPORT_MOVE || report->move_number != 2)
        return;
    const RootMove first = w->root_moves[0];
    w->root_moves[0] = w->root_moves[1];
    w->root_moves[0].score = (Score)(first.score + 2);
    w->root_moves[0].bound = BOUND_EXACT;
    w->root_moves[1] = first;
    atomic_store(&fixture.shared.stop, true);
}

START_TEST(an_unfinished_iteration_keeps_the_move_that_loses_later)
{
    fixture_teardown();
    Worker *const w = fixture_open(&fixture, "7k/8/5K2/8/8/8/8/R7 b - - 0 1", 1);
    set_completed(w, -300, 7);
    atomic_store(&w->nodes, 10000000);
    fixture.job.report = stop_after_second_move;
    fixture.job.ctx = w;
    deepening_run(w);
    ck_assert(score_is_loss(w->root_moves[1].score));
    ck_assert_int_ne(deepening_outcome(w).best, w->completed.move);
    ck_assert(!deepening_outcome(w).is_exact); // the moves that are not searched yet may be better
    ck_assert_int_eq(deepening_outcome(w).score, -300);
}
END_TEST

/* What the time management has to know, gathered from the reports of finished iterations. */
static struct {
    TimePlan plan;
    Move best;
    int stable;
    Score score;
    bool is_over; // the scaled time has passed: no iteration must follow
    int changes;  // of the best move
} seen;

static void watch_time(void *ctx, const Report *report)
{
    const Worker *const w = ctx;
    if (report->kind != REPORT_LINE || report->bound != BOUND_EXACT)
        return;
    ck_assert(!seen.is_over);
    seen.stable = report->pv[0] == seen.best ? seen.stable + 1 : 0;
    seen.changes += report->depth > 1 && report->pv[0] != seen.best;
    const TimeSigns signs = {.depth = report->depth,
                             .best_share = (double)w->root_moves[0].nodes / (double)report->nodes,
                             .stable_iterations = seen.stable,
                             .score_drop = report->depth > 1 ? seen.score - report->score : 0,
                             .root_moves = w->root_move_count,
                             .mate_found = score_is_mate(report->score)};
    seen.best = report->pv[0];
    seen.score = report->score;
    seen.is_over = (int64_t)report->nodes >= time_scaled(&seen.plan, &signs);
}

/* With nodes as time. The best move, its share of the nodes and its score change. */
START_TEST(no_iteration_begins_after_the_scaled_soft_limit_and_each_before_it)
{
    static const char *const FENS[] = {
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", MIDDLEGAME,
        "8/8/8/8/8/1k5p/8/K7 w - - 0 1", // one legal move
        "7k/8/5K2/8/8/8/8/R7 w - - 0 1", // mate in two
    };
    int changes = 0;
    for (int soft_ms = 500; soft_ms <= 30000; soft_ms += soft_ms / 3) {
        fixture_teardown();
        Worker *const w = fixture_open(&fixture, FENS[_i], 1);
        memset(&seen, 0, sizeof seen);
        seen.plan = (TimePlan){.soft_ms = soft_ms, .hard_ms = 100000000};
        fixture.shared.plan = seen.plan;
        fixture.job.nodes_per_ms = 1;
        fixture.job.limits.depth = 100;
        fixture.job.report = watch_time;
        fixture.job.ctx = w;
        deepening_run(w);
        ck_assert(seen.is_over || w->completed_depth == 100);
        changes += seen.changes;
    }
    ck_assert(_i > 1 || changes > 0);
}
END_TEST

/* Nodes of some searches of White with nodes as time, each after a search of `last_side` with this
 * score. */
static uint64_t nodes_after(Score last_score, Color last_side)
{
    uint64_t nodes = 0;
    for (int soft_ms = 2000; soft_ms <= 16000; soft_ms += 1000) {
        fixture_teardown();
        setup();
        Worker *const w = fixture.workers[0];
        fixture.job.nodes_per_ms = 1;
        fixture.shared.plan = (TimePlan){.soft_ms = soft_ms, .hard_ms = 10 * soft_ms};
        w->last_score = last_score;
        w->last_side = last_side;
        deepening_run(w);
        nodes += worker_nodes(w);
    }
    return nodes;
}

START_TEST(only_a_previous_score_of_the_same_side_changes_the_time)
{
    const uint64_t nodes = nodes_after(SCORE_NONE, WHITE);
    ck_assert_uint_gt(nodes_after(500, WHITE), nodes); // the score falls: more time
    ck_assert_uint_eq(nodes_after(500, BLACK), nodes);
    ck_assert_uint_eq(nodes_after(-500, BLACK), nodes);
}
END_TEST

/* Nodes of some searches of so many lines, with nodes as time. One move is best, several others are
 * about equal. */
static uint64_t nodes_for_lines(int lines)
{
    uint64_t nodes = 0;
    for (int soft_ms = 4000; soft_ms <= 16000; soft_ms += 4000) {
        fixture_teardown();
        Worker *const w = fixture_open(&fixture, "8/5p1k/6p1/7p/3B3P/4K1P1/r4P2/8 b - - 20 60", 1);
        fixture.job.multi_pv = lines;
        fixture.job.nodes_per_ms = 1;
        fixture.shared.plan = (TimePlan){.soft_ms = soft_ms, .hard_ms = 10 * soft_ms};
        deepening_run(w);
        nodes += worker_nodes(w);
    }
    return nodes;
}

/* An iteration of several lines is longer, so the search may end later. But neither the work of the
 * other lines nor a new order of equal lines is a sign that the best move is unclear. */
START_TEST(several_lines_are_no_reason_to_think_longer)
{
    const uint64_t one = nodes_for_lines(1), several = nodes_for_lines(4);
    ck_assert_msg(several < 3 * one, "%d percent", (int)(100 * several / one));
}
END_TEST

START_TEST(the_side_of_the_last_score_is_that_of_the_root)
{
    Worker *const w = fixture.workers[0];
    fixture_set_result(&fixture, 0, 0, 30, 10);
    w->completed = w->root_moves[0];
    for (Color side = WHITE; side <= BLACK; side++) {
        fixture.job.root.side = side;
        deepening_conclude(w);
        ck_assert_int_eq(w->last_score, 30);
        ck_assert_int_eq(w->last_side, side);
    }
}
END_TEST

/* Its position did not occur in the game. */
START_TEST(pondering_in_vain_does_not_change_the_last_score)
{
    Worker *const w = fixture.workers[0];
    fixture_set_result(&fixture, 0, 0, 30, 10);
    w->completed = w->root_moves[0];
    w->last_score = -500;
    w->last_side = BLACK;
    atomic_store(&fixture.shared.pondering, true);
    deepening_conclude(w);
    ck_assert_int_eq(w->last_score, -500);
    ck_assert_int_eq(w->last_side, BLACK);
}
END_TEST

static void keep_ponder(void *ctx, const Report *report)
{
    if (report->kind == REPORT_DONE)
        *(Move *)ctx = report->ponder;
}

/* Ends a search whose best line is root move 0 alone; returns the move to ponder on. */
static Move conclude_line_of_one_move(void)
{
    Worker *const w = fixture.workers[0];
    Move ponder = MOVE_NULL;
    set_completed(w, 30, 10);
    fixture.job.report = keep_ponder;
    fixture.job.ctx = &ponder;
    deepening_conclude(w);
    return ponder;
}

START_TEST(a_line_of_one_move_has_no_move_to_ponder_on)
{
    Worker *const w = fixture.workers[0];
    w->root_moves[0].pv[1] = w->root_moves[0].move; // of an older line
    ck_assert_int_eq(conclude_line_of_one_move(), MOVE_NONE);
}
END_TEST

START_TEST(the_table_gives_a_reply_to_ponder_on)
{
    Position after;
    Move replies[MAX_MOVES];
    TtStats unused = {0};
    pos_play(&after, &fixture.job.root, fixture.workers[0]->root_moves[0].move);
    gen_legal(&after, replies);
    const TtData data = {
        .move = replies[3], .score = -30, .eval = SCORE_NONE, .depth = 5, .bound = BOUND_EXACT};
    tt_store(&fixture.tt, table_key(&after), (SearchPoint){.ply = 1}, &data, &unused);
    ck_assert_int_eq(conclude_line_of_one_move(), replies[3]);
}
END_TEST

Suite *suite_deepening_parts(void);
Suite *suite_deepening_parts(void)
{
    Suite *suite = suite_create("deepening_parts");
    TCase *tcase = tcase_create("deepening_parts");
    tcase_add_checked_fixture(tcase, setup, fixture_teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, a_score_outside_the_aspiration_window_is_searched_again, 0, 2);
    tcase_add_loop_test(tcase, the_window_moves_to_a_score_outside_it_and_widens, 0, 4);
    tcase_add_test(tcase, failed_windows_of_the_first_seconds_are_not_reported);
    tcase_add_test(tcase, failed_windows_of_one_of_several_lines_are_not_reported);
    tcase_add_loop_test(tcase, a_search_after_fail_highs_is_shallower_until_one_fails_low, 0, 4);
    tcase_add_test(tcase, the_peak_is_the_best_score_from_iteration_4_on);
    tcase_add_test(tcase, an_unfinished_iteration_uses_no_score_of_an_older_iteration);
    tcase_add_test(tcase, an_unfinished_iteration_finds_no_loss);
    tcase_add_test(tcase, an_unfinished_iteration_keeps_the_move_that_loses_later);
    tcase_add_loop_test(tcase, no_iteration_begins_after_the_scaled_soft_limit_and_each_before_it,
                        0, 4);
    tcase_add_test(tcase, only_a_previous_score_of_the_same_side_changes_the_time);
    tcase_add_test(tcase, several_lines_are_no_reason_to_think_longer);
    tcase_add_test(tcase, the_side_of_the_last_score_is_that_of_the_root);
    tcase_add_test(tcase, pondering_in_vain_does_not_change_the_last_score);
    tcase_add_test(tcase, a_line_of_one_move_has_no_move_to_ponder_on);
    tcase_add_test(tcase, the_table_gives_a_reply_to_ponder_on);
    suite_add_tcase(suite, tcase);
    return suite;
}
