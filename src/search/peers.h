// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Other processes that search the same root, on other machines of a cluster (src/cluster/). The
 * search reaches them only through this table of functions; SearchShared has a pointer to it. The
 * ordinary engine has no peers. */

#include "search/job.h"
#include "tt/tt.h"

/* The result of one process at the root. */
typedef struct {
    RootMove line;           // of its elected worker; line.pv_length 0: it has no line
    int depth;               // of that worker's last completed iteration; 0: none
    uint64_t nodes, tb_hits; // of all its workers
} PeerResult;

/* What a process clears. */
typedef enum {
    CLEAR_TABLE, // the entries of the table
    CLEAR_GAME   // what else depends on the last game, such as the histories
} PeersClear;

typedef struct SearchPeers {
    int min_depth;            // only results of at least this depth are offered, in plies
    _Atomic uint64_t nodes;   // of the other processes in this search, as last received
    _Atomic uint64_t tb_hits; // the same

    /* Called before the workers start. The table is ready for tt_insert() from now on. */
    void (*start)(struct SearchPeers *peers, const SearchJob *job);

    /* Called by worker `index` for each result that it stores at min_depth or deeper. Must be fast.
     * The workers call it at the same time. */
    void (*offer)(struct SearchPeers *peers, int index, const TtRecord *record);

    /* Called after all workers of this process have ended their search. Ends the search of the
     * other processes, sets `*results` to their results, and returns the number of results. The
     * results stay valid until the next start. After the call they must not use the table
     * of this process. */
    int (*end)(struct SearchPeers *peers, const PeerResult **results);

    /* Called between searches, when this process clears something: the others must do the same
     * before their next search. NULL: nothing to do. */
    void (*clear)(struct SearchPeers *peers, PeersClear what);
} SearchPeers;

/* Offers a result that worker `index` stored at `ply` to the other processes; `peers` may be NULL.
 */
static inline void peers_offer(SearchPeers *peers, int index, Key key, int ply, const TtData *data)
{
    if (__builtin_expect(peers == NULL, true) || data->depth < peers->min_depth)
        return;
    TtRecord record = {.data = *data, .key = key, .key_is_whole = true};
    record.data.score = score_to_table(data->score, ply);
    peers->offer(peers, index, &record);
}

/* Tells the other processes what to clear; `peers` may be NULL. */
static inline void peers_clear(SearchPeers *peers, PeersClear what)
{
    if (peers != NULL && peers->clear != NULL)
        peers->clear(peers, what);
}

static inline uint64_t peers_nodes(const SearchPeers *peers)
{
    return peers != NULL ? atomic_load_explicit(&peers->nodes, memory_order_relaxed) : 0;
}

static inline uint64_t peers_tb_hits(const SearchPeers *peers)
{
    return peers != NULL ? atomic_load_explicit(&peers->tb_hits, memory_order_relaxed) : 0;
}
