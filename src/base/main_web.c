// SPDX-License-Identifier: GPL-3.0-or-later
/* main() of the WebAssembly builds. The program itself runs in a thread, so that JavaScript, which
 * calls this main(), never waits. */

#include <emscripten.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"

/* main() of the program: the build renames it. */
int thread_main(int argc, char **argv);

typedef struct {
    int count;
    char **words;
} Arguments;

static void *run_main(void *arg)
{
    const Arguments *const arguments = arg;
    const int status = thread_main(arguments->count, arguments->words);
    fflush(NULL);
    MAIN_THREAD_ASYNC_EM_ASM({ Module['hasEnded']($0); }, status);
    return NULL;
}

#undef main
int main(int argc, char **argv)
{
    static Arguments arguments;
    arguments.words = calloc((size_t)argc + 1, sizeof *argv);
    for (int i = 0; arguments.words != NULL && i < argc; i++)
        arguments.words[arguments.count++] = strdup(argv[i]);
    Thread thread;
    const bool is_started = arguments.words != NULL && thread_start(&thread, run_main, &arguments);
    return is_started ? EXIT_SUCCESS : EXIT_FAILURE;
}
