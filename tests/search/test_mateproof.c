// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/mateproof.h"

#include <check.h>

#include "chess/epd.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/play.h"
#include "search/worker_fixture.h"
#include "shared_data.h"

enum { TABLE_BYTES = 1 << 20, MOVES_MAX = 8 };

static MateProof *proof;
static MateNumbers numbers; // MATE_NUMBERS_SUM, unless a test says otherwise

static Worker *open_proof(const char *fen, int moves_max)
{
    Worker *const w = fixture_open(&fixture, fen, 1);
    w->may_stop = true;
    proof = mateproof_create(w, moves_max, TABLE_BYTES);
    ck_assert_ptr_nonnull(proof);
    return w;
}

static void close_proof(void)
{
    mateproof_destroy(proof);
    proof = NULL;
    fixture_close(&fixture);
}

static MateVerdict verdict(Color attacker, int moves)
{
    return mateproof_search(proof, attacker, moves, numbers, UINT64_MAX).verdict;
}

/* Checks that the line is legal, has the length of the mate and ends with mate. */
static void check_line(Color attacker, int moves)
{
    Move pv[MAX_PLY];
    Position pos = fixture.job.root;
    const int length = mateproof_line(proof, attacker, moves, UINT64_MAX, pv);
    ck_assert_int_eq(length, 2 * moves - (attacker == pos.side));
    for (int i = 0; i < length; i++) {
        ck_assert(gen_is_legal(&pos, pv[i]));
        pos_advance(&pos, pv[i]);
    }
    ck_assert(pos_in_check(&pos) && !gen_any(&pos));
}

/* -- Known positions --------------------------------------------------------------------------- */

static const struct {
    const char *fen;
    int moves; // mate by the side to move; negative: it is mated
    const char *first;
} KNOWN[] = {
    {"6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", 1, "e1e8"},
    {"2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", 2, "g3g6"},
    {"k7/8/2K5/8/8/8/8/1R6 w - - 0 1", 2, "c6c7"}, // a quiet move
    {"r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3, "f6a6"},
    {"6bk/5Ppp/8/6N1/8/8/8/K7 w - - 0 1", 3, "f7f8q"},
    {"5k2/8/7N/8/8/6P1/1B2R3/5KR1 w G - 0 1", 1, "f1g1"}, // castling in Chess960
    {"k7/8/2K5/8/8/8/8/1R6 w - - 97 60", 2, "c6c7"},      // mate on the hundredth ply
    {"7k/5K2/8/8/8/8/8/5QR1 b - - 0 1", -1, "h8h7"},
    {"k7/8/1K6/8/8/8/8/7R b - - 0 1", -1, "a8b8"},
};

START_TEST(a_mate_is_proven_at_its_length_and_refuted_below)
{
    numbers = _i % 2 == 0 ? MATE_NUMBERS_SUM : MATE_NUMBERS_WEAK;
    const Worker *const w = open_proof(KNOWN[_i / 2].fen, MOVES_MAX);
    const Position *const root = &fixture.job.root;
    const int moves = KNOWN[_i / 2].moves > 0 ? KNOWN[_i / 2].moves : -KNOWN[_i / 2].moves;
    const Color attacker = KNOWN[_i / 2].moves > 0 ? root->side : !root->side;
    char text[MOVE_TEXT_MAX];
    if (moves > 1)
        ck_assert_int_eq(verdict(attacker, moves - 1), MATE_REFUTED);
    const MateResult mate = mateproof_search(proof, attacker, moves, numbers, UINT64_MAX);
    ck_assert_int_eq(mate.verdict, MATE_PROVEN);
    ck_assert_int_eq(mate.moves, moves);
    move_to_uci(mate.first, true, text);
    ck_assert_str_eq(text, KNOWN[_i / 2].first);
    check_line(attacker, moves);
    ck_assert_uint_lt(worker_nodes(w), 20000);
    close_proof();
}
END_TEST

static const struct {
    const char *fen;
    int moves;
} NONE[] = {
    {"k7/P7/8/1K6/8/8/8/8 w - - 0 1", 6},       // only stalemate
    {"k7/8/2K5/8/8/8/8/1R6 w - - 98 60", 2},    // the fifty-move rule comes first
    {"8/k7/8/2K5/8/8/8/1R6 w - - 96 60", 3},    // the same
    {"7k/8/6K1/8/8/8/8/8 w - - 0 1", 4},        // a king alone
    {"7k/8/5KN1/8/8/8/8/8 b - - 0 1", 4},       // the same, with the other side to move
    {"kb6/p1pN4/P1P5/8/8/8/8/7K w - - 0 1", 4}, // the knight has one move too many
    {"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 6},
};

START_TEST(no_mate_is_found_where_there_is_none)
{
    numbers = _i % 2 == 0 ? MATE_NUMBERS_SUM : MATE_NUMBERS_WEAK;
    open_proof(NONE[_i / 2].fen, NONE[_i / 2].moves);
    ck_assert_int_eq(verdict(fixture.job.root.side, NONE[_i / 2].moves), MATE_REFUTED);
    close_proof();
}
END_TEST

/* -- Against a plain search -------------------------------------------------------------------- */

static bool model_mates(const Position *pos, int moves);

static bool model_is_lost(const Position *pos, int moves)
{
    Move list[MAX_MOVES];
    const int count = gen_legal(pos, list);
    if (count == 0)
        return pos_in_check(pos);
    for (int i = 0; i < count; i++) {
        Position after;
        pos_play(&after, pos, list[i]);
        if (moves == 0 || !model_mates(&after, moves))
            return false;
    }
    return true;
}

static bool model_mates(const Position *pos, int moves)
{
    Move list[MAX_MOVES];
    const int count = gen_legal(pos, list);
    for (int i = 0; i < count; i++) {
        Position after;
        pos_play(&after, pos, list[i]);
        if (model_is_lost(&after, moves - 1))
            return true;
    }
    return false;
}

START_TEST(the_verdict_equals_that_of_a_plain_search)
{
    enum { POSITIONS = 160 };
    FILE *const file = shared_open("legal-positions-cozy-a.fen");
    int tried = 0, proven = 0;
    if (file == NULL)
        return;
    numbers = _i == 0 ? MATE_NUMBERS_SUM : MATE_NUMBERS_WEAK;
    for (const char *fen = shared_line(file); fen != NULL && tried < POSITIONS;
         fen = shared_line(file), tried++) {
        open_proof(fen, MOVES_MAX);
        const Position *const root = &fixture.job.root;
        const int moves = popcount(pos_occupied(root)) < 12 ? 2 : 1;
        const bool mates = model_mates(root, moves), lost = model_is_lost(root, moves);
        ck_assert_msg((verdict(root->side, moves) == MATE_PROVEN) == mates, "%s", fen);
        ck_assert_msg((verdict(!root->side, moves) == MATE_PROVEN) == lost, "%s", fen);
        proven += mates + lost;
        close_proof();
    }
    fclose(file);
    ck_assert_int_eq(tried, POSITIONS);
    ck_assert_int_gt(proven, 3);
}
END_TEST

/* Mates in up to three moves of the shared data: exact lengths, full lines. The longer ones are
 * left to `go mate`, which the usual search helps. */
START_TEST(mates_of_the_suite_have_their_length)
{
    FILE *const file = shared_open("mates-200-a.epd");
    EpdRecord record;
    char error[FEN_ERROR_MAX], operand[EPD_TEXT_MAX], fen[FEN_MAX];
    int tried = 0;
    if (file == NULL)
        return;
    while (epd_next(file, &record, false, error) == 1) {
        ck_assert(epd_operand(&record, "dm", operand, sizeof operand));
        const int moves = operand[0] - '0';
        if (operand[1] != '\0' || moves < 1 || moves > 3)
            continue;
        fen_print(&record.pos, false, fen);
        open_proof(fen, MOVES_MAX);
        if (moves > 1)
            ck_assert_int_eq(verdict(record.pos.side, moves - 1), MATE_REFUTED);
        ck_assert_int_eq(verdict(record.pos.side, moves), MATE_PROVEN);
        check_line(record.pos.side, moves);
        close_proof();
        tried++;
    }
    fclose(file);
    ck_assert_int_eq(tried, 76);
}
END_TEST

/* One proof searches all lengths and both kinds of numbers, for either side. Estimates from another
 * length, and results of the other kind, must not change a verdict. */
START_TEST(earlier_searches_do_not_change_a_verdict)
{
    static const char *const FENS[] = {
        "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "8/8/8/8/1b6/1k6/8/KBB5 w - - 0 1",
        "6bk/5Ppp/8/6N1/8/8/8/K7 w - - 0 1", "8/k7/2K5/8/8/8/8/1R6 b - - 0 1"};
    open_proof(FENS[_i], MOVES_MAX);
    const Position *const root = &fixture.job.root;
    for (int turn = 0; turn < 12; turn++) {
        const int moves = 1 + turn * 2 % 3; // 1, 3, 2, ...
        numbers = turn < 3 || turn > 8 ? MATE_NUMBERS_SUM : MATE_NUMBERS_WEAK;
        ck_assert_int_eq(verdict(root->side, moves) == MATE_PROVEN, model_mates(root, moves));
        ck_assert_int_eq(verdict(!root->side, moves) == MATE_PROVEN, model_is_lost(root, moves));
    }
    close_proof();
}
END_TEST

/* What the rule refutes in a long line may be a mate where the counter is lower. */
START_TEST(a_result_near_the_fifty_move_rule_holds_for_its_counter_only)
{
    open_proof("8/8/8/3N4/8/8/2Q5/4K1k1 w - - 94 60", MOVES_MAX);
    for (int moves = 5; moves >= 2; moves--)
        ck_assert_int_eq(verdict(WHITE, moves), MATE_PROVEN);
    close_proof();
}
END_TEST

/* -- The game so far, root moves, limits ------------------------------------------------------- */

/* The only mate in two begins with Kc7. When that position occurred twice, the move draws. */
START_TEST(a_position_that_occurred_twice_is_a_draw)
{
    for (int occurrences = 0; occurrences <= 2; occurrences++) {
        Position after;
        Worker *const w = fixture_open(&fixture, "k7/8/2K5/8/8/8/8/1R6 w - - 8 60", 1);
        Path *const path = &fixture.job.path;
        w->may_stop = true;
        pos_play(&after, &fixture.job.root, move_make(C6, C7, KIND_NORMAL));
        path->count = 0;
        for (int i = 0; i < 7; i++)
            path_push(path, i % 4 == 0 && i / 4 < occurrences ? after.key : (Key)i + 1);
        path_push(path, fixture.job.root.key);
        fixture.job.root.reversible = 8;
        proof = mateproof_create(w, MOVES_MAX, TABLE_BYTES);
        ck_assert_int_eq(verdict(WHITE, 2), occurrences < 2 ? MATE_PROVEN : MATE_REFUTED);
        close_proof();
    }
}
END_TEST

START_TEST(only_the_root_moves_of_the_worker_count)
{
    Worker *const w = fixture_open(&fixture, "7k/5K2/8/8/8/8/8/6Q1 w - - 0 1", 1);
    fixture.job.limits.has_search_moves = true;
    fixture.job.limits.search_move_count = 1;
    fixture.job.limits.search_moves[0] = move_make(G1, G2, KIND_NORMAL);
    worker_prepare(w);
    w->may_stop = true;
    proof = mateproof_create(w, MOVES_MAX, TABLE_BYTES);
    ck_assert_int_eq(verdict(WHITE, 1), MATE_REFUTED);
    ck_assert_int_eq(verdict(WHITE, 2), MATE_PROVEN);
    close_proof();
}
END_TEST

START_TEST(a_search_without_budget_goes_on_where_it_stopped)
{
    const Worker *const w = open_proof(KNOWN[4].fen, MOVES_MAX);
    int turns = 0;
    while (turns < 100 && mateproof_search(proof, WHITE, 3, numbers, 250).verdict == MATE_UNKNOWN)
        turns++;
    ck_assert_int_gt(turns, 0);
    ck_assert_int_lt(turns, 100);
    check_line(WHITE, 3);
    ck_assert_uint_lt(worker_nodes(w), 20000);
    close_proof();
}
END_TEST

START_TEST(the_stop_flag_and_the_node_limit_end_the_search)
{
    Worker *w = open_proof(MIDDLEGAME, MOVES_MAX);
    atomic_store(&fixture.shared.stop, true);
    ck_assert_int_eq(verdict(WHITE, 6), MATE_UNKNOWN);
    ck_assert(w->stopped);
    ck_assert_uint_lt(worker_nodes(w), 500);
    close_proof();
    w = open_proof(MIDDLEGAME, MOVES_MAX);
    fixture.job.limits.nodes = 5000;
    ck_assert_int_eq(verdict(WHITE, 6), MATE_UNKNOWN);
    ck_assert(w->stopped);
    ck_assert_uint_lt(worker_nodes(w), 6000);
    close_proof();
}
END_TEST

Suite *suite_mateproof(void);
Suite *suite_mateproof(void)
{
    Suite *suite = suite_create("mateproof");
    TCase *tcase = tcase_create("proof");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, a_mate_is_proven_at_its_length_and_refuted_below, 0,
                        2 * sizeof KNOWN / sizeof KNOWN[0]);
    tcase_add_loop_test(tcase, no_mate_is_found_where_there_is_none, 0,
                        2 * sizeof NONE / sizeof NONE[0]);
    tcase_add_loop_test(tcase, the_verdict_equals_that_of_a_plain_search, 0, 2);
    tcase_add_test(tcase, mates_of_the_suite_have_their_length);
    tcase_add_test(tcase, a_result_near_the_fifty_move_rule_holds_for_its_counter_only);
    tcase_add_loop_test(tcase, earlier_searches_do_not_change_a_verdict, 0, 4);
    tcase_add_test(tcase, a_position_that_occurred_twice_is_a_draw);
    tcase_add_test(tcase, only_the_root_moves_of_the_worker_count);
    tcase_add_test(tcase, a_search_without_budget_goes_on_where_it_stopped);
    tcase_add_test(tcase, the_stop_flag_and_the_node_limit_end_the_search);
    suite_add_tcase(suite, tcase);
    return suite;
}
