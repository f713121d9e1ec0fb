// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The searches of the replacement experiment: selects the observations, groups them into units of
 * work and makes them on several threads.
 *
 * When nothing is carried from one position to the next, one search of a position to the greatest
 * depth yields the observations of all depths, because node counts are cumulative over iterations.
 * When table or history are kept between positions, each depth needs a separate series over all
 * positions. Resuming such a series repeats the searches before its first missing row. */

#include "base/arguments.h"
#include "lab/breuker1994/observation.h"
#include "lab/positions.h"

enum { SERIES_LIST_MAX = 32 };

typedef struct {
    const LabPosition *positions;
    int position_count;
    uint32_t suite; // number of the set of positions, see Setting
    int schemes[SERIES_LIST_MAX], scheme_count;
    int kilos[SERIES_LIST_MAX], kilo_count; // table sizes; no 8 ply at odd powers of two
    bool stampings[STAMPING_NB];            // which to search
    int min_ply, max_ply;
    int seed_count; // seeds 0..seed_count - 1
    HistoryFate history;
    bool early_termination;
    bool reference; // also search without a table
    int threads;
    Shard shard;
} SeriesPlan;

typedef struct {
    uint64_t wanted, found; // observations of this shard, and those that the file has
    double expected;        // nodes of the missing ones, estimated
    double searched;        // nodes of this run
    int64_t elapsed_ms;
} SeriesTally;

typedef enum { SERIES_DONE, SERIES_INTERRUPTED, SERIES_FAILED } SeriesEnd;

/* Counts wanted and missing observations; searches nothing. */
SeriesTally series_survey(const SeriesPlan *plan, Results *results);

/* Makes the missing observations and adds them to `results`, until an interrupt (interrupt.h). On
 * SERIES_FAILED, `error` (RESULTS_ERROR_MAX bytes) has the reason. */
SeriesEnd series_run(const SeriesPlan *plan, Results *results, SeriesTally *tally, char *error);
