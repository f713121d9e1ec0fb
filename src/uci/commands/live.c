// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/live.h"

#include <inttypes.h>

#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/play.h"
#include "tt/replacement.h"
#include "uci/commands/json.h"
#include "uci/commands/table.h"

enum {
    SLOTS = 1 << 14,    // sample of the table
    LINE_LENGTH = 30,   // of the line that the table knows
    SMALLEST_PART = 500 // smaller shares of the tree's nodes are left out
};

/* Appends a list as a member. */
static void add_list(Block *block, const char *name, const uint64_t *values, int count)
{
    block_json_name(block, name);
    for (int i = 0; i < count; i++)
        block_add(block, "%c%" PRIu64, i == 0 ? '[' : ',', values[i]);
    block_add(block, "]");
}

static void add_levels(Session *session, Block *block)
{
    Tt *const tt = engine_table(session->engine);
    const int count = replacement_is_single(tt->replacement) ? 1 : 2;
    TtContents levels[2];
    tt_contents(tt, SLOTS, levels);
    block_json_int(block, "entries", (int64_t)(2 * tt->slot_count));
    block_json_name(block, "levels");
    for (int i = 0; i < count; i++) {
        const TtContents *const level = &levels[i];
        block_add(block, i == 0 ? "[{" : ",{");
        block_json_int(block, "counted", (int64_t)level->counted);
        block_json_int(block, "empty", (int64_t)level->empty);
        block_json_int(block, "exact", (int64_t)level->bounds[BOUND_EXACT]);
        block_json_int(block, "lower", (int64_t)level->bounds[BOUND_LOWER]);
        block_json_int(block, "upper", (int64_t)level->bounds[BOUND_UPPER]);
        block_json_int(block, "evaluations", (int64_t)level->bounds[BOUND_NONE]);
        add_list(block, "ages", level->ages, TT_AGES);
        block_add(block, "}");
    }
    block_add(block, "]");
}

static void add_progress(Session *session, Block *block)
{
    const SearchProgress done = engine_progress(session->engine);
    block_json_bool(block, "searching", engine_is_searching(session->engine));
    block_json_int(block, "nodes", (int64_t)done.nodes);
    block_json_name(block, "written");
    block_add(block, "{");
    block_json_int(block, "empty", (int64_t)done.replaced_empty);
    block_json_int(block, "same", (int64_t)done.replaced_same);
    block_json_int(block, "stale", (int64_t)done.replaced_stale);
    block_json_int(block, "other", (int64_t)done.replaced_other);
    block_add(block, "}");
}

static void add_line(Session *session, Block *block)
{
    TtData entries[LINE_LENGTH];
    Move line[LINE_LENGTH];
    const char *end;
    const int length = table_follow(session, entries, LINE_LENGTH, &end);
    for (int i = 0; i < length; i++)
        line[i] = entries[i].move;
    json_add_line(block, &session->setup.pos, line, length);
    block_json_text(block, "end", end);
}

/* The nodes of the largest entry of the position; 0 without an entry. */
static uint64_t stored_nodes(Session *session, const Position *pos)
{
    TtData entries[2] = {{.nodes = 0}, {.nodes = 0}};
    table_peek(session, pos, entries);
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
static void begin_move(Block *block, const Position *pos, Move move, uint64_t nodes)
{
    char san[MOVE_TEXT_MAX];
    move_to_san(pos, move, san);
    block_add(block, "{");
    block_json_text(block, "move", san);
    block_json_int(block, "nodes", (int64_t)nodes);
}

static void add_branch(Block *block, const Position *root, Move move, const Branch *branch,
                       uint64_t least)
{
    bool is_first = true;
    begin_move(block, root, move, branch->size);
    block_json_name(block, "replies");
    block_add(block, "[");
    for (int i = 0; i < branch->count; i++) {
        if (branch->nodes[i] < least)
            continue;
        block_add(block, is_first ? "" : ",");
        begin_move(block, &branch->pos, branch->moves[i], branch->nodes[i]);
        block_add(block, "}");
        is_first = false;
    }
    block_add(block, "]}");
}

/* The subtrees of the first two plies that the table holds. */
static void add_tree(Session *session, Block *block)
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
    const uint64_t least = total / SMALLEST_PART + 1;
    bool is_first = true;
    block_json_name(block, "tree");
    block_add(block, "[");
    for (int i = 0; i < count; i++) {
        if (sizes[i] < least)
            continue;
        read_branch(session, moves[i], &branch); // may have changed
        block_add(block, is_first ? "" : ",");
        add_branch(block, root, moves[i], &branch, least);
        is_first = false;
    }
    block_add(block, "]");
}

void hash_live(Session *session, char *arguments, Block *block)
{
    (void)arguments;
    block_add(block, "{\"live\":{");
    json_add_fen(block, &session->setup.pos, session->settings.chess960);
    add_progress(session, block);
    add_levels(session, block);
    add_line(session, block);
    add_tree(session, block);
    block_add(block, "}}\n");
}
