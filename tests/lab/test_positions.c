// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/positions.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "lab/temp_file.h"

/* Reads these lines of EPD. */
static PositionSet read_set(const char *text)
{
    PositionSet set;
    char error[POSITIONS_ERROR_MAX] = "";
    ck_assert_msg(positions_read(&set, temp_file_write(text), error), "%s", error);
    temp_file_remove();
    return set;
}

START_TEST(positions_have_a_number_and_a_game)
{
    PositionSet set = read_set(FOUR_POSITIONS);
    ck_assert_int_eq(set.count, 4);
    ck_assert_int_eq(set.game_count, 3);
    ck_assert_int_eq(set.positions[0].game, set.positions[1].game);
    ck_assert_int_ne(set.positions[1].game, set.positions[2].game);
    ck_assert_int_ne(set.positions[2].game, set.positions[3].game);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(set.positions[i].number, i + 1);
    positions_free(&set);
}
END_TEST

START_TEST(a_game_has_a_name_before_the_word_move)
{
    PositionSet set = read_set("8/8/8/8/8/8/8/K1k5 w - - id \"A-B 1994 move 15\";\n"
                               "8/8/8/8/8/8/8/1K1k4 w - - id \"A-B 1994 move 16\";\n"
                               "8/8/8/8/8/8/8/2K1k3 w - - id \"A-C 1994 move 16\";\n");
    ck_assert_int_eq(set.game_count, 2);
    ck_assert_int_eq(set.positions[0].game, set.positions[1].game);
    positions_free(&set);
}
END_TEST

START_TEST(a_name_of_a_game_may_be_long)
{
    char text[512], name[101];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(text, sizeof text,
             "8/8/8/8/8/8/8/K1k5 w - - id \"%s move 15\";\n"
             "8/8/8/8/8/8/8/1K1k4 w - - id \"%s move 16\";\n",
             name, name);
    PositionSet set = read_set(text);
    ck_assert_int_eq(set.count, 2);
    ck_assert_int_eq(set.game_count, 1);
    positions_free(&set);
}
END_TEST

START_TEST(a_selection_is_spread_over_the_set)
{
    PositionSet set = read_set(FOUR_POSITIONS);
    positions_spread(&set, 0);
    ck_assert_int_eq(set.count, 4);
    positions_spread(&set, 2);
    ck_assert_int_eq(set.count, 2);
    ck_assert_int_eq(set.game_count, 2);
    ck_assert_int_eq(set.positions[0].number, 1);
    ck_assert_int_eq(set.positions[1].number, 3);
    positions_free(&set);
}
END_TEST

START_TEST(the_positions_of_a_game_are_found)
{
    PositionSet set = read_set(FOUR_POSITIONS);
    int count;
    ck_assert_int_eq(positions_of_game(&set, 0, &count), 0);
    ck_assert_int_eq(count, 2);
    ck_assert_int_eq(positions_of_game(&set, 2, &count), 3);
    ck_assert_int_eq(count, 1);
    positions_free(&set);
}
END_TEST

START_TEST(the_checksum_depends_on_the_order_and_the_fifty_move_counter)
{
    PositionSet set = read_set(FOUR_POSITIONS);
    const uint64_t two = positions_checksum(&set, 0, 2);
    ck_assert_uint_eq(two, positions_checksum(&set, 0, 2));
    const LabPosition first = set.positions[0];
    set.positions[0] = set.positions[1];
    set.positions[1] = first;
    ck_assert_uint_ne(two, positions_checksum(&set, 0, 2));
    const uint64_t swapped = positions_checksum(&set, 0, 2);
    set.positions[0].pos.rule50++;
    ck_assert_uint_ne(swapped, positions_checksum(&set, 0, 2));
    positions_free(&set);
}
END_TEST

START_TEST(the_checksum_of_games_depends_on_their_limits)
{
    PositionSet set = read_set("8/8/8/8/8/8/8/K1k5 w - - id \"A.1\";\n"
                               "8/8/8/8/8/8/8/1K1k4 w - - id \"A.2\";\n");
    PositionSet other = read_set("8/8/8/8/8/8/8/K1k5 w - -\n"
                                 "8/8/8/8/8/8/8/1K1k4 w - -\n");
    ck_assert_uint_eq(positions_checksum(&set, 0, 2), positions_checksum(&other, 0, 2));
    ck_assert_uint_ne(positions_games_checksum(&set), positions_games_checksum(&other));
    positions_free(&set);
    positions_free(&other);
    set = read_set(FOUR_POSITIONS);
    const uint64_t sum = positions_games_checksum(&set);
    ck_assert_uint_eq(sum, positions_games_checksum(&set));
    set.positions[0].pos.rule50++;
    ck_assert_uint_ne(sum, positions_games_checksum(&set));
    positions_free(&set);
}
END_TEST

START_TEST(malformed_files_are_refused_with_a_reason)
{
    static const char *const BAD[] = {"", "nonsense\n"};
    for (int i = 0; i < 3; i++) {
        PositionSet set;
        char error[POSITIONS_ERROR_MAX] = "";
        ck_assert(!positions_read(&set, i < 2 ? temp_file_write(BAD[i]) : "/nonexistent", error));
        ck_assert(error[0] != '\0');
        positions_free(&set);
    }
    temp_file_remove();
}
END_TEST

START_TEST(a_malformed_line_is_named_by_the_number_of_its_position)
{
    PositionSet set;
    char error[POSITIONS_ERROR_MAX] = "";
    ck_assert(!positions_read(
        &set, temp_file_write("# a comment\n8/8/8/8/8/8/8/K1k5 w - -\nnonsense\n"), error));
    ck_assert_msg(strstr(error, ": position 2: ") != NULL, "%s", error);
    positions_free(&set);
    temp_file_remove();
}
END_TEST

Suite *suite_positions(void);
Suite *suite_positions(void)
{
    Suite *suite = suite_create("positions");
    TCase *tcase = tcase_create("positions");
    tcase_set_timeout(tcase, 4);
    tcase_add_test(tcase, positions_have_a_number_and_a_game);
    tcase_add_test(tcase, a_game_has_a_name_before_the_word_move);
    tcase_add_test(tcase, a_name_of_a_game_may_be_long);
    tcase_add_test(tcase, a_selection_is_spread_over_the_set);
    tcase_add_test(tcase, the_positions_of_a_game_are_found);
    tcase_add_test(tcase, the_checksum_depends_on_the_order_and_the_fifty_move_counter);
    tcase_add_test(tcase, the_checksum_of_games_depends_on_their_limits);
    tcase_add_test(tcase, malformed_files_are_refused_with_a_reason);
    tcase_add_test(tcase, a_malformed_line_is_named_by_the_number_of_its_position);
    suite_add_tcase(suite, tcase);
    return suite;
}
