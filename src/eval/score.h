// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Scores in the internal unit, of which SCORE_PAWN_SHOWN are shown as a pawn: winrate.h tells what
 * it is worth in games. Exchange values (see.h) have another, see prune_see_of_units().
 * Three disjoint ranges, mirrored for losses: evaluations, table wins (SCORE_TB - plies), mates
 * (SCORE_MATE - plies). The last two are proven and no margin, mean or static rule may produce or
 * change them. */

#include <stdbool.h>

enum { MAX_PLY = 246, MAX_DEPTH = MAX_PLY - 1 }; // plies from the root; plies of nominal depth

typedef int Score;
enum {
    SCORE_DRAW = 0,
    SCORE_MATE = 32000,
    SCORE_INF = SCORE_MATE + 1,
    SCORE_NONE = SCORE_MATE + 2,           // no value; fits 16 bits
    SCORE_MATE_MIN = SCORE_MATE - MAX_PLY, // the longest mate
    SCORE_TB = 20000,
    SCORE_TB_MIN = SCORE_TB - MAX_PLY, // the longest table win
    SCORE_EVAL_MAX = SCORE_TB_MIN - 1, // the best that is not proven
    SCORE_PAWN_SHOWN = 100 // what is a pawn, 1.00, to GUIs and in the records they keep of games
};

/* What a stored or reported score says about the true one. */
typedef enum { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT } Bound;

/* The side to move mates, or is mated, `ply` plies from the root. */
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

/* A mate or table result, as opposed to an estimate. SCORE_NONE must not be asked. */
static inline bool score_is_proven(Score s)
{
    return score_is_win(s) || score_is_loss(s);
}

/* The score of a draw, a unit for how the search tells draws apart and one more: what a repetition
 * may have brought about. */
static inline bool score_is_near_draw(Score s)
{
    return SCORE_DRAW - 2 <= s && s <= SCORE_DRAW + 2;
}

/* Brings an estimate into the range of evaluations. */
static inline Score score_clamp_eval(int s)
{
    return s > SCORE_EVAL_MAX ? SCORE_EVAL_MAX : s < -SCORE_EVAL_MAX ? -SCORE_EVAL_MAX : s;
}

/* A score relative to the root as it is stored, relative to its node, and back. The reader's
 * fifty-move counter matters: a mate or table win that needs more plies than are left becomes the
 * best unproven score. */
Score score_to_table(Score s, int ply);
Score score_from_table(Score s, int ply, int rule50);
