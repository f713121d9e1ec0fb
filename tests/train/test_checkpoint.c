// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/checkpoint.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/checksum.h"
#include "made_data.h"
#include "whole_file.h"

static const CheckpointKey KEY = {
    .seed = 3, .epochs = 4, .batch = 5, .lambda = 0.1, .unit = 400, .rate = 1e-3};
static char path[MADE_PATH_ROOM], error[CHECKPOINT_ERROR_MAX];
static Model *model, *other;

static void setup(void)
{
    made_path(path);
    model = model_create(1);
    other = model_create(2);
    ck_assert(model != NULL && other != NULL);
    model->step = 77;
    model->mean.output_bias[0] = 0.5f;
    ck_assert_msg(checkpoint_save(model, &KEY, path, error), "%s", error);
}

static void teardown(void)
{
    model_free(model);
    model_free(other);
    remove(path);
}

START_TEST(a_model_comes_back_to_the_last_bit)
{
    ck_assert_msg(checkpoint_load(other, &KEY, path, error), "%s", error);
    ck_assert_mem_eq(model, other, sizeof *model);
}
END_TEST

START_TEST(a_checkpoint_of_another_run_is_refused_with_the_reason)
{
    CheckpointKey key = KEY;
    key.lambda = 0.2;
    ck_assert(!checkpoint_load(other, &key, path, error));
    ck_assert_msg(strstr(error, "--lambda") != NULL, "%s", error);
    key = KEY;
    key.positions_checksum = 1;
    ck_assert(!checkpoint_load(other, &key, path, error));
    ck_assert_msg(strstr(error, "set of positions") != NULL, "%s", error);
    key.is_on_disk = 1; // the reason for the other order
    ck_assert(!checkpoint_load(other, &key, path, error));
    ck_assert_msg(strstr(error, "--on-disk") != NULL, "%s", error);
    key = KEY;
    key.endgame = 0.5;
    ck_assert(!checkpoint_load(other, &key, path, error));
    ck_assert_msg(strstr(error, "--lambda-endgame") != NULL, "%s", error);
    key = KEY;
    key.seed = 1;
    ck_assert(!checkpoint_load(other, &key, path, error));
    ck_assert_msg(strstr(error, "--seed") != NULL, "%s", error);
}
END_TEST

START_TEST(a_damaged_or_missing_checkpoint_is_refused)
{
    FILE *const file = fopen(path, "r+b");
    ck_assert_int_eq(fseek(file, -1000, SEEK_END), 0);
    const int byte = fgetc(file);
    ck_assert_int_eq(fseek(file, -1000, SEEK_END), 0);
    fputc(byte ^ 1, file);
    fclose(file);
    ck_assert(!checkpoint_load(other, &KEY, path, error));
    ck_assert_msg(strstr(error, "damaged") != NULL, "%s", error);
    remove(path);
    ck_assert(!checkpoint_load(other, &KEY, path, error));
    ck_assert_msg(strstr(error, path) != NULL, "%s", error);
}
END_TEST

START_TEST(a_checkpoint_that_cannot_be_written_is_reported)
{
    ck_assert(!checkpoint_save(model, &KEY, "/nowhere/at/all", error));
    ck_assert_msg(strstr(error, "/nowhere/at/all") != NULL, "%s", error);
}
END_TEST

static void change_byte(long offset)
{
    FILE *const file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, offset, SEEK_SET), 0);
    const int byte = fgetc(file);
    ck_assert_int_eq(fseek(file, offset, SEEK_SET), 0);
    fputc(byte ^ 1, file);
    fclose(file);
}

START_TEST(the_weights_alone_can_be_read_from_any_run)
{
    Parameters *const weights = parameters_create();
    ck_assert_msg(checkpoint_load_weights(weights, path, error), "%s", error);
    ck_assert_mem_eq(weights, &model->weights, sizeof *weights);
    parameters_free(weights);
}
END_TEST

/* 64 neurons less: then the blocks are as wide. The smallest networks have no smaller one. */
enum {
    HAS_SMALLER = NNUE_HIDDEN > 64,
    FEWER = HAS_SMALLER ? NNUE_HIDDEN - 64 : MODEL_BLOCK,
    FEWER_BLOCKS = FEWER / MODEL_BLOCK
};

/* A struct as Model, with fewer neurons. */
typedef struct {
    struct {
        alignas(64) float input[FEWER_BLOCKS][NNUE_INPUTS][MODEL_BLOCK];
        alignas(64) float input_bias[FEWER_BLOCKS][MODEL_BLOCK];
        alignas(64) float output[NNUE_BUCKETS][2][FEWER_BLOCKS][MODEL_BLOCK];
        alignas(64) float output_bias[MODEL_BIASES];
        struct {
            alignas(64) float first[DENSE_FIRST][2][FEWER_BLOCKS][MODEL_BLOCK];
            alignas(64) float rest[(sizeof(DenseParameters) - offsetof(DenseParameters, second)) /
                                   sizeof(float)];
        } dense[NNUE_BUCKETS];
    } sets[3];
    uint64_t numbers[3];
} SmallModel;

/* Writes a checkpoint of a network with fewer neurons, with different weights. */
static SmallModel *write_small_checkpoint(void)
{
    SmallModel *const small = aligned_alloc(64, sizeof *small);
    ck_assert_ptr_nonnull(small);
    memset(small, 0, sizeof *small);
    float *const weights = (float *)small;
    for (size_t i = 0; i < sizeof small->sets[0] / sizeof(float); i++)
        weights[i] = (float)(i + 1);
    const uint64_t head[] = {FEWER, NNUE_BUCKETS, NNUE_MIRRORED, sizeof *small};
    const uint64_t checksum = checksum64(small, sizeof *small);
    FILE *const file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    fwrite("PALCKPT2", 8, 1, file);
    fwrite(head, sizeof head, 1, file);
    fwrite(&KEY, sizeof KEY, 1, file);
    fwrite(&checksum, sizeof checksum, 1, file);
    fwrite(small, sizeof *small, 1, file);
    ck_assert_int_eq(fclose(file), 0);
    return small;
}

START_TEST(a_network_with_fewer_neurons_gets_new_ones_that_change_nothing_yet)
{
    SmallModel *const small = write_small_checkpoint();
    Parameters *const weights = parameters_create();
    ck_assert_msg(checkpoint_load_weights(weights, path, error), "%s", error);
    ck_assert_mem_eq(weights->input, small->sets[0].input, sizeof small->sets[0].input);
    ck_assert_mem_eq(weights->input_bias, small->sets[0].input_bias,
                     sizeof small->sets[0].input_bias);
    const float unused[MODEL_BLOCK] = {0};
    for (int bucket = 0; bucket < NNUE_BUCKETS; bucket++)
        for (int side = 0; side < 2; side++) {
            ck_assert_mem_eq(weights->output[bucket][side], small->sets[0].output[bucket][side],
                             sizeof small->sets[0].output[bucket][side]);
            ck_assert_mem_eq(weights->output[bucket][side][FEWER_BLOCKS], unused, sizeof unused);
        }
    ck_assert_mem_eq(weights->output_bias, small->sets[0].output_bias, sizeof weights->output_bias);
    for (int bucket = 0; bucket < NNUE_BUCKETS; bucket++) {
        const DenseParameters *const dense = &weights->dense[bucket];
        for (int i = 0; i < 2 * DENSE_FIRST; i++) {
            ck_assert_mem_eq(dense->first[i / 2][i % 2],
                             small->sets[0].dense[bucket].first[i / 2][i % 2],
                             sizeof small->sets[0].dense[bucket].first[0][0]);
            ck_assert_mem_eq(dense->first[i / 2][i % 2][FEWER_BLOCKS], unused, sizeof unused);
        }
        ck_assert_mem_eq(dense->second, small->sets[0].dense[bucket].rest,
                         sizeof small->sets[0].dense[bucket].rest);
    }
    ck_assert_mem_ne(weights->input[FEWER_BLOCKS][0], unused, sizeof unused); // random
    parameters_free(weights);

    /* But a run does not continue from it. */
    ck_assert(!checkpoint_load(other, &KEY, path, error));
    ck_assert_msg(strstr(error, "hidden neurons") != NULL, "%s", error);
    CheckpointKey key;
    uint64_t steps;
    ck_assert(!checkpoint_read_key(&key, &steps, path));
    free(small);
}
END_TEST

START_TEST(weights_of_another_architecture_are_refused_and_nothing_changes)
{
    Parameters *const weights = made_parameters(4), *const before = made_parameters(4);
    change_byte(8); // the number of hidden neurons
    ck_assert(!checkpoint_load_weights(weights, path, error));
    ck_assert_msg(strstr(error, "architecture") != NULL, "%s", error);
    change_byte(8);
    change_byte(200000); // a weight
    ck_assert(!checkpoint_load_weights(weights, path, error));
    ck_assert_msg(strstr(error, "damaged") != NULL, "%s", error);
    remove(path);
    ck_assert(!checkpoint_load_weights(weights, path, error));
    ck_assert_msg(strstr(error, path) != NULL, "%s", error);
    ck_assert_mem_eq(weights, before, sizeof *weights);
    parameters_free(weights);
    parameters_free(before);
}
END_TEST

START_TEST(a_network_with_more_neurons_is_refused)
{
    enum { MORE = 64 };
    const uint64_t neuron = NNUE_INPUTS + 1 + 2 * NNUE_BUCKETS * (1 + DENSE_FIRST);
    size_t size;
    uint8_t *const bytes = whole_file_read(path, &size);
    const uint64_t more = 3 * MORE * neuron * sizeof(float);
    const uint64_t head[] = {NNUE_HIDDEN + MORE, NNUE_BUCKETS, NNUE_MIRRORED, sizeof(Model) + more};
    memcpy(bytes + 8, head, sizeof head);
    whole_file_write(path, bytes, size);
    free(bytes);
    ck_assert_int_eq(truncate(path, (off_t)(size + more)), 0);
    ck_assert(!checkpoint_load(other, &KEY, path, error));
    ck_assert_msg(strstr(error, "architecture") != NULL, "%s", error);
}
END_TEST

/* Of a newer program, of a part of a setting, and of a file that was cut off. */
static const int KEY_CHANGES[] = {8, -4, -(int)sizeof(CheckpointKey) - 8};

START_TEST(a_key_of_another_size_is_damage)
{
    enum { HEAD = 40 };
    size_t size;
    uint8_t *const bytes = whole_file_read(path, &size);
    const size_t rest = HEAD + sizeof(CheckpointKey);
    uint8_t *const changed = calloc(1, size + 8);
    memcpy(changed, bytes, rest);
    memcpy(changed + (long)rest + KEY_CHANGES[_i], bytes + rest, size - rest);
    memcpy(changed, bytes, HEAD);
    whole_file_write(path, changed, size + (size_t)KEY_CHANGES[_i]);
    free(changed);
    free(bytes);
    ck_assert(!checkpoint_load(other, &KEY, path, error));
    ck_assert_msg(strstr(error, "is damaged") != NULL, "%s", error);
}
END_TEST

/* A program that knew fewer settings wrote a shorter key. */
START_TEST(an_older_checkpoint_lacks_the_last_members_of_the_key)
{
    enum { HEAD = 40, OLD_KEY = 80 };
    size_t size;
    uint8_t *const bytes = whole_file_read(path, &size);
    const size_t rest = HEAD + sizeof(CheckpointKey);
    ck_assert_uint_eq(size, rest + 8 + sizeof(Model));
    memmove(bytes + HEAD + OLD_KEY, bytes + rest, size - rest);
    whole_file_write(path, bytes, HEAD + OLD_KEY + size - rest);
    free(bytes);
    ck_assert_msg(checkpoint_load(other, &KEY, path, error), "%s", error);
    ck_assert_mem_eq(model, other, sizeof *model);
    CheckpointKey key;
    uint64_t steps;
    ck_assert(checkpoint_read_key(&key, &steps, path));
    ck_assert_uint_eq(steps, 77);
    ck_assert_ptr_null(checkpoint_difference(&key, &KEY));
    key.initial_checksum = 5;
    ck_assert(!checkpoint_load(other, &key, path, error));
    ck_assert_msg(strstr(error, "--init") != NULL, "%s", error);
    ck_assert_str_eq(checkpoint_difference(&key, &KEY), "--init");
}
END_TEST

Suite *suite_checkpoint(void);
Suite *suite_checkpoint(void)
{
    Suite *suite = suite_create("checkpoint");
    TCase *tcase = tcase_create("checkpoint");
    tcase_set_timeout(tcase, 20);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_model_comes_back_to_the_last_bit);
    tcase_add_test(tcase, a_checkpoint_of_another_run_is_refused_with_the_reason);
    tcase_add_test(tcase, a_damaged_or_missing_checkpoint_is_refused);
    tcase_add_test(tcase, a_checkpoint_that_cannot_be_written_is_reported);
    tcase_add_test(tcase, the_weights_alone_can_be_read_from_any_run);
    tcase_add_test(tcase, weights_of_another_architecture_are_refused_and_nothing_changes);
    if (HAS_SMALLER)
        tcase_add_test(tcase, a_network_with_fewer_neurons_gets_new_ones_that_change_nothing_yet);
    tcase_add_test(tcase, a_network_with_more_neurons_is_refused);
    tcase_add_loop_test(tcase, a_key_of_another_size_is_damage, 0,
                        sizeof KEY_CHANGES / sizeof KEY_CHANGES[0]);
    tcase_add_test(tcase, an_older_checkpoint_lacks_the_last_members_of_the_key);
    suite_add_tcase(suite, tcase);
    return suite;
}
