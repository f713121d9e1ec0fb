// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "chess/chess960.h"
#include "chess/fen.h"
#include "skip.h"
#include "uci/options.h"
#include "whole_file.h"

/* Splits a copy of `text`; false as options_split(). The results live until the next call. */
static bool split(const char *text, char **name, char **value)
{
    static char copy[256];
    text_copy(copy, sizeof copy, text);
    *name = *value = NULL;
    return options_split(copy, name, value);
}

START_TEST(name_and_value_are_split)
{
    char *name, *value;
    ck_assert(split(" name Hash value 32", &name, &value));
    ck_assert_str_eq(name, "Hash");
    ck_assert_str_eq(value, "32");
    ck_assert(split("name Clear Hash", &name, &value));
    ck_assert_str_eq(name, "Clear Hash");
    ck_assert_ptr_null(value);
}
END_TEST

START_TEST(blanks_in_a_name_are_squeezed)
{
    char *name, *value;
    ck_assert(split("  name \t Move   Overhead  value \t 7 \r", &name, &value));
    ck_assert_str_eq(name, "Move Overhead");
    ck_assert_str_eq(value, "7");
}
END_TEST

START_TEST(value_reaches_to_the_end_of_the_line)
{
    char *name, *value;
    ck_assert(split("name Debug Log File value C:\\my  value\\a log.txt ", &name, &value));
    ck_assert_str_eq(name, "Debug Log File");
    ck_assert_str_eq(value, "C:\\my  value\\a log.txt");
    ck_assert(split("name Hash value", &name, &value));
    ck_assert_str_eq(value, "");
}
END_TEST

START_TEST(a_missing_name_is_refused)
{
    char *name, *value;
    ck_assert(!split("", &name, &value));
    ck_assert(!split("name", &name, &value));
    ck_assert(!split("Hash value 3", &name, &value));
    ck_assert(!split("name value 3", &name, &value));
}
END_TEST

START_TEST(names_are_found_in_any_case)
{
    ck_assert_ptr_eq(options_find("hASH"), options_find("Hash"));
    ck_assert_ptr_nonnull(options_find("Hash"));
    ck_assert_ptr_eq(options_find("moveoverhead"), options_find("Move Overhead"));
    ck_assert_ptr_null(options_find("Has"));
    ck_assert_ptr_null(options_find(""));
}
END_TEST

static const struct {
    const char *name, *text;
    bool is_good;
    int64_t number;
    bool has_message;
} VALUES[] = {
    {"Hash", "64", true, 64, false},
    {"Hash", "0", true, 1, true},
    {"Hash", "-5", true, 1, true},
    {"Hash", "999999999999", true, 33554432, true},
    {"Hash", "99999999999999999999999999", true, 33554432, true},
    {"Hash", "abc", false, 0, true},
    {"Hash", "12x", false, 0, true},
    {"Hash", "1 2", false, 0, true},
    {"Hash", "", false, 0, true},
    {"Hash", NULL, false, 0, true},
    {"MultiPV", "0", true, 1, true},
    {"Move Overhead", "10001", true, 10000, true},
    {"UCI_Chess960", "true", true, 1, false},
    {"UCI_Chess960", "False", true, 0, false},
    {"UCI_Chess960", "1", false, 0, true},
    {"Replacement", "Thompson", true, REPLACE_THOMPSON, false},
    {"Replacement", "twobig1", true, REPLACE_TWO_BIG1, false},
    {"Replacement", "Old", true, REPLACE_OLD, false},
    {"Replacement", "Big", false, 0, true},
    {"Replacement", "3", false, 0, true},
    {"Replacement", NULL, false, 0, true},
    {"Clear Hash", NULL, true, 0, false},
    {"Debug Log File", NULL, true, 0, false},
};

START_TEST(values_are_validated)
{
    OptionValue value;
    char message[OPTION_MESSAGE_MAX];
    const bool is_good =
        options_parse(options_find(VALUES[_i].name), VALUES[_i].text, &value, message);
    ck_assert_int_eq(is_good, VALUES[_i].is_good);
    ck_assert_int_eq(*message != '\0', VALUES[_i].has_message);
    if (is_good)
        ck_assert_int_eq(value.number, VALUES[_i].number);
}
END_TEST

static int two(void)
{
    return 2;
}

START_TEST(the_limit_of_the_machine_lowers_the_maximum)
{
    Option option = *options_find("Threads");
    OptionValue value;
    char message[OPTION_MESSAGE_MAX];
    ck_assert_ptr_nonnull(option.limit);
    ck_assert(options_parse(&option, "3", &value, message));
    ck_assert_int_eq(value.number, 3);
    option.limit = two;
    ck_assert(options_parse(&option, "2", &value, message));
    ck_assert_str_eq(message, "");
    ck_assert(options_parse(&option, "3", &value, message));
    ck_assert_int_eq(value.number, 2);
    ck_assert_str_ne(message, "");
}
END_TEST

START_TEST(very_long_value_is_quoted_in_part)
{
    char text[5000], message[OPTION_MESSAGE_MAX];
    OptionValue value;
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    ck_assert(!options_parse(options_find("Hash"), text, &value, message));
    ck_assert_uint_lt(strlen(message), 120);
}
END_TEST

START_TEST(error_for_a_wrong_choice_lists_all_choices)
{
    char message[OPTION_MESSAGE_MAX];
    OptionValue value;
    ck_assert(!options_parse(options_find("MemoryPolicy"), "always", &value, message));
    ck_assert_str_eq(message,
                     "error: option MemoryPolicy: 'always' is not one of Bebe Mouse Crafty");
}
END_TEST

/* python-chess splits an option line at these words, even inside a name. */
START_TEST(names_contain_no_word_of_the_protocol)
{
    static const char *const words[] = {"name", "type", "default", "min", "max", "var"};
    int count;
    const Option *const options = options_list(&count);
    for (int i = 0; i < count; i++) {
        char copy[64];
        ck_assert(text_copy(copy, sizeof copy, options[i].name));
        char *cursor = copy;
        for (const char *word = text_word(&cursor); word != NULL; word = text_word(&cursor))
            for (size_t j = 0; j < sizeof words / sizeof words[0]; j++)
                ck_assert_str_ne(word, words[j]);
    }
}
END_TEST

/* GUIs show the options in the order of the engine, and their users know Stockfish. */
START_TEST(options_that_stockfish_has_come_in_its_order)
{
    static const char *const names[] = {
        "Debug Log File",    "Threads",          "Hash",        "Clear Hash",   "Ponder",
        "MultiPV",           "Move Overhead",    "nodestime",   "UCI_Chess960", "UCI_AnalyseMode",
        "UCI_LimitStrength", "UCI_Elo",          "UCI_ShowWDL", "SyzygyPath",   "SyzygyProbeDepth",
        "Syzygy50MoveRule",  "SyzygyProbeLimit", "EvalFile",
    };
    const Option *last = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const Option *const option = options_find(names[i]);
        ck_assert_msg(option != NULL, "%s", names[i]);
        ck_assert_str_eq(option->name, names[i]);
        ck_assert_msg(last == NULL || option > last, "%s comes before %s", names[i],
                      last != NULL ? last->name : "");
        last = option;
    }
}
END_TEST

START_TEST(spins_contain_their_initial_value_and_fit_32_bits)
{
    int count;
    const Option *const options = options_list(&count);
    for (int i = 0; i < count; i++)
        if (options[i].type == OPTION_SPIN) {
            ck_assert_int_ge(options[i].initial, options[i].min);
            ck_assert_int_le(options[i].initial, options[i].max);
            ck_assert_int_le(options[i].max, INT32_MAX);
        }
}
END_TEST

START_TEST(every_option_is_printed_once_on_a_line)
{
    StrBuf buf = {0};
    options_print(&buf);
    int count, lines = 0;
    const Option *const options = options_list(&count);
    for (int i = 0; i < count; i++) {
        char head[128];
        snprintf(head, sizeof head, "option name %s type ", options[i].name);
        ck_assert_ptr_nonnull(strstr(buf.text, head));
        ck_assert_ptr_eq(options_find(options[i].name), &options[i]);
    }
    for (const char *at = buf.text; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
#ifndef PALIMPSEST_TUNE
    ck_assert_int_eq(lines, count);
#endif
    ck_assert_ptr_nonnull(
        strstr(buf.text, "option name Hash type spin default 16 min 1 max 33554432\n"));
    ck_assert_ptr_nonnull(strstr(buf.text, "option name MemoryPolicy type combo default Crafty var "
                                           "Bebe var Mouse var Crafty\n"));
    ck_assert_ptr_nonnull(strstr(buf.text, "option name UCI_Chess960 type check default false\n"));
    strbuf_free(&buf);
}
END_TEST

START_TEST(options_of_position_learning_reach_it)
{
    if (!learn_store_is_linked()) {
        skip_test("built without SQLite");
        return;
    }
    Settings settings;
    Output out;
    output_init(&out);
    Engine *const engine = engine_create(1);
    options_init(&settings, engine, &out);
    const LearningOptions *const set = learning_options(engine_learning(engine));
    /* The engine starts with the default values of the options. */
    ck_assert_int_eq(set->mode, options_find("Memory")->initial);
    ck_assert_int_eq(set->policy, options_find("MemoryPolicy")->initial);
    ck_assert_int_eq(set->fuzz, options_find("MemoryFuzz")->initial);
    ck_assert_int_eq(set->max, options_find("MemoryMax")->initial);
    char mode[] = "name memory value READ", file[] = "name MemoryFile value /a b/c.db";
    char policy[] = "name MemoryPolicy value mouse", fuzz[] = "name MemoryFuzz value 100";
    char max[] = "name MemoryMax value 7";
    ck_assert(options_set(&settings, mode) && options_set(&settings, file));
    ck_assert(options_set(&settings, policy) && options_set(&settings, fuzz));
    ck_assert(options_set(&settings, max));
    ck_assert_int_eq(set->mode, LEARNING_READ);
    ck_assert_str_eq(set->path, "/a b/c.db");
    ck_assert_int_eq(set->policy, LEARN_MOUSE);
    ck_assert_int_eq(set->fuzz, 100);
    ck_assert_int_eq(set->max, 7);
    char empty[] = "name MemoryFile value <empty>";
    ck_assert(options_set(&settings, empty));
    ck_assert_str_eq(set->path, "");
    engine_destroy(engine);
    output_close(&out);
}
END_TEST

START_TEST(every_option_is_explained_in_a_line)
{
    StrBuf buf = {0};
    options_explain(&buf, "");
    int count;
    const Option *const options = options_list(&count);
    for (int i = 0; i < count; i++) {
        ck_assert_ptr_nonnull(options[i].purpose);
        ck_assert_uint_lt(strlen(options[i].purpose), 80);
        char entry[256];
        snprintf(entry, sizeof entry, ")\n            %s\n", options[i].purpose);
        ck_assert_ptr_nonnull(strstr(buf.text, entry));
    }
    ck_assert_ptr_nonnull(strstr(buf.text, "  Hash (16; 1..33554432)\n"));
    ck_assert_ptr_nonnull(strstr(buf.text, "  Ponder (false)\n"));
    ck_assert_ptr_nonnull(strstr(buf.text, "  Clear Hash (button)\n"));
    ck_assert_ptr_nonnull(strstr(buf.text, "  EvalFile (path)\n"));
    strbuf_free(&buf);
}
END_TEST

START_TEST(options_are_explained_by_a_part_of_their_name_or_alias)
{
    StrBuf buf = {0};
    options_explain(&buf, "OVERHEAD");
    ck_assert_int_eq(strncmp(buf.text, "  Move Overhead (10; 0..10000)\n", 31), 0);
    ck_assert_ptr_null(strstr(buf.text, "Hash"));
    strbuf_free(&buf);
    options_explain(&buf, "moveoverhead");
    ck_assert_ptr_nonnull(strstr(buf.text, "  Move Overhead ("));
    strbuf_free(&buf);
    options_explain(&buf, "no such option");
    ck_assert_ptr_null(buf.text);
}
END_TEST

START_TEST(strength_is_limited_in_games_by_elo_material_and_seed)
{
    Settings settings;
    Output out;
    Position root, few;
    char error[FEN_ERROR_MAX];
    const Limits game = {.has_clock = true}, endless = {.infinite = true};
    output_init(&out);
    options_init(&settings, NULL, &out);
    pos_start(&root);
    ck_assert(fen_parse(&few, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false, error));
    settings.elo = 1500;
    settings.game_seed = 3;
    const Strength wanted = strength_at(1500, 32, 3), of_few = strength_at(1500, 3, 9);
    ck_assert_uint_eq(options_strength(&settings, &root, &game).nodes, 0); // not switched on
    settings.limits_strength = true;
    const Strength found = options_strength(&settings, &root, &game);
    ck_assert_uint_eq(found.nodes, wanted.nodes);
    ck_assert_int_eq(found.lines, wanted.lines);
    ck_assert_uint_eq(found.seed, 3);
    settings.strength_seed = 9;
    const Strength then = options_strength(&settings, &few, &game);
    ck_assert_uint_eq(then.nodes, of_few.nodes);
    ck_assert_uint_ne(then.nodes, wanted.nodes);
    ck_assert_uint_eq(then.seed, 9);
    ck_assert_uint_eq(options_strength(&settings, &root, &endless).nodes, 0);
    settings.analysing = true;
    ck_assert_uint_eq(options_strength(&settings, &root, &game).nodes, 0);
    settings.analysing = false;
    settings.analysing_too = true;
    ck_assert_uint_eq(options_strength(&settings, &root, &game).nodes, 0);
    output_close(&out);
}
END_TEST

START_TEST(accepted_values_reach_the_settings)
{
    Settings settings;
    Output out;
    output_init(&out);
    options_init(&settings, NULL, &out);
    ck_assert_int_eq(settings.job.multi_pv, 1);
    ck_assert_int_eq(settings.job.overhead_ms, 10);
    char multi_pv[] = "name multipv value 5", overhead[] = "name MoveOverhead value 0";
    char chess960[] = "name UCI_Chess960 value true";
    ck_assert(options_set(&settings, multi_pv));
    ck_assert(options_set(&settings, overhead));
    ck_assert(options_set(&settings, chess960));
    ck_assert_int_eq(settings.job.multi_pv, 5);
    ck_assert_int_eq(settings.job.overhead_ms, 0);
    ck_assert(settings.chess960);
    char unknown[] = "name Nonsense value 1", wrong[] = "name MultiPV value many";
    ck_assert(!options_set(&settings, unknown));
    ck_assert(!options_set(&settings, wrong));
    ck_assert_int_eq(settings.job.multi_pv, 5);
    output_close(&out);
}
END_TEST

/* The cell "default" and the cell "range" of the option in the table of the README. */
static void write_cells(const Option *option, char *out, size_t size)
{
    int length = snprintf(out, size, "| `%s` | ", option->name);
    switch (option->type) {
    case OPTION_SPIN:
        length +=
            snprintf(out + length, size - (size_t)length, "%" PRId64 " | %" PRId64 "..%" PRId64,
                     option->initial, option->min, option->max);
        break;
    case OPTION_CHECK:
        length += snprintf(out + length, size - (size_t)length, "%s |",
                           option->initial ? "true" : "false");
        break;
    case OPTION_COMBO:
        length += snprintf(out + length, size - (size_t)length, "%s | `",
                           option->choice((int)option->initial));
        for (int i = 0; i <= option->max; i++)
            length += snprintf(out + length, size - (size_t)length, "%s%s", i > 0 ? " " : "",
                               option->choice(i));
        length += snprintf(out + length, size - (size_t)length, "`");
        break;
    case OPTION_STRING: length += snprintf(out + length, size - (size_t)length, "| "); break;
    case OPTION_BUTTON: length += snprintf(out + length, size - (size_t)length, "| button"); break;
    }
    ck_assert_int_lt(length, (int)size);
}

START_TEST(the_readme_has_exactly_these_options_in_order_with_defaults_and_ranges)
{
    size_t size;
    char *const readme = (char *)whole_file_read("src/uci/README.md", &size);
    int count;
    const Option *const options = options_list(&count);
    int rows = 0;
    const char *row = strstr(readme, "\n## UCI options");
    const char *const end = strstr(readme, "\n## Commands");
    ck_assert(row != NULL && end != NULL);
    const char *last = row;
    for (int i = 0; i < count; i++) {
        char cells[256];
        write_cells(&options[i], cells, sizeof cells);
        last = strstr(last, cells);
        ck_assert_msg(last != NULL, "src/uci/README.md lacks %s, or has it too early", cells);
    }
    for (row = strstr(row, "\n| `"); row != NULL && row < end; row = strstr(row + 1, "\n| `"))
        rows++;
    ck_assert_int_eq(rows, count);
    free(readme);
}
END_TEST

START_TEST(text_longer_than_its_field_is_refused)
{
    Settings settings;
    Output out;
    output_init(&out);
    options_init(&settings, NULL, &out);
    char good[] = "name HashFile value a.hash", empty[] = "name HashFile value <empty>";
    static char bad[FILE_PATH_MAX + 64];
    ck_assert(options_set(&settings, good));
    const int head = snprintf(bad, sizeof bad, "name HashFile value ");
    memset(bad + head, 'x', FILE_PATH_MAX);
    ck_assert(!options_set(&settings, bad));
    ck_assert_str_eq(settings.hash_file, "a.hash");
    ck_assert(options_set(&settings, empty));
    ck_assert_str_eq(settings.hash_file, "");
    output_close(&out);
}
END_TEST

/* What is in the job of each search reaches the other processes of a cluster with the job. */
START_TEST(options_that_change_the_table_or_its_scores_are_shared)
{
    static const char SHARED[] =
        "Threads|Hash|SyzygyPath|SyzygyProbeDepth|Syzygy50MoveRule|SyzygyProbeLimit|SyzygyVerify|"
        "EvalFile|Replacement|";
    int count;
    StrBuf buf = {0};
    const Option *const options = options_list(&count);
    for (int i = 0; i < count; i++)
        if (options[i].is_shared)
            strbuf_add(&buf, "%s|", options[i].name);
    ck_assert_str_eq(buf.text, SHARED);
    strbuf_free(&buf);
}
END_TEST

START_TEST(fields_fit_their_options)
{
    int count;
    const Option *const options = options_list(&count);
    for (int i = 0; i < count; i++) {
        const size_t size = options[i].field_size;
        if (size == 0)
            continue;
        ck_assert_uint_le(options[i].field + size, sizeof(Settings));
        if (options[i].type == OPTION_CHECK)
            ck_assert_uint_eq(size, sizeof(bool));
        else if (options[i].type != OPTION_STRING)
            ck_assert(size == sizeof(int32_t) || size == sizeof(int64_t));
    }
}
END_TEST

Suite *suite_options(void);
Suite *suite_options(void)
{
    Suite *const suite = suite_create("options");
    TCase *const tcase = tcase_create("table");
    tcase_add_test(tcase, name_and_value_are_split);
    tcase_add_test(tcase, blanks_in_a_name_are_squeezed);
    tcase_add_test(tcase, value_reaches_to_the_end_of_the_line);
    tcase_add_test(tcase, a_missing_name_is_refused);
    tcase_add_test(tcase, names_are_found_in_any_case);
    tcase_add_loop_test(tcase, values_are_validated, 0, (int)(sizeof VALUES / sizeof VALUES[0]));
    tcase_add_test(tcase, the_limit_of_the_machine_lowers_the_maximum);
    tcase_add_test(tcase, very_long_value_is_quoted_in_part);
    tcase_add_test(tcase, error_for_a_wrong_choice_lists_all_choices);
    tcase_add_test(tcase, names_contain_no_word_of_the_protocol);
    tcase_add_test(tcase, options_that_stockfish_has_come_in_its_order);
    tcase_add_test(tcase, spins_contain_their_initial_value_and_fit_32_bits);
    tcase_add_test(tcase, every_option_is_printed_once_on_a_line);
    tcase_add_test(tcase, options_of_position_learning_reach_it);
    tcase_add_test(tcase, every_option_is_explained_in_a_line);
    tcase_add_test(tcase, options_are_explained_by_a_part_of_their_name_or_alias);
    tcase_add_test(tcase, strength_is_limited_in_games_by_elo_material_and_seed);
    tcase_add_test(tcase, accepted_values_reach_the_settings);
    tcase_add_test(tcase, text_longer_than_its_field_is_refused);
    tcase_add_test(tcase, options_that_change_the_table_or_its_scores_are_shared);
    tcase_add_test(tcase, fields_fit_their_options);
    tcase_add_test(tcase, the_readme_has_exactly_these_options_in_order_with_defaults_and_ranges);
    suite_add_tcase(suite, tcase);
    return suite;
}
