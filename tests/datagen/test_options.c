// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "datagen/options.h"

enum { WORDS = 48 };

static char line[512];
static char *words[WORDS + 1];
static DatagenOptions options;
static char error[DATAGEN_OPTIONS_ERROR_MAX];

/* Parses the words of `text` as the arguments of the program. */
static bool parse(const char *text)
{
    char *cursor = line;
    int count = 1;
    static char name[] = "palimpsest-datagen";
    ck_assert(text_copy(line, sizeof line, text));
    words[0] = name;
    while (count < WORDS && (words[count] = text_word(&cursor)) != NULL)
        count++;
    words[count] = NULL;
    error[0] = '\0';
    return datagen_options_parse(&options, count, words, error);
}

START_TEST(defaults_are_those_of_the_help)
{
    ck_assert_msg(parse("--out x --games 7"), "%s", error);
    ck_assert_int_eq(options.task, DATAGEN_PLAY);
    ck_assert_str_eq(options.out, "x");
    ck_assert_ptr_null(options.eval);
    ck_assert_int_eq(options.games, 7);
    ck_assert_int_eq(options.positions, 0);
    ck_assert_int_eq(options.threads, 0);
    ck_assert_int_eq(options.soft, 200);
    ck_assert_int_eq(options.hard, 1000);
    ck_assert_int_eq(options.late_moves, 26);
    ck_assert_int_eq(options.win_score, 1500);
    ck_assert_int_eq(options.opening_plies, 8);
    ck_assert_int_eq(options.opening_half, 0);
    ck_assert_int_eq(options.chess960, 10);
    ck_assert_int_eq(options.seed, 1);
    ck_assert_int_eq(options.hash, 2);
    ck_assert_int_eq(options.tree, 0);
    ck_assert_int_eq(options.tree_depth, 4);
    ck_assert_int_eq(options.part, 0);
    ck_assert_int_eq(options.between, 24);
}
END_TEST

START_TEST(options_without_effect_are_refused)
{
    ck_assert(!parse("--out x --games 7 --between 0"));
    ck_assert_str_eq(error, "--between: has no effect without --part");
    ck_assert(!parse("--out x --games 7 --tree-depth 4"));
    ck_assert_str_eq(error, "--tree-depth: has no effect without --tree");
    ck_assert_msg(parse("--out x --games 7 --part 6 --between 0"), "%s", error);
    ck_assert_int_eq(options.between, 0);
}
END_TEST

START_TEST(every_option_of_play_sets_its_field)
{
    ck_assert_msg(
        parse("--threads 3 --games 9 --positions 1000000000 --soft 5 --hard 6 --opening-plies 4 "
              "--chess960 100 --seed 9223372036854775807 --hash 16 --eval net --out y "
              "--tree 8 --tree-depth 3 --opening-half 25 --late-moves 255 --win-score 700"),
        "%s", error);
    ck_assert_str_eq(options.out, "y");
    ck_assert_str_eq(options.eval, "net");
    ck_assert_int_eq(options.threads, 3);
    ck_assert_int_eq(options.games, 9);
    ck_assert_int_eq(options.positions, 1000000000);
    ck_assert_int_eq(options.soft, 5);
    ck_assert_int_eq(options.hard, 6);
    ck_assert_int_eq(options.late_moves, 255);
    ck_assert_int_eq(options.win_score, 700);
    ck_assert_int_eq(options.opening_plies, 4);
    ck_assert_int_eq(options.opening_half, 25);
    ck_assert_int_eq(options.chess960, 100);
    ck_assert_int_eq(options.seed, INT64_MAX);
    ck_assert_int_eq(options.hash, 16);
    ck_assert_int_eq(options.tree, 8);
    ck_assert_int_eq(options.tree_depth, 3);
}
END_TEST

START_TEST(every_option_of_a_command_sets_its_field)
{
    ck_assert_msg(parse("--label out games --number 40 --nodes 300 --from-tree --threads 3 "
                        "--seed 5 --eval net"),
                  "%s", error);
    ck_assert_int_eq(options.task, DATAGEN_LABEL);
    ck_assert_str_eq(options.out, "out");
    ck_assert_int_eq(options.files.count, 1);
    ck_assert_str_eq(options.files.words[0], "games");
    ck_assert_int_eq(options.labels, 40);
    ck_assert_int_eq(options.nodes, 300);
    ck_assert(options.is_from_tree);
    ck_assert_int_eq(options.threads, 3);
    ck_assert_int_eq(options.seed, 5);
    ck_assert_str_eq(options.eval, "net");
    ck_assert_msg(parse("--label out games"), "%s", error);
    ck_assert_int_eq(options.labels, 1000);
    ck_assert_int_eq(options.nodes, 200000);
    ck_assert(!options.is_from_tree);
    ck_assert_msg(parse("--wdl games --player p --pawn 208 --figure f"), "%s", error);
    ck_assert_int_eq(options.task, DATAGEN_WDL);
    ck_assert_str_eq(options.player, "p");
    ck_assert_int_eq(options.pawn, 208);
    ck_assert_str_eq(options.figure, "f");
    ck_assert_msg(parse("--wdl games"), "%s", error);
    ck_assert_int_eq(options.pawn, 0);
    ck_assert(options.player == NULL && options.figure == NULL);
}
END_TEST

START_TEST(commands_take_files)
{
    ck_assert_msg(parse("--merge all a b"), "%s", error);
    ck_assert_int_eq(options.task, DATAGEN_MERGE);
    ck_assert_str_eq(options.out, "all");
    ck_assert_int_eq(options.files.count, 2);
    ck_assert_str_eq(options.files.words[1], "b");
    ck_assert(parse("--stats a") && options.task == DATAGEN_STATS && options.files.count == 1);
    ck_assert(parse("--wdl a --player p a.pgn --figure f") && options.task == DATAGEN_WDL);
    ck_assert_int_eq(options.files.count, 2);
    ck_assert_str_eq(options.player, "p");
    ck_assert_str_eq(options.figure, "f");
    ck_assert(parse("--verify a b") && options.task == DATAGEN_VERIFY && options.files.count == 2);
    ck_assert_str_eq(options.files.words[0], "a");
    ck_assert(parse("--help") && options.task == DATAGEN_HELP);
}
END_TEST

static const char *const BAD[] = {
    "",
    "--out x",
    "--games 5",
    "--out x --games",
    "--out x --games 0",
    "--out x --games 5 --tree 33",
    "--out x --games 5 --tree-depth 0",
    "--out x --games 5k",
    "--out x --games -5",
    "--out x --games 4294967296",
    "--out x --games 5 extra",
    "--out x --games 5 --chess960 101",
    "--out x --games 5 --soft 300 --hard 200",
    "--out x --games 5 --threads 0",
    "--out x --games 5 --no-such-thing 1",
    "--out x --games 5 -threads 1",
    "--out x --games 5 --opening-plies 32",
    "--merge",
    "--merge out",
    "--stats",
    "--verify",
    "--stats a --games 5",
    "--merge --stats a",
};

START_TEST(invalid_arguments_are_refused_with_a_reason)
{
    ck_assert_msg(!parse(BAD[_i]), "%s", BAD[_i]);
    ck_assert_uint_gt(strlen(error), 0);
}
END_TEST

static const char *const NAMES[] = {
    "--out",        "--threads",      "--games",     "--positions",     "--soft",     "--hard",
    "--seed",       "--late-moves",   "--win-score", "--opening-plies", "--chess960", "--tree",
    "--tree-depth", "--opening-half", "--hash",      "--eval",          "--merge",    "--stats",
    "--verify",     "--wdl",          "--label",     "--player",        "--pawn",     "--figure",
    "--number",     "--nodes",        "--from-tree", "--part",          "--between",  "--help"};

/* Whether the text has this word, with no letter of a longer option after it. */
static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word))
        if (strchr(" \n],;.", at[length]) != NULL)
            return true;
    return false;
}

/* Checks that each option that follows `mark` in the text is one of NAMES. */
static void check_names(const char *text, const char *mark)
{
    for (const char *at = strstr(text, mark); at != NULL; at = strstr(at, mark)) {
        at += strlen(mark);
        const size_t length = strcspn(at, " ]\n");
        bool is_known = strncmp(at, "--", 2) != 0; // no option
        for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0] && !is_known; i++)
            is_known = strlen(NAMES[i]) == length && strncmp(NAMES[i], at, length) == 0;
        ck_assert_msg(is_known, "%.20s is not in the list of this test", at);
    }
}

START_TEST(the_help_names_every_option)
{
    char text[8192];
    FILE *out = tmpfile();
    ck_assert_ptr_nonnull(out);
    datagen_options_print_help(out);
    rewind(out);
    text[fread(text, 1, sizeof text - 1, out)] = '\0';
    fclose(out);
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        ck_assert_msg(has_word(text, NAMES[i]), "%s", NAMES[i]);
    check_names(text, "\n  "); // the options of the program
    check_names(text, "[");    // and of its commands
}
END_TEST

Suite *suite_datagen_options(void);
Suite *suite_datagen_options(void)
{
    Suite *suite = suite_create("datagen_options");
    TCase *tcase = tcase_create("order");
    tcase_add_test(tcase, defaults_are_those_of_the_help);
    tcase_add_test(tcase, options_without_effect_are_refused);
    tcase_add_test(tcase, every_option_of_play_sets_its_field);
    tcase_add_test(tcase, every_option_of_a_command_sets_its_field);
    tcase_add_test(tcase, commands_take_files);
    tcase_add_loop_test(tcase, invalid_arguments_are_refused_with_a_reason, 0,
                        sizeof BAD / sizeof BAD[0]);
    tcase_add_test(tcase, the_help_names_every_option);
    suite_add_tcase(suite, tcase);
    return suite;
}
