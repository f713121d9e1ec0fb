// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The searches of the replacement experiment: selects the observations, groups them into units of
 * work and makes them on several threads.
 *
 * When neither table nor history are kept between positions, one search of a position to the
 * greatest depth gives the observations of all depths, because node counts include earlier
 * iterations. When table or history are kept, each depth needs a separate series of searches over
 * the positions of each game. To resume such a series, all its searches up to the last missing one
 * are repeated. Each game begins with an empty table and an empty history, so an entry cannot
 * outlive the generations of the table (32) in games of at most 32 positions. */

#include "base/arguments.h"
#include "lab/breuker1994/observation.h"
#include "lab/jobs.h"
#include "lab/positions.h"

enum { SERIES_LIST_MAX = 32 };

typedef struct {
    const LabPosition *positions;
    int position_count;
    uint32_t suite; // checksum of positions and games, see Setting
    int schemes[SERIES_LIST_MAX], scheme_count;
    int kilos[SERIES_LIST_MAX], kilo_count; // table sizes in units of 1024 positions
    bool stampings[STAMPING_NB];            // [s]: search with stamping s
    int min_ply, max_ply;
    bool has_depths_of_paper; // at sizes 2, 8, 32, 128, ... the depth is at most 7 ply
    int seed_count;           // seeds 0..seed_count - 1
    HistoryFate history;
    bool early_termination;
    bool reference; // also search without a table
    int threads;
    Shard shard;
} SeriesPlan;

typedef struct {
    uint64_t wanted, found; // observations of this shard, and those that the file already has
    double expected;        // estimated nodes to search for the missing observations
    double searched;        // nodes searched by this run
    int64_t elapsed_ms;     // time of this run
} SeriesTally;

/* The number of positions of the longest game. */
int series_longest_game(const SeriesPlan *plan);

/* Sets `*tally` to the numbers of observations, without a search. False when memory is short. */
bool series_survey(const SeriesPlan *plan, Results *results, SeriesTally *tally);

/* Makes the missing observations and adds them to `results`, until all are made or an interrupt
 * comes (interrupt.h). Fills in `*tally`. On JOBS_FAILED, `error` (RESULTS_ERROR_MAX bytes) has
 * the reason. */
JobsEnd series_run(const SeriesPlan *plan, Results *results, SeriesTally *tally, char *error);
