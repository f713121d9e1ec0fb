// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Correction history: the average difference between search result and static evaluation in
 * positions that share a feature (pawns, minor pieces, one side's pieces, the last moves). The
 * average is added to the static evaluation of the next such position. From the engine Caissa;
 * the correction by the last moves is from the engine Motor. Each thread has its own. */

#include "chess/position.h"
#include "eval/score.h"

enum { CORRECTION_SIZE = 16384, CORRECTION_MAX = 1024 };

/* The features: pawns; minor pieces and kings; major pieces and kings; each side's pieces and king
 * without pawns; the changes of the position during the last two and the last four plies. */
enum {
    CORRECTION_PAWN,
    CORRECTION_MINOR,
    CORRECTION_MAJOR,
    CORRECTION_WHITE,
    CORRECTION_BLACK,
    CORRECTION_CONTINUATION_2,
    CORRECTION_CONTINUATION_4,
    CORRECTION_TABLES
};

/* Indexed by feature, hash of the feature, and side to move in this order, so that a child, which
 * shares most features with its parent, reads the same cache lines. An entry of CORRECTION_MAX
 * changes the evaluation by the whole weight of its feature (params.def), a smaller entry in
 * proportion. */
typedef struct {
    int16_t tables[CORRECTION_TABLES][CORRECTION_SIZE][COLOR_NB];
} Corrections;

/* The position to look up. */
typedef struct {
    const Position *pos;
    Key two_ago, four_ago; // keys of the positions two and four plies before; 0: none
} CorrectionPoint;

/* Sets all entries to 0. */
void correction_clear(Corrections *c);

/* Correction to add to the static evaluation, internal units, for the side to move. */
Score correction_value(const Corrections *c, CorrectionPoint point);

/* Prefetches what correction_value() will read. */
void correction_prefetch(const Corrections *c, CorrectionPoint point);

/* Updates the entries of a position after a search to `depth` plies. `error` is the search result
 * minus the corrected evaluation, internal units. */
void correction_update(Corrections *c, CorrectionPoint point, int error, int depth);
