// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/hash.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/play.h"
#include "tt/replacement.h"
#include "uci/commands/hashcommands.h"
#include "uci/commands/json.h"
#include "uci/commands/live.h"
#include "uci/commands/run.h"
#include "uci/commands/table.h"

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

static void describe_entry(const TtData *data, const Position *pos, bool chess960, Block *block)
{
    char move[MOVE_TEXT_MAX], bounded[BOUNDED_MAX], eval[REPORT_SCORE_MAX] = "-";
    move_to_uci(data->move, chess960, move);
    write_bounded(data, pos_material(pos), bounded);
    if (data->eval != SCORE_NONE)
        report_score(data->eval, pos_material(pos), eval);
    const bool is_foreign = data->move != MOVE_NONE && !gen_is_legal(pos, data->move);
    block_add(block, "Table: depth %d, %s, move %s%s, eval %s, about %" PRIu64 " nodes%s\n",
              data->depth, bounded, data->move != MOVE_NONE ? move : "-",
              is_foreign ? " (illegal: entry of another position)" : "", eval, data->nodes,
              data->was_pv ? ", on a principal variation" : "");
}

void hash_describe(Session *session, const Position *pos, Block *block)
{
    TtData entries[2];
    const int count = table_peek(session, pos, entries);
    for (int i = 0; i < count; i++)
        describe_entry(&entries[i], pos, session->settings.chess960, block);
    if (count == 0)
        block_add(block, "Table: no entry\n");
}

static void hash_probe(Session *session, char *arguments, Block *block)
{
    Position pos = session->setup.pos;
    if (*arguments != '\0' && !session_read_fen(session, "hash probe", arguments, &pos))
        return;
    block_add(block, "Key: %016" PRIX64 "\n", pos.key);
    hash_describe(session, &pos, block);
}

/* Appends a line: name, part, percentage of the whole. */
static void add_part(Block *block, const char *name, uint64_t part, const char *of, uint64_t whole)
{
    block_add(block, "%-24s %14" PRIu64, name, part);
    if (whole > 0)
        block_add(block, "  %5.1f%% of %s\n", 100.0 * (double)part / (double)whole, of);
    else
        block_add(block, "\n");
}

static void add_table(Tt *tt, Block *block)
{
    block_add(block, "Size                     %14" PRIu64 " MiB%s\n", (uint64_t)(tt->bytes >> 20),
              tt->huge_pages ? " in huge pages" : "");
    block_add(block, "Entries                  %14" PRIu64 "\n", 2 * tt->slot_count);
    block_add(block, "Replacement              %14s\n", replacement_name(tt->replacement));
    block_add(block, "Full                     %14.1f %%\n", tt_hashfull(tt) / 10.0);
}

static void hash_stats(Session *session, char *arguments, Block *block)
{
    (void)arguments;
    SearchStats search;
    engine_stats(session->engine, &search);
    const TtStats *const s = &search.tt;
    add_table(engine_table(session->engine), block);
    block_add(block, "In the last search:\n");
    add_part(block, "Probes", s->probes, "nodes", search.nodes);
    add_part(block, "Hits", s->hits, "probes", s->probes);
    add_part(block, "  in both entries", s->double_hits, "hits", s->hits);
    add_part(block, "  with two moves", s->two_moves, "hits", s->hits);
    add_part(block, "Cutoffs, upper bound", s->cutoffs[BOUND_UPPER], "hits", s->hits);
    add_part(block, "Cutoffs, lower bound", s->cutoffs[BOUND_LOWER], "hits", s->hits);
    add_part(block, "Cutoffs, exact score", s->cutoffs[BOUND_EXACT], "hits", s->hits);
    add_part(block, "Illegal moves (type 1)", s->type1_errors, "hits", s->hits);
    add_part(block, "Refreshed entries", s->refreshes, "hits", s->hits);
    add_part(block, "Stores", s->stores, "nodes", search.nodes);
    add_part(block, "  into empty entries", s->replaced_empty, "stores", s->stores);
    add_part(block, "  same position", s->replaced_same, "stores", s->stores);
    add_part(block, "  over stale entries", s->replaced_stale, "stores", s->stores);
    add_part(block, "  over other positions", s->replaced_other, "stores", s->stores);
    if (engine_table(session->engine)->replacement == REPLACE_BIG_ALL)
        add_part(block, "Nodes saved", s->nodes_saved, "nodes", search.nodes);
}

static void hash_line(Session *session, char *arguments, Block *block)
{
    (void)arguments;
    TtData line[LINE_MAX];
    const char *end;
    const int length = table_follow(session, line, LINE_MAX, &end);
    Position pos = session->setup.pos;
    Block moves = {0};
    for (int i = 0; i < length; i++) {
        char move[MOVE_TEXT_MAX], bounded[BOUNDED_MAX];
        move_to_uci(line[i].move, session->settings.chess960, move);
        write_bounded(&line[i], pos_material(&pos), bounded);
        block_add(block, "%3d  %-6s depth %3d, %s\n", i + 1, move, line[i].depth, bounded);
        block_add(&moves, " %s", move);
        pos_advance(&pos, line[i].move);
    }
    block_add(block, "Line:%s\nEnd of line: %s\n", moves.text != NULL ? moves.text : " -", end);
    block_free(&moves);
}

/* An entry and the moves that lead to it. */
typedef struct {
    TtRecord record;
    bool is_stale;
    bool has_line;
    int length; // of the line, in plies
    Move line[TOP_LINE_MAX];
} TopEntry;

typedef struct {
    TopEntry entries[TOP_MAX]; // best first
    int count, capacity;
    bool by_depth;
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

/* Finds the entries of positions `depth` plies below `pos` and sets their lines. `line` leads to
 * `pos` and has `length` moves. */
static void set_lines(Top *top, const Position *pos, Move *line, int length, int depth)
{
    const Key low = CHECK_ALL; // an entry may hold only the low 48 bits of its key
    if (depth == 0) {
        for (int i = 0; i < top->count; i++) {
            TopEntry *const e = &top->entries[i];
            if (e->has_line ||
                ((e->record.key ^ pos->key) & (e->record.key_is_whole ? ~0ull : low)))
                continue;
            e->has_line = true;
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
static void show_top_entry(const Session *session, const TopEntry *entry, int rank, Block *block)
{
    const bool chess960 = session->settings.chess960;
    const TtData *const data = &entry->record.data;
    char move[MOVE_TEXT_MAX] = "-", bounded[BOUNDED_MAX];
    if (data->move != MOVE_NONE)
        move_to_uci(data->move, chess960, move);
    write_bounded(data, pos_material(&session->setup.pos), bounded);
    block_add(block, "%3d  %0*" PRIX64 "  %14" PRIu64 " nodes, depth %3d, %s, move %s%s", rank,
              entry->record.key_is_whole ? 16 : 12, entry->record.key, data->nodes, data->depth,
              bounded, move, entry->is_stale ? ", stale" : "");
    if (entry->has_line)
        block_add(block, entry->length > 0 ? ", after" : ", the current position");
    for (int i = 0; i < entry->length; i++) {
        move_to_uci(entry->line[i], chess960, move);
        block_add(block, " %s", move);
    }
    block_add(block, "\n");
}

/* The same as an object. */
static void add_top_object(const Session *session, const TopEntry *entry, int rank, Block *block)
{
    static const char *const NAMES[] = {[BOUND_NONE] = "none",
                                        [BOUND_UPPER] = "upper",
                                        [BOUND_LOWER] = "lower",
                                        [BOUND_EXACT] = "exact"};
    const Position *const root = &session->setup.pos;
    const TtData *const data = &entry->record.data;
    const bool is_whole = entry->record.key_is_whole;
    char text[32];
    block_add(block, "{");
    block_json_int(block, "rank", rank);
    snprintf(text, sizeof text, "%0*" PRIX64, is_whole ? 16 : 12, entry->record.key);
    block_json_text(block, "key", text);
    block_json_int(block, "key_bits", is_whole ? 64 : 48);
    block_json_int(block, "nodes", (int64_t)data->nodes);
    block_json_int(block, "depth", data->depth);
    block_json_text(block, "bound", NAMES[data->bound]);
    json_add_score(block, data->score, pos_material(root));
    move_to_uci(data->move, session->settings.chess960, text);
    block_json_text(block, "uci", data->move != MOVE_NONE ? text : NULL);
    block_json_bool(block, "stale", entry->is_stale);
    if (entry->has_line)
        json_add_line(block, root, entry->line, entry->length);
    else
        block_json_null(block, "line");
    block_add(block, "}\n");
}

/* Appends the entries, as text or as objects. */
static void show_top(const Session *session, const Top *top, bool is_json, Block *block)
{
    for (int i = 0; i < top->count; i++)
        (is_json ? add_top_object : show_top_entry)(session, &top->entries[i], i + 1, block);
    if (is_json) {
        block_add(block, "{\"summary\":{");
        json_add_fen(block, &session->setup.pos, session->settings.chess960);
        block_json_int(block, "entries", top->count);
        block_add(block, "}}\n");
    } else if (top->count == 0) {
        block_add(block, "Table: no entry\n");
    }
}

/* Reads the arguments of `hash top`. */
static bool parse_top(Session *session, char *arguments, Top *top)
{
    int64_t number = TOP_DEFAULT;
    char *cursor = arguments;
    const char *word = text_word(&cursor);
    if (word != NULL && text_parse_int(word, 1, TOP_MAX, &number))
        word = text_word(&cursor);
    top->capacity = (int)number;
    top->by_depth = word != NULL && strcmp(word, "depth") == 0;
    if (word != NULL && (strcmp(word, "depth") == 0 || strcmp(word, "nodes") == 0))
        word = text_word(&cursor);
    if (word != NULL)
        session_fail(session, "hash top: use a number from 1 to %d, then nodes or depth", TOP_MAX);
    return word == NULL;
}

static void hash_top(Session *session, char *arguments, Block *block)
{
    Tt *const tt = engine_table(session->engine);
    Top *const top = calloc(1, sizeof *top);
    if (top == NULL) {
        session_fail(session, "hash top: out of memory");
        return;
    }
    const bool is_json = json_take_switch(arguments);
    bool continues = parse_top(session, arguments, top);
    for (uint64_t i = 0; continues && i < 2 * tt->slot_count; i++) {
        TopEntry entry = {.has_line = false};
        const TtRecordState state = tt_record(tt, i, &entry.record);
        entry.is_stale = state == TT_RECORD_STALE;
        if ((state == TT_RECORD_CURRENT || entry.is_stale) && entry.record.data.bound != BOUND_NONE)
            insert_into_top(top, &entry);
        if (i % STOP_INTERVAL == 0)
            continues = !session_ends_old_task(session);
    }
    Move line[TOP_LINE_MAX];
    for (int depth = 0; continues && depth <= TOP_LINE_MAX; depth++)
        set_lines(top, &session->setup.pos, line, 0, depth);
    if (continues)
        show_top(session, top, is_json, block);
    free(top);
}

/* Contents of one level of the table. */
typedef struct {
    uint64_t states[TT_RECORD_DAMAGED + 1];
    uint64_t bounds[BOUND_EXACT + 1]; // of current and stale entries
} LevelCount;

static void show_level(const LevelCount *level, const char *name, Block *block)
{
    const uint64_t *const states = level->states, *const bounds = level->bounds;
    block_add(block,
              "%s: %" PRIu64 " empty, %" PRIu64 " current, %" PRIu64 " stale, %" PRIu64
              " damaged; %" PRIu64 " exact, %" PRIu64 " lower, %" PRIu64 " upper bounds, %" PRIu64
              " evaluations\n",
              name, states[TT_RECORD_EMPTY], states[TT_RECORD_CURRENT], states[TT_RECORD_STALE],
              states[TT_RECORD_DAMAGED], bounds[BOUND_EXACT], bounds[BOUND_LOWER],
              bounds[BOUND_UPPER], bounds[BOUND_NONE]);
}

static void verify_table(Session *session, Block *block)
{
    Tt *const tt = engine_table(session->engine);
    const bool is_single = replacement_is_single(tt->replacement);
    LevelCount levels[2] = {0};
    bool continues = true;
    for (uint64_t i = 0; continues && i < 2 * tt->slot_count; i++) {
        LevelCount *const level = &levels[!is_single && i % 2 != 0];
        TtRecord record;
        const TtRecordState state = tt_record(tt, i, &record);
        level->states[state]++;
        if (state == TT_RECORD_CURRENT || state == TT_RECORD_STALE)
            level->bounds[record.data.bound]++;
        if (i % STOP_INTERVAL == 0)
            continues = !session_ends_old_task(session);
    }
    if (!continues) {
        block_add(block, "info string hash verify was stopped\n");
        return;
    }
    show_level(&levels[0], is_single ? "Only level" : "First level", block);
    if (!is_single)
        show_level(&levels[1], "Second level", block);
    const uint64_t damaged =
        levels[0].states[TT_RECORD_DAMAGED] + levels[1].states[TT_RECORD_DAMAGED];
    if (damaged == 0)
        block_add(block, "Every entry is valid.\n");
    else
        block_add(block,
                  "%" PRIu64 " entries are damaged: two threads wrote them at the same time.\n",
                  damaged);
}

/* Verifies the table, or a file if there is an argument. */
static void hash_verify(Session *session, char *arguments, Block *block)
{
    if (*arguments == '\0')
        verify_table(session, block);
    else
        session->failed |= !hash_command_verify(&session->settings, arguments);
}

static void hash_save(Session *session, char *arguments, Block *block)
{
    (void)block;
    session->failed |= !hash_command_save(&session->settings, arguments);
}

static void hash_load(Session *session, char *arguments, Block *block)
{
    (void)block;
    session->failed |= !hash_command_load(&session->settings, arguments);
}

static const struct {
    const char *name;
    void (*run)(Session *session, char *arguments, Block *block);
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
    char *const operands = text_trim(cursor);
    for (size_t i = 0; name != NULL && i < sizeof SUBCOMMANDS / sizeof SUBCOMMANDS[0]; i++) {
        if (strcmp(name, SUBCOMMANDS[i].name) != 0)
            continue;
        Block block = {0};
        session_await(session, SUBCOMMANDS[i].effect);
        session_begin_task(session);
        if (*operands != '\0' && !SUBCOMMANDS[i].has_arguments)
            session_fail(session, "hash %s: this takes no arguments", name);
        else
            SUBCOMMANDS[i].run(session, operands, &block);
        output_block(&session->out, &block);
        return;
    }
    session_fail(session, "hash%s%.40s: use stats, probe, line, top, live, verify, save or load",
                 name != NULL ? " " : "", name != NULL ? name : "");
}
