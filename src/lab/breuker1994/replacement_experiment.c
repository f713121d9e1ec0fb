// SPDX-License-Identifier: GPL-3.0-or-later
#include <assert.h>
#include <inttypes.h>

#include "base/file.h"
#include "base/text.h"
#include "lab/breuker1994/cube.h"
#include "lab/breuker1994/replacement_report.h"
#include "lab/breuker1994/series.h"
#include "lab/experiment.h"
#include "lab/jobs.h"

static const char SIZES_OF_PAPER[] = "8,16,32,64,128,256,512,1024";
enum { KILO_MAX = 1 << 20 };
static_assert((int)CUBE_SIZES >= (int)SERIES_LIST_MAX,
              "the report has room for the sizes of a run");

typedef struct {
    const char *positions, *csv, *schemes, *sizes, *stamping, *history, *report;
    int64_t min_depth, max_depth, seeds, jobs, summed;
    bool early_termination, refresh, no_reference, dry_run, markdown, joined;
    Shard shard;
} ReplacementSettings;

static const Argument OPTIONS[] = {
    {"--positions", ARGUMENT_TEXT, offsetof(ReplacementSettings, positions), .value = "FILE",
     .help = "EPD file with the positions of one or more games in order (kasparov-short-1994.epd "
             "of the shared folder)"},
    EXPERIMENT_CSV(ReplacementSettings, csv, "replacement.csv"),
    EXPERIMENT_JOBS(ReplacementSettings, jobs, shard, joined),
    {"--max-depth", ARGUMENT_INTEGER, offsetof(ReplacementSettings, max_depth), .min = 1,
     .max = ALIBABA_MAX_DEPTH, .def = "8",
     .help = "maximum depth; the claims are tested at this depth, but at most at 7 ply"},
    {"--min-depth", ARGUMENT_INTEGER, offsetof(ReplacementSettings, min_depth), .min = 1,
     .max = ALIBABA_MAX_DEPTH, .def = "3", .help = "minimum depth"},
    {"--schemes", ARGUMENT_TEXT, offsetof(ReplacementSettings, schemes), .value = "LIST",
     .def = "TwoBig1,TwoDeep,Big1,BigAll,Deep,New,Old",
     .help = "replacement schemes, any of those of the UCI option Replacement"},
    {"--sizes", ARGUMENT_TEXT, offsetof(ReplacementSettings, sizes), .value = "LIST",
     .help = "table sizes in units of 1024 positions (those of the paper: 8,16,32,...,1024, of "
             "which 8, 32, 128 and 512 to at most 7 ply)"},
    {"--stamping", ARGUMENT_TEXT, offsetof(ReplacementSettings, stamping), .def = "both",
     .help = "time stamping: off, on or both"},
    {"--refresh", ARGUMENT_FLAG, offsetof(ReplacementSettings, refresh),
     .help =
         "also search with time stamping in which a read refreshes an entry (not in the paper)"},
    {"--history", ARGUMENT_TEXT, offsetof(ReplacementSettings, history), .def = "cleared",
     .help = "history table between positions: kept, aged (halved) or cleared"},
    {"--early-termination", ARGUMENT_FLAG, offsetof(ReplacementSettings, early_termination),
     .help = "quiescence skips moves after which the evaluation does not exceed alpha"},
    {"--seeds", ARGUMENT_INTEGER, offsetof(ReplacementSettings, seeds), .min = 1, .max = CUBE_SEEDS,
     .def = "1", .help = "repeat all searches with this number of Zobrist seeds"},
    {"--no-reference", ARGUMENT_FLAG, offsetof(ReplacementSettings, no_reference),
     .help = "do not also search without a table"},
    {"--dry-run", ARGUMENT_FLAG, offsetof(ReplacementSettings, dry_run),
     .help = "only count the missing observations"},
    {"--report", ARGUMENT_TEXT, offsetof(ReplacementSettings, report), .value = "FILE",
     .help = "only print tables and claims from the results in this file"},
    {"--summed", ARGUMENT_INTEGER, offsetof(ReplacementSettings, summed), .min = 1, .max = 1000,
     .help = "with --report: each row of the file is the sum over this number of positions (1)"},
    {"--markdown", ARGUMENT_FLAG, offsetof(ReplacementSettings, markdown),
     .help = "print tables and claims as Markdown"}};

static bool is_repeated(const SeriesPlan *plan, int scheme)
{
    for (int i = 0; i < scheme; i++)
        if (plan->schemes[i] == plan->schemes[scheme])
            return true;
    return false;
}

static bool read_schemes(SeriesPlan *plan, const char *list)
{
    char item[32];
    plan->scheme_count = results_columns(list);
    if (plan->scheme_count > SERIES_LIST_MAX)
        return false;
    for (int i = 0; i < plan->scheme_count; i++)
        if (!results_field(list, i, item, sizeof item) || !scheme_parse(item, &plan->schemes[i]) ||
            plan->schemes[i] == SCHEME_NONE || is_repeated(plan, i))
            return false;
    return true;
}

static bool read_stamping(SeriesPlan *plan, const char *text)
{
    const bool both = text_equal_nocase(text, "both");
    plan->stampings[STAMPING_OFF] = both || text_equal_nocase(text, "off");
    plan->stampings[STAMPING_ON] = both || text_equal_nocase(text, "on");
    return plan->stampings[STAMPING_OFF] || plan->stampings[STAMPING_ON];
}

/* Fills in the plan, except its positions. EXPERIMENT_USAGE, with a message, when an option is
 * invalid. */
static ExperimentStatus make_plan(SeriesPlan *plan, const ReplacementSettings *settings)
{
    *plan = (SeriesPlan){.min_ply = (int)settings->min_depth,
                         .max_ply = (int)settings->max_depth,
                         .seed_count = (int)settings->seeds,
                         .early_termination = settings->early_termination,
                         .reference = !settings->no_reference,
                         .threads = jobs_threads(settings->jobs),
                         .shard = settings->shard};
    if (!read_schemes(plan, settings->schemes))
        return experiment_refuse_scheme(
            "--schemes", settings->schemes,
            "a list of schemes with commas between, each once; all schemes");
    plan->has_depths_of_paper = settings->sizes == NULL;
    const char *const sizes = settings->sizes != NULL ? settings->sizes : SIZES_OF_PAPER;
    plan->kilo_count = experiment_numbers("--sizes", sizes, plan->kilos, SERIES_LIST_MAX, KILO_MAX);
    if (plan->kilo_count == 0)
        return EXPERIMENT_USAGE;
    if (!read_stamping(plan, settings->stamping))
        return experiment_refuse("--stamping", settings->stamping, "off, on or both");
    plan->stampings[STAMPING_REFRESH] = settings->refresh;
    if (!fate_parse(settings->history, &plan->history))
        return experiment_refuse("--history", settings->history, "kept, aged or cleared");
    if (plan->min_ply <= plan->max_ply)
        return EXPERIMENT_OK;
    fprintf(stderr, "--min-depth %d: more than --max-depth %d\n", plan->min_ply, plan->max_ply);
    return EXPERIMENT_USAGE;
}

/* Prints the report of all results; `ctx` is the ReplacementSettings. */
static ExperimentStatus print_report(void *ctx, Results *results)
{
    const ReplacementSettings *const settings = ctx;
    char error[RESULTS_ERROR_MAX];
    const ReportForm form = {.style = settings->markdown ? REPORT_MARKDOWN : REPORT_TEXT,
                             .positions_per_row = settings->summed > 0 ? (int)settings->summed : 1,
                             .max_claim_ply = (int)settings->max_depth};
    return replacement_report(results, &form, stdout, error) ? EXPERIMENT_OK
                                                             : experiment_fail(error);
}

static void print_tally(const SeriesTally *tally, int threads)
{
    const double seconds = (double)tally->elapsed_ms / 1000;
    fprintf(stderr, "%" PRIu64 " observations, %" PRIu64 " of them from the file", tally->wanted,
            tally->found);
    if (seconds > 0)
        fprintf(stderr, "; %.0f M nodes in %.1f s with %d threads, %.2f M nodes/s",
                tally->searched / 1e6, seconds, threads, tally->searched / 1e6 / seconds);
    else
        fprintf(stderr, "; about %.0f M nodes to search (estimated from the paper)",
                tally->expected / 1e6);
    fprintf(stderr, "\n");
}

typedef struct {
    ReplacementSettings *settings;
    SeriesPlan plan;
} ReplacementRun;

/* Counts the observations of all shards. False when memory is short. */
static bool survey_all(const ReplacementRun *run, Results *results, SeriesTally *tally)
{
    SeriesPlan whole = run->plan;
    whole.shard = (Shard){1, 1};
    return series_survey(&whole, results, tally);
}

/* Prints the report of joined shards, if they have all observations. */
static ExperimentStatus report_joined(const ReplacementRun *run, Results *results)
{
    char error[RESULTS_ERROR_MAX] = "out of memory";
    SeriesTally tally;
    return survey_all(run, results, &tally) &&
                   results_are_whole(results, run->settings->csv, tally.wanted, tally.found, error)
               ? print_report(run->settings, results)
               : experiment_fail(error);
}

/* Prints the report, if all shards are done. */
static ExperimentStatus report_end(const ReplacementRun *run, Results *results)
{
    SeriesTally tally;
    if (!survey_all(run, results, &tally))
        return experiment_fail("out of memory");
    if (tally.found == tally.wanted)
        return print_report(run->settings, results);
    experiment_explain_part(&run->plan.shard, tally.found, tally.wanted);
    return EXPERIMENT_OK;
}

static ExperimentStatus run_series(void *ctx, Results *results)
{
    const ReplacementRun *const run = ctx;
    char error[RESULTS_ERROR_MAX];
    SeriesTally tally;
    if (run->settings->joined)
        return report_joined(run, results);
    if (run->settings->dry_run) {
        if (!series_survey(&run->plan, results, &tally))
            return experiment_fail("out of memory");
        print_tally(&tally, run->plan.threads);
        return EXPERIMENT_OK;
    }
    const JobsEnd end = series_run(&run->plan, results, &tally, error);
    print_tally(&tally, run->plan.threads);
    if (end == JOBS_FAILED)
        return experiment_fail(error);
    if (end == JOBS_INTERRUPTED)
        return experiment_interrupted(run->settings->csv);
    return report_end(run, results);
}

/* False, with a message, when an entry could outlive the generations of the table. */
static bool stamps_suffice(const SeriesPlan *plan, const char *path)
{
    const bool is_stamped = plan->stampings[STAMPING_ON] || plan->stampings[STAMPING_REFRESH];
    const int longest = series_longest_game(plan);
    if (!is_stamped || longest <= GENERATION_MASK + 1)
        return true;
    fprintf(stderr, "%s: a game of %d positions; time stamps differ for %d only\n", path, longest,
            GENERATION_MASK + 1);
    return false;
}

static ExperimentStatus run_with_positions(ReplacementRun *run, const char *path,
                                           const ResultsFile *file)
{
    PositionSet set;
    char error[POSITIONS_ERROR_MAX];
    ExperimentStatus status = EXPERIMENT_FAILED;
    if (positions_read(&set, path, error)) {
        run->plan.positions = set.positions;
        run->plan.position_count = set.count;
        run->plan.suite = (uint32_t)positions_games_checksum(&set);
        if (stamps_suffice(&run->plan, path))
            status = experiment_with_results(file, run_series, run);
    } else {
        status = experiment_fail(error);
    }
    positions_free(&set);
    return status;
}

/* EXPERIMENT_USAGE, with a message, when an option has no effect beside the others. */
static ExperimentStatus check_effects(const ReplacementSettings *settings)
{
    if (settings->summed > 0 && settings->report == NULL)
        return experiment_refuse_idle("--summed", "without --report");
    if (settings->joined && settings->report != NULL)
        return experiment_refuse_idle("--joined", "with --report");
    if (settings->shard.count > 1 && settings->report != NULL)
        return experiment_refuse_idle("--shard", "with --report");
    if (settings->dry_run && settings->report != NULL)
        return experiment_refuse_idle("--dry-run", "with --report");
    if (settings->dry_run && settings->joined)
        return experiment_refuse_idle("--dry-run", "with --joined");
    return experiment_check_shard(&settings->shard, settings->joined, settings->csv);
}

static ExperimentStatus run_experiment(void *ctx)
{
    ReplacementSettings *const settings = ctx;
    if (check_effects(settings) != EXPERIMENT_OK)
        return EXPERIMENT_USAGE;
    const bool only_reads = settings->joined || settings->dry_run;
    ResultsFile file = {.path = settings->csv,
                        .header = OBSERVATION_HEADER,
                        .key_columns = OBSERVATION_KEY_COLUMNS,
                        .mode = only_reads ? RESULTS_READ : RESULTS_EXTEND};
    if (settings->dry_run && file_kind(settings->csv, NULL) == FILE_MISSING)
        file.path = NULL; // nothing is known yet
    if (settings->report != NULL) {
        file.path = settings->report;
        file.mode = RESULTS_READ;
        return experiment_with_results(&file, print_report, settings);
    }
    ReplacementRun run = {.settings = settings};
    if (make_plan(&run.plan, settings) != EXPERIMENT_OK)
        return EXPERIMENT_USAGE;
    char path[FILE_PATH_MAX];
    return run_with_positions(
        &run, experiment_positions(settings->positions, "kasparov-short-1994.epd", path), &file);
}

const Experiment replacement_experiment = {
    .name = "replacement",
    .summary = "seven replacement schemes in ALIBABA, the experiment of 1994",
    .purpose =
        "Repeats the experiment of Breuker, Uiterwijk and van den Herik (1994). Counts the nodes "
        "that the chess program ALIBABA needs with seven replacement schemes and table sizes of 8K "
        "to 1024K positions, with and without time stamping, at 3 to 7 ply, and at 8 ply with 16K, "
        "64K, 256K and 1024K. These are 11,088 observations of 18 positions, and 108 more without "
        "a table. Nodes are interior nodes, leaves and quiescence positions of all iterations and "
        "re-searches. Each result is written to the CSV file at once. The same command resumes an "
        "interrupted run. The files of several shards can be joined with cat; "
        "--joined checks that they are complete.\n\n"
        "Our choices where the paper gives no detail: Each game begins with an empty table and "
        "history; the id of a position names its game, up to a point or the word move. Without "
        "time stamping, the table is cleared between positions. With time stamping, old entries "
        "are used, any new result replaces them, and a read does not refresh them. Under the seven "
        "schemes a new result of a position replaces its old one in place, whatever their depths, "
        "in the second level, too. The history table is cleared between positions; --history "
        "changes this. The verdicts on time stamping depend on it and on the Zobrist seed "
        "(--seeds). Quiescence tries all captures and promotions; --early-termination skips those "
        "after which the evaluation would not exceed alpha (this saves about half of the nodes). "
        "History is indexed by side, from and to, and "
        "updated for the best move of every interior node. A third occurrence, counted from the "
        "root, is a draw. Bounds are fail-soft. The evaluation is material (100, 325, 325, 500, "
        "900), 2 per square of mobility with the pawns of the root as blockers, and 5 per attacked "
        "centre square. src/lab/breuker1994/alibaba.c has all details.",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .settings_size = sizeof(ReplacementSettings),
    .run = run_experiment};
