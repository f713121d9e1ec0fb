// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Syzygy tablebases (de Man 2013) through libfathom; syzygy.c is the only user of the library. The
 * Makefile links syzygy.c, or syzygy_none.c where libfathom is missing. The library keeps its
 * tables for the whole process, so only one owner may open them at a time. The packaged version of
 * the library has no locks. So syzygy_open() probes every WDL table once; then any thread may call
 * syzygy_probe(). All other functions: one thread, while no other thread probes. */

#include "chess/position.h"
#include "eval/score.h"
#include "syzygy/files.h"

/* Result of perfect play for the side to move. A cursed win and a blessed loss are draws by the
 * fifty-move rule. */
typedef enum {
    SYZYGY_LOSS = -2,
    SYZYGY_BLESSED_LOSS,
    SYZYGY_DRAW,
    SYZYGY_CURSED_WIN,
    SYZYGY_WIN,
    SYZYGY_UNKNOWN
} SyzygyWdl;

/* A rank of 900 or more is a win within the fifty-move rule; -900 or less is a loss within it. */
enum { SYZYGY_RANK_WIN = 900 };
enum { SYZYGY_DEPTH = 1 }; // default of SyzygyUse.depth, in plies

/* The tables that syzygy_open() found. A table in several folders counts once. */
typedef struct {
    int men; // pieces and pawns of the largest table; 0: no tables are open
    int wdl_files, dtz_files;
} SyzygyTables;

/* Which positions a search probes, and how it scores the result. */
typedef struct {
    int men;     // probe positions of at most this number of men; 0: no probes
    int depth;   // least depth for positions of exactly `men` men; with fewer men any depth
    bool rule50; // score cursed wins and blessed losses as draws
} SyzygyUse;

/* Kind of table that ranked the root moves. */
typedef enum { SYZYGY_BY_NOTHING, SYZYGY_BY_WDL, SYZYGY_BY_DTZ } SyzygySource;

typedef struct {
    Move move;
    int rank;      // from -1000 to 1000, higher is better; respects the fifty-move counter if it is
                   // by DTZ
    SyzygyWdl wdl; // for the side that plays the move, with the fifty-move counter at 0
    int dtz; // plies from the root to a zeroing move, negative when losing; 0: draw or unknown
} SyzygyMove;

/* All results of the tables for a position. */
typedef struct {
    SyzygyWdl wdl;       // with the fifty-move counter at 0; SYZYGY_UNKNOWN: not in the tables
    SyzygySource source; // of the ranks; SYZYGY_BY_NOTHING: no ranks, and `count` is 0
    bool has_dtz;        // the `dtz` of position and moves is known
    int dtz;             // plies to a zeroing move, negative when losing; may be 1 ply too small
    int count;           // of the moves
    SyzygyMove moves[MAX_MOVES];
} SyzygyView;

/* Returns true when the library is linked. */
bool syzygy_is_linked(void);

/* Opens the tables in `folders`, a list separated by FILE_LIST_SEPARATOR, and closes those opened
 * before. Returns true with the tables in `*found`. Returns false, with the reason in `error`
 * (SYZYGY_ERROR_MAX bytes) and `*found` zero, if any file is faulty or there is no table; then no
 * function may probe. */
bool syzygy_open(const char *folders, SyzygyTables *found, char *error);

/* Probes the WDL table of `pos`, with the fifty-move counter at 0. Returns SYZYGY_UNKNOWN with
 * castling rights or when the table is missing. `pos` must be legal and have at most the men of the
 * largest open table. Any thread. */
SyzygyWdl syzygy_probe(const Position *pos);

/* Probes a position and all its moves, under the conditions of syzygy_probe(), and writes the
 * results to `*view`. `rule50`: as in SyzygyUse. `has_repeated`: a position occurred twice since
 * the last zeroing move. */
void syzygy_look_up(const Position *pos, bool rule50, bool has_repeated, SyzygyView *view);

/* Returns true when the search may probe `pos` at `depth`. Only with the fifty-move counter at 0,
 * as the tables assume: with a higher counter, the win may be too slow for the fifty-move rule. */
static inline bool syzygy_may_probe(const SyzygyUse *use, const Position *pos, int depth)
{
    const int men = popcount(pos_occupied(pos));
    return pos->rule50 == 0 && pos->castling == 0 && men <= use->men &&
           (men < use->men || depth >= use->depth);
}

/* Converts the rank of a move to its result, given the fifty-move counter of the root. Without the
 * fifty-move rule only the sign of the rank counts. */
static inline SyzygyWdl syzygy_outcome(int rank, bool rule50)
{
    const int size = rank < 0 ? -rank : rank;
    const int wdl = size == 0                            ? SYZYGY_DRAW
                    : size >= SYZYGY_RANK_WIN || !rule50 ? SYZYGY_WIN
                                                         : SYZYGY_CURSED_WIN;
    return (SyzygyWdl)(rank < 0 ? -wdl : wdl);
}

/* Returns the score of a result `ply` plies from the root. Under the fifty-move rule, cursed wins
 * and blessed losses differ from a draw by 2 units, so that the search prefers the better of
 * them. */
static inline Score syzygy_score(SyzygyWdl wdl, bool rule50, int ply)
{
    const int least = rule50 ? SYZYGY_WIN : SYZYGY_CURSED_WIN; // result that counts as a win
    return (int)wdl >= least    ? SCORE_TB - ply
           : (int)wdl <= -least ? ply - SCORE_TB
                                : SCORE_DRAW + 2 * (Score)wdl;
}
