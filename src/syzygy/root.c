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
        snprintf(error, SYZYGY_ERROR_MAX, "no tables are in use");
    else if (men > use->men)
        snprintf(error, SYZYGY_ERROR_MAX, "there are %d men, and tables for at most %d", men,
                 use->men);
    else if (root->castling != 0)
        snprintf(error, SYZYGY_ERROR_MAX, "tables know no castling");
    else
        syzygy_look_up(root, use->rule50, path_has_repeated(path, root), view);
    if (view->wdl == SYZYGY_UNKNOWN && use->men >= men && root->castling == 0)
        snprintf(error, SYZYGY_ERROR_MAX, "a table is missing");
    return view->wdl != SYZYGY_UNKNOWN;
}

/* Leaves of the allowed moves those of the best rank, which is returned. */
static int keep_best(Limits *limits, const SyzygyView *view)
{
    Limits kept = *limits;
    int best = INT_MIN;
    kept.has_search_moves = true;
    kept.search_move_count = 0;
    for (int i = 0; i < view->count; i++) {
        const SyzygyMove *const m = &view->moves[i];
        if (!limits_allow(limits, m->move) || m->rank < best)
            continue;
        if (m->rank > best)
            kept.search_move_count = 0;
        best = m->rank;
        kept.search_moves[kept.search_move_count++] = m->move;
    }
    *limits = kept;
    return best;
}

void syzygy_root_prepare(SearchShared *shared, SearchJob *job)
{
    shared->root_is_known = false;
    shared->root_tb_hits = 0;
    if (shared->syzygy.men == 0)
        return;
    char error[SYZYGY_ERROR_MAX];
    SyzygyView view;
    if (!syzygy_root_look_up(&shared->syzygy, &job->root, &job->path, &view, error) ||
        view.count == 0)
        return;
    shared->root_tb_hits = (uint64_t)view.count;
    const int rank = keep_best(&job->limits, &view);
    if (view.source != SYZYGY_BY_DTZ || job->limits.search_move_count == 0)
        return;
    shared->root_is_known = true;
    shared->root_wdl = syzygy_outcome(rank, shared->syzygy.rule50);
    shared->syzygy.men = 0;
}
