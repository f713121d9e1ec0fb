// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared_data.h"

#include <stdlib.h>
#include <string.h>

FILE *shared_open(const char *name)
{
    const char *root = getenv("PALIMPSEST_SHARED");
    char path[4096];
    snprintf(path, sizeof path, "%s/data/%s", root ? root : "../shared", name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        printf("skipped: %s is not there\n", path);
    return file;
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
