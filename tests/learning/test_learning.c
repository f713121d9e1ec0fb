// SPDX-License-Identifier: GPL-3.0-or-later
/* What is learned: from the end of a search through the file to the next engine. */
#include "learning/learning.h"

#include <check.h>
#include <string.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/play.h"
#include "chess/random_game.h"
#include "learning/learn_fixture.h"

START_TEST(learning_is_off_by_default)
{
    ck_assert_ptr_null(learning_table(learn_learning()));
    ck_assert(!learning_apply(learn_learning(), learn_message));
    learn_search(LEARN_ROOT, 6);
    ck_assert(learning_flush(learn_learning(), 0));
    ck_assert_ptr_null(learning_lock_store(learn_learning()));
    learning_unlock_store(learn_learning(), false);
    ck_assert_int_eq(learning_state(learn_learning()).mode, LEARNING_OFF);
}
END_TEST

START_TEST(a_missing_path_is_reported_once)
{
    LearningOptions options = *learning_options(learn_learning());
    options.mode = LEARNING_LEARN;
    learning_set_options(learn_learning(), &options);
    ck_assert(learning_apply(learn_learning(), learn_message));
    ck_assert_str_eq(learn_message,
                     "error: position learning needs a file: set the option MemoryFile");
    for (int game = 0; game < 3; game++) {
        engine_new_game(learn_engine);
        ck_assert(!learning_apply(learn_learning(), learn_message));
    }
    learn_search(LEARN_ROOT, 5);
    ck_assert_ptr_null(learning_table(learn_learning()));
}
END_TEST

START_TEST(a_search_result_is_known_after_a_restart)
{
    learn_apply(LEARNING_LEARN, LEARN_BEBE);
    const SearchJob job = learn_search(LEARN_ROOT, 7);
    ck_assert_int_eq(learn_positions(), 1);
    const LearnedEntry *entry = learned_table_find(learning_table(learn_learning()), job.root.key);
    ck_assert_ptr_nonnull(entry);
    ck_assert_int_eq(entry->move, learn_run.best);
    ck_assert_int_eq(entry->score, run_last(&learn_run)->score);
    TtData known[2];
    TtStats unused = {0};
    ck_assert_int_gt(
        tt_probe(engine_table(learn_engine), job.root.key, (SearchPoint){.ply = 0}, known, &unused),
        0);
    ck_assert_int_le(entry->depth, 7);
    ck_assert_int_eq(entry->depth, known[0].depth);
    learn_reopen(); // writes the queue first
    learn_apply(LEARNING_READ, LEARN_BEBE);
    entry = learned_table_find(learning_table(learn_learning()), job.root.key);
    ck_assert_ptr_nonnull(entry);
    ck_assert_int_eq(entry->move, learn_run.best);
    ck_assert_int_eq(entry->score, run_last(&learn_run)->score);
    ck_assert_uint_eq(entry->network, learn_network());
}
END_TEST

START_TEST(read_mode_learns_nothing)
{
    learn_apply(LEARNING_LEARN, LEARN_BEBE);
    learn_search(LEARN_ROOT, 6);
    learn_reopen();
    learn_apply(LEARNING_READ, LEARN_BEBE);
    learn_search("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", 6);
    ck_assert_int_eq(learn_positions(), 1);
}
END_TEST

START_TEST(only_searches_of_the_game_are_recorded)
{
    learn_apply(LEARNING_LEARN, LEARN_BEBE);
    learn_search(LEARN_ROOT, LEARNED_DEPTH_MIN - 1);
    SearchJob job = run_job(&learn_run, LEARN_ROOT);
    job.limits.depth = 6;
    job.limits.has_search_moves = true;
    job.limits.search_moves[job.limits.search_move_count++] = move_from_uci(&job.root, "e1g1");
    run_search(learn_engine, &job);
    job = run_job(&learn_run, LEARN_ROOT);
    job.limits.ponder = true;
    job.limits.depth = 6;
    engine_start(learn_engine, &job);
    run_await_depth(&learn_run, 6);
    engine_stop(learn_engine); // the opponent played another move
    engine_wait(learn_engine);
    learn_search("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", 6);
    job = run_job(&learn_run, LEARN_ROOT);
    job.limits.depth = 6;
    job.no_learning = true;
    run_search(learn_engine, &job);
    job = run_job(&learn_run, LEARN_ROOT);
    job.strength = strength_at(STRENGTH_ELO_MAX, 32, 1);
    run_search(learn_engine, &job);
    ck_assert_int_eq(learn_positions(), 0);
    job = run_job(&learn_run, LEARN_ROOT);
    job.limits.ponder = true;
    job.limits.depth = 6;
    engine_start(learn_engine, &job);
    engine_ponderhit(learn_engine);
    engine_wait(learn_engine);
    ck_assert_int_eq(learn_positions(), 1);
}
END_TEST

START_TEST(analysis_has_its_own_origin)
{
    learn_apply(LEARNING_LEARN, LEARN_BEBE);
    engine_set_analysing(learn_engine, true);
    const SearchJob job = learn_search(LEARN_ROOT, 6);
    ck_assert_int_eq(learned_table_find(learning_table(learn_learning()), job.root.key)->origin,
                     ORIGIN_ANALYSIS);
    learn_search(LEARN_ROOT, 6); // again: nothing new
    ck_assert(learning_flush(learn_learning(), 10000));
    ck_assert_int_eq(learning_state(learn_learning()).writer.written, 1);
    engine_set_analysing(learn_engine, false);
    SearchJob endless = run_job(&learn_run, FEN_START);
    endless.limits.infinite = true;
    engine_start(learn_engine, &endless);
    run_await_depth(&learn_run, 6);
    stop_search(learn_engine);
    ck_assert_int_eq(learned_table_find(learning_table(learn_learning()), endless.root.key)->origin,
                     ORIGIN_ANALYSIS);
}
END_TEST

/* Records a search of the position and plays two plies. */
static void record_search(Position *pos, Path *path, Score score, Score peak)
{
    Move moves[MAX_MOVES];
    gen_legal(pos, moves);
    const SearchOutcome outcome = {.best = moves[0], .score = score, .depth = 9, .peak = peak};
    learning_record(learn_learning(), pos, path, &outcome, ORIGIN_LEARNED);
    for (int i = 0; i < 2; i++) {
        gen_legal(pos, moves);
        pos_advance(pos, moves[0]);
        path_extend(path, pos);
    }
}

START_TEST(crafty_learns_when_a_score_falls_from_one_move_to_the_next)
{
    const SearchJob job = run_job(&learn_run, LEARN_ROOT);
    Position pos = job.root;
    Path path = job.path;
    learn_apply(LEARNING_LEARN, LEARN_CRAFTY);
    record_search(&pos, &path, 50, 500);
    record_search(&pos, &path, 60, 500);
    ck_assert_int_eq(learn_positions(), 0);
    record_search(&pos, &path, 60 - LEARNED_DROP, 60 - LEARNED_DROP);
    ck_assert_int_eq(learn_positions(), 1);
    record_search(&pos, &path, 61 - 2 * LEARNED_DROP, SCORE_NONE);
    ck_assert_int_eq(learn_positions(), 1);
    Position other = run_job(&learn_run, FEN_START).root;
    path_start(&path, &other); // another game, without ucinewgame
    record_search(&other, &path, -5000, SCORE_NONE);
    ck_assert_int_eq(learn_positions(), 1);
    path.keys[path.count - 3]++; // the same, from its second move on
    record_search(&other, &path, -9000, SCORE_NONE);
    ck_assert_int_eq(learn_positions(), 1);
    engine_new_game(learn_engine);
    record_search(&other, &path, -13000, SCORE_NONE);
    ck_assert_int_eq(learn_positions(), 1);
}
END_TEST

/* Plays move `i` of a game in which the start occurs twice. */
static void play_to_repetition(SearchJob *job, int i)
{
    static const char *const MOVES[] = {"g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "e7e5"};
    pos_advance(&job->root, move_from_uci(&job->root, MOVES[i]));
    path_extend(&job->path, &job->root);
}

/* Records a search in which the score fell by LEARNED_DROP. */
static void record_drop(const SearchJob *job, Score score, int depth)
{
    Move moves[MAX_MOVES];
    gen_legal(&job->root, moves);
    const SearchOutcome outcome = {
        .best = moves[0], .score = score, .depth = depth, .peak = score + LEARNED_DROP};
    learning_record(learn_learning(), &job->root, &job->path, &outcome, ORIGIN_LEARNED);
}

static void record_score(const SearchJob *job, Score score)
{
    record_drop(job, score, 9);
}

/* What memory knows about the root of `job`. */
static const LearnedEntry *known(const SearchJob *job)
{
    const LearnedEntry *const entry =
        learned_table_find(learning_table(learn_learning()), job->root.key);
    ck_assert_ptr_nonnull(entry);
    return entry;
}

START_TEST(a_newer_result_replaces_an_older_one)
{
    const SearchJob job = run_job(&learn_run, LEARN_ROOT);
    learn_apply(LEARNING_LEARN, LEARN_BEBE);
    record_score(&job, 500);
    record_score(&job, -300);
    ck_assert_int_eq(known(&job)->score, -300);
    learn_reopen();
    learn_apply(LEARNING_READ, LEARN_BEBE);
    ck_assert_int_eq(known(&job)->score, -300);
}
END_TEST

START_TEST(mouse_keeps_the_deeper_result_also_in_the_file)
{
    const SearchJob job = run_job(&learn_run, LEARN_ROOT);
    learn_apply(LEARNING_LEARN, LEARN_MOUSE);
    record_drop(&job, 500, 20);
    record_drop(&job, -300, 9);
    ck_assert_int_eq(known(&job)->depth, 20);
    learn_reopen();
    learn_apply(LEARNING_READ, LEARN_MOUSE);
    ck_assert_int_eq(known(&job)->depth, 20);
}
END_TEST

/* In another game such a move does not draw. */
START_TEST(a_search_in_which_a_position_could_occur_for_the_third_time_is_not_recorded)
{
    SearchJob job = run_job(&learn_run, FEN_START);
    learn_apply(LEARNING_LEARN, LEARN_BEBE);
    for (int i = 0; i < 6; i++) {
        const int64_t before = learn_positions();
        play_to_repetition(&job, i);
        record_score(&job, 500);
        ck_assert_int_eq(learn_positions() - before, i != 3 && i != 4);
    }
}
END_TEST

START_TEST(the_score_of_such_a_search_is_not_compared)
{
    SearchJob job = run_job(&learn_run, FEN_START);
    learn_apply(LEARNING_LEARN, LEARN_CRAFTY);
    for (int i = 0; i < 6; i++) {
        play_to_repetition(&job, i);
        if (i == 3 || i == 5)
            record_score(&job, -i * LEARNED_DROP);
    }
    ck_assert_int_eq(learn_positions(), 0);
}
END_TEST

START_TEST(scores_of_different_networks_are_not_compared)
{
    const SearchJob job = run_job(&learn_run, LEARN_ROOT);
    Position pos = job.root;
    Path path = job.path;
    learn_apply(LEARNING_LEARN, LEARN_CRAFTY);
    record_search(&pos, &path, 2000, SCORE_NONE);
    learning_set_network(learn_learning(), learn_network() + 1);
    record_search(&pos, &path, 0, SCORE_NONE);
    ck_assert_int_eq(learn_positions(), 0);
}
END_TEST

START_TEST(mouse_learns_when_a_score_falls_within_a_search)
{
    const SearchJob job = run_job(&learn_run, LEARN_ROOT);
    Position pos = job.root;
    Path path = job.path;
    learn_apply(LEARNING_LEARN, LEARN_MOUSE);
    record_search(&pos, &path, 50, 60);
    record_search(&pos, &path, -500, -490);
    ck_assert_int_eq(learn_positions(), 0);
    record_search(&pos, &path, 100, 100 + LEARNED_DROP);
    ck_assert_int_eq(learn_positions(), 1);
}
END_TEST

/* The score falls from iteration to iteration. */
START_TEST(mouse_compares_with_the_best_iteration)
{
    learn_apply(LEARNING_LEARN, LEARN_MOUSE);
    /* The mate by the rook is found only at higher depths. */
    Score peak = SCORE_NONE;
    learn_search("8/8/8/3k4/8/8/1r6/5K2 w - - 0 1", 14);
    for (int i = 0; i < learn_run.line_count; i++)
        if (learn_run.lines[i].depth >= 4 && learn_run.lines[i].bound == BOUND_EXACT &&
            (peak == SCORE_NONE || learn_run.lines[i].score > peak))
            peak = learn_run.lines[i].score;
    ck_assert_int_ge(peak - run_last(&learn_run)->score, LEARNED_DROP);
    ck_assert_int_eq(learn_positions(), 1);
}
END_TEST

START_TEST(only_options_that_change_scores_in_use_need_an_empty_table)
{
    LearningOptions options = *learning_options(learn_learning());
    options.fuzz++;
    ck_assert(!learning_set_options(learn_learning(), &options));
    learn_apply(LEARNING_LEARN, LEARN_BEBE);
    options = *learning_options(learn_learning());
    options.max--;
    ck_assert(!learning_set_options(learn_learning(), &options));
    learn_apply(LEARNING_LEARN, LEARN_BEBE);
    options.fuzz++;
    ck_assert(learning_set_options(learn_learning(), &options));
}
END_TEST

START_TEST(ram_is_limited_by_the_capacity)
{
    LearningOptions options = *learning_options(learn_learning());
    options.max = 5;
    learning_set_options(learn_learning(), &options);
    learn_apply(LEARNING_LEARN, LEARN_BEBE);
    const SearchOutcome outcome = {.score = 50, .depth = 9};
    for (uint64_t i = 0; i < 6000; i++) {
        Walk walk;
        Path path;
        SearchOutcome own = outcome;
        walk_start(&walk, i);
        for (int ply = 0; ply < 20 && gen_count(&walk.pos) > 1; ply++)
            walk_step(&walk);
        Move moves[MAX_MOVES];
        if (gen_legal(&walk.pos, moves) == 0)
            continue;
        own.best = moves[0];
        path_start(&path, &walk.pos);
        learning_record(learn_learning(), &walk.pos, &path, &own, ORIGIN_LEARNED);
    }
    ck_assert_int_le(learn_positions(), 5 + 4096);
    ck_assert_int_gt(learn_positions(), 1000); // those of this game are known beyond the capacity
    ck_assert(learning_flush(learn_learning(), 30000));
    engine_new_game(learn_engine);
    learning_apply(learn_learning(), learn_message);
    ck_assert_int_le(learn_positions(), 5);
    ck_assert_int_gt(learn_positions(), 0);
    LearnStoreCounts counts;
    LearnStore *const store = store_open();
    ck_assert_int_eq(learn_store_count(store, &counts), LEARN_STORE_DONE);
    learn_store_close(store);
    ck_assert_int_eq(counts.positions, 5);
}
END_TEST

START_TEST(advice_is_read_even_if_newer_positions_fill_the_table)
{
    LearnStore *const store = store_open();
    LearnedPosition advice = make_learned(0);
    advice.origin = ORIGIN_ADVICE;
    const LearnStoreRules rules = {.policy = LEARN_BEBE, .capacity = 1000};
    ck_assert_int_eq(learn_store_write(store, &advice, 1, rules), LEARN_STORE_DONE);
    store_write_made(store, 1, 20, 1000);
    learn_store_close(store);
    LearningOptions options = *learning_options(learn_learning());
    options.max = 10;
    learning_set_options(learn_learning(), &options);
    learn_apply(LEARNING_READ, LEARN_BEBE);
    ck_assert_int_eq(learn_positions(), 11); // and 10 newer ones
    ck_assert_ptr_nonnull(
        learned_table_find(learning_table(learn_learning()), learned_position_entry(&advice).key));
}
END_TEST

START_TEST(damage_that_hides_older_advice_is_named)
{
    store_make_file(500);
    store_damage(500);
    LearningOptions options = *learning_options(learn_learning());
    options.max = 10;
    learning_set_options(learn_learning(), &options);
    learn_set_options(LEARNING_READ, LEARN_BEBE);
    ck_assert(learning_apply(learn_learning(), learn_message));
    ck_assert_msg(strstr(learn_message, "cannot be read") != NULL, "%s", learn_message);
    ck_assert_int_eq(learn_positions(), 10);
}
END_TEST

START_TEST(crafty_keeps_65536_positions_at_most)
{
    LearningOptions options = *learning_options(learn_learning());
    options.max = 1000000;
    learning_set_options(learn_learning(), &options);
    learn_set_options(LEARNING_READ, LEARN_CRAFTY);
    ck_assert_int_eq(learning_capacity(learn_learning()), 65536);
    learn_set_options(LEARNING_READ, LEARN_BEBE);
    ck_assert_int_eq(learning_capacity(learn_learning()), 1000000);
}
END_TEST

/* The file has two results of a position, by two networks. */
START_TEST(the_result_of_the_network_in_use_is_known)
{
    const uint32_t networks[] = {learn_network(), 12345};
    const LearnStoreRules rules = {.policy = LEARN_BEBE, .capacity = 1000};
    LearnedPosition rows[] = {make_learned(1), make_learned(1)};
    LearnStore *const store = store_open();
    for (int i = 0; i < 2; i++) {
        rows[i].network = networks[i];
        rows[i].origin = i == 0 ? ORIGIN_LEARNED : ORIGIN_ANALYSIS;
        ck_assert_int_eq(learn_store_write(store, &rows[i], 1, rules), LEARN_STORE_DONE);
    }
    learn_store_close(store);
    learn_apply(LEARNING_READ, LEARN_BEBE);
    for (int i = 0; i < 4; i++) {
        const uint32_t network = networks[i % 2];
        learning_set_network(learn_learning(), network);
        learning_apply(learn_learning(), learn_message);
        const LearnedEntry *const entry = learned_table_find(learning_table(learn_learning()),
                                                             learned_position_entry(&rows[0]).key);
        ck_assert_ptr_nonnull(entry);
        ck_assert_uint_eq(entry->network, network);
    }
}
END_TEST

Suite *suite_learning(void);
Suite *suite_learning(void)
{
    Suite *const suite = suite_create("learning");
    TCase *const tcase = tcase_create("learning");
    tcase_add_checked_fixture(tcase, learn_setup, learn_teardown);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, learning_is_off_by_default);
    tcase_add_test(tcase, a_missing_path_is_reported_once);
    tcase_add_test(tcase, crafty_keeps_65536_positions_at_most);
    suite_add_tcase(suite, tcase);
    if (!store_tests_can_run(tcase))
        return suite;
    tcase_add_test(tcase, a_search_result_is_known_after_a_restart);
    tcase_add_test(tcase, read_mode_learns_nothing);
    tcase_add_test(tcase, only_searches_of_the_game_are_recorded);
    tcase_add_test(tcase, analysis_has_its_own_origin);
    tcase_add_test(tcase, a_newer_result_replaces_an_older_one);
    tcase_add_test(tcase, mouse_keeps_the_deeper_result_also_in_the_file);
    tcase_add_test(tcase, crafty_learns_when_a_score_falls_from_one_move_to_the_next);
    tcase_add_test(tcase,
                   a_search_in_which_a_position_could_occur_for_the_third_time_is_not_recorded);
    tcase_add_test(tcase, the_score_of_such_a_search_is_not_compared);
    tcase_add_test(tcase, scores_of_different_networks_are_not_compared);
    tcase_add_test(tcase, mouse_learns_when_a_score_falls_within_a_search);
    tcase_add_test(tcase, mouse_compares_with_the_best_iteration);
    tcase_add_test(tcase, advice_is_read_even_if_newer_positions_fill_the_table);
    tcase_add_test(tcase, damage_that_hides_older_advice_is_named);
    tcase_add_test(tcase, only_options_that_change_scores_in_use_need_an_empty_table);
    tcase_add_test(tcase, ram_is_limited_by_the_capacity);
    tcase_add_test(tcase, the_result_of_the_network_in_use_is_known);
    return suite;
}
