// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/checkpoint.h"

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

/* Returns the name of a member that differs between two keys, NULL if they are equal. Options come
 * before the positions, which may differ as a consequence. */
static const char *key_difference(const CheckpointKey *a, const CheckpointKey *b)
{
    static const char *const NAMES[KEY_MEMBERS] = {
        "--seed",           "--epochs", "--batch",
        "--lambda",         "--unit",   "--lr",
        "--lr-end",         "--power",  "number of positions",
        "set of positions", "--init",   "--lambda-end",
        "--balance",        "--on-disk"};
    const size_t after_positions = offsetof(CheckpointKey, initial_checksum);
    for (size_t i = 0; i < sizeof *a / 8; i++) {
        const size_t at = (after_positions + 8 * i) % sizeof *a;
        if (memcmp((const char *)a + at, (const char *)b + at, 8) != 0)
            return NAMES[at / 8];
    }
    return NULL;
}

/* Reads everything before the model. Missing members of the key become 0. Returns NULL, or the end
 * of a sentence that says what is wrong. */
static const char *read_head(FILE *file, CheckpointKey *key, uint64_t *checksum)
{
    const Head expected = head_make();
    Head head;
    *key = (CheckpointKey){0};
    if (fread(&head, sizeof head, 1, file) != 1 || memcmp(head.magic, MAGIC, MAGIC_SIZE) != 0)
        return "is not a checkpoint";
    if (memcmp(&head, &expected, sizeof head) != 0)
        return "has another network architecture";
    const long rest = (long)(sizeof head + sizeof *checksum + sizeof(Model));
    const long key_size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) - rest : -1;
    if (key_size < 0 || key_size % 8 != 0 || (size_t)key_size > sizeof *key ||
        fseek(file, (long)sizeof head, SEEK_SET) != 0 ||
        fread(key, 1, (size_t)key_size, file) != (size_t)key_size ||
        fread(checksum, sizeof *checksum, 1, file) != 1)
        return "is damaged";
    return NULL;
}

/* Reads a checkpoint with any key; fails like read_head(). */
static const char *read_all(FILE *file, CheckpointKey *key, Model *model)
{
    uint64_t checksum;
    const char *const fault = read_head(file, key, &checksum);
    if (fault != NULL)
        return fault;
    const bool is_whole = fread(model, sizeof *model, 1, file) == 1;
    return is_whole && checksum64(model, sizeof *model) == checksum ? NULL : "is damaged";
}

/* As checkpoint_load(); if `key` is NULL, accepts any. */
static bool load(Model *model, const CheckpointKey *key, const char *path, char *error)
{
    FILE *const file = file_open(path, "rb");
    if (file == NULL) {
        snprintf(error, CHECKPOINT_ERROR_MAX, "%.200s: no checkpoint to start from: %s", path,
                 strerror(errno));
        return false;
    }
    CheckpointKey found;
    const char *const fault = read_all(file, &found, model);
    fclose(file);
    const char *const difference =
        fault == NULL && key != NULL ? key_difference(&found, key) : NULL;
    if (fault != NULL)
        snprintf(error, CHECKPOINT_ERROR_MAX, "%.200s: %s", path, fault);
    else if (difference != NULL)
        snprintf(error, CHECKPOINT_ERROR_MAX, "%.200s: is of a run with another %s", path,
                 difference);
    return fault == NULL && difference == NULL;
}

bool checkpoint_load(Model *model, const CheckpointKey *key, const char *path, char *error)
{
    return load(model, key, path, error);
}

bool checkpoint_load_weights(Parameters *weights, const char *path, char *error)
{
    Model *const model = model_create(0);
    if (model == NULL) {
        snprintf(error, CHECKPOINT_ERROR_MAX, "%.200s: out of memory", path);
        return false;
    }
    const bool is_loaded = load(model, NULL, path, error);
    if (is_loaded)
        *weights = model->weights;
    model_free(model);
    return is_loaded;
}

uint64_t checkpoint_steps(const CheckpointKey *key, const char *path)
{
    CheckpointKey found;
    uint64_t steps = 0, checksum;
    FILE *const file = file_open(path, "rb");
    if (file == NULL)
        return 0;
    if (read_head(file, &found, &checksum) != NULL || key_difference(&found, key) != NULL ||
        fseek(file, (long)offsetof(Model, step), SEEK_CUR) != 0 ||
        fread(&steps, sizeof steps, 1, file) != 1)
        steps = 0;
    fclose(file);
    return steps;
}
