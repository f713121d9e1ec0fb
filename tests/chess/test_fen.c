// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chess/fen.h"
#include "chess/random_game.h"
#include "shared_data.h"

enum { COLUMNS_MAX = 8 };

typedef struct {
    const char *fen;
    bool chess960;
    const char *printed; // NULL: refused
} Case;

static const Case CASES[] = {
    {FEN_START, false, FEN_START},
    {FEN_START, true, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", false, FEN_START},
    {"  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\tw KQkq -\r\n", false, FEN_START},
    {"4k3/8/8/8/8/8/8/4K3 b", false, "4k3/8/8/8/8/8/8/4K3 b - - 0 1"},
    {"4k3/8/8/8/8/8/8/4K3 b - - 17", false, "4k3/8/8/8/8/8/8/4K3 b - - 17 1"},
    {"4k3/8/8/8/8/8/8/4K3 b - - 300 70000", false, "4k3/8/8/8/8/8/8/4K3 b - - 255 65535"},
    {"4k3/8/8/8/8/8/8/4K3 b - - 7 0", false, "4k3/8/8/8/8/8/8/4K3 b - - 7 1"},
    // X-FEN: the outermost rook; a letter reaches the inner one.
    {"4k3/8/8/8/8/8/8/RR2K1RR w KQ - 0 1", true, "4k3/8/8/8/8/8/8/RR2K1RR w HA - 0 1"},
    {"4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1", true, "4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1"},
    {"1r3k1r/8/8/8/8/8/8/4K3 b kq - 0 1", true, "1r3k1r/8/8/8/8/8/8/4K3 b hb - 0 1"},
    {"4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1", true, "4k3/8/8/8/8/8/4K3/R6R w - - 0 1"},
    {"4k3/8/8/8/8/8/8/R3K2R w EC - 0 1", true, "4k3/8/8/8/8/8/8/R3K2R w - - 0 1"},
    {"4k3/8/8/8/8/8/8/R3K2R w KQQ - 0 1", true, NULL},
    {"4k3/8/8/8/8/8/8/R3K1RR w HG - 0 1", true, "4k3/8/8/8/8/8/8/R3K1RR w H - 0 1"},
    {"4k3/8/8/8/8/8/8/R3K1R1 w GQ - 0 1", false, "4k3/8/8/8/8/8/8/R3K1R1 w Q - 0 1"},
    // En passant squares with and without a legal capture.
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", false, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"},
    {"4k3/8/8/3p4/8/8/8/4K3 w - d6 0 2", false, "4k3/8/8/3p4/8/8/8/4K3 w - - 0 2"},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d3 0 2", false, "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 2"},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d9 0 2", false, NULL},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d66 0 2", false, NULL},
    {"4k3/8/8/8/KPp4r/8/8/8 b - b3 0 1", false, "4k3/8/8/8/KPp4r/8/8/8 b - b3 0 1"},
    {"8/8/8/8/kpP4R/8/8/4K3 b - c3 0 1", false, "8/8/8/8/kpP4R/8/8/4K3 b - - 0 1"},
    {"8/8/8/2k5/1pP5/8/8/4K3 b - c3 0 1", false, "8/8/8/2k5/1pP5/8/8/4K3 b - c3 0 1"},
    // Material that no game can have: any men, but at most 16 a side and eight pawns.
    {"7k/8/8/8/QQQQQQQQ/1Q6/1Q6/K7 b - - 0 1", false, "7k/8/8/8/QQQQQQQQ/1Q6/1Q6/K7 b - - 0 1"},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/QQQQKQQQ w KQkq - 0 1", false,
     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/QQQQKQQQ w kq - 0 1"},
    {"nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/1Q1QK1Q1 w - - 0 1", false,
     "nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/1Q1QK1Q1 w - - 0 1"},
    {"qqqqqqqk/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQQQQK b - - 0 1", true,
     "qqqqqqqk/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQQQQK b - - 0 1"},
    {"4k3/4p3/8/8/8/8/RRRRRRRR/RRRRKRRR w KQ - 0 1", true,
     "4k3/4p3/8/8/8/8/RRRRRRRR/RRRRKRRR w HA - 0 1"},
    {"7k/8/8/8/8/PPPPPPPP/PPPPPPPP/K7 w - - 0 1", false, NULL},
    {"", false, NULL},
    {"8/8/8/8/8/8/8/8 w - - 0 1", false, NULL},
    {"4k3/8/8/8/8/8/8/4K3", false, NULL},
    {"4k3/8/8/8/8/8/8/4K3/ w - - 0 1", false, NULL},
    {"8/8/8/3kK3/8/8/8/8 w - - 0 1", false, NULL},
};

/* Parses into a position filled with a pattern, to detect writes by a refused FEN. */
static bool parse(Position *pos, const char *fen, bool chess960, char *error)
{
    Position untouched;
    memset(&untouched, 0xA5, sizeof untouched);
    memcpy(pos, &untouched, sizeof *pos);
    memset(error, 'x', FEN_ERROR_MAX);
    const bool accepted = fen_parse(pos, fen, chess960, error);
    ck_assert_ptr_nonnull(memchr(error, '\0', FEN_ERROR_MAX));
    if (accepted) {
        ck_assert_msg(pos_check(pos) == NULL, "%s: %s", fen, pos_check(pos));
        return true;
    }
    ck_assert_msg(error[0] != '\0', "%s refused without a reason", fen);
    ck_assert_msg(memcmp(pos, &untouched, sizeof *pos) == 0, "%s refused and yet read", fen);
    return false;
}

START_TEST(fen_reads_and_prints_as_the_table_says)
{
    const Case *c = &CASES[_i];
    Position pos;
    char error[FEN_ERROR_MAX], printed[FEN_MAX];
    if (!parse(&pos, c->fen, c->chess960, error)) {
        ck_assert_msg(c->printed == NULL, "%s: %s", c->fen, error);
        return;
    }
    fen_print(&pos, c->chess960, printed);
    ck_assert_msg(c->printed != NULL, "%s accepted", c->fen);
    ck_assert_str_eq(printed, c->printed);
}
END_TEST

static const struct {
    const char *fen, *reason;
} REFUSED[] = {
    {"4k3/8/8/8/8/8/8/4K3", "a FEN needs a placement and a side to move"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 1 1", "a FEN has at most six fields"},
    {"4k3/8/8/7/8/8/8/4K3 w", "rank 5 has 7 squares"},
    {"4k3/8/8/45/8/8/8/4K3 w", "rank 5 has more than eight squares"},
    {"4k3/8/8/8p/8/8/8/4K3 w", "rank 5 has more than eight squares"},
    {"4k3/8/8/8/8/8/8/4K3/ w", "the placement has more than eight ranks"},
    {"4k3/8/8/8/8/8/8/4K2 w", "the placement ends on rank 1 after 7 squares"},
    {"4k3/8/8/8/8/8/4K3 w", "the placement ends on rank 2 after 8 squares"},
    {"4k3/8/8/8/8/8/8/4X3 w", "'X' in the placement is not a piece"},
    {"4k3/8/8/8/8/8/8/4K3 white", "the side to move is neither w nor b"},
    {"4k2P/8/8/8/8/8/8/4K3 w", "a pawn stands on a back rank"},
    {"4k3/8/8/8/8/8/8/4K2p w", "a pawn stands on a back rank"},
    {"8/8/8/8/8/8/8/4K3 w", "Black has 0 kings"},
    {"4k3/8/8/8/8/8/8/3KK3 w", "White has 2 kings"},
    {"4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w", "White has more than 16 men"},
    {"4k3/8/8/8/8/P7/PPPPPPPP/RNB1KBNR w", "White has more than 8 pawns"},
    {"qqqqkqqq/qqqqqqqq/q7/8/8/8/8/4K3 b", "Black has more than 16 men"},
    {"4k3/pppppppp/p7/8/8/8/8/4K3 w", "Black has more than 8 pawns"},
    {"4k3/8/8/8/8/8/8/4RK2 w", "Black is in check, but not to move"},
    {"4kr2/8/8/8/8/8/8/5K2 b", "White is in check, but not to move"},
    {"4k3/8/8/8/8/8/8/4K2R w I", "'I' in the castling field is not a castling right"},
    {"4k3/8/8/8/8/8/8/4K2R w -K", "'-' in the castling field is not a castling right"},
    {"4k3/8/8/8/8/8/8/4K2R w KK", "the castling field repeats a right"},
    {"4k3/8/8/8/8/8/8/4K2R w KQkqH", "the castling field repeats a right"},
    {"4k3/8/8/8/8/8/8/4K3 w - -e3", "the en passant field is neither a square nor -"},
    {"4k3/8/8/8/8/8/8/4K3 w - e9", "the en passant field is neither a square nor -"},
    {"4k3/8/8/8/8/8/8/4K3 w - i3", "the en passant field is neither a square nor -"},
    {"4k3/8/8/8/8/8/8/4K3 w - - x", "the halfmove clock is not a number"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 -1", "the fullmove number is not a number"},
};

START_TEST(a_refused_fen_has_its_reason)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert(!parse(&pos, REFUSED[_i].fen, false, error));
    ck_assert_str_eq(error, REFUSED[_i].reason);
}
END_TEST

static const struct {
    const char *fen;
    bool chess960;
    const char *note;
} NOTES[] = {
    {"4k3/8/8/3p4/8/8/8/4K3 w - d6 0 2", false, ""}, // most programs write this square
    {"4k3/8/8/3p4/8/8/8/4K3 w - d6 255 65535", false, ""},
    {"4k3/8/8/8/8/8/8/4K3 w - - 256 1", false, "halfmove clock cut to 255"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 65536", false, "fullmove number cut to 65535"},
    {"4k3/8/8/8/8/8/8/4K3 w K - 0 1", false,
     "castling right K dropped: king and rook are not in place"},
    {"4k3/8/8/8/8/8/8/R3K1RR w HG - 0 1", true,
     "castling right G dropped: another rook already has it"},
    {"4k3/8/8/8/8/8/8/4K3 w - d6 0 2", false,
     "en passant square d6 dropped: no pawn has just passed it"},
    {"4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 2", false,
     "en passant square d6 dropped: no pawn has just passed it"},
    {"4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 2", false,
     "en passant square d6 dropped: no pawn has just passed it"},
    {"4k3/8/8/8/3pP3/8/8/4K3 w - d5 0 2", false,
     "en passant square d5 dropped: no pawn has just passed it"},
};

START_TEST(repairs_are_noted_but_ordinary_ep_fields_are_not)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert(parse(&pos, NOTES[_i].fen, NOTES[_i].chess960, error));
    ck_assert_str_eq(error, NOTES[_i].note);
}
END_TEST

START_TEST(all_repairs_of_a_fen_are_noted_in_full)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert(parse(&pos, "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf e3 999 99999", false,
                    error));
    for (const char *right = "HFhf"; *right != '\0'; right++) {
        char wanted[80];
        snprintf(wanted, sizeof wanted,
                 "castling right %c dropped: only in Chess960 (option UCI_Chess960); ", *right);
        ck_assert_msg(strstr(error, wanted) != NULL, "%s", error);
    }
    ck_assert_ptr_nonnull(strstr(error,
                                 "halfmove clock cut to 255; fullmove number cut to 65535; "
                                 "en passant square e3 dropped: no pawn has just passed it"));
}
END_TEST

START_TEST(rights_of_chess960_are_printed_as_files_in_standard_chess_too)
{
    static const char FEN[] = "4k3/8/8/8/8/8/8/R3K1R1 w GA - 0 1";
    Position pos;
    char error[FEN_ERROR_MAX], printed[FEN_MAX];
    ck_assert(parse(&pos, FEN, true, error));
    fen_print(&pos, false, printed);
    ck_assert_str_eq(printed, FEN);
}
END_TEST

/* Castling rights in standard chess, and the right that only Chess960 allows. */
static const struct {
    const char *fen, *right; // NULL: Chess960 does not allow it either
} CHESS960_RIGHTS[] = {
    {"4k3/8/8/8/8/8/8/1R2K1R1 w G - 0 1", "right G dropped: only in Chess960"},
    {"4k3/8/8/8/8/8/8/1R2K1R1 w Q - 0 1", "right Q dropped: only in Chess960"},
    {"r2k3r/8/8/8/8/8/8/4K3 w k - 0 1", "right k dropped: only in Chess960"},
    {"4k3/8/8/8/8/8/8/1R2K3 w G - 0 1", NULL},
    {"4k3/8/8/8/8/8/8/1R2K3 w K - 0 1", NULL},
    {"4k3/8/8/8/8/8/4K3/7R w K - 0 1", NULL},
    {"4k3/8/8/8/8/8/8/R3K3 w B - 0 1", NULL}, // not the rook on a1
};

START_TEST(a_right_of_chess960_is_called_so)
{
    const char *const right = CHESS960_RIGHTS[_i].right;
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert(parse(&pos, CHESS960_RIGHTS[_i].fen, false, error));
    ck_assert_msg(strstr(error, right != NULL ? right : "not in place") != NULL, "%s", error);
    ck_assert_int_eq(pos.castling, 0);
}
END_TEST

START_TEST(error_texts_have_no_control_bytes)
{
    Position pos;
    char error[FEN_ERROR_MAX], fen[64];
    for (int c = 1; c < 256; c++) {
        snprintf(fen, sizeof fen, "4k3/8/8/8%c/8/8/8/4K3 w %c %c", c, c, c);
        if (parse(&pos, fen, true, error))
            continue;
        for (const char *e = error; *e != '\0'; e++)
            ck_assert(*e >= ' ' && *e <= '~');
    }
}
END_TEST

START_TEST(random_positions_survive_printing_and_reading)
{
    for (uint64_t seed = 1; seed <= 100; seed++) {
        Walk walk;
        walk_start(&walk, seed);
        for (int ply = 0; ply < 120; ply++) {
            char fen[FEN_MAX], again[FEN_MAX], error[FEN_ERROR_MAX];
            Position pos;
            fen_print(&walk.pos, walk.chess960, fen);
            ck_assert_msg(parse(&pos, fen, walk.chess960, error), "%s: %s", fen, error);
            ck_assert_str_eq(error, "");
            ck_assert(pos.key == walk.pos.key);
            ck_assert_int_eq(pos.rule50, walk.pos.rule50);
            ck_assert_int_eq(pos.reversible, pos.rule50);
            ck_assert_int_eq(pos.fullmove, walk.pos.fullmove);
            fen_print(&pos, walk.chess960, again);
            ck_assert_str_eq(fen, again);
            if (walk_step(&walk) == MOVE_NONE)
                break;
        }
    }
}
END_TEST

START_TEST(mangled_fens_are_refused_or_give_valid_positions)
{
    static const char BYTES[] = "pPnNbBrRqQkK12345678/ wb-KQkqHAhaabcdefgh36\x01\xff 0";
    Rng rng;
    rng_seed(&rng, 20);
    for (int i = 0; i < 30000; i++) {
        char fen[128] = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 3 17";
        char error[FEN_ERROR_MAX], printed[FEN_MAX];
        Position pos;
        for (uint64_t n = 1 + rng_below(&rng, 3); n > 0; n--)
            fen[rng_below(&rng, strlen(fen))] = BYTES[rng_below(&rng, sizeof BYTES - 1)];
        if (!parse(&pos, fen, i % 2, error))
            continue;
        fen_print(&pos, i % 2, printed);
        ck_assert_uint_lt(strlen(printed), FEN_MAX);
    }
}
END_TEST

/* Replaces \xHH and \t by the bytes they stand for. */
static void decode(char *text)
{
    char *out = text;
    for (const char *in = text; *in != '\0';) {
        if (in[0] == '\\' && in[1] == 'x') {
            const char hex[3] = {in[2], in[3], '\0'};
            *out++ = (char)strtol(hex, NULL, 16);
            in += 4;
        } else if (in[0] == '\\' && in[1] == 't') {
            *out++ = '\t';
            in += 2;
        } else {
            *out++ = *in++;
        }
    }
    *out = '\0';
}

static void split_row(char *line, char *columns[COLUMNS_MAX])
{
    static char empty[] = "";
    for (int i = 0; i < COLUMNS_MAX; i++)
        columns[i] = empty;
    for (int i = 0; i < COLUMNS_MAX && line != NULL; i++) {
        columns[i] = line;
        line = strchr(line, '\t');
        if (line != NULL)
            *line++ = '\0';
    }
}

/* A row of bad-fens-a.tsv: id, class, fen, why, repaired. */
static void check_bad_fen(char *row[COLUMNS_MAX])
{
    const char *class = row[1], *fen = row[2];
    const bool chess960 = strstr(row[3], "Chess960)") != NULL;
    Position pos, repaired;
    char error[FEN_ERROR_MAX], printed[FEN_MAX], expected[FEN_MAX];
    decode(row[2]);
    const bool accepted = parse(&pos, fen, chess960, error);
    if (strcmp(class, "reject") == 0 || strcmp(class, "illegal") == 0)
        ck_assert_msg(!accepted, "%s accepted: %s", row[0], fen);
    if (strcmp(class, "terminal") == 0)
        ck_assert_msg(accepted, "%s refused: %s", row[0], error);
    if (strcmp(class, "sanitize") != 0)
        return;
    ck_assert_msg(accepted, "%s refused: %s", row[0], error);
    fen_print(&pos, chess960, printed);
    /* The column has KQkq where we print letters in Chess960, so compare through a parse there. */
    ck_assert(parse(&repaired, row[4], chess960, error));
    fen_print(&repaired, chess960, expected);
    ck_assert_str_eq(printed, chess960 ? expected : row[4]);
}

START_TEST(bad_fens_are_handled_according_to_their_class)
{
    FILE *file = shared_open("bad-fens-a.tsv");
    if (file == NULL)
        return;
    int rows = 0;
    for (char *line = shared_line(file); line != NULL; line = shared_line(file)) {
        char *row[COLUMNS_MAX];
        if (line[0] == '#')
            continue;
        split_row(line, row);
        check_bad_fen(row);
        rows++;
    }
    fclose(file);
    ck_assert_int_gt(rows, 80);
}
END_TEST

START_TEST(positions_that_cannot_be_played_are_refused)
{
    FILE *file = shared_open("illegal-positions-cozy-a.tsv");
    if (file == NULL)
        return;
    int rows = 0;
    for (char *line = shared_line(file); line != NULL; line = shared_line(file)) {
        Position pos;
        char error[FEN_ERROR_MAX], *row[COLUMNS_MAX];
        if (line[0] == '#')
            continue;
        split_row(line, row);
        ck_assert_msg(!parse(&pos, row[0], true, error), "%s accepted", row[0]);
        rows++;
    }
    fclose(file);
    ck_assert_int_ge(rows, 250);
}
END_TEST

/* Every file of positions that must be accepted without a repair. */
static const char *const LEGAL_FILES[] = {
    "legal-positions-cozy-a.fen", "chess960-startpos-960.epd", "book-frc-3moves-2k.epd",
    "book-dfrc-4852-5k.epd",      "kasparov-short-1994.fen",   "book-8moves-v3-10k.epd",
};

START_TEST(legal_positions_are_accepted_unchanged)
{
    FILE *file = shared_open(LEGAL_FILES[_i]);
    if (file == NULL)
        return;
    for (char *line = shared_line(file); line != NULL; line = shared_line(file)) {
        Position pos;
        char error[FEN_ERROR_MAX], printed[FEN_MAX];
        ck_assert_msg(parse(&pos, line, true, error), "%s: %s", line, error);
        ck_assert_msg(error[0] == '\0', "%s: %s", line, error);
        fen_print(&pos, true, printed);
        ck_assert_uint_eq(strcspn(printed, " "), strcspn(line, " "));
        ck_assert(strncmp(printed, line, strcspn(line, " ")) == 0);
    }
    fclose(file);
}
END_TEST

Suite *suite_fen(void);
Suite *suite_fen(void)
{
    Suite *suite = suite_create("fen");
    TCase *tcase = tcase_create("fen");
    tcase_set_timeout(tcase, 20);
    tcase_add_loop_test(tcase, fen_reads_and_prints_as_the_table_says, 0,
                        sizeof CASES / sizeof CASES[0]);
    tcase_add_loop_test(tcase, a_refused_fen_has_its_reason, 0, sizeof REFUSED / sizeof REFUSED[0]);
    tcase_add_loop_test(tcase, repairs_are_noted_but_ordinary_ep_fields_are_not, 0,
                        sizeof NOTES / sizeof NOTES[0]);
    tcase_add_test(tcase, all_repairs_of_a_fen_are_noted_in_full);
    tcase_add_test(tcase, rights_of_chess960_are_printed_as_files_in_standard_chess_too);
    tcase_add_loop_test(tcase, a_right_of_chess960_is_called_so, 0,
                        sizeof CHESS960_RIGHTS / sizeof CHESS960_RIGHTS[0]);
    tcase_add_test(tcase, error_texts_have_no_control_bytes);
    tcase_add_test(tcase, random_positions_survive_printing_and_reading);
    tcase_add_test(tcase, mangled_fens_are_refused_or_give_valid_positions);
    tcase_add_test(tcase, bad_fens_are_handled_according_to_their_class);
    tcase_add_test(tcase, positions_that_cannot_be_played_are_refused);
    tcase_add_loop_test(tcase, legal_positions_are_accepted_unchanged, 0,
                        sizeof LEGAL_FILES / sizeof LEGAL_FILES[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
