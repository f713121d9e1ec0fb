// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Plays many games in parallel and writes them to one file. Each thread plays one game at a time
 * and writes it when it is finished, so that a crash loses only unfinished games. An existing file
 * is continued: its games count towards the target, and new numbers start above its highest. */

#include "datagen/gamefile.h"
#include "datagen/selfplay.h"

enum { GENERATE_THREADS_MAX = 1024 };

typedef struct {
    const char *path;
    int threads;
    uint64_t games;     // target number of games in the file; 0: none
    uint64_t positions; // target number of kept positions in the file; 0: none
    uint64_t hash_mib;  // of each thread
    SelfplayOptions selfplay;
    const EvalSource *eval;
    const atomic_bool *stop; // true: drop the unfinished games and end; may be NULL
    bool is_silent;          // no progress bar
} GenerateOptions;

typedef struct {
    GamefileTally found;       // contents of the file before
    uint64_t games, positions; // in the file now
    double core_seconds;       // CPU time of the games
    int dropped;               // games unfinished when `stop` came
    bool stopped;              // `stop` came before the target
} GenerateResult;

/* Plays until the file reaches a target, or until `stop`. When the target of positions is reached,
 * other threads still finish and write their games. Returns false, with the reason in `error`
 * (GAMEFILE_ERROR_MAX bytes), when the file cannot be read or written, memory or threads are short,
 * or `stop` came while the existing file was being read. Games already written stay in the file. */
bool generate_games(const GenerateOptions *options, GenerateResult *result, char *error);
