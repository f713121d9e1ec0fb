// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/positions.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[64];

static void write_epd(const char *text)
{
    snprintf(path, sizeof path, "/tmp/palimpsest-trial-XXXXXX");
    const int handle = mkstemp(path);
    ck_assert_int_ge(handle, 0);
    FILE *const file = fdopen(handle, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static const char FOUR[] =
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"A.1\";\n"
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - id \"A.2\";\n"
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - id \"B.1\";\n"
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - id \"plain\";\n";

/* Reads these lines of EPD. */
static PositionSet read_set(const char *text)
{
    PositionSet set;
    char error[POSITIONS_ERROR_MAX] = "";
    write_epd(text);
    ck_assert_msg(positions_read(&set, path, error), "%s", error);
    unlink(path);
    return set;
}

START_TEST(positions_have_a_number_and_a_game)
{
    PositionSet set = read_set(FOUR);
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

START_TEST(a_selection_is_spread_over_the_set)
{
    PositionSet set = read_set(FOUR);
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
    PositionSet set = read_set(FOUR);
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
    PositionSet set = read_set(FOUR);
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

Suite *suite_positions(void);
Suite *suite_positions(void)
{
    Suite *suite = suite_create("positions");
    TCase *tcase = tcase_create("positions");
    tcase_set_timeout(tcase, 4);
    tcase_add_test(tcase, positions_have_a_number_and_a_game);
    tcase_add_test(tcase, a_selection_is_spread_over_the_set);
    tcase_add_test(tcase, the_positions_of_a_game_are_found);
    tcase_add_test(tcase, the_checksum_depends_on_the_order_and_the_fifty_move_counter);
    suite_add_tcase(suite, tcase);
    return suite;
}
