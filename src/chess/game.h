// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Draws by repetition and by the fifty-move rule. A path holds the keys of all positions up to the
 * current one. An irreversible move ends what can be repeated, and 100 reversible plies end the
 * game, so a window of fixed size is enough for games of any length. */

#include "chess/position.h"

enum {
    PATH_GAME = 128,            // plies of the game that are kept
    PATH_KEYS = PATH_GAME + 256 // and of the search
};

typedef struct {
    Key keys[PATH_KEYS]; // oldest first; keys[count - 1] belongs to the current position
    int count;
} Path;

/* Fills the tables of path_upcoming_repetition(). Called once, by chess_init(). */
void game_init(void);

/* Starts a path with `pos` as its only position. */
void path_start(Path *path, const Position *pos);

/* Appends `pos`, reached by a move of the game. Drops the oldest key beyond PATH_GAME. */
void path_extend(Path *path, const Position *pos);

/* Appends a position of the search. Drops nothing: at most PATH_KEYS - PATH_GAME calls on top of a
 * game. */
static inline void path_push(Path *path, Key key)
{
    path->keys[path->count++] = key;
}

static inline void path_pop(Path *path)
{
    path->count--;
}

/* True when the search scores `pos` as a draw by repetition. `pos` is the path's last position,
 * `ply` plies below the root. It must have occurred once before below the root, or twice before at
 * or above the root. */
bool path_is_repetition(const Path *path, const Position *pos, int ply);

/* How often the path's last position occurred before (0, 1, ...); 2 is threefold repetition. */
int path_occurrences(const Path *path, const Position *pos);

/* True when any position since the last irreversible move has occurred twice. */
bool path_has_repeated(const Path *path, const Position *pos);

/* True when the side to move has a reversible move to an earlier position of the path. That
 * position must lie below the root or must have been repeated before. Cuckoo tables: van Kervinck
 * 2012. */
bool path_upcoming_repetition(const Path *path, const Position *pos, int ply);

/* True when `pos` is drawn by the fifty-move rule; mate on the last move takes precedence. */
bool game_fifty_moves(const Position *pos);
