// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Threads, locks and conditions: POSIX threads, which MinGW has too, with the stack size a deep
 * search needs. A lock is never held across a return to a caller that does not know it. */

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Stack of every thread started here; the platforms' own defaults range from 512 KiB to 8 MiB. */
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

/* Starts `body(arg)` in a new thread; false when the system refuses. Each must be joined once. */
bool thread_start(Thread *thread, void *(*body)(void *), void *arg);

/* Waits until the thread has ended and returns what its body returned. */
void *thread_join(Thread *thread);

/* Processors this process may run on, at least 1. */
int thread_hardware_count(void);

/* A mutex or condition must be initialised before use and destroyed when no thread uses it. */
void mutex_init(Mutex *mutex);
void mutex_destroy(Mutex *mutex);
void mutex_lock(Mutex *mutex);
void mutex_unlock(Mutex *mutex);

void cond_init(Cond *cond);
void cond_destroy(Cond *cond);

/* Releases `mutex`, which the caller holds, sleeps until signalled and takes it again. May also
 * wake for no reason: wait in a loop over the state itself. */
void cond_wait(Cond *cond, Mutex *mutex);

/* The same for at most `ms` milliseconds; false when they passed without a signal. */
bool cond_wait_ms(Cond *cond, Mutex *mutex, int64_t ms);

/* Wakes one waiter, or all. */
void cond_signal(Cond *cond);
void cond_broadcast(Cond *cond);
