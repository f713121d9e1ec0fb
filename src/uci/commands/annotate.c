// SPDX-License-Identifier: GPL-3.0-or-later
/* The command `annotate`: analyses the games of a PGN file. Each finished game is appended to the
 * new file and synced to the disk. A later run with the same arguments continues after the finished
 * games. It recognises them by the tag PalimpsestAnalysis, which has the limit, the network and a
 * checksum of the original game. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "uci/commands/annotation.h"
#include "uci/commands/filetask.h"
#include "uci/commands/run.h"
#include "uci/options.h"
#include "uci/program.h"

enum { TAG_COUNT = 2, TAG_MAX = 256, NODES_DEFAULT = 500000 };

typedef struct {
    FileTask task;
    FileTaskOptions options;
    char out_path[FILE_PATH_MAX];
    FILE *out;
    StrBuf in;         // the text of the input
    PgnGame game;      // the current game
    int number;        // of the current game in the input, from 1
    int sound;         // games that are not damaged
    int with_moves;    // those of them that have moves
    bool is_annotated; // the input has games that this command has written
    int kept, done, skipped;
    uint64_t steps_done, steps; // positions to analyse
    Analyst *analyst;
    Analysis *analyses; // of the current game
} AnnotateRun;

/* ---- The files ---- */

/* Names the output. Without a name in the arguments GAME.pgn becomes GAME-annotated.pgn. False when
 * the name is too long. */
static bool name_output(AnnotateRun *run)
{
    const char *const in = run->options.files[0];
    const char *const given = run->options.file_count > 1 ? run->options.files[1] : NULL;
    const size_t length = strlen(in);
    const bool has_suffix = length > 4 && text_equal_nocase(in + length - 4, ".pgn");
    const int written = given != NULL
                            ? snprintf(run->out_path, sizeof run->out_path, "%s", given)
                            : snprintf(run->out_path, sizeof run->out_path, "%.*s-annotated.pgn",
                                       (int)(has_suffix ? length - 4 : length), in);
    return (size_t)written < sizeof run->out_path;
}

static void add_limit(char *out, size_t size, const char *name, uint64_t value)
{
    const size_t length = strlen(out);
    snprintf(out + length, size - length, "%s %" PRIu64 " ", name, value);
}

/* The limit in the words of `go`. */
static void describe_limits(const Limits *limits, char *out, size_t size)
{
    *out = '\0';
    if (limits->depth > 0)
        add_limit(out, size, "depth", (uint64_t)limits->depth);
    if (limits->nodes > 0)
        add_limit(out, size, "nodes", limits->nodes);
    if (limits->has_move_time)
        add_limit(out, size, "movetime", (uint64_t)limits->move_ms);
    if (limits->mate > 0)
        add_limit(out, size, "mate", (uint64_t)limits->mate);
}

/* Writes the tags of this program; `text` (TAG_MAX bytes) keeps a value. Returns their number. */
static int make_tags(const AnnotateRun *run, PgnTagText tags[TAG_COUNT], char *text)
{
    const Network *const network = engine_eval_source(run->task.session->engine)->network;
    char limits[TAG_MAX / 2], name[NETWORK_NAME_MAX] = "bootstrap";
    int count = 0;
    describe_limits(&run->options.limits, limits, sizeof limits);
    if (network != NULL)
        network_name(network, name);
    snprintf(text, TAG_MAX, "%sby %s of %016" PRIx64, limits, name,
             checksum64(run->game.source, run->game.source_length));
    if (*pgn_game_tag(&run->game, "Annotator") == '\0')
        tags[count++] = (PgnTagText){"Annotator", UCI_NAME};
    tags[count++] = (PgnTagText){"PalimpsestAnalysis", text};
    return count;
}

/* Appends what the output of the current game begins with: its tags, up to the empty line. */
static void add_head(const AnnotateRun *run, StrBuf *head)
{
    PgnTagText tags[TAG_COUNT];
    char text[TAG_MAX];
    const int count = make_tags(run, tags, text);
    PgnGame only_tags = run->game;
    only_tags.move_count = 0;
    only_tags.before = 0;
    pgn_game_write(head, &only_tags, tags, count, NULL);
    const char *const after = head->text != NULL ? strstr(head->text, "]\n\n") : NULL;
    if (after != NULL)
        head->length = (size_t)(after + 3 - head->text);
}

/* Whether the text begins with the finished output of a game that has this head. `*after` is the
 * text after it. The empty line may be missing at the end of the text, where editors remove it. */
static bool is_finished(const char *text, const StrBuf *head, const char **after)
{
    PgnGame found = {0};
    PgnReader reader = pgn_reader(text);
    bool is = false;
    if (strncmp(text, head->text, head->length) == 0 && pgn_game_read(&reader, &found) > 0) {
        const size_t length = strlen(found.result);
        const char *const end = found.source + found.source_length;
        is = found.error[0] == '\0' && found.source_length > head->length &&
             strncmp(end - length, found.result, length) == 0 &&
             (strncmp(end, "\n\n", 2) == 0 || strcmp(end, "\n") == 0);
        *after = is ? end + strspn(end, "\n") : text;
    }
    pgn_game_free(&found);
    return is;
}

/* Whether the text is the beginning of an output with this head, cut anywhere. An empty line ends a
 * game; a text that goes on after it was changed by its owner. */
static bool is_torn(const char *text, const StrBuf *head)
{
    const size_t length = strlen(text);
    const bool is_longer = length > head->length;
    return strncmp(text, head->text, is_longer ? head->length : length) == 0 &&
           !(is_longer && strstr(text + head->length, "\n\n") != NULL);
}

/* Names the current game, and why it is skipped or what was repaired in its FEN. */
static void warn_of_game(AnnotateRun *run)
{
    const PgnGame *const game = &run->game;
    const bool is_damaged = game->error[0] != '\0';
    StrBuf players = {0};
    annotation_players(&players, game);
    file_task_warn(&run->task, "%sgame %d (%s; line %d): %s", is_damaged ? "skipped " : "",
                   run->number, players.text != NULL ? players.text : "", game->line,
                   is_damaged ? game->error : game->repairs);
    strbuf_free(&players);
}

/* Reads the input from its beginning and calls `visit` for each sound game until it returns false.
 * Names damaged games and repairs if `is_naming`. False when memory is short. */
static bool for_each_game(AnnotateRun *run, bool is_naming, bool (*visit)(AnnotateRun *, void *),
                          void *ctx)
{
    PgnReader reader = pgn_reader(run->in.text);
    int found = pgn_game_read(&reader, &run->game);
    bool goes_on = true;
    for (run->number = 1; found > 0 && goes_on; run->number++) {
        const bool is_damaged = run->game.error[0] != '\0';
        if (is_naming && (is_damaged || run->game.repairs[0] != '\0'))
            warn_of_game(run);
        run->skipped += is_naming && is_damaged;
        if (!is_damaged)
            goes_on = visit(run, ctx);
        if (goes_on)
            found = pgn_game_read(&reader, &run->game);
    }
    return found >= 0;
}

static bool count_game(AnnotateRun *run, void *ctx)
{
    (void)ctx;
    run->sound++;
    run->with_moves += run->game.move_count > 0;
    run->is_annotated |= *pgn_game_tag(&run->game, "PalimpsestAnalysis") != '\0';
    return true;
}

/* Names damaged games and repairs. False, with a message, when the input has nothing to analyse: a
 * text that is no PGN reads as damaged games and games without moves. */
static bool check_input(AnnotateRun *run)
{
    if (!for_each_game(run, true, count_game, NULL))
        file_task_fail(&run->task, "out of memory");
    else if (run->sound == 0 || (run->skipped > 0 && run->with_moves == 0))
        file_task_fail(&run->task, "'%s' has no %sgames", run->options.files[0],
                       run->skipped > 0 ? "sound " : "");
    else if (run->is_annotated)
        file_task_fail(&run->task, "'%s' has annotated games; start from the original file",
                       run->options.files[0]);
    else
        return true;
    return false;
}

/* The state of compare_game(): the output of an earlier run. */
typedef struct {
    const char *at; // after the finished games
    bool is_behind; // a game that is not finished was found
    bool is_ours;   // the text at `at` is the beginning of that game, or nothing
} OldOutput;

/* Counts the game as finished if the old output has it next; else adds its positions to the work.
 */
static bool compare_game(AnnotateRun *run, void *ctx)
{
    OldOutput *const old = ctx;
    if (!old->is_behind) {
        StrBuf head = {0};
        add_head(run, &head);
        if (head.text != NULL && !head.is_cut && is_finished(old->at, &head, &old->at)) {
            run->kept++;
            strbuf_free(&head);
            return true;
        }
        old->is_behind = true;
        old->is_ours = head.text != NULL && is_torn(old->at, &head);
        strbuf_free(&head);
    }
    run->steps += (uint64_t)run->game.move_count + (run->game.move_count > 0);
    return true;
}

/* Finds the finished games in the output of an earlier run and drops the unfinished game after
 * them. False when the file has anything else, which must not be lost. Needs the lock: the
 * unfinished game may be that of another process. */
static bool resume(AnnotateRun *run)
{
    StrBuf old = {0};
    const bool exists = file_kind(run->out_path, NULL) == FILE_REGULAR;
    if (exists && !file_read_text(run->out_path, &old)) {
        file_task_fail(&run->task, "cannot read '%s': %s", run->out_path, strerror(errno));
        strbuf_free(&old);
        return false;
    }
    OldOutput found = {.at = old.text != NULL ? old.text : ""};
    bool is_good = for_each_game(run, false, compare_game, &found);
    if (!is_good)
        file_task_fail(&run->task, "out of memory");
    if (is_good && *found.at != '\0' && !(found.is_behind && found.is_ours)) {
        file_task_fail(&run->task,
                       "'%s' has other games than '%s' analysed with this limit and network: %s",
                       run->out_path, run->options.files[0], "name another file");
        is_good = false;
    } else if (is_good && *found.at != '\0') {
        is_good = ftruncate(fileno(run->out), (off_t)(found.at - old.text)) == 0;
        if (!is_good)
            file_task_fail(&run->task, "cannot write to '%s': %s", run->out_path, strerror(errno));
    }
    if (is_good && run->kept > 0 && found.at[-2] != '\n')
        fputc('\n', run->out); // the empty line between games
    strbuf_free(&old);
    return is_good;
}

/* ---- The games ---- */

static void step(void *ctx)
{
    AnnotateRun *const run = ctx;
    run->steps_done++;
    file_task_progress(&run->task, run->steps_done, run->steps);
}

static bool is_stopped(void *ctx)
{
    AnnotateRun *const run = ctx;
    return file_task_is_stopped(&run->task);
}

/* Appends the game to the output; false when it cannot be written. */
static bool write_game(AnnotateRun *run, const AnnotatedGame *annotated)
{
    PgnTagText tags[TAG_COUNT];
    char text[TAG_MAX];
    StrBuf pgn = {0};
    const int count = make_tags(run, tags, text);
    bool is_good = annotation_pgn(&pgn, annotated, tags, count);
    errno = is_good ? 0 : ENOMEM;
    is_good =
        is_good && fwrite(pgn.text, 1, pgn.length, run->out) == pgn.length && file_sync(run->out);
    if (!is_good)
        file_task_fail(&run->task, "cannot write to '%s': %s", run->out_path, strerror(errno));
    strbuf_free(&pgn);
    return is_good;
}

static void print_game(AnnotateRun *run, const AnnotatedGame *annotated)
{
    StrBuf text = {0};
    if (run->options.is_json) {
        annotation_json(&text, annotated);
        progress_clear(&run->task.progress);
        output_block(&run->task.session->out, &text);
        return;
    }
    strbuf_add(&text, "game %d: ", run->number);
    annotation_counts(&text, annotated);
    file_task_print(&run->task, &text);
}

/* Analyses the current game, unless the output has it. */
static bool annotate_game(AnnotateRun *run, void *ctx)
{
    int *const to_skip = ctx; // finished games of an earlier run
    if (*to_skip > 0) {
        (*to_skip)--;
        return true;
    }
    const size_t positions = (size_t)run->game.move_count + 1;
    AnalystTask task = {.job = file_task_job(&run->task, &run->game.start, &run->options.limits),
                        .stops = is_stopped,
                        .step = step,
                        .ctx = run};
    task.job.multi_pv = 1;
    task.job.strength = (Strength){.nodes = 0};
    file_task_progress(&run->task, run->steps_done, run->steps);
    free(run->analyses);
    run->analyses = calloc(positions, sizeof *run->analyses);
    const AnnotatedGame annotated = {
        .game = &run->game, .analyses = run->analyses, .number = run->number};
    if (run->analyses == NULL) {
        file_task_fail(&run->task, "out of memory");
        return false;
    }
    if (!analyst_game(run->analyst, &run->game, &task, run->analyses) ||
        !write_game(run, &annotated))
        return false;
    run->done++;
    print_game(run, &annotated);
    return !is_stopped(run);
}

static void print_summary(AnnotateRun *run, int64_t ms, bool is_stopped)
{
    StrBuf line = {0};
    if (run->options.is_json) {
        strbuf_add(&line, "{\"summary\":{");
        strbuf_json_text(&line, "file", run->out_path);
        strbuf_json_int(&line, "annotated", run->done);
        strbuf_json_int(&line, "kept", run->kept);
        strbuf_json_int(&line, "skipped", run->skipped);
        strbuf_json_int(&line, "ms", ms);
        strbuf_json_bool(&line, "stopped", is_stopped);
        strbuf_add(&line, "}}\n");
    } else {
        strbuf_add(&line, "Annotated games : %d%s\n", run->done,
                   is_stopped ? ", stopped; the same command goes on from here" : "");
        if (run->kept > 0)
            strbuf_add(&line, "Finished before : %d\n", run->kept);
        if (run->skipped > 0)
            strbuf_add(&line, "Damaged games   : %d, skipped\n", run->skipped);
        strbuf_add(&line, "Total time      : %.3f s\n", (double)ms / 1000.0);
        strbuf_add(&line, "Written to      : %s\n", run->out_path);
    }
    output_block(&run->task.session->out, &line);
}

/* Opens the output after its finished games, and locks it; false, with a message, on failure. */
static bool open_output(AnnotateRun *run)
{
    run->out = file_open(run->out_path, "ab");
    if (run->out == NULL)
        file_task_fail(&run->task, "cannot write to '%s': %s", run->out_path, strerror(errno));
    else if (!file_lock(run->out))
        file_task_fail(&run->task, "another program writes to '%s'", run->out_path);
    else
        return resume(run);
    return false;
}

/* Analyses all games; the table is kept from position to position and from game to game. */
static void annotate_all(AnnotateRun *run)
{
    Session *const session = run->task.session;
    const int64_t start_ms = clock_ms();
    int to_skip = run->kept;
    run->analyst = analyst_create(session->engine);
    if (run->analyst == NULL) {
        file_task_fail(&run->task, "out of memory");
        return;
    }
    file_task_begin(&run->task);
    engine_set_analysing(session->engine, true);
    if (!for_each_game(run, false, annotate_game, &to_skip))
        file_task_fail(&run->task, "out of memory");
    engine_set_analysing(session->engine, settings_analyse(&session->settings));
    analyst_destroy(run->analyst);
    const bool is_stopped = file_task_is_stopped(&run->task);
    file_task_end(&run->task);
    print_summary(run, clock_ms() - start_ms, is_stopped);
    session->failed |= is_stopped;
}

void run_annotate(Session *session, char *arguments)
{
    static const FileTaskForm FORM = {
        .name = "annotate", .most_files = 2, .limits = {.nodes = NODES_DEFAULT}};
    AnnotateRun run = {.task = {.session = session, .name = FORM.name}};
    char error[FILE_TASK_ERROR_MAX];
    if (!file_task_parse(&run.options, &FORM, arguments, error)) {
        file_task_fail(&run.task, "%s", error);
        return;
    }
    const char *const in = run.options.files[0];
    if (!file_read_text(in, &run.in))
        file_task_fail(&run.task, "cannot read '%s': %s", in, strerror(errno));
    else if (!name_output(&run))
        file_task_fail(&run.task, "the path is too long");
    else if (strcmp(run.out_path, "-") == 0 || file_kind(run.out_path, NULL) == FILE_OTHER)
        file_task_fail(&run.task, "the output must be a file, because a later run goes on from it");
    else if (file_is_same(in, run.out_path))
        file_task_fail(&run.task, "the input cannot be the output, too");
    else if (check_input(&run) && open_output(&run))
        annotate_all(&run);
    if (run.out != NULL)
        fclose(run.out);
    pgn_game_free(&run.game);
    free(run.analyses);
    strbuf_free(&run.in);
    file_task_leave(&run.task);
}
