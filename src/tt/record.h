// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A result in 18 bytes, for hash files and for messages between machines. Another process can check
 * it and insert it into its own table, of any size and scheme. Two kinds of scores are valid only
 * in this game or on this computer: scores near the draw score, which may come from a repetition,
 * and tablebase scores. For results with such scores a record contains only the move.
 *
 * Format (widths in bits, little-endian): key 64 | move 16, score 16, eval 16, depth 8, bound 2,
 * was on a PV 1, first level 1, zeros 4, lowest bits first | subtree size 16 as in entry.h */

#include "tt/tt.h"

enum { RECORD_SIZE = 18 };

/* Removes a score that is valid only here. Returns false when neither score nor move is left. */
bool record_make_lasting(TtRecord *record);

/* Writes a record that record_make_lasting() has passed to `bytes` (RECORD_SIZE). */
void record_encode(const TtRecord *record, bool is_first_level, uint8_t *bytes);

/* Reads a record from `bytes` (RECORD_SIZE). Returns false when no record_encode() writes these
 * bytes. After success tt_insert() accepts the record. */
bool record_decode(const uint8_t *bytes, TtRecord *record, bool *is_first_level);
