// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The work of the replacement experiment: which observations are wanted, how they are grouped, and
 * threads that make them. Where nothing is carried from one position to the next, a position is
 * searched once, to the greatest depth wanted, and gives the counts of the smaller depths on the
 * way: they are cumulative. Where table or history live on, each depth needs a series of its own
 * over all positions, and resuming one repeats what came before its first missing row. */

#include "base/arguments.h"
#include "chess/position.h"
#include "lab/breuker1994/observation.h"

enum { SERIES_LIST_MAX = 32, SERIES_JOBS_MAX = 1024 };

typedef struct {
    const Position *positions;
    int position_count;
    uint32_t suite;
    int schemes[SERIES_LIST_MAX], scheme_count;
    int kilos[SERIES_LIST_MAX], kilo_count; // table sizes; odd powers of two get no 8 ply
    bool stampings[STAMPING_NB];
    int min_ply, max_ply;
    int seed_count; // seeds 0..seed_count - 1
    HistoryFate history;
    bool early_termination;
    bool reference; // search without a table, too
    int jobs;
    Shard shard;
} SeriesPlan;

/* What there is to do. */
typedef struct {
    uint64_t wanted, found;    // observations in this shard, and how many of them the file has
    double expected, searched; // nodes for those missing, as a guess; nodes searched
    int64_t elapsed_ms;
} SeriesTally;

typedef enum { SERIES_DONE, SERIES_INTERRUPTED, SERIES_FAILED } SeriesEnd;

/* Counts what is wanted and missing, without doing it. */
SeriesTally series_survey(const SeriesPlan *plan, Results *results);

/* Makes what is missing and adds it to `results`; stops at a signal (interrupt.h). When it failed,
 * `error` (RESULTS_ERROR_MAX bytes) says why. */
SeriesEnd series_run(const SeriesPlan *plan, Results *results, SeriesTally *tally, char *error);
