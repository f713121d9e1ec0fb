// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What a table that changed its size takes over at once, by all processors. */

#include "tt/tt.h"

/* Has `tt` take over what it knew before, as far as the time suffices: tables can be large, and the
 * searches see to the rest as they go. Nobody else may use it meanwhile. */
void takeover_run(Tt *tt);
