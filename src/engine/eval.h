// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The static evaluation the search calls: a seam, behind which bootstrap.h is replaced by a
 * network. */

#include "chess/position.h"
#include "engine/score.h"

/* Fills the tables of the engine layer; call once from main() after chess_init(). */
void engine_init(void);

/* Raw evaluation from the side to move's view: before corrections and fifty-move scaling, as the
 * table stores it. The position must not be in check. */
Score eval_raw(const Position *pos);

/* The raw value drawn towards 0 as the fifty-move counter runs. */
Score eval_scale_rule50(Score raw, int rule50);
