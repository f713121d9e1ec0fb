// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/divide.h"

#include <inttypes.h>

#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/perft.h"
#include "chess/play.h"

enum { UNINTERRUPTED_DEPTH = 4 }; // counted in a few milliseconds

/* As perft(), but gives up, with any result, when the order is told to stop. */
static uint64_t count_leaves(Session *session, const Position *pos, int depth)
{
    if (depth <= UNINTERRUPTED_DEPTH)
        return perft(pos, depth);
    Move moves[MAX_MOVES];
    uint64_t sum = 0;
    const int count = gen_legal(pos, moves);
    for (int i = 0; i < count && !session_is_stopped(session); i++) {
        Position after;
        pos_play(&after, pos, moves[i]);
        sum += count_leaves(session, &after, depth - 1);
    }
    return sum;
}

void divide_run(Session *session, const Position *pos, int depth)
{
    Move moves[MAX_MOVES];
    const int count = gen_legal(pos, moves);
    uint64_t sum = 0;
    for (int i = 0; i < count; i++) {
        Position after;
        pos_play(&after, pos, moves[i]);
        const uint64_t leaves = count_leaves(session, &after, depth - 1);
        if (session_is_stopped(session)) {
            output_line(&session->out, "info string perft was stopped");
            return;
        }
        char text[MOVE_TEXT_MAX];
        move_to_uci(moves[i], session->settings.chess960, text);
        output_line(&session->out, "%s: %" PRIu64, text, leaves);
        sum += leaves;
    }
    output_line(&session->out, "%s", "");
    output_line(&session->out, "Nodes searched: %" PRIu64, sum);
}
