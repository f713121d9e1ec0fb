// SPDX-License-Identifier: GPL-3.0-or-later
/* Position learning as a whole: from the end of a search through the file to another search.
 * Crafty's position learning silently stopped working for two releases after a change of its hash
 * keys; a test of this file would fail in such a case. */
#include "learning/learn.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/play.h"
#include "chess/random_game.h"
#include "engine/engine_run.h"
#include "eval/bootstrap.h"
#include "learning/learn_store_fixture.h"
#include "nnue/network.h"

static const char ROOT[] = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8";
static const char BAD_MOVE[] = "d2b1"; // a retreat that wins nothing

static Engine *engine;
static Run run;
static char message[LEARNING_MESSAGE_MAX];

static void setup(void)
{
    store_setup();
    engine = run_open_engine(4);
}

static void teardown(void)
{
    engine_destroy(engine);
    store_teardown();
}

/* A new engine, as after a restart. */
static void reopen(void)
{
    engine_destroy(engine);
    engine = run_open_engine(4);
}

static Learning *learning(void)
{
    return engine_learning(engine);
}

static void set_options(LearningMode mode, LearnPolicy policy)
{
    LearningOptions options = *learning_options(learning());
    options.mode = mode;
    options.policy = policy;
    text_copy(options.path, sizeof options.path, store_path);
    learning_set_options(learning(), &options);
}

/* Sets the options and applies them, which must succeed with a message. */
static void apply(LearningMode mode, LearnPolicy policy)
{
    set_options(mode, policy);
    ck_assert(learning_apply(learning(), message));
    ck_assert_msg(strncmp(message, "position learning: ", 19) == 0, "%s", message);
    ck_assert(!learning_apply(learning(), message));
    ck_assert_int_eq(learning_state(learning()).mode, mode);
}

static SearchJob search(const char *fen, int depth)
{
    SearchJob job = run_job(&run, fen);
    job.limits.depth = depth;
    run_search(engine, &job);
    ck_assert_int_eq(run.done_count, 1);
    return job;
}

static int64_t positions_in_ram(void)
{
    return learning_state(learning()).positions;
}

/* Writes to the file that the position after BAD_MOVE is lost for the side to move, as if BAD_MOVE
 * won. */
static void write_bad_move_wins(int rule50, uint32_t network)
{
    Position root, after;
    char error[FEN_ERROR_MAX], text[FEN_MAX], reply[MOVE_TEXT_MAX];
    Move moves[MAX_MOVES];
    ck_assert(fen_parse(&root, ROOT, false, error));
    root.rule50 = (uint8_t)rule50;
    pos_play(&after, &root, move_from_uci(&root, BAD_MOVE, false));
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
    move_to_uci(run.best, false, move);
    return strcmp(move, BAD_MOVE) == 0;
}

static SearchStats search_root(int rule50)
{
    SearchStats stats;
    SearchJob job = run_job(&run, ROOT);
    job.root.rule50 = (uint8_t)rule50;
    job.limits.depth = 12;
    run_search(engine, &job);
    engine_stats(engine, &stats);
    return stats;
}

static uint32_t own_network(void)
{
    return eval_fingerprint_short(engine_eval_source(engine));
}

START_TEST(learning_is_off_by_default)
{
    ck_assert_ptr_null(learning_table(learning()));
    ck_assert(!learning_apply(learning(), message));
    search(ROOT, 6);
    ck_assert(learning_flush(learning(), 0));
    ck_assert_ptr_null(learning_lock_store(learning()));
    learning_unlock_store(learning(), false);
    ck_assert_int_eq(learning_state(learning()).mode, LEARNING_OFF);
}
END_TEST

START_TEST(a_missing_path_is_reported_once)
{
    LearningOptions options = *learning_options(learning());
    options.mode = LEARNING_LEARN;
    learning_set_options(learning(), &options);
    ck_assert(learning_apply(learning(), message));
    ck_assert_str_eq(message, "error: position learning needs a file: set the option MemoryFile");
    for (int game = 0; game < 3; game++) {
        engine_new_game(engine);
        ck_assert(!learning_apply(learning(), message));
    }
    search(ROOT, 5);
    ck_assert_ptr_null(learning_table(learning()));
}
END_TEST

START_TEST(a_search_result_is_known_after_a_restart)
{
    apply(LEARNING_LEARN, LEARN_BEBE);
    const SearchJob job = search(ROOT, 7);
    ck_assert_int_eq(positions_in_ram(), 1);
    const LearnedEntry *entry = learned_table_find(learning_table(learning()), job.root.key);
    ck_assert_ptr_nonnull(entry);
    ck_assert_int_eq(entry->move, run.best);
    ck_assert_int_eq(entry->score, run_last(&run)->score);
    TtData known[2];
    TtStats unused = {0};
    ck_assert_int_gt(
        tt_probe(engine_table(engine), job.root.key, (SearchPoint){.ply = 0}, known, &unused), 0);
    ck_assert_int_le(entry->depth, 7);
    ck_assert_int_eq(entry->depth, known[0].depth);
    reopen(); // writes the queue first
    apply(LEARNING_READ, LEARN_BEBE);
    entry = learned_table_find(learning_table(learning()), job.root.key);
    ck_assert_ptr_nonnull(entry);
    ck_assert_int_eq(entry->move, run.best);
    ck_assert_int_eq(entry->score, run_last(&run)->score);
    ck_assert_uint_eq(entry->network, own_network());
}
END_TEST

START_TEST(read_mode_learns_nothing)
{
    apply(LEARNING_LEARN, LEARN_BEBE);
    search(ROOT, 6);
    reopen();
    apply(LEARNING_READ, LEARN_BEBE);
    search("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", 6);
    ck_assert_int_eq(positions_in_ram(), 1);
}
END_TEST

START_TEST(only_searches_of_the_game_are_recorded)
{
    apply(LEARNING_LEARN, LEARN_BEBE);
    search(ROOT, LEARNED_DEPTH_MIN - 1);
    SearchJob job = run_job(&run, ROOT);
    job.limits.depth = 6;
    job.limits.has_search_moves = true;
    job.limits.search_moves[job.limits.search_move_count++] =
        move_from_uci(&job.root, "e1g1", false);
    run_search(engine, &job);
    job = run_job(&run, ROOT);
    job.limits.ponder = true;
    job.limits.depth = 6;
    engine_start(engine, &job);
    clock_sleep_ms(300);
    engine_stop(engine); // the opponent played another move
    engine_wait(engine);
    search("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", 6);
    ck_assert_int_eq(positions_in_ram(), 0);
    job = run_job(&run, ROOT);
    job.limits.ponder = true;
    job.limits.depth = 6;
    engine_start(engine, &job);
    engine_ponderhit(engine);
    engine_wait(engine);
    ck_assert_int_eq(positions_in_ram(), 1);
}
END_TEST

START_TEST(analysis_has_its_own_origin)
{
    apply(LEARNING_LEARN, LEARN_BEBE);
    engine_set_analysing(engine, true);
    const SearchJob job = search(ROOT, 6);
    ck_assert_int_eq(learned_table_find(learning_table(learning()), job.root.key)->origin,
                     ORIGIN_ANALYSIS);
}
END_TEST

/* The nodes of a search of some depth from an empty table. */
static uint64_t count_nodes(void)
{
    SearchStats stats;
    engine_new_game(engine);
    search(ROOT, 9);
    engine_stats(engine, &stats);
    return stats.nodes;
}

START_TEST(an_empty_file_changes_no_search)
{
    const uint64_t never = count_nodes();
    apply(LEARNING_LEARN, LEARN_MOUSE); // makes the file
    reopen();
    apply(LEARNING_READ, LEARN_BEBE);
    ck_assert_uint_eq(count_nodes(), never);
    set_options(LEARNING_OFF, LEARN_BEBE);
    ck_assert_uint_eq(count_nodes(), never);
}
END_TEST

START_TEST(a_learned_position_changes_the_move)
{
    search_root(4);
    ck_assert(!plays_bad_move());
    write_bad_move_wins(4, own_network());
    apply(LEARNING_READ, (LearnPolicy)_i);
    engine_new_game(engine);
    const SearchStats stats = search_root(4);
    ck_assert_uint_gt(stats.learned_hits, 0);
    ck_assert_uint_gt(stats.learned_cutoffs, 0);
    ck_assert(plays_bad_move());
    ck_assert_int_ge(run_last(&run)->score, 2000 - LEARNING_FUZZ);
    ck_assert_int_le(run_last(&run)->score, 2000 + LEARNING_FUZZ);
}
END_TEST

START_TEST(a_score_of_another_network_is_not_used)
{
    write_bad_move_wins(4, own_network() + 1);
    apply(LEARNING_READ, LEARN_BEBE);
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
    apply(LEARNING_READ, LEARN_BEBE);
    ck_assert_uint_eq(search_root(4).learned_cutoffs, 0);
    engine_set_eval(engine, (EvalSource){.network = network});
    ck_assert_uint_gt(search_root(4).learned_cutoffs, 0);
    engine_set_eval(engine, (EvalSource){.bootstrap = bootstrap_eval});
    mem_free_large(network, sizeof *network);
}
END_TEST

/* If keys depended on the fifty-move counter, entries would match one value only. */
START_TEST(scores_are_used_only_while_the_fifty_move_counter_is_low)
{
    write_bad_move_wins(4, own_network());
    apply(LEARNING_READ, LEARN_BEBE);
    for (int rule50 = 0; rule50 < 60; rule50 += 6) {
        engine_new_game(engine);
        const SearchStats stats = search_root(rule50);
        ck_assert_uint_gt(stats.learned_hits, 0);
        ck_assert_int_eq(stats.learned_cutoffs > 0, rule50 + 1 < LEARNED_RULE50_MAX);
        ck_assert_int_eq(plays_bad_move(), rule50 + 1 < LEARNED_RULE50_MAX);
    }
}
END_TEST

START_TEST(changes_by_another_engine_are_known_in_the_next_game)
{
    apply(LEARNING_LEARN, LEARN_BEBE);
    search_root(4);
    ck_assert(!plays_bad_move());
    write_bad_move_wins(4, own_network());
    search_root(4);
    ck_assert(!plays_bad_move());
    engine_new_game(engine);
    ck_assert(!learning_apply(learning(), message));
    search_root(4);
    ck_assert(plays_bad_move());
}
END_TEST

START_TEST(advice_overrides_learned_results)
{
    write_bad_move_wins(4, own_network());
    LearnStore *const store = store_open();
    static StoreContents contents;
    ck_assert_int_eq(store_read(store, 1, &contents), LEARN_STORE_DONE);
    LearnedPosition advice = contents.positions[0];
    advice.origin = ORIGIN_ADVICE;
    advice.score = 2000; // BAD_MOVE loses
    const LearnStoreRules rules = {.policy = LEARN_BEBE, .capacity = 1000};
    ck_assert_int_eq(learn_store_write(store, &advice, 1, rules), LEARN_STORE_DONE);
    learn_store_close(store);
    apply(LEARNING_READ, LEARN_BEBE);
    ck_assert_uint_gt(search_root(4).learned_hits, 0);
    ck_assert(!plays_bad_move());
}
END_TEST

/* Records a search of the position and plays two plies. */
static void record_search(Position *pos, Path *path, Score score, Score peak)
{
    Move moves[MAX_MOVES];
    gen_legal(pos, moves);
    const SearchOutcome outcome = {.best = moves[0], .score = score, .depth = 9, .peak = peak};
    learning_record(learning(), pos, path, &outcome, ORIGIN_LEARNED);
    for (int i = 0; i < 2; i++) {
        const Position before = *pos;
        gen_legal(&before, moves);
        pos_play(pos, &before, moves[0]);
        path_extend(path, pos);
    }
}

START_TEST(crafty_learns_when_a_score_falls_from_one_move_to_the_next)
{
    const SearchJob job = run_job(&run, ROOT);
    Position pos = job.root;
    Path path = job.path;
    apply(LEARNING_LEARN, LEARN_CRAFTY);
    record_search(&pos, &path, 50, 500);
    record_search(&pos, &path, 60, 500);
    ck_assert_int_eq(positions_in_ram(), 0);
    record_search(&pos, &path, 60 - LEARNED_DROP, 60 - LEARNED_DROP);
    ck_assert_int_eq(positions_in_ram(), 1);
    record_search(&pos, &path, 61 - 2 * LEARNED_DROP, SCORE_NONE);
    ck_assert_int_eq(positions_in_ram(), 1);
    Position other = job.root;
    path_start(&path, &other); // another game, without ucinewgame
    record_search(&other, &path, -5000, SCORE_NONE);
    ck_assert_int_eq(positions_in_ram(), 1);
    engine_new_game(engine);
    record_search(&other, &path, -9000, SCORE_NONE);
    ck_assert_int_eq(positions_in_ram(), 1);
}
END_TEST

START_TEST(mouse_learns_when_a_score_falls_within_a_search)
{
    const SearchJob job = run_job(&run, ROOT);
    Position pos = job.root;
    Path path = job.path;
    apply(LEARNING_LEARN, LEARN_MOUSE);
    record_search(&pos, &path, 50, 60);
    record_search(&pos, &path, -500, -490);
    ck_assert_int_eq(positions_in_ram(), 0);
    record_search(&pos, &path, 100, 100 + LEARNED_DROP);
    ck_assert_int_eq(positions_in_ram(), 1);
}
END_TEST

/* The score falls from iteration to iteration. */
START_TEST(mouse_compares_with_the_best_iteration)
{
    apply(LEARNING_LEARN, LEARN_MOUSE);
    /* The mate by the rook is found only at higher depths. */
    Score peak = SCORE_NONE;
    search("8/8/8/3k4/8/8/1r6/5K2 w - - 0 1", 14);
    for (int i = 0; i < run.line_count; i++)
        if (run.lines[i].depth >= 4 && run.lines[i].bound == BOUND_EXACT &&
            (peak == SCORE_NONE || run.lines[i].score > peak))
            peak = run.lines[i].score;
    ck_assert_int_ge(peak - run_last(&run)->score, LEARNED_DROP);
    ck_assert_int_eq(positions_in_ram(), 1);
}
END_TEST

START_TEST(ram_is_limited_by_the_capacity)
{
    LearningOptions options = *learning_options(learning());
    options.max = 5;
    learning_set_options(learning(), &options);
    apply(LEARNING_LEARN, LEARN_BEBE);
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
        learning_record(learning(), &walk.pos, &path, &own, ORIGIN_LEARNED);
    }
    ck_assert_int_le(positions_in_ram(), 5 + 4096);
    ck_assert(learning_flush(learning(), 30000));
    engine_new_game(engine);
    learning_apply(learning(), message);
    ck_assert_int_le(positions_in_ram(), 5);
    ck_assert_int_gt(positions_in_ram(), 0);
}
END_TEST

START_TEST(crafty_keeps_65536_positions_at_most)
{
    LearningOptions options = *learning_options(learning());
    options.max = 1000000;
    learning_set_options(learning(), &options);
    set_options(LEARNING_READ, LEARN_CRAFTY);
    ck_assert_int_eq(learning_capacity(learning()), 65536);
    set_options(LEARNING_READ, LEARN_BEBE);
    ck_assert_int_eq(learning_capacity(learning()), 1000000);
}
END_TEST

START_TEST(an_invalid_file_turns_learning_off_and_play_continues)
{
    store_file_write("something else entirely", 23);
    set_options(LEARNING_LEARN, LEARN_BEBE);
    ck_assert(learning_apply(learning(), message));
    ck_assert_msg(strstr(message, "error: MemoryFile: '") == message, "%s", message);
    ck_assert_msg(strstr(message, "; position learning is off") != NULL, "%s", message);
    search(ROOT, 6);
    ck_assert_ptr_null(learning_table(learning()));
    engine_new_game(engine);
    ck_assert(!learning_apply(learning(), message)); // reported before
    remove(store_path);
    engine_new_game(engine);
    ck_assert(learning_apply(learning(), message)); // and now it works
    ck_assert_int_eq(learning_state(learning()).mode, LEARNING_LEARN);
}
END_TEST

START_TEST(a_locked_file_is_opened_in_a_later_game)
{
    apply(LEARNING_LEARN, LEARN_BEBE);
    search(ROOT, 6);
    reopen();
    SqliteClient *const other = client_lock("EXCLUSIVE");
    if (other == NULL)
        return;
    set_options(LEARNING_LEARN, LEARN_BEBE);
    ck_assert(learning_apply(learning(), message));
    ck_assert_msg(strstr(message, "is locked by another program; position learning is off") != NULL,
                  "%s", message);
    search(ROOT, 6);
    client_unlock(other);
    engine_new_game(engine);
    ck_assert(learning_apply(learning(), message));
    ck_assert_int_eq(positions_in_ram(), 1);
}
END_TEST

START_TEST(a_locked_file_leaves_the_table_unchanged)
{
    apply(LEARNING_LEARN, LEARN_BEBE);
    search(ROOT, 6);
    ck_assert(learning_flush(learning(), 10000));
    SqliteClient *const other = client_lock("EXCLUSIVE");
    if (other == NULL)
        return;
    ck_assert_ptr_nonnull(learning_lock_store(learning()));
    learning_unlock_store(learning(), true); // as if changed by a command
    ck_assert_int_eq(positions_in_ram(), 1);
    client_unlock(other);
    engine_new_game(engine);
    ck_assert(!learning_apply(learning(), message));
    ck_assert_int_eq(positions_in_ram(), 1);
}
END_TEST

/* No search waits while another program locks the file; the queue is written after the lock. */
START_TEST(a_locked_file_delays_no_move)
{
    apply(LEARNING_LEARN, LEARN_BEBE);
    SqliteClient *const other = client_lock("IMMEDIATE");
    if (other == NULL)
        return;
    int64_t longest_ms = 0;
    for (uint64_t seed = 0; seed < 30; seed++) {
        const LearnedPosition learned = make_learned(seed);
        char fen[FEN_MAX];
        snprintf(fen, sizeof fen, "%s 0 1", learned.position);
        SearchJob job = run_job(&run, fen);
        job.limits.depth = LEARNED_DEPTH_MIN + 3; // raises of alpha may take some plies
        const int64_t start_ms = clock_ms();
        run_search(engine, &job);
        const int64_t took_ms = clock_ms() - start_ms;
        longest_ms = took_ms > longest_ms ? took_ms : longest_ms;
    }
    ck_assert_int_lt(longest_ms, 900); // a wait for the file takes a second
    ck_assert_int_gt(positions_in_ram(), 20);
    ck_assert(!learning_flush(learning(), 2500));
    client_unlock(other);
    ck_assert(learning_flush(learning(), 10000));
    ck_assert_int_eq(learning_state(learning()).writer.written, positions_in_ram());
    ck_assert(learning_take_error(learning(), message));
    ck_assert_msg(strstr(message, "new positions will be written later") != NULL, "%s", message);
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
                (LearnedPosition){.depth = MAX_DEPTH, .network = own_network(), .seen = 1};
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
    for (int i = 0; i < run.line_count; i++) {
        Position pos = job->root;
        for (int ply = 0; ply < run.lines[i].pv_length; ply++) {
            const Position before = pos;
            ck_assert(gen_is_legal(&before, run.lines[i].pv[ply]));
            pos_play(&pos, &before, run.lines[i].pv[ply]);
        }
        /* An exact mate score needs the complete line to the mate. */
        if (score_is_mate(run.lines[i].score) && run.lines[i].bound == BOUND_EXACT)
            ck_assert(pos_in_check(&pos) && !gen_any(&pos));
    }
}

START_TEST(false_scores_never_cause_a_crash_or_an_illegal_move)
{
    static const char *const fens[] = {
        ROOT,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1",
        "1r2k2r/8/8/8/8/8/8/1R2K1R1 w GBhb - 0 1",
    };
    for (int i = 0; i < 5; i++)
        for (uint64_t seed = 0; seed < 6; seed++) {
            remove(store_path);
            fill_with_false_scores(fens[i], seed);
            set_options(LEARNING_OFF, LEARN_BEBE);
            apply(LEARNING_READ, (LearnPolicy)(seed % 3));
            engine_set_threads(engine, 1 + (int)(seed % 2));
            engine_new_game(engine);
            const SearchJob job = search(fens[i], 8);
            SearchStats stats;
            engine_stats(engine, &stats);
            ck_assert(stats.learned_hits > 0 || i == 3); // mate in one: no other move is searched
            ck_assert(gen_is_legal(&job.root, run.best));
            check_lines(&job);
        }
}
END_TEST

/* Simulates two positions with equal keys. */
START_TEST(a_move_that_is_illegal_here_is_not_played)
{
    apply(LEARNING_LEARN, LEARN_BEBE);
    const SearchJob job = run_job(&run, ROOT);
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
            .best = move_from_uci(&impostor, "e1g1", false), .score = 3000, .depth = 200};
        learning_record(learning(), &impostor, &path, &outcome, ORIGIN_LEARNED);
        ck_assert_ptr_nonnull(learned_table_find(learning_table(learning()), after.key));
    }
    const SearchJob played = search(ROOT, 7);
    ck_assert(gen_is_legal(&played.root, run.best));
    check_lines(&played);
    SearchStats stats;
    engine_stats(engine, &stats);
    ck_assert_uint_eq(stats.learned_hits, 0);
}
END_TEST

static void add_searches(TCase *tcase)
{
    tcase_add_test(tcase, an_empty_file_changes_no_search);
    tcase_add_loop_test(tcase, a_learned_position_changes_the_move, 0, LEARN_POLICY_NB);
    tcase_add_test(tcase, a_score_of_another_network_is_not_used);
    tcase_add_test(tcase, each_network_uses_its_own_scores);
    tcase_add_test(tcase, scores_are_used_only_while_the_fifty_move_counter_is_low);
    tcase_add_test(tcase, changes_by_another_engine_are_known_in_the_next_game);
    tcase_add_test(tcase, advice_overrides_learned_results);
    tcase_add_test(tcase, false_scores_never_cause_a_crash_or_an_illegal_move);
    tcase_add_test(tcase, a_move_that_is_illegal_here_is_not_played);
}

Suite *suite_learn(void);
Suite *suite_learn(void)
{
    Suite *const suite = suite_create("learn");
    TCase *const tcase = tcase_create("learn");
    tcase_add_checked_fixture(tcase, setup, teardown);
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
    tcase_add_test(tcase, crafty_learns_when_a_score_falls_from_one_move_to_the_next);
    tcase_add_test(tcase, mouse_learns_when_a_score_falls_within_a_search);
    tcase_add_test(tcase, mouse_compares_with_the_best_iteration);
    tcase_add_test(tcase, ram_is_limited_by_the_capacity);
    tcase_add_test(tcase, an_invalid_file_turns_learning_off_and_play_continues);
    tcase_add_test(tcase, a_locked_file_is_opened_in_a_later_game);
    tcase_add_test(tcase, a_locked_file_leaves_the_table_unchanged);
    tcase_add_test(tcase, a_locked_file_delays_no_move);
    add_searches(tcase);
    return suite;
}
