// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/tb.h"

#include <string.h>

#include "base/text.h"
#include "chess/notation.h"
#include "uci/commands/json.h"
#include "uci/commands/run.h"
#include "uci/syzygy_check.h"

static const char *wdl_name(SyzygyWdl wdl)
{
    switch (wdl) {
    case SYZYGY_LOSS: return "loss";
    case SYZYGY_BLESSED_LOSS: return "blessed loss";
    case SYZYGY_DRAW: return "draw";
    case SYZYGY_CURSED_WIN: return "cursed win";
    case SYZYGY_WIN: return "win";
    default: return "unknown";
    }
}

/* Whether the outcome with the current fifty-move counter is known. Under the fifty-move rule
 * (`rule50`) ranks by WDL hold for a counter of 0 only, unless they are those of a draw. */
static bool has_outcome(const SyzygyView *view, const Position *pos, bool rule50)
{
    return view->count > 0 && (!rule50 || view->source == SYZYGY_BY_DTZ || pos->rule50 == 0 ||
                               view->moves[0].rank == 0);
}

/* Appends WDL for a fifty-move counter of 0, then DTZ, then the outcome of the best move with the
 * current counter. */
static void add_result(const SyzygyView *view, const Position *pos, bool rule50, StrBuf *buf)
{
    strbuf_add(buf, "WDL: %s", wdl_name(view->wdl));
    if (view->has_dtz)
        strbuf_add(buf, ", DTZ: %d", view->dtz);
    if (has_outcome(view, pos, rule50))
        strbuf_add(buf, ", with %d plies on the clock: %s", pos->rule50,
                   wdl_name(syzygy_outcome(view->moves[0].rank, rule50)));
    strbuf_add(buf, "\n");
}

/* Highest rank first; with equal ranks the fastest win or the slowest loss. */
static bool is_before(const SyzygyMove *a, const SyzygyMove *b)
{
    return a->rank != b->rank ? a->rank > b->rank : a->dtz < b->dtz;
}

static void sort_moves(SyzygyView *view)
{
    for (int i = 1; i < view->count; i++) {
        const SyzygyMove moved = view->moves[i];
        int to = i;
        for (; to > 0 && is_before(&moved, &view->moves[to - 1]); to--)
            view->moves[to] = view->moves[to - 1];
        view->moves[to] = moved;
    }
}

static void add_moves(const Session *session, const SyzygyView *view, const Position *pos,
                      StrBuf *buf)
{
    static const char *const by[] = {
        [SYZYGY_BY_NOTHING] = "No ranks: a table is missing",
        [SYZYGY_BY_WDL] = "Ranked by WDL, because a DTZ table is missing",
        [SYZYGY_BY_DTZ] = "Ranked by DTZ",
    };
    if (view->source == SYZYGY_BY_DTZ && view->count == 0)
        return; // mate or stalemate
    const bool has_ranks = view->source != SYZYGY_BY_NOTHING;
    const bool rule50 = engine_syzygy_use(session->engine).rule50;
    const bool is_late = rule50 && has_outcome(view, pos, rule50) &&
                         syzygy_outcome(view->moves[0].rank, rule50) != view->moves[0].wdl;
    strbuf_add(buf, "%s%s%s\n", by[view->source],
               is_late ? ", which the clock leaves no time for" : "", has_ranks ? ":" : "");
    for (int i = 0; i < view->count; i++) {
        const SyzygyMove *const m = &view->moves[i];
        char text[MOVE_TEXT_MAX], dtz[16] = "-";
        move_to_uci(m->move, session->settings.chess960, text);
        if (view->has_dtz)
            snprintf(dtz, sizeof dtz, "%d", m->dtz);
        strbuf_add(buf, "  %-5s  rank %5d  DTZ %4s  %s\n", text, m->rank, dtz, wdl_name(m->wdl));
    }
}

/* Appends the member "dtz": null if the tables do not know distances. */
static void add_dtz(StrBuf *buf, const SyzygyView *view, int dtz)
{
    if (view->has_dtz)
        strbuf_json_int(buf, "dtz", dtz);
    else
        strbuf_json_null(buf, "dtz");
}

/* The same facts as one object. */
static void add_object(const Session *session, const SyzygyView *view, const Position *pos,
                       StrBuf *buf)
{
    static const char *const by[] = {
        [SYZYGY_BY_NOTHING] = NULL, [SYZYGY_BY_WDL] = "wdl", [SYZYGY_BY_DTZ] = "dtz"};
    const bool chess960 = session->settings.chess960;
    const bool rule50 = engine_syzygy_use(session->engine).rule50;
    const SyzygyMove *const moves = view->moves;
    strbuf_add(buf, "{");
    json_add_fen(buf, pos, chess960);
    strbuf_json_text(buf, "wdl", wdl_name(view->wdl));
    add_dtz(buf, view, view->dtz);
    strbuf_json_text(
        buf, "outcome",
        has_outcome(view, pos, rule50) ? wdl_name(syzygy_outcome(moves[0].rank, rule50)) : NULL);
    strbuf_json_text(buf, "ranked_by", by[view->source]);
    strbuf_json_name(buf, "moves");
    strbuf_add(buf, "[");
    for (int i = 0; i < view->count; i++) {
        strbuf_add(buf, i > 0 ? ",{" : "{");
        json_add_move(buf, pos, moves[i].move, chess960);
        strbuf_json_int(buf, "rank", moves[i].rank);
        add_dtz(buf, view, moves[i].dtz);
        strbuf_json_text(buf, "wdl", wdl_name(moves[i].wdl));
        strbuf_add(buf, "}");
    }
    strbuf_add(buf, "]}\n");
}

void syzygy_describe(Session *session, StrBuf *buf)
{
    const Setup *const setup = &session->setup;
    char error[SYZYGY_ERROR_MAX];
    SyzygyView view;
    if (!engine_syzygy_look_up(session->engine, &setup->pos, &setup->path, &view, error))
        return;
    sort_moves(&view);
    strbuf_add(buf, "Tablebases: ");
    add_result(&view, &setup->pos, engine_syzygy_use(session->engine).rule50, buf);
}

static void look_up(Session *session, char *arguments)
{
    const bool is_json = json_take_switch(arguments);
    const char *const fen = text_trim(arguments);
    Position pos = session->setup.pos;
    Path path = session->setup.path;
    char error[SYZYGY_ERROR_MAX];
    if (*fen != '\0' && !session_read_fen(session, "tb", fen, &pos))
        return;
    if (*fen != '\0')
        path_start(&path, &pos);
    SyzygyView view;
    if (!engine_syzygy_look_up(session->engine, &pos, &path, &view, error)) {
        session_fail(session, "tb: %s", error);
        return;
    }
    StrBuf buf = {0};
    sort_moves(&view);
    if (is_json) {
        add_object(session, &view, &pos, &buf);
    } else {
        add_result(&view, &pos, engine_syzygy_use(session->engine).rule50, &buf);
        add_moves(session, &view, &pos, &buf);
    }
    output_block(&session->out, &buf);
}

static void verify(Session *session, const char *folders)
{
    SyzygyCheckCounts counts;
    char error[SYZYGY_ERROR_MAX];
    if (*folders == '\0') {
        session_fail(session, "tb verify: needs folders or the option SyzygyPath");
        return;
    }
    const SyzygyCheckEnd end =
        syzygy_check(&session->settings, folders, "tb verify", &counts, error);
    session->failed |= counts.bad > 0;
    if (end == SYZYGY_CHECK_IMPOSSIBLE)
        session_fail(session, "tb verify: %s", error);
    else if (end == SYZYGY_CHECK_STOPPED)
        output_line(&session->out, "info string tb verify was stopped");
    else if (counts.intact + counts.bad + counts.unlisted == 0)
        session_fail(session, "tb verify: there are no tables in '%s'", folders);
    else if (counts.intact + counts.bad == 0)
        session_fail(session,
                     "tb verify: there is no MD5SUMS in the folders of the tables or above");
    else
        output_line(&session->out, "Tables: %d intact, %d bad, %d not in MD5SUMS", counts.intact,
                    counts.bad, counts.unlisted);
}

void run_tb(Session *session, char *arguments)
{
    char *const text = text_trim(arguments);
    const size_t length = strcspn(text, " \t");
    if (!syzygy_is_linked()) {
        session_fail(session, "tb: this program was built without libfathom");
    } else if (length == 6 && strncmp(text, "verify", length) == 0) {
        const char *const folders = text_unquote(text + length);
        verify(session, *folders != '\0' ? folders : engine_syzygy_folders(session->engine));
    } else {
        look_up(session, text);
    }
}
