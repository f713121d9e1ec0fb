// SPDX-License-Identifier: GPL-3.0-or-later
/* Network files: one that is accepted evaluates positions without overflow, and every vector path
 * like the plain formula. Input: a byte of flags (1: correct the checksum, 2: cut the file after
 * the size in the next four bytes, 4: a file of version 2 without marks), four bytes, then changes
 * to a good file: each is an offset of three bytes, a size of one byte, and that many bytes. */
#include "fuzz.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
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

/* The checksum of the parameters of a file of `size` bytes, see network.c. */
static uint64_t checksum_of(const uint8_t *bytes, size_t size, uint32_t scale)
{
    const uint64_t spread = GOLDEN_RATIO_64;
    const size_t dense = bytes == files[0] ? sizeof network->dense : 0, direct = size - dense;
    return checksum64(bytes + HEAD_SIZE, direct - HEAD_SIZE) ^
           (uint64_t)(scale - NNUE_SCALE) * spread ^
           (dense > 0 ? checksum64(bytes + direct, dense) * spread : 0);
}

/* Makes a file of `network` with its first `inputs` rows, with dense layers if `which` is 0. */
static void make_file(int which, uint32_t inputs)
{
    const size_t kept = (size_t)inputs * NNUE_HIDDEN,
                 dense = which == 0 ? sizeof network->dense : 0;
    const size_t rest = offsetof(Network, output_bias) + sizeof network->output_bias -
                        offsetof(Network, input_bias);
    sizes[which] = HEAD_SIZE + kept + rest + dense;
    uint8_t *const bytes = files[which] = malloc(sizes[which]);
    assert(bytes != NULL);
    memset(bytes, 0, HEAD_SIZE);
    memcpy(bytes + HEAD_SIZE, network, kept);
    memcpy(bytes + HEAD_SIZE + kept, network->input_bias, rest);
    memcpy(bytes + HEAD_SIZE + kept + rest, network->dense, dense);
    /* network_save() writes a draft beside its file, so the head is made here. */
    const uint32_t numbers[] = {which == 0 ? 3 : 2, inputs,  NNUE_HIDDEN, NNUE_BUCKETS,
                                NNUE_MIRRORED,      NNUE_QA, NNUE_QB,     NNUE_SCALE};
    const uint64_t size = kept + rest + dense, sum = checksum_of(bytes, sizes[which], NNUE_SCALE);
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
    make_file(1, NNUE_PIECE_SQUARES);
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
    const uint64_t sum = checksum_of(file, file_size, scale);
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

/* A seed that sets the four bytes at `place` to those of `value`. */
static void seed_value(size_t place, int32_t value)
{
    uint8_t seed[13] = {
        1, 0, 0, 0, 0, (uint8_t)place, (uint8_t)(place >> 8), (uint8_t)(place >> 16), 4};
    memcpy(seed + 9, &value, sizeof value);
    fuzz_seed(seed, sizeof seed);
}

void seed_network(void)
{
    const size_t dense = network_file_size() - sizeof network->dense;
    const uint8_t good[] = {1, 0, 0, 0, 0, HEAD_SIZE, 0, 0, 2, 0xf9, 1};
    const uint8_t scale[] = {1, 0, 0, 0, 0, SCALE_AT, 0, 0, 2, 0xa0, 0x0f};
    const uint8_t cut[] = {2, 10, 0, 0, 0}, unmarked[] = {5, 0, 0, 0, 0};
    fuzz_seed(good, sizeof good);
    fuzz_seed(scale, sizeof scale);
    seed_value(dense - sizeof(int32_t), INT32_MAX); // the last output bias
    seed_value(dense + offsetof(DenseLayers, first_bias), INT32_MIN);
    seed_value(dense + offsetof(DenseLayers, second_bias), DENSE_BIAS_LIMIT);
    seed_value(dense + offsetof(DenseLayers, output), INT32_MIN);
    fuzz_seed(cut, sizeof cut);
    fuzz_seed(unmarked, sizeof unmarked);
    for (uint8_t at = 0; at < HEAD_SIZE; at += 4)
        fuzz_seed((const uint8_t[]){1, 0, 0, 0, 0, at, 0, 0, 1, 1}, 10);
}
