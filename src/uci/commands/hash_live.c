// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/hash_live.h"

#include <inttypes.h>

#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/play.h"
#include "uci/commands/hash_entries.h"
#include "uci/commands/json.h"

enum {
    SLOTS = 1 << 14,    // sample of the table
    LINE_LENGTH = 30,   // of the line that the table knows
    LEAST_DIVISOR = 500 // moves with less than 1/500 of the tree's nodes are left out
};

/* Appends a list as a member. */
static void add_list(StrBuf *buf, const char *name, const uint64_t *values, int count)
{
    strbuf_json_name(buf, name);
    for (int i = 0; i < count; i++)
        strbuf_add(buf, "%c%" PRIu64, i == 0 ? '[' : ',', values[i]);
    strbuf_add(buf, "]");
}

static void add_levels(Session *session, StrBuf *buf)
{
    Tt *const tt = engine_table(session->engine);
    const int count = replacement_is_single(tt->replacement) ? 1 : 2;
    TtContents levels[2];
    tt_contents(tt, SLOTS, levels);
    strbuf_json_int(buf, "entries", (int64_t)(2 * tt->slot_count));
    strbuf_json_name(buf, "levels");
    for (int i = 0; i < count; i++) {
        const TtContents *const level = &levels[i];
        strbuf_add(buf, i == 0 ? "[{" : ",{");
        strbuf_json_int(buf, "counted", (int64_t)level->counted);
        strbuf_json_int(buf, "empty", (int64_t)level->empty);
        strbuf_json_int(buf, "exact", (int64_t)level->bounds[BOUND_EXACT]);
        strbuf_json_int(buf, "lower", (int64_t)level->bounds[BOUND_LOWER]);
        strbuf_json_int(buf, "upper", (int64_t)level->bounds[BOUND_UPPER]);
        strbuf_json_int(buf, "evaluations", (int64_t)level->bounds[BOUND_NONE]);
        add_list(buf, "ages", level->ages, TT_AGES);
        strbuf_add(buf, "}");
    }
    strbuf_add(buf, "]");
}

static void add_progress(Session *session, StrBuf *buf)
{
    const SearchProgress done = engine_progress(session->engine);
    strbuf_json_bool(buf, "searching", engine_is_searching(session->engine));
    strbuf_json_int(buf, "nodes", (int64_t)done.nodes);
    strbuf_json_name(buf, "written");
    strbuf_add(buf, "{");
    strbuf_json_int(buf, "empty", (int64_t)done.replaced_empty);
    strbuf_json_int(buf, "same", (int64_t)done.replaced_same);
    strbuf_json_int(buf, "stale", (int64_t)done.replaced_stale);
    strbuf_json_int(buf, "other", (int64_t)done.replaced_other);
    strbuf_add(buf, "}");
}

static void add_line(Session *session, StrBuf *buf)
{
    TtData entries[LINE_LENGTH];
    Move line[LINE_LENGTH];
    const char *end;
    const int length = hash_entries_follow(session, entries, LINE_LENGTH, &end);
    for (int i = 0; i < length; i++)
        line[i] = entries[i].move;
    json_add_line(buf, &session->setup.pos, line, length);
    strbuf_json_text(buf, "end", end);
}

/* The nodes of the largest entry of the position; 0 without an entry. */
static uint64_t stored_nodes(Session *session, const Position *pos)
{
    TtData entries[2] = {{.nodes = 0}, {.nodes = 0}};
    hash_entries_peek(session, pos, entries);
    return entries[0].nodes > entries[1].nodes ? entries[0].nodes : entries[1].nodes;
}

/* The replies to one move, and their nodes. */
typedef struct {
    Position pos; // after the move
    Move moves[MAX_MOVES];
    uint64_t nodes[MAX_MOVES];
    uint64_t sum;
    uint64_t size; // the nodes of the move's own entry, or of its replies if these are more
    int count;
} Branch;

static void read_branch(Session *session, Move move, Branch *branch)
{
    pos_play(&branch->pos, &session->setup.pos, move);
    branch->count = gen_legal(&branch->pos, branch->moves);
    branch->sum = 0;
    for (int i = 0; i < branch->count; i++) {
        Position after;
        pos_play(&after, &branch->pos, branch->moves[i]);
        branch->nodes[i] = stored_nodes(session, &after);
        branch->sum += branch->nodes[i];
    }
    const uint64_t own = stored_nodes(session, &branch->pos);
    branch->size = own > branch->sum ? own : branch->sum;
}

/* Begins the object of a move; the caller ends it. */
static void begin_move(StrBuf *buf, const Position *pos, Move move, uint64_t nodes)
{
    char san[MOVE_TEXT_MAX];
    move_to_san(pos, move, san);
    strbuf_add(buf, "{");
    strbuf_json_text(buf, "move", san);
    strbuf_json_int(buf, "nodes", (int64_t)nodes);
}

static void add_branch(StrBuf *buf, const Position *root, Move move, const Branch *branch,
                       uint64_t least)
{
    bool is_first = true;
    begin_move(buf, root, move, branch->size);
    strbuf_json_name(buf, "replies");
    strbuf_add(buf, "[");
    for (int i = 0; i < branch->count; i++) {
        if (branch->nodes[i] < least)
            continue;
        strbuf_add(buf, is_first ? "" : ",");
        begin_move(buf, &branch->pos, branch->moves[i], branch->nodes[i]);
        strbuf_add(buf, "}");
        is_first = false;
    }
    strbuf_add(buf, "]}");
}

/* The subtrees of the first two plies that the table holds. */
static void add_tree(Session *session, StrBuf *buf)
{
    const Position *const root = &session->setup.pos;
    Move moves[MAX_MOVES];
    uint64_t sizes[MAX_MOVES], total = 0;
    const int count = gen_legal(root, moves);
    Branch branch;
    for (int i = 0; i < count; i++) {
        read_branch(session, moves[i], &branch);
        sizes[i] = branch.size;
        total += branch.size;
    }
    const uint64_t least = total / LEAST_DIVISOR + 1;
    bool is_first = true;
    strbuf_json_name(buf, "tree");
    strbuf_add(buf, "[");
    for (int i = 0; i < count; i++) {
        if (sizes[i] < least)
            continue;
        read_branch(session, moves[i], &branch); // may have changed
        strbuf_add(buf, is_first ? "" : ",");
        add_branch(buf, root, moves[i], &branch, least);
        is_first = false;
    }
    strbuf_add(buf, "]");
}

void hash_live(Session *session, char *arguments, StrBuf *buf)
{
    (void)arguments;
    strbuf_add(buf, "{\"live\":{");
    json_add_fen(buf, &session->setup.pos, session->settings.chess960);
    add_progress(session, buf);
    add_levels(session, buf);
    add_line(session, buf);
    add_tree(session, buf);
    strbuf_add(buf, "}}\n");
}
