// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The end of a game by the rules, repetitions in particular. A path holds the keys of the positions
 * up to the current one. Positions before an irreversible move cannot occur again, and 100
 * reversible plies end the game. So a window of fixed size is enough for games of any length. */

#include "chess/position.h"

enum {
    PATH_GAME = 128,            // positions of the game that are kept
    PATH_KEYS = PATH_GAME + 256 // positions of the game and of the search
};

typedef struct {
    Key keys[PATH_KEYS]; // oldest first; keys[count - 1] belongs to the current position
    int count;
} Path;

/* The rules that end a game. */
enum {
    END_NONE,
    END_MATE,
    END_STALEMATE,
    END_REPETITION, // third occurrence
    END_FIFTY,      // fifty moves without capture or pawn move
    END_MATERIAL,   // too little material to mate
    END_NB
};
typedef int GameEnd; // a program may add ends of its own, from END_NB on

/* Fills the tables of path_upcoming_repetition(). Called once, by chess_init(). */
void game_init(void);

/* Starts a path with `pos` as its only position. */
void path_start(Path *path, const Position *pos);

/* Appends `pos`, reached by a move of the game. Keeps the last PATH_GAME keys. */
void path_extend(Path *path, const Position *pos);

/* Appends a position of the search. Drops nothing, so at most PATH_KEYS - PATH_GAME positions of
 * the search fit. */
static inline void path_push(Path *path, Key key)
{
    path->keys[path->count++] = key;
}

/* Removes the last position of the search. */
static inline void path_pop(Path *path)
{
    path->count--;
}

/* Whether the path has a position with this key. */
bool path_contains(const Path *path, Key key);

/* True when the search scores `pos` as a draw by repetition. `pos` is the path's last position,
 * `ply` plies below the root. It must have occurred before: once below the root, or twice
 * anywhere. */
bool path_is_repetition(const Path *path, const Position *pos, int ply);

/* How often `pos`, the path's last position, occurred before: 0, 1, ...; 2 is threefold
 * repetition. */
int path_occurrences(const Path *path, const Position *pos);

/* True when any position since the last irreversible move has occurred twice. `pos` is the path's
 * last position. */
bool path_has_repeated(const Path *path, const Position *pos);

/* True when the side to move has a reversible move to an earlier position of the path. That earlier
 * position must lie below the root or must have occurred twice. `pos` is the path's last position,
 * `ply` plies below the root. Cuckoo tables: van Kervinck 2012. */
bool path_upcoming_repetition(const Path *path, const Position *pos, int ply);

/* True when `pos` is drawn by the fifty-move rule; false for a mate on the last move. */
bool game_fifty_moves(const Position *pos);

/* The rule that ended the game of the path, or END_NONE while it is not over. `pos` is the path's
 * last position. */
GameEnd game_end(const Position *pos, const Path *path);
