// SPDX-License-Identifier: GPL-3.0-or-later
#include "learning/learned_position.h"

#include <check.h>
#include <string.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/random_game.h"
#include "learning/learn_store_fixture.h"

static const struct {
    const char *fen, *position;
} POSITIONS[] = {
    {FEN_START, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"},
    {"r3k2r/8/8/8/8/8/8/R3K2R b HAha - 12 34", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq -"},
    {"rr2k3/8/8/8/8/8/8/4K3 b b - 0 1", "rr2k3/8/8/8/8/8/8/4K3 b b -"},
    {"4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 9", "4k3/8/8/8/3pP3/8/8/4K3 b - e3"},
    {"4k3/8/8/8/4P3/8/8/4K3 b - e3 0 9", "4k3/8/8/8/4P3/8/8/4K3 b - -"}, // no pawn can capture
};

START_TEST(a_position_has_one_text_in_all_modes)
{
    Position pos;
    char error[FEN_ERROR_MAX], text[LEARNED_POSITION_MAX];
    ck_assert(fen_parse(&pos, POSITIONS[_i].fen, true, error));
    learned_position_text(&pos, text);
    ck_assert_str_eq(text, POSITIONS[_i].position);
}
END_TEST

START_TEST(every_learned_position_survives_a_round_trip)
{
    for (uint64_t seed = 0; seed < 3000; seed++) {
        Walk walk;
        Move moves[MAX_MOVES];
        walk_start(&walk, seed);
        for (int ply = 0; ply < (int)(seed % 60); ply++)
            walk_step(&walk);
        const int count = gen_legal(&walk.pos, moves);
        if (count == 0)
            continue;
        LearnedPosition learned = {.depth = 12, .origin = ORIGIN_ANALYSIS, .seen = 3};
        learned_position_set(&learned, &walk.pos, moves[seed % (uint64_t)count], 345);
        LearnedPosition again = learned;
        char move[MOVE_TEXT_MAX];
        learned_position_move_text(&learned, move);
        again.key = 0;
        again.move = MOVE_NONE;
        memset(again.position, 0, sizeof again.position);
        ck_assert_msg(learned_position_parse(&again, learned.position, move), "%s %s",
                      learned.position, move);
        ck_assert(learned_equal(&learned, &again));
        ck_assert_uint_eq(learned_position_checksum(&learned), learned_position_checksum(&again));
        ck_assert_uint_eq(learned.key, walk.pos.key);
    }
}
END_TEST

START_TEST(castling_moves_use_the_notation_of_the_variant)
{
    char text[MOVE_TEXT_MAX];
    LearnedPosition learned =
        learned_position_of("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", 10, 9);
    learned_position_move_text(&learned, text);
    ck_assert_str_eq(text, "e1g1");
    learned = learned_position_of("r3k2r/8/8/8/8/8/8/1R2K2R w HBkq - 0 1", "e1h1", 10, 9);
    learned_position_move_text(&learned, text);
    ck_assert_str_eq(text, "e1h1");
}
END_TEST

#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"

static const struct {
    const char *position, *move;
    Score score;
    int depth, fullmove, origin;
    int64_t seen;
    bool is_good;
} ROWS[] = {
    {START, "e2e4", 20, 10, 1, 0, 1, true},
    {START, "e2e4", SCORE_NONE, 0, 1, 2, 1, true},
    {START, "e2e4", 3 - SCORE_MATE, MAX_DEPTH, 65535, 1, 1, true},
    {START, "e2e5", 20, 10, 1, 0, 1, false},
    {START, "e7e5", 20, 10, 1, 0, 1, false},
    {START, "", 20, 10, 1, 0, 1, false},
    {START " 0 1", "e2e4", 20, 10, 1, 0, 1, false},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha -", "e2e4", 20, 10, 1, 0, 1, false},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w QKqk -", "e2e4", 20, 10, 1, 0, 1, false},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR  w KQkq -", "e2e4", 20, 10, 1, 0, 1, false},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3", "e2e4", 20, 10, 1, 0, 1, false},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq -", "e2e4", 20, 10, 1, 0, 1, false},
    {"8/8/8/8/8/8/8/8 w - -", "e2e4", 20, 10, 1, 0, 1, false},
    {"k1K5/8/8/8/8/8/8/8 b - -", "a8a7", 20, 10, 1, 0, 1, true},
    {"kK6/8/8/8/8/8/8/8 w - -", "b8c8", 20, 10, 1, 0, 1, false},
    {"", "e2e4", 20, 10, 1, 0, 1, false},
    {START, "e2e4", SCORE_MATE, 10, 1, 0, 1, false},
    {START, "e2e4", -SCORE_MATE, 10, 1, 0, 1, false},
    {START, "e2e4", SCORE_INF, 10, 1, 0, 1, false},
    {START, "e2e4", SCORE_NONE + 1, 10, 1, 0, 1, false},
    {START, "e2e4", 20, MAX_DEPTH + 1, 1, 0, 1, false},
    {START, "e2e4", 20, -1, 1, 0, 1, false},
    {START, "e2e4", 20, 10, 0, 0, 1, false},
    {START, "e2e4", 20, 10, 65536, 0, 1, false},
    {START, "e2e4", 20, 10, 1, 3, 1, false},
    {START, "e2e4", 20, 10, 1, -1, 1, false},
    {START, "e2e4", 20, 10, 1, 0, 0, false},
    {START, "e2e4", 20, 10, 1, 0, LEARNED_SEEN_MAX + 1, false},
};

START_TEST(invalid_rows_are_refused)
{
    LearnedPosition learned = {.score = ROWS[_i].score,
                               .depth = ROWS[_i].depth,
                               .fullmove = ROWS[_i].fullmove,
                               .origin = (LearnOrigin)ROWS[_i].origin,
                               .seen = ROWS[_i].seen};
    ck_assert_int_eq(learned_position_parse(&learned, ROWS[_i].position, ROWS[_i].move),
                     ROWS[_i].is_good);
}
END_TEST

START_TEST(overlong_texts_are_refused)
{
    char text[4096];
    memset(text, 'k', sizeof text);
    text[sizeof text - 1] = '\0';
    LearnedPosition learned = {.score = 1, .depth = 5, .fullmove = 1, .seen = 1};
    ck_assert(!learned_position_parse(&learned, text, "e2e4"));
    ck_assert(!learned_position_parse(&learned, START, text));
}
END_TEST

/* Existing files contain these checksums: if this test fails, the checksum function has changed. */
START_TEST(checksum_is_the_same_in_every_version)
{
    const LearnedPosition learned = learned_position_of(FEN_START, "g1f3", -123, 17);
    ck_assert_uint_eq(learned_position_checksum(&learned), UINT64_C(321530563016657236));
}
END_TEST

START_TEST(checksum_covers_every_field_but_the_key)
{
    const LearnedPosition learned = learned_position_of(FEN_START, "g1f3", -123, 17);
    const uint64_t sum = learned_position_checksum(&learned);
    LearnedPosition other[8];
    for (int i = 0; i < 8; i++)
        other[i] = learned;
    other[0].score++;
    other[1].depth++;
    other[2].fullmove++;
    other[3].network++;
    other[4].origin = ORIGIN_ADVICE;
    other[5].calendar_s++;
    other[6].seen++;
    other[7] = learned_position_of(FEN_START, "g1h3", -123, 17);
    for (int i = 0; i < 8; i++)
        ck_assert_uint_ne(learned_position_checksum(&other[i]), sum);
    LearnedPosition same = learned;
    same.key++;
    ck_assert_uint_eq(learned_position_checksum(&same), sum);
}
END_TEST

static const struct {
    LearnPolicy policy;
    int depth;
    Score score, peak, previous;
    bool is_due;
} SEARCHES[] = {
    {LEARN_BEBE, 4, 0, SCORE_NONE, SCORE_NONE, true},
    {LEARN_BEBE, 3, 0, SCORE_NONE, SCORE_NONE, false},
    {LEARN_BEBE, 10, 500, 400, 300, true},
    {LEARN_MOUSE, 10, 0, LEARNED_DROP, SCORE_NONE, true},
    {LEARN_MOUSE, 10, 0, LEARNED_DROP - 1, 5000, false},
    {LEARN_MOUSE, 10, 0, SCORE_NONE, 5000, false},
    {LEARN_MOUSE, 3, 0, 5000, SCORE_NONE, false},
    {LEARN_MOUSE, 10, -SCORE_MATE + 6, -400, SCORE_NONE, true},
    {LEARN_CRAFTY, 10, 0, 0, LEARNED_DROP, true},
    {LEARN_CRAFTY, 10, 0, 5000, LEARNED_DROP - 1, false},
    {LEARN_CRAFTY, 10, 0, 5000, SCORE_NONE, false},
    {LEARN_CRAFTY, 3, 0, 0, 5000, false},
};

START_TEST(each_policy_keeps_the_searches_of_its_definition)
{
    const SearchOutcome outcome = {
        .score = SEARCHES[_i].score, .depth = SEARCHES[_i].depth, .peak = SEARCHES[_i].peak};
    ck_assert_int_eq(learned_policy_keeps(SEARCHES[_i].policy, &outcome, SEARCHES[_i].previous),
                     SEARCHES[_i].is_due);
}
END_TEST

static const struct {
    int rule50;
    Score score, kept;
} SCORES[] = {
    {0, 300, 300},
    {19, -300, -300},
    {20, 300, SCORE_NONE},
    {0, 0, SCORE_NONE},
    {0, 2, SCORE_NONE},
    {0, -2, SCORE_NONE},
    {0, 3, 3},
    {0, -3, -3},
    {0, SCORE_TB - 10, SCORE_NONE},
    {0, 10 - SCORE_TB, SCORE_NONE},
    {0, SCORE_MATE - 9, SCORE_MATE - 9},
    {0, 9 - SCORE_MATE, 9 - SCORE_MATE},
    {50, SCORE_MATE - 9, SCORE_NONE},
};

START_TEST(scores_valid_only_in_one_game_are_not_kept)
{
    Position pos;
    LearnedPosition learned = {.seen = 1};
    char error[FEN_ERROR_MAX];
    ck_assert(fen_parse(&pos, "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 40", false, error));
    pos.rule50 = (uint8_t)SCORES[_i].rule50;
    learned_position_set(&learned, &pos, move_from_uci(&pos, "e2e4"), SCORES[_i].score);
    ck_assert_int_eq(learned.score, SCORES[_i].kept);
    ck_assert_int_eq(learned.fullmove, 40);
}
END_TEST

#define ADD_TABLE(tcase, test, table)                                                              \
    tcase_add_loop_test(tcase, test, 0, (int)(sizeof(table) / sizeof(table)[0]))

Suite *suite_learned_position(void);
Suite *suite_learned_position(void)
{
    Suite *const suite = suite_create("learned_position");
    TCase *const tcase = tcase_create("learned_position");
    tcase_set_timeout(tcase, 30);
    ADD_TABLE(tcase, a_position_has_one_text_in_all_modes, POSITIONS);
    tcase_add_test(tcase, every_learned_position_survives_a_round_trip);
    tcase_add_test(tcase, castling_moves_use_the_notation_of_the_variant);
    ADD_TABLE(tcase, invalid_rows_are_refused, ROWS);
    tcase_add_test(tcase, overlong_texts_are_refused);
    tcase_add_test(tcase, checksum_is_the_same_in_every_version);
    tcase_add_test(tcase, checksum_covers_every_field_but_the_key);
    ADD_TABLE(tcase, each_policy_keeps_the_searches_of_its_definition, SEARCHES);
    ADD_TABLE(tcase, scores_valid_only_in_one_game_are_not_kept, SCORES);
    suite_add_tcase(suite, tcase);
    return suite;
}
