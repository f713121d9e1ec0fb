// SPDX-License-Identifier: GPL-3.0-or-later
/* The command `suite`: searches the test positions of an EPD file. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "engine/epdtest.h"
#include "uci/commands/filetask.h"
#include "uci/commands/run.h"

/* Sums over all positions. */
typedef struct {
    int tested, solved, skipped;
    int64_t points, points_max;
    uint64_t nodes;
    int64_t ms;
} SuiteSums;

typedef struct {
    FileTask task;
    FileTaskOptions options;
    FILE *csv; // or NULL: none, or it could not be written
    SuiteSums sums;
    int line_count; // lines of the file that hold a position
    int line;       // number of the current line in the file
    EpdRecord record;
    bool chess960; // the current position
    EpdGoal goal;
    EpdTestAnswer answer;
} SuiteRun;

/* One column of the CSV file, and member of the JSON objects. */
typedef struct {
    const char *name;
    enum { FIELD_TEXT, FIELD_NUMBER, FIELD_BOOL } kind;
    char text[EPD_TEXT_MAX]; // "": unknown
} SuiteField;

enum { FIELD_COUNT = 17 };

/* The goal of the position, in the words of its EPD operations. */
static void describe_goal(const SuiteRun *run, char *out, size_t size)
{
    static const char *const OPCODES[] = {"bm", "am", "dm"};
    char operand[EPD_TEXT_MAX];
    size_t length = 0;
    out[0] = '\0';
    for (int i = 0; i < 3; i++)
        if (epd_operand(&run->record, OPCODES[i], operand, sizeof operand) && length < size)
            length += (size_t)snprintf(out + length, size - length, "%s%s %s",
                                       length > 0 ? ", " : "", OPCODES[i], operand);
    if (length == 0)
        snprintf(out, size, "%d points", run->goal.points_max);
}

static SuiteField *add_field(SuiteField *fields, int *count, const char *name, int kind)
{
    SuiteField *const field = &fields[(*count)++];
    field->name = name;
    field->kind = kind;
    field->text[0] = '\0';
    return field;
}

/* `is_known` false: the field is empty. */
static void add_number(SuiteField *fields, int *count, const char *name, bool is_known,
                       int64_t number)
{
    SuiteField *const field = add_field(fields, count, name, FIELD_NUMBER);
    if (is_known)
        snprintf(field->text, sizeof field->text, "%" PRId64, number);
}

static void add_text(SuiteField *fields, int *count, const char *name, const char *text)
{
    SuiteField *const field = add_field(fields, count, name, FIELD_TEXT);
    snprintf(field->text, sizeof field->text, "%s", text);
}

/* The results of the current position. */
static void fill_fields(const SuiteRun *run, SuiteField *fields)
{
    const EpdTestAnswer *const answer = &run->answer;
    const bool chess960 = run->chess960, is_solved = answer->is_solved;
    const bool is_mate = score_is_mate(answer->score), has_points = run->goal.points_max > 0;
    char text[EPD_TEXT_MAX] = "";
    int count = 0;
    add_number(fields, &count, "line", true, run->line);
    epd_operand(&run->record, "id", text, sizeof text);
    add_text(fields, &count, "id", text);
    fen_print(&run->record.pos, chess960, text);
    add_text(fields, &count, "fen", text);
    describe_goal(run, text, sizeof text);
    add_text(fields, &count, "wanted", text);
    snprintf(add_field(fields, &count, "solved", FIELD_BOOL)->text, EPD_TEXT_MAX, "%s",
             is_solved ? "true" : "false");
    text[0] = '\0';
    if (answer->move != MOVE_NONE)
        move_to_san(&run->record.pos, answer->move, text);
    add_text(fields, &count, "move", text);
    text[0] = '\0';
    if (answer->move != MOVE_NONE)
        move_to_uci(answer->move, chess960, text);
    add_text(fields, &count, "uci", text);
    add_number(fields, &count, "points", has_points, answer->points);
    add_number(fields, &count, "points_max", has_points, run->goal.points_max);
    add_number(fields, &count, "cp", !is_mate,
               report_centipawns(answer->score, pos_material(&run->record.pos)));
    add_number(fields, &count, "mate", is_mate, score_mate_moves(answer->score));
    add_number(fields, &count, "found_depth", is_solved, answer->found.depth);
    add_number(fields, &count, "found_nodes", is_solved, (int64_t)answer->found.nodes);
    add_number(fields, &count, "found_ms", is_solved, answer->found.ms);
    add_number(fields, &count, "depth", true, answer->end.depth);
    add_number(fields, &count, "nodes", true, (int64_t)answer->end.nodes);
    add_number(fields, &count, "ms", true, answer->end.ms);
}

static void add_json(StrBuf *line, const SuiteField *fields)
{
    strbuf_add(line, "{");
    for (int i = 0; i < FIELD_COUNT; i++) {
        const SuiteField *const field = &fields[i];
        if (field->kind == FIELD_TEXT && *field->text != '\0') {
            strbuf_json_text(line, field->name, field->text);
        } else {
            strbuf_json_name(line, field->name);
            strbuf_add(line, "%s", *field->text != '\0' ? field->text : "null");
        }
    }
    strbuf_add(line, "}");
}

/* Appends a line to the CSV file: the names of the fields, or their texts. */
static void write_csv(SuiteRun *run, const SuiteField *fields, bool is_head)
{
    StrBuf line = {0};
    for (int i = 0; i < FIELD_COUNT; i++)
        strbuf_csv(&line, is_head ? fields[i].name : fields[i].text);
    strbuf_add(&line, "\n");
    if (line.is_cut || fwrite(line.text, 1, line.length, run->csv) != line.length ||
        fflush(run->csv) != 0) {
        file_task_fail(&run->task, "cannot write to '%s': %s", run->options.csv, strerror(errno));
        fclose(run->csv);
        run->csv = NULL;
    }
    strbuf_free(&line);
}

/* The result of a position as a line of text. */
static void add_words(StrBuf *line, const SuiteRun *run)
{
    const EpdTestAnswer *const answer = &run->answer;
    char id[EPD_TEXT_MAX] = "", move[MOVE_TEXT_MAX] = "-", wanted[EPD_TEXT_MAX];
    if (!epd_operand(&run->record, "id", id, sizeof id))
        snprintf(id, sizeof id, "line %d", run->line);
    if (answer->move != MOVE_NONE)
        move_to_san(&run->record.pos, answer->move, move);
    describe_goal(run, wanted, sizeof wanted);
    strbuf_add(line, "%4d/%d %-26s %-8s", run->sums.tested, run->line_count, id, move);
    if (run->goal.points_max > 0)
        strbuf_add(line, "%3d/%d points ", answer->points, run->goal.points_max);
    if (answer->is_solved)
        strbuf_add(line, "solved  depth %2d %9.3f s %11" PRIu64 " nodes", answer->found.depth,
                   (double)answer->found.ms / 1000.0, answer->found.nodes);
    else
        strbuf_add(line, "not     depth %2d, wanted %s", answer->end.depth, wanted);
}

/* Empties the CSV file and begins it. */
static void begin_csv(SuiteRun *run, const SuiteField *fields)
{
    const char *const path = run->options.csv;
    if (file_kind(path, NULL) == FILE_REGULAR) { // not a pipe
        fclose(run->csv);
        run->csv = file_open(path, "wb");
    }
    if (run->csv != NULL)
        write_csv(run, fields, true);
    else
        file_task_fail(&run->task, "cannot write to '%s': %s", path, strerror(errno));
}

static void print_answer(SuiteRun *run)
{
    SuiteField fields[FIELD_COUNT];
    StrBuf line = {0};
    fill_fields(run, fields);
    if (run->csv != NULL && run->sums.tested == 1)
        begin_csv(run, fields);
    if (run->csv != NULL)
        write_csv(run, fields, false);
    if (run->options.is_json)
        add_json(&line, fields);
    else
        add_words(&line, run);
    file_task_print(&run->task, &line);
}

static void print_summary(SuiteRun *run, bool is_stopped)
{
    const SuiteSums *const sums = &run->sums;
    StrBuf line = {0};
    if (run->options.is_json) {
        strbuf_add(&line, "{\"summary\":{");
        strbuf_json_int(&line, "positions", sums->tested);
        strbuf_json_int(&line, "solved", sums->solved);
        strbuf_json_int(&line, "points", sums->points);
        strbuf_json_int(&line, "points_max", sums->points_max);
        strbuf_json_int(&line, "skipped", sums->skipped);
        strbuf_json_int(&line, "nodes", (int64_t)sums->nodes);
        strbuf_json_int(&line, "ms", sums->ms);
        strbuf_json_bool(&line, "stopped", is_stopped);
        strbuf_add(&line, "}}\n");
    } else {
        const double tested = sums->tested > 0 ? sums->tested : 1;
        const double most = sums->points_max > 0 ? (double)sums->points_max : 1.0;
        strbuf_add(&line, "Solved          : %d of %d (%.1f%%)%s\n", sums->solved, sums->tested,
                   100.0 * sums->solved / tested, is_stopped ? ", stopped" : "");
        if (sums->points_max > 0)
            strbuf_add(&line, "Points          : %" PRId64 " of %" PRId64 " (%.1f%%)\n",
                       sums->points, sums->points_max, 100.0 * (double)sums->points / most);
        if (sums->skipped > 0)
            strbuf_add(&line, "Skipped lines   : %d\n", sums->skipped);
        strbuf_add(&line, "Total time      : %.3f s\n", (double)sums->ms / 1000.0);
        strbuf_add(&line, "Nodes searched  : %" PRIu64 "\n", sums->nodes);
    }
    output_block(&run->task.session->out, &line);
}

/* Parses a line. Repairs are printed. False, with the reason in `error`, when the line is invalid.
 */
static bool parse_line(SuiteRun *run, const char *text, char *error)
{
    run->chess960 = run->task.session->settings.chess960;
    const bool is_good = epd_parse_any(&run->record, text, &run->chess960, error);
    if (is_good && *error != '\0')
        file_task_warn(&run->task, "line %d: %s", run->line, error);
    return is_good;
}

/* Reads and searches one position. */
static void test_line(SuiteRun *run, const char *text)
{
    char error[FEN_ERROR_MAX];
    int found = parse_line(run, text, error) ? 1 : -1;
    if (found > 0)
        found = epd_goal_read(&run->goal, &run->record, error);
    if (found == 0)
        snprintf(error, sizeof error, "no bm, am, dm or points");
    if (found <= 0) {
        file_task_warn(&run->task, "skipped line %d: %s: %.*s", run->line, error,
                       text_cut(text, 40), text);
        run->sums.skipped++;
        return;
    }
    SearchJob job = file_task_job(&run->task, &run->record.pos, &run->options.limits);
    SuiteSums *const sums = &run->sums;
    if (!epd_test_search(run->task.session->engine, &job, &run->goal, file_task_is_stopped,
                         &run->task, &run->answer) ||
        file_task_is_stopped(&run->task)) // an unfinished search does not count
        return;
    sums->tested++;
    sums->solved += run->answer.is_solved;
    sums->points += run->answer.points;
    sums->points_max += run->goal.points_max;
    sums->nodes += run->answer.end.nodes;
    sums->ms += run->answer.end.ms;
    print_answer(run);
}

/* Calls `visit` for each line that holds a position, until the task is stopped. Returns their
 * number. */
static int walk(SuiteRun *run, char *text, void (*visit)(SuiteRun *run, const char *line))
{
    int count = 0;
    run->line = 0;
    while (*text != '\0' && !file_task_is_stopped(&run->task)) {
        const size_t length = strcspn(text, "\n");
        const char end = text[length];
        text[length] = '\0';
        run->line++;
        const char first = text[strspn(text, " \t\r")];
        if (first != '\0' && first != '#') {
            if (visit != NULL) {
                file_task_progress(&run->task, (uint64_t)count, (uint64_t)run->line_count);
                visit(run, text);
            }
            count++;
        }
        text[length] = end;
        text += length + (end != '\0');
    }
    return count;
}

/* Tests all positions of the text. */
static void test_all(SuiteRun *run, char *text)
{
    text += text_mark_length(text);
    run->line_count = walk(run, text, NULL);
    walk(run, text, test_line);
    const bool is_stopped = file_task_is_stopped(&run->task);
    file_task_end(&run->task);
    print_summary(run, is_stopped);
    if (run->sums.tested == 0 && !is_stopped)
        file_task_fail(&run->task, "'%s' has no test positions", run->options.files[0]);
    run->task.session->failed |= is_stopped;
}

/* Reads the test positions and opens the CSV file, if there is one. It keeps what it has until
 * there is a result. */
static bool open_files(SuiteRun *run, StrBuf *text)
{
    const char *const in = run->options.files[0], *const csv = run->options.csv;
    if (!file_read_text(in, text)) {
        file_task_fail(&run->task, "cannot read '%s': %s", in, strerror(errno));
        return false;
    }
    if (csv != NULL && file_is_same(in, csv)) {
        file_task_fail(&run->task, "the input cannot be the output, too");
        return false;
    }
    /* In this process both descriptors are stderr (file_claim_stdout()), /dev/stdout, too. */
    if (csv != NULL && (strcmp(csv, "-") == 0 || file_is_same(csv, "/dev/fd/1") ||
                        file_is_same(csv, "/dev/fd/2"))) {
        file_task_fail(&run->task, "--csv %s: the table needs a file of its own", csv);
        return false;
    }
    if (csv != NULL && session_keeps_file(run->task.session, run->task.name, csv))
        return false;
    run->csv = csv != NULL ? file_open(csv, "ab") : NULL;
    if (csv != NULL && run->csv == NULL)
        file_task_fail(&run->task, "cannot write to '%s': %s", csv, strerror(errno));
    return csv == NULL || run->csv != NULL;
}

void run_suite(Session *session, char *arguments)
{
    static const FileTaskForm FORM = {.name = "suite",
                                      .most_files = 1,
                                      .takes_csv = true,
                                      .limits = {.has_move_time = true, .move_ms = 1000}};
    SuiteRun run = {.task = {.session = session, .name = FORM.name}};
    char error[FILE_TASK_ERROR_MAX];
    StrBuf text = {0};
    if (!file_task_parse(&run.options, &FORM, arguments, error)) {
        file_task_fail(&run.task, "%s", error);
        return;
    }
    if (open_files(&run, &text)) {
        file_task_begin(&run.task);
        test_all(&run, text.text);
    }
    if (run.csv != NULL)
        fclose(run.csv);
    strbuf_free(&text);
    file_task_leave(&run.task);
}
