// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/checkpoint.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/checksum.h"
#include "base/file.h"

enum { MAGIC_SIZE = 8, KEY_MEMBERS = sizeof(CheckpointKey) / 8 };
static const char MAGIC[MAGIC_SIZE + 1] = "PALCKPT2";

/* A file is this header, the key, the checksum of the model, and the model, byte by byte as in
 * memory. Other kinds of machines cannot read it. The key has the members that the program knew
 * when it wrote the file: new members are added at the end. */
typedef struct {
    char magic[MAGIC_SIZE];
    uint64_t hidden, buckets, mirrored, size;
} Head;

static Head head_make(void)
{
    Head head = {.hidden = NNUE_HIDDEN,
                 .buckets = NNUE_BUCKETS,
                 .mirrored = NNUE_MIRRORED,
                 .size = sizeof(Model)};
    memcpy(head.magic, MAGIC, MAGIC_SIZE);
    return head;
}

bool checkpoint_save(const Model *model, const CheckpointKey *key, const char *path, char *error)
{
    const Head head = head_make();
    const uint64_t checksum = checksum64(model, sizeof *model);
    const FilePart parts[] = {{&head, sizeof head},
                              {key, sizeof *key},
                              {&checksum, sizeof checksum},
                              {model, sizeof *model}};
    if (file_save(path, parts, 4))
        return true;
    snprintf(error, CHECKPOINT_ERROR_MAX, "%.200s: cannot be written: %s", path, strerror(errno));
    return false;
}

/* Compares the positions last: they may differ because an option does. */
const char *checkpoint_difference(const CheckpointKey *a, const CheckpointKey *b)
{
    static const char *const NAMES[] = {"--seed",
                                        "--epochs",
                                        "--batch",
                                        "--lambda",
                                        "--unit",
                                        "--lr",
                                        "--lr-end",
                                        "--power",
                                        "number of positions",
                                        "set of positions",
                                        "--init",
                                        "--lambda-end",
                                        "--balance",
                                        "--on-disk",
                                        "--lambda-endgame",
                                        "--repeatable or --threads"};
    static_assert(sizeof NAMES / sizeof NAMES[0] == KEY_MEMBERS, "a name for each member");
    const size_t after_positions = offsetof(CheckpointKey, initial_checksum);
    for (size_t i = 0; i < sizeof *a / 8; i++) {
        const size_t at = (after_positions + 8 * i) % sizeof *a;
        if (memcmp((const char *)a + at, (const char *)b + at, 8) != 0)
            return NAMES[at / 8];
    }
    return NULL;
}

enum {
    FIRST_BYTES = offsetof(DenseParameters, second), // first dense layer of one bucket
    NEURON_BYTES = (offsetof(Parameters, output_bias) + NNUE_BUCKETS * FIRST_BYTES) /
                   NNUE_HIDDEN // of one hidden neuron
};

/* Whether a file has this architecture, or the same with fewer neurons and blocks as wide. */
static bool is_readable(const Head *head)
{
    Head wanted = head_make();
    const bool has_such_blocks = (head->hidden % 64 == 0) == (NNUE_HIDDEN % 64 == 0);
    if (has_such_blocks && head->hidden % MODEL_BLOCK == 0 && head->hidden < NNUE_HIDDEN) {
        wanted.hidden = head->hidden;
        wanted.size -= 3 * (NNUE_HIDDEN - head->hidden) * NEURON_BYTES; // weights and two averages
    }
    return memcmp(head, &wanted, sizeof wanted) == 0;
}

/* Reads everything before the model from the file at `path`, just opened. Missing members of the
 * key become 0. Returns NULL, or the end of a sentence that says what is wrong. */
static const char *read_head(FILE *file, const char *path, Head *head, CheckpointKey *key,
                             uint64_t *checksum)
{
    int64_t size = 0;
    *key = (CheckpointKey){0};
    if (fread(head, sizeof *head, 1, file) != 1 || memcmp(head->magic, MAGIC, MAGIC_SIZE) != 0)
        return "is not a checkpoint";
    if (!is_readable(head))
        return "has another network architecture";
    const int64_t rest = (int64_t)(sizeof *head + sizeof *checksum + head->size);
    const int64_t key_size = file_kind(path, &size) == FILE_REGULAR ? size - rest : -1;
    if (key_size < 0 || key_size % 8 != 0 || (size_t)key_size > sizeof *key ||
        fread(key, 1, (size_t)key_size, file) != (size_t)key_size ||
        fread(checksum, sizeof *checksum, 1, file) != 1)
        return "is damaged";
    return NULL;
}

/* Reads a checkpoint with any key, which may have fewer neurons than `model` has room for, byte by
 * byte as it is in the file; fails like read_head(). */
static const char *read_all(FILE *file, const char *path, Head *head, CheckpointKey *key,
                            Model *model)
{
    uint64_t checksum;
    const char *const fault = read_head(file, path, head, key, &checksum);
    if (fault != NULL)
        return fault;
    const bool is_whole = fread(model, head->size, 1, file) == 1;
    return is_whole && checksum64(model, head->size) == checksum ? NULL : "is damaged";
}

static FILE *open_to_read(const char *path, char *error)
{
    FILE *const file = file_open(path, "rb");
    if (file == NULL)
        snprintf(error, CHECKPOINT_ERROR_MAX, "%.200s: no checkpoint to start from: %s", path,
                 strerror(errno));
    return file;
}

bool checkpoint_can_open(const char *path, char *error)
{
    char reason[CHECKPOINT_ERROR_MAX];
    FILE *const file = open_to_read(path, reason);
    if (file != NULL)
        fclose(file);
    else
        snprintf(error, CHECKPOINT_ERROR_MAX, "%.400s; without --resume a run begins anew", reason);
    return file != NULL;
}

static bool load(Model *model, Head *head, CheckpointKey *key, const char *path, char *error)
{
    FILE *const file = open_to_read(path, error);
    if (file == NULL)
        return false;
    const char *const fault = read_all(file, path, head, key, model);
    fclose(file);
    if (fault != NULL)
        snprintf(error, CHECKPOINT_ERROR_MAX, "%.200s: %s", path, fault);
    return fault == NULL;
}

bool checkpoint_load(Model *model, const CheckpointKey *key, const char *path, char *error)
{
    Head head;
    CheckpointKey found;
    if (!load(model, &head, &found, path, error))
        return false;
    const char *const difference = head.hidden != NNUE_HIDDEN ? "number of hidden neurons"
                                                              : checkpoint_difference(&found, key);
    if (difference != NULL)
        snprintf(error, CHECKPOINT_ERROR_MAX, "%.200s: is of a run with another %s", path,
                 difference);
    return difference == NULL;
}

/* Copies `size` bytes from `*from`, and moves it after them. */
static void take(void *to, const char **from, size_t size)
{
    memcpy(to, *from, size);
    *from += size;
}

/* Copies the weights of a network with `hidden` neurons over the first neurons of `to`. `from` has
 * the order of Parameters. */
static void copy_neurons(Parameters *to, const char *from, uint64_t hidden)
{
    const size_t blocks = hidden / MODEL_BLOCK, view_bytes = blocks * sizeof(float[MODEL_BLOCK]);
    take(to->input, &from, blocks * sizeof to->input[0]);
    take(to->input_bias, &from, view_bytes);
    for (int i = 0; i < 2 * NNUE_BUCKETS; i++)
        take(to->output[i / 2][i % 2], &from, view_bytes);
    take(to->output_bias, &from, sizeof to->output_bias);
    for (int bucket = 0; bucket < NNUE_BUCKETS; bucket++) {
        DenseParameters *const dense = &to->dense[bucket];
        for (int i = 0; i < 2 * DENSE_FIRST; i++)
            take(dense->first[i / 2][i % 2], &from, view_bytes);
        take(dense->second, &from, sizeof *dense - FIRST_BYTES);
    }
}

bool checkpoint_load_weights(Parameters *weights, const char *path, char *error)
{
    Model *const found = model_create(0), *const wide = model_create(0);
    Head head = head_make();
    CheckpointKey key;
    bool is_loaded = false;
    if (found == NULL || wide == NULL)
        snprintf(error, CHECKPOINT_ERROR_MAX, "%.200s: out of memory", path);
    else
        is_loaded = load(found, &head, &key, path, error);
    if (is_loaded) {
        *weights = wide->weights;
        memset(weights->output, 0, sizeof weights->output);
        memset(weights->dense, 0, sizeof weights->dense);
        copy_neurons(weights, (const char *)found, head.hidden);
    }
    model_free(found);
    model_free(wide);
    return is_loaded;
}

bool checkpoint_has_magic(const char *path)
{
    return file_begins_with(path, MAGIC, MAGIC_SIZE);
}

bool checkpoint_read_key(CheckpointKey *key, uint64_t *steps, const char *path)
{
    Head head;
    uint64_t checksum;
    FILE *const file = file_open(path, "rb");
    if (file == NULL)
        return false;
    const bool is_read = read_head(file, path, &head, key, &checksum) == NULL &&
                         head.hidden == NNUE_HIDDEN &&
                         fseek(file, (long)offsetof(Model, step), SEEK_CUR) == 0 &&
                         fread(steps, sizeof *steps, 1, file) == 1;
    fclose(file);
    return is_read;
}
