// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Learned positions as EPD lines, for other programs and for transfer from file to file. `bm`, `ce`
 * (centipawns) and `acd` are the usual EPD operations; the comment `c0` holds the remaining fields,
 * so that import restores an exported line without loss. */

#include "chess/epd.h"
#include "learning/learned_position.h"

/* Writes the line without line end; `out` holds EPD_TEXT_MAX bytes. */
void memory_epd_print(const LearnedPosition *learned, char *out);

/* Converts an EPD record into a learned position. A record without a `c0` of this program becomes
 * advice: the first move of `bm`, with the score `ce` and the depth `acd` if present; without a
 * number in `ce` it keeps a stored score. The score is valid only for the evaluation `network`.
 * `*loses_score`: the record has a score, but it is not kept, because it is no number or
 * learned_score_to_keep() drops it. False, with the reason in `error` (FEN_ERROR_MAX bytes), when
 * the record has no legal `bm`. */
bool memory_epd_read(LearnedPosition *learned, const EpdRecord *record, uint32_t network,
                     bool *loses_score, char *error);
