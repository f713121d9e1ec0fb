// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/hash.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/play.h"
#include "search/root_cache.h"
#include "search/table_key.h"
#include "tt/replacement.h"
#include "uci/commands/hash_entries.h"
#include "uci/commands/hash_files.h"
#include "uci/commands/hash_live.h"
#include "uci/commands/json.h"
#include "uci/commands/run.h"

static const char *const BOUNDS[] = {"no bound", "at most", "at least", "exactly"};

enum {
    TOP_DEFAULT = 10,
    TOP_MAX = 100,
    TOP_LINE_MAX = 3,        // `hash top` finds the moves to entries up to this many plies away
    STOP_INTERVAL = 1 << 20, // entries between two tests for `stop`
    LINE_MAX = 256
};

/* Writes the score with its bound in words; `out` holds BOUNDED_MAX bytes. */
enum { BOUNDED_MAX = REPORT_SCORE_MAX + 16 };
static void write_bounded(const TtData *data, int material, char *out)
{
    char score[REPORT_SCORE_MAX] = "-";
    if (data->bound != BOUND_NONE)
        report_score(data->score, material, score);
    snprintf(out, BOUNDED_MAX, "%s %s", BOUNDS[data->bound], score);
}

static void describe_entry(const TtData *data, const Position *pos, bool chess960, StrBuf *buf)
{
    char move[MOVE_TEXT_MAX], bounded[BOUNDED_MAX], eval[REPORT_SCORE_MAX] = "-";
    move_to_uci(data->move, chess960, move);
    write_bounded(data, pos_material(pos), bounded);
    if (data->eval != SCORE_NONE)
        report_score(data->eval, pos_material(pos), eval);
    const bool is_foreign = data->move != MOVE_NONE && !gen_is_legal(pos, data->move);
    strbuf_add(buf, "Table: depth %d, %s, move %s%s, eval %s, about %" PRIu64 " nodes%s\n",
               data->depth, bounded, data->move != MOVE_NONE ? move : "-",
               is_foreign ? " (illegal: entry of another position)" : "", eval, data->nodes,
               data->was_pv ? ", on a principal variation" : "");
}

void hash_describe(Session *session, const Position *pos, StrBuf *buf)
{
    TtData entries[2];
    const int count = hash_entries_peek(session, pos, entries);
    for (int i = 0; i < count; i++)
        describe_entry(&entries[i], pos, settings_chess960(&session->settings, pos), buf);
    if (count == 0)
        strbuf_add(buf, "Table: no entry\n");
}

static void hash_probe(Session *session, char *arguments, StrBuf *buf)
{
    Position pos = session->setup.pos;
    if (*arguments != '\0' && !session_read_fen(session, "hash probe", arguments, &pos))
        return;
    strbuf_add(buf, "Key: %016" PRIX64 "\n", table_key(&pos));
    hash_describe(session, &pos, buf);
}

/* Appends a line: name, part, percentage of the whole. */
static void add_part(StrBuf *buf, const char *name, uint64_t part, const char *of, uint64_t whole)
{
    strbuf_add(buf, "%-24s %14" PRIu64, name, part);
    if (whole > 0)
        strbuf_add(buf, "  %5.1f%% of %s\n", 100.0 * (double)part / (double)whole, of);
    else
        strbuf_add(buf, "\n");
}

static void add_table(Tt *tt, StrBuf *buf)
{
    strbuf_add(buf, "Size                     %14" PRIu64 " MiB%s\n", (uint64_t)(tt->bytes >> 20),
               tt->huge_pages ? " in huge pages" : "");
    strbuf_add(buf, "Entries                  %14" PRIu64 "\n", 2 * tt->slot_count);
    strbuf_add(buf, "Replacement              %14s\n", replacement_name(tt->replacement));
    strbuf_add(buf, "Full                     %14.1f %%\n", tt_hashfull(tt) / 10.0);
}

static void hash_stats(Session *session, char *arguments, StrBuf *buf)
{
    (void)arguments;
    SearchStats search;
    engine_stats(session->engine, &search);
    const TtStats *const s = &search.tt;
    add_table(engine_table(session->engine), buf);
    strbuf_add(buf, "In the last search:\n");
    add_part(buf, "Probes", s->probes, "nodes", search.nodes);
    add_part(buf, "Hits", s->hits, "probes", s->probes);
    add_part(buf, "  in both entries", s->double_hits, "hits", s->hits);
    add_part(buf, "  with two moves", s->two_moves, "hits", s->hits);
    add_part(buf, "Cutoffs, upper bound", s->cutoffs[BOUND_UPPER], "hits", s->hits);
    add_part(buf, "Cutoffs, lower bound", s->cutoffs[BOUND_LOWER], "hits", s->hits);
    add_part(buf, "Cutoffs, exact score", s->cutoffs[BOUND_EXACT], "hits", s->hits);
    add_part(buf, "Illegal TT moves", s->type1_errors, "hits", s->hits);
    add_part(buf, "Refreshed entries", s->refreshes, "hits", s->hits);
    add_part(buf, "Stores", s->stores, "nodes", search.nodes);
    add_part(buf, "  into empty entries", s->replaced_empty, "stores", s->stores);
    add_part(buf, "  same position", s->replaced_same, "stores", s->stores);
    add_part(buf, "  over stale entries", s->replaced_stale, "stores", s->stores);
    add_part(buf, "  over other positions", s->replaced_other, "stores", s->stores);
    if (engine_table(session->engine)->replacement == REPLACE_BIG_ALL)
        add_part(buf, "Nodes saved", s->nodes_saved, "nodes", search.nodes);
}

static void hash_line(Session *session, char *arguments, StrBuf *buf)
{
    (void)arguments;
    TtData line[LINE_MAX];
    const char *end;
    const int length = hash_entries_follow(session, line, LINE_MAX, &end);
    Position pos = session->setup.pos;
    StrBuf moves = {0};
    const bool chess960 = settings_chess960(&session->settings, &pos);
    for (int i = 0; i < length; i++) {
        char move[MOVE_TEXT_MAX], bounded[BOUNDED_MAX];
        move_to_uci(line[i].move, chess960, move);
        write_bounded(&line[i], pos_material(&pos), bounded);
        strbuf_add(buf, "%3d  %-6s depth %3d, %s\n", i + 1, move, line[i].depth, bounded);
        strbuf_add(&moves, " %s", move);
        pos_advance(&pos, line[i].move);
    }
    strbuf_add(buf, "Line:%s\nEnd of line: %s\n", moves.text != NULL ? moves.text : " -", end);
    buf->is_cut |= moves.is_cut;
    strbuf_free(&moves);
}

/* An entry and the moves that lead to it. */
typedef struct {
    TtRecord record;
    bool is_stale;
    bool has_line;
    bool is_kept; // the result of an analysed root (root_cache.h)
    int length;   // of the line, in plies
    Move line[TOP_LINE_MAX];
} TopEntry;

typedef struct {
    TopEntry entries[TOP_MAX]; // best first
    int count, capacity;
    bool by_depth;
    SyzygyUse syzygy; // of the searches, for root_cache_key()
} Top;

static bool is_better(const Top *top, const TtData *a, const TtData *b)
{
    if (top->by_depth && a->depth != b->depth)
        return a->depth > b->depth;
    return a->nodes != b->nodes ? a->nodes > b->nodes : a->depth > b->depth;
}

/* Inserts the entry if it is among the best so far. A position appears once, with its better entry.
 */
static void insert_into_top(Top *top, const TopEntry *entry)
{
    TopEntry *const list = top->entries;
    const TtData *const data = &entry->record.data;
    if (top->count == top->capacity && !is_better(top, data, &list[top->count - 1].record.data))
        return;
    int place = 0;
    while (place < top->count && !is_better(top, data, &list[place].record.data)) {
        if (list[place].record.key == entry->record.key)
            return;
        place++;
    }
    int last = place; // the entry to remove: the position's worse one, or the last
    while (last < top->count && list[last].record.key != entry->record.key)
        last++;
    if (last == top->count && top->count < top->capacity)
        top->count++;
    else if (last == top->count)
        last--;
    memmove(&list[place + 1], &list[place], (size_t)(last - place) * sizeof *list);
    list[place] = *entry;
}

static bool has_key(const TtRecord *record, Key key)
{
    const Key known = record->key_is_whole ? UINT64_MAX : CHECK_ALL; // or only the low 48 bits
    return ((record->key ^ key) & known) == 0;
}

/* Finds the entries of positions `depth` plies below `pos` and sets their lines. `line` leads to
 * `pos` and has `length` moves. */
static void set_lines(Top *top, const Position *pos, Move *line, int length, int depth)
{
    if (depth == 0) {
        const Key key = table_key(pos), kept_key = root_cache_key(pos, &top->syzygy);
        for (int i = 0; i < top->count; i++) {
            TopEntry *const e = &top->entries[i];
            const bool is_kept = has_key(&e->record, kept_key);
            if (e->has_line || (!is_kept && !has_key(&e->record, key)))
                continue;
            e->has_line = true;
            e->is_kept = is_kept;
            e->length = length;
            memcpy(e->line, line, (size_t)length * sizeof *line);
        }
        return;
    }
    Move moves[MAX_MOVES];
    const int count = gen_legal(pos, moves);
    for (int i = 0; i < count; i++) {
        Position after;
        pos_play(&after, pos, moves[i]);
        line[length] = moves[i];
        set_lines(top, &after, line, length + 1, depth - 1);
    }
}

/* The positions of most entries are unknown, so centipawns are those of the current position. */
static void show_top_entry(const Session *session, const TopEntry *entry, int rank, StrBuf *buf)
{
    const bool chess960 = settings_chess960(&session->settings, &session->setup.pos);
    const TtData *const data = &entry->record.data;
    char move[MOVE_TEXT_MAX] = "-", bounded[BOUNDED_MAX];
    if (data->move != MOVE_NONE)
        move_to_uci(data->move, chess960, move);
    write_bounded(data, pos_material(&session->setup.pos), bounded);
    strbuf_add(buf, "%3d  %0*" PRIX64 "  %14" PRIu64 " nodes, depth %3d, %s, move %s%s", rank,
               entry->record.key_is_whole ? 16 : 12, entry->record.key, data->nodes, data->depth,
               bounded, move, entry->is_stale ? ", stale" : "");
    if (entry->is_kept)
        strbuf_add(buf, ", kept result of the analysis");
    if (entry->has_line)
        strbuf_add(buf, entry->length > 0 ? ", after" : ", the current position");
    for (int i = 0; i < entry->length; i++) {
        move_to_uci(entry->line[i], chess960, move);
        strbuf_add(buf, " %s", move);
    }
    strbuf_add(buf, "\n");
}

/* The same as an object. */
static void add_top_object(const Session *session, const TopEntry *entry, int rank, StrBuf *buf)
{
    static const char *const NAMES[] = {[BOUND_NONE] = "none",
                                        [BOUND_UPPER] = "upper",
                                        [BOUND_LOWER] = "lower",
                                        [BOUND_EXACT] = "exact"};
    const Position *const root = &session->setup.pos;
    const TtData *const data = &entry->record.data;
    const bool is_whole = entry->record.key_is_whole;
    char text[32];
    strbuf_add(buf, "{");
    strbuf_json_int(buf, "rank", rank);
    snprintf(text, sizeof text, "%0*" PRIX64, is_whole ? 16 : 12, entry->record.key);
    strbuf_json_text(buf, "key", text);
    strbuf_json_int(buf, "key_bits", is_whole ? 64 : 48);
    strbuf_json_int(buf, "nodes", (int64_t)data->nodes);
    strbuf_json_int(buf, "depth", data->depth);
    strbuf_json_text(buf, "bound", NAMES[data->bound]);
    json_add_score(buf, data->score, pos_material(root));
    move_to_uci(data->move, settings_chess960(&session->settings, root), text);
    strbuf_json_text(buf, "uci", data->move != MOVE_NONE ? text : NULL);
    strbuf_json_bool(buf, "stale", entry->is_stale);
    if (entry->has_line) {
        strbuf_json_bool(buf, "kept", entry->is_kept);
        json_add_line(buf, root, entry->line, entry->length);
    } else {
        strbuf_json_null(buf, "kept");
        strbuf_json_null(buf, "line");
    }
    strbuf_add(buf, "}\n");
}

/* Appends the entries, as text or as objects. */
static void show_top(const Session *session, const Top *top, bool is_json, StrBuf *buf)
{
    for (int i = 0; i < top->count; i++)
        (is_json ? add_top_object : show_top_entry)(session, &top->entries[i], i + 1, buf);
    if (is_json) {
        strbuf_add(buf, "{\"summary\":{");
        json_add_fen(buf, &session->setup.pos, session->settings.chess960);
        strbuf_json_int(buf, "entries", top->count);
        strbuf_add(buf, "}}\n");
    } else if (top->count == 0) {
        strbuf_add(buf, "Table: no entry\n");
    }
}

/* Reads the arguments of `hash top`. */
static bool parse_top(Session *session, char *arguments, Top *top)
{
    int64_t number = TOP_DEFAULT;
    char *cursor = arguments;
    const char *word = text_word(&cursor);
    const TextInt verdict =
        word != NULL ? text_clamp_int(word, 1, TOP_MAX, &number) : TEXT_INT_NOT_A_NUMBER;
    if (verdict == TEXT_INT_TOO_SMALL || verdict == TEXT_INT_TOO_LARGE) {
        session_fail(session, "hash top: use a number from 1 to %d", TOP_MAX);
        return false;
    }
    if (verdict == TEXT_INT_OK)
        word = text_word(&cursor);
    top->capacity = (int)number;
    top->by_depth = word != NULL && strcmp(word, "depth") == 0;
    if (word != NULL && (strcmp(word, "depth") == 0 || strcmp(word, "nodes") == 0))
        word = text_word(&cursor);
    if (word != NULL)
        session_fail(session, "hash top: use [n] [nodes|depth], not '%.*s'", text_cut(word, 40),
                     word);
    return word == NULL;
}

/* To be called after each entry. False, with a message, when the command must end. */
static bool goes_on(Session *session, uint64_t entry, const char *command, StrBuf *buf)
{
    if (entry % STOP_INTERVAL != 0 || !session_ends_old_task(session))
        return true;
    strbuf_add(buf, "info string hash %s was stopped\n", command);
    return false;
}

static void hash_top(Session *session, char *arguments, StrBuf *buf)
{
    Tt *const tt = engine_table(session->engine);
    Top *const top = calloc(1, sizeof *top);
    if (top == NULL) {
        session_fail(session, "hash top: out of memory");
        return;
    }
    top->syzygy = engine_syzygy_use(session->engine);
    const bool is_json = json_take_switch(arguments);
    bool continues = parse_top(session, arguments, top);
    for (uint64_t i = 0; continues && i < 2 * tt->slot_count; i++) {
        TopEntry entry = {.has_line = false};
        const TtRecordState state = tt_record(tt, i, &entry.record);
        entry.is_stale = state == TT_RECORD_STALE;
        if ((state == TT_RECORD_CURRENT || entry.is_stale) && entry.record.data.bound != BOUND_NONE)
            insert_into_top(top, &entry);
        continues = goes_on(session, i, "top", buf);
    }
    Move line[TOP_LINE_MAX];
    for (int depth = 0; continues && depth <= TOP_LINE_MAX; depth++)
        set_lines(top, &session->setup.pos, line, 0, depth);
    if (continues)
        show_top(session, top, is_json, buf);
    free(top);
}

/* Contents of one level of the table. */
typedef struct {
    uint64_t states[TT_RECORD_DAMAGED + 1];
    uint64_t bounds[BOUND_EXACT + 1]; // of current and stale entries
} LevelCount;

static void show_level(const LevelCount *level, const char *name, StrBuf *buf)
{
    const uint64_t *const states = level->states, *const bounds = level->bounds;
    strbuf_add(buf,
               "%s: %" PRIu64 " empty, %" PRIu64 " current, %" PRIu64 " stale, %" PRIu64
               " damaged; %" PRIu64 " exact, %" PRIu64 " lower, %" PRIu64 " upper bounds, %" PRIu64
               " evaluations\n",
               name, states[TT_RECORD_EMPTY], states[TT_RECORD_CURRENT], states[TT_RECORD_STALE],
               states[TT_RECORD_DAMAGED], bounds[BOUND_EXACT], bounds[BOUND_LOWER],
               bounds[BOUND_UPPER], bounds[BOUND_NONE]);
}

static void verify_table(Session *session, StrBuf *buf)
{
    Tt *const tt = engine_table(session->engine);
    const bool is_single = replacement_is_single(tt->replacement);
    LevelCount levels[2] = {0};
    for (uint64_t i = 0; i < 2 * tt->slot_count; i++) {
        LevelCount *const level = &levels[!is_single && i % 2 != 0];
        TtRecord record;
        const TtRecordState state = tt_record(tt, i, &record);
        level->states[state]++;
        if (state == TT_RECORD_CURRENT || state == TT_RECORD_STALE)
            level->bounds[record.data.bound]++;
        if (!goes_on(session, i, "verify", buf))
            return;
    }
    show_level(&levels[0], is_single ? "Only level" : "First level", buf);
    if (!is_single)
        show_level(&levels[1], "Second level", buf);
    const uint64_t damaged =
        levels[0].states[TT_RECORD_DAMAGED] + levels[1].states[TT_RECORD_DAMAGED];
    if (damaged == 0)
        strbuf_add(buf, "Every entry is valid.\n");
    else
        strbuf_add(buf,
                   "%" PRIu64 " entries are damaged: two threads wrote them at the same time.\n",
                   damaged);
}

/* Verifies the table, or a file if there is an argument. */
static void hash_verify(Session *session, char *arguments, StrBuf *buf)
{
    if (*arguments == '\0')
        verify_table(session, buf);
    else
        session->failed |= !hash_files_verify(&session->settings, arguments);
}

static void hash_save(Session *session, char *arguments, StrBuf *buf)
{
    (void)buf;
    session->failed |= !hash_files_save(&session->settings, arguments);
}

static void hash_load(Session *session, char *arguments, StrBuf *buf)
{
    (void)buf;
    session->failed |= !hash_files_load(&session->settings, arguments);
}

static const struct {
    const char *name;
    void (*run)(Session *session, char *arguments, StrBuf *buf);
    bool has_arguments;
    SearchEffect effect;
} SUBCOMMANDS[] = {
    {"stats", hash_stats, false, SEARCH_ENDS},    {"probe", hash_probe, true, SEARCH_ENDS},
    {"line", hash_line, false, SEARCH_ENDS},      {"top", hash_top, true, SEARCH_ENDS},
    {"live", hash_live, false, SEARCH_CONTINUES}, {"verify", hash_verify, true, SEARCH_ENDS},
    {"save", hash_save, true, SEARCH_ENDS},       {"load", hash_load, true, SEARCH_ENDS},
};

void run_hash(Session *session, char *arguments)
{
    char *cursor = arguments;
    const char *const name = text_word(&cursor);
    char *const operands = text_unquote(cursor);
    for (size_t i = 0; name != NULL && i < sizeof SUBCOMMANDS / sizeof SUBCOMMANDS[0]; i++) {
        if (strcmp(name, SUBCOMMANDS[i].name) != 0)
            continue;
        StrBuf buf = {0};
        char title[32];
        snprintf(title, sizeof title, "hash %s", name);
        session_await(session, SUBCOMMANDS[i].effect);
        session_begin_task(session);
        if (SUBCOMMANDS[i].has_arguments || session_takes_none(session, title, operands))
            SUBCOMMANDS[i].run(session, operands, &buf);
        output_block(&session->out, &buf);
        return;
    }
    session_fail(session, "hash%s%.*s: use stats, probe, line, top, live, verify, save or load",
                 name != NULL ? " " : "", name != NULL ? text_cut(name, 40) : 0,
                 name != NULL ? name : "");
}
