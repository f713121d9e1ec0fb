// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Random games, positions and parameters for the tests of the trainer; each depends only on its
 * seed. */

#include "games/gamecode.h"
#include "train/loader.h"
#include "train/model.h"

enum { MADE_PATH_ROOM = 64 };

/* Plays a random legal game from a random starting array. */
void made_game(GameRecord *game, uint64_t seed);

/* Fills `samples` with positions of random games whose score is their material. */
void made_samples(Sample *samples, size_t count, uint64_t seed);

/* Returns a set of such samples; free with loader_free() as part of a Dataset. */
SampleSet made_set(size_t count, uint64_t seed);

/* Parameters that clip about half of the neurons on either side. */
Parameters *made_parameters(uint64_t seed);

/* Empties the temporary file that was opened beside `path` and has no name any more, as a failing
 * disk would. Returns false if the system has no way to do so; the test must then skip. */
bool made_lose_temporary(const char *path);

/* Makes an empty file and writes its name to `path` (MADE_PATH_ROOM). */
void made_path(char *path);
