// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/syzygy_check.h"

#include <check.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "skip.h"
#include "syzygy/syzygy_fixture.h"
#include "uci/options.h"

static Output out;
static Settings settings;

static void setup(void)
{
    made_setup();
    made_tables();
    output_init(&out);
    out.stream = tmpfile();
    ck_assert_ptr_nonnull(out.stream);
    Engine *const engine = engine_create(1);
    ck_assert_ptr_nonnull(engine);
    options_init(&settings, engine, &out);
}

static void teardown(void)
{
    engine_destroy(settings.engine);
    output_close(&out);
    made_teardown();
}

/* Sets an option; false when it keeps its value. */
static bool set(const char *name, const char *value)
{
    char text[256];
    snprintf(text, sizeof text, "name %s value %s", name, value);
    return options_set(&settings, text);
}

/* Says whether `text` was printed since the last call. */
static bool has_said(const char *text)
{
    static char said[4096];
    rewind(out.stream);
    said[fread(said, 1, sizeof said - 1, out.stream)] = '\0';
    rewind(out.stream);
    ck_assert_int_eq(ftruncate(fileno(out.stream), 0), 0);
    return strstr(said, text) != NULL;
}

static int open_men(void)
{
    return engine_syzygy_tables(settings.engine)->men;
}

/* Alters a byte that the header check does not see. */
static void alter_table(void)
{
    uint8_t bytes[MADE_TABLE_BYTES];
    made_table(bytes, 'N', true);
    bytes[MADE_TABLE_BYTES - 1] ^= 16;
    made_write("KNvK.rtbz", bytes, sizeof bytes);
}

START_TEST(intact_tables_are_used)
{
    made_sums();
    ck_assert(set("SyzygyVerify", "true"));
    ck_assert(set("SyzygyPath", made_folder));
    ck_assert(has_said("info string SyzygyVerify: 4 tables intact, 0 bad, 0 without sum"));
    ck_assert_int_eq(open_men(), 3);
    ck_assert(set("SyzygyPath", "<empty>"));
    ck_assert(!has_said("SyzygyVerify"));
    ck_assert_int_eq(open_men(), 0);
}
END_TEST

START_TEST(with_an_altered_table_none_is_used)
{
    made_sums();
    alter_table();
    ck_assert(set("SyzygyPath", made_folder)); // not noticed
    ck_assert_int_eq(open_men(), 3);
    ck_assert(!set("SyzygyVerify", "true")); // checks the open tables
    ck_assert(has_said("info string error: SyzygyVerify: KNvK.rtbz is altered"));
    ck_assert_int_eq(open_men(), 0);

    alter_table();
    ck_assert(!set("SyzygyPath", made_folder));
    ck_assert(has_said("info string error: SyzygyPath: 1 bad table; no tables are in use"));
    ck_assert_int_eq(open_men(), 0);
}
END_TEST

START_TEST(the_folder_of_refused_tables_is_remembered)
{
    made_sums();
    alter_table();
    ck_assert(set("SyzygyVerify", "true"));
    ck_assert(!set("SyzygyPath", made_folder));
    ck_assert(set("SyzygyVerify", "false")); // as if it had been set before the folder
    ck_assert_int_eq(open_men(), 3);
    ck_assert(!set("SyzygyVerify", "true"));
    ck_assert_int_eq(open_men(), 0);

    made_tables(); // the file is mended
    ck_assert(set("SyzygyVerify", "true"));
    ck_assert_int_eq(open_men(), 3);
}
END_TEST

START_TEST(tables_without_sums_are_used_and_counted)
{
    ck_assert(set("SyzygyVerify", "true"));
    ck_assert(set("SyzygyPath", made_folder));
    ck_assert(has_said("info string SyzygyVerify: 0 tables intact, 0 bad, 4 without sum"));
    ck_assert_int_eq(open_men(), 3);
}
END_TEST

static bool is_stopped(void *ctx)
{
    (void)ctx;
    return true;
}

START_TEST(a_stopped_check_leaves_no_tables)
{
    made_sums();
    settings.is_stopped = is_stopped;
    ck_assert(set("SyzygyVerify", "true"));
    ck_assert(!set("SyzygyPath", made_folder));
    ck_assert(has_said("the check of the tables was stopped; no tables are in use"));
    ck_assert_int_eq(open_men(), 0);
}
END_TEST

Suite *suite_syzygy_check(void);
Suite *suite_syzygy_check(void)
{
    Suite *suite = suite_create("syzygy_check");
    TCase *tcase = tcase_create("syzygy_check");
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(tcase, setup, teardown);
    if (!syzygy_is_linked()) {
        skip_test("built without libfathom");
        return suite;
    }
    tcase_add_test(tcase, intact_tables_are_used);
    tcase_add_test(tcase, with_an_altered_table_none_is_used);
    tcase_add_test(tcase, the_folder_of_refused_tables_is_remembered);
    tcase_add_test(tcase, tables_without_sums_are_used_and_counted);
    tcase_add_test(tcase, a_stopped_check_leaves_no_tables);
    return suite;
}
