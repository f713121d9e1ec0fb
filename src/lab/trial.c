// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/trial.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/interrupt.h"
#include "base/thread.h"
#include "chess/epd.h"
#include "chess/fen.h"
#include "engine/bench.h"
#include "lab/lab.h"

enum { ID_MAX = 64, PATH_BYTES = 1024 };
enum { SIGNATURE_STEP = 5, SIGNATURE_DEPTH = 10 }; // every fifth position of the bench, plies

/* The game a record is from: its id up to the point. `id` holds ID_MAX bytes. */
static void read_game(const EpdRecord *record, char *id)
{
    if (!epd_operand(record, "id", id, ID_MAX))
        id[0] = '\0';
    char *const point = strchr(id, '.');
    if (point != NULL)
        *point = '\0';
    else
        id[0] = '\0';
}

/* Reads all positions. */
static bool read_suite(Trial *trial, FILE *file, char *error)
{
    EpdRecord record;
    char game[ID_MAX], last_game[ID_MAX] = "";
    int capacity = 0, status = epd_next(file, &record, true, error);
    for (; status == 1; status = epd_next(file, &record, true, error)) {
        if (trial->count == capacity) {
            capacity = capacity > 0 ? 2 * capacity : 512;
            TrialRoot *const more = realloc(trial->roots, (size_t)capacity * sizeof *more);
            if (more == NULL) {
                snprintf(error, FEN_ERROR_MAX, "out of memory");
                return false;
            }
            trial->roots = more;
        }
        read_game(&record, game);
        const bool is_same = trial->count > 0 && game[0] != '\0' && strcmp(game, last_game) == 0;
        const int number = trial->count + 1;
        trial->roots[trial->count] =
            (TrialRoot){.pos = record.pos,
                        .number = number,
                        .game = is_same ? trial->roots[trial->count - 1].game : number};
        trial->count++;
        memcpy(last_game, game, sizeof game);
    }
    if (status == 0 && trial->count == 0)
        snprintf(error, FEN_ERROR_MAX, "no positions");
    return status == 0 && trial->count > 0;
}

static void keep_spread(Trial *trial, int wanted)
{
    if (wanted == 0 || wanted >= trial->count)
        return;
    for (int i = 0; i < wanted; i++)
        trial->roots[i] = trial->roots[(int64_t)i * trial->count / wanted];
    trial->count = wanted;
}

/* Searches what the signature is of. */
static bool sign(Trial *trial, char *error)
{
    Single *const single = single_create(1, &trial->eval.source);
    if (single == NULL) {
        snprintf(error, TRIAL_ERROR_MAX, "out of memory");
        return false;
    }
    const Limits limits = {.depth = SIGNATURE_DEPTH, .move_ms = -1};
    int count;
    const char *const *const fens = bench_fens(&count);
    for (int i = 0; i < count; i += SIGNATURE_STEP) {
        char reason[FEN_ERROR_MAX];
        Position pos;
        Path path;
        if (!fen_parse(&pos, fens[i], false, reason))
            continue;
        path_start(&path, &pos);
        trial->signature += single_search(single, &pos, &path, &limits).nodes;
    }
    single_destroy(single);
    return true;
}

bool trial_open(Trial *trial, const char *suite, int wanted, const char *eval, char *error)
{
    *trial = (Trial){0};
    FILE *const file = fopen(suite, "r");
    if (file == NULL) {
        snprintf(error, TRIAL_ERROR_MAX, "%s: %s", suite, strerror(errno));
        return false;
    }
    char reason[FEN_ERROR_MAX];
    const bool is_read = read_suite(trial, file, reason);
    fclose(file);
    if (!is_read) {
        snprintf(error, TRIAL_ERROR_MAX, "%s: %s", suite, reason);
        return false;
    }
    keep_spread(trial, wanted);
    for (int i = 0; i < trial->count; i++)
        trial->game_count += i == 0 || trial->roots[i].game != trial->roots[i - 1].game;
    return eval_choice_open(&trial->eval, eval, error) && sign(trial, error);
}

void trial_print_key(const Trial *trial, int first, int count, char *key)
{
    uint64_t sum = 0;
    for (int root = first; root < first + count; root++) {
        const Position *const pos = &trial->roots[root].pos;
        const uint64_t part[] = {sum, pos->key, pos->rule50};
        sum = checksum64(part, sizeof part);
    }
    snprintf(key, TRIAL_KEY_MAX, "%s,%" PRIu64 ",%d,%016" PRIx64, trial->eval.name,
             trial->signature, trial->roots[first].number, sum);
}

void trial_close(Trial *trial)
{
    free(trial->roots);
    eval_choice_close(&trial->eval);
    *trial = (Trial){0};
}

int trial_game_roots(const Trial *trial, int game, int *count)
{
    int first = 0, end = 0;
    for (int i = 0; i <= game; i++) {
        first = end;
        while (end < trial->count && trial->roots[end].game == trial->roots[first].game)
            end++;
    }
    *count = end - first;
    return first;
}

static bool search_roots(const Trial *trial, int first, int count, const TrialSetting *setting,
                         TrialResult *result)
{
    Single *const single = single_create(setting->hash_mib, &trial->eval.source);
    if (single == NULL)
        return false;
    Tt *const tt = single_table(single);
    tt->replacement = setting->replacement;
    tt->check_mask = UINT64_MAX >> (64 - setting->check_bits);
    if (setting->keeps_stale)
        tt->no_refresh = true;
    tt->first_move_only = setting->tells_one_move;
    const Limits limits = {.depth = setting->depth, .move_ms = -1};
    *result = (TrialResult){0};
    for (int root = first; root < first + count; root++) {
        const uint64_t nodes_before = result->search.nodes;
        const Position *const pos = &trial->roots[root].pos;
        Path path;
        path_start(&path, pos);
        result->search = single_search(single, pos, &path, &limits);
        result->search.nodes += nodes_before;
        tt_stats_add(&result->tt, &single_stats(single)->tt);
    }
    single_destroy(single);
    return true;
}

bool trial_search(const Trial *trial, int root, const TrialSetting *setting, TrialResult *result)
{
    return search_roots(trial, root, 1, setting, result);
}

bool trial_game(const Trial *trial, int game, const TrialSetting *setting, TrialResult *result)
{
    int count;
    const int first = trial_game_roots(trial, game, &count);
    return search_roots(trial, first, count, setting, result);
}

static int run_grid(const GridPlan *plan, TrialReport report)
{
    char error[RESULTS_ERROR_MAX] = "out of memory";
    Grid grid = {0};
    interrupt_watch();
    const GridEnd end = grid_run(&grid, plan, error);
    const bool is_good = end != GRID_FAILED && report(plan->ctx, &grid);
    if (!is_good)
        fprintf(stderr, "%s\n", error);
    grid_free(&grid);
    return !is_good ? LAB_BAD : end == GRID_INTERRUPTED ? LAB_INTERRUPTED : LAB_GOOD;
}

int trial_run(Trial *trial, const TrialOptions *options, TrialRows rows, GridPlan plan,
              TrialReport report)
{
    char suite[PATH_BYTES], error[TRIAL_ERROR_MAX];
    int status = LAB_BAD;
    lab_shared_file("middlegames-500.epd", suite, sizeof suite);
    if (trial_open(trial, options->suite != NULL ? options->suite : suite, (int)options->positions,
                   options->eval, error)) {
        plan.count *= rows == TRIAL_GAMES ? trial->game_count : trial->count;
        plan.jobs = options->jobs > 0 ? (int)options->jobs : thread_hardware_count();
        plan.shard = options->shard;
        plan.csv_path = options->csv_path;
        status = run_grid(&plan, report);
    } else {
        fprintf(stderr, "%s\n", error);
    }
    trial_close(trial);
    return status;
}
