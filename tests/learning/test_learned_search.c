// SPDX-License-Identifier: GPL-3.0-or-later
/* What learned positions change in a search. Crafty's position learning silently stopped working
 * for two releases after a change of its hash keys; a test of this file would fail in such a case.
 */
#include "learning/learn_fixture.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/play.h"
#include "chess/pos_from_fen.h"
#include "eval/bootstrap.h"
#include "nnue/network.h"

static const char BAD_MOVE[] = "d2b1"; // a retreat that wins nothing

/* Writes to the file that the position after BAD_MOVE is lost for the side to move, as if BAD_MOVE
 * won. */
static void write_bad_move_wins(int rule50, uint32_t network)
{
    Position root, after;
    char error[FEN_ERROR_MAX], text[FEN_MAX], reply[MOVE_TEXT_MAX];
    Move moves[MAX_MOVES];
    ck_assert(fen_parse(&root, LEARN_ROOT, false, error));
    root.rule50 = (uint8_t)rule50;
    pos_play(&after, &root, move_from_uci(&root, BAD_MOVE));
    after.rule50 = 0; // learned in another game
    fen_print(&after, false, text);
    gen_legal(&after, moves);
    move_to_uci(moves[0], false, reply);
    LearnedPosition learned = learned_position_of(text, reply, -2000, 40);
    learned.network = network;
    LearnStore *const store = store_open();
    const LearnStoreRules rules = {.policy = LEARN_BEBE, .capacity = 1000};
    ck_assert_int_eq(learn_store_write(store, &learned, 1, rules), LEARN_STORE_DONE);
    learn_store_close(store);
}

static bool plays_bad_move(void)
{
    char move[MOVE_TEXT_MAX];
    move_to_uci(learn_run.best, false, move);
    return strcmp(move, BAD_MOVE) == 0;
}

static SearchStats search_root(int rule50)
{
    SearchStats stats;
    SearchJob job = run_job(&learn_run, LEARN_ROOT);
    job.root.rule50 = (uint8_t)rule50;
    job.limits.depth = 12;
    run_search(learn_engine, &job);
    engine_stats(learn_engine, &stats);
    return stats;
}

/* The nodes of a search of some depth from an empty table. */
static uint64_t count_nodes(void)
{
    SearchStats stats;
    engine_new_game(learn_engine);
    learn_search(LEARN_ROOT, 9);
    engine_stats(learn_engine, &stats);
    return stats.nodes;
}

START_TEST(an_empty_file_changes_no_search)
{
    const uint64_t never = count_nodes();
    learn_apply(LEARNING_LEARN, LEARN_MOUSE); // makes the file
    learn_reopen();
    learn_apply(LEARNING_READ, LEARN_BEBE);
    ck_assert_uint_eq(count_nodes(), never);
    learn_set_options(LEARNING_OFF, LEARN_BEBE);
    ck_assert_uint_eq(count_nodes(), never);
}
END_TEST

START_TEST(a_learned_position_changes_the_move)
{
    search_root(4);
    ck_assert(!plays_bad_move());
    write_bad_move_wins(4, learn_network());
    learn_apply(LEARNING_READ, (LearnPolicy)_i);
    engine_new_game(learn_engine);
    const SearchStats stats = search_root(4);
    ck_assert_uint_gt(stats.learned_hits, 0);
    ck_assert_uint_gt(stats.learned_cutoffs, 0);
    ck_assert(plays_bad_move());
    ck_assert_int_ge(run_last(&learn_run)->score, 2000 - LEARNING_FUZZ);
    ck_assert_int_le(run_last(&learn_run)->score, 2000 + LEARNING_FUZZ);
}
END_TEST

START_TEST(a_score_of_another_network_is_not_used)
{
    write_bad_move_wins(4, learn_network() + 1);
    learn_apply(LEARNING_READ, LEARN_BEBE);
    const SearchStats stats = search_root(4);
    ck_assert_uint_gt(stats.learned_hits, 0);
    ck_assert_uint_eq(stats.learned_cutoffs, 0);
    ck_assert(!plays_bad_move());
}
END_TEST

START_TEST(each_network_uses_its_own_scores)
{
    Network *const network = mem_alloc_large(sizeof *network, NULL); // aligned for vectors
    ck_assert_ptr_nonnull(network);
    network_randomise(network, 1);
    write_bad_move_wins(4, eval_fingerprint_short(&(EvalSource){.network = network}));
    learn_apply(LEARNING_READ, LEARN_BEBE);
    ck_assert_uint_eq(search_root(4).learned_cutoffs, 0);
    engine_set_eval(learn_engine, (EvalSource){.network = network});
    ck_assert_uint_gt(search_root(4).learned_cutoffs, 0);
    engine_set_eval(learn_engine, (EvalSource){.bootstrap = bootstrap_eval});
    mem_free_large(network, sizeof *network);
}
END_TEST

START_TEST(below_full_strength_and_in_tests_nothing_learned_is_used)
{
    write_bad_move_wins(4, learn_network());
    learn_apply(LEARNING_READ, LEARN_BEBE);
    SearchJob job = run_job(&learn_run, LEARN_ROOT);
    SearchStats stats;
    job.limits.nodes = 20000;
    if (_i == 0)
        job.strength = strength_at(STRENGTH_ELO_MAX, 32, 1);
    else
        job.no_learning = true;
    run_search(learn_engine, &job);
    engine_stats(learn_engine, &stats);
    ck_assert_uint_eq(stats.learned_hits, 0);
}
END_TEST

/* If keys depended on the fifty-move counter, entries would match one value only. */
START_TEST(scores_are_used_only_while_the_fifty_move_counter_is_low)
{
    write_bad_move_wins(4, learn_network());
    learn_apply(LEARNING_READ, LEARN_BEBE);
    for (int rule50 = 0; rule50 < 60; rule50 += 6) {
        engine_new_game(learn_engine);
        const SearchStats stats = search_root(rule50);
        ck_assert_uint_gt(stats.learned_hits, 0);
        ck_assert_int_eq(stats.learned_cutoffs > 0, rule50 + 1 < LEARNED_RULE50_MAX);
        ck_assert_int_eq(plays_bad_move(), rule50 + 1 < LEARNED_RULE50_MAX);
    }
}
END_TEST

START_TEST(changes_by_another_engine_are_known_in_the_next_game)
{
    learn_apply(LEARNING_LEARN, LEARN_BEBE);
    search_root(4);
    ck_assert(!plays_bad_move());
    write_bad_move_wins(4, learn_network());
    search_root(4);
    ck_assert(!plays_bad_move());
    engine_new_game(learn_engine);
    ck_assert(!learning_apply(learn_learning(), learn_message));
    search_root(4);
    ck_assert(plays_bad_move());
}
END_TEST

START_TEST(advice_overrides_learned_results)
{
    write_bad_move_wins(4, learn_network());
    LearnStore *const store = store_open();
    static StoreContents contents;
    ck_assert_int_eq(store_read(store, 1, &contents), LEARN_STORE_DONE);
    LearnedPosition advice = contents.positions[0];
    advice.origin = ORIGIN_ADVICE;
    advice.score = 2000; // BAD_MOVE loses
    const LearnStoreRules rules = {.policy = LEARN_BEBE, .capacity = 1000};
    ck_assert_int_eq(learn_store_write(store, &advice, 1, rules), LEARN_STORE_DONE);
    learn_store_close(store);
    learn_apply(LEARNING_READ, LEARN_BEBE);
    ck_assert_uint_gt(search_root(4).learned_hits, 0);
    ck_assert(!plays_bad_move());
}
END_TEST

/* Fills the file with all positions within two plies of the root: legal moves with random scores,
 * including mates, of the highest depth. */
static void fill_with_false_scores(const char *fen, uint64_t seed)
{
    Rng rng;
    Position root, one, two;
    char error[FEN_ERROR_MAX];
    Move moves[MAX_MOVES], replies[MAX_MOVES], answers[MAX_MOVES];
    LearnedPosition false_positions[200];
    int count = 0;
    rng_seed(&rng, seed);
    ck_assert(fen_parse(&root, fen, true, error));
    LearnStore *const store = store_open();
    const LearnStoreRules rules = {.policy = LEARN_BEBE, .capacity = 100000};
    const int move_count = gen_legal(&root, moves);
    for (int i = 0; i < move_count; i++) {
        pos_play(&one, &root, moves[i]);
        const int reply_count = gen_legal(&one, replies);
        for (int j = -1; j < reply_count; j++) {
            two = one;
            if (j >= 0)
                pos_play(&two, &one, replies[j]);
            const int answer_count = gen_legal(&two, answers);
            if (answer_count == 0)
                continue;
            const uint64_t dice = rng_below(&rng, 4);
            const Score any = (Score)rng_below(&rng, 8000) - 4000;
            const Score mate = SCORE_MATE - 1 - (Score)rng_below(&rng, 200);
            false_positions[count] =
                (LearnedPosition){.depth = MAX_DEPTH, .network = learn_network(), .seen = 1};
            two.rule50 = 0;
            learned_position_set(&false_positions[count], &two,
                                 answers[rng_below(&rng, (uint64_t)answer_count)],
                                 dice == 0   ? mate
                                 : dice == 1 ? -mate
                                             : any);
            if (++count == 200) {
                ck_assert_int_eq(learn_store_write(store, false_positions, count, rules),
                                 LEARN_STORE_DONE);
                count = 0;
            }
        }
    }
    ck_assert_int_eq(learn_store_write(store, false_positions, count, rules), LEARN_STORE_DONE);
    learn_store_close(store);
}

static void check_lines(const SearchJob *job)
{
    for (int i = 0; i < learn_run.line_count; i++) {
        Position pos = job->root;
        for (int ply = 0; ply < learn_run.lines[i].pv_length; ply++) {
            ck_assert(gen_is_legal(&pos, learn_run.lines[i].pv[ply]));
            pos_advance(&pos, learn_run.lines[i].pv[ply]);
        }
        /* An exact mate score needs the complete line to the mate. */
        if (score_is_mate(learn_run.lines[i].score) && learn_run.lines[i].bound == BOUND_EXACT)
            ck_assert(pos_in_check(&pos) && !gen_any(&pos));
    }
}

START_TEST(false_scores_never_cause_a_crash_or_an_illegal_move)
{
    static const char *const fens[] = {
        LEARN_ROOT,
        KIWIPETE,
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1",
        "1r2k2r/8/8/8/8/8/8/1R2K1R1 w GBhb - 0 1",
    };
    for (int i = 0; i < 5; i++)
        for (uint64_t seed = 0; seed < 6; seed++) {
            remove(store_path);
            fill_with_false_scores(fens[i], seed);
            learn_set_options(LEARNING_OFF, LEARN_BEBE);
            learn_apply(LEARNING_READ, (LearnPolicy)(seed % 3));
            engine_set_threads(learn_engine, 1 + (int)(seed % 2));
            engine_new_game(learn_engine);
            const SearchJob job = learn_search(fens[i], 8);
            SearchStats stats;
            engine_stats(learn_engine, &stats);
            ck_assert(stats.learned_hits > 0 || i == 3); // mate in one: no other move is searched
            ck_assert(gen_is_legal(&job.root, learn_run.best));
            check_lines(&job);
        }
}
END_TEST

/* Simulates two positions with equal keys. */
START_TEST(a_move_that_is_illegal_here_is_not_played)
{
    learn_apply(LEARNING_LEARN, LEARN_BEBE);
    const SearchJob job = run_job(&learn_run, LEARN_ROOT);
    Move moves[MAX_MOVES];
    Position after, impostor;
    char error[FEN_ERROR_MAX];
    Path path;
    const int count = gen_legal(&job.root, moves);
    ck_assert(fen_parse(&impostor, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", false, error));
    for (int i = 0; i <= count; i++) {
        after = job.root;
        if (i < count)
            pos_play(&after, &job.root, moves[i]);
        impostor.key = after.key;
        path_start(&path, &impostor);
        const SearchOutcome outcome = {
            .best = move_from_uci(&impostor, "e1g1"), .score = 3000, .depth = 200};
        learning_record(learn_learning(), &impostor, &path, &outcome, ORIGIN_LEARNED);
        ck_assert_ptr_nonnull(learned_table_find(learning_table(learn_learning()), after.key));
    }
    const SearchJob played = learn_search(LEARN_ROOT, 7);
    ck_assert(gen_is_legal(&played.root, learn_run.best));
    check_lines(&played);
    SearchStats stats;
    engine_stats(learn_engine, &stats);
    ck_assert_uint_eq(stats.learned_hits, 0);
}
END_TEST

Suite *suite_learned_search(void);
Suite *suite_learned_search(void)
{
    Suite *const suite = suite_create("learned_search");
    TCase *const tcase = tcase_create("learned_search");
    tcase_add_checked_fixture(tcase, learn_setup, learn_teardown);
    tcase_set_timeout(tcase, 120);
    suite_add_tcase(suite, tcase);
    if (!store_tests_can_run(tcase))
        return suite;
    tcase_add_test(tcase, an_empty_file_changes_no_search);
    tcase_add_loop_test(tcase, a_learned_position_changes_the_move, 0, LEARN_POLICY_NB);
    tcase_add_test(tcase, a_score_of_another_network_is_not_used);
    tcase_add_test(tcase, each_network_uses_its_own_scores);
    tcase_add_loop_test(tcase, below_full_strength_and_in_tests_nothing_learned_is_used, 0, 2);
    tcase_add_test(tcase, scores_are_used_only_while_the_fifty_move_counter_is_low);
    tcase_add_test(tcase, changes_by_another_engine_are_known_in_the_next_game);
    tcase_add_test(tcase, advice_overrides_learned_results);
    tcase_add_test(tcase, false_scores_never_cause_a_crash_or_an_illegal_move);
    tcase_add_test(tcase, a_move_that_is_illegal_here_is_not_played);
    return suite;
}
