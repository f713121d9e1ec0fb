// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Extended position description: suites of positions with operations, for tests, bench and the
 * laboratory. */

#include <stdio.h>

#include "chess/position.h"

enum { EPD_TEXT_MAX = 1024 }; // longest line read; longer ones are an error

typedef struct {
    Position pos;
    char operations[EPD_TEXT_MAX]; // what follows the position, as written
} EpdRecord;

/* Parses one line: four FEN fields, optional clocks, then operations, each ended by ';' (perft
 * suites begin theirs with ';'). False with the reason in `error` (FEN_ERROR_MAX bytes) when the
 * position is refused. */
bool epd_parse(EpdRecord *record, const char *line, bool chess960, char *error);

/* Copies the operand text of `opcode` ("bm", "dm", "D4") to `out`; quotes are taken off. False when
 * it is absent or does not fit. */
bool epd_operand(const EpdRecord *record, const char *opcode, char *out, size_t size);

/* Next record of an open suite; blank lines and lines that begin with # are skipped. 1: read, 0:
 * end, -1: `error`, a line that makes no sense, or ferror(file). */
int epd_next(FILE *file, EpdRecord *record, bool chess960, char *error);
