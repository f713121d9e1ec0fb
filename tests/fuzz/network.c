// SPDX-License-Identifier: GPL-3.0-or-later
/* Network files: one that is accepted evaluates positions without overflow, and every vector path
 * like the plain formula. Input: a byte of flags (1: correct the checksum, 2: cut the file after
 * the size in the next four bytes, 4: a file without marks), four bytes, then changes to a good
 * file: each is an offset of three bytes, a size of one byte, and that many bytes. */
#include "fuzz.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "nnue/forward.h"
#include "nnue/network.h"

enum { HEAD_SIZE = 64, SCALE_AT = 36, CHECKSUM_AT = 48, UNDO_MAX = 4096 };

/* Good network files between two inputs: with all marks, and without any. */
static uint8_t *files[2];
static size_t sizes[2];

static uint8_t *file; // the one of the current input
static size_t file_size;
static Network *network;
static Accumulators *accumulators;

/* Old bytes of the changes, to take them back. */
static struct {
    size_t at;
    uint8_t byte;
} undo[UNDO_MAX];
static int undo_count;

/* Makes a file of `network` with its first `inputs` rows. */
static void make_file(int which, uint32_t inputs)
{
    const size_t all = sizeof network->input, kept = (size_t)inputs * NNUE_HIDDEN;
    const size_t rest = network_file_size() - HEAD_SIZE - all;
    sizes[which] = HEAD_SIZE + kept + rest;
    uint8_t *const bytes = files[which] = malloc(sizes[which]);
    assert(bytes != NULL);
    memset(bytes, 0, HEAD_SIZE);
    memcpy(bytes + HEAD_SIZE, network, kept);
    memcpy(bytes + HEAD_SIZE + kept, (const uint8_t *)network + all, rest);
    /* network_save() writes a draft beside its file, so the head is made here. */
    const uint32_t numbers[] = {3,       inputs,  NNUE_HIDDEN, NNUE_BUCKETS, NNUE_MIRRORED,
                                NNUE_QA, NNUE_QB, NNUE_SCALE};
    const uint64_t size = kept + rest, sum = checksum64(bytes + HEAD_SIZE, size);
    memcpy(bytes, "PALIMNET", 8);
    memcpy(bytes + 8, numbers, sizeof numbers);
    memcpy(bytes + 40, &size, sizeof size);
    memcpy(bytes + CHECKSUM_AT, &sum, sizeof sum);
}

static void make_files(void)
{
    char error[NETWORK_ERROR_MAX];
    network = aligned_alloc(64, sizeof *network);
    accumulators = aligned_alloc(64, (sizeof *accumulators + 63) / 64 * 64);
    assert(network != NULL && accumulators != NULL);
    memset(accumulators, 0, sizeof *accumulators);
    network_randomise(network, 1);
    make_file(0, NNUE_INPUTS);
    make_file(1, NNUE_PLACES);
    for (int i = 0; i < 2; i++)
        if (!network_parse(network, files[i], sizes[i], error))
            abort();
}

static void change(size_t at, uint8_t byte)
{
    if (undo_count == UNDO_MAX)
        return;
    undo[undo_count].at = at;
    undo[undo_count++].byte = file[at];
    file[at] = byte;
}

static void correct_checksum(void)
{
    uint32_t scale;
    memcpy(&scale, file + SCALE_AT, sizeof scale);
    const uint64_t sum =
        checksum64(file + HEAD_SIZE, file_size - HEAD_SIZE) ^
        (uint64_t)(scale - NNUE_SCALE) * UINT64_C(0x9E3779B97F4A7C15); // 2^64 / golden ratio
    for (int i = 0; i < 8; i++)
        change((size_t)(CHECKSUM_AT + i), (uint8_t)(sum >> 8 * i));
}

static void check_position(void *ctx, const Position *pos, Move move)
{
    int *const ply = ctx;
    (void)move;
    assert(nnue_evaluate(accumulators, pos, (*ply)++) == nnue_evaluate_reference(network, pos));
}

void fuzz_network(const uint8_t *bytes, size_t size)
{
    char error[NETWORK_ERROR_MAX];
    int ply = 0;
    if (size < 5)
        return;
    if (files[0] == NULL)
        make_files();
    file = files[bytes[0] >> 2 & 1];
    file_size = sizes[bytes[0] >> 2 & 1];
    uint32_t cut;
    memcpy(&cut, bytes + 1, sizeof cut);
    for (size_t at = 5; at + 4 <= size;) {
        const size_t place = bytes[at] | (size_t)bytes[at + 1] << 8 | (size_t)bytes[at + 2] << 16;
        const size_t count = bytes[at + 3];
        at += 4;
        for (size_t i = 0; i < count && at < size; i++, at++)
            change((place + i) % file_size, bytes[at]);
    }
    if (bytes[0] & 1)
        correct_checksum();
    const size_t length = bytes[0] & 2 ? cut % file_size : file_size;
    if (network_parse(network, file, length, error)) {
        accumulators_reset(accumulators, network);
        fuzz_random_game(size, 8, check_position, &ply);
    } else {
        assert(memchr(error, '\0', sizeof error) != NULL && *error != '\0');
    }
    while (undo_count > 0) {
        undo_count--;
        file[undo[undo_count].at] = undo[undo_count].byte;
    }
}

void seed_network(void)
{
    const uint32_t weights = HEAD_SIZE, last = (uint32_t)network_file_size() - 4;
    const uint8_t good[] = {1, 0, 0, 0, 0, weights, 0, 0, 2, 0xf9, 1};
    const uint8_t scale[] = {1, 0, 0, 0, 0, SCALE_AT, 0, 0, 2, 0xa0, 0x0f};
    const uint8_t bias[] = {
        1, 0,    0,    0,    0,   (uint8_t)last, (uint8_t)(last >> 8), (uint8_t)(last >> 16),
        4, 0xff, 0xff, 0xff, 0x7f};
    const uint8_t cut[] = {2, 10, 0, 0, 0}, unmarked[] = {5, 0, 0, 0, 0};
    fuzz_seed(good, sizeof good);
    fuzz_seed(scale, sizeof scale);
    fuzz_seed(bias, sizeof bias);
    fuzz_seed(cut, sizeof cut);
    fuzz_seed(unmarked, sizeof unmarked);
    for (uint8_t at = 0; at < HEAD_SIZE; at += 4)
        fuzz_seed((const uint8_t[]){1, 0, 0, 0, 0, at, 0, 0, 1, 1}, 10);
}
