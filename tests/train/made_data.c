// SPDX-License-Identifier: GPL-3.0-or-later
#include "made_data.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rng.h"
#include "chess/chess960.h"
#include "chess/movegen.h"
#include "chess/play.h"
#include "chess/random_game.h"

enum {
    OPENING = 8,
    PLIES_MAX = 160,
    GAME_DEPTH = 50,
    SCORE_RANGE = 3500
}; // some beyond what is kept

void made_game(GameRecord *game, uint64_t seed)
{
    Rng rng;
    rng_seed(&rng, seed);
    *game = (GameRecord){.number = (uint32_t)seed, .opening = OPENING};
    for (Color c = WHITE; c <= BLACK; c++)
        game->setup[c] = (uint16_t)rng_below(&rng, CHESS960_NB);
    game->result = (uint8_t)rng_below(&rng, GAME_WHITE_WINS + 1);
    Position pos;
    chess960_start(&pos, game->setup[WHITE], game->setup[BLACK]);
    while (game->plies < PLIES_MAX) {
        Move moves[MAX_MOVES];
        const int count = gen_legal(&pos, moves);
        if (count == 0)
            break;
        const int ply = game->plies++;
        game->moves[ply] = moves[rng_below(&rng, (uint64_t)count)];
        if (ply >= OPENING)
            game->scores[ply] = (int16_t)((int)rng_below(&rng, 2 * SCORE_RANGE + 1) - SCORE_RANGE);
        pos_advance(&pos, game->moves[ply]);
    }
    game->opening = game->plies < OPENING ? game->plies : OPENING;
}

static int material(const Position *pos, Color c)
{
    static const int VALUES[KING] = {100, 300, 300, 500, 900};
    int sum = 0;
    for (PieceType t = PAWN; t < KING; t++)
        sum += VALUES[t] * popcount(pos_pieces(pos, c, t));
    return sum;
}

void made_samples(Sample *samples, size_t count, uint64_t seed)
{
    Rng rng;
    rng_seed(&rng, seed);
    for (size_t i = 0; i < count; i++) {
        Walk walk;
        walk_start(&walk, rng_next(&rng)); // a new game for each sample, so that samples differ
        const int plies = (int)rng_below(&rng, GAME_DEPTH);
        for (int ply = 0; ply < plies && walk_step(&walk) != MOVE_NONE; ply++)
            continue;
        const Position *const pos = &walk.pos;
        sample_pack(&samples[i], pos, material(pos, pos->side) - material(pos, !pos->side),
                    (int)rng_below(&rng, 3));
    }
}

SampleSet made_set(size_t count, uint64_t seed)
{
    SampleSet set = {.count = count, .bytes = count * sizeof(Sample)};
    set.samples = mem_alloc_large(set.bytes, NULL);
    ck_assert_ptr_nonnull(set.samples);
    made_samples(set.samples, count, seed);
    return set;
}

static void fill(float *weights, size_t count, float limit, Rng *rng)
{
    for (size_t i = 0; i < count; i++)
        weights[i] = limit * ((float)rng_below(rng, 2000001) / 1e6f - 1.0f);
}

Parameters *made_parameters(uint64_t seed)
{
    Parameters *const p = parameters_create();
    ck_assert_ptr_nonnull(p);
    Rng rng;
    rng_seed(&rng, seed);
    fill((float *)p->input, sizeof p->input / sizeof(float), 0.25f, &rng);
    fill((float *)p->input_bias, NNUE_HIDDEN, MODEL_INPUT_LIMIT, &rng);
    fill((float *)p->output, sizeof p->output / sizeof(float), 0.25f, &rng);
    fill(p->output_bias, NNUE_BUCKETS, 0.5f, &rng);
    for (int bucket = 0; bucket < NNUE_BUCKETS; bucket++) {
        DenseParameters *const dense = &p->dense[bucket];
        fill(dense->first[0][0][0], sizeof dense->first / sizeof(float), 0.1f, &rng);
        fill(dense->second[0], sizeof dense->second / sizeof(float), 0.3f, &rng);
        fill(dense->first_bias, DENSE_FIRST, 0.5f, &rng);
        fill(dense->second_bias, DENSE_SECOND, 0.5f, &rng);
        fill(dense->output, DENSE_SECOND, 0.3f, &rng);
    }
    return p;
}

/* Linux lists the open files of a process in a folder. */
bool made_lose_temporary(const char *path)
{
    DIR *const folder = opendir("/proc/self/fd");
    bool is_lost = false;
    if (folder == NULL)
        return false;
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char name[300], target[MADE_PATH_ROOM * 2] = "";
        snprintf(name, sizeof name, "/proc/self/fd/%s", entry->d_name);
        if (readlink(name, target, sizeof target - 1) > 0 &&
            strncmp(target, path, strlen(path)) == 0 && strstr(target, "(deleted)") != NULL)
            is_lost = truncate(name, 0) == 0;
    }
    closedir(folder);
    return is_lost;
}

void made_path(char *path)
{
    snprintf(path, MADE_PATH_ROOM, "/tmp/palimpsest-test-XXXXXX");
    const int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
}
