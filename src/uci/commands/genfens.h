// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The command `genfens N [seed S] [book None|FILE] [plies N] [frc|dfrc]`: generates openings for
 * training games in the format of OpenBench. An opening is a start position, or a position of the
 * book, plus a few random moves; a short search must find it balanced. The same seed gives the same
 * openings. */

#include "uci/session.h"

/* The start arrays: how the pieces stand before the first move. */
typedef enum { ARRAYS_STANDARD, ARRAYS_CHESS960, ARRAYS_DOUBLE_CHESS960 } GenfensArrays;

typedef struct {
    int64_t count, seed;
    const char *book; // file of FEN or EPD lines, or NULL
    int64_t plies;    // number of random moves; half of the openings have one more
    GenfensArrays arrays;
} GenfensOptions;

/* Parses and modifies the arguments; `options` then points into them. False, with the reason in
 * `error` (FEN_ERROR_MAX bytes), when they are faulty. */
bool genfens_parse(GenfensOptions *options, char *arguments, char *error);

/* Called with each opening; returns false to stop. */
typedef bool (*GenfensVisit)(void *ctx, const Position *opening);

/* Generates the openings and calls `visit` for each. `source` evaluates them. With `chess960`,
 * Chess960 castling rights in the book are accepted. False, with the reason in `error`
 * (FEN_ERROR_MAX bytes), when the book cannot be read, no balanced opening is found, or memory is
 * short. */
bool genfens_make(const GenfensOptions *options, const EvalSource *source, bool chess960,
                  GenfensVisit visit, void *ctx, char *error);
