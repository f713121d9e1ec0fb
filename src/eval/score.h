// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Scores in internal units. GUIs are shown SCORE_PAWN_SHOWN units as one pawn; winrate.h converts
 * units to winning chances. Exchange values (see.h) have another unit, see prune_see_of_units().
 *
 * There are three disjoint ranges, mirrored for losses: evaluations, table wins (SCORE_TB - plies)
 * and mates (SCORE_MATE - plies). Table wins and mates are proven: margins, averages and static
 * rules must never create or change them. */

#include <stdbool.h>

enum { MAX_PLY = 246, MAX_DEPTH = MAX_PLY - 1 }; // plies from the root; plies of nominal depth

typedef int Score;
enum {
    SCORE_DRAW = 0,
    SCORE_MATE = 32000,
    SCORE_INF = SCORE_MATE + 1,
    SCORE_NONE = SCORE_MATE + 2,           // no value; fits 16 bits
    SCORE_MATE_MIN = SCORE_MATE - MAX_PLY, // longest mate
    SCORE_TB = 20000,
    SCORE_TB_MIN = SCORE_TB - MAX_PLY, // longest table win
    SCORE_EVAL_MAX = SCORE_TB_MIN - 1, // largest unproven score
    SCORE_PAWN_SHOWN = 100             // units of one pawn (1.00) in GUIs and game records
};

/* The relation of the true score to a stored or reported one: at most, at least, or equal. */
typedef enum { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT } Bound;

/* The score if the side to move gives mate, or is mated, `ply` plies from the root. */
static inline Score score_mate_in(int ply)
{
    return SCORE_MATE - ply;
}

static inline Score score_mated_in(int ply)
{
    return ply - SCORE_MATE;
}

static inline bool score_is_mate(Score s)
{
    return s >= SCORE_MATE_MIN || s <= -SCORE_MATE_MIN;
}

static inline bool score_is_win(Score s)
{
    return s >= SCORE_TB_MIN;
}

static inline bool score_is_loss(Score s)
{
    return s <= -SCORE_TB_MIN;
}

/* Returns true for a mate or table result, false for an estimate. `s` is not SCORE_NONE. */
static inline bool score_is_proven(Score s)
{
    return score_is_win(s) || score_is_loss(s);
}

/* Returns true for scores within 2 units of a draw, which a repetition may have caused: the search
 * varies draw scores by one unit, and one more unit is tolerated. */
static inline bool score_is_near_draw(Score s)
{
    return SCORE_DRAW - 2 <= s && s <= SCORE_DRAW + 2;
}

/* Clamps an estimate to the range of evaluations. */
static inline Score score_clamp_eval(int s)
{
    return s > SCORE_EVAL_MAX ? SCORE_EVAL_MAX : s < -SCORE_EVAL_MAX ? -SCORE_EVAL_MAX : s;
}

/* Convert mate and table scores between distance from the root (search) and distance from the node
 * (transposition table). `ply` is the distance of the node from the root. When reading, a mate or
 * table win that needs more plies than the fifty-move counter `rule50` leaves becomes the largest
 * unproven score. */
Score score_to_table(Score s, int ply);
Score score_from_table(Score s, int ply, int rule50);
