// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Correction history: the average difference between search result and static evaluation in
 * positions that share a feature (pawns, minor pieces, one side's pieces, the last moves). It is
 * added to the static evaluation of the next such position. One thread's own. */

#include "chess/position.h"
#include "eval/score.h"

enum { CORRECTION_SIZE = 16384, CORRECTION_MAX = 1024 };

/* The features: pawns, minor pieces, major pieces, each side's pieces without pawns, and what the
 * last two or four plies changed. */
enum {
    CORRECTION_PAWN,
    CORRECTION_MINOR,
    CORRECTION_MAJOR,
    CORRECTION_WHITE,
    CORRECTION_BLACK,
    CORRECTION_TWO_AGO,
    CORRECTION_FOUR_AGO,
    CORRECTION_TABLES
};

/* Entries in 1/1024 of the weights in params.def, by side to move and a hash of the feature. */
typedef struct {
    int16_t tables[CORRECTION_TABLES][COLOR_NB][CORRECTION_SIZE];
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

/* Learns from a search to `depth` whose result is `error` units above the corrected evaluation. */
void correction_update(Corrections *c, CorrectionPoint point, int error, int depth);
