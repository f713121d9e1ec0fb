// SPDX-License-Identifier: GPL-3.0-or-later
/* The search as a whole: what it finds, what it reports, that it can be repeated. */
#include "search/deepening.h"

#include <check.h>
#include <stdlib.h>

#include "chess/epd.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/play.h"
#include "chess/pos_from_fen.h"
#include "engine/engine_fixture.h"
#include "shared_data.h"

static const char *const MIDDLEGAMES[] = {
    "r1bq1rk1/pp3pp1/1bn1p2p/2NpP3/1P1P4/P4N2/5PPP/2RQKB1R b K - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1",
};

/* True when the game is drawn at `pos`, the last position of the path, whatever the legal moves
 * are. */
static bool is_drawn(const Path *path, const Position *pos)
{
    return game_fifty_moves(pos) || pos_insufficient_material(pos) ||
           path_occurrences(path, pos) >= 2;
}

/* Checks that every move of a reported line is legal and that none follows a draw. The line of an
 * exact mate score must end with mate. */
static void check_line(const SearchJob *job, const Report *line)
{
    Position pos = job->root;
    Path path = job->path;
    for (int i = 0; i < line->pv_length; i++) {
        ck_assert_msg(i == 0 || !is_drawn(&path, &pos), "move %d of a line follows a draw", i + 1);
        ck_assert_msg(gen_is_legal(&pos, line->pv[i]), "move %d of a line is illegal", i + 1);
        Position next;
        pos_play(&next, &pos, line->pv[i]);
        pos = next;
        path_extend(&path, &pos);
    }
    if (!score_is_mate(line->score) || line->bound != BOUND_EXACT)
        return;
    ck_assert_int_eq(line->pv_length, SCORE_MATE - abs(line->score));
    ck_assert(pos_in_check(&pos) && !gen_any(&pos));
}

static void check_run(const SearchJob *job)
{
    ck_assert_int_eq(run.done_count, 1);
    for (int i = 0; i < run.line_count; i++)
        check_line(job, &run.lines[i]);
    const Report *last = run_last(&run);
    ck_assert_int_ge(last->pv_length, 1);
    ck_assert_int_eq(run.best, last->pv[0]);
    ck_assert_int_eq(run.ponder, last->pv_length > 1 ? last->pv[1] : MOVE_NONE);
}

typedef struct {
    const char *fen;
    const char *best;
    int depth;
    Score score;
} Known;

static const Known KNOWN[] = {
    {"6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "e1e8", 4, SCORE_MATE - 1},
    {"7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "g1g7", 4, SCORE_MATE - 1},
    {"r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", "d2h6", 8,
     SCORE_MATE - 3},
    {"r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "f6a6", 10, SCORE_MATE - 5},
};

START_TEST(known_mates_are_found_at_their_exact_distance)
{
    const Known *known = &KNOWN[_i];
    SearchJob job = run_job(&run, known->fen);
    job.limits.depth = known->depth;
    run_search(engine, &job);
    check_run(&job);
    char text[MOVE_TEXT_MAX];
    move_to_uci(run.best, false, text);
    ck_assert_int_eq(run_last(&run)->score, known->score);
    ck_assert_str_eq(text, known->best);
}
END_TEST

START_TEST(mates_of_the_suite_are_never_announced_too_short)
{
    FILE *file = shared_open("mates-200-a.epd");
    if (file == NULL)
        return;
    EpdRecord record;
    char error[FEN_ERROR_MAX], operand[EPD_TEXT_MAX], fen[FEN_MAX];
    int found = 0, tried = 0;
    while (epd_next(file, &record, false, error) == 1) {
        ck_assert(epd_operand(&record, "dm", operand, sizeof operand));
        const int distance = atoi(operand);
        fen_print(&record.pos, false, fen);
        SearchJob job = run_job(&run, fen);
        job.limits.nodes = 20000;
        engine_new_game(engine);
        run_search(engine, &job);
        check_run(&job);
        const Score score = run_last(&run)->score;
        tried++;
        if (!score_is_mate(score))
            continue;
        const int announced =
            score > 0 ? (SCORE_MATE - score + 1) / 2 : -(SCORE_MATE + score + 1) / 2;
        ck_assert_msg((announced > 0) == (distance > 0), "%s: mate %d", fen, announced);
        ck_assert_msg(abs(announced) >= abs(distance), "%s: mate %d of %d", fen, announced,
                      distance);
        found += announced == distance;
    }
    fclose(file);
    printf("mates found at the exact distance with 20,000 nodes: %d of %d\n", found, tried);
    ck_assert_int_ge(found, tried / 4);
}
END_TEST

/* check_run() checks the lines. */
START_TEST(mates_are_announced_with_complete_lines)
{
    FILE *file = shared_open("mates-200-a.epd");
    if (file == NULL)
        return;
    EpdRecord record;
    char error[FEN_ERROR_MAX], fen[FEN_MAX];
    int announced = 0;
    engine_set_threads(engine, 1 + _i % 3);
    for (int number = 0; epd_next(file, &record, false, error) == 1; number++) {
        if (number % 4 != 0)
            continue;
        fen_print(&record.pos, false, fen);
        SearchJob job = run_job(&run, fen);
        job.limits.nodes = 30000;
        job.multi_pv = _i < 3 ? 1 : 5;
        run_search(engine, &job);
        check_run(&job);
        for (int i = 0; i < run.line_count; i++)
            announced += score_is_mate(run.lines[i].score);
    }
    fclose(file);
    ck_assert_int_gt(announced, 50);
}
END_TEST

/* Positions in which best play is to repeat moves, to shuffle or to trade all pieces. */
static const char *const DRAWS[] = {
    "6k1/6p1/8/8/8/8/qr6/4Q2K w - - 0 1", "8/8/8/8/4k3/8/4P3/4K3 b - - 0 1",
    "7k/8/7K/N7/3N4/8/B7/n7 w - - 92 1",  "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 95 90",
    "k7/8/8/3b4/8/2P5/8/K7 b - - 0 1",
};

START_TEST(no_line_continues_after_a_draw)
{
    for (int lines = 1; lines <= 3; lines += 2) {
        engine_new_game(engine);
        SearchJob job = run_job(&run, DRAWS[_i]);
        job.limits.nodes = 300000;
        job.limits.depth = 40;
        job.multi_pv = lines;
        run_search(engine, &job);
        check_run(&job);
    }
}
END_TEST

/* Shuffles until the start position occurs for the third time. */
START_TEST(a_drawn_root_is_searched_like_any_other)
{
    static const char *const ROUND[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    SearchJob job = run_job(&run, FEN_START);
    for (int i = 0; i < 8; i++) {
        pos_advance(&job.root, move_from_uci(&job.root, ROUND[i % 4]));
        path_extend(&job.path, &job.root);
    }
    ck_assert_int_eq(path_occurrences(&job.path, &job.root), 2);
    job.limits.depth = 6;
    run_search(engine, &job);
    check_run(&job);
    job = run_job(&run, "6k1/5ppp/8/8/8/8/8/3R2K1 w - - 100 80");
    job.limits.depth = 6;
    run_search(engine, &job);
    check_run(&job);
    ck_assert_int_eq(run_last(&run)->score, SCORE_MATE - 1);
}
END_TEST

START_TEST(equal_searches_visit_equal_numbers_of_nodes)
{
    uint64_t nodes[2];
    for (int i = 0; i < 2; i++) {
        engine_new_game(engine);
        for (int depth = 6; depth <= 9; depth++) {
            SearchJob job = run_job(&run, KIWIPETE);
            job.limits.depth = depth;
            run_search(engine, &job);
            check_run(&job);
        }
        nodes[i] = run_last(&run)->nodes;
    }
    ck_assert_uint_eq(nodes[0], nodes[1]);
}
END_TEST

START_TEST(a_node_limit_is_exact_with_one_thread)
{
    const uint64_t limits[] = {100, 1000, 12345, 100000};
    for (int i = 0; i < 4; i++) {
        engine_new_game(engine);
        SearchJob job = run_job(&run, KIWIPETE);
        job.limits.nodes = limits[i];
        run_search(engine, &job);
        check_run(&job);
        ck_assert_uint_eq(run_last(&run)->nodes, limits[i]);
    }
}
END_TEST

START_TEST(work_after_the_search_counts_no_nodes)
{
    for (uint64_t nodes = 100; nodes < 1000; nodes += 9) {
        engine_new_game(engine);
        SearchJob job = run_job(&run, KIWIPETE);
        job.limits.nodes = nodes;
        run_search(engine, &job);
        SearchStats stats;
        engine_stats(engine, &stats);
        ck_assert_uint_eq(stats.nodes, nodes);
    }
}
END_TEST

/* In the second position the first move gives check. */
START_TEST(a_single_node_still_gives_a_line)
{
    static const char *const FENS[] = {KIWIPETE, "4R3/8/8/6r1/8/8/8/3K3k b - - 0 1"};
    for (int i = 0; i < 2; i++)
        for (uint64_t nodes = 1; nodes < 30; nodes++) {
            engine_new_game(engine);
            SearchJob job = run_job(&run, FENS[i]);
            job.limits.nodes = nodes;
            run_search(engine, &job);
            check_run(&job);
            ck_assert_int_ge(run_last(&run)->depth, 1);
        }
}
END_TEST

START_TEST(a_mated_root_has_a_mate_score_and_no_move)
{
    SearchJob job = run_job(&run, "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
    job.limits.depth = 5;
    run_search(engine, &job);
    ck_assert_int_eq(run.done_count, 1);
    ck_assert_int_eq(run.best, MOVE_NONE);
    ck_assert_int_eq(run_last(&run)->score, score_mated_in(0));
    ck_assert_int_eq(run_last(&run)->depth, 0);
}
END_TEST

START_TEST(a_stalemated_root_is_a_draw_without_a_move)
{
    SearchJob job = run_job(&run, "k7/2Q5/1K6/8/8/8/8/8 b - - 0 1");
    job.limits.depth = 5;
    run_search(engine, &job);
    ck_assert_int_eq(run.best, MOVE_NONE);
    ck_assert_int_eq(run_last(&run)->score, SCORE_DRAW);
}
END_TEST

START_TEST(only_the_moves_of_searchmoves_are_searched)
{
    SearchJob job = run_job(&run, FEN_START);
    job.limits.depth = 6;
    job.limits.has_search_moves = true;
    job.limits.search_move_count = 2;
    job.limits.search_moves[0] = move_make(A2, A3, KIND_NORMAL);
    job.limits.search_moves[1] = move_make(H2, H3, KIND_NORMAL);
    run_search(engine, &job);
    check_run(&job);
    ck_assert(run.best == job.limits.search_moves[0] || run.best == job.limits.search_moves[1]);
}
END_TEST

START_TEST(lines_of_multi_pv_are_distinct_and_in_order)
{
    SearchJob job = run_job(&run, KIWIPETE);
    job.limits.depth = 8;
    job.multi_pv = 4;
    run_search(engine, &job);
    check_run(&job);
    const Report *lines = &run.lines[run.line_count - 4];
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(lines[i].multipv, i + 1);
        ck_assert_int_eq(lines[i].depth, 8);
        for (int j = 0; j < i; j++) {
            ck_assert_int_ne(lines[i].pv[0], lines[j].pv[0]);
            ck_assert_int_ge(lines[j].score, lines[i].score);
        }
    }
}
END_TEST

START_TEST(a_line_that_is_not_finished_keeps_its_last_result)
{
    SearchJob job = run_job(&run, KIWIPETE);
    job.multi_pv = 4;
    for (uint64_t nodes = 5000; nodes < 60000; nodes += 800) {
        job.limits.nodes = nodes;
        run_search(engine, &job);
        const Report *const lines = &run.lines[run.line_count - 4];
        for (int i = 0; i < 4; i++)
            ck_assert_int_eq(lines[i].multipv, i + 1);
        ck_assert_int_ne(lines[0].bound, BOUND_UPPER);
        for (int i = 1; i < 4; i++) {
            ck_assert_int_eq(lines[i].bound, BOUND_EXACT);
            ck_assert_int_le(lines[i].depth, lines[i - 1].depth);
        }
    }
}
END_TEST

/* A move can rise in one line and fail low in a later line of the same iteration. */
START_TEST(depths_and_scores_of_lines_descend)
{
    static const char LOST[] = "8/8/3k4/8/1Q6/8/5Q2/6K1 b - - 0 1"; // every move loses
    SearchJob job = run_job(&run, _i < 3 ? MIDDLEGAMES[_i] : LOST);
    job.multi_pv = 6;
    for (uint64_t nodes = 2000; nodes < 30000; nodes += 1000) {
        engine_new_game(engine);
        job.limits.nodes = nodes;
        run_search(engine, &job);
        const Report *const lines = &run.lines[run.line_count - 6];
        for (int i = 1; i < 6; i++)
            ck_assert_msg(lines[i].depth <= lines[i - 1].depth, "rank %d after %d nodes", i + 1,
                          (int)nodes);
        for (int i = 1; i < 6; i++)
            ck_assert_msg(lines[i].depth < lines[i - 1].depth ||
                              lines[i].score <= lines[i - 1].score,
                          "%d lines of depth %d after %d nodes: %d, %d", i + 1, lines[i].depth,
                          (int)nodes, lines[i - 1].score, lines[i].score);
    }
}
END_TEST

START_TEST(every_line_has_a_depth_also_in_the_first_iteration)
{
    SearchJob job = run_job(&run, KIWIPETE);
    job.multi_pv = 8;
    for (uint64_t nodes = 20; nodes < 400; nodes += 20) {
        job.limits.nodes = nodes;
        engine_new_game(engine);
        run_search(engine, &job);
        for (int i = 0; i < run.line_count; i++)
            ck_assert_int_gt(run.lines[i].depth, 0);
    }
}
END_TEST

START_TEST(with_more_lines_than_moves_each_move_has_one_line)
{
    SearchJob job = run_job(&run, "7k/8/8/8/8/8/8/K7 w - - 0 1");
    job.limits.depth = 3;
    job.multi_pv = MULTI_PV_MAX;
    run_search(engine, &job);
    check_run(&job);
    ck_assert_int_eq(run.line_count % 3, 0);
    const Report *lines = &run.lines[run.line_count - 3];
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(lines[i].multipv, i + 1);
        ck_assert_int_ne(lines[i].pv[0], lines[(i + 1) % 3].pv[0]);
    }
}
END_TEST

/* Set-ups with more men of a kind than a game can have. */
static const char *const CROWDED[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/QQQQKQQQ w kq - 0 1",
    "nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/1Q1QK1Q1 w - - 0 1",
    "qqqqqqqk/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQQQQK b - - 0 1",
    "1r1n1b1q/PPPPPPPP/8/8/QQQQQQQ1/8/6pp/K6k w - - 0 1",
};

START_TEST(armies_that_no_game_can_have_are_searched)
{
    for (int lines = 1; lines <= 3; lines += 2) {
        SearchJob job = run_job(&run, CROWDED[_i]);
        job.limits.nodes = 20000;
        job.multi_pv = lines;
        run_search(engine, &job);
        check_run(&job);
    }
}
END_TEST

/* Records the first move of each line, by rank. */
static void record_first(void *firsts, const Report *report)
{
    if (report->kind == REPORT_LINE)
        ((Move *)firsts)[report->multipv] = report->pv[0];
}

START_TEST(each_of_241_moves_has_its_line)
{
    enum { MOVES = 241 };
    Move firsts[MULTI_PV_MAX + 1] = {MOVE_NONE};
    SearchJob job = run_job(&run, "Q4Q1K/2Q4Q/4Q3/1Q4Q1/3Q4/Q4Q2/ppQ4Q/knQ1QQ2 w - - 0 1");
    job.limits.depth = 1;
    job.multi_pv = MULTI_PV_MAX;
    job.report = record_first;
    job.ctx = firsts;
    run_search(engine, &job);
    for (int i = 1; i <= MOVES; i++) {
        ck_assert(gen_is_legal(&job.root, firsts[i]));
        ck_assert(!moves_contain(&firsts[1], i - 1, firsts[i]));
    }
    ck_assert_int_eq(firsts[MOVES + 1], MOVE_NONE);
}
END_TEST

/* After Rubi's positions: with a counter near 100, a table entry must not turn a win into a draw.
 */
START_TEST(table_entries_do_not_hide_the_fifty_move_counter)
{
    SearchJob job = run_job(&run, "7k/8/7K/N7/3N4/8/B7/n7 w - - 96 1");
    job.limits.nodes = 300000;
    run_search(engine, &job);
    check_run(&job);
    char text[MOVE_TEXT_MAX];
    move_to_uci(run.best, false, text);
    ck_assert_str_eq(text, "a5b3");
}
END_TEST

START_TEST(a_perpetual_check_is_scored_as_a_draw)
{
    /* White is lost except for a perpetual check from e8 and h5. */
    SearchJob job = run_job(&run, "6k1/6p1/8/8/8/8/qr6/4Q2K w - - 0 1");
    job.limits.depth = 10;
    run_search(engine, &job);
    check_run(&job);
    ck_assert_int_le(abs(run_last(&run)->score), 1);
}
END_TEST

/* Alarms for broken features: the limits are rules of thumb with a wide margin. */
START_TEST(each_search_technique_has_an_effect_of_the_usual_size)
{
    SearchJob job = run_job(&run, MIDDLEGAME);
    job.limits.depth = 12;
    run_search(engine, &job);
    SearchStats stats;
    engine_stats(engine, &stats);
    ck_assert_uint_gt(stats.first_fail_highs * 100, stats.fail_highs * 80);
    ck_assert_uint_gt(stats.third_fail_highs * 100, stats.fail_highs * 93);
    ck_assert_uint_gt(stats.null_cutoffs * 100, stats.null_tries * 25);
    ck_assert_uint_gt(stats.rfp_cutoffs * 100, stats.nodes * 5);
    ck_assert_uint_gt(stats.probcut_cutoffs, 0);
    ck_assert_uint_gt(stats.singular_tries, 100);
    ck_assert_uint_gt(stats.singular_extensions * 100, stats.singular_tries * 5);
    ck_assert_uint_lt(stats.singular_extensions * 100, stats.singular_tries * 60);
    ck_assert_uint_gt(stats.multicuts, 0);
    ck_assert_uint_lt(stats.lmr_researches * 100, stats.lmr_tries * 15);
}
END_TEST

START_TEST(a_mate_limit_ends_the_search)
{
    SearchJob job =
        run_job(&run, "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1");
    job.limits.mate = 2;
    run_search(engine, &job);
    check_run(&job);
    ck_assert_int_eq(run_last(&run)->score, SCORE_MATE - 3);
}
END_TEST

static char mate_text[100];

static void record_text(void *ctx, const Report *report)
{
    (void)ctx;
    if (report->kind == REPORT_TEXT)
        snprintf(mate_text, sizeof mate_text, "%s", report->text);
}

static const struct {
    const char *fen;
    int wanted;
    Score score;
    uint64_t nodes; // at most
} MATES[] = {
    {"2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", 2, SCORE_MATE - 3, 5000},
    {"2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", 5, SCORE_MATE - 3, 5000},
    {"8/8/3Q4/2p1B3/2k2P2/5P2/1B2K3/8 w - - 0 1", 3, SCORE_MATE - 5, 30000},
    {"7k/8/5K2/8/8/8/8/R7 b - - 0 1", 2, -SCORE_MATE + 4, 20000},
};

START_TEST(a_search_for_a_mate_gives_the_shortest_and_its_line)
{
    SearchJob job = run_job(&run, MATES[_i].fen);
    job.limits.mate = MATES[_i].wanted;
    run_search(engine, &job);
    check_run(&job);
    ck_assert_int_eq(run_last(&run)->score, MATES[_i].score);
    ck_assert_uint_le(run_last(&run)->nodes, MATES[_i].nodes);
}
END_TEST

START_TEST(a_mate_that_is_found_leaves_the_other_lines_distinct)
{
    SearchJob job = run_job(&run, "8/2p5/2P5/5P1p/6pk/5K1p/7P/8 w - - 0 1");
    job.limits.mate = 5;
    job.multi_pv = 3;
    run_search(engine, &job);
    check_run(&job);
    Move first[3];
    for (int i = 0; i < run.line_count; i++)
        first[run.lines[i].multipv - 1] = run.lines[i].pv[0];
    ck_assert_int_eq(run_last(&run)->score, SCORE_MATE - 3);
    ck_assert(first[0] != first[1] && first[0] != first[2] && first[1] != first[2]);
}
END_TEST

/* The proof finds mates in 13, 9 and 7 plies, or against the side to move in 16, 14 and 12. */
static const struct {
    const char *fen;
    int wanted;
} SHORTENED[] = {{"Q1B2k2/8/8/8/8/8/5K2/8 w - - 0 1", 7}, {"Q1B2k2/8/8/8/8/8/5K2/8 b - - 0 1", 8}};

START_TEST(a_shorter_mate_has_no_lower_depth)
{
    enum { LINES = 3 };
    SearchJob job = run_job(&run, SHORTENED[_i].fen);
    job.limits.mate = SHORTENED[_i].wanted;
    job.multi_pv = LINES;
    run_search(engine, &job);
    check_run(&job);
    int depths[LINES] = {0}, mates = 0;
    for (int i = 0; i < run.line_count; i++) {
        const Report *const line = &run.lines[i];
        const int rank = line->multipv - 1;
        ck_assert_int_ge(line->depth, depths[rank]);
        ck_assert(rank == 0 || line->depth <= depths[0]);
        depths[rank] = line->depth;
        mates += rank == 0 && score_is_mate(line->score);
    }
    ck_assert_int_ge(mates, 2);
}
END_TEST

START_TEST(a_search_for_a_mate_says_that_there_is_none)
{
    SearchJob job = run_job(&run, KIWIPETE);
    *mate_text = '\0';
    job.limits.mate = 2;
    job.report = record_text;
    run_search(engine, &job);
    ck_assert_str_eq(mate_text, "no mate in 2");
}
END_TEST

Suite *suite_deepening(void);
Suite *suite_deepening(void)
{
    Suite *suite = suite_create("deepening");
    TCase *tcase = tcase_create("search");
    tcase_add_checked_fixture(tcase, engine_setup, engine_teardown);
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, known_mates_are_found_at_their_exact_distance, 0,
                        sizeof KNOWN / sizeof KNOWN[0]);
    tcase_add_test(tcase, mates_of_the_suite_are_never_announced_too_short);
    tcase_add_loop_test(tcase, mates_are_announced_with_complete_lines, 0, 6);
    tcase_add_loop_test(tcase, no_line_continues_after_a_draw, 0, sizeof DRAWS / sizeof DRAWS[0]);
    tcase_add_test(tcase, a_drawn_root_is_searched_like_any_other);
    tcase_add_test(tcase, equal_searches_visit_equal_numbers_of_nodes);
    tcase_add_test(tcase, a_node_limit_is_exact_with_one_thread);
    tcase_add_test(tcase, work_after_the_search_counts_no_nodes);
    tcase_add_test(tcase, a_single_node_still_gives_a_line);
    tcase_add_test(tcase, a_mated_root_has_a_mate_score_and_no_move);
    tcase_add_test(tcase, a_stalemated_root_is_a_draw_without_a_move);
    tcase_add_test(tcase, only_the_moves_of_searchmoves_are_searched);
    tcase_add_test(tcase, every_line_has_a_depth_also_in_the_first_iteration);
    tcase_add_loop_test(tcase, depths_and_scores_of_lines_descend, 0, 4);
    tcase_add_test(tcase, lines_of_multi_pv_are_distinct_and_in_order);
    tcase_add_test(tcase, a_line_that_is_not_finished_keeps_its_last_result);
    tcase_add_test(tcase, with_more_lines_than_moves_each_move_has_one_line);
    tcase_add_loop_test(tcase, armies_that_no_game_can_have_are_searched, 0,
                        sizeof CROWDED / sizeof CROWDED[0]);
    tcase_add_test(tcase, each_of_241_moves_has_its_line);
    tcase_add_test(tcase, table_entries_do_not_hide_the_fifty_move_counter);
    tcase_add_test(tcase, a_perpetual_check_is_scored_as_a_draw);
    tcase_add_test(tcase, each_search_technique_has_an_effect_of_the_usual_size);
    tcase_add_test(tcase, a_mate_limit_ends_the_search);
    tcase_add_loop_test(tcase, a_search_for_a_mate_gives_the_shortest_and_its_line, 0,
                        sizeof MATES / sizeof MATES[0]);
    tcase_add_test(tcase, a_mate_that_is_found_leaves_the_other_lines_distinct);
    tcase_add_loop_test(tcase, a_shorter_mate_has_no_lower_depth, 0,
                        sizeof SHORTENED / sizeof SHORTENED[0]);
    tcase_add_test(tcase, a_search_for_a_mate_says_that_there_is_none);
    suite_add_tcase(suite, tcase);
    return suite;
}
