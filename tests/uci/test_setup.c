// SPDX-License-Identifier: GPL-3.0-or-later
/* Games of which the GUI sends the FEN of each position. The command `position` in general:
 * test_uci.c. */
#include "uci/setup.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "chess/fen.h"

/* The game as a GUI sends it that knows moves, and as one that sends FENs. */
static Setup game, sent;

static void setup(void)
{
    setup_init(&game);
    setup_init(&sent);
    sent.in_game = true;
}

static void set_up(Setup *target, const char *text)
{
    char copy[1000];
    StrBuf notes = {0};
    ck_assert_uint_lt(strlen(text), sizeof copy);
    strcpy(copy, text);
    ck_assert(setup_parse(target, copy, true, &notes));
    ck_assert_ptr_null(notes.text);
}

/* Sends the FEN of `game`, with `moves` if it is not "". */
static void send_fen(const char *moves)
{
    char fen[FEN_MAX], text[600];
    fen_print(&game.pos, true, fen);
    snprintf(text, sizeof text, "fen %s%s%s", fen, *moves != '\0' ? " moves " : "", moves);
    set_up(&sent, text);
}

/* The positions between those that were sent may differ before a capture, for example by a promoted
 * piece that was captured at once. */
static void assert_same_path(void)
{
    ck_assert_uint_eq(sent.pos.key, game.pos.key);
    ck_assert_int_eq(sent.pos.reversible, game.pos.reversible);
    ck_assert_int_eq(sent.path.count, game.path.count);
    const int last = game.path.count - 1;
    for (int i = 0; i <= last; i++)
        if (i % 2 == 0 || i <= game.pos.reversible)
            ck_assert_uint_eq(sent.path.keys[last - i], game.path.keys[last - i]);
}

/* With captures, en passant, promotions, castling and a repetition. */
static const char *const GAME[] = {"e2e4 a7a6", "e4e5 d7d5", "e5d6 g8f6", "d6c7 b8c6", "c7d8n e8d8",
                                   "g1f3 c8g4", "f1e2 d8c8", "e1h1 f6d7", "f3g5 d7f6", "g5f3 f6d7",
                                   "f3g5 d7f6", "g5f3 f6d7", "d2d4 g4f3", "e2f3 c6d4"};

START_TEST(fens_of_a_game_continue_it)
{
    char text[600] = "startpos moves";
    set_up(&sent, "fen " FEN_START);
    for (size_t i = 0; i < sizeof GAME / sizeof *GAME; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), " %s", GAME[i]);
        set_up(&game, text);
        send_fen("");
        assert_same_path();
        send_fen(""); // the same position again
        assert_same_path();
        if (i == 11)
            ck_assert_int_eq(path_occurrences(&sent.path, &sent.pos), 2);
    }
    ck_assert_int_eq(sent.path.count, 1 + 2 * (int)(sizeof GAME / sizeof *GAME));
}
END_TEST

START_TEST(castling_of_chess960_continues_the_game)
{
    static const char fen[] = "fen rk6/8/8/8/8/8/8/1KR5 w Ca - 0 1";
    char text[600];
    set_up(&sent, fen);
    snprintf(text, sizeof text, "%s moves b1c1 b8a8", fen);
    set_up(&game, text);
    send_fen("");
    assert_same_path();
}
END_TEST

/* After its own move the GUI sends the FEN and the move that the engine ponders on. */
START_TEST(the_game_goes_on_after_pondering)
{
    set_up(&game, "startpos");
    send_fen("");
    set_up(&game, "startpos moves e2e4");
    send_fen("e7e5");
    set_up(&game, "startpos moves e2e4 c7c5"); // a wrong guess
    send_fen("");
    assert_same_path();
    set_up(&game, "startpos moves e2e4 c7c5 g1f3");
    send_fen("d7d6");
    set_up(&game, "startpos moves e2e4 c7c5 g1f3 d7d6 d2d4"); // a right one
    send_fen("c5d4");
    set_up(&game, "startpos moves e2e4 c7c5 g1f3 d7d6 d2d4 c5d4");
    assert_same_path();
    set_up(&game, "startpos moves e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6"); // and another
    send_fen("");
    assert_same_path();
}
END_TEST

/* Whether the path goes on at a FEN after the start position. */
static bool continues_at(const char *fen)
{
    set_up(&sent, "fen " FEN_START);
    char text[FEN_MAX + 4];
    snprintf(text, sizeof text, "fen %s", fen);
    set_up(&sent, text);
    ck_assert_uint_eq(sent.path.keys[sent.path.count - 1], sent.pos.key);
    return sent.path.count > 1;
}

START_TEST(a_position_of_another_game_starts_anew)
{
    ck_assert(continues_at("rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2"));
    ck_assert(continues_at("rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2"));
    static const char *const OTHERS[] = {
        "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 3",  // move number
        "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2",  // counter
        "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQk - 2 2",   // castling rights
        "rnbqkb1r/pppppppp/7n/8/8/2N2N2/PPPPPPPP/R1BQKB1R w KQkq - 2 2", // three moves
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 2 2",      // no moves
        "rnbqkbnr/pppppp1p/6p1/8/8/6PB/PPPPPP1P/RNBQK1NR b KQkq - 1 2",  // three plies
        "rnbqkbnr/ppp1pppp/8/3p4/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2",    // one ply
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 2",                               // other pieces
    };
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
        ck_assert_msg(!continues_at(OTHERS[i]), "%s", OTHERS[i]);
}
END_TEST

START_TEST(without_a_game_every_fen_starts_anew)
{
    sent.in_game = false;
    ck_assert(!continues_at("rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2"));
}
END_TEST

START_TEST(a_flipped_position_starts_anew)
{
    set_up(&sent, "startpos moves e2e4");
    setup_flip(&sent);
    ck_assert_int_eq(sent.path.count, 1);
    set_up(&sent, "startpos");
    ck_assert_int_eq(sent.path.count, 1);
}
END_TEST

START_TEST(a_long_game_that_is_sent_by_moves_is_played_from_its_start)
{
    static const char round[] = " g1f3 g8f6 f3g1 f6g8";
    char text[1000] = "fen " FEN_START " moves";
    for (int plies = 4; plies <= 160; plies += 4) {
        strcat(text, round);
        set_up(&sent, text);
        ck_assert_int_eq(sent.path.count, plies < PATH_GAME ? plies + 1 : PATH_GAME);
        ck_assert_int_eq(sent.plies, plies);
        ck_assert_int_eq(sent.pos.fullmove, plies / 2 + 1);
    }
}
END_TEST

Suite *suite_setup(void);
Suite *suite_setup(void)
{
    Suite *const suite = suite_create("setup");
    TCase *const tcase = tcase_create("setup");
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, fens_of_a_game_continue_it);
    tcase_add_test(tcase, castling_of_chess960_continues_the_game);
    tcase_add_test(tcase, the_game_goes_on_after_pondering);
    tcase_add_test(tcase, a_position_of_another_game_starts_anew);
    tcase_add_test(tcase, without_a_game_every_fen_starts_anew);
    tcase_add_test(tcase, a_flipped_position_starts_anew);
    tcase_add_test(tcase, a_long_game_that_is_sent_by_moves_is_played_from_its_start);
    suite_add_tcase(suite, tcase);
    return suite;
}
