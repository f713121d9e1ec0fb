// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/hash_entries.h"

#include "chess/movegen.h"
#include "chess/play.h"
#include "search/table_key.h"

int hash_entries_peek(Session *session, const Position *pos, TtData out[2])
{
    const SearchPoint at = {.ply = 0, .rule50 = pos->rule50};
    return tt_peek(engine_table(session->engine), table_key(pos), at, out);
}

/* The first entry with a legal move, or NULL. */
static const TtData *entry_with_legal_move(const TtData *entries, int count, const Position *pos)
{
    for (int i = 0; i < count; i++)
        if (entries[i].move != MOVE_NONE && gen_is_legal(pos, entries[i].move))
            return &entries[i];
    return NULL;
}

/* The reason why a line ends at `pos`, the last position of `path`; NULL when it does not. */
static const char *end_of_line(const Position *pos, const Path *path)
{
    if (!gen_any(pos))
        return pos_in_check(pos) ? "mate" : "stalemate";
    if (path_occurrences(path, pos) > 0)
        return "repetition";
    return game_fifty_moves(pos) ? "fifty-move rule" : NULL;
}

int hash_entries_follow(Session *session, TtData *line, int max, const char **end)
{
    Position pos = session->setup.pos;
    Path path = session->setup.path;
    int length = 0;
    *end = gen_any(&pos) ? NULL : end_of_line(&pos, &path);
    while (*end == NULL && length < max) {
        TtData entries[2];
        const int count = hash_entries_peek(session, &pos, entries);
        const TtData *const entry = entry_with_legal_move(entries, count, &pos);
        if (entry == NULL) {
            *end = count == 0 ? "the table has no entry" : "the entry has no move";
            break;
        }
        line[length++] = *entry;
        pos_advance(&pos, entry->move);
        path_extend(&path, &pos);
        *end = end_of_line(&pos, &path);
    }
    if (*end == NULL)
        *end = "too long";
    return length;
}
