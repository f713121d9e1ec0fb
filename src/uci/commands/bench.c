// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/bench.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "chess/epd.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "engine/bench.h"
#include "uci/commands/json.h"
#include "uci/commands/run.h"

/* A growing list of positions. */
typedef struct {
    Position *roots;
    int count, capacity;
} Roots;

static bool roots_add(Roots *roots, const Position *pos)
{
    if (roots->count == roots->capacity) {
        const int capacity = 2 * roots->capacity + 64;
        Position *const grown = realloc(roots->roots, (size_t)capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        roots->roots = grown;
        roots->capacity = capacity;
    }
    roots->roots[roots->count++] = *pos;
    return true;
}

/* Sets the limit; false when `kind` is unknown. */
static bool set_limit(Limits *limits, const char *kind, int64_t number)
{
    *limits = (Limits){0};
    if (strcmp(kind, "depth") == 0)
        limits->depth = (int)(number < MAX_DEPTH ? number : MAX_DEPTH);
    else if (strcmp(kind, "nodes") == 0)
        limits->nodes = (uint64_t)number;
    else if (strcmp(kind, "movetime") == 0)
        *limits = (Limits){.has_move_time = true, .move_ms = number};
    else
        return false;
    return true;
}

bool bench_parse(BenchOptions *options, char *arguments, char *error)
{
    char *cursor = arguments;
    const char *const hash = text_word(&cursor), *const threads = text_word(&cursor);
    const char *const limit = text_word(&cursor), *const positions = text_quoted_word(&cursor);
    const char *const kind = text_word(&cursor), *const extra = text_word(&cursor);
    int64_t number = BENCH_DEPTH;
    *options = (BenchOptions){.hash_mib = BENCH_HASH_MIB, .threads = 1};
    options->positions = positions != NULL ? positions : "default";
    if (hash != NULL && !text_parse_int(hash, 1, TT_MIB_MAX, &options->hash_mib))
        snprintf(error, FEN_ERROR_MAX, "hash in MiB must be a number from 1 to %d", TT_MIB_MAX);
    else if (threads != NULL && !text_parse_int(threads, 1, ENGINE_MAX_THREADS, &options->threads))
        snprintf(error, FEN_ERROR_MAX, "threads must be a number from 1 to %d", ENGINE_MAX_THREADS);
    else if (limit != NULL && !text_parse_int(limit, 1, INT64_C(1) << 45, &number))
        snprintf(error, FEN_ERROR_MAX, "limit must be a number from 1");
    else if (!set_limit(&options->limits, kind != NULL ? kind : "depth", number))
        snprintf(error, FEN_ERROR_MAX, "the kind of limit must be depth, nodes or movetime");
    else if (extra != NULL)
        snprintf(error, FEN_ERROR_MAX, "'%.*s' is not understood", text_cut(extra, 40), extra);
    else
        return true;
    return false;
}

/* Reads a file of FEN or EPD lines; on failure the reason is in `error` (FEN_ERROR_MAX bytes). */
static bool read_file(Roots *roots, Session *session, const char *path, char *error)
{
    FILE *const file = file_open(path, "r");
    if (file == NULL) {
        snprintf(error, FEN_ERROR_MAX, "cannot be read: %s", strerror(errno));
        return false;
    }
    int found = 1;
    while (found > 0) {
        EpdRecord record;
        bool chess960 = session->settings.chess960;
        char reason[FEN_ERROR_MAX - 32];
        found = epd_next_any(file, &record, &chess960, error);
        if (found > 0 && !roots_add(roots, &record.pos)) {
            snprintf(error, FEN_ERROR_MAX, "out of memory");
            break;
        }
        if (found > 0 && *error != '\0')
            output_line(&session->out, "info string bench %.*s: position %d: %s",
                        text_cut(path, 80), path, roots->count, error);
        if (found < 0 && !ferror(file)) {
            text_copy(reason, sizeof reason, error);
            snprintf(error, FEN_ERROR_MAX, "position %d: %s", roots->count + 1, reason);
        }
    }
    if (found == 0 && roots->count == 0) {
        snprintf(error, FEN_ERROR_MAX, "has no positions");
        found = -1;
    }
    fclose(file);
    return found == 0;
}

/* Collects the positions of `bench`; on failure the reason is in `error` (FEN_ERROR_MAX bytes). */
static bool collect(Roots *roots, Session *session, const char *positions, char *error)
{
    if (strcmp(positions, "current") == 0)
        return roots_add(roots, &session->setup.pos);
    if (strcmp(positions, "default") != 0)
        return read_file(roots, session, positions, error);
    int count;
    const char *const *const fens = bench_fens(&count);
    for (int i = 0; i < count; i++) {
        Position pos;
        if (!fen_parse(&pos, fens[i], false, error) || !roots_add(roots, &pos))
            return false;
    }
    return true;
}

/* Prints a position as an object. */
static void print_json_line(void *context, const BenchLine *line)
{
    Session *const session = context;
    const bool chess960 = session->settings.chess960;
    StrBuf object = {0};
    strbuf_add(&object, "{");
    strbuf_json_int(&object, "number", line->number);
    json_add_fen(&object, line->root, chess960);
    json_add_move(&object, line->root, line->best, chess960);
    strbuf_json_int(&object, "nodes", (int64_t)line->nodes);
    strbuf_add(&object, "}\n");
    output_block(&session->out, &object);
}

static void print_line(void *context, const BenchLine *line)
{
    Session *const session = context;
    char fen[FEN_MAX], best[MOVE_TEXT_MAX];
    const bool chess960 = settings_chess960(&session->settings, line->root);
    fen_print(line->root, chess960, fen);
    move_to_uci(line->best, chess960, best);
    fprintf(stderr, "%2d/%d %9" PRIu64 " nodes  %-6s %s\n", line->number, line->count, line->nodes,
            best, fen);
}

static bool is_stopped(void *context)
{
    return session_ends_old_task(context);
}

static void print_json_summary(Session *session, const BenchResult *result, int positions)
{
    const int64_t ms = result->elapsed_ms > 0 ? result->elapsed_ms : 1;
    StrBuf object = {0};
    strbuf_add(&object, "{\"summary\":{");
    strbuf_json_int(&object, "positions", positions);
    strbuf_json_int(&object, "nodes", (int64_t)result->nodes);
    strbuf_json_int(&object, "ms", ms);
    strbuf_json_int(&object, "nps", (int64_t)result->nodes * 1000 / ms);
    strbuf_json_int(&object, "hash_mib", (int64_t)result->hash_mib);
    strbuf_json_int(&object, "threads", result->threads);
    strbuf_add(&object, "}}\n");
    output_block(&session->out, &object);
}

void run_bench(Session *session, char *arguments)
{
    const bool is_json = json_take_switch(arguments);
    BenchOptions options;
    char error[FEN_ERROR_MAX] = "out of memory"; // unless another reason is found
    if (!bench_parse(&options, arguments, error)) {
        session_fail(session, "bench: %s", error);
        return;
    }
    Roots roots = {0};
    BenchResult result;
    const bool is_ready = collect(&roots, session, options.positions, error);
    const BenchJob job = {.hash_mib = (uint64_t)options.hash_mib,
                          .threads = (int)options.threads,
                          .limits = options.limits,
                          .eval = engine_eval_source(session->engine),
                          .roots = roots.roots,
                          .root_count = roots.count,
                          .line = is_json ? print_json_line : print_line,
                          .stops = is_stopped,
                          .ctx = session};
    if (!is_ready) {
        session_fail(session, "bench %.*s: %s", text_cut(options.positions, 80), options.positions,
                     error);
    } else if (!bench_run(&job, &result)) {
        session_fail(session, "bench: out of memory for the table");
    } else if (session_ends_old_task(session)) {
        output_line(&session->out, "info string bench was stopped");
    } else if (is_json) {
        print_json_summary(session, &result, roots.count);
    } else {
        if (result.hash_mib != job.hash_mib || result.threads != job.threads)
            output_line(&session->out, "info string bench: got %" PRIu64 " MiB and %d threads",
                        result.hash_mib, result.threads);
        const uint64_t ms = result.elapsed_ms > 0 ? (uint64_t)result.elapsed_ms : 1;
        fprintf(stderr, "\nTotal time (ms) : %" PRIu64 "\n", ms);
        output_line(&session->out, "Nodes searched  : %" PRIu64, result.nodes);
        output_line(&session->out, "Nodes/second    : %" PRIu64, result.nodes * 1000 / ms);
    }
    free(roots.roots);
}
