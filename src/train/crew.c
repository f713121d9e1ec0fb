// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/crew.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
    Crew *crew;
    Thread thread;
    int number;
} Member;

struct Crew {
    Mutex mutex;
    Cond job_given, job_done;
    CrewJob job; // NULL: go home
    void *ctx;
    uint64_t jobs; // given so far
    int size, working;
    Member members[CREW_MAX];
};

static void *member_main(void *arg)
{
    Member *const member = arg;
    Crew *const crew = member->crew;
    for (uint64_t seen = 0;;) {
        mutex_lock(&crew->mutex);
        while (crew->jobs == seen)
            cond_wait(&crew->job_given, &crew->mutex);
        seen = crew->jobs;
        const CrewJob job = crew->job;
        void *const ctx = crew->ctx;
        mutex_unlock(&crew->mutex);
        if (job == NULL)
            return NULL;
        job(ctx, member->number);
        mutex_lock(&crew->mutex);
        if (--crew->working == 0)
            cond_signal(&crew->job_done);
        mutex_unlock(&crew->mutex);
    }
}

static void give(Crew *crew, CrewJob job, void *ctx)
{
    mutex_lock(&crew->mutex);
    crew->job = job;
    crew->ctx = ctx;
    crew->working = crew->size - 1;
    crew->jobs++;
    cond_broadcast(&crew->job_given);
    mutex_unlock(&crew->mutex);
}

Crew *crew_create(int size)
{
    assert(1 <= size && size <= CREW_MAX);
    Crew *const crew = calloc(1, sizeof *crew);
    if (crew == NULL)
        return NULL;
    mutex_init(&crew->mutex);
    cond_init(&crew->job_given);
    cond_init(&crew->job_done);
    for (crew->size = 1; crew->size < size; crew->size++) {
        Member *const member = &crew->members[crew->size];
        *member = (Member){.crew = crew, .number = crew->size};
        if (!thread_start(&member->thread, member_main, member)) {
            crew_free(crew);
            return NULL;
        }
    }
    return crew;
}

void crew_free(Crew *crew)
{
    if (crew == NULL)
        return;
    give(crew, NULL, NULL);
    for (int i = 1; i < crew->size; i++)
        thread_join(&crew->members[i].thread);
    cond_destroy(&crew->job_done);
    cond_destroy(&crew->job_given);
    mutex_destroy(&crew->mutex);
    free(crew);
}

int crew_size(const Crew *crew)
{
    return crew->size;
}

void crew_run(Crew *crew, CrewJob job, void *ctx)
{
    give(crew, job, ctx);
    job(ctx, 0);
    mutex_lock(&crew->mutex);
    while (crew->working > 0)
        cond_wait(&crew->job_done, &crew->mutex);
    mutex_unlock(&crew->mutex);
}
