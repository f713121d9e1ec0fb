// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>
#include <string.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/random_game.h"
#include "shared_data.h"

static Position position(const char *fen, bool chess960)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert_msg(fen_parse(&pos, fen, chess960, error), "%s: %s", fen, error);
    return pos;
}

typedef struct {
    const char *fen;
    bool chess960;
    const char *uci; // as passed to the functions
    const char *san; // NULL: no legal move
} UciCase;

#define CASTLE "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
#define PROMO "3n3k/4P3/8/8/8/8/8/K7 w - - 0 1"

static const UciCase UCI_CASES[] = {
    {CASTLE, false, "e1g1", "O-O"},
    {CASTLE, false, "e1h1", "O-O"},
    {CASTLE, false, "e1c1", "O-O-O"},
    {CASTLE, false, "e1a1", "O-O-O"},
    {CASTLE, true, "e1h1", "O-O"},
    {CASTLE, true, "e1g1", "O-O"},
    {CASTLE, true, "e1c1", "O-O-O"},
    {CASTLE, false, "e1b1", NULL},
    // The same text fits a king move and castling: the king move counts.
    {"4k3/8/8/8/8/8/8/5K1R w H - 0 1", true, "f1g1", "Kg1"},
    {"4k3/8/8/8/8/8/8/5K1R w H - 0 1", true, "f1h1", "O-O"},
    // Names the rook on g1: castling, since no king move fits.
    {"4k3/8/8/8/8/8/8/5KR1 w G - 0 1", true, "f1g1", "O-O"},
    // c1 would also be the king's target when castling with the other rook.
    {"7k/8/8/8/8/8/8/RKR5 w CA - 0 1", true, "b1c1", "O-O"},
    {"7k/8/8/8/8/8/8/RKR5 w CA - 0 1", true, "b1a1", NULL},
    {PROMO, false, "e7e8q", "e8=Q+"},
    {PROMO, false, "e7d8n", "exd8=N"},
    {PROMO, false, "e7e8Q", "e8=Q+"},
    {PROMO, false, "e7e8R", "e8=R+"},
    {PROMO, false, "e7e8K", NULL},
    {PROMO, false, "e7e8\x11", NULL}, // q without two bits
    {PROMO, false, "e7e8\xd1", NULL},
    {PROMO, false, "e7e8", NULL},
    {PROMO, false, "e7e8k", NULL},
    {PROMO, false, "e7e8p", NULL},
    {PROMO, false, "a1a2q", NULL},
    {PROMO, false, "a1a2", "Ka2"},
    {PROMO, false, "a1a2 ", NULL},
    {PROMO, false, "A1A2", NULL},
    {PROMO, false, "0000", NULL},
    {PROMO, false, "", NULL},
    {PROMO, false, "a1", NULL},
    {PROMO, false, "a1i9", NULL},
    {PROMO, false, "a1a1", NULL},
    {PROMO, false, "\xff\xfe\x01\x02", NULL},
    {PROMO, false, "e7e8qq", NULL},
};

/* Expects `move` to be `wanted` in SAN; NULL: no move. */
static void expect_move(const Position *pos, Move move, const char *wanted)
{
    char san[MOVE_TEXT_MAX] = "no move";
    if (move != MOVE_NONE)
        move_to_san(pos, move, san);
    ck_assert_str_eq(san, wanted != NULL ? wanted : "no move");
}

START_TEST(coordinates_name_the_move_of_the_table)
{
    const UciCase *c = &UCI_CASES[_i];
    const Position pos = position(c->fen, c->chess960);
    expect_move(&pos, move_from_uci(&pos, c->uci), c->san);
}
END_TEST

typedef struct {
    const char *fen, *san; // as passed to the functions
    const char *uci;       // NULL: none, or not one
} SanCase;

#define KNIGHTS "4k3/8/8/8/8/2N3N1/8/4K1N1 w - - 0 1"
#define PINNED "4k3/4r3/8/8/8/2N1N3/8/4K3 w - - 0 1" // only the c-knight may go to d5
#define PASSED "4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1"
#define TAKES "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"

static const SanCase SAN_CASES[] = {
    {CASTLE, "O-O", "e1g1"},
    {CASTLE, "0-0", "e1g1"},
    {CASTLE, "O-O-O", "e1c1"},
    {CASTLE, "0-0-0!?", "e1c1"},
    {CASTLE, "o-o", "e1g1"},
    {CASTLE, "o-o-o+", "e1c1"},
    {CASTLE, "O-o", NULL},
    {CASTLE, "O-0", NULL},
    {CASTLE, "O-O-", NULL},
    {CASTLE, "Rxh8+", "h1h8"},
    {CASTLE, "Rxh8", "h1h8"},
    {CASTLE, "Rh8", "h1h8"},
    {CASTLE, "Rxb1", NULL},
    {KNIGHTS, "Nge2", NULL},
    {KNIGHTS, "N1e2", "g1e2"},
    {KNIGHTS, "Ne2", NULL},
    {KNIGHTS, "Nce2", "c3e2"},
    {KNIGHTS, "Ng1e2", "g1e2"},
    {KNIGHTS, "Ng1-e2", "g1e2"},
    {KNIGHTS, "Ng1-f5", NULL},
    {KNIGHTS, "Ng-e2", NULL},
    {KNIGHTS, "N-f5", NULL},
    {KNIGHTS, "-f5", NULL},
    {KNIGHTS, "N1g-e2", NULL},
    {KNIGHTS, "Nf5??", "g3f5"},
    {KNIGHTS, "ng1e2", NULL},
    {PINNED, "Nd5", "c3d5"},
    {PINNED, "Ncd5", "c3d5"},
    {PINNED, "Ned5", NULL},
    {PROMO, "e8=Q+", "e7e8q"},
    {PROMO, "e8Q", "e7e8q"},
    {PROMO, "e8=q+", "e7e8q"},
    {PROMO, "exd8=n", "e7d8n"},
    {PROMO, "e8=k", NULL},
    {PROMO, "e8q", NULL},
    {PROMO, "exd8=R#", "e7d8r"},
    {PROMO, "ed8B", "e7d8b"},
    {PROMO, "e7-e8=N+", "e7e8n"},
    {PROMO, "e7xd8Q", "e7d8q"},
    {PROMO, "e8", NULL},
    {PROMO, "e8=K", NULL},
    {PROMO, "e8=P", NULL},
    {PROMO, "e8=", NULL},
    {PROMO, "Ka2=Q", NULL},
    {PROMO, "Pe8=Q", NULL},
    {TAKES, "exd5", "e4d5"},
    {TAKES, "ed5", "e4d5"},
    {TAKES, "d5", NULL},
    {TAKES, "e5", "e4e5"},
    {TAKES, "e4-e5!", "e4e5"},
    {TAKES, "e4xd5", "e4d5"},
    {TAKES, "e4-d5", "e4d5"},
    {TAKES, "e5-e5", NULL},
    {TAKES, "e5=Q", NULL}, // no promotion
    {TAKES, "exd5e.p.", NULL},
    {PASSED, "exd6", "e5d6"},
    {PASSED, "exd6e.p.", "e5d6"},
    {PASSED, "exd6+e.p.!", "e5d6"},
    {PASSED, "ed6e.p.", "e5d6"},
    {PASSED, "O-Oe.p.", NULL},
    {PASSED, "e.p.", NULL},
    {TAKES, "exe5", NULL},
    {TAKES, "", NULL},
    {TAKES, "+", NULL},
    {TAKES, "x", NULL},
    {TAKES, "K", NULL},
    {TAKES, "Q=", NULL},
    {TAKES, "--", NULL},
    {TAKES, "\xff\xff", NULL},
    {TAKES, "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeed5", NULL},
};

START_TEST(san_names_the_move_of_the_table)
{
    const SanCase *c = &SAN_CASES[_i];
    const Position pos = position(c->fen, false);
    const Move move = move_from_san(&pos, c->san);
    char uci[MOVE_TEXT_MAX];
    ck_assert_msg((move == MOVE_NONE) == (c->uci == NULL), "%s in %s", c->san, c->fen);
    if (move == MOVE_NONE)
        return;
    move_to_uci(move, false, uci);
    ck_assert_str_eq(uci, c->uci);
}
END_TEST

typedef struct {
    const char *fen;
    bool chess960;
    const char *text; // as passed to the function
    const char *san;  // NULL: no legal move, or not one
} TextCase;

static const TextCase TEXT_CASES[] = {
    {KNIGHTS, false, "Nce2", "Nce2"},
    {KNIGHTS, false, "c3e2", "Nce2"},
    {KNIGHTS, false, "Ne2", NULL},
    {PINNED, false, "e3d5", NULL},
    {PROMO, false, "e8Q", "e8=Q+"},
    {PROMO, false, "e7e8q", "e8=Q+"},
    {PROMO, false, "e7e8Q", "e8=Q+"}, // SAN with the whole origin
    {PROMO, false, "e7e8", NULL},
    {CASTLE, false, "O-O", "O-O"},
    {CASTLE, false, "e1c1", "O-O-O"},
    {CASTLE, true, "e1a1", "O-O-O"},
    {"4k3/8/8/8/8/8/8/5K1R w H - 0 1", true, "f1g1", "Kg1"},
    {"4k3/8/8/8/8/8/8/5K1R w H - 0 1", true, "f1h1", "O-O"},
    {TAKES, false, "", NULL},
    {TAKES, false, "e4e5e6", NULL},
};

START_TEST(a_move_is_named_in_san_or_coordinates)
{
    const TextCase *c = &TEXT_CASES[_i];
    const Position pos = position(c->fen, c->chess960);
    expect_move(&pos, move_from_text(&pos, c->text), c->san);
}
END_TEST

typedef struct {
    const char *fen, *uci, *san;
} PrintCase;

#define QUEENS "1k6/8/8/8/Q6Q/8/8/K6Q w - - 0 1" // h4 shares its file and its rank

static const PrintCase PRINT_CASES[] = {
    {KNIGHTS, "g1e2", "N1e2"},
    {KNIGHTS, "c3e2", "Nce2"},
    {KNIGHTS, "c3d5", "Nd5"},
    {PINNED, "c3d5", "Nd5"},
    {QUEENS, "h4e4", "Qh4e4"},
    {QUEENS, "a4e4", "Qae4"},
    {QUEENS, "h1e4", "Q1e4"},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"},
    {"6k1/5ppp/8/8/8/8/8/R3K2R w KQ - 0 1", "a1a8", "Ra8#"},
    {"5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"},
};

START_TEST(san_is_printed_with_the_shortest_origin)
{
    const PrintCase *c = &PRINT_CASES[_i];
    const Position pos = position(c->fen, false);
    char san[MOVE_TEXT_MAX];
    move_to_san(&pos, move_from_uci(&pos, c->uci), san);
    ck_assert_str_eq(san, c->san);
}
END_TEST

START_TEST(move_none_is_printed_as_zeros)
{
    char text[MOVE_TEXT_MAX];
    move_to_uci(MOVE_NONE, false, text);
    ck_assert_str_eq(text, "0000");
    move_to_uci(MOVE_NULL, true, text);
    ck_assert_str_eq(text, "0000");
}
END_TEST

/* Prints and reads every legal move; all texts of one position must differ. */
static void check_round_trip(const Position *pos, bool chess960)
{
    Move moves[MAX_MOVES];
    char sans[MAX_MOVES][MOVE_TEXT_MAX], uci[MOVE_TEXT_MAX];
    const int count = gen_legal(pos, moves);
    bool differ = true;
    for (int i = 0; i < count; i++) {
        move_to_uci(moves[i], chess960, uci);
        ck_assert_uint_eq(move_from_uci(pos, uci), moves[i]);
        move_to_san(pos, moves[i], sans[i]);
        ck_assert_uint_eq(move_from_san(pos, sans[i]), moves[i]);
        ck_assert_uint_eq(move_from_text(pos, uci), moves[i]);
        ck_assert_uint_eq(move_from_text(pos, sans[i]), moves[i]);
        for (int j = 0; j < i; j++)
            differ &= strcmp(sans[i], sans[j]) != 0;
        ck_assert_msg(differ, "%s names two moves", sans[i]);
        sans[i][strcspn(sans[i], "+#")] = '\0';
        ck_assert_uint_eq(move_from_san(pos, sans[i]), moves[i]);
    }
}

START_TEST(every_move_of_random_games_survives_printing_and_reading)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        Walk walk;
        walk_start(&walk, seed);
        for (int ply = 0; ply < 100; ply++) {
            check_round_trip(&walk.pos, walk.chess960);
            if (walk_step(&walk) == MOVE_NONE)
                break;
        }
    }
}
END_TEST

START_TEST(random_text_gives_a_legal_move_or_none)
{
    static const char BYTES[] = "abcdefgh12345678NBRQKPOx=+#-0!\x80 ";
    Walk walk;
    walk_start(&walk, 5);
    for (int i = 0; i < 20000; i++) {
        char text[20] = "";
        const uint64_t length = rng_below(&walk.rng, sizeof text);
        for (uint64_t j = 0; j < length; j++)
            text[j] = BYTES[rng_below(&walk.rng, sizeof BYTES - 1)];
        const Move san = move_from_san(&walk.pos, text), uci = move_from_uci(&walk.pos, text);
        ck_assert(san == MOVE_NONE || gen_is_legal(&walk.pos, san));
        ck_assert(uci == MOVE_NONE || gen_is_legal(&walk.pos, uci));
        if (i % 100 == 0 && walk_step(&walk) == MOVE_NONE)
            walk_start(&walk, (uint64_t)i);
    }
}
END_TEST

START_TEST(shared_san_and_uci_agree_both_ways)
{
    FILE *file = shared_open("san-uci.tsv");
    if (file == NULL)
        return;
    int rows = 0;
    for (char *line = shared_line(file); line != NULL; line = shared_line(file)) {
        if (line[0] == '#')
            continue;
        char *column[5] = {line};
        for (int i = 1; i < 5; i++) {
            column[i] = strchr(column[i - 1], '\t');
            ck_assert_ptr_nonnull(column[i]);
            *column[i]++ = '\0';
        }
        const bool chess960 = strcmp(column[4], "chess960") == 0;
        const Position pos = position(column[0], chess960);
        const Move move = move_from_san(&pos, column[1]);
        char text[MOVE_TEXT_MAX];
        ck_assert_msg(move != MOVE_NONE, "%s in %s", column[1], column[0]);
        ck_assert_uint_eq(move, move_from_uci(&pos, column[2]));
        move_to_uci(move, chess960, text);
        ck_assert_str_eq(text, column[2]);
        move_to_san(&pos, move, text);
        ck_assert_str_eq(text, column[1]);
        rows++;
    }
    fclose(file);
    ck_assert_int_gt(rows, 400);
}
END_TEST

#define LENGTH(array) ((int)(sizeof(array) / sizeof(array)[0]))

Suite *suite_notation(void);
Suite *suite_notation(void)
{
    Suite *suite = suite_create("notation");
    TCase *tcase = tcase_create("notation");
    tcase_set_timeout(tcase, 20);
    tcase_add_loop_test(tcase, coordinates_name_the_move_of_the_table, 0, LENGTH(UCI_CASES));
    tcase_add_loop_test(tcase, san_names_the_move_of_the_table, 0, LENGTH(SAN_CASES));
    tcase_add_loop_test(tcase, a_move_is_named_in_san_or_coordinates, 0, LENGTH(TEXT_CASES));
    tcase_add_loop_test(tcase, san_is_printed_with_the_shortest_origin, 0, LENGTH(PRINT_CASES));
    tcase_add_test(tcase, move_none_is_printed_as_zeros);
    tcase_add_test(tcase, every_move_of_random_games_survives_printing_and_reading);
    tcase_add_test(tcase, random_text_gives_a_legal_move_or_none);
    tcase_add_test(tcase, shared_san_and_uci_agree_both_ways);
    suite_add_tcase(suite, tcase);
    return suite;
}
