// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Lag: the time on the clock that a move loses outside its search. GUI, pipe and network take a
 * little time at every move. A busy machine sometimes stops the engine for a tenth of a second.
 * This module measures both during a game. The time plan of the next move keeps this time on
 * the clock.
 *
 * The clock of `go ponder` is no measurement: some GUIs send their own estimate, others the clock
 * of their last `go`. So the module counts on through the moves that follow a ponderhit, and the
 * next `go` without `ponder` shows what all of them have lost. */

#include "chess/game.h"
#include "search/limits.h"

/* All zero: nothing is known. */
typedef struct {
    int moves;           // own moves since the clock was last read; 0: no clock is expected
    Key root;            // position of the last of these moves
    int64_t clock_ms;    // expected own clock at the next move, without lag
    int moves_to_go;     // when the clock was last read; 0: no time control
    bool is_whole;       // that clock was a whole number of seconds
    int64_t average;     // of the lag of a move, in 1/LAG_FADING ms; newer moves count more
    int64_t longest_ms;  // lag of a move or pause of the search; fades
    int64_t wall_us;     // duration of the searches; older ones count less
    int64_t ran_us;      // processor time that the main thread had in them
    int64_t new_wall_us; // the same of the last searches, which are not yet in the sums above
    int64_t new_ran_us;
} Lag;

enum {
    LAG_FADING = 16,       // a move changes the average by 1/16
    LAG_PEAK_FADING = 256, // the longest lag fades by 1/256 a move, at least by 1 ms
    LAG_MOVES = 30,        // later moves for whose lag time stays on the clock
    LAG_MAX_MS = 5000,     // more, lost or gained, is ignored: somebody has changed the clock
    LAG_SHARE_FADING = 8,  // a search changes wall_us and ran_us by 1/8
    LAG_SHARE_STEPS = 13,  // a share is noted of searches that last so many steps of the clock
    LAG_SHARE_LEAST = 70,  // percent of a processor; with less the machine is overloaded
    LAG_OVERLOAD_MS = 200, // assumed longest pause of an overloaded machine
    LAG_RESERVE_MS = 1000  // a reserve up to this may take three quarters of the clock
};

/* To be called before a new game. Forgets the average lag, because the new game may have another
 * GUI or connection. Keeps the longest pause and the share of the processor, because the machine is
 * the same. */
void lag_new_game(Lag *lag);

/* To be called before a search. Compares the clock of `side` with the expected one, unless a time
 * control has added time. `path` is the game so far and ends in the position to search. A search
 * that ponders measures nothing; if its clock is larger than the expected one, less the average lag
 * of the moves since the last measurement, `limits` gets that one. */
void lag_read(Lag *lag, const Path *path, Color side, Limits *limits);

/* To be called after a search with these limits, unless it still ponders. `path` is that of
 * lag_read(). The search took `spent_ms` from the clock; its longest pause was `pause_ms`. */
void lag_note(Lag *lag, const Path *path, Color side, const Limits *limits, int64_t spent_ms,
              int64_t pause_ms);

/* To be called after a search on a clock. The search took `wall_us`; during that time the main
 * thread ran on a processor for `ran_us`. This share shows an overloaded machine before its first
 * long pause. `step_us`: the steps of the clock that measured `ran_us`. Short searches are added up
 * until they last LAG_SHARE_STEPS of these. */
void lag_note_share(Lag *lag, int64_t wall_us, int64_t ran_us, int64_t step_us);

/* The overhead of a move in ms: the average lag, but at least `option_ms`. */
int lag_overhead_ms(const Lag *lag, int option_ms);

/* The time in ms to keep for pauses: twice the longest lag or pause, and at least
 * 2 * LAG_OVERLOAD_MS if the machine is overloaded. */
int64_t lag_reserve_ms(const Lag *lag);

/* The time in ms to keep for the lag of later moves: the part of the average lag that exceeds the
 * increment, for LAG_MOVES moves, or for those up to the time control if there are fewer
 * (`moves_to_go`; 0: no time control). */
int64_t lag_deficit_ms(const Lag *lag, int64_t increment_ms, int moves_to_go);

/* The time in ms that a move should leave on a clock of `clock_ms`: reserve and deficit. The
 * reserve is at most half of the clock, or LAG_RESERVE_MS if that is more, but never more than
 * three quarters; the deficit is at most three quarters of the rest. So pauses and lag never make
 * the engine move at once for the rest of the game. */
int64_t lag_kept_ms(const Lag *lag, int64_t clock_ms, int64_t increment_ms, int moves_to_go);
