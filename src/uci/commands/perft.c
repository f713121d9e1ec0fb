// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/perft.h"

#include <inttypes.h>

#include "base/text.h"
#include "chess/notation.h"
#include "chess/perft.h"
#include "uci/commands/run.h"

/* Context of the callbacks. */
typedef struct {
    Session *session;
    bool chess960;
} PerftRun;

static void report_move(void *ctx, Move move, uint64_t leaves)
{
    const PerftRun *const run = ctx;
    char text[MOVE_TEXT_MAX];
    move_to_uci(move, run->chess960, text);
    output_line(&run->session->out, "%s: %" PRIu64, text, leaves);
}

static bool is_stopped(void *ctx)
{
    const PerftRun *const run = ctx;
    return session_ends_old_task(run->session);
}

void perft_print(Session *session, const Position *pos, int depth)
{
    PerftRun run = {session, settings_chess960(&session->settings, pos)};
    const PerftWatch watch = {report_move, is_stopped, &run};
    uint64_t leaves;
    if (!perft_divide(pos, depth, &watch, &leaves)) {
        output_line(&session->out, "info string perft was stopped");
        return;
    }
    output_line(&session->out, "%s", "");
    output_line(&session->out, "Nodes searched: %" PRIu64, leaves);
}

void run_perft(Session *session, char *arguments)
{
    char *fen = arguments;
    int64_t depth;
    const char *const number = text_word(&fen);
    if (number == NULL || !text_parse_int(number, 1, MAX_DEPTH, &depth)) {
        session_fail(session, "perft: needs a depth of 1 to %d", MAX_DEPTH);
        return;
    }
    Position pos = session->setup.pos;
    fen = text_trim(fen);
    if (*fen != '\0' && !session_read_fen(session, "perft", fen, &pos))
        return;
    perft_print(session, &pos, (int)depth);
}
