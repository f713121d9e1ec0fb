// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* For the tests of position learning with an engine: the engine of the running test, its options,
 * and searches. */

#include "engine/engine_run.h"
#include "learning/learn_store_fixture.h"
#include "learning/learning.h"

#define LEARN_ROOT "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8"

extern Engine *learn_engine;                     // of the running test
extern Run learn_run;                            // its last search
extern char learn_message[LEARNING_MESSAGE_MAX]; // the last message of learning_apply()

/* Creates and destroys the engine and the temporary folder, before and after each test. */
void learn_setup(void);
void learn_teardown(void);

/* Makes a new engine, as after a restart. */
void learn_reopen(void);

/* Sets the options, with store_path as file. */
void learn_set_options(LearningMode mode, LearnPolicy policy);

/* Sets the options and applies them, which must succeed with a message. */
void learn_apply(LearningMode mode, LearnPolicy policy);

/* Searches a position to `depth` plies and returns the job. */
SearchJob learn_search(const char *fen, int depth);

/* The position learning of the engine, the fingerprint of its evaluation, and the number of learned
 * positions in memory. */
Learning *learn_learning(void);
uint32_t learn_network(void);
int64_t learn_positions(void);
