// SPDX-License-Identifier: GPL-3.0-or-later
#include "nnue/network.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/checksum.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/rng.h"
#include "nnue/embed.h"

/* A network in memory has the bytes of the file: two parts without padding, little-endian. The
 * second part is the dense layers. */
enum {
    DIRECT_SIZE = offsetof(Network, output_bias) + sizeof(int32_t[NNUE_BUCKETS]),
    DENSE_SIZE = sizeof(DenseLayers[NNUE_BUCKETS])
};
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "files are copied byte by byte");
static_assert(DIRECT_SIZE == NNUE_HIDDEN * NNUE_INPUTS + 2 * NNUE_HIDDEN * (1 + 2 * NNUE_BUCKETS) +
                                 4 * NNUE_BUCKETS &&
                  sizeof(DenseLayers) == offsetof(DenseLayers, unused) + sizeof(int8_t[32]),
              "no padding between the parameters");

/* Files of version 1 have 16 bits for an input weight. Files of versions 1 and 2 have no dense
 * layers. All are still read, and so are files of networks with fewer marks. */
enum { VERSION = 3, DIRECT_VERSION = 2, WIDE_VERSION = 1, MAGIC_SIZE = 8 };
enum { INPUT_COUNT = NNUE_INPUTS * NNUE_HIDDEN };
static const char MAGIC[MAGIC_SIZE + 1] = "PALIMNET";

/* The header of a file, also without padding and little-endian. */
typedef struct {
    char magic[MAGIC_SIZE];
    uint32_t version, inputs, hidden, buckets, mirrored, qa, qb, scale;
    uint64_t size;     // of the parameters, in bytes
    uint64_t checksum; // by checksum_of()
    uint64_t reserved; // 0
} Head;
static_assert(sizeof(Head) == 64, "the head is packed");

size_t network_file_size(void)
{
    return sizeof(Head) + DIRECT_SIZE + DENSE_SIZE;
}

/* Whether any byte is not 0. */
static bool has_effect(const uint8_t *dense, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (dense[i] != 0)
            return true;
    return false;
}

/* Checksum of parameters and scale, which also names the network. With the scale NNUE_SCALE and
 * without dense layers it is the checksum of the parameters alone, as in files of version 2. */
static uint64_t checksum_of(const void *direct, size_t direct_size, const void *dense,
                            size_t dense_size, uint32_t scale)
{
    const uint64_t spread = GOLDEN_RATIO_64;
    uint64_t sum = checksum64(direct, direct_size) ^ (uint64_t)(scale - NNUE_SCALE) * spread;
    if (has_effect(dense, dense_size))
        sum ^= checksum64(dense, dense_size) * spread;
    return sum;
}

bool network_has_dense(const Network *network)
{
    return has_effect((const uint8_t *)network->dense, DENSE_SIZE);
}

/* The header of a network's file. Without dense layers it has the version that has none, so that
 * older programs can read the file. */
static Head head_of(const Network *network)
{
    const bool has_dense = network_has_dense(network);
    Head head = {
        .version = has_dense ? VERSION : DIRECT_VERSION,
        .inputs = NNUE_INPUTS,
        .hidden = NNUE_HIDDEN,
        .buckets = NNUE_BUCKETS,
        .mirrored = NNUE_MIRRORED,
        .qa = NNUE_QA,
        .qb = NNUE_QB,
        .scale = (uint32_t)network->scale,
        .size = DIRECT_SIZE + (has_dense ? DENSE_SIZE : 0),
        .checksum = network_fingerprint(network),
    };
    memcpy(head.magic, MAGIC, MAGIC_SIZE);
    return head;
}

/* True when a number of the header is the one this program needs. `what` names the number in the
 * error text. */
static bool is_needed_number(uint32_t found, uint32_t needed, const char *what, char *error)
{
    if (found != needed)
        snprintf(error, NETWORK_ERROR_MAX, "has %" PRIu32 " %s, this program needs %" PRIu32, found,
                 what, needed);
    return found == needed;
}

/* True for the inputs of this program, or of one with fewer marks. */
static bool are_known_inputs(uint32_t inputs)
{
    return inputs == NNUE_INPUTS || inputs == NNUE_PIECE_SQUARES ||
           (NNUE_MARKS >= 3 && inputs == NNUE_PIECE_SQUARES << 2) ||
           (NNUE_MARKS == 4 && inputs == NNUE_PIECE_SQUARES << 3);
}

static bool is_this_architecture(const Head *head, char *error)
{
    if (head->mirrored != NNUE_MIRRORED) {
        snprintf(error, NETWORK_ERROR_MAX, "has %s inputs, this program needs %s",
                 head->mirrored ? "mirrored" : "unmirrored",
                 NNUE_MIRRORED ? "mirrored inputs" : "unmirrored inputs");
        return false;
    }
    return (are_known_inputs(head->inputs) ||
            is_needed_number(head->inputs, NNUE_INPUTS, "inputs", error)) &&
           is_needed_number(head->hidden, NNUE_HIDDEN, "hidden neurons", error) &&
           is_needed_number(head->buckets, NNUE_BUCKETS, "output buckets", error) &&
           is_needed_number(head->qa, NNUE_QA, "as unit of the hidden layer", error) &&
           is_needed_number(head->qb, NNUE_QB, "as unit of the output weights", error);
}

static size_t input_count(const Head *head)
{
    return (size_t)head->inputs * NNUE_HIDDEN;
}

/* Bytes of the input weights in a file. */
static size_t input_size(const Head *head)
{
    return input_count(head) * (head->version == WIDE_VERSION ? 2 : 1);
}

static size_t dense_size(const Head *head)
{
    return head->version == VERSION ? DENSE_SIZE : 0;
}

/* Size of the parameters in a file without the dense layers. */
static size_t direct_size(const Head *head)
{
    return input_size(head) + DIRECT_SIZE - INPUT_COUNT;
}

static size_t parameters_size(const Head *head)
{
    return direct_size(head) + dense_size(head);
}

/* Checks the header and the file size. */
static bool is_readable(const Head *head, size_t size, char *error)
{
    const size_t needed = sizeof *head + parameters_size(head);
    if (memcmp(head->magic, MAGIC, MAGIC_SIZE) != 0)
        snprintf(error, NETWORK_ERROR_MAX, "is not a network file of this program");
    else if (head->version < WIDE_VERSION || head->version > VERSION)
        snprintf(error, NETWORK_ERROR_MAX,
                 "has version %" PRIu32 " of the file format, this program reads versions %d to %d",
                 head->version, WIDE_VERSION, VERSION);
    else if (!is_this_architecture(head, error))
        return false;
    else if (head->scale < 1 || head->scale > NNUE_SCALE_MAX)
        snprintf(error, NETWORK_ERROR_MAX, "has %" PRIu32 " as scale of the output, not 1 to %d",
                 head->scale, NNUE_SCALE_MAX);
    else if (head->size != parameters_size(head) || head->reserved != 0)
        snprintf(error, NETWORK_ERROR_MAX, "has a damaged header");
    else if (size < needed)
        snprintf(error, NETWORK_ERROR_MAX, "is cut short: %zu bytes of %zu", size, needed);
    else if (size > needed)
        snprintf(error, NETWORK_ERROR_MAX, "has extra bytes after its end");
    else
        return true;
    return false;
}

/* Weight `i` of an array of 16-bit weights at any address. */
static int weight_at(const uint8_t *bytes, size_t i)
{
    int16_t weight;
    memcpy(&weight, bytes + i * sizeof weight, sizeof weight);
    return weight;
}

/* True when all `count` 16-bit weights at `bytes` lie in -limit..limit. */
static bool are_within(const uint8_t *bytes, size_t count, int limit)
{
    bool all_within = true;
    for (size_t i = 0; i < count; i++)
        all_within &= abs(weight_at(bytes, i)) <= limit;
    return all_within;
}

static bool is_bias_within(int32_t bias)
{
    return -DENSE_BIAS_LIMIT <= bias && bias <= DENSE_BIAS_LIMIT;
}

/* True when the biases of all dense layers are within their limit and the unused bytes are 0. The
 * weights need no check. */
static bool are_dense_good(const uint8_t *bytes)
{
    bool is_good = true;
    for (int bucket = 0; bucket < NNUE_BUCKETS; bucket++) {
        DenseLayers dense;
        memcpy(&dense, bytes + (size_t)bucket * sizeof dense, sizeof dense);
        for (int i = 0; i < DENSE_FIRST; i++)
            is_good &= is_bias_within(dense.first_bias[i]);
        for (int i = 0; i < DENSE_SECOND; i++)
            is_good &= is_bias_within(dense.second_bias[i]);
        is_good &= !has_effect((const uint8_t *)dense.unused, sizeof dense.unused);
    }
    return is_good;
}

/* Checks the weights: within these limits the forward pass cannot overflow. Input weights of a file
 * of version 1 need no check, because copy_parameters() clips them. */
static bool are_weights_in_range(const uint8_t *parameters, const Head *head, char *error)
{
    const uint8_t *const biases = parameters + input_size(head);
    const uint8_t *const outputs = biases + 2 * NNUE_HIDDEN;
    const size_t output_count = 2 * NNUE_BUCKETS * NNUE_HIDDEN;
    const uint8_t below = (uint8_t)(-NNUE_INPUT_LIMIT - 1); // the only byte out of range
    if (head->version != WIDE_VERSION && (memchr(parameters, below, input_count(head)) != NULL ||
                                          !are_within(biases, NNUE_HIDDEN, NNUE_INPUT_LIMIT)))
        snprintf(error, NETWORK_ERROR_MAX, "has input weights beyond %d", NNUE_INPUT_LIMIT);
    else if (!are_within(outputs, output_count, NNUE_OUTPUT_LIMIT))
        snprintf(error, NETWORK_ERROR_MAX, "has output weights beyond %d", NNUE_OUTPUT_LIMIT);
    else if (dense_size(head) > 0 && !are_dense_good(parameters + direct_size(head)))
        snprintf(error, NETWORK_ERROR_MAX, "has dense layers with values out of range");
    else
        return true;
    return false;
}

static int clip_input(int weight)
{
    return weight > NNUE_INPUT_LIMIT    ? NNUE_INPUT_LIMIT
           : weight < -NNUE_INPUT_LIMIT ? -NNUE_INPUT_LIMIT
                                        : weight;
}

/* Copies the parameters of a file to `network`. Input weights and biases of a file of version 1 are
 * clipped to the limit of today; in our networks one in a hundred was beyond it. If the file has
 * fewer marks, pieces with and without a missing mark get the same weights; if it has no dense
 * layers, their weights are 0. So the evaluations are those of the file. */
static void copy_parameters(Network *network, const uint8_t *from, const Head *head)
{
    int8_t *const weights = network->input[0];
    if (head->version != WIDE_VERSION)
        memcpy(weights, from, input_count(head));
    else
        for (size_t i = 0; i < input_count(head); i++)
            weights[i] = (int8_t)clip_input(weight_at(from, i));
    for (size_t i = input_count(head); i < INPUT_COUNT; i++)
        weights[i] = weights[i - input_count(head)];
    memcpy(network->input_bias, from + input_size(head), DIRECT_SIZE - INPUT_COUNT);
    for (int i = 0; i < NNUE_HIDDEN; i++)
        network->input_bias[i] = (int16_t)clip_input(network->input_bias[i]);
    memset(network->dense, 0, sizeof network->dense);
    memcpy(network->dense, from + direct_size(head), dense_size(head));
}

bool network_parse(Network *network, const void *bytes, size_t size, char *error)
{
    Head head;
    if (size < sizeof head) {
        snprintf(error, NETWORK_ERROR_MAX, "is too short for a network file: %zu bytes", size);
        return false;
    }
    memcpy(&head, bytes, sizeof head);
    if (!is_readable(&head, size, error))
        return false;
    const uint8_t *const parameters = (const uint8_t *)bytes + sizeof head;
    const size_t direct = direct_size(&head);
    if (checksum_of(parameters, direct, parameters + direct, dense_size(&head), head.scale) !=
        head.checksum) {
        snprintf(error, NETWORK_ERROR_MAX, "is damaged: its checksum is wrong");
        return false;
    }
    if (!are_weights_in_range(parameters, &head, error))
        return false;
    copy_parameters(network, parameters, &head);
    network->scale = (int32_t)head.scale;
    return true;
}

bool network_has_magic(const char *path)
{
    return file_begins_with(path, MAGIC, MAGIC_SIZE);
}

bool network_load(Network *network, const char *path, char *error)
{
    FILE *const file = file_open(path, "rb");
    if (!file) {
        snprintf(error, NETWORK_ERROR_MAX, "cannot be opened: %s", strerror(errno));
        return false;
    }
    const Head wide = {.version = WIDE_VERSION, .inputs = NNUE_INPUTS};
    /* Larger than any network file by one byte, so that extra bytes are noticed. */
    const size_t room = sizeof(Head) + parameters_size(&wide) + DENSE_SIZE + 1;
    void *const bytes = malloc(room);
    const size_t size = bytes ? fread(bytes, 1, room, file) : 0;
    const bool is_read = bytes && !ferror(file);
    if (!is_read)
        snprintf(error, NETWORK_ERROR_MAX, "cannot be read: %s", strerror(errno));
    fclose(file);
    const bool is_loaded = is_read && network_parse(network, bytes, size, error);
    free(bytes);
    return is_loaded;
}

static Network *allocate(char *error)
{
    Network *const network = mem_alloc_large(sizeof *network, NULL);
    if (network == NULL)
        snprintf(error, NETWORK_ERROR_MAX, "cannot be loaded: out of memory");
    return network;
}

Network *network_open(const char *path, char *error)
{
    Network *const network = allocate(error);
    if (network != NULL && network_load(network, path, error))
        return network;
    network_close(network);
    return NULL;
}

void network_close(Network *network)
{
    mem_free_large(network, sizeof *network);
}

bool network_save(const Network *network, const char *path, char *error)
{
    const Head head = head_of(network);
    const FilePart parts[] = {
        {&head, sizeof head}, {network, DIRECT_SIZE}, {network->dense, DENSE_SIZE}};
    if (file_save(path, parts, head.version == VERSION ? 3 : 2))
        return true;
    snprintf(error, NETWORK_ERROR_MAX, "cannot be written: %s", strerror(errno));
    return false;
}

uint64_t network_fingerprint(const Network *network)
{
    return checksum_of(network, DIRECT_SIZE, network->dense, DENSE_SIZE, (uint32_t)network->scale);
}

void network_name(const Network *network, char *name)
{
    snprintf(name, NETWORK_NAME_MAX, "%08" PRIx32, (uint32_t)(network_fingerprint(network) >> 32));
}

/* A copy in huge pages: the search reads rows at random, and with ordinary pages the processor
 * would often have to look up their addresses first. */
const Network *network_embedded(char *error)
{
    static Network *network;
    if (nnue_embedded_size == 0) {
        snprintf(error, NETWORK_ERROR_MAX, "is missing");
    } else if (network == NULL) {
        Network *const copy = allocate(error);
        if (copy != NULL && network_parse(copy, nnue_embedded, nnue_embedded_size, error))
            network = copy;
        else
            network_close(copy);
    }
    return network;
}

/* Returns a uniform random number in -limit..limit. */
static int16_t random_weight(Rng *rng, int limit)
{
    return (int16_t)((int)rng_below(rng, (uint64_t)(2 * limit + 1)) - limit);
}

static void randomise_dense(DenseLayers *dense, Rng *rng)
{
    int8_t *const first = dense->first[0][0], *const second = dense->second[0][0];
    for (size_t i = 0; i < sizeof dense->first; i++)
        first[i] = (int8_t)random_weight(rng, DENSE_WEIGHT_LIMIT);
    for (size_t i = 0; i < sizeof dense->second; i++)
        second[i] = (int8_t)random_weight(rng, DENSE_WEIGHT_LIMIT);
    for (int i = 0; i < DENSE_FIRST; i++)
        dense->first_bias[i] = random_weight(rng, INT16_MAX);
    for (int i = 0; i < DENSE_SECOND; i++) {
        dense->second_bias[i] = random_weight(rng, INT16_MAX);
        dense->output[i] = random_weight(rng, DENSE_OUTPUT_ONE / 16);
    }
}

void network_randomise(Network *network, uint64_t seed)
{
    Rng rng;
    rng_seed(&rng, seed);
    memset(network, 0, sizeof *network);
    network->scale = NNUE_SCALE;
    /* With the full limit for all weights nearly every neuron would be clipped, so the limit
     * differs from neuron to neuron. */
    for (int i = 0; i < NNUE_HIDDEN; i++) {
        const int limit = NNUE_INPUT_LIMIT >> i % 6;
        network->input_bias[i] = random_weight(&rng, limit);
        for (int input = 0; input < NNUE_INPUTS; input++)
            network->input[input][i] = (int8_t)random_weight(&rng, limit);
    }
    for (int bucket = 0; bucket < NNUE_BUCKETS; bucket++) {
        network->output_bias[bucket] = random_weight(&rng, INT16_MAX);
        for (int i = 0; i < NNUE_HIDDEN; i++) {
            network->output[bucket][0][i] = random_weight(&rng, NNUE_OUTPUT_LIMIT);
            network->output[bucket][1][i] = random_weight(&rng, NNUE_OUTPUT_LIMIT);
        }
        randomise_dense(&network->dense[bucket], &rng);
    }
}
