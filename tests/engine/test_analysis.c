// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis.h"

#include <check.h>
#include <stdlib.h>
#include <unistd.h>

#include "chess/chess960.h"
#include "chess/fen.h"
#include "engine/engine_run.h"
#include "learning/learn_store_fixture.h"
#include "shared_data.h"
#include "short_memory.h"
#include "skip.h"

enum { POSITIONS_MAX = 64 };

static Engine *engine;
static Analyst *analyst;
static PgnGame game;
static Analysis analyses[POSITIONS_MAX];

static void setup(void)
{
    engine = run_open_engine(2);
    engine_set_analysing(engine, true);
    analyst = analyst_create(engine);
    ck_assert_ptr_nonnull(analyst);
}

static void teardown(void)
{
    analyst_destroy(analyst);
    engine_destroy(engine);
    pgn_game_free(&game);
}

static void count_step(void *ctx)
{
    ++*(int *)ctx;
}

/* Analyses the game to this depth; returns the number of steps. */
static int analyse(const char *text, int depth)
{
    int steps = 0;
    PgnReader reader = pgn_reader(text);
    ck_assert_int_eq(pgn_game_read(&reader, &game), 1);
    ck_assert_str_eq(game.error, "");
    ck_assert_int_lt(game.move_count, POSITIONS_MAX);
    AnalystTask task = {.step = count_step, .ctx = &steps};
    task.job.multi_pv = 1;
    task.job.limits = (Limits){.depth = depth};
    ck_assert(analyst_game(analyst, &game, &task, analyses));
    return steps;
}

START_TEST(every_position_of_a_game_is_analysed)
{
    const int steps = analyse("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0", 5);
    ck_assert_int_eq(steps, 8);
    for (int i = 0; i < 7; i++) {
        ck_assert_int_eq(analyses[i].source, SOURCE_SEARCH);
        ck_assert_int_eq(analyses[i].depth, 5);
        ck_assert_int_gt(analyses[i].line_length, 0);
        const WinShares s = analyses[i].shares;
        ck_assert_int_eq(s.wins + s.draws + s.losses, 1000);
    }
    ck_assert_int_eq(analyses[7].source, SOURCE_RULES);
    ck_assert_int_eq(analyses[7].score, score_mated_in(0));
    ck_assert_int_eq(analyses[7].shares.losses, 1000);
    ck_assert_int_eq(analyses[7].line_length, 0);
    ck_assert_int_eq(score_mate_moves(analyses[6].score), 1);
}
END_TEST

START_TEST(of_several_lines_the_first_counts)
{
    Analysis analysis;
    SearchJob job = {.multi_pv = 3, .limits = {.depth = 5}};
    char error[FEN_ERROR_MAX];
    ck_assert(fen_parse(&job.root, "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", false, error));
    path_start(&job.path, &job.root);
    ck_assert(analyst_search(analyst, &job, true, NULL, NULL, &analysis));
    ck_assert_int_eq(score_mate_moves(analysis.score), 1);
    ck_assert_int_eq(analysis.line_length, 1);
}
END_TEST

START_TEST(a_move_that_allows_mate_is_a_blunder)
{
    analyse("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0", 5);
    const MoveJudgement blunder = analysis_judge(&analyses[5], game.moves[5].move, &analyses[6]);
    ck_assert_int_eq(blunder.nag, 4);
    ck_assert(!blunder.is_best);
    ck_assert_double_gt(blunder.loss, 0.2);
    const MoveJudgement mate = analysis_judge(&analyses[6], game.moves[6].move, &analyses[7]);
    ck_assert_int_eq(mate.nag, 0);
    ck_assert(mate.is_best);
    ck_assert_double_eq_tol(mate.loss, 0.0, 1e-9);
}
END_TEST

START_TEST(every_mate_is_the_best_move)
{
    analyse("[FEN \"6k1/5ppp/8/8/8/8/8/RR4K1 w - - 0 1\"]\n1. Ra8# *", 4);
    const MoveJudgement a = analysis_judge(&analyses[0], game.moves[0].move, &analyses[1]);
    analyse("[FEN \"6k1/5ppp/8/8/8/8/8/RR4K1 w - - 0 1\"]\n1. Rb8# *", 4);
    const MoveJudgement b = analysis_judge(&analyses[0], game.moves[0].move, &analyses[1]);
    ck_assert(a.is_best && b.is_best);
}
END_TEST

START_TEST(a_game_without_moves_needs_no_search)
{
    ck_assert_int_eq(analyse("*", 30), 0);
}
END_TEST

/* The shares before and after a move, each for its side to move, and the glyph. */
static const struct {
    WinShares before, after;
    bool is_best;
    int nag;
} JUDGEMENTS[] = {
    {{500, 300, 200}, {200, 300, 500}, false, 0}, // nothing lost
    {{500, 300, 200}, {244, 300, 456}, false, 0}, // 4.4%
    {{500, 300, 200}, {245, 300, 455}, false, 6}, // 4.5%, shown as 5%
    {{500, 300, 200}, {294, 300, 406}, false, 6}, // 9.4%
    {{500, 300, 200}, {295, 300, 405}, false, 2}, // 9.5%, shown as 10%
    {{500, 300, 200}, {400, 300, 300}, false, 4}, // 20%
    {{500, 300, 200}, {1000, 0, 0}, false, 4},
    {{500, 300, 200}, {1000, 0, 0}, true, 0},  // the best move loses nothing
    {{200, 300, 500}, {0, 0, 1000}, false, 0}, // better than the best line
    {{0, 0, 1000}, {1000, 0, 0}, false, 0},    // lost is lost
    {{1000, 0, 0}, {0, 1000, 0}, false, 4},    // half a point
};

START_TEST(moves_are_judged_by_the_chances_they_lose)
{
    Analysis before = {.shares = JUDGEMENTS[_i].before, .line_length = 1};
    Analysis after = {.shares = JUDGEMENTS[_i].after};
    const Move move = move_make(1, 2, 0), other = move_make(1, 3, 0);
    before.line[0] = move;
    const MoveJudgement j = analysis_judge(&before, JUDGEMENTS[_i].is_best ? move : other, &after);
    ck_assert_int_eq(j.nag, JUDGEMENTS[_i].nag);
    ck_assert_int_eq(j.is_best, JUDGEMENTS[_i].is_best);
    ck_assert_double_ge(j.loss, 0.0);
}
END_TEST

START_TEST(a_second_analysis_comes_from_the_table)
{
    analyse("1. e4 e5 2. Nf3 *", 6);
    ck_assert_int_eq(analyses[1].source, SOURCE_SEARCH);
    const Score score = analyses[1].score;
    analyse("1. e4 e5 2. Nf3 *", 6);
    ck_assert_int_eq(analyses[1].source, SOURCE_TABLE);
    ck_assert_int_eq(analyses[1].score, score);
    ck_assert_int_eq(analyses[1].depth, 6);
    analyse("1. e4 e5 2. Nf3 *", 7); // a deeper search is new
    ck_assert_int_eq(analyses[1].source, SOURCE_SEARCH);
}
END_TEST

START_TEST(a_draw_counts_only_where_the_game_ends)
{
    analyse("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2", 4);
    ck_assert_int_eq(analyses[8].source, SOURCE_RULES);
    ck_assert_int_eq(analyses[8].shares.draws, 1000);
    analyse("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *", 4);
    ck_assert_int_ne(analyses[8].source, SOURCE_RULES);
    analyse("1. Nf3 Nf6 2. Ng1 Ng8 *", 4); // the position has occurred only twice
    ck_assert_int_ne(analyses[4].source, SOURCE_RULES);
    analyse("[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 99 80\"]\n1. Kd2 1/2-1/2", 4);
    ck_assert_int_eq(analyses[1].source, SOURCE_RULES);
    ck_assert_int_eq(analyses[1].shares.draws, 1000);
}
END_TEST

START_TEST(no_search_is_needed_where_neither_side_can_mate)
{
    analyse("[FEN \"4k3/8/8/8/8/8/4p3/4K3 w - - 0 1\"]\n1. Kxe2 Kd7 2. Ke3 1/2-1/2", 4);
    ck_assert_int_eq(analyses[0].source, SOURCE_SEARCH);
    for (int i = 1; i < 4; i++) {
        ck_assert_int_eq(analyses[i].source, SOURCE_RULES);
        ck_assert_int_eq(analyses[i].score, SCORE_DRAW);
        ck_assert_int_eq(analyses[i].shares.draws, 1000);
    }
}
END_TEST

static bool stops(void *ctx)
{
    (void)ctx;
    return true;
}

START_TEST(an_analysis_can_be_stopped)
{
    Analysis analysis;
    SearchJob job = {.multi_pv = 1};
    char error[FEN_ERROR_MAX];
    ck_assert(fen_parse(&job.root, FEN_START, false, error));
    path_start(&job.path, &job.root);
    job.limits = (Limits){.depth = 200};
    ck_assert(!analyst_search(analyst, &job, false, stops, NULL, &analysis));
    job.limits = (Limits){.depth = 1}; // ends before `stops` is asked, as after `stop`
    ck_assert(!analyst_search(analyst, &job, false, stops, NULL, &analysis));
}
END_TEST

START_TEST(an_analysis_needs_no_memory)
{
    Analysis analysis = {.depth = 0};
    SearchJob job = {.multi_pv = 1, .limits = {.depth = 3}};
    pos_start(&job.root);
    path_start(&job.path, &job.root);
    if (short_memory_begin()) {
        const bool is_done = analyst_search(analyst, &job, false, NULL, NULL, &analysis);
        short_memory_end();
        ck_assert(is_done);
        ck_assert_int_eq(analysis.depth, 3);
    }
}
END_TEST

static bool stops_after_two_steps(void *ctx)
{
    return *(int *)ctx >= 2;
}

START_TEST(a_game_can_be_stopped_between_short_searches)
{
    int steps = 0;
    PgnReader reader = pgn_reader("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 *");
    ck_assert_int_eq(pgn_game_read(&reader, &game), 1);
    AnalystTask task = {.stops = stops_after_two_steps, .step = count_step, .ctx = &steps};
    task.job.multi_pv = 1;
    task.job.limits = (Limits){.depth = 1};
    ck_assert(!analyst_game(analyst, &game, &task, analyses));
    ck_assert_int_eq(steps, 2);
}
END_TEST

START_TEST(tablebases_are_named)
{
    char folder[SHARED_PATH_MAX], error[SYZYGY_ERROR_MAX];
    if (!syzygy_is_linked()) {
        skip_test("built without libfathom");
        return;
    }
    if (!shared_find("syzygy/tables", folder))
        return;
    ck_assert_msg(engine_set_syzygy(engine, folder, error), "%s", error);
    analyse("[FEN \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"]\n1. Kd2 Kd4 2. e3+ *", 5);
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(analyses[i].source, SOURCE_TABLEBASE);
        ck_assert_int_eq(analyses[i].source_plies, 0);
        ck_assert_int_eq(analyses[i].shares.draws, 1000);
    }
    /* The root is in no table here, but the position behind the capture is. */
    analyse("[FEN \"4k3/8/8/3q4/8/N7/8/3Q2K1 w - - 0 1\"]\n1. Qxd5 *", 4);
    ck_assert_int_eq(analyses[0].source, SOURCE_TABLEBASE);
    ck_assert_int_eq(analyses[0].source_plies, 1);
    ck_assert_int_eq(analyses[0].depth, 0);
    /* The search does not probe the positions behind a loss of castling rights. */
    analyse("[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n1. Kd2 *", 4);
    ck_assert_int_eq(analyses[0].source, SOURCE_SEARCH);
    /* A mate comes from the search, although its root or its last position is in the tables. */
    analyse("[FEN \"7k/8/5K2/8/8/8/8/6Q1 w - - 0 1\"]\n1. Qg7# *", 4);
    ck_assert_int_eq(analyses[0].source, SOURCE_SEARCH);
    SyzygyUse use = engine_syzygy_use(engine);
    use.men = 3;
    engine_set_syzygy_use(engine, use);
    analyse("[FEN \"7k/6p1/6K1/8/8/8/1Q6/8 w - - 0 1\"]\n1. Qxg7# *", 4);
    ck_assert_int_eq(analyses[0].source, SOURCE_SEARCH);
}
END_TEST

START_TEST(a_hash_file_is_named)
{
    char path[] = "/tmp/palimpsest-analysis-XXXXXX", error[HASHFILE_ERROR_MAX];
    const int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
    HashFileTask task = {.path = path, .min_depth = 1, .max_bytes = INT64_C(1) << 30};
    HashFileSummary summary;
    analyse("1. e4 e5 2. Nf3 *", 6);
    ck_assert(engine_save_hash(engine, &task, &run_ignore_save));
    ck_assert(engine_await_save(engine));
    teardown();
    setup();
    ck_assert_msg(engine_load_hash(engine, &task, &summary, error), "%s", error);
    analyse("1. e4 e5 2. Nf3 *", 6);
    remove(path);
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(analyses[i].source, SOURCE_HASH_FILE);
        ck_assert_int_eq(analyses[i].depth, 6);
    }
    analyse("1. e4 e5 2. Nf3 *", 6);
    ck_assert_int_eq(analyses[0].source, SOURCE_TABLE); // this process has searched it by now
}
END_TEST

START_TEST(learned_positions_are_named)
{
    char message[LEARNING_MESSAGE_MAX];
    store_setup();
    LearningOptions options = *learning_options(engine_learning(engine));
    options.mode = LEARNING_LEARN;
    options.policy = LEARN_BEBE; // keeps the root of every search
    snprintf(options.path, sizeof options.path, "%s", store_path);
    learning_set_options(engine_learning(engine), &options);
    ck_assert(learning_apply(engine_learning(engine), message));
    ck_assert_int_eq(learning_state(engine_learning(engine)).mode, LEARNING_LEARN);
    analyse("1. e4 e5 2. Nf3 Nc6 *", 8);
    /* Whether the best lines of an analysis pass through learned positions depends on its depth. */
    int learned = 0, just_deep_enough = 0;
    for (int depth = 4; depth <= 9; depth++) {
        engine_clear_hash(engine);
        analyse("1. e4 e5 2. Nf3 Nc6 *", depth);
        for (int i = 0; i < 4; i++)
            if (analyses[i].source == SOURCE_LEARNED) {
                ck_assert_int_gt(analyses[i].source_plies, 0);
                ck_assert_int_ge(analyses[i].depth, depth - analyses[i].source_plies);
                just_deep_enough += analyses[i].depth == depth - analyses[i].source_plies;
                learned++;
            }
    }
    ck_assert_int_gt(learned, 0);
    ck_assert_int_gt(just_deep_enough, 0);
    options.mode = LEARNING_READ;
    learning_set_options(engine_learning(engine), &options);
    ck_assert(learning_apply(engine_learning(engine), message));
    static Network other; // its searches use no scores of the one before
    network_randomise(&other, 1);
    engine_set_eval(engine, (EvalSource){.network = &other});
    analyse("1. e4 e5 2. Nf3 Nc6 *", 6);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(analyses[i].source, SOURCE_SEARCH);
    options.mode = LEARNING_OFF; // closes the file, which another thread writes
    learning_set_options(engine_learning(engine), &options);
    ck_assert(!learning_apply(engine_learning(engine), message));
    store_teardown();
}
END_TEST

Suite *suite_analysis(void);
Suite *suite_analysis(void)
{
    Suite *suite = suite_create("analysis");
    TCase *tcase = tcase_create("analysis");
    tcase_set_timeout(tcase, 20);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, every_position_of_a_game_is_analysed);
    tcase_add_test(tcase, of_several_lines_the_first_counts);
    tcase_add_test(tcase, a_move_that_allows_mate_is_a_blunder);
    tcase_add_test(tcase, every_mate_is_the_best_move);
    tcase_add_test(tcase, a_game_without_moves_needs_no_search);
    tcase_add_loop_test(tcase, moves_are_judged_by_the_chances_they_lose, 0,
                        sizeof JUDGEMENTS / sizeof JUDGEMENTS[0]);
    tcase_add_test(tcase, a_second_analysis_comes_from_the_table);
    tcase_add_test(tcase, a_draw_counts_only_where_the_game_ends);
    tcase_add_test(tcase, no_search_is_needed_where_neither_side_can_mate);
    tcase_add_test(tcase, an_analysis_can_be_stopped);
    tcase_add_test(tcase, an_analysis_needs_no_memory);
    tcase_add_test(tcase, a_game_can_be_stopped_between_short_searches);
    tcase_add_test(tcase, tablebases_are_named);
    tcase_add_test(tcase, a_hash_file_is_named);
    suite_add_tcase(suite, tcase);
    TCase *learned = tcase_create("learned");
    tcase_add_checked_fixture(learned, setup, teardown);
    if (store_tests_can_run(learned))
        tcase_add_test(learned, learned_positions_are_named);
    suite_add_tcase(suite, learned);
    return suite;
}
