// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/cgroup.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "whole_file.h"

enum { PATH_SIZE = 200 };

/* The files of a system with control groups. */
static const char *const FOLDERS[] = {"cpu",    "cpu/outer", "cpu/outer/inner",
                                      "memory", "outer",     "outer/inner"};
static const char *const FILES[] = {"own",
                                    "cpu/cpu.cfs_quota_us",
                                    "cpu/cpu.cfs_period_us",
                                    "cpu/outer/inner/cpu.cfs_quota_us",
                                    "cpu/outer/inner/cpu.cfs_period_us",
                                    "memory/memory.limit_in_bytes",
                                    "memory/memory.stat",
                                    "outer/cpu.max",
                                    "outer/inner/cpu.max",
                                    "outer/memory.max",
                                    "outer/memory.stat",
                                    "outer/inner/memory.max"};
enum { FOLDER_NB = sizeof FOLDERS / sizeof FOLDERS[0], FILE_NB = sizeof FILES / sizeof FILES[0] };

static char root[] = "/tmp/palimpsest-cgroup-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", root, name);
    return path;
}

static void setup(void)
{
    memcpy(root + sizeof root - 7, "XXXXXX", 6);
    ck_assert_ptr_nonnull(mkdtemp(root));
    for (int i = 0; i < FOLDER_NB; i++)
        ck_assert_int_eq(mkdir(path_of(FOLDERS[i]), 0777), 0);
}

static void teardown(void)
{
    for (int i = 0; i < FILE_NB; i++)
        remove(path_of(FILES[i]));
    for (int i = FOLDER_NB - 1; i >= 0; i--)
        rmdir(path_of(FOLDERS[i]));
    rmdir(root);
}

static void write_text(const char *name, const char *text)
{
    whole_file_write_text(path_of(name), text);
}

static uint64_t processors(void)
{
    return cgroup_processors(root, path_of("own"));
}

static uint64_t memory_left(void)
{
    return cgroup_memory_left(root, path_of("own"));
}

START_TEST(without_groups_there_is_no_limit)
{
    ck_assert_uint_eq(processors(), UINT64_MAX);
    ck_assert_uint_eq(memory_left(), UINT64_MAX);
    write_text("own", "0::/outer/inner\n");
    ck_assert_uint_eq(processors(), UINT64_MAX);
    ck_assert_uint_eq(memory_left(), UINT64_MAX);
}
END_TEST

START_TEST(a_quota_is_a_number_of_processors_rounded_up)
{
    write_text("own", "0::/outer/inner\n");
    write_text("outer/inner/cpu.max", "200000 100000\n");
    ck_assert_uint_eq(processors(), 2);
    write_text("outer/inner/cpu.max", "250000 100000\n");
    ck_assert_uint_eq(processors(), 3);
    write_text("outer/inner/cpu.max", "1000 100000\n");
    ck_assert_uint_eq(processors(), 1);
    write_text("outer/inner/cpu.max", "max 100000\n");
    ck_assert_uint_eq(processors(), UINT64_MAX);
}
END_TEST

START_TEST(the_group_above_limits_the_processors_too)
{
    write_text("own", "0::/outer/inner\n");
    write_text("outer/inner/cpu.max", "400000 100000\n");
    write_text("outer/cpu.max", "300000 100000\n");
    ck_assert_uint_eq(processors(), 3);
}
END_TEST

/* The tree may stand alone or together with that of the accounts. */
static const char *const OWN_TREES[] = {"3:cpu:/outer/inner\n", "3:cpu,cpuacct:/outer/inner\n",
                                        "3:cpuacct,cpu:/outer/inner\n"};

START_TEST(the_first_version_has_quotas_of_processors)
{
    write_text("own", OWN_TREES[_i]);
    write_text("cpu/cpu.cfs_quota_us", "-1\n");
    write_text("cpu/cpu.cfs_period_us", "100000\n");
    ck_assert_uint_eq(processors(), UINT64_MAX);
    write_text("cpu/outer/inner/cpu.cfs_quota_us", "150000\n");
    write_text("cpu/outer/inner/cpu.cfs_period_us", "50000\n");
    ck_assert_uint_eq(processors(), 3);
}
END_TEST

START_TEST(in_a_container_its_limits_are_those_of_the_whole_tree)
{
    write_text("own", "4:memory:/docker/0123\n3:cpu:/docker/0123\n");
    write_text("cpu/cpu.cfs_quota_us", "200000\n");
    write_text("cpu/cpu.cfs_period_us", "100000\n");
    write_text("memory/memory.limit_in_bytes", "5000000\n");
    write_text("memory/memory.stat", "cache 4000000\ntotal_rss 1000000\n");
    ck_assert_uint_eq(processors(), 2);
    ck_assert_uint_eq(memory_left(), 4000000);
}
END_TEST

START_TEST(memory_left_is_the_limit_without_what_is_held)
{
    write_text("own", "0::/outer/inner\n");
    write_text("outer/inner/memory.max", "max\n");
    write_text("outer/memory.max", "3000000\n");
    ck_assert_uint_eq(memory_left(), 3000000);
    write_text("outer/memory.stat", "anon 1000000\nfile 1500000\n");
    ck_assert_uint_eq(memory_left(), 2000000);
    write_text("outer/memory.stat", "anon 3500000\n");
    ck_assert_uint_eq(memory_left(), 0);
}
END_TEST

Suite *suite_cgroup(void);
Suite *suite_cgroup(void)
{
    Suite *suite = suite_create("cgroup");
    TCase *tcase = tcase_create("cgroup");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, without_groups_there_is_no_limit);
    tcase_add_test(tcase, a_quota_is_a_number_of_processors_rounded_up);
    tcase_add_test(tcase, the_group_above_limits_the_processors_too);
    tcase_add_loop_test(tcase, the_first_version_has_quotas_of_processors, 0,
                        sizeof OWN_TREES / sizeof OWN_TREES[0]);
    tcase_add_test(tcase, in_a_container_its_limits_are_those_of_the_whole_tree);
    tcase_add_test(tcase, memory_left_is_the_limit_without_what_is_held);
    suite_add_tcase(suite, tcase);
    return suite;
}
