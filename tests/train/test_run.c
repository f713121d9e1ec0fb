// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/run.h"

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "made_data.h"
#include "nnue/network.h"
#include "skip.h"
#include "whole_file.h"

static TrainSettings settings = {.epochs = 3,
                                 .batch = 500,
                                 .seed = 7,
                                 .lambda = 0.1,
                                 .lambda_end = 0.1,
                                 .unit = 400,
                                 .rate = 1e-3,
                                 .rate_end = 1e-5,
                                 .power = 2.0};

static Dataset dataset;
static ThreadPool *pool;
static char path[MADE_PATH_ROOM], checkpoint[MADE_PATH_ROOM + 8], lock[MADE_PATH_ROOM + 8];
static char error[RUN_ERROR_MAX];
static Network network, other;

static void setup(void)
{
    dataset = (Dataset){.train = made_set(2000, 1), .held_out = made_set(100, 900)};
    pool = thread_pool_create(1);
    made_path(path);
    snprintf(checkpoint, sizeof checkpoint, "%s.ckpt", path);
    snprintf(lock, sizeof lock, "%s.lock", path);
}

static void teardown(void)
{
    remove(path);
    remove(checkpoint);
    thread_pool_free(pool);
    loader_free(&dataset);
}

/* One run of the program; sets `*steps` to the batches done. */
static RunEnd run_with(const RunOptions *options, uint64_t *steps)
{
    Trainer *const trainer = trainer_create(&settings, &dataset, pool);
    const RunEnd end = run_training(trainer, &dataset, options, error);
    *steps = trainer_model(trainer)->step;
    trainer_free(trainer);
    return end;
}

static RunEnd run(uint64_t stop_after, bool resume, const atomic_bool *stop)
{
    const RunOptions options = {.out = path,
                                .resume = resume,
                                .stop_after = stop_after,
                                .output_scale = 1.0,
                                .stop = stop,
                                .is_silent = true};
    uint64_t steps;
    return run_with(&options, &steps);
}

static void load(Network *into)
{
    char reason[NETWORK_ERROR_MAX];
    ck_assert_msg(network_load(into, path, reason), "%s", reason);
}

START_TEST(a_run_in_parts_gives_the_network_of_an_uninterrupted_run)
{
    ck_assert_int_eq(run(0, false, NULL), RUN_DONE);
    load(&network);
    remove(path);
    remove(checkpoint);
    ck_assert_int_eq(run(5, false, NULL), RUN_STOPPED);
    ck_assert_int_eq(run(4, true, NULL), RUN_STOPPED);
    ck_assert_ptr_null(fopen(path, "rb")); // not before the end
    ck_assert_int_eq(run(0, true, NULL), RUN_DONE);
    load(&other);
    ck_assert_mem_eq(&network, &other, sizeof network);
    ck_assert_int_eq(run(0, true, NULL), RUN_DONE); // only the network is left to write
    load(&other);
    ck_assert_mem_eq(&network, &other, sizeof network);
}
END_TEST

START_TEST(a_run_stopped_from_outside_can_be_resumed)
{
    static atomic_bool stop = true;
    ck_assert_int_eq(run(0, false, &stop), RUN_STOPPED);
    ck_assert_int_eq(run(0, true, NULL), RUN_DONE);
    load(&network);
}
END_TEST

START_TEST(resuming_without_a_checkpoint_is_refused)
{
    ck_assert_int_eq(run(0, true, NULL), RUN_FAILED);
    ck_assert_msg(strstr(error, checkpoint) != NULL, "%s", error);
    *error = '\0';
    ck_assert(!run_can_start(path, true, error)); // known before the games are read
    ck_assert_msg(strstr(error, checkpoint) != NULL, "%s", error);
}
END_TEST

START_TEST(an_unfinished_run_is_not_restarted_by_mistake)
{
    ck_assert_int_eq(run(5, false, NULL), RUN_STOPPED);
    ck_assert_int_eq(run(0, false, NULL), RUN_FAILED);
    ck_assert_msg(strstr(error, "--resume") != NULL, "%s", error);
    ck_assert_int_eq(run(0, true, NULL), RUN_DONE);
    ck_assert_int_eq(run(0, false, NULL), RUN_DONE); // a finished run may be repeated
    ck_assert_int_eq(remove(checkpoint), 0);
    ck_assert_int_eq(run(0, false, NULL), RUN_DONE);
}
END_TEST

/* A process killed after its last checkpoint leaves no network. */
START_TEST(a_finished_run_without_its_network_is_not_lost)
{
    ck_assert_int_eq(run(0, false, NULL), RUN_DONE);
    ck_assert_int_eq(remove(path), 0);
    ck_assert(!run_can_start(path, false, error));
    ck_assert_int_eq(run(0, false, NULL), RUN_FAILED);
    ck_assert_msg(strstr(error, "finished run whose network is missing") != NULL, "%s", error);
    ck_assert_msg(strstr(error, "--resume") != NULL, "%s", error);
    ck_assert_int_eq(run(0, true, NULL), RUN_DONE);
    load(&network);
    ck_assert_int_eq(run(0, false, NULL), RUN_DONE);
}
END_TEST

START_TEST(an_unfinished_run_with_other_settings_is_not_lost)
{
    ck_assert_int_eq(run(5, false, NULL), RUN_STOPPED);
    settings.seed++;
    ck_assert_int_eq(run(0, false, NULL), RUN_FAILED);
    ck_assert_msg(strstr(error, "unfinished run") != NULL, "%s", error);
    ck_assert_int_eq(run(0, true, NULL), RUN_FAILED);
    ck_assert_msg(strstr(error, "another --seed") != NULL, "%s", error);
    settings.seed--;
    ck_assert_int_eq(run(0, true, NULL), RUN_DONE);
    settings.seed++;
    ck_assert_int_eq(run(0, false, NULL), RUN_DONE); // a finished one may be replaced
    settings.seed--;
}
END_TEST

/* Builds with other NNUE_HIDDEN or NNUE_MARKS write such checkpoints. */
START_TEST(an_unfinished_run_of_another_architecture_is_not_lost)
{
    enum { HIDDEN_AT = 8 }; // the number of hidden neurons in the file
    const uint64_t hidden = 512;
    ck_assert_int_eq(run(5, false, NULL), RUN_STOPPED);
    FILE *const file = fopen(checkpoint, "r+b");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, HIDDEN_AT, SEEK_SET), 0);
    ck_assert_uint_eq(fwrite(&hidden, sizeof hidden, 1, file), 1);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(run(0, false, NULL), RUN_FAILED);
    ck_assert_msg(strstr(error, "another architecture") != NULL, "%s", error);
    ck_assert_int_eq(truncate(checkpoint, 100), 0); // or damaged
    ck_assert(!run_can_start(path, false, error));
}
END_TEST

/* Locks the network as another run does, until the file is closed. */
static FILE *hold_lock(void)
{
    FILE *const file = fopen(lock, "wb");
    ck_assert(file != NULL && file_lock(file));
    return file;
}

/* The last call failed, because of that lock. */
static void check_locked_out(void)
{
    ck_assert_msg(strstr(error, "another process is training it") != NULL, "%s", error);
}

START_TEST(two_runs_do_not_write_the_same_network)
{
    FILE *const file = hold_lock();
    ck_assert_int_eq(run(0, false, NULL), RUN_FAILED);
    check_locked_out();
    fclose(file);
    ck_assert_int_eq(run(0, false, NULL), RUN_DONE);
    ck_assert_int_ne(access(lock, F_OK), 0);
}
END_TEST

/* A second process that opened a draft would be in the way of the first one's next save. */
START_TEST(files_are_tested_under_the_lock)
{
    FileDraft draft;
    FILE *const file = hold_lock();
    ck_assert(file_draft(&draft, path)); // as the holder of the lock does while it saves
    ck_assert(!run_can_start(path, false, error));
    check_locked_out();
    ck_assert_int_eq(run(0, false, NULL), RUN_FAILED);
    check_locked_out();
    ck_assert(!run_save_network(&network, path, error));
    check_locked_out();
    fclose(file);
    ck_assert(!run_can_start(path, false, error));
    ck_assert_msg(strstr(error, "cannot be written") != NULL, "%s", error);
    ck_assert_int_ne(access(lock, F_OK), 0); // also after this failure
    file_discard(&draft);
}
END_TEST

START_TEST(what_forbids_a_run_is_known_before_the_games)
{
    ck_assert_msg(run_can_start(path, false, error), "%s", error);
    ck_assert_int_ne(access(lock, F_OK), 0);
    FILE *const file = hold_lock();
    ck_assert(!run_can_start(path, false, error));
    check_locked_out();
    fclose(file);
    ck_assert_int_eq(run(5, false, NULL), RUN_STOPPED);
    ck_assert(!run_can_start(path, false, error));
    ck_assert_msg(strstr(error, "unfinished run") != NULL, "%s", error);
    ck_assert_msg(run_can_start(path, true, error), "%s", error);
    ck_assert_int_eq(run(0, true, NULL), RUN_DONE);
    ck_assert_msg(run_can_start(path, false, error), "%s", error); // a finished run
}
END_TEST

START_TEST(a_network_is_not_saved_over_that_of_a_run)
{
    FILE *const file = hold_lock();
    ck_assert(!run_save_network(&network, path, error));
    check_locked_out();
    fclose(file);
    network_randomise(&network, 5);
    ck_assert_msg(run_save_network(&network, path, error), "%s", error);
    load(&other);
    ck_assert_mem_eq(&network, &other, sizeof network);
    ck_assert_int_ne(access(lock, F_OK), 0);
    ck_assert(!run_save_network(&network, "/tmp/no such folder of palimpsest/a", error));
}
END_TEST

START_TEST(a_file_in_place_of_the_lock_is_kept)
{
    whole_file_write_text(lock, "precious");
    ck_assert_int_eq(run(0, false, NULL), RUN_FAILED);
    ck_assert_msg(strstr(error, lock) != NULL && strstr(error, "not the lock") != NULL, "%s",
                  error);
    ck_assert_int_eq(remove(lock), 0);
    ck_assert_int_eq(mkfifo(lock, 0600), 0);
    ck_assert_int_eq(run(0, false, NULL), RUN_FAILED);
    ck_assert_int_eq(remove(lock), 0);
}
END_TEST

START_TEST(files_of_other_kinds_are_not_replaced)
{
    whole_file_write_text(path, "precious");
    ck_assert(!run_can_start(path, false, error));
    ck_assert_msg(strstr(error, "is another kind of file") != NULL, "%s", error);
    whole_file_write_text(path, "");
    ck_assert(run_can_start(path, false, error)); // an empty file is none that anybody needs
    whole_file_write_text(checkpoint, "precious");
    ck_assert(!run_can_start(path, false, error));
}
END_TEST

START_TEST(an_output_that_cannot_be_written_is_refused_at_the_start)
{
    RunOptions options = {
        .out = "/tmp/no such folder of palimpsest/a", .output_scale = 1.0, .is_silent = true};
    uint64_t steps;
    ck_assert_int_eq(run_with(&options, &steps), RUN_FAILED);
    ck_assert_msg(strstr(error, options.out) != NULL, "%s", error);
    ck_assert_uint_eq(steps, 0);
    options.out = path;
    remove(path);
    ck_assert_int_eq(mkdir(checkpoint, 0700), 0); // in the way
    ck_assert(!run_can_start(path, false, error));
    ck_assert_msg(strstr(error, checkpoint) != NULL, "%s", error);
    ck_assert_int_eq(run_with(&options, &steps), RUN_FAILED);
    ck_assert_uint_eq(steps, 0);
    ck_assert_int_eq(rmdir(checkpoint), 0);
    ck_assert(run_can_start(path, false, error));
    ck_assert_int_ne(access(path, F_OK), 0); // the check leaves no file
    ck_assert_int_ne(access(checkpoint, F_OK), 0);
}
END_TEST

START_TEST(failed_checkpoints_do_not_end_a_run)
{
    /* Space for the network but not for a checkpoint. */
    const struct rlimit small = {.rlim_cur = sizeof(Network) + 4096, .rlim_max = RLIM_INFINITY};
    const struct rlimit unlimited = {.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
    ck_assert_uint_gt(sizeof(Model), small.rlim_cur);
    signal(SIGXFSZ, SIG_IGN);
    const RunOptions options = {
        .out = path, .output_scale = 1.0, .checkpoint_ms = 1, .is_silent = true};
    uint64_t steps;
    /* No ck_assert() between the two calls: libcheck writes to a file, too, and a failure would
     * leave the small limit set. */
    const int is_limited = setrlimit(RLIMIT_FSIZE, &small);
    const RunEnd end = run_with(&options, &steps);
    char reason[RUN_ERROR_MAX];
    memcpy(reason, error, sizeof reason);
    const RunEnd end_of_stopped = run(5, false, NULL);
    const int is_free = setrlimit(RLIMIT_FSIZE, &unlimited);
    ck_assert_int_eq(is_limited, 0);
    ck_assert_int_eq(is_free, 0);
    ck_assert_int_eq(end, RUN_FAILED); // the network is there, but not its checkpoint
    ck_assert_msg(strstr(reason, "the network is written, but not its checkpoint") != NULL, "%s",
                  reason);
    ck_assert_uint_gt(steps, 3);
    load(&network);
    ck_assert_int_ne(access(checkpoint, F_OK), 0);
    ck_assert_msg(end_of_stopped == RUN_FAILED, "nothing is left of the run");
}
END_TEST

START_TEST(a_network_that_was_not_written_can_be_made_from_the_checkpoint)
{
    const RunOptions options = {.out = path, .output_scale = 1000.0, .is_silent = true};
    uint64_t steps;
    remove(path);
    ck_assert_int_eq(run_with(&options, &steps), RUN_FAILED);
    ck_assert_msg(strstr(error, "rounding") != NULL, "%s", error);
    ck_assert_msg(strstr(error, "--resume") != NULL, "%s", error);
    ck_assert_int_ne(access(path, F_OK), 0);
    ck_assert_int_eq(run(0, true, NULL), RUN_DONE);
    load(&network);
}
END_TEST

START_TEST(the_checkpoint_is_written_before_the_network)
{
    struct stat first, second;
    ck_assert_int_eq(run(0, false, NULL), RUN_DONE);
    ck_assert_int_eq(stat(checkpoint, &first), 0);
    ck_assert_int_eq(stat(path, &second), 0);
    const struct timespec earlier = first.st_mtim, later = second.st_mtim;
    ck_assert(earlier.tv_sec < later.tv_sec ||
              (earlier.tv_sec == later.tv_sec && earlier.tv_nsec <= later.tv_nsec));
}
END_TEST

START_TEST(positions_that_cannot_be_read_end_the_run_with_a_checkpoint)
{
    char beside[MADE_PATH_ROOM];
    made_path(beside);
    dataset.store = sample_store_create(beside, 1, error);
    ck_assert_msg(dataset.store != NULL, "%s", error);
    ck_assert(sample_store_add(dataset.store, dataset.train.samples, dataset.train.count));
    ck_assert(sample_store_finish(dataset.store, 0));
    remove(beside);
    ck_assert_int_eq(run(5, false, NULL), RUN_STOPPED);
    if (!made_lose_temporary(beside)) {
        skip_test("no way to lose an open file");
        return;
    }
    ck_assert_int_eq(run(0, true, NULL), RUN_FAILED);
    ck_assert_msg(strstr(error, "read") != NULL, "%s", error);
    CheckpointKey key;
    uint64_t steps;
    ck_assert(checkpoint_read_key(&key, &steps, checkpoint));
    ck_assert_uint_eq(steps, 5);
}
END_TEST

START_TEST(judging_after_each_epoch_does_not_change_the_network)
{
    char labelled[MADE_PATH_ROOM];
    made_path(labelled);
    whole_file_write_text(labelled, "4k3/8/8/8/8/8/4P3/4K3 w - - ce 150;\n"
                                    "4k3/8/8/8/8/8/4P3/4K3 b - - ce -150;\n");
    ck_assert_int_eq(run(0, false, NULL), RUN_DONE);
    load(&network);
    LabelSet *const labels = judge_read(labelled, error);
    ck_assert_msg(labels != NULL, "%s", error);
    const RunOptions options = {
        .out = path, .labels = labels, .output_scale = 1.0, .is_silent = true};
    uint64_t steps;
    ck_assert_int_eq(run_with(&options, &steps), RUN_DONE);
    load(&other);
    ck_assert_mem_eq(&network, &other, sizeof network);
    judge_free(labels);
    remove(labelled);
}
END_TEST

START_TEST(the_checkpoint_of_a_run_is_recognised)
{
    ck_assert(!run_overwrites(path, checkpoint)); // does not exist
    ck_assert_int_eq(run(5, false, NULL), RUN_STOPPED);
    ck_assert(run_overwrites(path, checkpoint));
    ck_assert(run_overwrites(path, path));
    ck_assert(!run_overwrites(checkpoint, path));
}
END_TEST

Suite *suite_train_run(void);
Suite *suite_train_run(void)
{
    Suite *suite = suite_create("train_run");
    TCase *tcase = tcase_create("run");
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_run_in_parts_gives_the_network_of_an_uninterrupted_run);
    tcase_add_test(tcase, a_run_stopped_from_outside_can_be_resumed);
    tcase_add_test(tcase, resuming_without_a_checkpoint_is_refused);
    tcase_add_test(tcase, an_unfinished_run_is_not_restarted_by_mistake);
    tcase_add_test(tcase, a_finished_run_without_its_network_is_not_lost);
    tcase_add_test(tcase, an_unfinished_run_with_other_settings_is_not_lost);
    tcase_add_test(tcase, an_unfinished_run_of_another_architecture_is_not_lost);
    tcase_add_test(tcase, two_runs_do_not_write_the_same_network);
    tcase_add_test(tcase, files_are_tested_under_the_lock);
    tcase_add_test(tcase, what_forbids_a_run_is_known_before_the_games);
    tcase_add_test(tcase, a_network_is_not_saved_over_that_of_a_run);
    tcase_add_test(tcase, a_file_in_place_of_the_lock_is_kept);
    tcase_add_test(tcase, files_of_other_kinds_are_not_replaced);
    tcase_add_test(tcase, an_output_that_cannot_be_written_is_refused_at_the_start);
    tcase_add_test(tcase, failed_checkpoints_do_not_end_a_run);
    tcase_add_test(tcase, a_network_that_was_not_written_can_be_made_from_the_checkpoint);
    tcase_add_test(tcase, the_checkpoint_is_written_before_the_network);
    tcase_add_test(tcase, positions_that_cannot_be_read_end_the_run_with_a_checkpoint);
    tcase_add_test(tcase, judging_after_each_epoch_does_not_change_the_network);
    tcase_add_test(tcase, the_checkpoint_of_a_run_is_recognised);
    suite_add_tcase(suite, tcase);
    return suite;
}
