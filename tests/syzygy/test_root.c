// SPDX-License-Identifier: GPL-3.0-or-later
/* Searches with tablebases: root moves, probes and scores. */
#include "syzygy/root.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/play.h"
#include "engine/engine_fixture.h"
#include "skip.h"
#include "syzygy/syzygy_fixture.h"

static char folders[FILE_PATH_MAX];

/* Opens the shared tables; false when there are none: the test is skipped and must return. */
static bool open_tables(void)
{
    char error[SYZYGY_ERROR_MAX];
    if (!shared_tables(folders))
        return false;
    ck_assert_msg(engine_set_syzygy(engine, folders, error), "%s", error);
    return true;
}

/* Searches `fen` from an empty table. */
static const Report *search(const char *fen, int depth, uint64_t nodes)
{
    SearchJob job = run_job(&run, fen);
    job.limits.depth = depth;
    job.limits.nodes = nodes;
    engine_new_game(engine);
    run_search(engine, &job);
    ck_assert_int_eq(run.done_count, 1);
    return run_last(&run);
}

/* Checks that the best move is among the words of `list`. */
static void expect_best(const char *list, const char *id)
{
    char move[MOVE_TEXT_MAX], padded_list[ORACLE_TEXT_MAX], padded[MOVE_TEXT_MAX + 2];
    move_to_uci(run.best, false, move);
    snprintf(padded_list, sizeof padded_list, " %.4000s ", list);
    snprintf(padded, sizeof padded, " %s ", move);
    ck_assert_msg(strstr(padded_list, padded) != NULL, "%s: %s is not among %s", id, move, list);
}

/* Checks that the score is that of the tables, or a mate that agrees with it. */
static void expect_score(Score score, const char *wdl50, const char *id)
{
    const int wdl = atoi(wdl50);
    if (wdl == 2)
        ck_assert_msg(score == SCORE_TB || score >= SCORE_MATE_MIN, "%s: %d", id, score);
    else if (wdl == -2)
        ck_assert_msg(score == -SCORE_TB || score <= -SCORE_MATE_MIN, "%s: %d", id, score);
    else
        ck_assert_msg(score == 2 * wdl, "%s: %d", id, score);
}

START_TEST(only_moves_of_the_best_rank_are_played)
{
    int count, searched = 0;
    OracleRow *const rows = open_tables() ? oracle_read(&count) : NULL;
    if (rows == NULL)
        return;
    for (int i = 0; i < count; i++) {
        if (strcmp(rows[i].tb, "yes") != 0)
            continue;
        engine_set_threads(engine, 1 + i % 2);
        const Report *const last = search(rows[i].fen, 0, 300);
        expect_best(rows[i].top_rank, rows[i].id);
        expect_score(last->score, rows[i].wdl50, rows[i].id);
        ck_assert(last->is_tablebase != score_is_mate(last->score));
        /* At the node limit, the score of a new mate may still be a bound. */
        ck_assert(last->bound == BOUND_EXACT || score_is_mate(last->score));
        ck_assert_uint_gt(last->tb_hits, 0);
        searched++;
    }
    ck_assert_int_gt(searched, 700);
    free(rows);
}
END_TEST

START_TEST(roots_outside_the_tables_are_searched_without_probes)
{
    int count, searched = 0;
    OracleRow *const rows = open_tables() ? oracle_read(&count) : NULL;
    if (rows == NULL)
        return;
    for (int i = 0; i < count; i++) {
        if (strcmp(rows[i].tb, "yes") == 0 || strcmp(rows[i].tb, "terminal") == 0)
            continue;
        ck_assert(!search(rows[i].fen, 0, 300)->is_tablebase);
        ck_assert(gen_is_legal(&rows[i].pos, run.best));
        searched++;
    }
    ck_assert_int_gt(searched, 80);
    free(rows);
}
END_TEST

/* The defence of a lost position: by the engine itself, or by the move that delays the next zeroing
 * move longest. */
typedef enum { BY_SEARCH, BY_DISTANCE, DEFENCE_NB } Defence;

static Move longest_delay(const SearchJob *job, const char *id)
{
    SyzygyView view;
    char error[SYZYGY_ERROR_MAX];
    ck_assert_msg(engine_syzygy_look_up(engine, &job->root, &job->path, &view, error), "%s: %s", id,
                  error);
    ck_assert_msg(view.has_dtz && view.dtz < 0, "%s: no longer lost", id);
    const SyzygyMove *longest = &view.moves[0];
    for (int i = 1; i < view.count; i++)
        longest = view.moves[i].dtz < longest->dtz ? &view.moves[i] : longest;
    return longest->move;
}

static Move searched_move(const SearchJob *job)
{
    run.line_count = run.done_count = 0;
    run_search(engine, job);
    return run.best;
}

/* Plays a won position to its end, by the engine's fifty-move rule, and returns the plies to mate.
 */
static int play_to_mate(const OracleRow *row, Defence defence)
{
    const bool rule50 = engine_syzygy_use(engine).rule50;
    const Color winner = row->wdl50[0] == '2' ? row->pos.side : !row->pos.side;
    SearchJob job = run_job(&run, row->fen);
    int plies = 0;
    job.limits.nodes = 400;
    engine_new_game(engine);
    for (; gen_any(&job.root); plies++) {
        ck_assert_msg(!rule50 || !game_fifty_moves(&job.root), "%s: fifty moves passed", row->id);
        ck_assert_msg(path_occurrences(&job.path, &job.root) < 2, "%s: a repetition", row->id);
        ck_assert_msg(!pos_insufficient_material(&job.root), "%s: nothing mates", row->id);
        const bool by_search = defence == BY_SEARCH || job.root.side == winner;
        const Move move = by_search ? searched_move(&job) : longest_delay(&job, row->id);
        ck_assert_msg(gen_is_legal(&job.root, move), "%s: illegal", row->id);
        pos_advance(&job.root, move);
        path_extend(&job.path, &job.root);
    }
    ck_assert_msg(pos_in_check(&job.root) && job.root.side != winner, "%s: no mate", row->id);
    return plies;
}

START_TEST(every_won_position_is_converted_within_the_fifty_move_rule)
{
    const int stride = is_slow_run() ? 1 : 3;
    int count, games = 0, longest = 0;
    OracleRow *const rows = open_tables() ? oracle_read(&count) : NULL;
    if (rows == NULL)
        return;
    for (int i = 0; i < count; i++) {
        const bool is_decided = strcmp(rows[i].wdl50, "2") == 0 || strcmp(rows[i].wdl50, "-2") == 0;
        // DTZ may be a ply short, so the hundredth ply is too late.
        const bool is_in_time = abs(atoi(rows[i].dtz)) + rows[i].pos.rule50 < 100;
        if (strcmp(rows[i].tb, "yes") != 0 || !is_decided || !is_in_time || i % stride != 0)
            continue;
        const int plies = play_to_mate(&rows[i], (Defence)_i);
        longest = plies > longest ? plies : longest;
        games++;
    }
    printf("won positions played to mate: %d, the longest in %d plies\n", games, longest);
    ck_assert_int_gt(games, 50);
    free(rows);
}
END_TEST

/* Long or difficult wins: bishop and knight, queen against rook, two bishops, a lone
 * pawn, a lone rook. */
static const char *const DELICATE[] = {
    "8/8/8/3k4/8/8/8/KBN5 w - - 0 1",  "7k/8/8/8/8/8/8/KBN5 w - - 0 1",
    "8/8/8/2k1r3/8/8/8/K6Q w - - 0 1", "6rk/8/8/8/8/8/Q7/K7 w - - 0 1",
    "8/8/8/3k4/8/8/8/KBB5 w - - 0 1",  "8/8/8/8/8/1k6/4P3/4K3 w - - 0 1",
    "8/8/8/3k4/8/8/8/K6R w - - 0 1",   "8/8/8/8/8/4k3/8/KR4b1 b - - 0 1",
    "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", "8/8/3nk3/8/8/8/8/KQ6 w - - 0 1",
};

START_TEST(long_and_difficult_wins_are_converted)
{
    if (!open_tables())
        return;
    SyzygyView view;
    char error[SYZYGY_ERROR_MAX];
    OracleRow row = {.id = DELICATE[_i], .fen = DELICATE[_i], .wdl50 = "2"};
    const SearchJob job = run_job(&run, row.fen);
    row.pos = job.root;
    ck_assert(engine_syzygy_look_up(engine, &row.pos, &job.path, &view, error));
    if (view.wdl == SYZYGY_WIN)
        for (int defence = 0; defence < DEFENCE_NB; defence++)
            play_to_mate(&row, (Defence)defence);
    else
        ck_assert_str_eq(row.fen, DELICATE[7]); // a draw, which must not cause a crash
}
END_TEST

/* Without the fifty-move rule, a counter that no longer fits into 8 bits hides no win. */
START_TEST(without_the_rule_long_wins_are_converted_at_any_counter)
{
    if (!open_tables())
        return;
    static const int COUNTERS[] = {60, 99, 230, 255};
    char fen[FEN_MAX];
    SyzygyUse use = engine_syzygy_use(engine);
    use.rule50 = false;
    engine_set_syzygy_use(engine, use);
    for (int i = 0; i < 4; i++) {
        snprintf(fen, sizeof fen, "8/8/8/8/3k4/8/8/3NB2K w - - %d 200", COUNTERS[i]);
        OracleRow row = {.id = fen, .fen = fen, .wdl50 = "2"};
        row.pos = run_job(&run, fen).root;
        for (int defence = 0; defence < DEFENCE_NB; defence++)
            play_to_mate(&row, (Defence)defence);
    }
}
END_TEST

/* A position outside the tables from which a capture leads into them. */
static const char CAPTURE[] = "4k3/1r6/8/8/3Q4/5B2/8/K7 w - - 0 1";

START_TEST(the_score_of_a_table_win_below_the_root_depends_on_its_distance)
{
    if (!open_tables())
        return;
    const Report *const last = search(CAPTURE, 6, 0);
    expect_best("f3b7", "capture");
    ck_assert_int_eq(last->score, SCORE_TB - 1);
    ck_assert_int_eq(last->bound, BOUND_EXACT);
    ck_assert_uint_gt(last->tb_hits, 0);
}
END_TEST

START_TEST(the_limits_of_probing_are_obeyed)
{
    if (!open_tables())
        return;
    SyzygyUse use = engine_syzygy_use(engine);
    ck_assert_int_eq(use.men, engine_syzygy_tables(engine)->men);
    ck_assert_int_eq(use.depth, 1);
    ck_assert(use.rule50);
    use.men = 0;
    engine_set_syzygy_use(engine, use);
    ck_assert_uint_eq(search(CAPTURE, 6, 0)->tb_hits, 0);
    ck_assert_uint_eq(search("8/8/8/8/8/2k5/7R/K7 w - - 0 1", 6, 0)->tb_hits, 0);
    use.men = 3;
    engine_set_syzygy_use(engine, use);
    ck_assert_uint_eq(search(CAPTURE, 2, 0)->tb_hits, 0);
    ck_assert_uint_gt(search("8/8/8/8/8/2k5/7R/K7 w - - 0 1", 6, 0)->tb_hits, 0);
    use.men = 4;
    use.depth = 4;
    engine_set_syzygy_use(engine, use);
    ck_assert_uint_eq(search(CAPTURE, 2, 0)->tb_hits, 0);
    ck_assert_uint_gt(search(CAPTURE, 8, 0)->tb_hits, 0);
    use.depth = 1;
    engine_set_syzygy_use(engine, use);
    ck_assert_uint_gt(search(CAPTURE, 2, 0)->tb_hits, 0);
}
END_TEST

START_TEST(a_search_for_a_mate_probes_no_tables)
{
    if (!open_tables())
        return;
    SearchJob job = run_job(&run, "8/8/8/8/8/1k6/7R/K7 b - - 0 1");
    job.limits.mate = 2;
    job.limits.depth = 6;
    run_search(engine, &job);
    ck_assert_uint_eq(run_last(&run)->tb_hits, 0);
}
END_TEST

START_TEST(without_folders_nothing_is_probed)
{
    char error[SYZYGY_ERROR_MAX];
    ck_assert(engine_set_syzygy(engine, "", error));
    ck_assert_int_eq(engine_syzygy_tables(engine)->men, 0);
    ck_assert_uint_eq(search(CAPTURE, 6, 0)->tb_hits, 0);
    ck_assert(!engine_set_syzygy(engine, "/tmp/no such folder of palimpsest", error));
    ck_assert_uint_eq(search(CAPTURE, 6, 0)->tb_hits, 0);
    ck_assert(!score_is_proven(run_last(&run)->score));
}
END_TEST

START_TEST(tables_can_be_closed_and_opened_again)
{
    if (!open_tables())
        return;
    char error[SYZYGY_ERROR_MAX];
    const uint64_t hits = search(CAPTURE, 6, 0)->tb_hits;
    ck_assert_uint_gt(hits, 0);
    ck_assert(engine_set_syzygy(engine, "", error));
    ck_assert_uint_eq(search(CAPTURE, 6, 0)->tb_hits, 0);
    ck_assert(engine_set_syzygy(engine, folders, error));
    ck_assert(!engine_set_syzygy(engine, "/tmp/no such folder of palimpsest", error));
    ck_assert_uint_eq(search(CAPTURE, 6, 0)->tb_hits, 0);
    ck_assert(engine_set_syzygy(engine, folders, error));
    ck_assert_uint_eq(search(CAPTURE, 6, 0)->tb_hits, hits);
}
END_TEST

/* Returns the number of entries in the table. */
static uint64_t count_entries(void)
{
    Tt *const tt = engine_table(engine);
    uint64_t count = 0;
    TtRecord record;
    for (uint64_t i = 0; i < 2 * tt->slot_count; i++)
        count += tt_record(tt, i, &record) != TT_RECORD_EMPTY;
    return count;
}

START_TEST(a_change_of_the_rule_clears_the_table)
{
    if (!open_tables())
        return;
    SyzygyUse use = engine_syzygy_use(engine);
    search(CAPTURE, 6, 0);
    use.depth = 7;
    engine_set_syzygy_use(engine, use);
    ck_assert_uint_gt(count_entries(), 0);
    use.rule50 = false;
    engine_set_syzygy_use(engine, use);
    ck_assert_uint_eq(count_entries(), 0);
}
END_TEST

START_TEST(folders_and_rules_without_tables_do_not_clear_the_table)
{
    char error[SYZYGY_ERROR_MAX];
    SyzygyUse use = engine_syzygy_use(engine);
    search(CAPTURE, 6, 0);
    use.rule50 = false;
    engine_set_syzygy_use(engine, use);
    ck_assert(!engine_set_syzygy(engine, "/tmp/no such folder of palimpsest", error));
    ck_assert(engine_set_syzygy(engine, "", error));
    ck_assert_uint_gt(count_entries(), 0);
}
END_TEST

START_TEST(closing_the_tables_clears_the_table_opening_the_same_does_not)
{
    if (!open_tables())
        return;
    char error[SYZYGY_ERROR_MAX];
    search(CAPTURE, 6, 0);
    ck_assert(engine_set_syzygy(engine, folders, error));
    ck_assert_uint_gt(count_entries(), 0);
    ck_assert(engine_set_syzygy(engine, "", error));
    ck_assert_uint_eq(count_entries(), 0);
}
END_TEST

START_TEST(a_limit_below_the_men_of_the_tables_clears_the_table)
{
    if (!open_tables())
        return;
    SyzygyUse use = engine_syzygy_use(engine);
    search(CAPTURE, 6, 0);
    use.men = engine_syzygy_tables(engine)->men;
    engine_set_syzygy_use(engine, use);
    ck_assert_uint_gt(count_entries(), 0);
    use.men--;
    engine_set_syzygy_use(engine, use);
    ck_assert_uint_eq(count_entries(), 0);
}
END_TEST

START_TEST(a_mate_that_is_found_is_reported_in_place_of_the_result_of_the_tables)
{
    if (!open_tables())
        return;
    const Report *const last = search("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", 4, 0);
    ck_assert_uint_gt(last->tb_hits, 0);
    ck_assert_int_eq(last->score, score_mate_in(1));
}
END_TEST

START_TEST(a_cursed_win_is_a_win_without_the_fifty_move_rule)
{
    if (!open_tables())
        return;
    static const char cursed[] = "8/8/4n3/8/4k3/2B5/8/2K2B2 w - - 20 11";
    SyzygyUse use = engine_syzygy_use(engine);
    ck_assert_int_eq(search(cursed, 4, 0)->score, SCORE_DRAW + 2);
    use.rule50 = false;
    engine_set_syzygy_use(engine, use);
    ck_assert_int_eq(search(cursed, 4, 0)->score, SCORE_TB);
}
END_TEST

START_TEST(without_tables_no_root_move_is_filtered)
{
    const SearchJob job = run_job(&run, "8/8/8/8/8/2k5/7R/K7 w - - 0 1");
    const SyzygyUse use = {.men = 0, .depth = 1, .rule50 = true};
    SyzygyRoot root;
    syzygy_root_filter(&use, &job.root, &job.path, NULL, 0, 1, &root);
    ck_assert_uint_eq(root.tb_hits, 0);
    ck_assert(!root.is_known);
    ck_assert_int_eq(root.move_count, 0);
}
END_TEST

START_TEST(the_filter_keeps_allowed_moves_of_the_best_rank)
{
    if (!open_tables())
        return;
    const SearchJob job = run_job(&run, "8/8/8/8/8/2k5/7R/K7 w - - 0 1");
    const SyzygyUse use = engine_syzygy_use(engine);
    const Move won = move_from_uci(&job.root, "h2h8");
    const Move drawn = move_from_uci(&job.root, "h2c2");
    const Move both[] = {drawn, won};
    SyzygyRoot root;
    syzygy_root_filter(&use, &job.root, &job.path, both, 2, 1, &root);
    ck_assert(root.is_known);
    ck_assert_int_eq(root.move_count, 1);
    ck_assert_int_eq(root.moves[0], won);
    ck_assert_int_eq(syzygy_outcome(root.ranks[0], true), SYZYGY_WIN);
    syzygy_root_filter(&use, &job.root, &job.path, &drawn, 1, 1, &root);
    ck_assert(root.is_known);
    ck_assert_int_eq(root.move_count, 1);
    ck_assert_int_eq(syzygy_outcome(root.ranks[0], true), SYZYGY_DRAW);
    syzygy_root_filter(&use, &job.root, &job.path, both, 2, 2, &root);
    ck_assert_int_eq(root.move_count, 2);
    ck_assert_int_eq(root.moves[0], won);
    ck_assert_int_eq(root.moves[1], drawn);
    syzygy_root_filter(&use, &job.root, &job.path, NULL, 0, 2, &root);
    ck_assert_int_gt(root.move_count, 2); // all of the best rank
    ck_assert_int_eq(root.ranks[0], root.ranks[root.move_count - 1]);
    syzygy_root_filter(&use, &job.root, &job.path, both, 2, MAX_MOVES, &root);
    ck_assert_int_eq(root.move_count, 2);
    /* An empty list allows no move. */
    syzygy_root_filter(&use, &job.root, &job.path, both, 0, 1, &root);
    ck_assert_uint_gt(root.tb_hits, 0);
    ck_assert(!root.is_known);
    ck_assert_int_eq(root.move_count, 0);
}
END_TEST

/* Two moves give the rook away, all others win. */
START_TEST(multi_pv_shows_moves_of_lower_rank_with_their_own_results)
{
    if (!open_tables())
        return;
    SearchJob job = run_job(&run, "8/8/8/8/8/2k5/7R/K7 w - - 0 1");
    Move moves[MAX_MOVES];
    const int count = gen_legal(&job.root, moves);
    job.limits.depth = 3;
    job.multi_pv = MULTI_PV_MAX;
    engine_set_threads(engine, 2);
    run_search(engine, &job);
    ck_assert_int_ge(run.line_count, count);
    for (int i = 0; i < count; i++) {
        const Report *const line = &run.lines[run.line_count - count + i];
        char move[MOVE_TEXT_MAX];
        move_to_uci(line->pv[0], false, move);
        const bool is_drawn = strcmp(move, "h2c2") == 0 || strcmp(move, "h2d2") == 0;
        ck_assert_int_eq(line->multipv, i + 1);
        ck_assert_int_eq(is_drawn, i >= count - 2);
        expect_score(line->score, is_drawn ? "0" : "2", move);
    }
}
END_TEST

/* Two moves of the knight draw, all other moves lose. The search itself may prefer one of these. */
START_TEST(lines_that_are_not_finished_are_in_the_order_of_the_tables)
{
    if (!open_tables())
        return;
    SearchJob job = run_job(&run, "4k3/8/8/8/1Rn5/8/8/2K5 b - - 70 105");
    job.multi_pv = 6;
    for (uint64_t nodes = 50; nodes < 1500; nodes += 10) {
        job.limits.nodes = nodes;
        engine_new_game(engine);
        run.line_count = 0;
        run_search(engine, &job);
        ck_assert_int_ge(run.line_count, 6);
        const Report *const lines = &run.lines[run.line_count - 6];
        for (int i = 0; i < 6; i++)
            ck_assert_msg(score_is_loss(lines[i].score) == (i >= 2), "line %d after %d nodes: %d",
                          i + 1, (int)nodes, lines[i].score);
    }
}
END_TEST

START_TEST(the_moves_of_searchmoves_are_ranked_among_themselves)
{
    if (!open_tables())
        return;
    SearchJob job = run_job(&run, "8/8/8/8/8/2k5/7R/K7 w - - 0 1");
    job.limits.depth = 4;
    job.limits.has_search_moves = true;
    job.limits.search_move_count = 2;
    job.limits.search_moves[0] = move_from_uci(&job.root, "h2c2"); // gives the rook away
    job.limits.search_moves[1] = move_from_uci(&job.root, "h2d2"); // so does this
    run_search(engine, &job);
    expect_best("h2c2 h2d2", "searchmoves");
    ck_assert_int_eq(run_last(&run)->score, SCORE_DRAW);
    job.limits.search_moves[1] = move_from_uci(&job.root, "h2h8");
    run.line_count = 0;
    run_search(engine, &job);
    expect_best("h2h8", "searchmoves");
    ck_assert_int_ge(run_last(&run)->score, SCORE_TB);
}
END_TEST

START_TEST(after_a_repetition_only_the_shortest_wins_have_the_best_rank)
{
    if (!open_tables())
        return;
    SyzygyView view;
    char error[SYZYGY_ERROR_MAX];
    SearchJob job = run_job(&run, "8/8/8/3k4/8/8/8/K6R w - - 0 1");
    static const char *const moves[] = {"h1h2", "d5d6", "h2h1", "d6d5"};
    Position pos = job.root;
    for (int round = 0; round < 2; round++) {
        ck_assert(engine_syzygy_look_up(engine, &pos, &job.path, &view, error));
        int best = 0, best_count = 0;
        for (int i = 0; i < view.count; i++)
            best = view.moves[i].rank > best ? view.moves[i].rank : best;
        for (int i = 0; i < view.count; i++) {
            best_count += view.moves[i].rank == best;
            if (round == 1 && view.moves[i].rank == best)
                ck_assert_int_eq(1000 - best, view.moves[i].dtz + pos.rule50);
        }
        ck_assert(round == 0 ? best == 1000 && best_count > 5 : best < 1000 && best >= 900);
        for (int i = 0; i < 4 && round == 0; i++) {
            pos_advance(&pos, move_from_uci(&pos, moves[i]));
            path_extend(&job.path, &pos);
        }
    }
}
END_TEST

START_TEST(threads_search_on_fresh_tables)
{
    if (!open_tables())
        return;
    char error[SYZYGY_ERROR_MAX];
    engine_set_threads(engine, 4);
    for (int round = 0; round < 20; round++) {
        ck_assert(engine_set_syzygy(engine, folders, error));
        search(round % 2 ? CAPTURE : "4k3/1r1b4/8/8/3Q4/5B2/8/K2R4 w - - 0 1", 9, 0);
        ck_assert_uint_gt(run_last(&run)->tb_hits, 0);
    }
}
END_TEST

Suite *suite_syzygy_root(void);
Suite *suite_syzygy_root(void)
{
    Suite *const suite = suite_create("syzygy_root");
    TCase *const tcase = tcase_create("searches");
    tcase_add_checked_fixture(tcase, engine_setup, engine_teardown);
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, only_moves_of_the_best_rank_are_played);
    tcase_add_test(tcase, roots_outside_the_tables_are_searched_without_probes);
    tcase_add_loop_test(tcase, every_won_position_is_converted_within_the_fifty_move_rule, 0,
                        DEFENCE_NB);
    tcase_add_loop_test(tcase, long_and_difficult_wins_are_converted, 0,
                        (int)(sizeof DELICATE / sizeof DELICATE[0]));
    tcase_add_test(tcase, without_the_rule_long_wins_are_converted_at_any_counter);
    tcase_add_test(tcase, the_score_of_a_table_win_below_the_root_depends_on_its_distance);
    tcase_add_test(tcase, the_limits_of_probing_are_obeyed);
    tcase_add_test(tcase, a_search_for_a_mate_probes_no_tables);
    tcase_add_test(tcase, without_folders_nothing_is_probed);
    tcase_add_test(tcase, tables_can_be_closed_and_opened_again);
    tcase_add_test(tcase, a_change_of_the_rule_clears_the_table);
    tcase_add_test(tcase, folders_and_rules_without_tables_do_not_clear_the_table);
    tcase_add_test(tcase, closing_the_tables_clears_the_table_opening_the_same_does_not);
    tcase_add_test(tcase, without_tables_no_root_move_is_filtered);
    tcase_add_test(tcase, the_filter_keeps_allowed_moves_of_the_best_rank);
    tcase_add_test(tcase, a_limit_below_the_men_of_the_tables_clears_the_table);
    tcase_add_test(tcase, a_mate_that_is_found_is_reported_in_place_of_the_result_of_the_tables);
    tcase_add_test(tcase, a_cursed_win_is_a_win_without_the_fifty_move_rule);
    tcase_add_test(tcase, multi_pv_shows_moves_of_lower_rank_with_their_own_results);
    tcase_add_test(tcase, lines_that_are_not_finished_are_in_the_order_of_the_tables);
    tcase_add_test(tcase, the_moves_of_searchmoves_are_ranked_among_themselves);
    tcase_add_test(tcase, after_a_repetition_only_the_shortest_wins_have_the_best_rank);
    tcase_add_test(tcase, threads_search_on_fresh_tables);
    suite_add_tcase(suite, tcase);
    return suite;
}
