// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Extended position description (EPD): positions with operations such as "bm Nf3;", one to a
 * line. */

#include <stdio.h>

#include "chess/position.h"

enum { EPD_TEXT_MAX = 4096 }; // bytes of a line with its NUL; longer lines are an error

typedef struct {
    Position pos;
    char operations[EPD_TEXT_MAX]; // the text after the position
} EpdRecord;

/* Parses one line: four FEN fields, optional clocks, then operations, each ended by ';'. Perft
 * suites, which put the ';' before each operation, are accepted. For `chess960` and `error` see
 * fen_parse(). False when the position is invalid or the line is too long; `*record` is then
 * unchanged. */
bool epd_parse(EpdRecord *record, const char *line, bool chess960, char *error);

/* The same for a position of either kind: Chess960 if `*chess960` is set, or if the position needs
 * a repair as standard chess and none as Chess960; then sets `*chess960`. */
bool epd_parse_any(EpdRecord *record, const char *line, bool *chess960, char *error);

/* Copies the operand of `opcode` ("bm", "dm", "D4") to `out`, without quotes around it. False when
 * the operation is absent or the operand does not fit. */
bool epd_operand(const EpdRecord *record, const char *opcode, char *out, size_t size);

/* True when the record has each of these opcodes at most once; else the reason is in `error`.
 * epd_operand() finds only the first. */
bool epd_check_once(const EpdRecord *record, const char *const *opcodes, int count, char *error);

/* Reads the next record; skips blank lines and lines that begin with '#'. Returns 1 on success, 0
 * at the end of the file, -1 with the reason in `error` for an invalid line or a read error. */
int epd_next(FILE *file, EpdRecord *record, bool chess960, char *error);

/* The same, but a position whose FEN needs a repair is invalid, too. */
int epd_next_exact(FILE *file, EpdRecord *record, bool chess960, char *error);

/* As epd_next(), parsed by epd_parse_any(). */
int epd_next_any(FILE *file, EpdRecord *record, bool *chess960, char *error);
