// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Loads positions from game files into memory, or those for training into a store on disk. The last
 * games of each file are held out: their positions are not used for training, so the loss on them
 * measures generalisation. Whole games are held out, because positions of one game are similar. */

#include "eval/eval.h"
#include "games/gamecode.h"
#include "train/sample.h"
#include "train/sample_store.h"
#include "train/thread_pool.h"
#include "train/tree_learning.h"

enum { LOADER_ERROR_MAX = 512 };

typedef struct {
    Sample *samples;
    size_t count;
    size_t bytes; // allocated
} SampleSet;

typedef struct {
    SampleSet train, held_out; // shuffled
    SampleStore *store;      // all positions to train on; `train` is then a random part of them, to
                             // measure with. NULL: `train` has all
    uint64_t games;          // that could be decoded, those held out included
    uint64_t held_out_games; // that could be decoded and are held out
    uint64_t tree_nodes; // among the positions to train on; with a store, before `max_positions`
    uint64_t damaged;    // unreadable blocks and games, and truncated files
} Dataset;

typedef struct {
    const char *const *paths;
    int path_count;
    TreeLearning tree;       // tree nodes to train on; held-out games have none
    double held_out_percent; // of the games of each file; the number of games is rounded up
    uint64_t max_positions;  // train on a random subset of this size; 0: on all
    uint64_t seed;           // of the shuffle
    int score_max;           // leave out positions with a larger score for a side; 0: no limit
    /* With `quiet_eval`, leave out positions whose quiescence search finds more than `quiet_within`
     * units above this static evaluation, see single_is_quiet(). NULL: keep them. */
    const EvalSource *quiet_eval;
    int quiet_within;
    const char *store_path; // put the positions to train on into a store (sample_store.h) in the
                            // folder of this path; NULL: into memory
    double td_share, unit;  // arguments of td_targets_mix(); td_share 0: it is not called
    bool is_silent;         // no progress bar
} LoaderOptions;

/* Loads all positions that gamecode_suits_training() accepts and that pass the filters of the
 * options. The filters see the scores of the file, before td_targets_mix(). Also loads tree nodes;
 * no filter applies to them. Skips and counts damaged games. Equal files, options and seed give
 * equal sets, whatever the number of threads. Call from the thread that created the pool. Returns
 * false, with the reason in `error` (LOADER_ERROR_MAX bytes), if a file cannot be read, memory runs
 * out, the store cannot be written, there is no position to train on, or there are no tree nodes
 * although `tree` gives them a weight. Call loader_free() in either case. */
bool loader_load(Dataset *dataset, const LoaderOptions *options, ThreadPool *pool, char *error);

/* Returns the number of positions to train on. */
uint64_t loader_positions(const Dataset *dataset);

/* Frees sets and store; `*dataset` is then empty. */
void loader_free(Dataset *dataset);
