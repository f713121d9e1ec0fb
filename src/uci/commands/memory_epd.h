// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Lessons as lines of EPD, for other programs and for taking memories from one file to another.
 * `bm`, `ce` (centipawns) and `acd` say to everyone what was learned; `c0` has what else a lesson
 * is made of, so that one that is written and read again is the same. */

#include "chess/epd.h"
#include "learning/learned_position.h"

/* Writes the line without its end; `out` holds EPD_TEXT_MAX bytes. */
void memory_epd_print(const LearnedPosition *learned, char *out);

/* Makes a lesson of a record. One without our `c0` is advice: the first move of `bm`, the score if
 * there is one, which rests on `network`. False with the reason in `error` (FEN_ERROR_MAX bytes)
 * when it is none. */
bool memory_epd_read(LearnedPosition *learned, const EpdRecord *record, uint32_t network,
                     char *error);

/* A score in centipawns as the search counts, and what a search may be asked to believe of it. */
Score memory_epd_score(int64_t centipawns);
