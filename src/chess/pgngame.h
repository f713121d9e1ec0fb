// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Games in portable game notation (PGN, Edwards 1994), read. The main line is played and checked.
 * Comments and variations are kept as text, so a game that is read and written again (pgnwrite.h)
 * loses nothing of its author's work. Reads also what is common outside the standard: games without
 * tags or result, moves in coordinates, !, ? and +/- after moves, Chess960. */

#include "base/strbuf.h"
#include "chess/fen.h"
#include "chess/position.h"

enum { PGN_NAGS = 8, PGN_ERROR_MAX = 200 };

/* Offsets of two texts in PgnGame.text. */
typedef struct {
    size_t name, value;
} PgnTag;

typedef struct {
    Move move;
    int nag_count;
    uint8_t nags[PGN_NAGS]; // numeric annotation glyphs: 1 is !, 2 is ?, ...
    size_t after;           // in PgnGame.text: further glyphs, comments and variations
} PgnMove;

/* A game. Zero it before first use; pgn_game_free() empties it. */
typedef struct {
    Position start;
    bool chess960;
    PgnTag *tags;
    PgnMove *moves;
    int tag_count, move_count;
    int tag_room, move_room;
    size_t before;               // in `text`: the text before the first move
    const char *result;          // a constant: 1-0, 0-1, 1/2-1/2 or *
    char error[PGN_ERROR_MAX];   // why the game is damaged; "": it is sound
    char repairs[FEN_ERROR_MAX]; // of the tag FEN, or why it is faulty; "": none
    int line;                    // at which it begins, from 1
    const char *source;          // its text in the input, `source_length` bytes
    size_t source_length;
    StrBuf text; // all other texts, each with a NUL
} PgnGame;

/* A place in a text of many games. */
typedef struct {
    const char *at;
    int line;
    const char *limit; // where the next line [Event begins, if searched for; NULL: unknown
} PgnReader;

/* Starts at the beginning of the text, which must outlive reader and games. */
PgnReader pgn_reader(const char *text);

/* Reads the next game. Returns 1: the game, which may be damaged, then `error` says why; 0: no game
 * is left; -1: memory is short. */
int pgn_game_read(PgnReader *reader, PgnGame *game);

/* Frees the game. */
void pgn_game_free(PgnGame *game);

/* The value of a tag, its name in upper or lower case; "" when the game does not have it. */
const char *pgn_game_tag(const PgnGame *game, const char *name);
