// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/lab.h"

#include <stdlib.h>

bool lab_read(const Arguments *arguments, void *to, int argc, char **argv, int *status)
{
    char error[ARGUMENTS_ERROR_MAX];
    const int command = arguments_read(arguments, to, argc, argv, error);
    if (command >= 0)
        return true;
    *status = command == ARGUMENTS_HELP ? LAB_GOOD : LAB_USAGE;
    if (command == ARGUMENTS_HELP)
        arguments_print_help(arguments, stdout);
    else
        fprintf(stderr, "%s\n", error);
    return false;
}

void lab_shared_file(const char *name, char *path, size_t size)
{
    const char *const folder = getenv("PALIMPSEST_SHARED");
    snprintf(path, size, "%s/data/%s", folder != NULL ? folder : "../shared", name);
}
