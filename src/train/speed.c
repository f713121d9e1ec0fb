// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/speed.h"

#include <limits.h>
#include <time.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "chess/chess960.h"
#include "chess/movegen.h"
#include "chess/play.h"
#include "nnue/forward.h"
#include "nnue/network.h"
#include "train/trainer.h"

enum { SAMPLES = 1 << 19, PIECES = 28, GAME_PLIES = 200, SECONDS = 5 };
/* For speed_inference(). A round is long enough to be measured in microseconds. */
enum { LINES = 4, LINE_PLIES = 64, REPEATS = 200, ROUNDS = 20 };

/* Plays random games and keeps the positions with 28 pieces. */
static void fill(SampleSet *set)
{
    Rng rng;
    rng_seed(&rng, 1);
    while (set->count < SAMPLES) {
        Position pos;
        pos_start(&pos);
        for (int ply = 0; ply < GAME_PLIES && set->count < SAMPLES; ply++) {
            Move moves[MAX_MOVES];
            const int count = gen_legal(&pos, moves), pieces = popcount(pos_occupied(&pos));
            if (count == 0 || pieces < PIECES)
                break;
            if (pieces == PIECES)
                sample_pack(&set->samples[set->count++], &pos, (int)rng_below(&rng, 2001) - 1000,
                            (int)rng_below(&rng, 3));
            pos_advance(&pos, moves[rng_below(&rng, (uint64_t)count)]);
        }
    }
}

static void measure(Trainer *trainer, Speed *speed)
{
    trainer_batch(trainer); // warm-up: touches all memory once
    const int64_t begin_us = clock_us();
    const int64_t begin_cpu_us = clock_process_us();
    double positions = 0.0;
    int64_t taken_us = 0;
    while (taken_us < SECONDS * 1000000) {
        positions += (double)trainer_batch(trainer);
        taken_us = clock_us() - begin_us;
    }
    speed->positions_per_second = positions / (double)taken_us * 1e6;
    speed->positions_per_cpu_second = positions / (double)(clock_process_us() - begin_cpu_us) * 1e6;
}

bool speed_measure(Speed *speed, ThreadPool *pool)
{
    static const TrainSettings SETTINGS = {.epochs = 1000,
                                           .batch = 16384,
                                           .seed = 1,
                                           .lambda = 0.1,
                                           .lambda_end = 0.1,
                                           .unit = NNUE_SCALE,
                                           .rate = 1e-3,
                                           .rate_end = 1e-6,
                                           .power = 2.0};
    Dataset dataset = {.train = {.bytes = SAMPLES * sizeof(Sample)}};
    dataset.train.samples = mem_alloc_large(dataset.train.bytes, NULL);
    Trainer *trainer = NULL;
    if (dataset.train.samples != NULL) {
        fill(&dataset.train);
        trainer = trainer_create(&SETTINGS, &dataset, pool);
    }
    const bool is_ready = trainer != NULL;
    if (is_ready)
        measure(trainer, speed);
    trainer_free(trainer);
    loader_free(&dataset);
    return is_ready;
}

/* Returns a random legal move; a king move only if four draws in a row give king moves. In purely
 * random games the kings would cross the middle of the board, where the mirroring changes and the
 * accumulator is rebuilt, far more often than in a search. MOVE_NONE without legal moves. */
static Move draw_move(const Position *pos, Rng *rng)
{
    Move moves[MAX_MOVES], move = MOVE_NONE;
    const int count = gen_legal(pos, moves);
    for (int i = 0; i < 4 && count > 0; i++) {
        move = moves[rng_below(rng, (uint64_t)count)];
        if (move_from(move) != pos_king(pos, pos->side))
            break;
    }
    return move;
}

/* Fills `positions` with LINES random games of LINE_PLIES positions each. */
static void fill_lines(Position *positions)
{
    Rng rng;
    rng_seed(&rng, 2);
    for (int line = 0; line < LINES;) {
        Position *const first = &positions[line * LINE_PLIES];
        pos_start(first);
        int ply = 0;
        for (; ply + 1 < LINE_PLIES; ply++) {
            const Move move = draw_move(&first[ply], &rng);
            if (move == MOVE_NONE)
                break;
            pos_play(&first[ply + 1], &first[ply], move);
        }
        line += ply + 1 == LINE_PLIES;
    }
}

/* Returns the nanoseconds per evaluation in one round. The index of the next position depends on
 * the result, so evaluations cannot overlap; no result equals INT_MAX, so the index is not changed.
 */
static double round_ns(Accumulators *all, const Position *positions)
{
    const clock_t begin = clock();
    for (int i = 0; i < REPEATS; i++)
        for (int line = 0; line < LINES; line++)
            for (int ply = 0; ply < LINE_PLIES; ply++)
                ply += nnue_evaluate(all, &positions[line * LINE_PLIES + ply], ply) == INT_MAX;
    return (double)(clock() - begin) / CLOCKS_PER_SEC * 1e9 / (REPEATS * LINES * LINE_PLIES);
}

double speed_inference(void)
{
    Network *const network = mem_alloc_large(sizeof *network, NULL);
    Accumulators *const all = mem_alloc_large(sizeof *all, NULL);
    Position *const positions = mem_alloc_large(LINES * LINE_PLIES * sizeof *positions, NULL);
    double best = 0.0;
    if (network != NULL && all != NULL && positions != NULL) {
        network_randomise(network, 1);
        accumulators_reset(all, network);
        fill_lines(positions);
        for (int i = 0; i < ROUNDS; i++) {
            const double ns = round_ns(all, positions);
            best = i == 0 || ns < best ? ns : best;
        }
    }
    mem_free_large(network, sizeof *network);
    mem_free_large(all, sizeof *all);
    mem_free_large(positions, LINES * LINE_PLIES * sizeof *positions);
    return best;
}
