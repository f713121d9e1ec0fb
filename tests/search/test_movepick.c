// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/movepick.h"

#include <check.h>

#include "base/rng.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/play.h"
#include "chess/pos_from_fen.h"
#include "chess/see.h"
#include "search/params.h"

static Histories histories;

static HistoryContext sentinel(void)
{
    HistoryPage *none = history_page(&histories, NO_PIECE, 0);
    return (HistoryContext){{none, none, none, none}, history_pawn_page(&histories, 0), 0};
}

static const char *const STARTS[] = {
    FEN_START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
};
enum { START_COUNT = sizeof STARTS / sizeof STARTS[0] };

static bool contains(const Move *moves, int count, Move move)
{
    for (int i = 0; i < count; i++) {
        if (moves[i] == move)
            return true;
    }
    return false;
}

/* Draws all moves and checks that each is legal, none comes twice, and `expected` of them come. */
static void check_stream(MovePicker *picker, const Move *legal, int count, int expected)
{
    Move given[MAX_MOVES];
    int number = 0;
    for (Move move = pick_next(picker); move != MOVE_NONE; move = pick_next(picker)) {
        ck_assert(contains(legal, count, move));
        ck_assert(!contains(given, number, move));
        given[number++] = move;
    }
    ck_assert_int_eq(number, expected);
    ck_assert_int_eq(pick_next(picker), MOVE_NONE);
}

START_TEST(every_legal_move_comes_exactly_once_whatever_the_hash_moves)
{
    Rng rng;
    rng_seed(&rng, 7 + (uint64_t)_i);
    Position pos = pos_from_fen(STARTS[_i]);
    for (int ply = 0; ply < 300; ply++) {
        Move legal[MAX_MOVES];
        const int count = gen_legal(&pos, legal);
        if (count == 0) {
            pos = pos_from_fen(STARTS[_i]);
            continue;
        }
        Move hash[2] = {legal[rng_below(&rng, (uint64_t)count)],
                        legal[rng_below(&rng, (uint64_t)count)]};
        if (hash[0] == hash[1] || rng_below(&rng, 3) == 0)
            hash[1] = MOVE_NONE;
        if (rng_below(&rng, 3) == 0)
            hash[0] = hash[1] = MOVE_NONE;
        MovePicker picker;
        pick_init(&picker, &pos, &histories, sentinel(), hash, false);
        check_stream(&picker, legal, count, count);

        Position next;
        pos_play(&next, &pos, legal[rng_below(&rng, (uint64_t)count)]);
        pos = next;
    }
}
END_TEST

START_TEST(of_the_quiet_moves_only_checks_come_when_no_others_are_wanted)
{
    /* Quiet checks by rook, bishop and knight, and one capture. */
    const Position pos = pos_from_fen("4k3/7p/8/8/2B1N3/8/8/R3K2R w - - 0 1");
    Move legal[MAX_MOVES];
    const int count = gen_legal(&pos, legal);
    int expected = 0;
    for (int i = 0; i < count; i++)
        expected += pos_is_noisy(&pos, legal[i]) || pos_gives_check(&pos, legal[i]);
    const Move hash[2] = {MOVE_NONE, MOVE_NONE};
    MovePicker picker;
    pick_init(&picker, &pos, &histories, sentinel(), hash, false);
    CheckMap map;
    pos_map_checks(&map, &pos);
    picker.checks_only = &map;
    ck_assert_int_eq(expected, 6);
    check_stream(&picker, legal, count, expected);
}
END_TEST

START_TEST(quiescence_gets_the_noisy_moves_only)
{
    const Position pos = pos_from_fen(STARTS[1]);
    Move legal[MAX_MOVES], noisy[MAX_MOVES];
    const int count = gen_legal(&pos, legal), noisy_count = gen_noisy(&pos, noisy);
    const Move hash[2] = {MOVE_NONE, MOVE_NONE};
    MovePicker picker;
    pick_init(&picker, &pos, &histories, sentinel(), hash, true);
    check_stream(&picker, legal, count, noisy_count);
}
END_TEST

START_TEST(hash_move_first_then_good_captures_then_quiets_then_losing_captures)
{
    const Position pos = pos_from_fen(STARTS[1]);
    const Move hash[2] = {move_make(A2, A3, KIND_NORMAL), MOVE_NONE};
    MovePicker picker;
    pick_init(&picker, &pos, &histories, sentinel(), hash, false);
    ck_assert_int_eq(pick_next(&picker), hash[0]);
    int stage = 0;
    for (Move move = pick_next(&picker); move != MOVE_NONE; move = pick_next(&picker)) {
        const bool is_quiet = !pos_is_noisy(&pos, move);
        const int rank = is_quiet ? 1 : see_ge(&pos, move, params.good_capture_see) ? 0 : 2;
        ck_assert_int_ge(rank, stage);
        stage = rank;
    }
    ck_assert_int_eq(stage, 2);
}
END_TEST

Suite *suite_movepick(void);
Suite *suite_movepick(void)
{
    Suite *suite = suite_create("movepick");
    TCase *tcase = tcase_create("movepick");
    tcase_add_loop_test(tcase, every_legal_move_comes_exactly_once_whatever_the_hash_moves, 0,
                        START_COUNT);
    tcase_add_test(tcase, of_the_quiet_moves_only_checks_come_when_no_others_are_wanted);
    tcase_add_test(tcase, quiescence_gets_the_noisy_moves_only);
    tcase_add_test(tcase, hash_move_first_then_good_captures_then_quiets_then_losing_captures);
    suite_add_tcase(suite, tcase);
    return suite;
}
