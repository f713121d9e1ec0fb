// SPDX-License-Identifier: GPL-3.0-or-later
/* palimpsest-train: from games to a network. */

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/interrupt.h"
#include "nnue/forward.h"
#include "train/course.h"
#include "train/plan.h"
#include "train/speed.h"

enum { EXIT_INTERRUPTED = 130, EXIT_USAGE = 2, ERROR_MAX = 512 };
static_assert((int)ERROR_MAX >= (int)LOADER_ERROR_MAX && (int)ERROR_MAX >= (int)COURSE_ERROR_MAX &&
                  (int)ERROR_MAX >= (int)PLAN_ERROR_MAX,
              "holds any reason");

static int fail(const char *error)
{
    fprintf(stderr, "palimpsest-train: %s\n", error);
    return EXIT_FAILURE;
}

static void print_dataset(const Dataset *dataset)
{
    printf("(%d -> %d) x 2 -> 1 x %d, inputs %smirrored\n", NNUE_INPUTS, NNUE_HIDDEN, NNUE_BUCKETS,
           NNUE_MIRRORED ? "" : "not ");
    printf("%zu positions of %" PRIu64 " games; held out %zu of %" PRIu64 "\n",
           dataset->train.count, dataset->games - dataset->held_out_games, dataset->held_out.count,
           dataset->held_out_games);
    if (dataset->damaged > 0)
        printf("%" PRIu64 " games could not be read and were left out\n", dataset->damaged);
    fflush(stdout);
}

static CourseEnd train_on(const Plan *plan, const Dataset *dataset, Crew *crew, char *error)
{
    const TrainSettings settings = {.epochs = (uint64_t)plan->epochs,
                                    .batch = (uint64_t)plan->batch,
                                    .seed = (uint64_t)plan->seed,
                                    .lambda = plan->lambda,
                                    .unit = plan->unit,
                                    .rate = plan->rate,
                                    .rate_end = plan->rate_end,
                                    .power = plan->power,
                                    .is_repeatable = plan->is_repeatable};
    const CourseOptions options = {.out = plan->out,
                                   .resume = plan->resume,
                                   .stop_after = (uint64_t)plan->stop_after,
                                   .output_scale = plan->output_scale,
                                   .stop = interrupt_watch()};
    Trainer *const trainer = trainer_create(&settings, dataset, crew);
    if (trainer == NULL) {
        snprintf(error, ERROR_MAX, "no memory for the model");
        return COURSE_FAILED;
    }
    const CourseEnd end = course_run(trainer, dataset, &options, error);
    trainer_free(trainer);
    return end;
}

static int train(const Plan *plan, Crew *crew)
{
    const LoaderOptions options = {.paths = (const char *const *)plan->games.words,
                                   .path_count = plan->games.count,
                                   .held_out_percent = plan->held_out,
                                   .max_positions = (uint64_t)plan->max_positions,
                                   .seed = (uint64_t)plan->seed,
                                   .hindsight = plan->hindsight};
    Dataset dataset;
    char error[ERROR_MAX];
    if (!course_can_write(plan->out, error))
        return fail(error);
    CourseEnd end = COURSE_FAILED;
    if (loader_load(&dataset, &options, crew, error)) {
        print_dataset(&dataset);
        end = train_on(plan, &dataset, crew, error);
    }
    loader_free(&dataset);
    switch (end) {
    case COURSE_DONE: return EXIT_SUCCESS;
    case COURSE_FAILED: return fail(error);
    case COURSE_STOPPED: break;
    }
    fprintf(stderr, "stopped; the same command with --resume goes on from %s.ckpt\n", plan->out);
    return EXIT_INTERRUPTED;
}

static int bench(Crew *crew)
{
    Speed speed;
    if (!speed_measure(&speed, crew))
        return fail("out of memory");
    printf("%d hidden neurons, %d threads: %.2f M positions/s, %.2f M a CPU-second\n", NNUE_HIDDEN,
           crew_size(crew), speed.positions_per_second * 1e-6,
           speed.positions_per_cpu_second * 1e-6);
    const double ns = speed_inference();
    if (ns <= 0.0)
        return fail("out of memory");
    printf("%s: %.1f ns to update and evaluate\n", nnue_simd_name(), ns);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    Plan plan;
    char error[PLAN_ERROR_MAX];
    if (!plan_parse(&plan, argc, argv, error)) {
        fail(error);
        return EXIT_USAGE;
    }
    if (plan.kind == PLAN_HELP) {
        plan_print_help(stdout);
        return EXIT_SUCCESS;
    }
    chess_init();
    const int cores = thread_hardware_count() < CREW_MAX ? thread_hardware_count() : CREW_MAX;
    Crew *const crew = crew_create(plan.threads > 0 ? (int)plan.threads : cores);
    if (crew == NULL)
        return fail("the system refuses the threads");
    const int status = plan.kind == PLAN_BENCH ? bench(crew) : train(&plan, crew);
    crew_free(crew);
    return status;
}
