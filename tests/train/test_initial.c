// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/initial.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "nnue/network.h"
#include "train/checkpoint.h"
#include "train/made_data.h"
#include "train/quantise.h"
#include "whole_file.h"

static char path[MADE_PATH_ROOM], error[INITIAL_ERROR_MAX];

static void setup(void)
{
    made_path(path);
}

static void teardown(void)
{
    remove(path);
}

START_TEST(a_run_begins_with_the_weights_of_a_checkpoint)
{
    Model *const model = model_create(31);
    ck_assert(checkpoint_save(model, &(CheckpointKey){.seed = 31}, path, error));
    Parameters *const weights = initial_read(path, error);
    ck_assert_msg(weights != NULL, "%s", error);
    ck_assert_mem_eq(weights, &model->weights, sizeof *weights);
    parameters_free(weights);
    model_free(model);
}
END_TEST

START_TEST(a_run_begins_with_the_weights_of_a_network)
{
    static Network network, again;
    char reason[NETWORK_ERROR_MAX];
    network_randomise(&network, 32);
    ck_assert(network_save(&network, path, reason));
    Parameters *const weights = initial_read(path, error);
    ck_assert_msg(weights != NULL, "%s", error);
    quantise_model(&again, weights, (double)network.scale / NNUE_SCALE);
    ck_assert_mem_eq(&again, &network, sizeof network);
    parameters_free(weights);
}
END_TEST

/* Networks of older files have none; see test_network.c. */
START_TEST(dense_layers_that_a_network_lacks_begin_without_effect_and_can_learn)
{
    static Network network;
    char reason[NETWORK_ERROR_MAX];
    network_randomise(&network, 33);
    memset(network.dense, 0, sizeof network.dense);
    ck_assert(network_save(&network, path, reason));
    Parameters *const weights = initial_read(path, error);
    ck_assert_msg(weights != NULL, "%s", error);
    for (int bucket = 0; bucket < NNUE_BUCKETS; bucket++) {
        const DenseParameters *const dense = &weights->dense[bucket];
        for (int k = 0; k < DENSE_SECOND; k++) {
            ck_assert_float_eq(dense->output[k], 0.0f);
            ck_assert_float_gt(dense->second_bias[k], 0.0f);
        }
        ck_assert_float_ne(dense->first[0][0][0][0], dense->first[1][0][0][0]);
        ck_assert_float_ne(dense->second[0][0], dense->second[0][1]);
    }
    parameters_free(weights);
}
END_TEST

/* Writes `size` bytes and expects an error that names the file and contains `words`. */
static void expect_refusal(const void *bytes, size_t size, const char *words)
{
    whole_file_write(path, bytes, size);
    ck_assert_ptr_null(initial_read(path, error));
    ck_assert_msg(strstr(error, path) != NULL && strstr(error, words) != NULL, "%s", error);
}

START_TEST(other_files_are_refused)
{
    remove(path);
    ck_assert_ptr_null(initial_read(path, error));
    ck_assert_msg(strstr(error, path) != NULL, "%s", error);
    ck_assert_msg(strstr(error, "checkpoint or network") != NULL, "%s", error);
    expect_refusal("", 0, "is neither a checkpoint nor a network");
    expect_refusal("Hello, world", 12, "is neither a checkpoint nor a network");
    expect_refusal("PALIMNET", 8, "too short");
}
END_TEST

Suite *suite_initial(void);
Suite *suite_initial(void)
{
    Suite *suite = suite_create("initial");
    TCase *tcase = tcase_create("initial");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_run_begins_with_the_weights_of_a_checkpoint);
    tcase_add_test(tcase, a_run_begins_with_the_weights_of_a_network);
    tcase_add_test(tcase, dense_layers_that_a_network_lacks_begin_without_effect_and_can_learn);
    tcase_add_test(tcase, other_files_are_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
