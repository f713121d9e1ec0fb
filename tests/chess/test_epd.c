// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>
#include <string.h>

#include "chess/epd.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "shared_data.h"

#define KINGS "4k3/8/8/8/8/8/8/4K3 w - -"

static EpdRecord record; // large, and every test has its own process

static void parse(const char *line)
{
    char error[FEN_ERROR_MAX];
    ck_assert_msg(epd_parse(&record, line, false, error), "%s: %s", line, error);
}

static void expect_operand(const char *opcode, const char *expected)
{
    char out[128];
    const bool found = epd_operand(&record, opcode, out, sizeof out);
    ck_assert_msg(found == (expected != NULL), "%s in %s", opcode, record.operations);
    if (found)
        ck_assert_str_eq(out, expected);
}

START_TEST(operands_come_without_quotes_and_blanks)
{
    parse(KINGS " bm Qd1+ Nf3; id \"BK.01; the first\";c0 \"\" ; draw_offer; am  Qh5  ;"
                " c1 \"two\" \"texts\";");
    expect_operand("bm", "Qd1+ Nf3");
    expect_operand("id", "BK.01; the first");
    expect_operand("c0", "");
    expect_operand("draw_offer", "");
    expect_operand("am", "Qh5");
    expect_operand("c1", "\"two\" \"texts\"");
    expect_operand("first", NULL);
    expect_operand("b", NULL);
    expect_operand("bmx", NULL);
    expect_operand("", NULL);
}
END_TEST

START_TEST(perft_lines_give_their_counts)
{
    parse(FEN_START " ;D1 20 ;D2 400 ;D3 8902");
    ck_assert_str_eq(record.operations, ";D1 20 ;D2 400 ;D3 8902");
    expect_operand("D1", "20");
    expect_operand("D2", "400");
    expect_operand("D3", "8902");
    expect_operand("D4", NULL);
    parse(KINGS ";D1 5");
    expect_operand("D1", "5");
}
END_TEST

START_TEST(an_operand_that_does_not_fit_is_refused)
{
    char out[4];
    parse(KINGS " bm abc; am abcd;");
    ck_assert(epd_operand(&record, "bm", out, sizeof out));
    ck_assert(!epd_operand(&record, "am", out, sizeof out));
}
END_TEST

START_TEST(clocks_come_from_the_fields_or_from_the_operations)
{
    parse(KINGS " 7 31 bm Kd2;");
    ck_assert_int_eq(record.pos.rule50, 7);
    ck_assert_int_eq(record.pos.fullmove, 31);
    ck_assert_str_eq(record.operations, "bm Kd2;");
    parse(KINGS " id \"x\"; hmvc 12; fmvn 44;");
    ck_assert_int_eq(record.pos.rule50, 12);
    ck_assert_int_eq(record.pos.fullmove, 44);
    parse(KINGS " fmvn 9;");
    ck_assert_int_eq(record.pos.rule50, 0);
    ck_assert_int_eq(record.pos.fullmove, 9);
    parse(KINGS);
    ck_assert_int_eq(record.pos.fullmove, 1);
    ck_assert_str_eq(record.operations, "");
}
END_TEST

static const struct {
    const char *line, *reason;
} BAD_LINES[] = {
    {"", "an EPD position has four fields, this one 0"},
    {"4k3/8/8/8/8/8/8/4K3 w", "an EPD position has four fields, this one 2"},
    {"4k3/8/8/8/8/8/8/4K3 w -", "an EPD position has four fields, this one 3"},
    {"4k3/8/8/8/8/8/8/4K3 w ;D1 5", "an EPD position has four fields, this one 2"},
    {KINGS " hmvc x;", "the halfmove clock is not a number"},
    {"8/8/8/8/8/8/8/8 w - - bm Kd2;", "White has 0 kings"},
};

START_TEST(bad_lines_are_refused_with_a_reason)
{
    char error[FEN_ERROR_MAX];
    ck_assert(!epd_parse(&record, BAD_LINES[_i].line, false, error));
    ck_assert_str_eq(error, BAD_LINES[_i].reason);
}
END_TEST

/* Parses a position with operations of `length` bytes. */
static bool parse_long(int length, char *error)
{
    char line[2 * EPD_TEXT_MAX] = KINGS " ";
    memset(line + strlen(line), 'p', (size_t)length);
    return epd_parse(&record, line, false, error);
}

START_TEST(the_operations_may_have_the_length_of_a_line)
{
    char error[FEN_ERROR_MAX];
    ck_assert(parse_long(EPD_TEXT_MAX - 1, error));
    ck_assert_uint_eq(strlen(record.operations), EPD_TEXT_MAX - 1);
    ck_assert(!parse_long(EPD_TEXT_MAX, error));
    ck_assert_str_eq(error, "the line is too long");
}
END_TEST

START_TEST(the_line_of_a_long_mate_fits)
{
    enum { MATE_MOVES = 126 }; // the longest mate in the collection of matetrack
    char error[FEN_ERROR_MAX], line[2 * EPD_TEXT_MAX], pv[5 * 2 * MATE_MOVES + 1] = "";
    for (int ply = 1; ply < 2 * MATE_MOVES; ply++)
        strcat(pv, " e1d1");
    snprintf(line, sizeof line, KINGS " bm #%d; PV:%s;", MATE_MOVES, pv);
    ck_assert_msg(epd_parse(&record, line, false, error), "%s", error);
    ck_assert_ptr_nonnull(strstr(record.operations, pv));
}
END_TEST

START_TEST(a_long_word_is_no_position)
{
    char error[FEN_ERROR_MAX], line[2 * EPD_TEXT_MAX];
    memset(line, 'p', sizeof line);
    line[sizeof line - 1] = '\0';
    ck_assert(!epd_parse(&record, line, false, error));
    ck_assert_str_eq(error, "the line is too long");
}
END_TEST

START_TEST(reading_continues_after_a_bad_line)
{
    FILE *file = tmpfile();
    char error[FEN_ERROR_MAX];
    ck_assert_ptr_nonnull(file);
    fprintf(file, "# a comment\n\n   \r\n" KINGS " id \"1\";\r\nnonsense\n" KINGS " id \"%*s\";\n",
            EPD_TEXT_MAX, "x");
    fprintf(file, "  # another\n" KINGS " id \"last\";");
    rewind(file);
    ck_assert_int_eq(epd_next(file, &record, false, error), 1);
    expect_operand("id", "1");
    ck_assert_int_eq(epd_next(file, &record, false, error), -1);
    ck_assert_int_eq(epd_next(file, &record, false, error), -1);
    ck_assert_ptr_nonnull(strstr(error, "longer"));
    ck_assert_int_eq(epd_next(file, &record, false, error), 1);
    expect_operand("id", "last");
    ck_assert_int_eq(epd_next(file, &record, false, error), 0);
    fclose(file);
}
END_TEST

/* Reads a file of one line of `length` bytes with this end. */
static int read_long(int length, const char *end, char *error)
{
    FILE *const file = tmpfile();
    ck_assert_ptr_nonnull(file);
    fprintf(file, "%-*s;%s", length - 1, KINGS " id \"long\"", end);
    rewind(file);
    const int status = epd_next(file, &record, false, error);
    ck_assert_int_eq(epd_next(file, &record, false, error), 0);
    fclose(file);
    return status;
}

START_TEST(the_longest_line_may_have_any_end)
{
    static const char *const ENDS[] = {"\n", "\r\n", ""};
    char error[FEN_ERROR_MAX];
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(read_long(EPD_TEXT_MAX - 2, ENDS[i], error), 1);
        ck_assert_int_eq(read_long(EPD_TEXT_MAX - 1, ENDS[i], error), 1);
        ck_assert_int_eq(read_long(EPD_TEXT_MAX, ENDS[i], error), -1);
        ck_assert_ptr_nonnull(strstr(error, "longer"));
    }
}
END_TEST

START_TEST(a_zero_byte_does_not_end_a_line)
{
    static const char TEXT[] = KINGS "\0id \"1\";\n" KINGS " id \"2\";\n";
    char error[FEN_ERROR_MAX];
    FILE *const file = tmpfile();
    ck_assert_ptr_nonnull(file);
    fwrite(TEXT, 1, sizeof TEXT - 1, file);
    rewind(file);
    ck_assert_int_eq(epd_next(file, &record, false, error), 1);
    expect_operand("id", "1");
    ck_assert_int_eq(epd_next(file, &record, false, error), 1);
    expect_operand("id", "2");
    fclose(file);
}
END_TEST

START_TEST(line_ends_of_old_macs_are_refused)
{
    char error[FEN_ERROR_MAX];
    FILE *const file = tmpfile();
    ck_assert_ptr_nonnull(file);
    fputs(KINGS " id \"1\";\r" KINGS " id \"2\";\r", file);
    rewind(file);
    ck_assert_int_eq(epd_next(file, &record, false, error), -1);
    ck_assert_str_eq(error, "a carriage return in the middle of a line");
    fclose(file);
}
END_TEST

/* Shared suites with the number of their records and an opcode that each record has. */
static const struct {
    const char *name, *opcode;
    int records;
    bool is_move;
} SUITES[] = {
    {"wac.epd", "bm", 300, true},
    {"bratko-kopec.epd", "bm", 24, true},
    {"bt2630.epd", "bm", 30, true},
    {"lct2.epd", "bm", 35, true},
    {"pawn-endgames-pet.epd", "bm", 48, true},
    {"zugzwang-zpts.epd", "bm", 30, true},
    {"sts-odd.epd", "c8", 748, false},
    {"mates-200-a.epd", "dm", 200, false},
    {"middlegames-500.epd", "fmvn", 500, false},
    {"perft-standard.epd", "D1", 127, false},
    {"perft-chess960-a.epd", "D1", 480, false},
    {"perft-random-300.epd", "D2", 300, false},
    {"perft-dfrc-a.epd", "D1", 40, false},
    {"perft-sedlak.epd", "D1", 27, false},
};

START_TEST(shared_suites_have_their_number_of_records)
{
    FILE *file = shared_open(SUITES[_i].name);
    if (file == NULL)
        return;
    char error[FEN_ERROR_MAX], operand[256];
    int records = 0, status = epd_next(file, &record, true, error);
    for (; status == 1; status = epd_next(file, &record, true, error)) {
        ck_assert_msg(error[0] == '\0', "%s", error);
        const bool found = epd_operand(&record, SUITES[_i].opcode, operand, sizeof operand);
        ck_assert_msg(found || SUITES[_i].is_move, "%s", record.operations);
        operand[strcspn(operand, " ")] = '\0';
        if (found && SUITES[_i].is_move)
            ck_assert_msg(move_from_san(&record.pos, operand) != MOVE_NONE, "%s", operand);
        records++;
    }
    fclose(file);
    ck_assert_msg(status == 0, "%s", error);
    ck_assert_int_eq(records, SUITES[_i].records);
}
END_TEST

START_TEST(chess960_is_recognised_by_its_castling_rights)
{
    static const char TEXT[] = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - bm O-O;\n" FEN_START ";\n"
                               "4k3/8/8/8/8/8/8/4K3 w K - bm Kd2;\n";
    static const bool WANTED[] = {true, false, false};
    char error[FEN_ERROR_MAX];
    FILE *const file = tmpfile();
    ck_assert_ptr_nonnull(file);
    fputs(TEXT, file);
    rewind(file);
    for (int i = 0; i < 3; i++) {
        bool chess960 = false;
        ck_assert_msg(epd_next_any(file, &record, &chess960, error) == 1, "%s", error);
        ck_assert_int_eq(chess960, WANTED[i]);
        ck_assert_int_eq(*error != '\0', i == 2); // a repair
        ck_assert_int_eq(pos_needs_chess960(&record.pos), WANTED[i]);
    }
    fclose(file);
}
END_TEST

/* For example, a file whose end was lost in a crash may have GBs of NUL bytes in its place. */
START_TEST(of_a_line_without_end_only_the_beginning_is_read)
{
    char error[FEN_ERROR_MAX];
    FILE *const file = tmpfile();
    ck_assert_ptr_nonnull(file);
    fputs("8/8/8/8/8/8/K7/7k w - - ce 1;\n", file);
    ck_assert_int_eq(fseek(file, 8 << 20, SEEK_CUR), 0);
    fputc('\n', file);
    rewind(file);
    ck_assert_int_eq(epd_next(file, &record, false, error), 1);
    ck_assert_int_eq(epd_next(file, &record, false, error), -1);
    ck_assert_ptr_nonnull(strstr(error, "longer"));
    ck_assert_int_lt(ftell(file), 2 << 20);
    fclose(file);
}
END_TEST

START_TEST(a_byte_order_mark_is_skipped)
{
    char error[FEN_ERROR_MAX];
    FILE *const file = tmpfile();
    ck_assert_ptr_nonnull(file);
    fputs("\xef\xbb\xbf"
          "4k3/8/8/8/8/8/8/4K2R w K - bm Rh8;\n",
          file);
    rewind(file);
    ck_assert_msg(epd_next(file, &record, false, error) == 1, "%s", error);
    ck_assert_int_eq(epd_next(file, &record, false, error), 0);
    fclose(file);
}
END_TEST

Suite *suite_epd(void);
Suite *suite_epd(void)
{
    Suite *suite = suite_create("epd");
    TCase *tcase = tcase_create("epd");
    tcase_add_test(tcase, operands_come_without_quotes_and_blanks);
    tcase_add_test(tcase, perft_lines_give_their_counts);
    tcase_add_test(tcase, an_operand_that_does_not_fit_is_refused);
    tcase_add_test(tcase, clocks_come_from_the_fields_or_from_the_operations);
    tcase_add_loop_test(tcase, bad_lines_are_refused_with_a_reason, 0,
                        sizeof BAD_LINES / sizeof BAD_LINES[0]);
    tcase_add_test(tcase, the_operations_may_have_the_length_of_a_line);
    tcase_add_test(tcase, the_line_of_a_long_mate_fits);
    tcase_add_test(tcase, a_long_word_is_no_position);
    tcase_add_test(tcase, reading_continues_after_a_bad_line);
    tcase_add_test(tcase, the_longest_line_may_have_any_end);
    tcase_add_test(tcase, chess960_is_recognised_by_its_castling_rights);
    tcase_add_test(tcase, of_a_line_without_end_only_the_beginning_is_read);
    tcase_add_test(tcase, a_byte_order_mark_is_skipped);
    tcase_add_test(tcase, line_ends_of_old_macs_are_refused);
    tcase_add_test(tcase, a_zero_byte_does_not_end_a_line);
    tcase_add_loop_test(tcase, shared_suites_have_their_number_of_records, 0,
                        sizeof SUITES / sizeof SUITES[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
