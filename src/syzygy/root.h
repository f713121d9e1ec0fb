// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Tablebases at the root of a search. The tables rank the root moves, and only moves of the best
 * rank are searched, or with MultiPV of the best ranks. With DTZ tables (distance to a zeroing
 * move) the engine wins every won position within the fifty-move rule. Without them, WDL tables
 * rank each move only by its result (win, draw or loss). All functions: one thread, while no thread
 * searches. */

#include "chess/game.h"
#include "syzygy/syzygy.h"

/* Looks up `root`, the last position of `path`, and writes all results to `*view`. Returns false,
 * with the reason in `error` (SYZYGY_ERROR_MAX bytes), when the tables do not contain the
 * position. */
bool syzygy_root_look_up(const SyzygyUse *use, const Position *root, const Path *path,
                         SyzygyView *view, char *error);

/* Result of the root move filter. */
typedef struct {
    uint64_t tb_hits; // number of root moves that the tables ranked; 0: the root is not in them
    bool is_known;    // DTZ tables chose the best moves, so the search needs no more probes
    int move_count;   // may be 0 when `tb_hits` > 0, see syzygy_root_filter()
    Move moves[MAX_MOVES]; // the best moves, those of higher rank first
    int ranks[MAX_MOVES];  // as in SyzygyMove
} SyzygyRoot;

/* Writes the best root moves to `*out`: all of the best rank, then all of the next ranks until
 * there are `lines` or more. `allowed` lists the `allowed_count` moves from which the search may
 * choose; NULL: all legal moves. There are no moves when `out->tb_hits` is 0 or when no allowed
 * move is legal. */
void syzygy_root_filter(const SyzygyUse *use, const Position *root, const Path *path,
                        const Move *allowed, int allowed_count, int lines, SyzygyRoot *out);
