// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/eval.h"

#include <check.h>

#include "chess/pos_from_fen.h"
#include "chess/random_game.h"
#include "eval/bootstrap.h"

static const EvalSource BOOTSTRAP = {.bootstrap = bootstrap_eval};

static Score much_too_good(const Position *pos)
{
    return pos->side == WHITE ? SCORE_TB : -SCORE_MATE;
}

START_TEST(an_evaluation_is_never_a_proven_score)
{
    static Evaluator evaluator;
    const EvalSource source = {.bootstrap = much_too_good};
    const Position white = pos_from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    const Position black = pos_from_fen("4k3/8/8/8/8/8/8/4K3 b - - 0 1");
    eval_prepare(&evaluator, &source);
    ck_assert_int_eq(eval_raw(&evaluator, &white, 0), SCORE_EVAL_MAX);
    ck_assert_int_eq(eval_raw(&evaluator, &black, 0), -SCORE_EVAL_MAX);
    ck_assert_int_eq(eval_from_scratch(&source, &white), SCORE_EVAL_MAX);
    ck_assert_int_eq(eval_from_scratch(&source, &black), -SCORE_EVAL_MAX);
}
END_TEST

START_TEST(the_fifty_move_rule_takes_half_of_an_evaluation_at_most)
{
    static const struct {
        int rule50;
        Score scaled;
    } ROWS[] = {{0, 1000}, {1, 995}, {50, 750}, {100, 500}, {101, 500}, {255, 500}};
    for (int i = 0; i < 6; i++) {
        ck_assert_int_eq(eval_scale_rule50(1000, ROWS[i].rule50), ROWS[i].scaled);
        ck_assert_int_eq(eval_scale_rule50(-1000, ROWS[i].rule50), -ROWS[i].scaled);
    }
}
END_TEST

/* Hash files and learned positions name their evaluation by its fingerprint. So the values that
 * belong to this one must stay the same. */
START_TEST(the_fingerprint_of_the_bootstrap_evaluation_stands_for_its_values)
{
    uint64_t sum = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        Walk walk;
        walk_start(&walk, seed);
        for (int ply = 0; ply < 100 && walk_step(&walk) != MOVE_NONE; ply++)
            sum = sum * 31 + (uint64_t)bootstrap_eval(&walk.pos);
    }
    ck_assert_uint_eq(sum, 8579293443696116080u);
    ck_assert_uint_eq(eval_fingerprint(&BOOTSTRAP), UINT64_C(1) << 32);
    ck_assert_uint_eq(eval_fingerprint_short(&BOOTSTRAP), 1);
}
END_TEST

Suite *suite_eval(void);
Suite *suite_eval(void)
{
    Suite *suite = suite_create("eval");
    TCase *tcase = tcase_create("eval");
    tcase_add_test(tcase, an_evaluation_is_never_a_proven_score);
    tcase_add_test(tcase, the_fifty_move_rule_takes_half_of_an_evaluation_at_most);
    tcase_add_test(tcase, the_fingerprint_of_the_bootstrap_evaluation_stands_for_its_values);
    suite_add_tcase(suite, tcase);
    return suite;
}
