// SPDX-License-Identifier: GPL-3.0-or-later
#include "syzygy/material.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static bool parse(SyzygyMaterial *material, const char *name)
{
    return syzygy_material_parse(material, name, strlen(name));
}

START_TEST(a_name_is_read)
{
    SyzygyMaterial m;
    ck_assert(parse(&m, "KQQPvKRN"));
    ck_assert_int_eq(m.men, 7);
    ck_assert_int_eq(m.count[WHITE][QUEEN], 2);
    ck_assert_int_eq(m.count[WHITE][PAWN], 1);
    ck_assert_int_eq(m.count[WHITE][KING], 1);
    ck_assert_int_eq(m.count[BLACK][ROOK], 1);
    ck_assert_int_eq(m.count[BLACK][KNIGHT], 1);
    ck_assert_int_eq(m.count[BLACK][QUEEN], 0);
    ck_assert_int_eq(syzygy_material_singles(&m), 5);
}
END_TEST

static const struct {
    const char *name;
    bool is_good;
} NAMES[] = {
    {"KPvK", true},     {"KRvKR", true},      {"KQvKP", true},    {"KQNvKRR", true},
    {"KQQQQQvK", true}, {"KvK", false},       {"KvKP", false},    {"KPvKQ", false},
    {"KRRvKQN", false}, {"KRvKQP", false},    {"KPQvK", false},   {"QvK", false},
    {"KQ", false},      {"KQv", false},       {"vK", false},      {"", false},
    {"KQvKv", false},   {"KKvK", false},      {"KXvK", false},    {"KQvK ", false},
    {"kqvk", false},    {"KQQQQQQvK", false}, {"KQvKQvK", false}, {"QKvK", false},
};

START_TEST(only_names_that_the_library_looks_for_are_names)
{
    SyzygyMaterial m;
    ck_assert_msg(parse(&m, NAMES[_i].name) == NAMES[_i].is_good, "%s", NAMES[_i].name);
}
END_TEST

/* Calls `check` with each material of up to 7 men whose sides are in the order of a name, and
 * returns how many there are. */
static int for_each_material(void (*check)(const SyzygyMaterial *material))
{
    static const char letters[] = "QRBNP";
    char sides[300][8];
    int side_count = 1, from = 0, count = 0;
    strcpy(sides[0], "K");
    for (int length = 2; length < SYZYGY_MEN_MAX; length++) {
        const int until = side_count;
        for (int i = from; i < until; i++)
            for (const char *letter = letters; *letter != '\0'; letter++) {
                const char last = sides[i][length - 2];
                if (last != 'K' && strchr(letters, last) > letter)
                    continue;
                memcpy(sides[side_count], sides[i], (size_t)length - 1);
                sides[side_count][length - 1] = *letter;
                sides[side_count++][length] = '\0';
            }
        from = until;
    }
    for (int white = 0; white < side_count; white++)
        for (int black = 0; black < side_count; black++) {
            char name[32];
            SyzygyMaterial m;
            snprintf(name, sizeof name, "%.7sv%.7s", sides[white], sides[black]);
            if (!parse(&m, name))
                continue;
            count++;
            check(&m);
        }
    return count;
}

/* Checks that neither side can capture and that the position has this material. */
static void check_quiet(const SyzygyMaterial *m)
{
    Position pos;
    ck_assert(syzygy_material_quiet(m, &pos));
    ck_assert_msg(pos_check(&pos) == NULL, "%s", pos_check(&pos));
    for (Color c = WHITE; c <= BLACK; c++) {
        for (PieceType t = PAWN; t <= KING; t++)
            ck_assert_int_eq(popcount(pos_pieces(&pos, c, t)), m->count[c][t]);
        for (Bitboard b = pos.by_color[c]; b;)
            ck_assert(!pos_is_attacked(&pos, pop_lsb(&b), !c, pos_occupied(&pos)));
    }
}

START_TEST(every_material_has_a_quiet_position)
{
    ck_assert_int_eq(for_each_material(check_quiet), 1511);
}
END_TEST

Suite *suite_syzygy_material(void);
Suite *suite_syzygy_material(void)
{
    Suite *const suite = suite_create("syzygy_material");
    TCase *const tcase = tcase_create("material");
    tcase_set_timeout(tcase, 30);
    tcase_add_test(tcase, a_name_is_read);
    tcase_add_loop_test(tcase, only_names_that_the_library_looks_for_are_names, 0,
                        (int)(sizeof NAMES / sizeof NAMES[0]));
    tcase_add_test(tcase, every_material_has_a_quiet_position);
    suite_add_tcase(suite, tcase);
    return suite;
}
