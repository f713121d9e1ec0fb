// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A fixed set of positions searched to a fixed depth: the number of nodes is the signature of the
 * search, the same on every machine, and the time is its speed. */

#include "engine/engine.h"

enum { BENCH_DEPTH = 15, BENCH_HASH_MIB = 16 }; // of a bench nobody asked otherwise

/* One position done. */
typedef struct {
    int number, count; // this one, from 1, of so many
    const Position *root;
    Move best;
    uint64_t nodes;
} BenchLine;

/* Told after each position. */
typedef void (*BenchLineFn)(void *ctx, const BenchLine *line);

/* Asked many times a second; true ends the bench. */
typedef bool (*BenchStopsFn)(void *ctx);

typedef struct {
    uint64_t hash_mib;
    int threads;
    Limits limits;          // of each search
    const EvalSource *eval; // NULL: what is built in
    const Position *roots;  // `root_count` of them
    int root_count;
    BenchLineFn line;   // NULL: silence
    BenchStopsFn stops; // NULL: never
    void *ctx;
} BenchJob;

typedef struct {
    uint64_t nodes;
    int64_t elapsed_ms;              // of the searches alone
    uint64_t hash_mib;               // what there was memory for,
    int threads;                     // and how many the machine allowed
    bool huge_pages;                 // the table has them
    int hashfull_sum, hashfull_most; // per thousand, after each search
} BenchResult;

/* The positions of the standard bench, `*count` FENs of standard chess. */
const char *const *bench_fens(int *count);

/* Searches all positions with a pool of its own, which begins empty and is not cleared in between.
 * False when there is no memory for it. */
bool bench_run(const BenchJob *job, BenchResult *result);
