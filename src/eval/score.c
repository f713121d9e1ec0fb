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

/* `s` is a win as seen from its node. A table win stored at its node means the next zeroing move
 * keeps the win, so only mates are weighed against the counter; but a table win that came through
 * moves without zeroing is worth its distance, too. */
static Score win_from_table(Score s, int ply, int rule50)
{
    const int distance = s >= SCORE_MATE_MIN ? SCORE_MATE - s : SCORE_TB - s;
    const bool too_late = distance > 100 - rule50;
    const bool past_last_ply = ply + distance > MAX_PLY; // would leave the range of its kind
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
