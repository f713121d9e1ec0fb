// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared_data.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "skip.h"

bool shared_find(const char *name, char *path)
{
    const char *root = getenv("PALIMPSEST_SHARED");
    snprintf(path, SHARED_PATH_MAX, "%s/%s", root ? root : "../shared", name);
    const bool is_there = access(path, R_OK) == 0;
    if (!is_there)
        skip_test("%s is missing", path);
    return is_there;
}

FILE *shared_open(const char *name)
{
    char below[256], path[SHARED_PATH_MAX];
    snprintf(below, sizeof below, "data/%s", name);
    return shared_find(below, path) ? fopen(path, "r") : NULL;
}

char *shared_line(FILE *file)
{
    static char *line;
    static size_t size;
    const ssize_t length = getline(&line, &size, file);
    if (length < 0)
        return NULL;
    line[strcspn(line, "\r\n")] = '\0';
    return line;
}
