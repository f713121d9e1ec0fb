// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Searches fixed positions to a fixed depth. The number of nodes is the signature of the search,
 * the same on every machine; the time measures its speed. */

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

/* Called many times a second; true ends the bench. */
typedef bool (*BenchStopsFn)(void *ctx);

typedef struct {
    uint64_t hash_mib;
    int threads;
    Limits limits;          // of each search
    const EvalSource *eval; // NULL: the built-in one
    const Position *roots;  // `root_count` positions
    int root_count;
    BenchLineFn line;   // or NULL
    BenchStopsFn stops; // or NULL
    void *ctx;          // for `line` and `stops`
} BenchJob;

typedef struct {
    uint64_t nodes;
    int64_t elapsed_ms;             // sum over the searches
    uint64_t hash_mib;              // may be less than requested
    int threads;                    // may be less than requested
    bool huge_pages;                // the table uses them
    int hashfull_sum, hashfull_max; // per thousand, read after each search
} BenchResult;

/* The positions of the standard bench: `*count` FENs of standard chess. */
const char *const *bench_fens(int *count);

/* Searches all positions with an engine of its own; the table starts empty and is not cleared in
 * between. Returns false when memory is short. */
bool bench_run(const BenchJob *job, BenchResult *result);
