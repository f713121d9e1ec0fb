// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/lesson.h"

#include <check.h>

#include "chess/fen.h"
#include "chess/play.h"
#include "chess/pos_from_fen.h"
#include "eval/bootstrap.h"

enum { DEPTH = 6, NETWORK = 77 };

static const EvalSource SOURCE = {.bootstrap = bootstrap_eval};
static Single *single;
static LessonGame game;
static LearnedTable table;

static void setup(void)
{
    single = single_create(1, &SOURCE);
    ck_assert_ptr_nonnull(single);
    table = (LearnedTable){.network = NETWORK, .policy = LEARN_CRAFTY};
}

static void teardown(void)
{
    learned_table_clear(&table);
    single_destroy(single);
}

static bool play_from(const char *fen)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert(fen_parse(&pos, fen, false, error));
    return lesson_play(&game, single, &pos, DEPTH);
}

/* Plays a game that has a lesson. */
static void play_lesson(void)
{
    static const char *const STARTS[] = {
        "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R b KQkq - 0 5",
        "rnbqkb1r/pp3ppp/3ppn2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6", MIDDLEGAME,
        "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 1 6"};
    for (size_t i = 0; i < sizeof STARTS / sizeof STARTS[0]; i++)
        if (play_from(STARTS[i]))
            return;
    ck_abort_msg("no game has a lesson");
}

START_TEST(the_loser_learns_where_its_score_fell)
{
    play_lesson();
    const SearchOutcome *const at = game.outcomes;
    ck_assert_int_le(at[game.length].score, -LESSON_LOST);
    ck_assert_int_eq(game.fall % 2, game.length % 2);
    ck_assert_int_eq(game.drop, at[game.fall - 2].score - at[game.fall].score);
    ck_assert_int_ge(game.drop, LEARNED_DROP);
    ck_assert_int_le(at[game.fall].score, -LEARNED_DROP);
    for (int ply = 0; ply < game.length; ply++) {
        Position after;
        pos_play(&after, &game.positions[ply], at[ply].best);
        ck_assert(after.key == game.positions[ply + 1].key);
    }
    ck_assert_int_ge(lesson_learn(&game, &table), 1);
    const LearnedEntry *const entry = learned_table_find(&table, game.positions[game.fall].key);
    ck_assert_ptr_nonnull(entry);
    ck_assert_int_eq(entry->score, at[game.fall].score);
    ck_assert_uint_eq(entry->network, NETWORK);
    ck_assert_ptr_null(learned_table_find(&table, game.positions[game.fall - 1].key));
}
END_TEST

START_TEST(bebe_keeps_every_search_of_the_loser)
{
    play_lesson();
    int deep = 0;
    for (int ply = game.length % 2; ply <= game.length; ply += 2)
        deep += game.outcomes[ply].depth >= LEARNED_DEPTH_MIN;
    table.policy = LEARN_BEBE;
    ck_assert_int_eq(lesson_learn(&game, &table), deep);
    ck_assert_int_gt(deep, 3);
}
END_TEST

START_TEST(a_draw_teaches_nothing)
{
    ck_assert(!play_from("8/8/4k3/8/8/4K3/8/8 b - - 90 80"));
}
END_TEST

START_TEST(an_empty_table_changes_nothing)
{
    play_lesson();
    int tried = 0;
    for (int step = 1; step <= LESSON_STEPS; step++) {
        const LessonGain gain = lesson_test(&game, single, &table, step, DEPTH, DEPTH);
        ck_assert(!gain.is_changed && gain.regained == 0);
        ck_assert(gain.is_tried == (game.fall >= 2 * step));
        tried += gain.is_tried;
    }
    ck_assert_int_gt(tried, 0);
}
END_TEST

/* The table claims that the opponent wins after the move that the search would play. */
START_TEST(a_learned_score_changes_the_move_and_the_judge_knows_better)
{
    play_lesson();
    const int ply = game.fall - 2;
    const Limits limits = {.depth = DEPTH + 2};
    Path path;
    path_start(&path, &game.positions[0]);
    for (int i = 1; i <= ply; i++)
        path_extend(&path, &game.positions[i]);
    single_new_game(single);
    const Move best = single_search(single, &game.positions[ply], &path, &limits).best;
    Position after;
    pos_play(&after, &game.positions[ply], best);
    path_extend(&path, &after);
    single_new_game(single);
    const Move reply = single_search(single, &after, &path, &limits).best;
    table.network = eval_fingerprint_short(&SOURCE);
    const LearnedEntry entry = {.key = after.key,
                                .network = table.network,
                                .score = 2000,
                                .move = reply,
                                .depth = 60,
                                .origin = ORIGIN_LEARNED};
    ck_assert(learned_table_put(&table, &entry, true));
    const LessonGain gain = lesson_test(&game, single, &table, 1, DEPTH + 2, DEPTH + 2);
    ck_assert(gain.is_tried && gain.is_changed);
    ck_assert_int_le(gain.regained, 200);
    ck_assert_int_ge(gain.regained, -2 * LESSON_LOST);
}
END_TEST

Suite *suite_lesson(void);
Suite *suite_lesson(void)
{
    Suite *const suite = suite_create("lesson");
    TCase *const tcase = tcase_create("lesson");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, the_loser_learns_where_its_score_fell);
    tcase_add_test(tcase, bebe_keeps_every_search_of_the_loser);
    tcase_add_test(tcase, a_draw_teaches_nothing);
    tcase_add_test(tcase, an_empty_table_changes_nothing);
    tcase_add_test(tcase, a_learned_score_changes_the_move_and_the_judge_knows_better);
    suite_add_tcase(suite, tcase);
    return suite;
}
