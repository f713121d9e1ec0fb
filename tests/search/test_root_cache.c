// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/root_cache.h"

#include <check.h>
#include <string.h>

#include "base/text.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/play.h"
#include "engine/engine_fixture.h"
#include "search/worker_fixture.h"
#include "tt/hashfile_fixture.h"

static const char OTHER_GAME[] = "8/5pk1/4p1p1/3pP2p/1p1P1P1P/1P3KP1/8/3B4 w - - 0 40";
static const char DRAWN[] = "4k3/8/8/8/8/8/8/4KN2 w - - 0 1";
enum { DEPTH = 9 };

static void setup(void)
{
    hash_enter(true);
    engine_setup();
    engine_set_analysing(engine, true);
}

static void teardown(void)
{
    engine_teardown();
    hash_leave();
}

static void search(const SearchJob *job)
{
    memset(&run, 0, sizeof run);
    run_search(engine, job);
    ck_assert_int_eq(run.done_count, 1);
    ck_assert(gen_is_legal(&job->root, run.best));
}

static SearchJob job_to(const char *fen, int depth)
{
    SearchJob job = run_job(&run, fen);
    job.limits.depth = depth;
    return job;
}

/* Searches the job. True when the first report has depth > 1 and no nodes: the root cache gave it.
 */
static bool is_resumed(const SearchJob *job)
{
    search(job);
    return run.lines[0].depth > 1 && run.lines[0].nodes == 0;
}

/* Plays moves from the root of the job, which then has the new position as its root. */
static void play(SearchJob *job, const char *moves)
{
    char copy[256], *cursor = copy;
    snprintf(copy, sizeof copy, "%s", moves);
    for (const char *word = text_word(&cursor); word != NULL; word = text_word(&cursor)) {
        const Move move = move_from_uci(&job->root, word);
        ck_assert_msg(move != MOVE_NONE, "%s", word);
        pos_advance(&job->root, move);
        path_extend(&job->path, &job->root);
    }
}

START_TEST(a_repeated_search_of_a_root_takes_no_nodes)
{
    const SearchJob job = job_to(MIDDLEGAME, DEPTH);
    search(&job);
    const Report first = *run_last(&run);
    const Move best = run.best, ponder = run.ponder;
    ck_assert_uint_gt(first.nodes, 1000);
    ck_assert(is_resumed(&job));
    ck_assert_int_eq(run.line_count, 1);
    ck_assert_int_eq(run.lines[0].depth, DEPTH);
    ck_assert_int_eq(run.lines[0].score, first.score);
    ck_assert_int_eq(run.lines[0].bound, BOUND_EXACT);
    ck_assert_int_eq(run.best, best);
    ck_assert_int_eq(run.ponder, ponder);
    ck_assert_int_ge(run.lines[0].pv_length, 3);
}
END_TEST

START_TEST(a_deeper_search_begins_after_the_cached_depth)
{
    SearchJob job = job_to(MIDDLEGAME, DEPTH);
    search(&job);
    job.limits.depth = DEPTH + 1;
    ck_assert(is_resumed(&job));
    ck_assert_int_eq(run.lines[0].depth, DEPTH);
    ck_assert_int_eq(run_last(&run)->depth, DEPTH + 1);
    ck_assert_uint_gt(run_last(&run)->nodes, 100);
    job.limits.depth = DEPTH - 3; // no report goes beyond the depth limit
    ck_assert(is_resumed(&job));
    ck_assert_int_eq(run_last(&run)->depth, DEPTH - 3);
    job.limits.depth = DEPTH + 1; // the smaller depth has not replaced the result
    ck_assert(is_resumed(&job));
    ck_assert_int_eq(run_last(&run)->nodes, 0);
}
END_TEST

START_TEST(the_cached_line_has_legal_moves_only)
{
    const char *const fens[] = {MIDDLEGAME, OTHER_GAME, DRAWN};
    for (int i = 0; i < 3; i++) {
        const SearchJob job = job_to(fens[i], DEPTH);
        search(&job);
        ck_assert(is_resumed(&job));
        Position pos = job.root;
        for (int ply = 0; ply < run.lines[0].pv_length; ply++) {
            ck_assert(gen_is_legal(&pos, run.lines[0].pv[ply]));
            pos_advance(&pos, run.lines[0].pv[ply]);
        }
    }
}
END_TEST

START_TEST(a_line_ends_at_a_draw_although_the_table_has_a_reply)
{
    SearchFixture f;
    Worker *const w = fixture_open(&f, DRAWN, 1);
    RootMove *const root = &w->root_moves[0];
    Position after;
    Move replies[MAX_MOVES];
    TtStats unused = {0};
    pos_play(&after, &worker_stack(w, 0)->pos, root->move);
    gen_legal(&after, replies);
    const TtData data = {.move = replies[0], .score = 300, .depth = 5, .bound = BOUND_EXACT};
    tt_store(w->shared->tt, table_key(&after), (SearchPoint){.ply = 1}, &data, &unused);
    root->pv[0] = root->move;
    root->pv_length = 1;
    root_cache_extend_pv(w, root, 3);
    ck_assert_int_eq(root->pv_length, 1);
    fixture_close(&f);
}
END_TEST

START_TEST(a_stopped_search_continues_from_its_last_depth)
{
    SearchJob job = job_to(MIDDLEGAME, 0);
    job.limits.nodes = 60000;
    for (int i = 0; i < 4; i++) {
        const int before = run.line_count > 0 ? run_last(&run)->depth : 0;
        search(&job);
        if (i > 0) {
            ck_assert_int_ge(run.lines[0].depth, before - 1);
            ck_assert_uint_eq(run.lines[0].nodes, 0);
        }
    }
    ck_assert_int_gt(run_last(&run)->depth, DEPTH);
}
END_TEST

START_TEST(searches_in_a_game_do_not_use_the_root_cache)
{
    SearchJob job = job_to(MIDDLEGAME, DEPTH);
    search(&job);
    engine_set_analysing(engine, false);
    ck_assert(!is_resumed(&job));
    engine_set_analysing(engine, true);
    job.limits.has_clock = true;
    job.limits.clock_ms[WHITE] = 600000;
    ck_assert(!is_resumed(&job));
    job = job_to(MIDDLEGAME, DEPTH);
    job.limits.ponder = true;
    engine_start(engine, &job);
    engine_ponderhit(engine);
    engine_wait(engine);
    ck_assert_uint_gt(run_last(&run)->nodes, 0);
}
END_TEST

START_TEST(searches_of_other_kinds_do_not_use_the_root_cache)
{
    SearchJob job = job_to(MIDDLEGAME, DEPTH);
    search(&job);
    job.multi_pv = 2;
    ck_assert(!is_resumed(&job));
    job.multi_pv = 1;
    job.strength = strength_at(STRENGTH_ELO_MAX, 32, 1);
    ck_assert(!is_resumed(&job));
    job.strength = (Strength){0};
    job.limits.mate = 3;
    ck_assert(!is_resumed(&job));
    job.limits.mate = 0;
    ck_assert(is_resumed(&job));
    job.limits.has_search_moves = true;
    job.limits.search_moves[0] = move_from_uci(&job.root, "a2a3");
    job.limits.search_move_count = 1;
    job.limits.depth = DEPTH + 2;
    ck_assert(!is_resumed(&job));
    /* The result of searchmoves is not used for a search of all moves. */
    job = job_to(MIDDLEGAME, DEPTH + 2);
    ck_assert(is_resumed(&job));
    ck_assert_int_eq(run.lines[0].depth, DEPTH);
}
END_TEST

START_TEST(a_cached_result_is_used_only_with_the_same_game_history)
{
    static const char shuffle[] = "e1e2 e8e7 e2e1 e7e8";
    SearchJob job = job_to(DRAWN, DEPTH);
    search(&job);
    ck_assert(score_is_near_draw(run_last(&run)->score));
    ck_assert(is_resumed(&job));
    ck_assert(score_is_near_draw(run_last(&run)->score));
    ck_assert_int_eq(run_last(&run)->depth, DEPTH);
    play(&job, shuffle); // the same position, once repeated
    ck_assert(!is_resumed(&job));
    job = job_to("4k3/8/8/8/8/8/8/4KN2 w - - 20 30", DEPTH);
    ck_assert(!is_resumed(&job));
    job = job_to(DRAWN, DEPTH);
    play(&job, "e1e2 e8e7");
    search(&job);
    ck_assert(is_resumed(&job));
    job = job_to("4k3/8/8/8/8/8/8/3K1N2 w - - 0 30", DEPTH);
    play(&job, "d1e2 e8e7"); // the same but for the first position
    ck_assert(!is_resumed(&job));
    job = job_to(MIDDLEGAME, DEPTH);
    search(&job);
    play(&job, "f3g1 f6e8 g1f3 e8f6");
    ck_assert(!is_resumed(&job));
}
END_TEST

/* True when a search may begin with the cached result `move` of the root. */
static bool is_used(SearchFixture *f, const char *move)
{
    const Position *const root = &f->job.root;
    const TtData data = {.move = move_from_uci(root, move),
                         .score = 300,
                         .eval = SCORE_NONE,
                         .depth = DEPTH,
                         .bound = BOUND_EXACT};
    TtStats unused = {0};
    worker_prepare(f->workers[0]);
    tt_store(&f->tt, root_cache_key(root, &f->shared.syzygy), (SearchPoint){.ply = 0}, &data,
             &unused);
    return root_cache_load(f->workers[0], MAX_DEPTH);
}

/* The result is of another game, in which its line does not draw. */
START_TEST(a_result_is_not_used_if_a_position_could_occur_for_the_third_time)
{
    SearchFixture f;
    fixture_open(&f, "4k3/8/8/8/8/8/4P3/1R2K3 b - - 0 1", 1);
    play(&f.job, "e8e7 b1c1 e7e8");
    ck_assert(is_used(&f, "c1b1")); // for the second time
    ck_assert_int_eq(f.workers[0]->path.count, f.job.path.count);
    ck_assert(f.workers[0]->may_stop);
    play(&f.job, "c1b1 e8e7 b1a1 e7e8");
    ck_assert(!is_used(&f, "a1b1"));
    fixture_close(&f);
}
END_TEST

/* After a2b4 c6b7 the reply c6b7 to b4a2 draws in the second game, and b4a2 wins in the first. */
START_TEST(a_reply_may_repeat_a_position_for_the_third_time)
{
    SearchJob once = job_to("8/8/2k5/8/K7/1R1B4/N7/2q5 w - - 0 1", DEPTH), twice = once;
    play(&once, "a2b4 c6b7");
    play(&twice, "a4a5 c1c3 a5a4 c3c1 a2b4 c6b7");
    search(&once);
    ck_assert(is_resumed(&once));
    ck_assert(!is_resumed(&twice));
    ck_assert(is_resumed(&twice));
    engine_clear_hash(engine);
    search(&twice);
    ck_assert(!is_resumed(&once));
}
END_TEST

/* In the game a5a4 repeats a position for the third time. */
START_TEST(a_search_of_a_game_leaves_no_result_that_depends_on_it)
{
    const SearchJob other = job_to("8/8/2r5/Q7/5k2/3K2b1/8/8 w - - 10 6", DEPTH);
    SearchJob job = job_to("8/8/8/8/Q1r2k2/3K2b1/8/8 w - - 0 1", DEPTH);
    play(&job, "a4a1 c4c6 a1a4 c6c4 a4a1 c4c6 a1a4 f4f5 a4a5 f5f4");
    ck_assert_uint_eq(job.root.key, other.root.key);
    engine_set_analysing(engine, false);
    search(&job);
    engine_set_analysing(engine, true);
    ck_assert(!is_resumed(&other));
}
END_TEST

/* After these moves f3g1 draws, and the search may avoid or choose it for that. */
START_TEST(a_result_of_a_game_with_a_possible_repetition_is_used_only_there)
{
    const SearchJob other = job_to(MIDDLEGAME, DEPTH);
    SearchJob job =
        job_to("r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBP3/PP1N1PPP/R2QK1NR b KQ - 5 8", DEPTH);
    play(&job, "f6e8 g1e2 e8f6 e2g1 f6e8 g1f3 e8f6");
    ck_assert_uint_eq(job.root.key, other.root.key);
    search(&job);
    ck_assert(is_resumed(&job));
    ck_assert(!is_resumed(&other));
}
END_TEST

/* In the game d5d1 and d1d5 repeat a position for the third time, so White cannot win the knight.
 * The entry of the position after h8g8, which is not the root, knows this. */
START_TEST(nor_does_a_search_leave_such_an_entry_below_its_root)
{
    SearchJob job = job_to("2b2rk1/6pp/8/n7/8/8/PP1Q1PPP/2N3K1 w - - 0 1", DEPTH + 3);
    const SearchJob other = job_to("2b2rk1/6pp/8/n7/8/8/PP3PPP/2NQ2K1 w - - 0 1", DEPTH);
    play(&job, "d2d5 g8h8 d5d2 h8g8 d2d5 g8h8 d5d1");
    job.limits.has_search_moves = true;
    job.limits.search_moves[0] = move_from_uci(&job.root, "h8g8");
    job.limits.search_move_count = 1;
    search(&job);
    ck_assert(!is_resumed(&other));
}
END_TEST

/* A score may depend on a high fifty-move counter. */
START_TEST(a_result_is_not_used_with_another_counter_near_the_fifty_moves)
{
    static const char *const FENS[] = {
        "8/8/8/3k4/8/8/4BB2/K7 w - - 0 60", "8/8/8/3k4/8/8/4BB2/K7 w - - 60 60",
        "8/8/8/3k4/8/8/4BB2/K7 w - - 88 60", "8/8/8/3k4/8/8/4BB2/K7 w - - 97 60"};
    for (int first = 0; first < 3; first++)
        for (int second = first + 1; second < 4; second++) {
            engine_clear_hash(engine);
            const SearchJob job = job_to(FENS[first], DEPTH), other = job_to(FENS[second], DEPTH);
            search(&job);
            ck_assert_msg(!is_resumed(&other), "%s after %s", FENS[second], FENS[first]);
        }
    for (int i = 1; i < 4; i++) { // the same game
        const SearchJob job = job_to(FENS[i], DEPTH);
        search(&job);
        ck_assert_msg(is_resumed(&job), "%s", FENS[i]);
    }
}
END_TEST

/* The pawn's move sets the counter to 0, so the mate needs more plies than the counter leaves. */
START_TEST(a_mate_is_not_kept_as_a_draw)
{
    const SearchJob job = job_to("8/P7/8/8/8/8/1k6/7K w - - 88 100", 22);
    search(&job);
    ck_assert(score_is_mate(run_last(&run)->score));
    search(&job);
    ck_assert(score_is_mate(run_last(&run)->score));
}
END_TEST

/* Whether a search with these tables may begin with a result that is known to a search without. */
static bool is_used_with(SearchFixture *f, SyzygyUse use)
{
    f->shared.syzygy = use;
    return root_cache_load(f->workers[0], MAX_DEPTH);
}

START_TEST(results_without_tables_are_not_used_with_them)
{
    const SyzygyUse five = {.men = 5, .rule50 = true}, six = {.men = 6, .rule50 = true},
                    without_rule = {.men = 5}, none = {.men = 0};
    SearchFixture f;
    Worker *const w = fixture_open(&f, MIDDLEGAME, 1);
    const TtData data = {.move = w->root_moves[0].move,
                         .score = 300,
                         .eval = SCORE_NONE,
                         .depth = DEPTH,
                         .bound = BOUND_EXACT};
    TtStats unused = {0};
    tt_store(&f.tt, f.job.root.key, (SearchPoint){.ply = 0}, &data, &unused);
    ck_assert(is_used_with(&f, none));
    ck_assert(!is_used_with(&f, five));
    w->completed = w->root_moves[0];
    w->completed.score = 300;
    w->completed_depth = DEPTH + 1;
    root_cache_store(w);
    ck_assert(is_used_with(&f, five));
    ck_assert(!is_used_with(&f, six));
    ck_assert(!is_used_with(&f, without_rule));
    fixture_close(&f);
}
END_TEST

/* Stores a result of the root; true when a search may begin with it. */
static bool is_stored(const char *fen, Score score)
{
    SearchFixture f;
    Worker *const w = fixture_open(&f, fen, 1);
    w->completed = w->root_moves[0];
    w->completed.score = score;
    w->completed_depth = DEPTH;
    root_cache_store(w);
    w->completed.score = SCORE_NONE;
    const bool is_loaded = root_cache_load(w, MAX_DEPTH);
    ck_assert_int_eq(w->completed.score, is_loaded ? score : SCORE_NONE);
    fixture_close(&f);
    return is_loaded;
}

/* The largest evaluation stands for a mate too far away. A hash file keeps only the move of such a
 * result, as it does of a draw. */
START_TEST(a_mate_beyond_the_fifty_moves_is_not_kept)
{
    static const char *const FENS[] = {"8/8/8/3k4/8/8/4BB2/K7 w - - 0 60",
                                       "8/8/8/3k4/8/8/4BB2/K7 w - - 30 60"};
    for (int i = 0; i < 2; i++) {
        ck_assert(is_stored(FENS[i], SCORE_EVAL_MAX - 1));
        ck_assert(is_stored(FENS[i], 1 - SCORE_EVAL_MAX));
        ck_assert(!is_stored(FENS[i], SCORE_EVAL_MAX));
        ck_assert(!is_stored(FENS[i], -SCORE_EVAL_MAX));
        ck_assert(!is_stored(FENS[i], SCORE_MATE - 9));
    }
}
END_TEST

START_TEST(entries_do_not_age_while_one_game_is_analysed)
{
    static const char *const steps[] = {
        "",          "e1g1", "e1g1 b7b6",     "e1g1 b7b6 f3e5 c8b7 h2h3 a8c8 a2a3 d8c7 a1c1 f8d8",
        "e1g1 b7b6", "a2a3", "e1g1 a7a6 a2a3"};
    unsigned generation = 0;
    for (int i = 0; i < 7; i++) {
        SearchJob job = job_to(MIDDLEGAME, 7);
        play(&job, steps[i]);
        engine_new_game(engine); // some GUIs send ucinewgame for every position
        search(&job);
        if (i > 0)
            ck_assert_uint_eq(engine_table(engine)->generation, generation);
        generation = engine_table(engine)->generation;
    }
    const SearchJob other = job_to(OTHER_GAME, 7);
    search(&other);
    ck_assert_uint_ne(engine_table(engine)->generation, generation);
    generation = engine_table(engine)->generation;
    const SearchJob back = job_to(MIDDLEGAME, 7);
    ck_assert(is_resumed(&back));
    ck_assert_uint_eq(engine_table(engine)->generation, generation);
    engine_set_analysing(engine, false);
    search(&back);
    ck_assert_uint_ne(engine_table(engine)->generation, generation);
}
END_TEST

/* Some GUIs send positions by FEN, without the moves that led there. */
START_TEST(positions_without_a_game_are_related_by_pieces_or_table)
{
    Tt table;
    SearchJob first = job_to(MIDDLEGAME, 1), second = first;
    hash_make_table(&table, 1, REPLACE_THOMPSON);
    const SearchJob none = {.multi_pv = 0};
    ck_assert(!root_cache_is_related(&table, &none, &first));
    play(&second, "e1g1 b7b6 f3e5 c8b7");
    path_start(&second.path, &second.root);
    ck_assert(root_cache_is_related(&table, &first, &second));
    ck_assert(root_cache_is_related(&table, &second, &first));
    second = job_to(OTHER_GAME, 1);
    ck_assert(!root_cache_is_related(&table, &first, &second));
    const TtData known = {.score = SCORE_NONE, .eval = 5, .bound = BOUND_NONE};
    TtStats unused = {0};
    tt_store(&table, second.root.key, (SearchPoint){.ply = 0}, &known, &unused);
    ck_assert(root_cache_is_related(&table, &first, &second));
    tt_free(&table);
}
END_TEST

/* The saved table is that of a game. Its last search may have stored only a bound for the root. */
START_TEST(a_hash_file_restores_the_last_depth)
{
    const char *const fens[] = {MIDDLEGAME, OTHER_GAME, DRAWN};
    HashFileTask task = {.path = hash_path, .min_depth = 6, .max_bytes = 1 << 30};
    engine_set_analysing(engine, false);
    for (int i = 0; i < 3; i++) {
        SearchJob job = job_to(fens[i], 0);
        job.limits.nodes = 100000 + (uint64_t)i; // the limit falls within an iteration
        search(&job);
        const int depth = run.lines[run.line_count - 1].depth;
        ck_assert(engine_save_hash(engine, &task, &run_ignore_save));
        ck_assert(engine_await_save(engine));
        engine_new_game(engine);
        ck_assert(!is_resumed(&job));
        engine_new_game(engine);
        ck_assert(engine_load_hash(engine, &task, &hash_sum, hash_error));
        ck_assert(is_resumed(&job));
        ck_assert_int_ge(run.lines[0].depth, depth - 1);
        engine_new_game(engine); // outside analysis a new game clears the table
        ck_assert(!is_resumed(&job));
    }
}
END_TEST

START_TEST(several_threads_use_the_cached_depth)
{
    engine_set_threads(engine, 3);
    SearchJob job = job_to(MIDDLEGAME, DEPTH);
    search(&job);
    for (int i = 0; i < 10; i++) {
        job.limits.depth = DEPTH + i / 4;
        search(&job);
        ck_assert_int_ge(run.lines[0].depth, DEPTH);
        ck_assert_int_eq(run.best, run_last(&run)->pv[0]);
    }
}
END_TEST

Suite *suite_root_cache(void);
Suite *suite_root_cache(void)
{
    Suite *const suite = suite_create("root_cache");
    TCase *const tcase = tcase_create("resume");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, a_repeated_search_of_a_root_takes_no_nodes);
    tcase_add_test(tcase, a_deeper_search_begins_after_the_cached_depth);
    tcase_add_test(tcase, the_cached_line_has_legal_moves_only);
    tcase_add_test(tcase, a_line_ends_at_a_draw_although_the_table_has_a_reply);
    tcase_add_test(tcase, a_stopped_search_continues_from_its_last_depth);
    tcase_add_test(tcase, searches_in_a_game_do_not_use_the_root_cache);
    tcase_add_test(tcase, searches_of_other_kinds_do_not_use_the_root_cache);
    tcase_add_test(tcase, a_cached_result_is_used_only_with_the_same_game_history);
    tcase_add_test(tcase, a_result_is_not_used_if_a_position_could_occur_for_the_third_time);
    tcase_add_test(tcase, a_reply_may_repeat_a_position_for_the_third_time);
    tcase_add_test(tcase, a_search_of_a_game_leaves_no_result_that_depends_on_it);
    tcase_add_test(tcase, a_result_of_a_game_with_a_possible_repetition_is_used_only_there);
    tcase_add_test(tcase, nor_does_a_search_leave_such_an_entry_below_its_root);
    tcase_add_test(tcase, results_without_tables_are_not_used_with_them);
    tcase_add_test(tcase, a_result_is_not_used_with_another_counter_near_the_fifty_moves);
    tcase_add_test(tcase, a_mate_is_not_kept_as_a_draw);
    tcase_add_test(tcase, a_mate_beyond_the_fifty_moves_is_not_kept);
    tcase_add_test(tcase, entries_do_not_age_while_one_game_is_analysed);
    tcase_add_test(tcase, positions_without_a_game_are_related_by_pieces_or_table);
    tcase_add_test(tcase, a_hash_file_restores_the_last_depth);
    tcase_add_test(tcase, several_threads_use_the_cached_depth);
    suite_add_tcase(suite, tcase);
    return suite;
}
