// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Threads, mutexes and conditions: POSIX threads, which MinGW provides too, with the stack size
 * that a deep search needs. */

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Stack of every thread that thread_start() starts. The systems' defaults range from 512 KiB to
 * 8 MiB. */
#define THREAD_STACK_BYTES (8u << 20)

typedef struct {
    pthread_t handle;
} Thread;

typedef struct {
    pthread_mutex_t handle;
} Mutex;

typedef struct {
    pthread_cond_t handle;
} Cond;

/* Starts `body(arg)` in a new thread; false on failure. Join each started thread once. */
bool thread_start(Thread *thread, void *(*body)(void *), void *arg);

/* Waits until the thread has ended and returns the result of its body. */
void *thread_join(Thread *thread);

/* Number of processors that this process may use, at least 1. */
int thread_hardware_count(void);

/* The most threads that may compute at the same time, at least 1; INT_MAX where there is no
 * limit. */
int thread_limit(void);

/* Lets other threads that are ready run first on this processor. The system chooses them; when
 * there are none, returns at once. */
void thread_give_way(void);

/* Call it in loops that may last long. In the WebAssembly build where threads take turns
 * (thread_web.c), it lets other threads run, and input arrive, when the turn is over. In all other
 * builds it does nothing. */
void thread_web_turn(void);

/* Call it before you read a line of standard input. In the WebAssembly builds it waits until the
 * line can be read, or the input has ended. In all other builds it returns at once. */
void thread_web_await_input(void);

/* Initialise a mutex or condition before use; destroy it when no thread uses it any more. */
void mutex_init(Mutex *mutex);
void mutex_destroy(Mutex *mutex);
void mutex_lock(Mutex *mutex);
void mutex_unlock(Mutex *mutex);

void cond_init(Cond *cond);
void cond_destroy(Cond *cond);

/* Releases `mutex`, which the caller must hold, sleeps until signalled and locks it again. May
 * return without a signal, so call it in a loop that tests the state. */
void cond_wait(Cond *cond, Mutex *mutex);

/* As cond_wait() for at most `ms` milliseconds; false on timeout. */
bool cond_wait_ms(Cond *cond, Mutex *mutex, int64_t ms);

/* The same in microseconds. */
bool cond_wait_us(Cond *cond, Mutex *mutex, int64_t us);

/* As cond_wait(), at most until clock_ms() is `deadline_ms`. False, at once, when that moment is
 * over. */
bool cond_wait_until(Cond *cond, Mutex *mutex, int64_t deadline_ms);

/* Wakes one waiter, or all. */
void cond_signal(Cond *cond);
void cond_broadcast(Cond *cond);
