// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* genfens as a command: openings for games of training, as OpenBench asks for them: `genfens N seed
 * S book None|FILE` and then perhaps `plies N`, `frc` or `dfrc`. The same seed gives the same
 * openings. One is a start, or a position of the book, and a few random moves from there, level by
 * a short search. */

#include "uci/session.h"

typedef enum { ARRAYS_STANDARD, ARRAYS_CHESS960, ARRAYS_DOUBLE_CHESS960 } GenfensArrays;

typedef struct {
    int64_t count, seed;
    const char *book; // a file of FEN or EPD lines; NULL: none
    int64_t plies;    // random moves, or one more
    GenfensArrays arrays;
} GenfensOptions;

/* Parses the arguments, which are written to and must live as long as the options. False, with what
 * is wrong in `error`, which then points to constant text. */
bool genfens_parse(GenfensOptions *options, char *arguments, const char **error);

/* Told of each opening; false ends the making. */
typedef bool (*GenfensTake)(void *ctx, const Position *opening);

/* Makes the openings, level in the eyes of `source`, and hands each to `take`. With `chess960`, or
 * where the options ask for Chess960 arrays, the book's castling rights may be of any rook. False,
 * with the reason in `error` (FEN_ERROR_MAX bytes), when there are none to be had. */
bool genfens_make(const GenfensOptions *options, const EvalSource *source, bool chess960,
                  GenfensTake take, void *ctx, char *error);
