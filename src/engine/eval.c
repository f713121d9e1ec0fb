// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/eval.h"

#include "engine/bootstrap.h"
#include "engine/prune.h"

void engine_init(void)
{
    bootstrap_init();
    prune_init();
}

Score eval_raw(const Position *pos)
{
    return bootstrap_eval(pos);
}

Score eval_scale_rule50(Score raw, int rule50)
{
    return raw * (200 - (rule50 < 100 ? rule50 : 100)) / 200;
}
