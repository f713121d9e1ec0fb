// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/memory_epd.h"

#include <check.h>
#include <string.h>

#include "chess/fen.h"
#include "eval/winrate.h"
#include "learning/learn_store_fixture.h"

enum { START_MATERIAL = 78 };
static const char START[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

/* Reads a line like an import. */
static bool read_line(const char *line, LearnedPosition *learned, bool *loses_score)
{
    EpdRecord record;
    char error[FEN_ERROR_MAX];
    return epd_parse(&record, line, true, error) &&
           memory_epd_read(learned, &record, 0x77, loses_score, error);
}

START_TEST(positions_written_and_read_are_the_same)
{
    for (uint64_t seed = 0; seed < 500; seed++) {
        LearnedPosition learned = make_learned(seed), again;
        learned.origin = (LearnOrigin)(seed % ORIGIN_NB);
        learned.network = (uint32_t)seed * 2654435769u;
        learned.seen = 1 + (int64_t)seed;
        if (seed % 5 == 0)
            learned.score = SCORE_NONE;
        if (seed % 7 == 0)
            learned.score = SCORE_MATE - 1 - (int)(seed % 100);
        char line[EPD_TEXT_MAX];
        bool loses_score;
        memory_epd_print(&learned, line);
        ck_assert_msg(read_line(line, &again, &loses_score), "%s", line);
        ck_assert_msg(!loses_score, "%s", line);
        ck_assert_msg(learned_equal(&learned, &again), "%s", line);
    }
}
END_TEST

START_TEST(chess960_castling_is_kept)
{
    LearnedPosition again;
    char line[EPD_TEXT_MAX];
    bool loses_score;
    const LearnedPosition learned =
        learned_position_of("1r2k2r/8/8/8/8/8/8/1R2K1R1 w GBhb - 0 1", "e1g1", 55, 12);
    memory_epd_print(&learned, line);
    ck_assert_ptr_nonnull(strstr(line, "bm O-O;"));
    ck_assert(read_line(line, &again, &loses_score));
    ck_assert(learned_equal(&learned, &again));
}
END_TEST

START_TEST(lines_use_the_usual_operations)
{
    LearnedPosition learned = learned_position_of(FEN_START, "g1f3", 78, 17);
    char line[EPD_TEXT_MAX], wanted[EPD_TEXT_MAX];
    memory_epd_print(&learned, line);
    snprintf(wanted, sizeof wanted,
             "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm Nf3; ce %d; acd 17; fmvn 1; "
             "c0 \"learned 78 00001994 1700000000 1\";",
             winrate_centipawns(78, START_MATERIAL));
    ck_assert_str_eq(line, wanted);
    learned.score = score_mate_in(5); // no centipawns
    memory_epd_print(&learned, line);
    ck_assert_ptr_nonnull(strstr(line, " ce 31995; acd 17;"));
}
END_TEST

static const struct {
    const char *operations;
    bool is_good;
    int centipawns; // or SCORE_NONE
    int depth;
} LINES[] = {
    {"bm e4; ce 100; acd 20;", true, 100, 20},
    {"bm e4; bm d4;", false, 0, 0},
    {"bm e4; ce 1; ce 2;", false, 0, 0},
    {"bm e4 d4; id \"two moves\";", true, SCORE_NONE, MAX_DEPTH},
    {"bm e4, d4;", true, SCORE_NONE, MAX_DEPTH},
    {"bm e4,d4;", true, SCORE_NONE, MAX_DEPTH},
    {"bm e4; ce 100; acd 20; c0 \"a fine move\";", true, 100, 20},
    {"bm e4; ce 0; c0 \"a fine move\";", true, SCORE_NONE,
     MAX_DEPTH}, // scores near the draw are not stored
    {"bm e4; ce 100; c0 \"learned 55 0000abc 1 1\";", true, 100, MAX_DEPTH}, // seven digits
    {"bm e4; ce 100; c0 \"learned 32001 0000abcd 1 1\";", true, 100, MAX_DEPTH},
    {"bm e4; ce 100; c0 \"learned 55 0000abcd 1 0\";", true, 100, MAX_DEPTH},
    {"bm e4; ce 100; c0 \"learned 25000 0000abcd 1 1\";", true, 100, MAX_DEPTH},  // no score
    {"bm e4; ce 100; c0 \"learned -19990 0000abcd 1 1\";", true, 100, MAX_DEPTH}, // of tablebases
    {"bm e4; ce 32760;", true, 32760, MAX_DEPTH},
    {"bm e4; ce -2147483648;", true, -32760, MAX_DEPTH},
    {"bm e4; ce lots; acd -7;", true, SCORE_NONE, MAX_DEPTH},
    {"bm e4; ce 100; hmvc 19;", true, 100, MAX_DEPTH},
    {"bm e4; ce 100; hmvc 20;", true, SCORE_NONE, MAX_DEPTH}, // the fifty-move rule is near
    {"bm e4; hmvc 20;", true, SCORE_NONE, MAX_DEPTH},
    {"bm e5;", false, 0, 0},
    {"ce 100; acd 20;", false, 0, 0},
    {"", false, 0, 0},
};

START_TEST(lines_of_other_programs_are_advice)
{
    LearnedPosition learned;
    char line[256];
    bool loses_score;
    const char *const operations = LINES[_i].operations;
    snprintf(line, sizeof line, "%s %s", START, operations);
    ck_assert_int_eq(read_line(line, &learned, &loses_score), LINES[_i].is_good);
    if (!LINES[_i].is_good)
        return;
    ck_assert_int_eq(loses_score,
                     strstr(operations, "ce ") != NULL && LINES[_i].centipawns == SCORE_NONE);
    ck_assert_int_eq(learned.origin, ORIGIN_ADVICE);
    ck_assert_uint_eq(learned.network, 0x77);
    const int centipawns = LINES[_i].centipawns;
    ck_assert_int_eq(learned.score, centipawns == SCORE_NONE
                                        ? SCORE_NONE
                                        : winrate_units(centipawns, START_MATERIAL));
    const bool has_number = strstr(operations, "ce ") != NULL && strstr(operations, "lots") == NULL;
    ck_assert_int_eq(learned.keeps_score, !has_number);
    ck_assert_int_eq(learned.depth, LINES[_i].depth);
    ck_assert_int_eq(learned.move, move_make(E2, E4, KIND_NORMAL));
}
END_TEST

START_TEST(the_move_may_be_in_coordinates)
{
    LearnedPosition learned;
    char line[256];
    bool loses_score;
    snprintf(line, sizeof line, "%s bm g1f3;", START);
    ck_assert(read_line(line, &learned, &loses_score));
    ck_assert_int_eq(learned.move, move_make(G1, F3, KIND_NORMAL));
    ck_assert(read_line("4k3/8/8/8/8/8/8/4K2R w K - bm e1g1;", &learned, &loses_score));
    ck_assert_int_eq(learned.move, move_make(E1, H1, KIND_CASTLING));
}
END_TEST

static const struct {
    Score written, kept;
} SCORES[] = {
    {1, SCORE_NONE},
    {-2, SCORE_NONE},
    {3, 3},
    {SCORE_EVAL_MAX, SCORE_EVAL_MAX},
    {-SCORE_EVAL_MAX, -SCORE_EVAL_MAX},
    {SCORE_MATE_MIN, SCORE_MATE_MIN},
    {1 - SCORE_MATE, 1 - SCORE_MATE},
};

START_TEST(scores_valid_only_in_one_game_are_not_imported)
{
    LearnedPosition learned;
    char line[256];
    bool loses_score;
    snprintf(line, sizeof line, "%s bm e4; acd 9; c0 \"learned %d 0000abcd 1700000000 1\";", START,
             SCORES[_i].written);
    ck_assert(read_line(line, &learned, &loses_score));
    ck_assert_int_eq(learned.origin, ORIGIN_LEARNED);
    ck_assert_int_eq(learned.score, SCORES[_i].kept);
    ck_assert_int_eq(loses_score, SCORES[_i].kept == SCORE_NONE);
    ck_assert(!learned.keeps_score); // the file says what is known
}
END_TEST

Suite *suite_memory_epd(void);
Suite *suite_memory_epd(void)
{
    Suite *const suite = suite_create("memory_epd");
    TCase *const tcase = tcase_create("memory_epd");
    tcase_set_timeout(tcase, 30);
    tcase_add_test(tcase, positions_written_and_read_are_the_same);
    tcase_add_test(tcase, chess960_castling_is_kept);
    tcase_add_test(tcase, lines_use_the_usual_operations);
    tcase_add_loop_test(tcase, lines_of_other_programs_are_advice, 0,
                        (int)(sizeof LINES / sizeof LINES[0]));
    tcase_add_test(tcase, the_move_may_be_in_coordinates);
    tcase_add_loop_test(tcase, scores_valid_only_in_one_game_are_not_imported, 0,
                        (int)(sizeof SCORES / sizeof SCORES[0]));
    suite_add_tcase(suite, tcase);
    return suite;
}
