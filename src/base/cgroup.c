// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/cgroup.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"

enum { FOLDER_MAX = 1024, FILE_MAX = FOLDER_MAX + 64 };

/* A tree of groups, and what it limits. */
typedef struct {
    const char *mark;   // text before the group's path in the file `own`, with its first slash
    const char *folder; // of all groups of the tree, below the root
    uint64_t (*limit)(const char *folder); // of one group; UINT64_MAX: none
} GroupTree;

static FILE *open_in(const char *folder, const char *name)
{
    char path[FILE_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return file_open(path, "r");
}

/* Returns the number after `label` in the line of the file that starts with it; UINT64_MAX if there
 * is none. An empty label means the first line. */
static uint64_t read_number(const char *folder, const char *name, const char *label)
{
    FILE *const file = open_in(folder, name);
    if (!file)
        return UINT64_MAX;
    char line[128];
    uint64_t number = UINT64_MAX;
    while (fgets(line, sizeof line, file))
        if (strncmp(line, label, strlen(label)) == 0) {
            if (sscanf(line + strlen(label), "%" SCNu64, &number) != 1)
                number = UINT64_MAX;
            break;
        }
    fclose(file);
    return number;
}

/* `label`: line of memory.stat with the memory in use, without the file cache. */
static uint64_t memory_left(const char *folder, const char *name, const char *label)
{
    const uint64_t limit = read_number(folder, name, "");
    if (limit == UINT64_MAX)
        return limit;
    const uint64_t held = read_number(folder, "memory.stat", label);
    return held == UINT64_MAX ? limit : limit > held ? limit - held : 0;
}

static uint64_t memory_left_1(const char *folder)
{
    return memory_left(folder, "memory.limit_in_bytes", "total_rss ");
}

static uint64_t memory_left_2(const char *folder)
{
    return memory_left(folder, "memory.max", "anon ");
}

/* A group may use `quota` microseconds of processor time in each period. */
static uint64_t processors(uint64_t quota, uint64_t period)
{
    const bool is_limited = quota != UINT64_MAX && period != UINT64_MAX && period > 0;
    return is_limited ? quota / period + (quota % period > 0) : UINT64_MAX;
}

/* A quota of -1, which is no limit, is read as UINT64_MAX. */
static uint64_t processors_1(const char *folder)
{
    return processors(read_number(folder, "cpu.cfs_quota_us", ""),
                      read_number(folder, "cpu.cfs_period_us", ""));
}

/* cpu.max has quota and period in one line; the quota may be the word "max". */
static uint64_t processors_2(const char *folder)
{
    uint64_t quota, period;
    FILE *const file = open_in(folder, "cpu.max");
    if (!file)
        return UINT64_MAX;
    const bool is_limited = fscanf(file, "%" SCNu64 "%" SCNu64, &quota, &period) == 2;
    fclose(file);
    return is_limited ? processors(quota, period) : UINT64_MAX;
}

/* Appends the path of this process's group in the tree to `folder` (FOLDER_MAX bytes). False when
 * it is in none. */
static bool add_group(const GroupTree *tree, const char *own, char *folder)
{
    FILE *const file = file_open(own, "r");
    if (!file)
        return false;
    char line[FOLDER_MAX];
    bool is_found = false;
    while (fgets(line, sizeof line, file)) {
        const char *const found = strstr(line, tree->mark);
        if (found == NULL || strchr(line, '\n') == NULL)
            continue;
        line[strcspn(line, "\n")] = '\0';
        const char *const name = found + strlen(tree->mark) - 1; // with its first slash
        const size_t length = strlen(folder);
        is_found = length + strlen(name) < FOLDER_MAX;
        if (is_found)
            memcpy(folder + length, name, strlen(name) + 1);
        break;
    }
    fclose(file);
    return is_found;
}

/* Returns the least limit of this process's group and of all groups above it. In a container only
 * the folder of the tree may exist: it then has the limits of the container. */
static uint64_t least_limit(const GroupTree *tree, const char *root, const char *own)
{
    char folder[FOLDER_MAX], *slash;
    const int length = snprintf(folder, sizeof folder, "%s%s", root, tree->folder);
    uint64_t least = UINT64_MAX;
    if (length >= FOLDER_MAX || !add_group(tree, own, folder))
        return least;
    do {
        const uint64_t limit = tree->limit(folder);
        least = limit < least ? limit : least;
        slash = strrchr(folder + length, '/');
        if (slash != NULL)
            *slash = '\0';
    } while (slash != NULL);
    return least;
}

static uint64_t least_of(const GroupTree *trees, int count, const char *root, const char *own)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < count; i++) {
        const uint64_t limit = least_limit(&trees[i], root, own);
        least = limit < least ? limit : least;
    }
    return least;
}

uint64_t cgroup_memory_left(const char *root, const char *own)
{
    static const GroupTree trees[] = {{"0::/", "", memory_left_2},
                                      {":memory:/", "/memory", memory_left_1}};
    return least_of(trees, sizeof trees / sizeof trees[0], root, own);
}

uint64_t cgroup_processors(const char *root, const char *own)
{
    static const GroupTree trees[] = {{"0::/", "", processors_2},
                                      {":cpu:/", "/cpu", processors_1},
                                      {":cpu,cpuacct:/", "/cpu", processors_1},
                                      {":cpuacct,cpu:/", "/cpu", processors_1}};
    return least_of(trees, sizeof trees / sizeof trees[0], root, own);
}
