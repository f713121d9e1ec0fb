// SPDX-License-Identifier: GPL-3.0-or-later
#include "learning/learn_fixture.h"

#include <string.h>

#include "base/text.h"

Engine *learn_engine;
Run learn_run;
char learn_message[LEARNING_MESSAGE_MAX];

void learn_setup(void)
{
    store_setup();
    learn_engine = run_open_engine(4);
}

void learn_teardown(void)
{
    engine_destroy(learn_engine);
    store_teardown();
}

void learn_reopen(void)
{
    engine_destroy(learn_engine);
    learn_engine = run_open_engine(4);
}

Learning *learn_learning(void)
{
    return engine_learning(learn_engine);
}

uint32_t learn_network(void)
{
    return eval_fingerprint_short(engine_eval_source(learn_engine));
}

int64_t learn_positions(void)
{
    return learning_state(learn_learning()).positions;
}

void learn_set_options(LearningMode mode, LearnPolicy policy)
{
    LearningOptions options = *learning_options(learn_learning());
    options.mode = mode;
    options.policy = policy;
    text_copy(options.path, sizeof options.path, store_path);
    learning_set_options(learn_learning(), &options);
}

void learn_apply(LearningMode mode, LearnPolicy policy)
{
    learn_set_options(mode, policy);
    ck_assert(learning_apply(learn_learning(), learn_message));
    ck_assert_msg(strncmp(learn_message, "position learning: ", 19) == 0, "%s", learn_message);
    ck_assert(!learning_apply(learn_learning(), learn_message));
    ck_assert_int_eq(learning_state(learn_learning()).mode, mode);
}

SearchJob learn_search(const char *fen, int depth)
{
    SearchJob job = run_job(&learn_run, fen);
    job.limits.depth = depth;
    run_search(learn_engine, &job);
    ck_assert_int_eq(learn_run.done_count, 1);
    return job;
}
