// SPDX-License-Identifier: GPL-3.0-or-later
#define _GNU_SOURCE // sched_getaffinity
#include "base/thread.h"

#include <limits.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <unistd.h>
#endif

#include "base/cgroup.h"
#include "base/clock.h"

/* With the monotonic clock a timeout stays right when the time of day is changed. On macOS the
 * clock of a condition cannot be chosen. */
#ifdef __linux__
static const clockid_t COND_CLOCK = CLOCK_MONOTONIC;
#else
static const clockid_t COND_CLOCK = CLOCK_REALTIME;
#endif

#ifdef _WIN32
/* Windows has a processor group for each 64 processors. Returns the number of processors if a user
 * has bound this process to some of one group (start /affinity), else 0. */
static int allowed_in_group(void)
{
    DWORD_PTR own = 0, all = 0; // both 0 when the threads are in several groups
    const bool is_bound = GetProcessAffinityMask(GetCurrentProcess(), &own, &all) && own != all;
    return is_bound ? __builtin_popcountll(own) : 0;
}

static atomic_uint running; // threads that have been started and not yet joined

/* Leaves the first threads in the group where Windows puts them, one for each of its processors,
 * because each process may begin in another group. Fills the other groups with the next threads:
 * before Windows 11 all would stay in the first one. */
static void spread_over_groups(Thread *thread)
{
    const HANDLE handle = pthread_gethandle(thread->handle);
    const WORD count = GetActiveProcessorGroupCount();
    DWORD place = atomic_fetch_add(&running, 1);
    GROUP_AFFINITY own;
    if (count < 2 || allowed_in_group() > 0 || !GetThreadGroupAffinity(handle, &own))
        return;
    WORD group = own.Group;
    for (place %= GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
         place >= GetActiveProcessorCount(group); group = (WORD)((group + 1) % count))
        place -= GetActiveProcessorCount(group);
    if (group == own.Group)
        return;
    const DWORD processors = GetActiveProcessorCount(group);
    const KAFFINITY all = processors < 64 ? ((KAFFINITY)1 << processors) - 1 : ~(KAFFINITY)0;
    const GROUP_AFFINITY affinity = {.Mask = all, .Group = group};
    SetThreadGroupAffinity(handle, &affinity, NULL);
}

static void note_join(void)
{
    atomic_fetch_sub(&running, 1);
}
#else
static void spread_over_groups(Thread *thread)
{
    (void)thread;
}

static void note_join(void) {}
#endif

bool thread_start(Thread *thread, void *(*body)(void *), void *arg)
{
    pthread_attr_t attr;
    if (pthread_attr_init(&attr) != 0)
        return false;
    const bool is_started = pthread_attr_setstacksize(&attr, THREAD_STACK_BYTES) == 0 &&
                            pthread_create(&thread->handle, &attr, body, arg) == 0;
    pthread_attr_destroy(&attr);
    if (is_started)
        spread_over_groups(thread);
    return is_started;
}

void *thread_join(Thread *thread)
{
    void *result = NULL;
    pthread_join(thread->handle, &result);
    note_join();
    return result;
}

int thread_hardware_count(void)
{
#ifdef _WIN32
    const int allowed = allowed_in_group();
    return allowed > 0 ? allowed : (int)GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
#else
    long count = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
    /* Count only the processors that this process may run on (taskset), and no more than it may use
     * the time of (a container). */
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        count = CPU_COUNT(&allowed);
    const uint64_t limit = cgroup_processors(CGROUP_ROOT, CGROUP_OWN);
    if (count > 0 && (uint64_t)count > limit)
        count = (long)limit;
#endif
    return count > 0 ? (int)count : 1;
#endif
}

int thread_limit(void)
{
#ifdef __EMSCRIPTEN__ // threads are web workers, and browsers allow few
    return thread_hardware_count();
#else
    return INT_MAX;
#endif
}

void thread_give_way(void)
{
    sched_yield();
}

void thread_web_turn(void) {}

#ifndef __EMSCRIPTEN__ // workers_web.c has it
void thread_web_await_input(void) {}
#endif

void mutex_init(Mutex *mutex)
{
    pthread_mutex_init(&mutex->handle, NULL);
}

void mutex_destroy(Mutex *mutex)
{
    pthread_mutex_destroy(&mutex->handle);
}

void mutex_lock(Mutex *mutex)
{
    pthread_mutex_lock(&mutex->handle);
}

void mutex_unlock(Mutex *mutex)
{
    pthread_mutex_unlock(&mutex->handle);
}

void cond_init(Cond *cond)
{
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
#ifdef __linux__
    pthread_condattr_setclock(&attr, COND_CLOCK);
#endif
    pthread_cond_init(&cond->handle, &attr);
    pthread_condattr_destroy(&attr);
}

void cond_destroy(Cond *cond)
{
    pthread_cond_destroy(&cond->handle);
}

void cond_wait(Cond *cond, Mutex *mutex)
{
    pthread_cond_wait(&cond->handle, &mutex->handle);
}

bool cond_wait_us(Cond *cond, Mutex *mutex, int64_t us)
{
    struct timespec end;
    clock_gettime(COND_CLOCK, &end);
    const int64_t nanoseconds = end.tv_nsec + (us > 0 ? us % 1000000 * 1000 : 0);
    end.tv_sec += (us > 0 ? us / 1000000 : 0) + nanoseconds / 1000000000;
    end.tv_nsec = (long)(nanoseconds % 1000000000);
    return pthread_cond_timedwait(&cond->handle, &mutex->handle, &end) == 0;
}

bool cond_wait_ms(Cond *cond, Mutex *mutex, int64_t ms)
{
    return cond_wait_us(cond, mutex, 1000 * ms);
}

bool cond_wait_until(Cond *cond, Mutex *mutex, int64_t deadline_ms)
{
    const int64_t left_ms = deadline_ms - clock_ms();
    if (left_ms <= 0)
        return false;
    cond_wait_ms(cond, mutex, left_ms);
    return true;
}

void cond_signal(Cond *cond)
{
    pthread_cond_signal(&cond->handle);
}

void cond_broadcast(Cond *cond)
{
    pthread_cond_broadcast(&cond->handle);
}
