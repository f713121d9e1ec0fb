// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Searches fixed positions to a fixed depth. The number of nodes is the signature of the search: it
 * is the same on every machine. The time shows the speed. */

#include "engine/engine.h"

enum { BENCH_DEPTH = 15, BENCH_HASH_MIB = 16 }; // defaults

/* The result of one position. */
typedef struct {
    int number, count; // position `number` (from 1) of `count`
    const Position *root;
    Move best;
    uint64_t nodes;
} BenchLine;

/* Called after each position. */
typedef void (*BenchLineFn)(void *ctx, const BenchLine *line);

typedef struct {
    uint64_t hash_mib;
    int threads;
    Limits limits;          // of each search
    const EvalSource *eval; // NULL: the built-in evaluation
    const Position *roots;  // `root_count` positions
    int root_count;
    BenchLineFn line;    // or NULL
    EngineStopsFn stops; // or NULL; also called after each position; true ends the bench
    void *ctx;           // for `line` and `stops`
} BenchJob;

typedef struct {
    uint64_t nodes;
    int64_t elapsed_ms;             // sum of the times of all searches
    uint64_t hash_mib;              // may be less than requested
    int threads;                    // may be less than requested
    bool huge_pages;                // the table has huge pages
    int hashfull_sum, hashfull_max; // per thousand, read after each search
} BenchResult;

/* Returns the positions of the standard bench, `*count` FENs of standard chess. The array is
 * constant. */
const char *const *bench_fens(int *count);

/* Searches all positions with a new engine. The table starts empty and is not cleared between
 * positions. Calls the callbacks on the caller's thread. If job->stops ends the bench, `result` has
 * the sums up to then. Returns false when memory is short. */
bool bench_run(const BenchJob *job, BenchResult *result);
