// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "base/thread.h"
#include "chess/epd.h"
#include "chess/fen.h"
#include "lab/breuker1994/report.h"
#include "lab/breuker1994/series.h"
#include "lab/lab.h"

enum { PATH_BYTES = 1024, KILO_MAX = 1 << 20, POSITIONS_MAX = 100000 };

static const char PURPOSE[] =
    "The experiment of Breuker, Uiterwijk and van den Herik (1994): nodes ALIBABA needs with seven "
    "replacement schemes, table sizes of 8K to 1024K positions, with and without time stamping, at "
    "3 to 7 ply and with 16K, 64K, 256K and 1024K at 8 ply: 11,088 observations of 18 positions, "
    "and the same without a table. Counted are interior nodes, leaves and quiescence positions of "
    "all iterations and re-searches. Rows go to the CSV file as they are made; the same command "
    "goes on where it was stopped, and the files of several shards may be joined by cat.\n\n"
    "Where the paper is silent: without stamping the table is cleared between positions, with it "
    "old entries answer and yield to anything, and a read does not make them new. The history "
    "table is cleared between positions unless --history says otherwise: the verdict on stamping "
    "turns on it. In quiescence all captures and promotions are tried unless --early-termination "
    "is given: then not those after which the evaluation would not exceed alpha (fewer nodes by a "
    "factor of about two). History counts by side, from and to, for the best move of every "
    "interior node; a third occurrence counts from the root; fail-soft bounds; the evaluation is "
    "material (100, 325, 325, 500, 900), 2 a square of mobility with the root's pawns in the way "
    "and 5 a centre square attacked. src/lab/alibaba.h has it all.";

typedef struct {
    const char *positions, *csv, *schemes, *sizes, *stamping, *history, *report;
    int64_t min_ply, max_ply, seeds, jobs;
    bool early_termination, refresh, no_reference, dry_run, markdown;
    Shard shard;
} Options;

static const Argument OPTIONS[] = {
    {"--positions", ARGUMENT_TEXT, offsetof(Options, positions), .value = "FILE",
     .help = "a game's positions in order, EPD (kasparov-short-1994.epd of the shared folder)"},
    {"--csv", ARGUMENT_TEXT, offsetof(Options, csv), .def = "replacement.csv", .value = "FILE",
     .help = "file to resume from and to write to"},
    {"--jobs", ARGUMENT_INTEGER, offsetof(Options, jobs), .min = 1, .max = SERIES_JOBS_MAX,
     .help = "searches side by side (one a core)"},
    {"--shard", ARGUMENT_SHARD, offsetof(Options, shard), .def = "1/1",
     .help = "only the i-th of n parts of the work"},
    {"--max-ply", ARGUMENT_INTEGER, offsetof(Options, max_ply), .min = 1, .max = ALIBABA_MAX_DEPTH,
     .def = "8", .help = "greatest depth"},
    {"--min-ply", ARGUMENT_INTEGER, offsetof(Options, min_ply), .min = 1, .max = ALIBABA_MAX_DEPTH,
     .def = "3", .help = "least depth"},
    {"--schemes", ARGUMENT_TEXT, offsetof(Options, schemes), .value = "LIST",
     .def = "TwoBig1,TwoDeep,Big1,BigAll,Deep,New,Old", .help = "Thompson and ThompsonBoth, too"},
    {"--sizes", ARGUMENT_TEXT, offsetof(Options, sizes), .value = "LIST",
     .def = "8,16,32,64,128,256,512,1024", .help = "in units of 1024 positions"},
    {"--stamping", ARGUMENT_TEXT, offsetof(Options, stamping), .def = "both",
     .help = "off, on or both"},
    {"--refresh", ARGUMENT_FLAG, offsetof(Options, refresh),
     .help = "also stamping where a read makes an entry new (ours)"},
    {"--history", ARGUMENT_TEXT, offsetof(Options, history), .def = "cleared",
     .help = "between positions: kept, aged (halved) or cleared"},
    {"--early-termination", ARGUMENT_FLAG, offsetof(Options, early_termination),
     .help = "skip captures that cannot reach alpha"},
    {"--seeds", ARGUMENT_INTEGER, offsetof(Options, seeds), .min = 1, .max = 16, .def = "1",
     .help = "repeat with as many Zobrist seeds"},
    {"--no-reference", ARGUMENT_FLAG, offsetof(Options, no_reference),
     .help = "not without a table"},
    {"--dry-run", ARGUMENT_FLAG, offsetof(Options, dry_run),
     .help = "count what is missing, search nothing"},
    {"--report", ARGUMENT_TEXT, offsetof(Options, report), .value = "FILE",
     .help = "only print the tables and claims of a CSV file"},
    {"--markdown", ARGUMENT_FLAG, offsetof(Options, markdown), .help = "print them in Markdown"}};
static const Arguments ARGUMENTS = {.program = "palimpsest-lab replacement",
                                    .purpose = PURPOSE,
                                    .options = OPTIONS,
                                    .option_count = sizeof OPTIONS / sizeof OPTIONS[0]};

/* A set of positions in memory. */
typedef struct {
    Position *positions;
    int count;
} PositionSet;

/* Cuts the next item off the comma-separated list at `*cursor`; false when none is left, or it is
 * longer than fits. */
static bool next_item(const char **cursor, char *item, size_t size)
{
    const size_t length = strcspn(*cursor, ",");
    if (length == 0 || length >= size)
        return false;
    memcpy(item, *cursor, length);
    item[length] = '\0';
    *cursor += length + ((*cursor)[length] == ',');
    return true;
}

static bool read_schemes(SeriesPlan *plan, const char *list)
{
    char item[32];
    while (plan->scheme_count < SERIES_LIST_MAX && next_item(&list, item, sizeof item)) {
        int scheme;
        if (!scheme_parse(item, &scheme) || scheme == SCHEME_NONE)
            return false;
        plan->schemes[plan->scheme_count++] = scheme;
    }
    return *list == '\0';
}

static bool read_sizes(SeriesPlan *plan, const char *list)
{
    char item[32];
    while (plan->kilo_count < SERIES_LIST_MAX && next_item(&list, item, sizeof item)) {
        int64_t kilo;
        if (!text_parse_int(item, 1, KILO_MAX, &kilo))
            return false;
        plan->kilos[plan->kilo_count++] = (int)kilo;
    }
    return *list == '\0';
}

static bool read_stamping(SeriesPlan *plan, const char *text)
{
    const bool both = text_equal_nocase(text, "both");
    plan->stampings[STAMPING_OFF] = both || text_equal_nocase(text, "off");
    plan->stampings[STAMPING_ON] = both || text_equal_nocase(text, "on");
    return plan->stampings[STAMPING_OFF] || plan->stampings[STAMPING_ON];
}

/* Turns options into a plan; NULL, or the option that cannot be read. */
static const char *make_plan(SeriesPlan *plan, const Options *options)
{
    *plan = (SeriesPlan){.min_ply = (int)options->min_ply,
                         .max_ply = (int)options->max_ply,
                         .seed_count = (int)options->seeds,
                         .early_termination = options->early_termination,
                         .reference = !options->no_reference,
                         .jobs = options->jobs > 0 ? (int)options->jobs : thread_hardware_count(),
                         .shard = options->shard};
    if (!read_schemes(plan, options->schemes))
        return "--schemes";
    if (!read_sizes(plan, options->sizes))
        return "--sizes";
    if (!read_stamping(plan, options->stamping))
        return "--stamping";
    plan->stampings[STAMPING_REFRESH] = options->refresh;
    if (!fate_parse(options->history, &plan->history))
        return "--history";
    return plan->min_ply > plan->max_ply ? "--min-ply" : NULL;
}

static bool add_position(PositionSet *set, const Position *pos)
{
    if ((set->count & (set->count - 1)) == 0) { // full: the room is a power of two
        const size_t room = set->count == 0 ? 1 : 2 * (size_t)set->count;
        Position *const positions = realloc(set->positions, room * sizeof *positions);
        if (positions == NULL)
            return false;
        set->positions = positions;
    }
    set->positions[set->count++] = *pos;
    return true;
}

static bool read_positions(PositionSet *set, const char *path)
{
    FILE *const file = fopen(path, "r");
    EpdRecord *const record = malloc(sizeof *record);
    char error[FEN_ERROR_MAX] = "cannot be read";
    const bool is_open = file != NULL && record != NULL;
    int status = is_open ? epd_next(file, record, false, error) : -1;
    while (status == 1 && set->count < POSITIONS_MAX && add_position(set, &record->pos))
        status = epd_next(file, record, false, error);
    free(record);
    if (file != NULL)
        fclose(file);
    if (status == 0 && set->count > 0)
        return true;
    fprintf(stderr, "%s: %s\n", path, status == 0 ? "no positions" : error);
    return false;
}

/* A number for the set: results of different sets never mix. The fifty-move counters belong to it.
 */
static uint32_t fingerprint(const PositionSet *set)
{
    uint64_t sum = 0;
    for (int i = 0; i < set->count; i++) {
        const uint64_t part[] = {sum, set->positions[i].key, set->positions[i].rule50};
        sum = checksum64(part, sizeof part);
    }
    return (uint32_t)sum;
}

static int print_report(const Results *results, const Options *options)
{
    char error[RESULTS_ERROR_MAX];
    if (replacement_report(results, options->markdown ? REPORT_MARKDOWN : REPORT_TEXT, stdout,
                           error))
        return LAB_GOOD;
    fprintf(stderr, "%s\n", error);
    return LAB_BAD;
}

static int report_only(const Options *options)
{
    Results results;
    char error[RESULTS_ERROR_MAX];
    if (!results_open(&results, options->report, OBSERVATION_HEADER, OBSERVATION_KEY_COLUMNS,
                      RESULTS_READ, error)) {
        fprintf(stderr, "%s\n", error);
        return LAB_BAD;
    }
    const int status = print_report(&results, options);
    results_close(&results);
    return status;
}

static void print_tally(const SeriesTally *tally, int jobs)
{
    const double seconds = (double)tally->elapsed_ms / 1000;
    fprintf(stderr, "%" PRIu64 " observations wanted, %" PRIu64 " found", tally->wanted,
            tally->found);
    if (seconds > 0)
        fprintf(stderr, "; %.0f M nodes in %.1f s with %d jobs, %.2f M nodes/s",
                tally->searched / 1e6, seconds, jobs, tally->searched / 1e6 / seconds);
    else
        fprintf(stderr, "; about %.0f M nodes to go if the paper's counts hold",
                tally->expected / 1e6);
    fprintf(stderr, "\n");
}

static int run_plan(const SeriesPlan *plan, const Options *options, Results *results)
{
    char error[RESULTS_ERROR_MAX];
    SeriesTally tally;
    if (options->dry_run) {
        tally = series_survey(plan, results);
        print_tally(&tally, plan->jobs);
        return LAB_GOOD;
    }
    interrupt_watch();
    const SeriesEnd end = series_run(plan, results, &tally, error);
    print_tally(&tally, plan->jobs);
    if (end == SERIES_FAILED)
        fprintf(stderr, "%s\n", error);
    if (end == SERIES_INTERRUPTED)
        fprintf(stderr, "stopped; the same command goes on from %s\n", options->csv);
    if (end != SERIES_DONE)
        return end == SERIES_FAILED ? LAB_BAD : LAB_INTERRUPTED;
    return plan->shard.count == 1 ? print_report(results, options) : LAB_GOOD;
}

static int run(SeriesPlan *plan, const Options *options)
{
    PositionSet set = {0};
    Results results;
    char error[RESULTS_ERROR_MAX];
    int status = LAB_BAD;
    if (read_positions(&set, options->positions)) {
        plan->positions = set.positions;
        plan->position_count = set.count;
        plan->suite = fingerprint(&set);
        if (results_open(&results, options->csv, OBSERVATION_HEADER, OBSERVATION_KEY_COLUMNS,
                         RESULTS_EXTEND, error)) {
            status = run_plan(plan, options, &results);
            results_close(&results);
        } else {
            fprintf(stderr, "%s\n", error);
        }
    }
    free(set.positions);
    return status;
}

int lab_replacement(int argc, char **argv)
{
    char positions[PATH_BYTES];
    Options options = {0};
    int status;
    if (!lab_read(&ARGUMENTS, &options, argc, argv, &status))
        return status;
    lab_shared_file("kasparov-short-1994.epd", positions, sizeof positions);
    if (options.positions == NULL)
        options.positions = positions;
    if (options.report != NULL)
        return report_only(&options);
    SeriesPlan plan;
    const char *const wrong = make_plan(&plan, &options);
    if (wrong != NULL) {
        fprintf(stderr, "%s: not understood; --help explains it\n", wrong);
        return LAB_USAGE;
    }
    return run(&plan, &options);
}
