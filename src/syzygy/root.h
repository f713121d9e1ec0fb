// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Tablebases at the root of a search. The tables rank the root moves, and only moves of the best
 * rank are searched. With DTZ tables (distance to a zeroing move) every won position is won within
 * the fifty-move rule; with WDL tables alone (win, draw, loss) the rank is that result.
 * All functions: one thread, while no thread searches. */

#include "chess/game.h"
#include "syzygy/syzygy.h"

/* Looks up `root`, the last position of `path`. Returns false, with the reason in `error`
 * (SYZYGY_ERROR_MAX bytes), when the tables do not contain the position. */
bool syzygy_root_look_up(const SyzygyUse *use, const Position *root, const Path *path,
                         SyzygyView *view, char *error);

/* The root move filter. */
typedef struct {
    uint64_t tb_hits; // root moves the tables ranked; 0: the tables do not know the root
    bool is_known;    // the best moves were chosen by DTZ, so the search needs no more probes
    SyzygyWdl wdl;    // result of the best move with the fifty-move counter; only if `is_known`
    int move_count;   // of the best moves; may be 0 when `tb_hits` > 0, see syzygy_root_filter()
    Move moves[MAX_MOVES];
} SyzygyRoot;

/* Writes to `*out` the best root moves by rank. `allowed` lists the `allowed_count` moves the
 * search may choose from; NULL: all legal moves. `out->moves` is empty when `out->tb_hits` is 0, or
 * when no allowed move is legal. */
void syzygy_root_filter(const SyzygyUse *use, const Position *root, const Path *path,
                        const Move *allowed, int allowed_count, SyzygyRoot *out);
