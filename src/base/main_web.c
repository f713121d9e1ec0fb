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
} MainCall;

static void *run_main(void *arg)
{
    const MainCall *const call = arg;
    const int status = thread_main(call->count, call->words);
    fflush(NULL);
    MAIN_THREAD_ASYNC_EM_ASM({ Module['hasEnded']($0); }, status);
    return NULL;
}

#undef main
int main(int argc, char **argv)
{
    static MainCall call;
    call.words = calloc((size_t)argc + 1, sizeof *argv);
    bool is_copied = call.words != NULL;
    while (is_copied && call.count < argc) {
        call.words[call.count] = strdup(argv[call.count]);
        is_copied = call.words[call.count++] != NULL;
    }
    Thread thread;
    const bool is_started = is_copied && thread_start(&thread, run_main, &call);
    return is_started ? EXIT_SUCCESS : EXIT_FAILURE;
}
