// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Lag: time on the clock that a move costs besides its search. GUI, pipe and network take a little
 * of every move; a busy machine now and then stops the engine for a tenth of a second. Both are
 * measured from move to move of a game, and kept free when the time of the next move is planned. */

#include "chess/game.h"
#include "search/limits.h"

/* All zero: nothing is known. */
typedef struct {
    bool is_running;    // the last search was a move of a game with a clock
    Key root;           // its position
    int64_t clock_ms;   // own clock at the next move, if the move cost nothing but its search
    int64_t average;    // of the lag of a move, in 1/LAG_FADING ms; newer moves count more
    int64_t longest_ms; // lag of a move or pause of the search; fades
    int64_t wall_us;    // duration of the searches; older ones count less
    int64_t ran_us;     // processor time that the main thread had in them
} Lag;

enum {
    LAG_FADING = 16,       // a move changes the average by 1/16
    LAG_PEAK_FADING = 256, // the longest lag fades by 1/256 a move, a fifth in a game
    LAG_MOVES = 30,        // moves whose lag is paid from the clock
    LAG_MAX_MS = 5000,     // more is no lag: the clock was changed
    LAG_SHARE_FADING = 8,  // a search changes wall_us and ran_us by 1/8
    LAG_SHARE_LEAST = 70,  // percent of a processor; with less the machine is overloaded,
    LAG_OVERLOAD_MS = 200  // and will pause for so long sooner or later
};

/* Before a new game: its clock is another one, and so may be its connection. The machine and its
 * pauses are the same. */
void lag_new_game(Lag *lag);

/* Before a search: compares the clock of `side` with the expected one. `path` is the game so far
 * and ends in the position to search. */
void lag_read(Lag *lag, const Path *path, Color side, const Limits *limits);

/* After a search with these limits: it took `spent_ms` on the clock, and stood still for at most
 * `pause_ms` at a time. */
void lag_note(Lag *lag, Key root, Color side, const Limits *limits, int64_t spent_ms,
              int64_t pause_ms);

/* After a search on a clock: it took `wall_us`, in which the main thread had a processor for
 * `ran_us`. An overloaded machine is known by this before its first long pause. */
void lag_note_share(Lag *lag, int64_t wall_us, int64_t ran_us);

/* The overhead of a move in ms: the average lag, but at least `option_ms`. */
int lag_overhead_ms(const Lag *lag, int option_ms);

/* The time in ms that a move should leave on the clock for pauses: twice the longest lag or pause,
 * or if the machine is overloaded at least 2 * LAG_OVERLOAD_MS. */
int64_t lag_reserve_ms(const Lag *lag);

/* The time in ms that a move should leave on the clock for later moves: the average lag of the next
 * LAG_MOVES moves, as far as their increments do not pay for it. */
int64_t lag_deficit_ms(const Lag *lag, int64_t increment_ms);
