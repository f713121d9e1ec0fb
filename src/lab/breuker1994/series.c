// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/breuker1994/series.h"

#include <stdlib.h>

#include "base/clock.h"

/* A unit of work: searches of the positions of a game one after the other, or of one position. */
typedef struct {
    Setting setting;
    int min_ply, max_ply; // depths of the observations
    int first, count;     // positions: index of the first, and their number
    double weight;        // expected nodes of all its searches
    int number;           // of the unit, before sorting
} Unit;

typedef struct {
    Unit *units;
    int count, capacity;
    bool is_incomplete; // units are lacking, because memory was short
} UnitList;

typedef struct {
    const SeriesPlan *plan;
    Results *results;
    UnitList list;
    atomic_ullong searched; // nodes so far
} SeriesRun;

/* Expected nodes of the search of one position to `ply`: about the average in the paper, and beyond
 * its depths four times as many per ply. */
static double expected_nodes(int scheme, int ply)
{
    static const double WITHOUT[] = {0, 500, 3e3, 10e3, 60e3, 214e3, 1310e3, 5387e3, 33928e3};
    static const double WITH[] = {0, 500, 3e3, 11e3, 50e3, 155e3, 700e3, 2230e3, 10650e3};
    enum { KNOWN = sizeof WITH / sizeof WITH[0] - 1 };
    double nodes = (scheme == SCHEME_NONE ? WITHOUT : WITH)[ply < KNOWN ? ply : KNOWN];
    for (int i = KNOWN; i < ply; i++)
        nodes *= 4;
    return nodes;
}

/* Whether table or history are kept between the positions of a game. */
static bool is_linked(const Setting *setting)
{
    return setting->stamping != STAMPING_OFF || setting->history != HISTORY_CLEARED;
}

/* Whether the results have the observation; `position` is an index. */
static bool is_known(Results *results, const Setting *setting, int ply, int position)
{
    const Observation wanted = {.setting = *setting, .ply = ply, .position = position + 1};
    char key[RESULTS_ROW_MAX];
    observation_key(&wanted, key);
    return results_find(results, key) != NULL;
}

/* Counts the missing observations of the unit. Sets `*last` to the index of the last position with
 * a missing observation, if there is one. */
static int count_missing(Results *results, const Unit *unit, int *last)
{
    int count = 0;
    for (int i = unit->first; i < unit->first + unit->count; i++)
        for (int ply = unit->min_ply; ply <= unit->max_ply; ply++)
            if (!is_known(results, &unit->setting, ply, i)) {
                count++;
                *last = i;
            }
    return count;
}

static void add_unit(UnitList *list, Unit unit)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity == 0 ? 256 : 2 * list->capacity;
        Unit *const units = realloc(list->units, (size_t)list->capacity * sizeof *units);
        if (units == NULL) {
            list->is_incomplete = true;
            list->capacity = list->count;
            return;
        }
        list->units = units;
    }
    unit.weight = unit.count * expected_nodes(unit.setting.scheme, unit.max_ply);
    unit.number = list->count;
    list->units[list->count++] = unit;
}

/* The maximum depth with this table size. The paper has 8 ply only at 16K, 64K, 256K and 1024K
 * positions. */
static int max_ply_at(const SeriesPlan *plan, int kilo)
{
    const bool is_odd_power = (kilo & (kilo - 1)) == 0 && (kilo & 0x55555555) == 0;
    return plan->has_depths_of_paper && kilo != 0 && is_odd_power && plan->max_ply > 7
               ? 7
               : plan->max_ply;
}

/* The number of positions of one game from index `first` on. */
static int game_length(const SeriesPlan *plan, int first)
{
    int end = first + 1;
    while (end < plan->position_count && plan->positions[end].game == plan->positions[first].game)
        end++;
    return end - first;
}

int series_longest_game(const SeriesPlan *plan)
{
    int longest = 0;
    for (int i = 0; i < plan->position_count; i += game_length(plan, i))
        longest = game_length(plan, i) > longest ? game_length(plan, i) : longest;
    return longest;
}

/* Adds the units of one setting. */
static void add_setting(UnitList *list, const SeriesPlan *plan, Setting setting)
{
    const int max_ply = max_ply_at(plan, setting.kilo);
    if (max_ply < plan->min_ply)
        return;
    if (!is_linked(&setting)) {
        for (int i = 0; i < plan->position_count; i++)
            add_unit(list, (Unit){setting, plan->min_ply, max_ply, i, 1, 0, 0});
        return;
    }
    for (int ply = plan->min_ply; ply <= max_ply; ply++)
        for (int i = 0; i < plan->position_count; i += game_length(plan, i))
            add_unit(list, (Unit){setting, ply, ply, i, game_length(plan, i), 0, 0});
}

static void add_seed(UnitList *list, const SeriesPlan *plan, int seed)
{
    Setting setting = {.suite = plan->suite,
                       .history = plan->history,
                       .early_termination = plan->early_termination,
                       .seed = seed};
    for (Stamping stamping = 0; stamping < STAMPING_NB; stamping++)
        for (int i = 0; i < plan->scheme_count && plan->stampings[stamping]; i++)
            for (int k = 0; k < plan->kilo_count; k++) {
                setting.scheme = plan->schemes[i];
                setting.kilo = plan->kilos[k];
                setting.stamping = stamping;
                add_setting(list, plan, setting);
            }
    setting.scheme = SCHEME_NONE;
    setting.kilo = 0;
    setting.stamping = STAMPING_OFF;
    if (plan->reference && seed == 0) // without a table the seed has no effect
        add_setting(list, plan, setting);
}

static int compare_units(const void *a, const void *b)
{
    const Unit *const x = a, *const y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return x->number - y->number; // qsort() is not stable; all shards need the same order
}

/* Lists the units of this shard with missing observations, the longest first, so that all threads
 * end at about the same time. Adds their counts to `*tally`. */
static UnitList list_work(const SeriesPlan *plan, Results *results, SeriesTally *tally)
{
    UnitList list = {0};
    for (int seed = 0; seed < plan->seed_count; seed++)
        add_seed(&list, plan, seed);
    if (list.count > 1)
        qsort(list.units, (size_t)list.count, sizeof *list.units, compare_units);
    int kept = 0;
    for (int i = 0; i < list.count; i++) {
        Unit unit = list.units[i];
        if (i % plan->shard.count != plan->shard.number - 1)
            continue;
        const int size = unit.count * (unit.max_ply - unit.min_ply + 1);
        int last = unit.first;
        const int absent = count_missing(results, &unit, &last);
        tally->wanted += (uint64_t)size;
        tally->found += (uint64_t)(size - absent);
        if (absent == 0)
            continue;
        unit.weight *= (double)(last - unit.first + 1) / unit.count;
        unit.count = last - unit.first + 1;
        tally->expected += unit.weight;
        list.units[kept++] = unit;
    }
    list.count = kept;
    return list;
}

bool series_survey(const SeriesPlan *plan, Results *results, SeriesTally *tally)
{
    *tally = (SeriesTally){0};
    const UnitList list = list_work(plan, results, tally);
    free(list.units);
    return !list.is_incomplete;
}

/* Adds the observations of one search that finished `reached` iterations. False, with the reason in
 * `error`, on failure. */
static bool add_rows(const SeriesRun *run, const Unit *unit, int position,
                     const AlibabaIteration *iterations, int reached, char *error)
{
    char row[RESULTS_ROW_MAX];
    for (int ply = unit->min_ply; ply <= unit->max_ply && ply <= reached; ply++) {
        Observation made = {.setting = unit->setting,
                            .ply = ply,
                            .position = position + 1,
                            .nodes = iterations[ply].nodes,
                            .score = iterations[ply].score};
        move_to_uci(iterations[ply].move, false, made.move);
        observation_print(&made, row);
        if (!results_add(run->results, row, error))
            return false;
    }
    return true;
}

/* Prepares the program and its table for the first position of a unit; false when memory is short.
 */
static bool prepare(Alibaba *alibaba, Tt *tt, const Setting *setting)
{
    alibaba->seed = (uint64_t)setting->seed;
    alibaba->early_termination = setting->early_termination;
    alibaba_init(alibaba);
    if (setting->scheme == SCHEME_NONE)
        return true;
    alibaba->tt = tt;
    tt->replacement = (Replacement)setting->scheme;
    tt->no_refresh = setting->stamping != STAMPING_REFRESH;
    return tt_resize_positions(tt, (uint64_t)setting->kilo * 1024);
}

/* Keeps, ages or clears history and table between two positions of a game, by the setting. */
static void prepare_next_position(Alibaba *alibaba, const Setting *setting)
{
    alibaba_pass_history(alibaba, setting->history);
    if (alibaba->tt == NULL)
        return;
    if (setting->stamping == STAMPING_OFF)
        tt_clear(alibaba->tt);
    else
        tt_new_search(alibaba->tt);
}

/* Searches the positions of a unit. Returns early, with true, when stopped. False, with the reason
 * in `error`, on failure. */
static bool search_unit(SeriesRun *run, Alibaba *alibaba, const Unit *unit, JobsState *state,
                        char *error)
{
    for (int i = unit->first; i < unit->first + unit->count; i++) {
        AlibabaIteration iterations[ALIBABA_MAX_DEPTH + 1];
        const int reached =
            alibaba_search(alibaba, &run->plan->positions[i].pos, unit->max_ply, iterations);
        if (!add_rows(run, unit, i, iterations, reached, error))
            return false;
        if (reached < unit->max_ply)
            return true; // stopped
        atomic_fetch_add_explicit(&run->searched, nodes_total(&alibaba->nodes),
                                  memory_order_relaxed);
        atomic_fetch_add_explicit(&state->progress, (uint64_t)(unit->weight / unit->count),
                                  memory_order_relaxed);
        if (i + 1 < unit->first + unit->count)
            prepare_next_position(alibaba, &unit->setting);
    }
    return true;
}

/* A job: makes the observations of one unit. */
static bool run_unit(void *ctx, int job, JobsState *state, char *error)
{
    SeriesRun *const run = ctx;
    const Unit *const unit = &run->list.units[job];
    Alibaba *const alibaba = calloc(1, sizeof *alibaba);
    Tt tt = {0};
    bool is_good = alibaba != NULL && prepare(alibaba, &tt, &unit->setting);
    if (is_good) {
        alibaba->stop = &state->stop;
        is_good = search_unit(run, alibaba, unit, state, error);
    } else {
        snprintf(error, JOBS_ERROR_MAX, "out of memory");
    }
    tt_free(&tt);
    free(alibaba);
    return is_good;
}

JobsEnd series_run(const SeriesPlan *plan, Results *results, SeriesTally *tally, char *error)
{
    *tally = (SeriesTally){0};
    SeriesRun run = {.plan = plan, .results = results};
    const int64_t start_ms = clock_ms();
    run.list = list_work(plan, results, tally);
    const Jobs jobs = {.label = "replacement",
                       .count = run.list.count,
                       .threads = plan->threads,
                       .total_steps = (uint64_t)tally->expected,
                       .ctx = &run,
                       .run = run_unit};
    JobsEnd end = JOBS_DONE;
    if (run.list.is_incomplete) {
        snprintf(error, RESULTS_ERROR_MAX, "out of memory");
        end = JOBS_FAILED;
    } else if (run.list.count > 0) {
        end = jobs_run(&jobs, error);
    }
    free(run.list.units);
    tally->searched = (double)atomic_load(&run.searched);
    tally->elapsed_ms = clock_ms() - start_ms;
    return end;
}
