// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/breuker1994/alibaba.h"

#include <check.h>
#include <string.h>

#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/play.h"
#include "chess/pos_from_fen.h"
#include "tt/replacement.h"

/* Positions with few captures, so that minimax without cutoffs stays small, but with promotions, en
 * passant, castling, mates and stalemates. */
static const struct {
    const char *fen;
    int depth;
} SMALL[] = {
    {"4k3/P6p/8/2Pp4/8/8/7P/R3K3 w Q d6 0 1", 3}, {"7k/5K2/8/6Q1/8/8/8/8 b - - 0 1", 3},
    {"8/8/8/8/8/5k2/4q3/7K w - - 0 1", 3},        {"6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1", 3},
    {"k7/2P5/1K6/8/8/8/8/8 w - - 0 1", 4},        {"r3k3/1pp5/8/3n4/8/8/5PP1/4KB1R b Kq - 0 1", 3},
    {"8/2k1p3/8/3P1P2/4K3/8/8/8 b - - 98 90", 4}, {"2b3k1/1r5p/8/6N1/8/2p5/PP6/1K6 w - - 1 30", 3},
    {"7k/8/8/8/8/8/8/K7 w - - 0 1", 3},           {"8/1P1k4/8/8/8/8/4p1K1/8 w - - 0 1", 3},
    {"7k/7p/p4K1P/p7/P7/8/8/8 w - - 0 1", 4},
};
enum { SMALL_NB = sizeof SMALL / sizeof SMALL[0] };

/* From Kasparov-Short, Amsterdam 1994. */
static const char *const MIDDLEGAMES[] = {
    "r1bq1rk1/3n1ppp/p3p3/3pP3/Np1b1P1P/7R/PPPQ2P1/2KR1B2 w - - 0 15",
    "r1b5/3n1kpp/p2Qpq2/3pp3/N6P/5P1B/PPP5/1K1R4 w - - 3 23",
    "2b3k1/1r2q2p/pn2p1p1/4Q1N1/2p4P/5P1B/PP6/1K1R4 w - - 1 30",
    "6k1/1r2q2p/pn1Rb1p1/4Q1N1/7P/2p2P2/PP6/1K6 w - - 0 32",
    "r1b1k2r/pp3ppp/2n1pn2/q7/1b1P4/2N2N2/PP1B1PPP/R2QKB1R w KQkq - 0 9",
};
enum { MIDDLEGAME_NB = sizeof MIDDLEGAMES / sizeof MIDDLEGAMES[0] };

static Alibaba alibaba, other; // too large for the stack
static Tt tt;
static BoundsTable bounds;
static AlibabaIteration iterations[ALIBABA_MAX_DEPTH + 1], others[ALIBABA_MAX_DEPTH + 1];

static void setup(void)
{
    memset(&alibaba, 0, sizeof alibaba);
    memset(&other, 0, sizeof other);
    alibaba_init(&alibaba);
    alibaba_init(&other);
}

static void teardown(void)
{
    tt_free(&tt);
    tt = (Tt){0};
    bounds_free(&bounds);
    bounds = (BoundsTable){0};
}

/* Gives `alibaba` an empty table. */
static void give_table(Replacement replacement, uint64_t positions)
{
    tt.replacement = replacement;
    tt.no_refresh = true;
    ck_assert(tt_resize_positions(&tt, positions));
    alibaba.tt = &tt;
}

/* Gives `a` an empty table with the bounds of a layout. */
static void give_bounds(Alibaba *a, Replacement replacement, BoundsLayout layout)
{
    bounds.replacement = replacement;
    bounds.layout = layout;
    ck_assert(bounds_resize(&bounds, 1024));
    a->bounds = &bounds;
}

static bool same_nodes(const AlibabaNodes *a, const AlibabaNodes *b)
{
    return a->interior == b->interior && a->leaf == b->leaf && a->quiescence == b->quiescence;
}

/* --- the model: plain minimax --- */

typedef struct {
    Bitboard root_pawns;
    bool prunes; // use alpha-beta cutoffs, for middlegames
    const Position *path[ALIBABA_MAX_PLY];
} Model;

static int model_steps(int type, int step, int *file, int *rank)
{
    static const int KNIGHT_STEPS[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                           {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    static const int LINES[8][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1},
                                    {1, 0}, {-1, 0}, {0, 1},  {0, -1}};
    *file = type == KNIGHT ? KNIGHT_STEPS[step][0] : LINES[step][0];
    *rank = type == KNIGHT ? KNIGHT_STEPS[step][1] : LINES[step][1];
    return type == KNIGHT || type == QUEEN || (type == BISHOP && step < 4) ||
           (type == ROOK && step >= 4);
}

static int model_square(int file, int rank)
{
    const bool is_centre = (file == 3 || file == 4) && (rank == 3 || rank == 4);
    return 2 + (is_centre ? 5 : 0);
}

static int model_piece(const Model *model, PieceType type, Color c, Square s)
{
    static const int MATERIAL[PIECE_TYPE_NB] = {100, 325, 325, 500, 900, 0};
    int value = MATERIAL[type];
    for (int side = -1; side <= 1 && type == PAWN; side += 2) {
        const int file = file_of(s) + side, rank = rank_of(s) + (c == WHITE ? 1 : -1);
        value += file >= 0 && file < 8 ? model_square(file, rank) - 2 : 0;
    }
    for (int step = 0; step < 8 && type >= KNIGHT && type <= QUEEN; step++) {
        int df, dr;
        if (!model_steps(type, step, &df, &dr))
            continue;
        int file = file_of(s) + df, rank = rank_of(s) + dr;
        for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += df, rank += dr) {
            value += model_square(file, rank);
            if (type == KNIGHT || bb_has(model->root_pawns, square_make(file, rank)))
                break;
        }
    }
    return value;
}

static Score model_eval(const Model *model, const Position *pos)
{
    Score value = 0;
    for (Square s = 0; s < SQ_NB; s++) {
        const Piece piece = pos->board[s];
        if (piece == NO_PIECE)
            continue;
        const int worth = model_piece(model, piece_type(piece), piece_color(piece), s);
        value += piece_color(piece) == pos->side ? worth : -worth;
    }
    return value;
}

static bool model_is_draw(const Model *model, int ply)
{
    int same = 0;
    for (int i = 0; i < ply; i++)
        same += model->path[i]->key == model->path[ply]->key;
    return ply > 0 && (same >= 2 || model->path[ply]->rule50 >= 100);
}

static Score minimax(Model *model, const Position *pos, int ply, int depth, const Score window[2])
{
    Move moves[MAX_MOVES];
    const int count = gen_legal(pos, moves);
    model->path[ply] = pos;
    if (count == 0)
        return pos_in_check(pos) ? score_mated_in(ply) : SCORE_DRAW;
    if (model_is_draw(model, ply))
        return SCORE_DRAW;
    const bool is_quiescence = depth <= 0 && !pos_in_check(pos);
    Score best = is_quiescence ? model_eval(model, pos) : -SCORE_INF;
    for (int i = 0; i < count; i++) {
        if (is_quiescence && !pos_is_capture(pos, moves[i]) &&
            move_kind(moves[i]) != KIND_PROMOTION)
            continue;
        if (model->prunes && best >= window[1])
            break;
        const Score below[2] = {-window[1], best > window[0] ? -best : -window[0]};
        Position after;
        pos_play(&after, pos, moves[i]);
        const Score score = -minimax(model, &after, ply + 1, depth - 1, below);
        best = score > best ? score : best;
    }
    return best;
}

static void expect_scores_of_minimax(const char *fen, int max_depth, bool prunes)
{
    const Position pos = pos_from_fen(fen);
    const Score all[2] = {-SCORE_INF, SCORE_INF};
    Model model = {.root_pawns = pos.by_type[PAWN], .prunes = prunes};
    ck_assert_int_eq(alibaba_search(&alibaba, &pos, max_depth, iterations), max_depth);
    for (int depth = 1; depth <= max_depth; depth++) {
        const Score expected = minimax(&model, &pos, 0, depth, all);
        ck_assert_msg(iterations[depth].score == expected, "%s, depth %d: %d instead of %d", fen,
                      depth, iterations[depth].score, expected);
    }
}

START_TEST(without_a_table_the_score_is_that_of_minimax)
{
    expect_scores_of_minimax(SMALL[_i].fen, SMALL[_i].depth, false);
}
END_TEST

START_TEST(without_a_table_the_score_is_that_of_plain_alpha_beta)
{
    expect_scores_of_minimax(MIDDLEGAMES[_i], 3, true);
}
END_TEST

/* This holds only when entries are used at equal depth and not in quiescence, because an entry of a
 * deeper search changes the score, and when no position occurs a third time. */
START_TEST(a_table_used_at_equal_depth_does_not_change_the_score)
{
    const Replacement replacement = _i % REPLACEMENT_NB;
    const Position pos = pos_from_fen(MIDDLEGAMES[_i / REPLACEMENT_NB]);
    give_table(replacement, 1024);
    alibaba.equal_depth_only = true;
    alibaba_search(&alibaba, &pos, 4, iterations);
    alibaba_search(&other, &pos, 4, others);
    for (int depth = 1; depth <= 4; depth++)
        ck_assert_msg(iterations[depth].score == others[depth].score, "%s, depth %d",
                      replacement_name(replacement), depth);
    ck_assert_uint_gt(alibaba.stats.hits, 0);
    ck_assert_uint_eq(alibaba.stats.type1_errors, 0);
}
END_TEST

START_TEST(a_table_saves_nodes)
{
    for (int i = 0; i < MIDDLEGAME_NB; i++) {
        const Position pos = pos_from_fen(MIDDLEGAMES[i]);
        give_table(REPLACE_TWO_BIG1, 64 * 1024);
        alibaba_search(&alibaba, &pos, 5, iterations);
        alibaba_search(&other, &pos, 5, others);
        ck_assert_uint_lt(nodes_total(&iterations[5].nodes), nodes_total(&others[5].nodes));
        alibaba_pass_history(&alibaba, HISTORY_CLEARED);
        alibaba_pass_history(&other, HISTORY_CLEARED);
    }
}
END_TEST

START_TEST(counts_are_reproducible_and_do_not_depend_on_the_final_depth)
{
    const Position pos = pos_from_fen(MIDDLEGAMES[_i]);
    give_table(REPLACE_TWO_DEEP, 1024);
    alibaba_search(&alibaba, &pos, 5, iterations);
    for (int depth = 1; depth <= 5; depth++) {
        Tt second = {.replacement = REPLACE_TWO_DEEP, .no_refresh = true};
        ck_assert(tt_resize_positions(&second, 1024));
        other.tt = &second;
        alibaba_init(&other);
        ck_assert_int_eq(alibaba_search(&other, &pos, depth, others), depth);
        for (int d = 1; d <= depth; d++) {
            ck_assert(same_nodes(&iterations[d].nodes, &others[d].nodes));
            ck_assert_int_eq(iterations[d].move, others[d].move);
            ck_assert_int_eq(iterations[d].score, others[d].score);
        }
        tt_free(&second);
    }
}
END_TEST

START_TEST(another_seed_changes_nodes_but_no_score)
{
    const Position pos = pos_from_fen(MIDDLEGAMES[0]);
    give_table(REPLACE_NEW, 256);
    alibaba.equal_depth_only = true;
    alibaba_search(&alibaba, &pos, 5, iterations);
    tt_clear(&tt);
    other.equal_depth_only = true;
    other.tt = &tt;
    other.seed = 1;
    alibaba_search(&other, &pos, 5, others);
    ck_assert_uint_ne(nodes_total(&iterations[5].nodes), nodes_total(&others[5].nodes));
    ck_assert_int_eq(iterations[5].score, others[5].score);
}
END_TEST

START_TEST(only_big_all_counts_the_subtree_of_a_table_cutoff)
{
    const Position pos = pos_from_fen(MIDDLEGAMES[1]);
    give_table(REPLACE_BIG1, 8 * 1024);
    alibaba_search(&alibaba, &pos, 5, iterations);
    ck_assert_uint_eq(alibaba.effort, nodes_total(&iterations[5].nodes));
    give_table(REPLACE_BIG_ALL, 8 * 1024);
    alibaba_init(&alibaba);
    alibaba_search(&alibaba, &pos, 5, iterations);
    ck_assert_uint_gt(alibaba.effort, nodes_total(&iterations[5].nodes));
}
END_TEST

START_TEST(early_termination_visits_fewer_positions)
{
    const Position pos = pos_from_fen(MIDDLEGAMES[_i]);
    alibaba.early_termination = true;
    alibaba_search(&alibaba, &pos, 4, iterations);
    alibaba_search(&other, &pos, 4, others);
    ck_assert_uint_lt(iterations[4].nodes.quiescence, others[4].nodes.quiescence);
}
END_TEST

START_TEST(a_mate_is_found_at_its_depth_with_its_move)
{
    const Position pos = pos_from_fen("6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1");
    char text[MOVE_TEXT_MAX];
    give_table(REPLACE_DEEP, 1024);
    alibaba_search(&alibaba, &pos, 5, iterations);
    ck_assert_int_eq(iterations[2].score, score_mate_in(1));
    ck_assert_int_eq(iterations[5].score, score_mate_in(1));
    move_to_uci(iterations[5].move, false, text);
    ck_assert_msg(strcmp(text, "d1d8") == 0 || strcmp(text, "e1e8") == 0, "%s", text);
}
END_TEST

START_TEST(a_finished_game_has_no_move)
{
    const Position mate = pos_from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    ck_assert_int_eq(alibaba_search(&alibaba, &mate, 2, iterations), 2);
    ck_assert_int_eq(iterations[2].move, MOVE_NONE);
    ck_assert_int_eq(iterations[2].score, score_mated_in(0));
    const Position stalemate = pos_from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    alibaba_search(&alibaba, &stalemate, 2, iterations);
    ck_assert_int_eq(iterations[2].score, SCORE_DRAW);
}
END_TEST

START_TEST(a_stop_ends_the_search_between_iterations)
{
    static atomic_bool stop = true;
    const Position pos = pos_from_fen(MIDDLEGAMES[0]);
    alibaba.stop = &stop;
    ck_assert_int_lt(alibaba_search(&alibaba, &pos, 8, iterations), 8);
    ck_assert(alibaba.is_stopped);
    atomic_store(&stop, false);
    ck_assert_int_eq(alibaba_search(&alibaba, &pos, 3, iterations), 3);
    ck_assert(!alibaba.is_stopped);
}
END_TEST

START_TEST(history_is_kept_halved_or_emptied)
{
    const Position pos = pos_from_fen(MIDDLEGAMES[0]);
    alibaba_search(&alibaba, &pos, 4, iterations);
    memcpy(&other.history, &alibaba.history, sizeof other.history);
    uint64_t sum = 0;
    alibaba_pass_history(&alibaba, HISTORY_KEPT);
    ck_assert_mem_eq(&other.history, &alibaba.history, sizeof other.history);
    alibaba_pass_history(&alibaba, HISTORY_AGED);
    for (int i = 0; i < SQ_NB * SQ_NB; i++) {
        ck_assert_uint_eq(alibaba.history.counts[WHITE][i], other.history.counts[WHITE][i] / 2);
        sum += other.history.counts[WHITE][i];
    }
    ck_assert_uint_gt(sum, 0);
    alibaba_pass_history(&alibaba, HISTORY_CLEARED);
    for (int i = 0; i < SQ_NB * SQ_NB; i++)
        ck_assert_uint_eq(alibaba.history.counts[WHITE][i] + alibaba.history.counts[BLACK][i], 0);
}
END_TEST

/* --- MTD(f), and tables with two bounds --- */

static const Replacement BOUNDS_SCHEMES[] = {REPLACE_NEW, REPLACE_DEEP, REPLACE_TWO_DEEP,
                                             REPLACE_THOMPSON};
enum { BOUNDS_SCHEME_NB = sizeof BOUNDS_SCHEMES / sizeof BOUNDS_SCHEMES[0] };

START_TEST(minimal_windows_without_a_table_give_the_score_of_minimax)
{
    alibaba.driver = DRIVER_MTD + _i / SMALL_NB;
    expect_scores_of_minimax(SMALL[_i % SMALL_NB].fen, SMALL[_i % SMALL_NB].depth, false);
}
END_TEST

/* As for other tables, when entries are used at equal depth only. */
START_TEST(two_bounds_do_not_change_the_score)
{
    const BoundsLayout layout = _i % BOUNDS_NB;
    const Position pos = pos_from_fen(MIDDLEGAMES[_i / BOUNDS_NB % MIDDLEGAME_NB]);
    give_bounds(&alibaba, _i % 3 == 0 ? REPLACE_THOMPSON : REPLACE_TWO_DEEP, layout);
    alibaba.driver = _i / BOUNDS_NB / MIDDLEGAME_NB;
    alibaba.equal_depth_only = true;
    alibaba_search(&alibaba, &pos, 4, iterations);
    alibaba_search(&other, &pos, 4, others);
    for (int depth = 1; depth <= 4; depth++)
        ck_assert_int_eq(iterations[depth].score, others[depth].score);
    ck_assert_uint_gt(bounds.stats.cutoffs, 0);
    ck_assert_int_ge(alibaba.root_searches, 4);
}
END_TEST

START_TEST(a_single_bound_gives_the_nodes_of_the_usual_table)
{
    const Position pos = pos_from_fen(MIDDLEGAMES[_i % MIDDLEGAME_NB]);
    const Replacement replacement = BOUNDS_SCHEMES[_i / MIDDLEGAME_NB];
    give_table(replacement, 1024);
    give_bounds(&other, replacement, BOUNDS_SINGLE);
    alibaba_search(&alibaba, &pos, 5, iterations);
    alibaba_search(&other, &pos, 5, others);
    ck_assert(same_nodes(&iterations[5].nodes, &others[5].nodes));
    ck_assert_uint_eq(alibaba.stats.hits, bounds.stats.hits);
    ck_assert_uint_eq(tt_stats_cutoffs(&alibaba.stats), bounds.stats.cutoffs);
    ck_assert_uint_eq(bounds.stats.older_cutoffs + bounds.stats.older_narrowed, 0);
}
END_TEST

/* Within an iteration, MTD(f) moves its window in one direction, so only the later bound of a
 * position can give a cutoff. A bisection moves it both ways. */
START_TEST(a_bisection_uses_the_older_of_two_bounds_more_than_mtd)
{
    uint64_t cutoffs[DRIVER_NB] = {0};
    for (AlibabaDriver driver = DRIVER_MTD; driver <= DRIVER_BISECT; driver++)
        for (int i = 0; i < MIDDLEGAME_NB; i++) {
            const Position pos = pos_from_fen(MIDDLEGAMES[i]);
            give_bounds(&alibaba, REPLACE_TWO_DEEP, BOUNDS_OWN);
            alibaba_init(&alibaba);
            alibaba.driver = driver;
            bounds.stats = (BoundsStats){0};
            alibaba_search(&alibaba, &pos, 5, iterations);
            ck_assert_uint_gt(bounds.stats.cutoffs, 0);
            ck_assert_uint_eq(bounds.stats.narrowed, 0); // a minimal window cannot be narrowed
            cutoffs[driver] += bounds.stats.older_cutoffs;
        }
    ck_assert_uint_gt(cutoffs[DRIVER_BISECT], 10 * cutoffs[DRIVER_MTD]);
}
END_TEST

Suite *suite_alibaba(void);
Suite *suite_alibaba(void)
{
    Suite *suite = suite_create("alibaba");
    TCase *tcase = tcase_create("alibaba");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, without_a_table_the_score_is_that_of_minimax, 0, SMALL_NB);
    tcase_add_loop_test(tcase, without_a_table_the_score_is_that_of_plain_alpha_beta, 0,
                        MIDDLEGAME_NB);
    tcase_add_loop_test(tcase, a_table_used_at_equal_depth_does_not_change_the_score, 0,
                        MIDDLEGAME_NB * REPLACEMENT_NB);
    tcase_add_test(tcase, a_table_saves_nodes);
    tcase_add_loop_test(tcase, counts_are_reproducible_and_do_not_depend_on_the_final_depth, 0,
                        MIDDLEGAME_NB);
    tcase_add_test(tcase, another_seed_changes_nodes_but_no_score);
    tcase_add_test(tcase, only_big_all_counts_the_subtree_of_a_table_cutoff);
    tcase_add_loop_test(tcase, early_termination_visits_fewer_positions, 0, MIDDLEGAME_NB);
    tcase_add_test(tcase, a_mate_is_found_at_its_depth_with_its_move);
    tcase_add_test(tcase, a_finished_game_has_no_move);
    tcase_add_test(tcase, a_stop_ends_the_search_between_iterations);
    tcase_add_test(tcase, history_is_kept_halved_or_emptied);
    tcase_add_loop_test(tcase, minimal_windows_without_a_table_give_the_score_of_minimax, 0,
                        SMALL_NB * (DRIVER_NB - DRIVER_MTD));
    tcase_add_loop_test(tcase, two_bounds_do_not_change_the_score, 0,
                        BOUNDS_NB * MIDDLEGAME_NB * DRIVER_NB);
    tcase_add_loop_test(tcase, a_single_bound_gives_the_nodes_of_the_usual_table, 0,
                        BOUNDS_SCHEME_NB * MIDDLEGAME_NB);
    tcase_add_test(tcase, a_bisection_uses_the_older_of_two_bounds_more_than_mtd);
    suite_add_tcase(suite, tcase);
    return suite;
}
