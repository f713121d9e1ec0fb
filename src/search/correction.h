// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Correction history: by how much searches found the static evaluation wrong in positions that
 * share something (the pawns, the minor pieces, one side's pieces, the last moves), for use in the
 * next such position. One thread's own. */

#include "chess/position.h"
#include "eval/score.h"

enum { CORRECTION_SIZE = 16384, CORRECTION_MAX = 1024 };

/* What positions may share: pawns, minor or major pieces, a side's pieces but for pawns, what the
 * last two or four moves changed. */
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

/* Entries in fractions of a unit, see params.def; by side to move and some bits of a key. */
typedef struct {
    int16_t tables[CORRECTION_TABLES][COLOR_NB][CORRECTION_SIZE];
} Corrections;

/* What the tables are asked with. */
typedef struct {
    const Position *pos;
    Key two_ago, four_ago; // keys of the position so many plies before; 0 where there is none
} CorrectionPoint;

/* Forgets everything. */
void correction_clear(Corrections *c);

/* Internal units to add to the static evaluation, from the side to move's view. */
Score correction_of(const Corrections *c, CorrectionPoint at);

/* Asks the memory for what correction_of() will look at. */
void correction_prefetch(const Corrections *c, CorrectionPoint at);

/* The search to `depth` found the position `error` units better than its corrected evaluation. */
void correction_learn(Corrections *c, CorrectionPoint at, int error, int depth);
