// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The texts of an analysed game: comments and variations of its PGN, JSON objects, and a line that
 * counts the errors. Scores and chances in them are White's. */

#include "chess/pgnwrite.h"
#include "engine/analysis.h"

/* A game and the analyses of its positions, one more than it has moves. */
typedef struct {
    const PgnGame *game;
    const Analysis *analyses;
    int number; // of the game in its file, from 1
} AnnotatedGame;

/* Appends the game with a comment, a variation and a glyph at its moves. False when memory is
 * short. */
bool annotation_pgn(StrBuf *out, const AnnotatedGame *annotated, const PgnTagText *tags,
                    int tag_count);

/* Appends one object and a line end for each move. */
void annotation_json(StrBuf *out, const AnnotatedGame *annotated);

/* Appends the players, the result, and the number of ??, ? and ?! of each side. */
void annotation_counts(StrBuf *out, const AnnotatedGame *annotated);

/* Appends the players and the result of a game. */
void annotation_players(StrBuf *out, const PgnGame *game);
