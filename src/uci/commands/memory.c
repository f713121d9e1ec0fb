// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "eval/winrate.h"
#include "uci/commands/json.h"
#include "uci/commands/memory_epd.h"
#include "uci/commands/run.h"

enum {
    FLUSH_MS = 10000, // longest wait for the writer
    LIST_DEFAULT = 20,
    LIST_MAX = 1000000,
    BATCH = 500,           // positions of a transaction, or between two looks for `stop`
    IMPORT_ERRORS_MAX = 5, // number of errors that are printed
    TEACH_SCORE_MAX = 5000 // centipawns
};

/* Prints a message of position learning. If it begins with "error", the command has failed. */
static void print_message(Session *session, const char *message)
{
    output_line(&session->out, "info string %s", message);
    session->failed |= strncmp(message, "error", 5) == 0;
}

void memory_apply(Session *session)
{
    char message[LEARNING_MESSAGE_MAX];
    if (engine_is_searching(session->engine))
        return;
    engine_wait(session->engine);
    if (learning_apply(engine_learning(session->engine), message))
        print_message(session, message);
}

void memory_print_error(Session *session)
{
    char message[LEARNING_MESSAGE_MAX];
    if (learning_take_error(engine_learning(session->engine), message))
        print_message(session, message);
}

void memory_flush(Session *session)
{
    engine_wait(session->engine);
    if (!learning_flush(engine_learning(session->engine), FLUSH_MS))
        session_fail(session, "memory: some learned positions are still not written");
    memory_print_error(session);
}

/* The command fails with the error of SQLite. */
static void fail_by_file(Session *session, const char *command, const LearnStore *memory)
{
    session_fail(session, "%s: '%s' %s", command,
                 learning_options(engine_learning(session->engine))->path,
                 learn_store_error(memory));
}

/* ---- Inspecting ---- */

/* Context of list_position(). */
typedef struct {
    StrBuf *buf;
    uint32_t network; // the network in use
    int64_t count;    // positions so far
} List;

static bool list_position(void *ctx, const LearnedPosition *learned)
{
    List *const list = ctx;
    char move[MOVE_TEXT_MAX], score[REPORT_SCORE_MAX] = "-", date[16], error[FEN_ERROR_MAX];
    Position pos;
    learned_position_move_text(learned, move);
    if (learned->score != SCORE_NONE && fen_parse(&pos, learned->position, true, error))
        report_score(learned->score, pos_material(&pos), score);
    clock_date(learned->calendar_s, date, sizeof date);
    strbuf_add(list->buf, "%s  %s  %s  depth %d  %s on %s  by %08" PRIx32 "%s  seen %" PRId64 "\n",
               learned->position, move, score, learned->depth, learned_origin_name(learned->origin),
               date, learned->network,
               learned->network != list->network ? " (another network)" : "", learned->seen);
    list->count++;
    return true;
}

/* The same as an object. */
static bool list_object(void *ctx, const LearnedPosition *learned)
{
    List *const list = ctx;
    StrBuf *const buf = list->buf;
    char text[FEN_ERROR_MAX];
    Position pos;
    if (!fen_parse(&pos, learned->position, true, text))
        return true; // never: the store checks its rows
    strbuf_add(buf, "{");
    strbuf_json_text(buf, "fen", learned->position);
    move_to_san(&pos, learned->move, text);
    strbuf_json_text(buf, "move", text);
    learned_position_move_text(learned, text);
    strbuf_json_text(buf, "uci", text);
    json_add_score(buf, learned->score, pos_material(&pos));
    strbuf_json_int(buf, "depth", learned->depth);
    strbuf_json_text(buf, "origin", learned_origin_name(learned->origin));
    clock_date(learned->calendar_s, text, sizeof text);
    strbuf_json_text(buf, "date", text);
    snprintf(text, sizeof text, "%08" PRIx32, learned->network);
    strbuf_json_text(buf, "network", text);
    strbuf_json_bool(buf, "network_in_use", learned->network == list->network);
    strbuf_json_int(buf, "seen", learned->seen);
    strbuf_add(buf, "}\n");
    list->count++;
    return true;
}

static void memory_list(Session *session, LearnStore *memory, char *arguments)
{
    int64_t count = LIST_DEFAULT;
    const bool is_json = json_take_switch(arguments);
    const char *const number = text_word(&arguments);
    if (number != NULL && !text_parse_int(number, 1, LIST_MAX, &count)) {
        session_fail(session, "memory list: needs a number from 1 to %d", LIST_MAX);
        return;
    }
    const char *const extra = text_word(&arguments);
    if (extra != NULL) {
        session_fail(session, "memory list: '%.*s' is not understood", text_cut(extra, 40), extra);
        return;
    }
    StrBuf buf = {0};
    List list = {.buf = &buf, .network = learning_table(engine_learning(session->engine))->network};
    const LearnStoreReader reader = {.visit = is_json ? list_object : list_position,
                                     .ctx = &list,
                                     .limit = count,
                                     .ms = INT64_MAX};
    LearnStoreSkipped skipped;
    const LearnStoreStatus status = learn_store_read(memory, &reader, &skipped);
    if (is_json && status == LEARN_STORE_DONE)
        strbuf_add(&buf, "{\"summary\":{\"positions\":%" PRId64 "}}\n", list.count);
    else if (status == LEARN_STORE_DONE && list.count == 0)
        strbuf_add(&buf, "The file has no learned positions\n");
    output_block(&session->out, &buf);
    if (status != LEARN_STORE_DONE)
        fail_by_file(session, "memory list", memory);
}

static void add_count(StrBuf *buf, const char *name, int64_t count)
{
    strbuf_add(buf, "%-30s %12" PRId64 "\n", name, count);
}

static void memory_stats(Session *session, LearnStore *memory, char *arguments)
{
    if (!session_takes_none(session, "memory stats", arguments))
        return;
    Learning *const learning = engine_learning(session->engine);
    const LearningState state = learning_state(learning);
    const LearnedTable *const learned = learning_table(learning);
    LearnStoreCounts counts;
    SearchStats search;
    StrBuf buf = {0};
    if (learn_store_count(memory, &counts) != LEARN_STORE_DONE) {
        fail_by_file(session, "memory stats", memory);
        return;
    }
    engine_stats(session->engine, &search);
    strbuf_add(&buf, "Memory: %s, policy %s, file '%s'\n", learning_mode_name(state.mode),
               learned_policy_name(learned->policy), learning_options(learning)->path);
    strbuf_add(&buf, "Network: %08" PRIx32 "\n", learned->network);
    add_count(&buf, "Learned positions in the file", counts.positions);
    for (int i = 0; i < ORIGIN_NB; i++) {
        char name[32];
        snprintf(name, sizeof name, "  %s", learned_origin_name((LearnOrigin)i));
        add_count(&buf, name, counts.by_origin[i]);
    }
    add_count(&buf, "  damaged, ignored", state.damaged);
    add_count(&buf, "File size in bytes", counts.bytes);
    add_count(&buf, "Learned positions in RAM", state.positions);
    add_count(&buf, "RAM in bytes", state.bytes);
    add_count(&buf, "Written since the start", state.writer.written);
    add_count(&buf, "  not yet written", state.writer.waiting);
    add_count(&buf, "  lost by write errors", state.writer.lost);
    strbuf_add(&buf, "In the last search:\n");
    add_count(&buf, "Hits of learned positions", (int64_t)search.learned_hits);
    add_count(&buf, "  cutoffs", (int64_t)search.learned_cutoffs);
    output_block(&session->out, &buf);
}

/* ---- Editing ---- */

/* Writes positions to the file; on failure prints the error. */
static bool write_positions(Session *session, LearnStore *memory, const LearnedPosition *positions,
                            int count, bool is_import)
{
    const Learning *const learning = engine_learning(session->engine);
    const LearnStoreRules rules = {.policy = learning_options(learning)->policy,
                                   .is_import = is_import,
                                   .network = learning_table(learning)->network,
                                   .capacity = learning_capacity(learning)};
    if (learn_store_write(memory, positions, count, rules) == LEARN_STORE_DONE)
        return true;
    fail_by_file(session, "memory", memory);
    return false;
}

/* Parses a FEN as lists print it: castling rights may be letters of files, whatever the option
 * UCI_Chess960 says. False, with the reason in `error` (FEN_ERROR_MAX bytes), also if the FEN would
 * have to be repaired: it would be another position. */
static bool read_fen(const char *text, Position *pos, char *error)
{
    return fen_parse(pos, text, true, error) && *error == '\0';
}

static void memory_forget(Session *session, LearnStore *memory, char *arguments)
{
    const char *const text = text_trim(arguments);
    const bool forgets_all = strcmp(text, "all") == 0;
    Position pos = session->setup.pos;
    char error[FEN_ERROR_MAX];
    if (!forgets_all && *text != '\0' && !read_fen(text, &pos, error)) {
        session_fail(session, "memory forget: %s", error);
        return;
    }
    char position[LEARNED_POSITION_MAX];
    int64_t forgotten;
    learned_position_text(&pos, position);
    if (learn_store_forget(memory, forgets_all ? NULL : position, &forgotten) != LEARN_STORE_DONE)
        fail_by_file(session, "memory forget", memory);
    else
        output_line(&session->out, "info string memory: %" PRId64 " position%s forgotten",
                    forgotten, text_plural(forgotten));
}

enum { TEACH_WORDS_MAX = 9 }; // six fields of the FEN, move, score, and one more for the error

/* Number of words of the FEN: 4, or 6 with both clocks. */
static int count_fields(char *const *words, int count)
{
    int64_t clock;
    const bool has_clocks = count >= 6 && text_parse_int(words[4], 0, INT32_MAX, &clock) &&
                            text_parse_int(words[5], 0, INT32_MAX, &clock);
    return has_clocks ? 6 : 4;
}

/* Parses FEN MOVE [SCORE]. The fifty-move counter is ignored: advice is for every game. True:
 * `error` (FEN_ERROR_MAX bytes) is "" or says that the score is not kept. False: `error` has the
 * reason. */
static bool read_advice(char *arguments, LearnedPosition *learned, char *error)
{
    char *words[TEACH_WORDS_MAX], fen[2 * FEN_MAX] = "";
    int count = 0;
    while (count < TEACH_WORDS_MAX && (words[count] = text_word(&arguments)) != NULL)
        count++;
    const int fields = count_fields(words, count);
    size_t length = 0;
    for (int i = 0; i < fields && i < count && length < sizeof fen; i++)
        length += (size_t)snprintf(fen + length, sizeof fen - length, "%s ", words[i]);
    if (count != fields + 1 && count != fields + 2) {
        snprintf(error, FEN_ERROR_MAX, "needs a FEN, a move and optionally a score in centipawns");
        return false;
    }
    Position pos;
    if (length >= sizeof fen || !read_fen(text_trim(fen), &pos, error))
        return false;
    pos.rule50 = 0;
    const Move move = move_from_text(&pos, words[fields]);
    int64_t score = 0;
    const bool has_score = count == fields + 2;
    if (move == MOVE_NONE) {
        snprintf(error, FEN_ERROR_MAX, "illegal or ambiguous move %.*s",
                 text_cut(words[fields], 16), words[fields]);
        return false;
    }
    if (has_score &&
        !text_parse_int(words[fields + 1], -TEACH_SCORE_MAX, TEACH_SCORE_MAX, &score)) {
        snprintf(error, FEN_ERROR_MAX, "'%.*s' is not a score in centipawns, -%d to %d",
                 text_cut(words[fields + 1], 16), words[fields + 1], TEACH_SCORE_MAX,
                 TEACH_SCORE_MAX);
        return false;
    }
    learned_position_set(learned, &pos, move,
                         has_score ? winrate_units((double)score, pos_material(&pos)) : SCORE_NONE);
    if (has_score && learned->score == SCORE_NONE)
        snprintf(error, FEN_ERROR_MAX, ", without the score: it is near the draw");
    return true;
}

static void memory_teach(Session *session, LearnStore *memory, char *arguments)
{
    char error[FEN_ERROR_MAX] = "the FEN is too long";
    LearnedPosition learned = {.depth = MAX_DEPTH,
                               .network = learning_table(engine_learning(session->engine))->network,
                               .origin = ORIGIN_ADVICE,
                               .calendar_s = clock_calendar_s(),
                               .seen = 1};
    if (!read_advice(arguments, &learned, error)) {
        session_fail(session, "memory teach: %s", error);
        return;
    }
    if (write_positions(session, memory, &learned, 1, false))
        output_line(&session->out, "info string memory: stored advice for %s%s", learned.position,
                    error);
}

/* ---- Export and import ---- */

/* State of an export. */
typedef struct {
    Session *session;
    FILE *stream;
    int64_t count;
    bool is_stopped;
} Export;

static bool export_position(void *ctx, const LearnedPosition *learned)
{
    Export *const all = ctx;
    char line[EPD_TEXT_MAX];
    if (all->count++ % BATCH == 0 && session_ends_old_task(all->session)) {
        all->is_stopped = true;
        return false;
    }
    memory_epd_print(learned, line);
    return fprintf(all->stream, "%s\n", line) > 0;
}

/* The export fails with an error of the system. */
static void fail_to_export(Session *session, const char *path, int error)
{
    session_fail(session, "memory export: '%s' cannot be written: %s", path, strerror(error));
}

/* Writes all positions to the draft, oldest first, so that an import keeps their order. On failure
 * and after `stop`, says so and returns false. */
static bool export_all(Session *session, LearnStore *memory, FileDraft *draft)
{
    Export all = {.session = session, .stream = draft->stream};
    const LearnStoreReader reader = {.visit = export_position,
                                     .ctx = &all,
                                     .limit = INT64_MAX,
                                     .ms = INT64_MAX,
                                     .order = LEARN_OLDEST_FIRST};
    LearnStoreSkipped skipped;
    const LearnStoreStatus status = learn_store_read(memory, &reader, &skipped);
    const int error = errno;
    if (all.is_stopped)
        output_line(&session->out, "info string memory export was stopped");
    else if (ferror(draft->stream))
        fail_to_export(session, draft->path, error);
    else if (status != LEARN_STORE_DONE)
        fail_by_file(session, "memory export", memory);
    else if (skipped.damaged > 0)
        output_line(&session->out, "info string memory: %" PRId64 " damaged position%s left out",
                    skipped.damaged, text_plural(skipped.damaged));
    return status == LEARN_STORE_DONE && !all.is_stopped && !ferror(draft->stream);
}

static void memory_export(Session *session, LearnStore *memory, char *arguments)
{
    const char *const path = text_unquote(arguments);
    const FileKind kind = file_kind(path, NULL);
    FileDraft draft;
    if (*path == '\0') {
        session_fail(session, "memory export: needs a file name");
    } else if (kind != FILE_MISSING && kind != FILE_REGULAR) {
        session_fail(session, "memory export: '%s' is not a regular file", path);
    } else if (session_keeps_file(session, "memory export", path)) {
        return;
    } else if (!file_draft(&draft, path)) {
        fail_to_export(session, path, errno);
    } else if (!export_all(session, memory, &draft)) {
        file_discard(&draft);
    } else if (!file_publish(&draft)) {
        fail_to_export(session, path, errno);
    } else {
        output_line(&session->out, "info string memory: all learned positions are in '%s'", path);
    }
}

/* State of an import. */
typedef struct {
    Session *session;
    LearnStore *memory;
    LearnedPosition batch[BATCH];
    int count;
    int64_t imported, refused;
    int64_t without_score; // positions whose score was not kept
} Import;

/* Writes the batch. */
static bool flush_import(Import *import)
{
    const int count = import->count;
    import->count = 0;
    if (count > 0 && !write_positions(import->session, import->memory, import->batch, count, true))
        return false;
    import->imported += count;
    return true;
}

/* Imports the records of the file at `path`, up to the first that cannot be written or until
 * `stop`. */
static void import_all(Import *import, FILE *file, const char *path)
{
    const uint32_t network = learning_table(engine_learning(import->session->engine))->network;
    EpdRecord record;
    char error[FEN_ERROR_MAX];
    int64_t number = 0; // of the record, without empty lines and comments
    for (int status = epd_next_exact(file, &record, true, error); status != 0 && !ferror(file);
         status = epd_next_exact(file, &record, true, error)) {
        if (number++ % BATCH == 0 && session_ends_old_task(import->session)) {
            output_line(&import->session->out, "info string memory import was stopped");
            break;
        }
        bool loses_score = false;
        if (status > 0 &&
            memory_epd_read(&import->batch[import->count], &record, network, &loses_score, error))
            import->count++;
        else if (++import->refused <= IMPORT_ERRORS_MAX)
            session_fail(import->session, "memory import: position %" PRId64 ": %s", number, error);
        import->without_score += loses_score;
        if (import->count == BATCH && !flush_import(import))
            return;
    }
    if (ferror(file))
        session_fail(import->session, "memory import: '%s' %s", path, error);
    flush_import(import);
}

/* Prints the counts of an import that deleted so many positions above the limit of the file. */
static void print_imported(const Import *import, int64_t deleted)
{
    const Learning *const learning = engine_learning(import->session->engine);
    const int64_t capacity = learning_capacity(learning);
    const bool is_own_limit = capacity == learning_options(learning)->max;
    char deletion[96] = "", dropped[160] = "";
    if (import->without_score > 0)
        snprintf(dropped, sizeof dropped,
                 ", %" PRId64 " of them without %s score (near the draw, not a number, or the "
                 "fifty-move counter is %d or more)",
                 import->without_score, import->without_score == 1 ? "its" : "their",
                 LEARNED_RULE50_MAX);
    if (deleted > 0)
        snprintf(deletion, sizeof deletion, ", %" PRId64 " deleted because %s allows only %" PRId64,
                 deleted, is_own_limit ? "MemoryMax" : "the policy", capacity);
    output_line(&import->session->out,
                "info string memory: %" PRId64 " position%s imported%s, %" PRId64
                " line%s refused%s",
                import->imported, text_plural(import->imported), dropped, import->refused,
                text_plural(import->refused), deletion);
}

static void memory_import(Session *session, LearnStore *memory, char *arguments)
{
    const char *const path = text_unquote(arguments);
    if (*path == '\0') {
        session_fail(session, "memory import: needs a file name");
        return;
    }
    FILE *const file = file_open(path, "r");
    Import *const import = file != NULL ? calloc(1, sizeof *import) : NULL;
    if (import == NULL) {
        session_fail(session, "memory import: '%s' cannot be read: %s", path, strerror(errno));
    } else {
        import->session = session;
        import->memory = memory;
        const int64_t deleted = learn_store_deleted(memory);
        import_all(import, file, path);
        print_imported(import, learn_store_deleted(memory) - deleted);
    }
    if (file != NULL)
        fclose(file);
    free(import);
}

/* ---- The command ---- */

static const struct {
    const char *name;
    void (*run)(Session *session, LearnStore *memory, char *arguments);
    bool changes; // writes to the file
} SUBCOMMANDS[] = {
    {"stats", memory_stats, false},   {"list", memory_list, false},
    {"forget", memory_forget, true},  {"teach", memory_teach, true},
    {"export", memory_export, false}, {"import", memory_import, true},
};

enum { SUBCOMMAND_COUNT = sizeof SUBCOMMANDS / sizeof SUBCOMMANDS[0] };

/* The command fails because the file cannot be written, although the option Memory is learn. */
static void fail_to_write(Session *session, const char *name)
{
    Learning *const learning = engine_learning(session->engine);
    const char *const reason = learn_store_error(learning_lock_store(learning));
    session_fail(session, "memory %s: '%s' %s", name, learning_options(learning)->path,
                 *reason != '\0' ? reason : "is open for reading only");
    learning_unlock_store(learning, false);
}

/* Runs subcommand `i` on the open file. */
static void memory_subcommand(Session *session, int i, char *arguments)
{
    Learning *const learning = engine_learning(session->engine);
    const bool is_wanted = learning_options(learning)->mode == LEARNING_LEARN;
    const bool is_learning = learning_state(learning).mode == LEARNING_LEARN;
    if (learning_table(learning) == NULL) {
        session_fail(session, "memory %s: memory is off, set the options Memory and MemoryFile",
                     SUBCOMMANDS[i].name);
    } else if (SUBCOMMANDS[i].changes && !is_wanted) {
        session_fail(session, "memory %s: the option Memory must be learn", SUBCOMMANDS[i].name);
    } else if (SUBCOMMANDS[i].changes && !is_learning) {
        fail_to_write(session, SUBCOMMANDS[i].name);
    } else {
        LearnStore *const store = learning_lock_store(learning);
        const int64_t before = learn_store_changes(store);
        SUBCOMMANDS[i].run(session, store, arguments);
        const bool has_changed = learn_store_changes(store) != before;
        learning_unlock_store(learning, has_changed);
        if (has_changed) // the table has results that depend on what was learned before
            engine_clear_hash(session->engine);
    }
}

void run_memory(Session *session, char *arguments)
{
    char *cursor = arguments;
    const char *const name = text_word(&cursor);
    if (!learn_store_is_linked()) {
        session_fail(session, "memory: this program was built without SQLite");
        return;
    }
    memory_apply(session);
    memory_flush(session);
    for (int i = 0; i < SUBCOMMAND_COUNT && name != NULL; i++)
        if (strcmp(name, SUBCOMMANDS[i].name) == 0) {
            memory_subcommand(session, i, cursor);
            return;
        }
    session_fail(session, "memory: use stats, list, forget, teach, export or import");
}
