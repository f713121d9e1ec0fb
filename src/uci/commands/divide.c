// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/divide.h"

#include <inttypes.h>

#include "chess/notation.h"
#include "chess/perft.h"

static void report_move(void *ctx, Move move, uint64_t leaves)
{
    Session *const session = ctx;
    char text[MOVE_TEXT_MAX];
    move_to_uci(move, session->settings.chess960, text);
    output_line(&session->out, "%s: %" PRIu64, text, leaves);
}

static bool is_stopped(void *ctx)
{
    return session_is_stopped(ctx);
}

void divide_run(Session *session, const Position *pos, int depth)
{
    const PerftWatch watch = {report_move, is_stopped, session};
    uint64_t leaves;
    if (!perft_divide(pos, depth, &watch, &leaves)) {
        output_line(&session->out, "info string perft was stopped");
        return;
    }
    output_line(&session->out, "%s", "");
    output_line(&session->out, "Nodes searched: %" PRIu64, leaves);
}
