// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/argv.h"

#include <stdlib.h>
#include <windows.h>

#include "base/wide.h"

/* A function of the C library that no header of MinGW declares. CommandLineToArgvW() would load
 * shell32.dll and with it user32.dll: see interrupt.h. */
int __cdecl __wgetmainargs(int *count, wchar_t ***words, wchar_t ***environment, int has_wildcards,
                           int *new_mode);

/* The argv of main() is in the ANSI code page, which lacks many characters. */
char **argv_in_utf8(int argc, char **argv)
{
    int count = 0, new_mode = 0;
    wchar_t **wide = NULL, **environment = NULL;
    __wgetmainargs(&count, &wide, &environment, 0, &new_mode);
    char **const words = calloc((size_t)argc + 1, sizeof *words);
    bool is_good = wide != NULL && words != NULL &&
                   count == argc; // else the C library has expanded a wildcard in argv
    for (int i = 0; is_good && i < argc; i++) {
        words[i] = wide_to_text(wide[i]);
        is_good = words[i] != NULL;
    }
    return is_good ? words : argv;
}
