// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "chess/epd.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/perft.h"
#include "chess/pos_from_fen.h"
#include "shared_data.h"
#include "skip.h"

/* Well-known counts, and Chess960 and double Chess960 counts from the shared suites. They test the
 * generator where the shared suites are missing. */
static const struct {
    const char *fen;
    int depth;
    uint64_t leaves;
} KNOWN[] = {
    {FEN_START, 5, 4865609},
    {KIWIPETE, 4, 4085603},
    {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674624},
    {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422333},
    {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2103487},
    {"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4, 3894594},
    {"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 5, 3605103},
    {"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 4, 326672},
    {"b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", 4, 273318},
    {"1nbbnrkr/p1p1ppp1/3p4/1p3P1p/3Pq2P/8/PPP1P1P1/QNBBNRKR w HFhf - 0 9", 4, 1171749},
    {"rbnkbnrq/pppppppp/8/8/8/8/PPPPPPPP/NNQRKBBR w HDga - 0 1", 4, 181294},
    {"2qrkrnb/p1pp2p1/5pN1/1p2p2p/P2P4/2P3PP/QP2PP2/R1BN1KRB w GAfd - 0 11", 4, 749643},
};

START_TEST(known_positions_have_their_counts)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert_msg(fen_parse(&pos, KNOWN[_i].fen, true, error), "%s: %s", KNOWN[_i].fen, error);
    ck_assert_uint_eq(perft(&pos, KNOWN[_i].depth), KNOWN[_i].leaves);
}
END_TEST

/* The files with the largest count of an ordinary run, about 0.3 s in all. The slow run computes
 * all counts. */
static const struct {
    const char *name;
    uint64_t largest;
} SUITES[] = {
    {"perft-standard-fast.epd", 1000000}, {"perft-sedlak.epd", 1000000},
    {"perft-random-300.epd", 1000000},    {"perft-chess960-a.epd", 1000000},
    {"perft-dfrc-a.epd", 1000000},        {"perft-standard.epd", 0},
};

/* Compares each count of a record up to `largest`; returns the sum of the counts. */
static uint64_t check_record(const EpdRecord *record, uint64_t largest)
{
    uint64_t total = 0;
    for (int depth = 1; depth < 20; depth++) {
        char opcode[16], operand[32];
        int64_t expected;
        snprintf(opcode, sizeof opcode, "D%d", depth);
        if (!epd_operand(record, opcode, operand, sizeof operand))
            continue;
        ck_assert(text_parse_int(operand, 0, INT64_MAX, &expected));
        if ((uint64_t)expected > largest)
            continue;
        char fen[FEN_MAX];
        fen_print(&record->pos, true, fen);
        const uint64_t leaves = perft(&record->pos, depth);
        ck_assert_msg(leaves == (uint64_t)expected, "%s depth %d: %" PRIu64 " not %" PRIi64, fen,
                      depth, leaves, expected);
        total += leaves;
    }
    return total;
}

START_TEST(shared_suites_have_their_counts)
{
    const uint64_t largest = is_slow_run() ? UINT64_MAX : SUITES[_i].largest;
    if (largest == 0) {
        skip_test("%s takes minutes; run with PALIMPSEST_SLOW=1", SUITES[_i].name);
        return;
    }
    FILE *file = shared_open(SUITES[_i].name);
    if (file == NULL)
        return;
    EpdRecord record;
    char error[FEN_ERROR_MAX];
    uint64_t total = 0;
    int positions = 0, status;
    while ((status = epd_next(file, &record, true, error)) == 1) {
        total += check_record(&record, largest);
        positions++;
    }
    fclose(file);
    ck_assert_msg(status == 0, "%s", error);
    ck_assert_int_gt(positions, 0);
    ck_assert_uint_gt(total, 0);
    if (is_slow_run())
        printf("%s: %d positions, %" PRIu64 " leaves\n", SUITES[_i].name, positions, total);
}
END_TEST

typedef struct {
    uint64_t total;
    int reports, limit; // stops after `limit` reports
    int calls;          // of is_stopped_soon()
} Tally;

static void count_report(void *ctx, Move move, uint64_t leaves)
{
    Tally *tally = ctx;
    ck_assert_uint_ne(move, MOVE_NONE);
    tally->total += leaves;
    tally->reports++;
}

static bool is_at_limit(void *ctx)
{
    const Tally *tally = ctx;
    return tally->reports >= tally->limit;
}

START_TEST(divide_reports_the_leaves_of_each_root_move)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert(fen_parse(&pos, KNOWN[1].fen, false, error));
    for (int depth = 1; depth <= 3; depth++) {
        Tally tally = {.limit = MAX_MOVES};
        const PerftWatch watch = {count_report, is_at_limit, &tally};
        uint64_t leaves;
        ck_assert(perft_divide(&pos, depth, &watch, &leaves));
        ck_assert_uint_eq(leaves, perft(&pos, depth));
        ck_assert_uint_eq(tally.total, leaves);
        ck_assert_int_eq(tally.reports, gen_count(&pos));
    }
    ck_assert_uint_eq(perft(&pos, 0), 1);
}
END_TEST

START_TEST(divide_below_the_unwatched_depth_has_the_same_sum)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert(fen_parse(&pos, "8/8/4k3/8/8/3PK3/8/8 w - - 0 1", false, error));
    Tally tally = {.limit = MAX_MOVES};
    const PerftWatch watch = {count_report, is_at_limit, &tally};
    uint64_t leaves;
    ck_assert(perft_divide(&pos, 6, &watch, &leaves));
    ck_assert_uint_eq(leaves, perft(&pos, 6));
}
END_TEST

START_TEST(stopped_divide_returns_the_sum_of_what_it_reported)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert(fen_parse(&pos, KNOWN[1].fen, false, error));
    Tally tally = {.limit = 3};
    const PerftWatch watch = {count_report, is_at_limit, &tally};
    uint64_t leaves;
    ck_assert(!perft_divide(&pos, 2, &watch, &leaves));
    ck_assert_uint_eq(leaves, tally.total);
    ck_assert_int_eq(tally.reports, 3);
}
END_TEST

/* Stops at the fourth call. */
static bool is_stopped_soon(void *ctx)
{
    Tally *tally = ctx;
    return ++tally->calls > 3;
}

START_TEST(divide_can_be_stopped_within_a_root_move)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert(fen_parse(&pos, FEN_START, false, error));
    Tally tally = {.limit = MAX_MOVES};
    const PerftWatch watch = {count_report, is_stopped_soon, &tally};
    uint64_t leaves;
    ck_assert(!perft_divide(&pos, 9, &watch, &leaves)); // would take hours
    ck_assert_uint_eq(leaves, 0);
    ck_assert_int_eq(tally.reports, 0);
}
END_TEST

Suite *suite_perft(void);
Suite *suite_perft(void)
{
    Suite *suite = suite_create("perft");
    TCase *tc = tcase_create("perft");
    tcase_set_timeout(tc, is_slow_run() ? 1800 : 60);
    tcase_add_loop_test(tc, known_positions_have_their_counts, 0, sizeof KNOWN / sizeof KNOWN[0]);
    tcase_add_loop_test(tc, shared_suites_have_their_counts, 0, sizeof SUITES / sizeof SUITES[0]);
    tcase_add_test(tc, divide_reports_the_leaves_of_each_root_move);
    tcase_add_test(tc, divide_below_the_unwatched_depth_has_the_same_sum);
    tcase_add_test(tc, divide_can_be_stopped_within_a_root_move);
    tcase_add_test(tc, stopped_divide_returns_the_sum_of_what_it_reported);
    suite_add_tcase(suite, tc);
    return suite;
}
