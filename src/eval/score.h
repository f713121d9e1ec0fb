// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Scores in internal units. winrate.h converts them to the centipawns that users see (100: half of
 * all games are won) and to winning chances. Exchange values (see.h) have a unit of their own: a
 * pawn is 100.
 *
 * There are three disjoint ranges, mirrored for losses: evaluations, tablebase wins (SCORE_TB -
 * plies) and mates (SCORE_MATE - plies). Tablebase wins and mates are proven: estimates (margins,
 * averages, static rules) must neither create nor change such a score. */

#include <stdbool.h>

enum { MAX_PLY = 246, MAX_DEPTH = MAX_PLY - 1 }; // largest ply from the root, largest depth

typedef int Score;
enum {
    SCORE_DRAW = 0,
    SCORE_MATE = 32000,
    SCORE_INF = SCORE_MATE + 1,
    SCORE_NONE = SCORE_MATE + 2,           // no value; fits in 16 bits
    SCORE_MATE_MIN = SCORE_MATE - MAX_PLY, // longest mate
    SCORE_TB = 20000,
    SCORE_TB_MIN = SCORE_TB - MAX_PLY, // longest tablebase win
    SCORE_EVAL_MAX = SCORE_TB_MIN - 1  // largest unproven score
};

/* How the true score relates to a stored or reported one: at most, at least, or equal. */
typedef enum { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT } Bound;

/* The score of giving mate, or of being mated, `ply` plies from the root. */
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

/* Moves to the mate, negative when the side to move is mated; 0 for a score that is no mate, and
 * for a side that is mated already. */
static inline int score_mate_moves(Score s)
{
    return !score_is_mate(s) ? 0 : s > 0 ? (SCORE_MATE - s + 1) / 2 : -((SCORE_MATE + s + 1) / 2);
}

static inline bool score_is_win(Score s)
{
    return s >= SCORE_TB_MIN;
}

static inline bool score_is_loss(Score s)
{
    return s <= -SCORE_TB_MIN;
}

/* Returns true for a mate or tablebase result, false for an estimate. `s` must not be
 * SCORE_NONE. */
static inline bool score_is_proven(Score s)
{
    return score_is_win(s) || score_is_loss(s);
}

/* Returns true for scores within 2 units of a draw. Such a score may come from a repetition,
 * because the search varies draw scores by one unit, or from a cursed win (syzygy_score()). */
static inline bool score_is_near_draw(Score s)
{
    return SCORE_DRAW - 2 <= s && s <= SCORE_DRAW + 2;
}

/* Clamps an estimate to the range of evaluations. */
static inline Score score_clamp_eval(int s)
{
    return s > SCORE_EVAL_MAX ? SCORE_EVAL_MAX : s < -SCORE_EVAL_MAX ? -SCORE_EVAL_MAX : s;
}

/* Convert mate and tablebase scores between distance from the root (search) and distance from the
 * node (transposition table). `ply` is the distance of the node from the root. score_to_table()
 * must not get SCORE_NONE. score_from_table() lowers a win to SCORE_EVAL_MAX if the win needs more
 * plies than the fifty-move rule leaves at counter `rule50`, or if it ends beyond MAX_PLY. It
 * treats losses in the same way. */
Score score_to_table(Score s, int ply);
Score score_from_table(Score s, int ply, int rule50);
