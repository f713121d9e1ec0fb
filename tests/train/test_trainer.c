// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/trainer.h"

#include <check.h>
#include <stdio.h>

#include "made_data.h"
#include "nnue/features.h"
#include "train/balance.h"

/* The number of samples is a multiple of neither the group nor the batch. */
enum { POSITIONS = 3003, HELD_OUT = 501, BATCH = 700, EPOCH_STEPS = 4, THREADS_MAX = 4 };

static Dataset dataset;
static ThreadPool *pools[THREADS_MAX + 1]; // by size, created at first use

static const TrainSettings SETTINGS = {.epochs = 8,
                                       .batch = BATCH,
                                       .seed = 7,
                                       .lambda = 0.1,
                                       .lambda_end = 0.1,
                                       .unit = 400,
                                       .rate = 1e-3,
                                       .rate_end = 1e-5,
                                       .power = 2.0};

static void setup(void)
{
    dataset = (Dataset){.train = made_set(POSITIONS, 1), .held_out = made_set(HELD_OUT, 900)};
}

static void teardown(void)
{
    for (int i = 0; i <= THREADS_MAX; i++) {
        thread_pool_free(pools[i]);
        pools[i] = NULL;
    }
    loader_free(&dataset);
}

static Trainer *trainer_with(const TrainSettings *settings, int threads)
{
    if (pools[threads] == NULL)
        pools[threads] = thread_pool_create(threads);
    Trainer *const trainer = trainer_create(settings, &dataset, pools[threads]);
    ck_assert_ptr_nonnull(trainer);
    return trainer;
}

static void train(Trainer *trainer, int batches)
{
    for (int i = 0; i < batches; i++)
        trainer_batch(trainer);
}

/* Checks that a stop after `stop` of 11 batches does not change the result. */
static void check_resume(const TrainSettings *settings, int threads, int stop)
{
    char path[MADE_PATH_ROOM], error[CHECKPOINT_ERROR_MAX];
    made_path(path);
    Trainer *const whole = trainer_with(settings, threads);
    train(whole, 11);
    Trainer *const first = trainer_with(settings, threads);
    train(first, stop);
    ck_assert(checkpoint_save(trainer_model(first), trainer_key(first), path, error));
    trainer_free(first);
    Trainer *const second = trainer_with(settings, threads);
    ck_assert_msg(checkpoint_load(trainer_model(second), trainer_key(second), path, error), "%s",
                  error);
    ck_assert_uint_eq(trainer_model(second)->step, (uint64_t)stop);
    train(second, 11 - stop);
    ck_assert_mem_eq(trainer_model(second), trainer_model(whole), sizeof(Model));
    trainer_free(second);
    trainer_free(whole);
    remove(path);
}

START_TEST(a_resumed_run_is_the_same_bit_for_bit)
{
    check_resume(&SETTINGS, 1, _i);
}
END_TEST

START_TEST(a_resumed_run_of_several_threads_in_turn_is_the_same)
{
    TrainSettings settings = SETTINGS;
    settings.is_repeatable = true;
    check_resume(&settings, 3, 6);
}
END_TEST

START_TEST(a_repeatable_run_is_resumed_with_as_many_threads)
{
    TrainSettings settings = SETTINGS;
    settings.is_repeatable = true;
    Trainer *const two = trainer_with(&settings, 2), *const three = trainer_with(&settings, 3);
    const char *const difference = checkpoint_difference(trainer_key(two), trainer_key(three));
    ck_assert_pstr_eq(difference, "--repeatable or --threads");
    trainer_free(three);
    trainer_free(two);
    Trainer *const one = trainer_with(&SETTINGS, 1), *const four = trainer_with(&SETTINGS, 4);
    ck_assert_ptr_null(checkpoint_difference(trainer_key(one), trainer_key(four)));
    trainer_free(four);
    trainer_free(one);
}
END_TEST

/* Moves the training set to a store; some of it stays in memory, as the loader does. */
static void move_to_disk(void)
{
    char path[MADE_PATH_ROOM], error[SAMPLE_STORE_ERROR_MAX];
    made_path(path);
    dataset.store = sample_store_create(path, 1, error);
    ck_assert_msg(dataset.store != NULL, "%s", error);
    ck_assert(sample_store_add(dataset.store, dataset.train.samples, dataset.train.count));
    ck_assert(sample_store_finish(dataset.store, 0));
    dataset.train.count = 1000;
    remove(path);
}

START_TEST(a_resumed_run_on_disk_is_the_same_bit_for_bit)
{
    move_to_disk();
    check_resume(&SETTINGS, 1, _i);
}
END_TEST

START_TEST(a_run_on_disk_is_another_run)
{
    Trainer *const memory = trainer_with(&SETTINGS, 1);
    const CheckpointKey key = *trainer_key(memory);
    trainer_free(memory);
    move_to_disk();
    Trainer *const disk = trainer_with(&SETTINGS, 1);
    ck_assert_uint_eq(key.is_on_disk, 0);
    ck_assert_uint_eq(trainer_key(disk)->is_on_disk, 1);
    ck_assert_uint_eq(trainer_key(disk)->positions, key.positions);
    trainer_free(disk);
}
END_TEST

START_TEST(several_threads_learn_the_same_as_one)
{
    Trainer *const alone = trainer_with(&SETTINGS, 1);
    train(alone, 6);
    Trainer *const together = trainer_with(&SETTINGS, 4);
    train(together, 6);
    const Model *const a = trainer_model(alone), *const b = trainer_model(together);
    for (size_t i = 0; i < MODEL_PARAMETERS; i++)
        ck_assert_float_eq_tol(((const float *)&a->mean)[i], ((const float *)&b->mean)[i], 1e-6f);
    ck_assert_double_eq_tol(a->loss_sum, b->loss_sum, 1e-3);
    trainer_free(together);
    trainer_free(alone);
}
END_TEST

START_TEST(an_epoch_learns_from_every_position_once)
{
    if (_i == 1)
        move_to_disk();
    Trainer *const trainer = trainer_with(&SETTINGS, 1);
    ck_assert_uint_eq(trainer_epoch_steps(trainer), EPOCH_STEPS);
    ck_assert_uint_eq(trainer_steps(trainer), EPOCH_STEPS * SETTINGS.epochs);
    for (int epoch = 0; epoch < 2; epoch++) {
        size_t count = 0;
        for (int i = 0; i < EPOCH_STEPS; i++) {
            const size_t batch = trainer_batch(trainer);
            ck_assert_uint_ge(batch, BATCH);
            count += batch;
        }
        ck_assert_uint_eq(count, POSITIONS);
        ck_assert_uint_eq(trainer_model(trainer)->loss_count, POSITIONS);
    }
    trainer_free(trainer);
}
END_TEST

START_TEST(material_is_learned_and_generalises_to_held_out_positions)
{
    if (_i == 1)
        move_to_disk();
    TrainSettings settings = SETTINGS;
    settings.lambda = settings.lambda_end = 0.0;
    settings.epochs = 8;
    settings.batch = 128;
    settings.rate = 4e-3;
    Trainer *const trainer = trainer_with(&settings, 2);
    const double before = trainer_loss(trainer, &dataset.held_out);
    train(trainer, (int)trainer_steps(trainer));
    const double after = trainer_loss(trainer, &dataset.held_out);
    ck_assert_msg(after < before * 3 / 4, "%f, then %f", before, after);
    trainer_free(trainer);
}
END_TEST

START_TEST(the_loss_of_a_set_does_not_depend_on_the_threads)
{
    Trainer *const one = trainer_with(&SETTINGS, 1);
    const double alone = trainer_loss(one, &dataset.held_out);
    trainer_free(one);
    Trainer *const four = trainer_with(&SETTINGS, 4);
    ck_assert(trainer_loss(four, &dataset.held_out) == alone);
    ck_assert_double_gt(alone, 0.001);
    ck_assert_double_lt(alone, 0.25);
    trainer_free(four);
}
END_TEST

START_TEST(the_rate_warms_up_and_falls_to_its_end)
{
    TrainSettings settings = SETTINGS;
    settings.epochs = 500;
    Trainer *const trainer = trainer_with(&settings, 1);
    Model *const model = trainer_model(trainer);
    const uint64_t steps = trainer_steps(trainer);
    ck_assert_double_eq_tol(trainer_rate(trainer), 1e-3 / 50, 1e-6);
    double last = 0.0;
    for (model->step = 0; model->step < 49; model->step++) {
        ck_assert_double_gt(trainer_rate(trainer), last);
        last = trainer_rate(trainer);
    }
    for (model->step = 50; model->step < steps; model->step += 10) {
        ck_assert(model->step == 50 || trainer_rate(trainer) < last);
        last = trainer_rate(trainer);
    }
    model->step = steps / 2;
    ck_assert_double_eq_tol(trainer_rate(trainer), 0.5 * (1e-3 + 1e-5), 1e-9);
    model->step = steps;
    ck_assert_double_eq_tol(trainer_rate(trainer), 1e-5, 1e-12);
    trainer_free(trainer);
}
END_TEST

START_TEST(lambda_changes_linearly_to_its_end)
{
    TrainSettings settings = SETTINGS;
    settings.lambda_end = 0.5;
    Trainer *const trainer = trainer_with(&settings, 1), *const same = trainer_with(&SETTINGS, 1);
    Model *const model = trainer_model(trainer);
    ck_assert_double_eq(trainer_lambda(trainer), 0.1);
    model->step = trainer_steps(trainer) / 4;
    ck_assert_double_eq_tol(trainer_lambda(trainer), 0.2, 1e-12);
    trainer_model(same)->step = model->step;
    ck_assert_double_eq(trainer_lambda(same), 0.1);
    ck_assert_double_eq(trainer_key(same)->lambda_change, 0.0);
    ck_assert_double_eq(trainer_key(trainer)->lambda_change, 0.4);
    trainer_free(same);
    trainer_free(trainer);
}
END_TEST

START_TEST(the_loss_is_measured_with_the_current_lambda)
{
    TrainSettings results = SETTINGS, scores = SETTINGS, change = SETTINGS;
    results.lambda = results.lambda_end = 1.0;
    scores.lambda = scores.lambda_end = 0.0;
    change.lambda = 1.0;
    change.lambda_end = 0.0;
    Trainer *const by_results = trainer_with(&results, 1), *const by_scores =
                                                               trainer_with(&scores, 1);
    Trainer *const changing = trainer_with(&change, 1);
    const double first = trainer_loss(by_results, &dataset.held_out);
    const double last = trainer_loss(by_scores, &dataset.held_out);
    ck_assert_double_gt(first, last);
    ck_assert_double_eq(trainer_loss(changing, &dataset.held_out), first);
    trainer_model(changing)->step = trainer_steps(changing);
    ck_assert_double_eq(trainer_loss(changing, &dataset.held_out), last);
    trainer_free(by_results);
    trainer_free(by_scores);
    trainer_free(changing);
}
END_TEST

START_TEST(balance_raises_the_weight_of_rare_piece_counts)
{
    TrainSettings settings = SETTINGS;
    settings.balance = 0.8;
    Trainer *const plain = trainer_with(&SETTINGS, 1), *const balanced = trainer_with(&settings, 1);
    uint64_t counts[NNUE_BUCKETS] = {0};
    float weights[NNUE_BUCKETS];
    balance_count(dataset.train.samples, dataset.train.count, counts);
    balance_weights(counts, 0.8, weights);
    /* The loss of one position alone shows its weight. */
    for (size_t i = 0; i < 50; i++) {
        const SampleSet one = {.samples = &dataset.train.samples[i], .count = 1};
        const int bucket = feature_bucket(popcount(one.samples->occupied));
        ck_assert_double_eq_tol(trainer_loss(balanced, &one),
                                (double)weights[bucket] * trainer_loss(plain, &one), 1e-5);
    }
    ck_assert_double_eq(trainer_key(balanced)->balance, 0.8);
    trainer_free(plain);
    trainer_free(balanced);
}
END_TEST

START_TEST(a_run_can_begin_with_the_weights_of_another)
{
    Trainer *const first = trainer_with(&SETTINGS, 1);
    train(first, 6);
    TrainSettings settings = SETTINGS;
    settings.initial = &trainer_model(first)->weights;
    Trainer *const second = trainer_with(&settings, 1);
    const Model *const model = trainer_model(second);
    ck_assert_mem_eq(&model->weights, settings.initial, sizeof(Parameters));
    ck_assert_uint_eq(model->step, 0);
    Parameters *const zero = parameters_create();
    ck_assert_mem_eq(&model->mean, zero, sizeof *zero);
    ck_assert_mem_eq(&model->square, zero, sizeof *zero);
    ck_assert_uint_ne(trainer_key(second)->initial_checksum, 0);
    ck_assert_uint_eq(trainer_key(first)->initial_checksum, 0);
    train(first, 1); // other weights, another run
    Trainer *const third = trainer_with(&settings, 1);
    ck_assert_uint_ne(trainer_key(third)->initial_checksum, trainer_key(second)->initial_checksum);
    parameters_free(zero);
    trainer_free(third);
    trainer_free(second);
    trainer_free(first);
}
END_TEST

START_TEST(the_loss_and_the_gradients_are_those_of_the_rounded_weights)
{
    Trainer *const first = trainer_with(&SETTINGS, 1);
    train(first, 3);
    Parameters *const exact = parameters_create(), *const rounded = parameters_create();
    *exact = trainer_model(first)->weights;
    *rounded = *trainer_rounded(first);
    ck_assert_mem_ne(exact, rounded, sizeof *exact);
    TrainSettings from_exact = SETTINGS, from_rounded = SETTINGS;
    from_exact.initial = exact;
    from_rounded.initial = rounded;
    Trainer *const a = trainer_with(&from_exact, 1), *const b = trainer_with(&from_rounded, 1);
    ck_assert_double_eq(trainer_loss(a, &dataset.held_out), trainer_loss(b, &dataset.held_out));
    train(a, 1);
    train(b, 1);
    const Model *const of_a = trainer_model(a), *const of_b = trainer_model(b);
    ck_assert_mem_eq(&of_a->mean, &of_b->mean, sizeof of_a->mean); // of the gradients
    const Parameters *const moved = &of_a->weights; // the steps change the exact weights
    ck_assert_mem_ne(moved, trainer_rounded(a), sizeof *moved);
    parameters_free(exact);
    parameters_free(rounded);
    trainer_free(a);
    trainer_free(b);
    trainer_free(first);
}
END_TEST

Suite *suite_trainer(void);
Suite *suite_trainer(void)
{
    Suite *suite = suite_create("trainer");
    TCase *tcase = tcase_create("trainer");
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, the_loss_and_the_gradients_are_those_of_the_rounded_weights);
    tcase_add_loop_test(tcase, a_resumed_run_is_the_same_bit_for_bit, 3, 6);
    tcase_add_test(tcase, a_resumed_run_of_several_threads_in_turn_is_the_same);
    tcase_add_test(tcase, a_repeatable_run_is_resumed_with_as_many_threads);
    tcase_add_loop_test(tcase, a_resumed_run_on_disk_is_the_same_bit_for_bit, 3, 6);
    tcase_add_test(tcase, a_run_on_disk_is_another_run);
    tcase_add_test(tcase, several_threads_learn_the_same_as_one);
    tcase_add_loop_test(tcase, an_epoch_learns_from_every_position_once, 0, 2);
    tcase_add_loop_test(tcase, material_is_learned_and_generalises_to_held_out_positions, 0, 2);
    tcase_add_test(tcase, the_loss_of_a_set_does_not_depend_on_the_threads);
    tcase_add_test(tcase, the_rate_warms_up_and_falls_to_its_end);
    tcase_add_test(tcase, lambda_changes_linearly_to_its_end);
    tcase_add_test(tcase, the_loss_is_measured_with_the_current_lambda);
    tcase_add_test(tcase, balance_raises_the_weight_of_rare_piece_counts);
    tcase_add_test(tcase, a_run_can_begin_with_the_weights_of_another);
    suite_add_tcase(suite, tcase);
    return suite;
}
