// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Shared by the tests that search with an engine: the engine, and the record of its last search. */

#include "engine/engine_run.h"

extern Engine *engine;
extern Run run;

/* Tries of a test that measures time, because a busy machine may delay one search. */
enum { TRIES = 3 };

/* Setup and teardown: an engine of run_open_engine() with a table of 16 MiB. */
void engine_setup(void);
void engine_teardown(void);
