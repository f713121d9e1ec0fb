// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/speed.h"

#include <time.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "chess/movegen.h"
#include "chess/play.h"
#include "train/trainer.h"

enum { SAMPLES = 1 << 19, PIECES = 28, GAME_PLIES = 200, SECONDS = 5 };

/* Random games, of which the positions with 28 pieces are taken. */
static void fill(SampleSet *set)
{
    Rng rng;
    rng_seed(&rng, 1);
    while (set->count < SAMPLES) {
        Position pos;
        gamecode_start(&pos, CHESS960_STANDARD, CHESS960_STANDARD);
        for (int ply = 0; ply < GAME_PLIES && set->count < SAMPLES; ply++) {
            Move moves[MAX_MOVES];
            const int count = gen_legal(&pos, moves), pieces = popcount(pos_occupied(&pos));
            if (count == 0 || pieces < PIECES)
                break;
            if (pieces == PIECES)
                sample_pack(&set->samples[set->count++], &pos, (int)rng_below(&rng, 2001) - 1000,
                            (int)rng_below(&rng, 3));
            const Position before = pos;
            pos_play(&pos, &before, moves[rng_below(&rng, (uint64_t)count)]);
        }
    }
}

static void measure(Trainer *trainer, Speed *speed)
{
    trainer_batch(trainer); // touches all memory once
    const int64_t begin_us = clock_us();
    const clock_t begin_cpu = clock();
    double positions = 0.0;
    int64_t taken_us = 0;
    while (taken_us < SECONDS * 1000000) {
        positions += (double)trainer_batch(trainer);
        taken_us = clock_us() - begin_us;
    }
    speed->positions_per_second = positions / (double)taken_us * 1e6;
    speed->positions_per_cpu_second = positions / ((double)(clock() - begin_cpu) / CLOCKS_PER_SEC);
}

bool speed_measure(Speed *speed, Crew *crew)
{
    static const TrainSettings SETTINGS = {.epochs = 1000,
                                           .batch = 16384,
                                           .seed = 1,
                                           .lambda = 0.1,
                                           .rate = 1e-3,
                                           .rate_end = 1e-6,
                                           .power = 2.0};
    Dataset dataset = {.train = {.bytes = SAMPLES * sizeof(Sample)}};
    dataset.train.samples = mem_alloc_large(dataset.train.bytes, NULL);
    Trainer *trainer = NULL;
    if (dataset.train.samples != NULL) {
        fill(&dataset.train);
        trainer = trainer_create(&SETTINGS, &dataset, crew);
    }
    const bool is_ready = trainer != NULL;
    if (is_ready)
        measure(trainer, speed);
    trainer_free(trainer);
    loader_free(&dataset);
    return is_ready;
}
