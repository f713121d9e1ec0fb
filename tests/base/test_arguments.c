// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/arguments.h"

#include <check.h>
#include <string.h>

#include "base/text.h"

enum { WORDS = 16 };

typedef struct {
    int64_t depth, seed, most;
    double rate;
    const char *file, *out;
    bool is_set;
    Shard shard;
    ArgumentList games;
} Values;

enum { RUN, MERGE, SCALE, COMMAND_NB };

static const ArgumentCommand COMMANDS[COMMAND_NB] = {
    [MERGE] = {"--merge", "several to one"}, [SCALE] = {"--scale", "larger or smaller"}};
static const Argument OPTIONS[] = {
    {"--file", ARGUMENT_TEXT, offsetof(Values, file), .is_required = true, .help = "a file"},
    {"--depth", ARGUMENT_INTEGER, offsetof(Values, depth), .min = 1, .max = 9, .def = "3",
     .help = "plies"},
    {"--seed", ARGUMENT_INTEGER, offsetof(Values, seed), .max = INT64_MAX, .help = "of chance",
     .commands = 1 << RUN | 1 << MERGE},
    {"--rate", ARGUMENT_REAL, offsetof(Values, rate), .least = 0.5, .most = 2, .def = "1.5",
     .help = "a step"},
    {"--set", ARGUMENT_FLAG, offsetof(Values, is_set), .help = "a switch"},
    {"--shard", ARGUMENT_SHARD, offsetof(Values, shard), .def = "1/1", .help = "a part"},
    {"--games", ARGUMENT_LIST, offsetof(Values, games), .help = "games"},
    {"--most", ARGUMENT_INTEGER, offsetof(Values, most), .max = 99, .def = "7",
     .commands = 1 << MERGE, .help = "games to keep"},
    {"OUT", ARGUMENT_TEXT, offsetof(Values, out), .commands = 1 << MERGE | 1 << SCALE},
    {"FACTOR", ARGUMENT_REAL, offsetof(Values, rate), .least = 0.5, .most = 2,
     .commands = 1 << SCALE},
    {"FILES", ARGUMENT_LIST, offsetof(Values, games), .commands = 1 << MERGE}};
static const Arguments ARGUMENTS = {.program = "program",
                                    .purpose = "A test.",
                                    .remark = "The end.",
                                    .options = OPTIONS,
                                    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
                                    .commands = COMMANDS,
                                    .command_count = COMMAND_NB};

static Values values;
static char error[ARGUMENTS_ERROR_MAX];

/* Parses the words of `text`. */
static int read_words(const char *text)
{
    static char line[512];
    static char *words[WORDS];
    char *cursor = line;
    int count = 0;
    ck_assert(text_copy(line, sizeof line, text));
    while (count < WORDS && (words[count] = text_word(&cursor)) != NULL)
        count++;
    values = (Values){0};
    error[0] = '\0';
    return arguments_read(&ARGUMENTS, &values, count, words, error);
}

START_TEST(missing_options_have_their_defaults)
{
    ck_assert_int_eq(read_words("--file a"), RUN);
    ck_assert_int_eq(values.depth, 3);
    ck_assert_int_eq(values.seed, 0);
    ck_assert_double_eq(values.rate, 1.5);
    ck_assert_int_eq(values.shard.number, 1);
    ck_assert_int_eq(values.shard.count, 1);
    ck_assert(!values.is_set && values.out == NULL && values.games.count == 0);
}
END_TEST

START_TEST(values_are_stored_in_the_fields_of_the_table)
{
    ck_assert_int_eq(read_words("--set --depth 9 --file --depth --shard 2/5 --rate 0.5 "
                                "--seed 9223372036854775807 --depth 8"),
                     RUN);
    ck_assert_int_eq(values.depth, 8); // the last value counts
    ck_assert_str_eq(values.file, "--depth");
    ck_assert_int_eq(values.seed, INT64_MAX);
    ck_assert_double_eq(values.rate, 0.5);
    ck_assert(values.is_set);
    ck_assert_int_eq(values.shard.number, 2);
    ck_assert_int_eq(values.shard.count, 5);
}
END_TEST

START_TEST(list_options_accept_words_with_and_without_the_option_name)
{
    ck_assert_int_eq(read_words("a --games b --depth 2 c --file d --games e"), RUN);
    ck_assert_int_eq(values.games.count, 4);
    static const char *const GAMES[] = {"a", "b", "c", "e"};
    for (int i = 0; i < 4; i++)
        ck_assert_str_eq(values.games.words[i], GAMES[i]);
    ck_assert_str_eq(values.file, "d");
    ck_assert_int_eq(values.depth, 2);
}
END_TEST

START_TEST(a_command_has_its_own_operands_and_options)
{
    ck_assert_int_eq(read_words("--merge a b --seed 5 c"), MERGE);
    ck_assert_str_eq(values.out, "a");
    ck_assert_int_eq(values.games.count, 2);
    ck_assert_str_eq(values.games.words[0], "b");
    ck_assert_str_eq(values.games.words[1], "c");
    ck_assert_int_eq(values.seed, 5);
    ck_assert_int_eq(read_words("--scale a 0.75"), SCALE);
    ck_assert_str_eq(values.out, "a");
    ck_assert_double_eq(values.rate, 0.75);
}
END_TEST

static const struct {
    const char *line, *reason;
} REFUSED[] = {
    {"", "--file"},
    {"--set", "--file"},
    {"--file", "--file"},
    {"--file a --depth", "--depth"},
    {"--file a --depth 10", "from 1 to 9"},
    {"--file a --depth 0", "--depth 0"},
    {"--file a --depth 5x", "5x"},
    {"--file a --rate 0.4", "from 0.5 to 2"},
    {"--file a --rate nan", "nan"},
    {"--file a --dept 5", "--dept"},
    {"--file a -depth 5", "-depth"},
    {"--file a --merge b c", "--merge"}, // a command must be the first word
    {"--file a --shard 0/2", "0/2"},
    {"--file a --shard 3/2", "3/2"},
    {"--file a --shard 1", "i/n"},
    {"--file a --shard /2", "/2"},
    {"--file a --shard 1/", "1/"},
    {"--file a --shard 1/x", "1/x"},
    {"--file a --shard -1/2", "-1/2"},
    {"--file a --shard 1/2/3", "1/2/3"},
    {"--merge", "needs OUT"},
    {"--merge a", "needs FILES"},
    {"--merge a b --depth 5", "--depth"},
    {"--scale a", "needs FACTOR"},
    {"--scale a b", "FACTOR b"},
    {"--scale a 1 b", "b"},
    {"--scale a 1 --seed 5", "--seed"},
};

START_TEST(invalid_words_are_refused_with_a_message_that_names_them)
{
    ck_assert_msg(read_words(REFUSED[_i].line) == ARGUMENTS_WRONG, "%s", REFUSED[_i].line);
    ck_assert_msg(strstr(error, REFUSED[_i].reason) != NULL, "%s: %s", REFUSED[_i].line, error);
}
END_TEST

START_TEST(an_empty_word_is_not_a_value)
{
    char option[] = "--file", empty[] = "", *words[] = {option, empty};
    values = (Values){0};
    ck_assert_int_eq(arguments_read(&ARGUMENTS, &values, 2, words, error), ARGUMENTS_WRONG);
    ck_assert_int_eq(arguments_read(&ARGUMENTS, &values, 1, words + 1, error), ARGUMENTS_WRONG);
}
END_TEST

START_TEST(help_takes_precedence_over_errors)
{
    ck_assert_int_eq(read_words("--nonsense --help"), ARGUMENTS_HELP);
}
END_TEST

START_TEST(the_help_text_follows_the_table)
{
    static const char HELP[] = "A test.\n\n"
                               "program --file TEXT [options] [--games] TEXT...\n"
                               "  --file TEXT             a file\n"
                               "  --depth N               plies (3)\n"
                               "  --seed N                of chance\n"
                               "  --rate X                a step (1.5)\n"
                               "  --set                   a switch\n"
                               "  --shard i/n             a part (1/1)\n"
                               "  [--games] TEXT...       games\n\n"
                               "program --merge [--seed N] [--most N] OUT FILES...\n"
                               "                          several to one\n"
                               "  --most N                games to keep (7)\n\n"
                               "program --scale OUT FACTOR\n"
                               "                          larger or smaller\n\n"
                               "program --help\n\n"
                               "The end.\n";
    char text[sizeof HELP + 100];
    FILE *const out = tmpfile();
    ck_assert_ptr_nonnull(out);
    arguments_print_help(&ARGUMENTS, out);
    rewind(out);
    text[fread(text, 1, sizeof text - 1, out)] = '\0';
    fclose(out);
    ck_assert_str_eq(text, HELP);
}
END_TEST

Suite *suite_arguments(void);
Suite *suite_arguments(void)
{
    Suite *suite = suite_create("arguments");
    TCase *tcase = tcase_create("arguments");
    tcase_add_test(tcase, missing_options_have_their_defaults);
    tcase_add_test(tcase, values_are_stored_in_the_fields_of_the_table);
    tcase_add_test(tcase, list_options_accept_words_with_and_without_the_option_name);
    tcase_add_test(tcase, a_command_has_its_own_operands_and_options);
    tcase_add_loop_test(tcase, invalid_words_are_refused_with_a_message_that_names_them, 0,
                        sizeof REFUSED / sizeof REFUSED[0]);
    tcase_add_test(tcase, an_empty_word_is_not_a_value);
    tcase_add_test(tcase, help_takes_precedence_over_errors);
    tcase_add_test(tcase, the_help_text_follows_the_table);
    suite_add_tcase(suite, tcase);
    return suite;
}
