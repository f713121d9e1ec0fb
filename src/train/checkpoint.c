// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/checkpoint.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/checksum.h"
#include "base/file.h"

enum { MAGIC_SIZE = 8, KEY_MEMBERS = sizeof(CheckpointKey) / 8 };
static const char MAGIC[MAGIC_SIZE + 1] = "PALCKPT2";

/* A file is this header and a Model, byte by byte as in memory. Other kinds of machines cannot read
 * it. */
typedef struct {
    char magic[MAGIC_SIZE];
    uint64_t hidden, buckets, mirrored, size;
    CheckpointKey key;
    uint64_t checksum; // of the model
} Head;

static Head head_make(const Model *model, const CheckpointKey *key)
{
    Head head = {
        .hidden = NNUE_HIDDEN,
        .buckets = NNUE_BUCKETS,
        .mirrored = NNUE_MIRRORED,
        .size = sizeof *model,
        .key = *key,
        .checksum = checksum64(model, sizeof *model),
    };
    memcpy(head.magic, MAGIC, MAGIC_SIZE);
    return head;
}

bool checkpoint_save(const Model *model, const CheckpointKey *key, const char *path, char *error)
{
    const Head head = head_make(model, key);
    const FilePart parts[] = {{&head, sizeof head}, {model, sizeof *model}};
    if (file_save(path, parts, 2))
        return true;
    snprintf(error, CHECKPOINT_ERROR_MAX, "%.200s: cannot be written: %s", path, strerror(errno));
    return false;
}

/* Returns the name of the first member that differs between two keys, an option of the command line
 * where there is one; NULL if the keys are equal. */
static const char *key_difference(const CheckpointKey *a, const CheckpointKey *b)
{
    static const char *const NAMES[KEY_MEMBERS] = {
        "--seed",          "--epochs", "--batch",
        "--lambda",        "--unit",   "--lr",
        "--lr-end",        "--power",  "number of positions",
        "set of positions"};
    for (int i = 0; i < KEY_MEMBERS; i++)
        if (memcmp((const char *)a + 8 * i, (const char *)b + 8 * i, 8) != 0)
            return NAMES[i];
    return NULL;
}

static bool is_of_architecture(const Head *head)
{
    return head->hidden == NNUE_HIDDEN && head->buckets == NNUE_BUCKETS &&
           head->mirrored == NNUE_MIRRORED && head->size == sizeof(Model);
}

bool checkpoint_load(Model *model, const CheckpointKey *key, const char *path, char *error)
{
    FILE *const file = fopen(path, "rb");
    if (file == NULL) {
        snprintf(error, CHECKPOINT_ERROR_MAX, "%.200s: no checkpoint to resume from: %s", path,
                 strerror(errno));
        return false;
    }
    Head head;
    const bool has_head = fread(&head, sizeof head, 1, file) == 1;
    const bool has_model = has_head && fread(model, sizeof *model, 1, file) == 1;
    fclose(file);
    const char *const difference = has_head ? key_difference(&head.key, key) : NULL;
    if (!has_head || memcmp(head.magic, MAGIC, MAGIC_SIZE) != 0)
        snprintf(error, CHECKPOINT_ERROR_MAX, "%.200s: is not a checkpoint", path);
    else if (!is_of_architecture(&head))
        snprintf(error, CHECKPOINT_ERROR_MAX, "%.200s: has another network architecture", path);
    else if (!has_model || checksum64(model, sizeof *model) != head.checksum)
        snprintf(error, CHECKPOINT_ERROR_MAX, "%.200s: is damaged", path);
    else if (difference != NULL)
        snprintf(error, CHECKPOINT_ERROR_MAX, "%.200s: is of a run with another %s", path,
                 difference);
    else
        return true;
    return false;
}

uint64_t checkpoint_steps(const CheckpointKey *key, const char *path)
{
    Head head;
    uint64_t steps = 0;
    FILE *const file = fopen(path, "rb");
    if (file == NULL)
        return 0;
    const bool is_same_run = fread(&head, sizeof head, 1, file) == 1 &&
                             memcmp(head.magic, MAGIC, MAGIC_SIZE) == 0 &&
                             is_of_architecture(&head) && key_difference(&head.key, key) == NULL;
    if (!is_same_run || fseek(file, (long)offsetof(Model, step), SEEK_CUR) != 0 ||
        fread(&steps, sizeof steps, 1, file) != 1)
        steps = 0;
    fclose(file);
    return steps;
}
