// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/score.h"

Score score_to_table(Score s, int ply)
{
    if (score_is_win(s))
        return s + ply;
    if (score_is_loss(s))
        return s - ply;
    return s;
}

/* `s` is a win, counted from its node. It remains a win only if its plies fit into the fifty-move
 * counter. A tablebase win of the node itself has distance 0 and always fits: it was probed at
 * counter 0. A tablebase win further down the tree counts the plies that lead to it. */
static Score win_from_table(Score s, int ply, int rule50)
{
    const int distance = s >= SCORE_MATE_MIN ? SCORE_MATE - s : SCORE_TB - s;
    const bool too_late = distance > 100 - rule50;
    const bool past_last_ply = ply + distance > MAX_PLY; // outside the range of such scores
    return too_late || past_last_ply ? SCORE_EVAL_MAX : s - ply;
}

Score score_from_table(Score s, int ply, int rule50)
{
    if (s == SCORE_NONE)
        return s;
    if (score_is_win(s))
        return win_from_table(s, ply, rule50);
    if (score_is_loss(s))
        return -win_from_table(-s, ply, rule50);
    return s;
}
