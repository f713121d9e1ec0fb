// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Syzygy tablebases (de Man 2013) through libfathom, of which this is the only user. A link-time
 * seam: syzygy.c where the library is there, syzygy_none.c where it is not. The library keeps its
 * tables for the whole process, so one owner at a time opens them. Its packaged version has no
 * locks: syzygy_open() touches every table once, after which any threads may ask for WDL; all else
 * is for one thread while no other asks. */

#include "chess/position.h"
#include "eval/score.h"
#include "syzygy/files.h"

/* What perfect play comes to for the side to move. With CURSED and BLESSED the fifty-move rule
 * makes a draw of it. */
typedef enum {
    SYZYGY_LOSS = -2,
    SYZYGY_BLESSED_LOSS,
    SYZYGY_DRAW,
    SYZYGY_CURSED_WIN,
    SYZYGY_WIN,
    SYZYGY_UNKNOWN
} SyzygyWdl;

enum { SYZYGY_RANK_WIN = 900 }; // of a win by the fifty-move rule, at least; a loss: its negative
enum { SYZYGY_DEPTH = 1 };      // from which positions of the most men are looked up, unless told

/* What was found. */
typedef struct {
    int men; // of the largest table; 0: no tables are open
    int wdl_files, dtz_files;
} SyzygyTables;

/* Which positions a search looks up, and how it takes the answer. */
typedef struct {
    int men;     // looked up are positions of at most so many men; 0: none
    int depth;   // those of just so many only with as many plies left, those of fewer always
    bool rule50; // a win that the fifty-move rule forestalls is a draw
} SyzygyUse;

/* What the root moves were ranked by. */
typedef enum { SYZYGY_BY_NOTHING, SYZYGY_BY_WDL, SYZYGY_BY_DTZ } SyzygySource;

typedef struct {
    Move move;
    int rank;      // the higher the better, from -1000 to 1000; the fifty-move counter is heeded
    SyzygyWdl wdl; // of the side that plays it, as if the counter stood at 0
    int dtz;       // plies from the root to a zeroing move, negative when losing; 0: drawn, unknown
} SyzygyMove;

/* All that the tables know of a position. */
typedef struct {
    SyzygyWdl wdl;       // as if the counter stood at 0; SYZYGY_UNKNOWN: nothing is known at all
    SyzygySource source; // of the ranks; SYZYGY_BY_NOTHING: there are none and no moves
    bool has_dtz;        // the next and those of the moves are known
    int dtz;             // plies to a zeroing move, negative when losing; may be a ply short
    int count;
    SyzygyMove moves[MAX_MOVES];
} SyzygyView;

/* Whether the library is linked. */
bool syzygy_is_linked(void);

/* Opens the tables in the folders of the list, which FILE_LIST_SEPARATOR parts, in place of those
 * before. True: `*found` tells what there is. False: `*found` is zero, nothing may be asked, and
 * `error` (SYZYGY_ERROR_MAX bytes) says what is wrong; a single faulty file suffices. */
bool syzygy_open(const char *folders, SyzygyTables *found, char *error);

/* What is known of `pos` as if the fifty-move counter stood at 0; SYZYGY_UNKNOWN with castling
 * rights or without a table. Tables are open and have as many men. Any thread. */
SyzygyWdl syzygy_probe(const Position *pos);

/* Asks all there is to know of a position that syzygy_probe() may be asked for. `has_repeated`: a
 * position occurred twice since the last zeroing move. */
void syzygy_look_up(const Position *pos, bool rule50, bool has_repeated, SyzygyView *view);

/* Whether the search may ask for `pos`: after a zeroing move only, since a win that begins later
 * may come too late for the fifty-move rule. */
static inline bool syzygy_may_probe(const SyzygyUse *use, const Position *pos, int depth)
{
    const int men = popcount(pos_occupied(pos));
    return pos->rule50 == 0 && pos->castling == 0 && men <= use->men &&
           (men < use->men || depth >= use->depth);
}

/* What a rank comes to, with the fifty-move counter of the root. Without that rule its sign alone
 * counts. */
static inline SyzygyWdl syzygy_outcome(int rank, bool rule50)
{
    const int size = rank < 0 ? -rank : rank;
    const int wdl = size == 0                            ? SYZYGY_DRAW
                    : size >= SYZYGY_RANK_WIN || !rule50 ? SYZYGY_WIN
                                                         : SYZYGY_CURSED_WIN;
    return (SyzygyWdl)(rank < 0 ? -wdl : wdl);
}

/* The score of an answer `ply` plies from the root. What the fifty-move rule spoils differs from a
 * draw just enough to be told from one. */
static inline Score syzygy_score(SyzygyWdl wdl, bool rule50, int ply)
{
    const int least = rule50 ? SYZYGY_WIN : SYZYGY_CURSED_WIN; // that counts as a win
    return (int)wdl >= least    ? SCORE_TB - ply
           : (int)wdl <= -least ? ply - SCORE_TB
                                : SCORE_DRAW + 2 * (Score)wdl;
}
