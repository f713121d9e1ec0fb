// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Plays many games in parallel and writes them to one file. Each thread plays one game at a time
 * and writes the game when it is finished, so that a crash loses only unfinished games. New games
 * are appended to an existing file: its games count towards the target, and the new numbers follow
 * its highest number. */

#include "datagen/gamefile.h"
#include "datagen/selfplay.h"

enum { GENERATE_THREADS_MAX = 1024 };

typedef struct {
    const char *path;
    int threads;
    uint64_t games;     // target number of games in the file; 0: none
    uint64_t positions; // target number of kept positions in the file; 0: none
    uint64_t hash_mib;  // transposition table of each thread
    SelfplayOptions selfplay;
    const EvalSource *eval;  // must outlive the call
    const atomic_bool *stop; // true: drop the unfinished games and end; may be NULL
    bool is_silent;          // no progress bar
} GenerateOptions;

typedef struct {
    GamefileTally found;       // contents of the file before the run
    uint64_t games, positions; // in the file now
    uint64_t tree_nodes;       // written by this run
    double core_seconds;       // CPU time of all threads
    int dropped;               // games unfinished when `stop` became true
    bool stopped;              // `stop` became true before the target was reached
} GenerateResult;

/* Plays until the file reaches one of the two targets, or until `stop` is true. When the target of
 * positions is reached, the other threads still finish and write their games. Returns false, with
 * the reason in `error` (GAMEFILE_ERROR_MAX bytes), when the file cannot be read or written or has
 * undamaged games that this program cannot read, memory or threads are short, or `stop` became true
 * while the existing file was read. Games already written stay in the file. */
bool generate_games(const GenerateOptions *options, GenerateResult *result, char *error);
