// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/why.h"

#include <check.h>

#include "chess/notation.h"
#include "chess/play.h"
#include "chess/pos_from_fen.h"
#include "uci/report.h"

enum { LINE_MAX = 6 };

/* Reads the moves of a line, up to NULL. */
static WhyLine read_line(Position pos, const char *const *texts, Move *moves)
{
    WhyLine line = {moves, 0};
    for (; line.count < LINE_MAX && texts[line.count] != NULL; line.count++) {
        moves[line.count] = move_from_uci(&pos, texts[line.count]);
        ck_assert_int_ne(moves[line.count], MOVE_NONE);
        pos_advance(&pos, moves[line.count]);
    }
    return line;
}

static const struct {
    const char *a[LINE_MAX], *b[LINE_MAX];
    int plies;
} CASES[] = {
    {{"e2e4", "e7e5", "g1f3"}, {"g1f3", "e7e5", "e2e4"}, 3},
    {{"e2e4", "e7e5", "g1f3", "b8c6"}, {"g1f3", "e7e5", "e2e4", "g8f6"}, 3},
    {{"g1f3", "g8f6", "d2d4"}, {"d2d3", "g8f6", "g1f3", "b8c6", "d3d4"}, 0}, // other side to move
    {{"g1f3", "g8f6", "f3e5", "b8c6", "e5f3"}, {"g1h3", "g8f6", "h3g5", "b8c6", "g5f3"}, 5},
    {{"e2e4"}, {"d2d4"}, 0},
    {{NULL}, {"d2d4"}, 0},
};

START_TEST(lines_meet_where_they_reach_the_same_position)
{
    const Position root = pos_from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    Move a[LINE_MAX], b[LINE_MAX];
    const WhyLine one = read_line(root, CASES[_i].a, a), other = read_line(root, CASES[_i].b, b);
    ck_assert_int_eq(why_meeting(&root, one, other), CASES[_i].plies);
}
END_TEST

START_TEST(the_difference_is_that_of_the_scores_shown)
{
    for (int material = 10; material <= 78; material += 17)
        for (Score best = -60; best <= 60; best++)
            for (Score score = -60; score <= best; score++)
                ck_assert_int_eq(why_centipawns_lost(best, score, material),
                                 report_centipawns(best, material) -
                                     report_centipawns(score, material));
}
END_TEST

Suite *suite_why(void);
Suite *suite_why(void)
{
    Suite *suite = suite_create("why");
    TCase *tcase = tcase_create("lines");
    tcase_add_loop_test(tcase, lines_meet_where_they_reach_the_same_position, 0,
                        sizeof CASES / sizeof CASES[0]);
    tcase_add_test(tcase, the_difference_is_that_of_the_scores_shown);
    suite_add_tcase(suite, tcase);
    return suite;
}
