// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/strength.h"

#include <check.h>

#include "chess/movegen.h"
#include "chess/play.h"
#include "chess/pos_from_fen.h"
#include "engine/engine_fixture.h"

enum { MEN = 32 }; // at least as many as leave a level as it is

START_TEST(every_level_errs_less_than_the_one_below)
{
    Strength below = strength_at(STRENGTH_ELO_MIN, MEN, 1);
    ck_assert_int_eq(below.lines, STRENGTH_LINES);
    for (int elo = STRENGTH_ELO_MIN + 1; elo <= STRENGTH_ELO_MAX; elo++) {
        const Strength here = strength_at(elo, MEN, 1);
        ck_assert(!strength_is_full(&here));
        ck_assert_double_le(here.spread, below.spread);
        ck_assert_int_le(here.lines, below.lines);
        ck_assert_int_ge(here.lines, 1);
        below = here;
    }
    ck_assert_double_eq(below.spread, 0.0);
    ck_assert_int_eq(below.lines, 1);
}
END_TEST

START_TEST(every_level_from_1600_on_searches_more_nodes_than_the_one_below)
{
    enum { FEW_LINES = 1600 }; // below, a level needs nodes for many lines
    const uint64_t fewest = strength_at(FEW_LINES, MEN, 1).nodes;
    uint64_t below = fewest;
    for (int elo = FEW_LINES + 1; elo <= STRENGTH_ELO_MAX; elo++) {
        const Strength here = strength_at(elo, MEN, 1);
        ck_assert_uint_ge(here.nodes, below);
        below = here.nodes;
    }
    ck_assert_uint_gt(below, 100 * fewest);
}
END_TEST

START_TEST(with_fewer_men_a_level_searches_more_nodes_and_errs_less)
{
    for (int elo = STRENGTH_ELO_MIN; elo <= STRENGTH_ELO_MAX; elo += 10) {
        Strength more = strength_at(elo, MEN, 1);
        for (int men = MEN - 1; men >= 2; men--) {
            const Strength fewer = strength_at(elo, men, 1);
            ck_assert_uint_ge(fewer.nodes, more.nodes);
            ck_assert_double_le(fewer.spread, more.spread);
            ck_assert_int_le(fewer.lines, more.lines);
            more = fewer;
        }
        ck_assert_double_eq(more.spread, 0.0);
        ck_assert_uint_ge(more.nodes, 999);
    }
    ck_assert_int_eq(strength_at(STRENGTH_ELO_MIN, 10, 1).lines, STRENGTH_LINES);
    ck_assert_uint_eq(strength_at(STRENGTH_ELO_MAX, 2, 1).nodes,
                      strength_at(STRENGTH_ELO_MAX, MEN, 1).nodes);
}
END_TEST

START_TEST(limited_strength_applies_to_games_but_not_to_analysis)
{
    ck_assert(strength_applies(&(Limits){.has_clock = true, .ponder = true}));
    ck_assert(strength_applies(&(Limits){.has_move_time = true, .move_ms = 100}));
    ck_assert(strength_applies(&(Limits){.nodes = 100}));
    ck_assert(!strength_applies(&(Limits){.infinite = true, .nodes = 100}));
    ck_assert(!strength_applies(&(Limits){.mate = 3}));
}
END_TEST

/* How often each of `count` lines is chosen in 10000 positions. */
static void count_choices(double spread, const Score *scores, int count, int *chosen)
{
    const Strength strength = {
        .nodes = 1, .lines = STRENGTH_LINES, .spread = spread, .seed = 0x1234567};
    for (int i = 0; i < count; i++)
        chosen[i] = 0;
    for (Key key = 1; key <= 10000; key++) {
        const int at = strength_choose(&strength, scores, count, key);
        ck_assert_int_ge(at, 0);
        ck_assert_int_lt(at, count);
        ck_assert_int_eq(at, strength_choose(&strength, scores, count, key));
        chosen[at]++;
    }
}

START_TEST(lines_that_lose_more_are_chosen_less_often)
{
    const Score scores[] = {100, 100, 0, -400, SCORE_TB_MIN - 30000};
    int chosen[5];
    count_choices(0.3, scores, 5, chosen);
    ck_assert_int_gt(chosen[0] - chosen[1], -400);
    ck_assert_int_lt(chosen[0] - chosen[1], 400);
    ck_assert_int_gt(chosen[1], chosen[2] + 500);
    ck_assert_int_gt(chosen[2], chosen[3] + 500);
    ck_assert_int_gt(chosen[3], 10);
    ck_assert_int_lt(chosen[4], 10);
}
END_TEST

START_TEST(without_spread_the_best_line_is_chosen)
{
    const Score scores[] = {-20, 30, 29};
    int chosen[3];
    count_choices(0.0, scores, 3, chosen);
    ck_assert_int_eq(chosen[1], 10000);
}
END_TEST

START_TEST(an_equal_loss_is_chosen_more_often_in_a_decided_game)
{
    const Score level[] = {0, -300}, decided[] = {3000, 2700};
    int at_level[2], when_decided[2];
    count_choices(0.2, level, 2, at_level);
    count_choices(0.2, decided, 2, when_decided);
    ck_assert_int_gt(when_decided[1], at_level[1] + 1000);
}
END_TEST

START_TEST(a_mate_in_one_is_rarely_missed)
{
    const Score scores[] = {SCORE_MATE - 1, 1000, 900};
    int chosen[3];
    count_choices(strength_at(STRENGTH_ELO_MIN, MEN, 1).spread, scores, 3, chosen);
    ck_assert_int_gt(chosen[0], 9000);
}
END_TEST

static void check_move(const SearchJob *job)
{
    ck_assert_int_eq(run.done_count, 1);
    ck_assert(gen_is_legal(&job->root, run.best));
    ck_assert(limits_allow(&job->limits, run.best));
    const Report *const line = run_last(&run);
    ck_assert_int_eq(run.best, line->pv[0]);
    ck_assert_int_eq(run.ponder, line->pv_length > 1 ? line->pv[1] : MOVE_NONE);
    ck_assert_int_ge(line->depth, 1);
}

/* The engine plays 40 moves against itself and writes them to `moves`. */
static void play(int elo, uint64_t seed, int multi_pv, Move *moves)
{
    Position pos = run_job(&run, MIDDLEGAME).root;
    Path path;
    path_start(&path, &pos);
    engine_new_game(engine);
    for (int i = 0; i < 40; i++) {
        SearchJob job = run_job(&run, MIDDLEGAME);
        job.root = pos;
        job.path = path;
        job.multi_pv = multi_pv;
        job.strength = strength_at(elo, popcount(pos_occupied(&pos)), seed);
        run_search(engine, &job);
        moves[i] = run.best;
        if (!gen_any(&pos)) {
            ck_assert_int_eq(run.best, MOVE_NONE);
            continue;
        }
        check_move(&job);
        ck_assert_uint_le(run_last(&run)->nodes, job.strength.nodes);
        for (int k = 0; k < run.line_count; k++)
            ck_assert_int_le(run.lines[k].multipv, multi_pv);
        pos_advance(&pos, run.best);
        path_push(&path, pos.key);
    }
}

START_TEST(the_same_seed_makes_the_same_moves_with_any_number_of_threads)
{
    Move first[40], second[40], other[40];
    for (int elo = 1400; elo <= 2200; elo += 400) {
        play(elo, 7, 1 + elo % 3, first);
        engine_set_threads(engine, 3);
        play(elo, 7, 1 + elo % 3, second);
        engine_set_threads(engine, 1);
        ck_assert_mem_eq(first, second, sizeof first);
    }
    play(1400, 7, 1, first);
    play(1400, 8, 1, other);
    ck_assert_mem_ne(first, other, sizeof first);
}
END_TEST

/* Plays the position between two engines of the lowest level. Returns the plies to mate, or 0. */
static int plies_to_mate(Engine *both, const char *fen, uint64_t seed)
{
    SearchJob job = run_job(&run, fen);
    engine_new_game(both);
    for (int ply = 0; ply < 200; ply++) {
        if (!gen_any(&job.root))
            return pos_in_check(&job.root) ? ply : 0;
        if (game_fifty_moves(&job.root) || path_occurrences(&job.path, &job.root) >= 2)
            return 0;
        job.strength = strength_at(STRENGTH_ELO_MIN, popcount(pos_occupied(&job.root)), seed);
        run.done_count = run.line_count = 0;
        run_search(both, &job);
        pos_advance(&job.root, run.best);
        path_extend(&job.path, &job.root);
    }
    return 0;
}

START_TEST(the_lowest_level_mates_with_a_rook)
{
    static const char *const FENS[] = {"8/8/8/4k3/8/8/8/R3K3 w - - 0 1",
                                       "8/8/3k4/8/8/2K5/8/7r b - - 0 1",
                                       "8/8/4k3/8/8/8/8/2KR4 w - - 0 1"};
    Engine *const built_in = engine_create(1); // the evaluation that players meet
    ck_assert_ptr_nonnull(built_in);
    ck_assert_int_gt(plies_to_mate(built_in, FENS[_i], 5), 0);
    engine_destroy(built_in);
}
END_TEST

/* How many of 100 players of this level leave an attacked knight where it is. */
static int count_lost_knights(int elo)
{
    int count = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        SearchJob job =
            run_job(&run, "rnbqkb1r/pppppppp/5n2/4P3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2");
        job.strength = strength_at(elo, MEN, seed);
        engine_new_game(engine);
        run_search(engine, &job);
        count += move_from(run.best) != F6;
    }
    return count;
}

START_TEST(only_beginners_lose_pieces_to_single_threats)
{
    const int beginner = count_lost_knights(STRENGTH_ELO_MIN), novice = count_lost_knights(1150);
    ck_assert_int_ge(beginner, 3);
    ck_assert_int_le(beginner, 70);
    ck_assert_int_lt(novice, beginner);
    ck_assert_int_eq(count_lost_knights(1700), 0);
}
END_TEST

START_TEST(limits_below_those_of_the_level_hold)
{
    SearchJob job = run_job(&run, MIDDLEGAME);
    job.strength = strength_at(STRENGTH_ELO_MAX, MEN, 1);
    job.limits.nodes = 500;
    run_search(engine, &job);
    check_move(&job);
    ck_assert_uint_eq(run_last(&run)->nodes, 500);
    job = run_job(&run, MIDDLEGAME);
    job.strength = strength_at(STRENGTH_ELO_MAX, MEN, 1);
    job.limits.depth = 2;
    run_search(engine, &job);
    check_move(&job);
    ck_assert_int_eq(run_last(&run)->depth, 2);
}
END_TEST

START_TEST(only_moves_of_searchmoves_are_chosen)
{
    SearchJob job = run_job(&run, MIDDLEGAME);
    job.strength = strength_at(STRENGTH_ELO_MIN, MEN, 3);
    job.limits.has_search_moves = true;
    job.limits.search_move_count = 2;
    job.limits.search_moves[0] = move_make(H2, H3, KIND_NORMAL);
    job.limits.search_moves[1] = move_make(A2, A3, KIND_NORMAL);
    run_search(engine, &job);
    check_move(&job);
}
END_TEST

START_TEST(a_pondering_search_at_its_node_limit_waits_for_the_ponderhit)
{
    SearchJob job = run_job(&run, MIDDLEGAME);
    job.strength = strength_at(STRENGTH_ELO_MIN, MEN, 3);
    job.limits.ponder = true;
    engine_start(engine, &job);
    ck_assert(!engine_wait_ms(engine, 100));
    ck_assert_int_eq(run.done_count, 0);
    engine_ponderhit(engine);
    engine_wait(engine);
    check_move(&job);
}
END_TEST

Suite *suite_strength(void);
Suite *suite_strength(void)
{
    Suite *suite = suite_create("strength");
    TCase *tcase = tcase_create("strength");
    tcase_add_checked_fixture(tcase, engine_setup, engine_teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, every_level_errs_less_than_the_one_below);
    tcase_add_test(tcase, every_level_from_1600_on_searches_more_nodes_than_the_one_below);
    tcase_add_test(tcase, with_fewer_men_a_level_searches_more_nodes_and_errs_less);
    tcase_add_test(tcase, limited_strength_applies_to_games_but_not_to_analysis);
    tcase_add_test(tcase, lines_that_lose_more_are_chosen_less_often);
    tcase_add_test(tcase, without_spread_the_best_line_is_chosen);
    tcase_add_test(tcase, an_equal_loss_is_chosen_more_often_in_a_decided_game);
    tcase_add_test(tcase, a_mate_in_one_is_rarely_missed);
    tcase_add_test(tcase, the_same_seed_makes_the_same_moves_with_any_number_of_threads);
    tcase_add_loop_test(tcase, the_lowest_level_mates_with_a_rook, 0, 3);
    tcase_add_test(tcase, only_beginners_lose_pieces_to_single_threats);
    tcase_add_test(tcase, limits_below_those_of_the_level_hold);
    tcase_add_test(tcase, only_moves_of_searchmoves_are_chosen);
    tcase_add_test(tcase, a_pondering_search_at_its_node_limit_waits_for_the_ponderhit);
    suite_add_tcase(suite, tcase);
    return suite;
}
