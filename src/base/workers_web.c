// SPDX-License-Identifier: GPL-3.0-or-later
/* What the WebAssembly build with threads needs besides thread.c. Each thread is a web worker. The
 * JavaScript that has created the engine is one more thread, the host: it starts the workers and
 * does their input and output. It must never wait, or the engine would stand still. Therefore a
 * thread that wants to read a line waits here, until the host has one. */

#include <emscripten.h>
#include <emscripten/threading.h>
#include <math.h>
#include <stdatomic.h>

#include "base/thread.h"

static atomic_uint input_is_ready; // 1: a line can be read, or the input has ended

/* JavaScript calls it whenever that may have changed. */
EMSCRIPTEN_KEEPALIVE void thread_set_input_ready(bool is_ready)
{
    atomic_store(&input_is_ready, is_ready);
    if (is_ready)
        emscripten_futex_wake(&input_is_ready, 1);
}

void thread_web_await_input(void)
{
    while (!atomic_load(&input_is_ready))
        emscripten_futex_wait(&input_is_ready, 0, INFINITY);
}
