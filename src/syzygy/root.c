// SPDX-License-Identifier: GPL-3.0-or-later
#include "syzygy/root.h"

#include <limits.h>
#include <stdio.h>

bool syzygy_root_look_up(const SyzygyUse *use, const Position *root, const Path *path,
                         SyzygyView *view, char *error)
{
    const int men = popcount(pos_occupied(root));
    *view = (SyzygyView){.wdl = SYZYGY_UNKNOWN};
    if (use->men == 0)
        snprintf(error, SYZYGY_ERROR_MAX,
                 "no tables are in use (options SyzygyPath and SyzygyProbeLimit)");
    else if (men > use->men)
        snprintf(error, SYZYGY_ERROR_MAX, "the position has %d men, the tables at most %d", men,
                 use->men);
    else if (root->castling != 0)
        snprintf(error, SYZYGY_ERROR_MAX, "tables exclude castling rights");
    else {
        syzygy_look_up(root, use->rule50, path_has_repeated(path, root), view);
        if (view->wdl == SYZYGY_UNKNOWN)
            snprintf(error, SYZYGY_ERROR_MAX, "a table is missing");
    }
    return view->wdl != SYZYGY_UNKNOWN;
}

/* Adds the moves of the highest rank below `limit` to `*out`, and returns that rank; INT_MIN: there
 * is none. */
static int add_best_below(int limit, const SyzygyView *view, const Move *allowed, int allowed_count,
                          SyzygyRoot *out)
{
    const int first = out->move_count;
    int best = INT_MIN;
    for (int i = 0; i < view->count; i++) {
        const SyzygyMove *const m = &view->moves[i];
        const bool is_allowed = allowed == NULL || moves_contain(allowed, allowed_count, m->move);
        if (m->rank >= limit || m->rank < best || !is_allowed)
            continue;
        if (m->rank > best)
            out->move_count = first;
        best = m->rank;
        out->ranks[out->move_count] = best;
        out->moves[out->move_count++] = m->move;
    }
    return best;
}

void syzygy_root_filter(const SyzygyUse *use, const Position *root, const Path *path,
                        const Move *allowed, int allowed_count, int lines, SyzygyRoot *out)
{
    char error[SYZYGY_ERROR_MAX];
    SyzygyView view;
    out->tb_hits = 0;
    out->is_known = false;
    out->move_count = 0;
    if (!syzygy_root_look_up(use, root, path, &view, error))
        return;
    out->tb_hits = (uint64_t)view.count;
    int rank = INT_MAX;
    do
        rank = add_best_below(rank, &view, allowed, allowed_count, out);
    while (rank != INT_MIN && out->move_count < lines);
    out->is_known = view.source == SYZYGY_BY_DTZ && out->move_count > 0;
}
