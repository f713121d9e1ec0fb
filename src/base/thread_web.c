// SPDX-License-Identifier: GPL-3.0-or-later
/* Threads of the WebAssembly build for one thread. A page cannot share memory between real threads
 * unless its server sends special headers. Here all threads therefore run in turns, as fibers, and
 * main() is one of them. A thread gives up its turn only in the functions that wait, join or give
 * way, and in thread_web_turn(). So no two threads are ever between mutex_lock() and
 * mutex_unlock(), and a mutex needs no state.
 *
 * JavaScript calls thread_run() again and again. Each call runs the threads for some milliseconds
 * and returns, so that the browser can deliver messages, such as `stop`. */

#include "base/thread.h"

#include <emscripten.h>
#include <emscripten/fiber.h>
#include <stdlib.h>

#include "base/clock.h"

enum {
    SLICE_US = 8000, // `stop` waits at most for one slice
    STACK_BYTES = 4 << 20,
    SAVED_BYTES = 1 << 20 // the stack of the machine, saved while another thread runs
};

typedef struct Fiber {
    struct Fiber *next; // the threads form a ring
    emscripten_fiber_t context;
    void *(*body)(void *);
    void *arg, *result;
    const void *awaits; // the condition or thread that this thread waits for; NULL: it can run
    int64_t until_ms;   // end of the wait; NEVER: only a signal ends it
    bool is_over;
    char *stack, *saved;
} Fiber;

static const int64_t NEVER = INT64_MAX;
static const char INPUT; // the address is what a thread awaits that reads standard input

/* The state of the scheduler. There is only one in a process. */
static Fiber *current; // runs now, or ran last; NULL before the first
static emscripten_fiber_t scheduler;
static char scheduler_saved[1 << 14];
static int64_t slice_end_us;

/* True when a line of standard input can be read without waiting, or the input has ended. */
EM_JS(bool, thread_input_is_ready, (void), { return Module['inputIsReady'](); });

static void leave_turn(void)
{
    emscripten_fiber_swap(&current->context, &scheduler);
}

/* The main function of each fiber. It never returns. */
static void enter(void *arg)
{
    Fiber *const fiber = arg;
    fiber->result = fiber->body(fiber->arg);
    fiber->is_over = true;
    fiber->awaits = fiber;
    fiber->until_ms = NEVER;
    Fiber *other = fiber;
    for (; other->next != fiber; other = other->next)
        if (other->next->awaits == fiber)
            other->next->awaits = NULL; // it joins this thread
    other->next = fiber->next;
    current = other;
    emscripten_fiber_swap(&fiber->context, &scheduler);
}

static Fiber *create_fiber(void *(*body)(void *), void *arg)
{
    Fiber *const fiber = calloc(1, sizeof *fiber);
    if (fiber == NULL)
        return NULL;
    fiber->body = body;
    fiber->arg = arg;
    fiber->stack = aligned_alloc(16, STACK_BYTES);
    fiber->saved = aligned_alloc(16, SAVED_BYTES);
    if (fiber->stack == NULL || fiber->saved == NULL) {
        free(fiber->stack);
        free(fiber->saved);
        free(fiber);
        return NULL;
    }
    emscripten_fiber_init(&fiber->context, enter, fiber, fiber->stack, STACK_BYTES, fiber->saved,
                          SAVED_BYTES);
    fiber->next = current != NULL ? current->next : fiber;
    if (current != NULL)
        current->next = fiber;
    return fiber;
}

bool thread_start(Thread *thread, void *(*body)(void *), void *arg)
{
    Fiber *const fiber = create_fiber(body, arg);
    thread->handle = (pthread_t)fiber;
    if (current == NULL)
        current = fiber; // thread_run() starts it
    return fiber != NULL;
}

/* Waits for a signal or the end of the time; false when the time ended. */
static bool await(const void *event, int64_t until_ms)
{
    current->awaits = event;
    current->until_ms = until_ms;
    leave_turn();
    const bool is_signalled = current->awaits == NULL;
    current->awaits = NULL;
    return is_signalled;
}

void *thread_join(Thread *thread)
{
    Fiber *const fiber = (Fiber *)thread->handle;
    if (!fiber->is_over)
        await(fiber, NEVER);
    void *const result = fiber->result;
    free(fiber->stack);
    free(fiber->saved);
    free(fiber);
    return result;
}

int thread_hardware_count(void)
{
    return 1;
}

int thread_limit(void)
{
    return 1;
}

void thread_give_way(void)
{
    leave_turn();
}

void thread_web_turn(void)
{
    if (clock_us() >= slice_end_us)
        leave_turn();
}

void thread_web_await_input(void)
{
    if (!thread_input_is_ready())
        await(&INPUT, NEVER);
}

void mutex_init(Mutex *mutex)
{
    (void)mutex;
}

void mutex_destroy(Mutex *mutex)
{
    (void)mutex;
}

void mutex_lock(Mutex *mutex)
{
    (void)mutex;
}

void mutex_unlock(Mutex *mutex)
{
    (void)mutex;
}

void cond_init(Cond *cond)
{
    (void)cond;
}

void cond_destroy(Cond *cond)
{
    (void)cond;
}

void cond_wait(Cond *cond, Mutex *mutex)
{
    (void)mutex;
    await(cond, NEVER);
}

bool cond_wait_ms(Cond *cond, Mutex *mutex, int64_t ms)
{
    (void)mutex;
    return await(cond, clock_ms() + (ms > 0 ? ms : 0));
}

bool cond_wait_until(Cond *cond, Mutex *mutex, int64_t deadline_ms)
{
    (void)mutex;
    if (clock_ms() >= deadline_ms)
        return false;
    await(cond, deadline_ms);
    return true;
}

void cond_signal(Cond *cond)
{
    cond_broadcast(cond); // a wait may also end without a signal
}

void cond_broadcast(Cond *cond)
{
    for (Fiber *other = current->next; other != current; other = other->next)
        if (other->awaits == cond)
            other->awaits = NULL;
}

/* True when the thread can run now. */
static bool can_run(Fiber *fiber)
{
    if (fiber->awaits == &INPUT && thread_input_is_ready())
        fiber->awaits = NULL;
    return fiber->awaits == NULL || (fiber->until_ms != NEVER && clock_ms() >= fiber->until_ms);
}

/* The next thread of the ring that can run, or NULL. */
static Fiber *find_next(void)
{
    Fiber *fiber = current;
    do {
        fiber = fiber->next;
        if (can_run(fiber))
            return fiber;
    } while (fiber != current);
    return NULL;
}

/* Runs the threads until their time is over or all of them wait. JavaScript calls it. */
EMSCRIPTEN_KEEPALIVE void thread_run(void)
{
    slice_end_us = clock_us() + SLICE_US;
    emscripten_fiber_init_from_current_context(&scheduler, scheduler_saved, sizeof scheduler_saved);
    while (clock_us() < slice_end_us) {
        Fiber *const next = find_next();
        if (next == NULL)
            return;
        current = next;
        emscripten_fiber_swap(&scheduler, &next->context);
    }
}

/* Milliseconds until thread_run() should be called again, although no input has arrived; -1 when
 * all threads wait for input or have ended. JavaScript calls it. */
EMSCRIPTEN_KEEPALIVE int thread_pause_ms(void)
{
    if (find_next() != NULL)
        return 0;
    int64_t first_ms = NEVER;
    const Fiber *fiber = current;
    do {
        first_ms = fiber->until_ms < first_ms && fiber->awaits != NULL ? fiber->until_ms : first_ms;
        fiber = fiber->next;
    } while (fiber != current);
    const int64_t left_ms = first_ms - clock_ms();
    return first_ms == NEVER ? -1 : left_ms < 1 ? 1 : left_ms > 1000 ? 1000 : (int)left_ms;
}
