// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Many games at once into one file. Each thread plays its own games; a finished one goes to the
 * file at once, so that whatever happens to the process only the games in hand are lost. A file
 * that is there already is continued: its games count, and numbers go on above its highest. */

#include "datagen/gamefile.h"
#include "datagen/selfplay.h"

enum { GENERATE_THREADS_MAX = 1024 };

typedef struct {
    const char *path;
    int threads;
    uint64_t games;     // the file shall hold so many; 0: no such end
    uint64_t positions; // kept ones the file shall hold; 0: no such end
    uint64_t hash_mib;  // of each thread
    SelfplayOptions selfplay;
    const EvalSource *eval;
    const atomic_bool *stop; // ends the run soon, games in hand dropped; NULL: never
    bool is_silent;          // no bar
} GenerateOptions;

typedef struct {
    GamefileTally found;       // in the file before
    uint64_t games, positions; // in it now
    double core_seconds;       // spent on playing
    int dropped;               // games in hand when told to stop
    bool stopped;              // before the end asked for
} GenerateResult;

/* Plays until the file holds what is asked for, or `stop`. With several threads the games in hand
 * when enough positions are there are still finished and written. False, with the reason in `error`
 * (GAMEFILE_ERROR_MAX bytes), when the file cannot be used, the machine fails, or `stop` came while
 * the file was still being read; what was written stays good. */
bool generate_games(const GenerateOptions *options, GenerateResult *result, char *error);
