// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/engine_fixture.h"

Engine *engine;
Run run;

void engine_setup(void)
{
    engine = run_open_engine(16);
}

void engine_teardown(void)
{
    engine_destroy(engine);
}
