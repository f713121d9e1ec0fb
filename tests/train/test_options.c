// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/options.h"

#include <check.h>
#include <string.h>

#include "games/gamecode.h"

enum { WORDS_MAX = 16 };

static TrainOptions options;
static char error[TRAIN_OPTIONS_ERROR_MAX];

/* Parses a command line of words with single blanks between them. */
static bool parse(const char *line)
{
    static char text[512];
    static char *words[WORDS_MAX]; // the options point into both
    int count = 0;
    snprintf(text, sizeof text, "palimpsest-train %s", line);
    for (char *at = text; at != NULL && count < WORDS_MAX; count++) {
        words[count] = at;
        at = strchr(at, ' ');
        if (at != NULL)
            *at++ = '\0';
    }
    return train_options_parse(&options, count, words, error);
}

START_TEST(options_have_their_defaults)
{
    ck_assert_msg(parse("--out net games"), "%s", error);
    ck_assert_int_eq(options.task, TRAIN_RUN);
    ck_assert_str_eq(options.out, "net");
    ck_assert_int_eq(options.games.count, 1);
    ck_assert_str_eq(options.games.words[0], "games");
    ck_assert_int_eq(options.epochs, 30);
    ck_assert_int_eq(options.batch, 16384);
    ck_assert_double_eq(options.lambda, 0.1);
    ck_assert_double_eq(options.unit, 400.0);
    ck_assert_double_eq(options.td_share, 0.0);
    ck_assert_double_eq(options.balance, 0.0);
    ck_assert_double_eq(options.rate, 1e-3);
    ck_assert_double_eq(options.rate_end, 2e-6);
    ck_assert_double_eq(options.held_out, 2.0);
    ck_assert_double_eq(options.output_scale, 1.0);
    ck_assert_double_eq(options.lambda_end, 0.1);
    ck_assert_int_eq(options.quiet_within, -1);
    ck_assert_int_eq(options.score_max, GAMECODE_SCORE_MAX);
    ck_assert(options.initial == NULL && options.labels == NULL);
    ck_assert(!options.resume && !options.is_repeatable && !options.is_on_disk);
}
END_TEST

START_TEST(files_and_options_may_be_mixed)
{
    ck_assert_msg(parse("a --lr 5e-4 --data b --resume --epochs 7 c --out d --repeatable"), "%s",
                  error);
    ck_assert_int_eq(options.games.count, 3);
    ck_assert_str_eq(options.games.words[1], "b");
    ck_assert_str_eq(options.games.words[2], "c");
    ck_assert_double_eq(options.rate, 5e-4);
    ck_assert_int_eq(options.epochs, 7);
    ck_assert(options.resume && options.is_repeatable);
}
END_TEST

START_TEST(other_lambdas_are_lambda_unless_given)
{
    static const struct {
        const char *command;
        const double *value;
    } OPTIONS[] = {{"--out net games --lambda-end 0 --lambda 0.7", &options.lambda_end},
                   {"--out net games --lambda-endgame 0 --lambda 0.7", &options.lambda_endgame}};
    ck_assert(parse("--out net games --lambda 0.7"));
    ck_assert_double_eq(*OPTIONS[_i].value, 0.7);
    ck_assert(parse(OPTIONS[_i].command));
    ck_assert_double_eq(*OPTIONS[_i].value, 0.0);
}
END_TEST

START_TEST(all_commands_are_parsed)
{
    ck_assert(parse("--bench --threads 1"));
    ck_assert_int_eq(options.task, TRAIN_SPEED);
    ck_assert_int_eq(options.threads, 1);
    ck_assert_msg(parse("--judge net positions --unit 300"), "%s", error);
    ck_assert_int_eq(options.task, TRAIN_JUDGE);
    ck_assert_str_eq(options.network, "net");
    ck_assert_str_eq(options.positions, "positions");
    ck_assert_double_eq(options.unit, 300.0);
    ck_assert_msg(parse("--rescale old 1.25 new"), "%s", error);
    ck_assert_int_eq(options.task, TRAIN_RESCALE);
    ck_assert(parse("--nonsense --help"));
    ck_assert_int_eq(options.task, TRAIN_HELP);
}
END_TEST

START_TEST(options_of_tree_nodes_are_parsed)
{
    ck_assert_msg(parse("--out net games"), "%s", error);
    ck_assert_double_eq(options.tree.weight, 0.0);
    ck_assert_double_eq(options.tree.bounds, 1.0);
    ck_assert_double_eq(options.tree.scale, 1.0);
    ck_assert(parse("--out net games --tree 0.5 --tree-bounds 0.25 --tree-scale 0.57"));
    ck_assert_double_eq(options.tree.weight, 0.5);
    ck_assert_double_eq(options.tree.bounds, 0.25);
    ck_assert_double_eq(options.tree.scale, 0.57);
    ck_assert(!parse("--out net games --tree 3.5"));
    ck_assert(!parse("--out net games --tree-bounds 2"));
    ck_assert(parse("--out net games --tree 0.125 --tree-bounds 0.07"));
    ck_assert(parse("--out net games --tree 0.125 --tree-bounds 0"));
    ck_assert(!parse("--out net games --tree-scale 0"));
}
END_TEST

START_TEST(a_network_is_rescaled_to_a_file)
{
    ck_assert(parse("--rescale old.nnue 1.25 new.nnue"));
    ck_assert_int_eq(options.task, TRAIN_RESCALE);
    ck_assert_str_eq(options.network, "old.nnue");
    ck_assert_double_eq(options.output_scale, 1.25);
    ck_assert_str_eq(options.out, "new.nnue");
}
END_TEST

static const struct {
    const char *line, *reason;
} REFUSED[] = {
    {"games", "--out"},
    {"--out net", "--data"},
    {"--out net games --epochs", "--epochs"},
    {"--out net games --epochs 0", "0"},
    {"--out net games --epochs 3x", "3x"},
    {"--out net games --epochs 2.5", "2.5"},
    {"--out net games --lambda 1.1", "1.1"},
    {"--out net games --lambda-end -0.5", "-0.5"},
    {"--out net games --score-max 3001", "3001"},
    {"--out net games --balance 1.01", "1.01"},
    {"--out net games --lambda nan", "nan"},
    {"--out net games --lambda 0x1", "0x1"},
    {"--out net games --lr -1", "-1"},
    {"--out net games --lr 1e-3e", "1e-3e"},
    {"--out net games --lr 1e-6 --lr-end 1e-3", "--lr-end"},
    {"--out net games --quiet-eval net", "--quiet-within"},
    {"--out net games --tree 0.001", "--tree"},
    {"--out net games --tree-bounds 0", "--tree-bounds"},
    {"--out net games --tree 0.125 --tree-bounds 0.05", "--tree-bounds"},
    {"--threads 2 --judge net positions", "first"},
    {"--out net games --tree-scale 0.8", "--tree-scale"},
    {"--out net games --lambada 1", "--lambada"},
    {"--out net games -v", "-v"},
    {"--rescale a 0.001 b", "FACTOR"},
    {"--rescale a 0.97", "FILE"},
    {"--judge a", "POSITIONS"},
    {"--judge a b --epochs 1", "--epochs"},
};

START_TEST(invalid_options_are_refused_and_named)
{
    ck_assert_msg(!parse(REFUSED[_i].line), "%s", REFUSED[_i].line);
    ck_assert_msg(strstr(error, REFUSED[_i].reason) != NULL, "%s", error);
}
END_TEST

Suite *suite_train_options(void);
Suite *suite_train_options(void)
{
    Suite *suite = suite_create("train_options");
    TCase *tcase = tcase_create("options");
    tcase_add_test(tcase, options_have_their_defaults);
    tcase_add_test(tcase, files_and_options_may_be_mixed);
    tcase_add_loop_test(tcase, other_lambdas_are_lambda_unless_given, 0, 2);
    tcase_add_test(tcase, all_commands_are_parsed);
    tcase_add_test(tcase, options_of_tree_nodes_are_parsed);
    tcase_add_test(tcase, a_network_is_rescaled_to_a_file);
    tcase_add_loop_test(tcase, invalid_options_are_refused_and_named, 0,
                        sizeof REFUSED / sizeof REFUSED[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
