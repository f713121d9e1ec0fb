// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The path to a position, as keys: what repetition and upcoming repetition are decided on. Only
 * what can still be repeated matters, so a bounded window serves games of any length. */

#include "chess/position.h"

enum {
    PATH_GAME = 128,
    PATH_KEYS = PATH_GAME + 256
}; // plies kept of the game, and room for the search on top

typedef struct {
    Key keys[PATH_KEYS]; // oldest first; keys[count - 1] belongs to the current position
    int count;
} Path;

/* Fills the table of reversible moves behind path_upcoming_repetition(); chess_init() calls it
 * once. */
void game_init(void);

/* Starts a path at `pos`. */
void path_start(Path *path, const Position *pos);

/* Appends `pos`, reached by a move of the game; the oldest keys are forgotten beyond PATH_GAME. */
void path_extend(Path *path, const Position *pos);

/* Appends in the search: no window, at most PATH_KEYS - PATH_GAME times on top of a game. */
static inline void path_push(Path *path, Key key)
{
    path->keys[path->count++] = key;
}

static inline void path_pop(Path *path)
{
    path->count--;
}

/* True when `pos`, the path's last position, `ply` plies below the root, is a draw by repetition:
 * it occurred before below the root, or twice before at or above it. */
bool path_is_repetition(const Path *path, const Position *pos, int ply);

/* How often the last position occurred before in the path (0, 1, ...): for the rule of the game
 * itself. */
int path_occurrences(const Path *path, const Position *pos);

/* True when any position since the last irreversible move occurred twice. */
bool path_has_repeated(const Path *path, const Position *pos);

/* True when the side to move has a reversible move that leads back to an earlier position of the
 * path, below the root or, above it, to one that had itself been repeated (Cuckoo tables after van
 * Kervinck 2012). */
bool path_upcoming_repetition(const Path *path, const Position *pos, int ply);

/* True when `pos` is drawn by the fifty-move rule (not when the last move mated). */
bool game_fifty_moves(const Position *pos);
