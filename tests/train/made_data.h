// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Made-up games, positions and parameters for the tests of the trainer, all from seeds. */

#include "games/gamecode.h"
#include "train/loader.h"
#include "train/model.h"

enum { MADE_PATH_ROOM = 64 };

/* A random legal game from a random array. */
void made_game(GameRecord *game, uint64_t seed);

/* Fills `samples` with positions of random games whose score is their material. */
void made_samples(Sample *samples, size_t count, uint64_t seed);

/* A set of such samples; free with loader_free() as part of a Dataset. */
SampleSet made_set(size_t count, uint64_t seed);

/* Parameters with which about half of the neurons are clipped on either side. */
Parameters *made_parameters(uint64_t seed);

/* Makes an empty file and writes its name to `path` (MADE_PATH_ROOM). */
void made_path(char *path);
