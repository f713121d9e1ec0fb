// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* From files of games to positions in memory. The games at the end of each file are held out: none
 * of their positions is trained on, and so they tell what has been learned rather than remembered.
 * Positions of one game are alike, hence whole games. */

#include "games/gamecode.h"
#include "train/sample.h"
#include "train/thread_pool.h"

enum { LOADER_ERROR_MAX = 512 };

typedef struct {
    Sample *samples;
    size_t count;
    size_t bytes; // allocated
} SampleSet;

typedef struct {
    SampleSet train, held_out; // shuffled
    uint64_t games, held_out_games;
    uint64_t damaged; // blocks and games that could not be read, and files without an end
} Dataset;

typedef struct {
    const char *const *paths;
    int path_count;
    double held_out_percent; // of the games of each file, rounded up
    uint64_t max_positions;  // a random choice of so many to train on; 0: all
    uint64_t seed;
    double hindsight; // share of td_targets_mix() in the scores
    bool is_quiet;    // no progress bar
} LoaderOptions;

/* Reads all that gamecode_keeps(). What is damaged is skipped and counted; equal files, options and
 * seed give equal sets whatever the size of `crew`. False, with the reason in `error`
 * (LOADER_ERROR_MAX bytes), when a file cannot be opened, memory runs out or no position is left to
 * train on. Free with loader_free() either way. */
bool loader_load(Dataset *dataset, const LoaderOptions *options, ThreadPool *pool, char *error);

void loader_free(Dataset *dataset);
