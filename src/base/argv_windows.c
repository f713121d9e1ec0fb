// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/argv.h"

#include <stdlib.h>
#include <windows.h>

#include "base/wide.h"

/* The argv of main() is in the ANSI code page, which lacks many characters. */
char **argv_in_utf8(int argc, char **argv)
{
    int count = 0;
    wchar_t **const wide = CommandLineToArgvW(GetCommandLineW(), &count);
    char **const words = calloc((size_t)argc + 1, sizeof *words);
    bool is_good = wide != NULL && words != NULL &&
                   count == argc; // else the C library has expanded a wildcard in argv
    for (int i = 0; is_good && i < argc; i++) {
        words[i] = wide_to_text(wide[i]);
        is_good = words[i] != NULL;
    }
    LocalFree(wide);
    return is_good ? words : argv;
}
