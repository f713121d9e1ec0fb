// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/breuker1994/series.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/progress.h"

enum { LOOK_MS = 100 }; // between two looks at how far the threads are

/* Searches that belong together: of all positions in turn, or of one. */
typedef struct {
    Setting setting;
    int min_ply, max_ply; // observed
    int first, count;     // positions, from 0
    double weight;        // expected nodes of what is missing
    int number;           // in the order of listing
} Unit;

typedef struct {
    Unit *units;
    int count, capacity;
    bool is_short; // of memory
} UnitList;

/* What the threads share. */
typedef struct {
    const SeriesPlan *plan;
    Results *results;
    UnitList list;
    atomic_bool stop;
    char *error;
    Mutex mutex; // guards all below, and `error`
    int next, working;
    double done; // expected nodes behind us
    double searched;
    bool has_failed;
} SeriesRun;

/* Expected nodes of one position's search to `ply`: the paper's, a position; four times as many for
 * each ply more. */
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

static bool is_linked(const Setting *setting)
{
    return setting->stamping != STAMPING_OFF || setting->history != HISTORY_CLEARED;
}

/* Whether the row is in the file already. */
static bool is_known(Results *results, const Setting *setting, int ply, int position)
{
    const Observation wanted = {.setting = *setting, .ply = ply, .position = position + 1};
    char key[RESULTS_ROW_MAX];
    observation_key(&wanted, key);
    return results_find(results, key) != NULL;
}

/* How many of the unit's observations are missing; `*last` becomes the last position that misses
 * one. */
static int missing(Results *results, const Unit *unit, int *last)
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
            list->is_short = true;
            list->capacity = list->count;
            return;
        }
        list->units = units;
    }
    unit.weight = unit.count * expected_nodes(unit.setting.scheme, unit.max_ply);
    unit.number = list->count;
    list->units[list->count++] = unit;
}

/* The paper searched 8 ply with 16K, 64K, 256K and 1024K only. */
static bool wants_ply(int kilo, int ply)
{
    const bool is_odd_power = (kilo & (kilo - 1)) == 0 && (kilo & 0x55555555) == 0;
    return ply < 8 || kilo == 0 || !is_odd_power;
}

/* Adds the units of one setting. */
static void add_setting(UnitList *list, const SeriesPlan *plan, Setting setting)
{
    int max_ply = plan->max_ply;
    while (max_ply >= plan->min_ply && !wants_ply(setting.kilo, max_ply))
        max_ply--;
    if (max_ply < plan->min_ply)
        return;
    if (!is_linked(&setting)) {
        for (int i = 0; i < plan->position_count; i++)
            add_unit(list, (Unit){setting, plan->min_ply, max_ply, i, 1, 0, 0});
        return;
    }
    for (int ply = plan->min_ply; ply <= max_ply; ply++)
        add_unit(list, (Unit){setting, ply, ply, 0, plan->position_count, 0, 0});
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
    if (plan->reference && seed == 0) // without a table the keys do not matter
        add_setting(list, plan, setting);
}

static int compare_units(const void *a, const void *b)
{
    const Unit *const x = a, *const y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return x->number - y->number; // the shards must all see one order
}

/* The work of this shard that is not in the file, the longest first, so that the threads end
 * together. */
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
        const int absent = missing(results, &unit, &last);
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

SeriesTally series_survey(const SeriesPlan *plan, Results *results)
{
    SeriesTally tally = {0};
    free(list_work(plan, results, &tally).units);
    return tally;
}

static void fail(SeriesRun *run, const char *reason)
{
    mutex_lock(&run->mutex);
    if (!run->has_failed)
        snprintf(run->error, RESULTS_ERROR_MAX, "%s", reason);
    run->has_failed = true;
    mutex_unlock(&run->mutex);
    atomic_store_explicit(&run->stop, true, memory_order_relaxed);
}

/* Adds the observations of one search that finished `reached` iterations. */
static void add_rows(SeriesRun *run, const Unit *unit, int position,
                     const AlibabaIteration *iterations, int reached)
{
    char row[RESULTS_ROW_MAX], error[RESULTS_ERROR_MAX];
    for (int ply = unit->min_ply; ply <= unit->max_ply && ply <= reached; ply++) {
        Observation made = {.setting = unit->setting,
                            .ply = ply,
                            .position = position + 1,
                            .nodes = iterations[ply].nodes,
                            .score = iterations[ply].score};
        move_to_uci(iterations[ply].move, false, made.move);
        observation_print(&made, row);
        if (!results_add(run->results, row, error)) {
            fail(run, error);
            return;
        }
    }
}

/* Makes the table what the unit's setting says, empty; false when memory is short. */
static bool prepare_table(Alibaba *alibaba, Tt *tt, const Setting *setting)
{
    alibaba->tt = setting->scheme == SCHEME_NONE ? NULL : tt;
    if (alibaba->tt == NULL)
        return true;
    const uint64_t positions = (uint64_t)setting->kilo * 1024;
    tt->replacement = (Replacement)setting->scheme;
    tt->no_refresh = setting->stamping != STAMPING_REFRESH;
    if (tt->slot_count != positions / 2)
        return tt_resize_positions(tt, positions);
    tt_clear(tt);
    return true;
}

/* Between two positions of a game. */
static void pass_move(Alibaba *alibaba, const Setting *setting)
{
    alibaba_pass_history(alibaba, setting->history);
    if (alibaba->tt == NULL)
        return;
    if (setting->stamping == STAMPING_OFF)
        tt_clear(alibaba->tt);
    else
        tt_new_search(alibaba->tt);
}

static void run_unit(SeriesRun *run, Alibaba *alibaba, Tt *tt, const Unit *unit)
{
    if (!prepare_table(alibaba, tt, &unit->setting)) {
        fail(run, "out of memory");
        return;
    }
    alibaba->seed = (uint64_t)unit->setting.seed;
    alibaba->early_termination = unit->setting.early_termination;
    alibaba_init(alibaba);
    for (int i = unit->first; i < unit->first + unit->count; i++) {
        AlibabaIteration iterations[ALIBABA_MAX_DEPTH + 1];
        const int reached =
            alibaba_search(alibaba, &run->plan->positions[i], unit->max_ply, iterations);
        add_rows(run, unit, i, iterations, reached);
        if (i + 1 < unit->first + unit->count)
            pass_move(alibaba, &unit->setting);
        mutex_lock(&run->mutex);
        run->done += unit->weight / unit->count;
        run->searched += (double)nodes_total(&alibaba->nodes);
        mutex_unlock(&run->mutex);
        if (reached < unit->max_ply)
            return;
    }
}

/* Takes the next unit; NULL when there is none or the run ends. */
static const Unit *next_unit(SeriesRun *run)
{
    const Unit *unit = NULL;
    mutex_lock(&run->mutex);
    if (run->next < run->list.count && !atomic_load_explicit(&run->stop, memory_order_relaxed))
        unit = &run->list.units[run->next++];
    mutex_unlock(&run->mutex);
    return unit;
}

static void *work(void *arg)
{
    SeriesRun *const run = arg;
    Alibaba *const alibaba = calloc(1, sizeof *alibaba);
    Tt tt = {0};
    if (alibaba == NULL) {
        fail(run, "out of memory");
    } else {
        alibaba->stop = &run->stop;
        for (const Unit *unit = next_unit(run); unit != NULL; unit = next_unit(run))
            run_unit(run, alibaba, &tt, unit);
    }
    tt_free(&tt);
    free(alibaba);
    mutex_lock(&run->mutex);
    run->working--;
    mutex_unlock(&run->mutex);
    return NULL;
}

/* Draws the bar and passes signals on until the threads are done. */
static void watch(SeriesRun *run, double expected)
{
    Progress progress;
    int working = 1;
    progress_start(&progress, "replacement", (uint64_t)expected);
    while (working > 0) {
        clock_sleep_ms(LOOK_MS);
        if (interrupt_pending())
            atomic_store_explicit(&run->stop, true, memory_order_relaxed);
        mutex_lock(&run->mutex);
        working = run->working;
        const double done = run->done;
        mutex_unlock(&run->mutex);
        progress_update(&progress, (uint64_t)done);
    }
    progress_finish(&progress);
}

SeriesEnd series_run(const SeriesPlan *plan, Results *results, SeriesTally *tally, char *error)
{
    *tally = (SeriesTally){0};
    SeriesRun run = {.plan = plan, .results = results, .error = error};
    const int64_t start_ms = clock_ms();
    run.list = list_work(plan, results, tally);
    Thread *const threads = calloc((size_t)plan->jobs, sizeof *threads);
    mutex_init(&run.mutex);
    if (threads == NULL || run.list.is_short)
        fail(&run, "out of memory");
    const int jobs = threads == NULL ? 0 : plan->jobs;
    int started = 0;
    run.working = jobs;
    while (started < jobs && thread_start(&threads[started], work, &run))
        started++;
    mutex_lock(&run.mutex);
    run.working -= jobs - started;
    mutex_unlock(&run.mutex);
    if (started == 0)
        fail(&run, "no thread could be started");
    else if (run.list.count > 0)
        watch(&run, tally->expected);
    for (int i = 0; i < started; i++)
        thread_join(&threads[i]);
    mutex_destroy(&run.mutex);
    free(threads);
    free(run.list.units);
    tally->searched = run.searched;
    tally->elapsed_ms = clock_ms() - start_ms;
    if (run.has_failed)
        return SERIES_FAILED;
    return interrupt_pending() ? SERIES_INTERRUPTED : SERIES_DONE;
}
