// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/speedtest.h"

#include <inttypes.h>

#include "base/progress.h"
#include "base/text.h"
#include "chess/fen.h"
#include "engine/bench.h"
#include "uci/commands/display.h"
#include "uci/commands/run.h"

enum {
    SECONDS_DEFAULT = 150,
    SECONDS_MAX = 1000000,
    MIB_A_THREAD = 128,
    MEN_MIN = 12, // a search may solve positions with fewer men at once
    ROOTS_MAX = 64
};

/* Reads the next word, a number from 1 to `max`. If there is none, `*number` keeps its value.
 * False, with the reason in `error`, when the word is not such a number. `name` is for the reason.
 */
static bool read_optional_number(char **cursor, const char *name, int64_t max, int64_t *number,
                                 char *error)
{
    const char *const word = text_word(cursor);
    if (word == NULL || text_parse_int(word, 1, max, number))
        return true;
    snprintf(error, FEN_ERROR_MAX, "%s must be a number from 1 to %" PRId64, name, max);
    return false;
}

bool speedtest_parse(SpeedtestOptions *options, char *arguments, char *error)
{
    char *cursor = arguments;
    const int cores = thread_hardware_count();
    options->threads = cores < ENGINE_MAX_THREADS ? cores : ENGINE_MAX_THREADS;
    options->seconds = SECONDS_DEFAULT;
    if (!read_optional_number(&cursor, "threads", ENGINE_MAX_THREADS, &options->threads, error))
        return false;
    options->hash_mib = options->threads * MIB_A_THREAD;
    if (!read_optional_number(&cursor, "hash in MiB", TT_MIB_MAX, &options->hash_mib, error) ||
        !read_optional_number(&cursor, "seconds", SECONDS_MAX, &options->seconds, error))
        return false;
    const char *const extra = text_word(&cursor);
    if (extra != NULL)
        snprintf(error, FEN_ERROR_MAX, "'%.*s' is not understood", text_cut(extra, 40), extra);
    return extra == NULL;
}

/* Collects the positions of the bench that cannot be solved quickly; returns their number. */
static int collect(Position *roots)
{
    int count, kept = 0;
    char error[FEN_ERROR_MAX];
    const char *const *const fens = bench_fens(&count);
    for (int i = 0; i < count && kept < ROOTS_MAX; i++)
        if (fen_parse(&roots[kept], fens[i], false, error) &&
            popcount(pos_occupied(&roots[kept])) >= MEN_MIN)
            kept++;
    return kept;
}

/* Context of the callbacks. */
typedef struct {
    Session *session;
    Progress progress;
} SpeedtestRun;

static void update_progress(void *context, const BenchLine *line)
{
    SpeedtestRun *const run = context;
    progress_update(&run->progress, (uint64_t)line->number);
}

static bool is_stopped(void *context)
{
    const SpeedtestRun *const run = context;
    return session_ends_old_task(run->session);
}

static void print_report(Session *session, const BenchResult *result, int positions)
{
    StrBuf buf = {0};
    const uint64_t ms = result->elapsed_ms > 0 ? (uint64_t)result->elapsed_ms : 1;
    display_compiler(session, &buf);
    display_cpu(session, &buf);
    strbuf_add(&buf, "Threads         : %d\n", result->threads);
    strbuf_add(&buf, "Hash            : %" PRIu64 " MiB%s\n", result->hash_mib,
               result->huge_pages ? " in huge pages" : "");
    strbuf_add(&buf, "Hashfull        : %d per thousand on average, %d at most\n",
               result->hashfull_sum / positions, result->hashfull_max);
    strbuf_add(&buf, "Total time (ms) : %" PRIu64 "\n", ms);
    strbuf_add(&buf, "Nodes searched  : %" PRIu64 "\n", result->nodes);
    strbuf_add(&buf, "Nodes/second    : %" PRIu64 "\n", result->nodes * 1000 / ms);
    output_block(&session->out, &buf);
}

/* Searches all positions and prints the report. */
static void run_test(Session *session, const SpeedtestOptions *options)
{
    Position roots[ROOTS_MAX];
    const int count = collect(roots);
    SpeedtestRun run = {.session = session};
    const BenchJob job = {
        .hash_mib = (uint64_t)options->hash_mib,
        .threads = (int)options->threads,
        .limits = {.has_move_time = true, .move_ms = options->seconds * 1000 / count},
        .eval = engine_eval_source(session->engine),
        .roots = roots,
        .root_count = count,
        .line = update_progress,
        .stops = is_stopped,
        .ctx = &run};
    BenchResult result;
    progress_start(&run.progress, "speedtest", (uint64_t)count);
    if (!bench_run(&job, &result)) {
        progress_end(&run.progress, false);
        session_fail(session, "speedtest: out of memory for the table");
    } else if (session_ends_old_task(session)) {
        progress_end(&run.progress, false);
        output_line(&session->out, "info string speedtest was stopped");
    } else {
        progress_end(&run.progress, true);
        print_report(session, &result, count);
    }
}

void run_speedtest(Session *session, char *arguments)
{
    SpeedtestOptions options;
    char error[FEN_ERROR_MAX];
    if (speedtest_parse(&options, arguments, error))
        run_test(session, &options);
    else
        session_fail(session, "speedtest: %s", error);
}
