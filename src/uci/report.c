// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/report.h"

#include <inttypes.h>

#include "chess/notation.h"
#include "eval/winrate.h"

int report_centipawns(Score score, int material)
{
    if (score_is_proven(score))
        return score; // as GUIs expect: 20000 - plies for a win
    /* In centipawns, too, an estimate must stay below the tablebase wins. */
    return score_is_near_draw(score) ? 0 : score_clamp_eval(winrate_centipawns(score, material));
}

void report_score(Score score, int material, char *out)
{
    if (score_is_mate(score))
        snprintf(out, REPORT_SCORE_MAX, "mate %d", score_mate_moves(score));
    else
        snprintf(out, REPORT_SCORE_MAX, "cp %d", report_centipawns(score, material));
}

/* The bound must follow the score directly: python-chess requires it. */
static const char *bound_text(Bound bound)
{
    return bound == BOUND_LOWER ? " lowerbound" : bound == BOUND_UPPER ? " upperbound" : "";
}

enum { FIGURES_MAX = 160 };

static void format_figures(const Report *report, char out[FIGURES_MAX])
{
    const uint64_t ms = report->elapsed_ms > 0 ? (uint64_t)report->elapsed_ms : 1;
    snprintf(out, FIGURES_MAX,
             "nodes %" PRIu64 " nps %" PRIu64 " hashfull %d tbhits %" PRIu64 " time %" PRId64,
             report->nodes, report->nodes * 1000 / ms, report->hashfull, report->tb_hits,
             report->elapsed_ms);
}

static void format_line(const Report *report, ReportStyle style, char *out)
{
    char score[REPORT_SCORE_MAX], wdl[REPORT_SCORE_MAX] = "", figures[FIGURES_MAX];
    report_score(report->score, style.material, score);
    if (report->pv_length == 0) { // no move: the line that Stockfish prints, as GUIs expect
        snprintf(out, REPORT_TEXT_MAX, "info depth 0 score %s", score);
        return;
    }
    format_figures(report, figures);
    if (style.shows_wdl) {
        const WinShares of = report->is_tablebase
                                 ? winrate_certain_shares(report->score, style.material)
                                 : winrate_shares(report->score, style.material);
        snprintf(wdl, sizeof wdl, " wdl %d %d %d", of.wins, of.draws, of.losses);
    }
    size_t length = (size_t)snprintf(out, REPORT_TEXT_MAX,
                                     "info depth %d seldepth %d multipv %d score %s%s%s %s pv",
                                     report->depth, report->seldepth, report->multipv, score,
                                     bound_text(report->bound), wdl, figures);
    for (int i = 0; i < report->pv_length && length + MOVE_TEXT_MAX < REPORT_TEXT_MAX; i++) {
        char move[MOVE_TEXT_MAX];
        move_to_uci(report->pv[i], style.chess960, move);
        length += (size_t)snprintf(out + length, REPORT_TEXT_MAX - length, " %s", move);
    }
}

static void format_done(const Report *report, bool chess960, char *out)
{
    char best[MOVE_TEXT_MAX], ponder[MOVE_TEXT_MAX];
    if (report->best == MOVE_NONE) {
        snprintf(out, REPORT_TEXT_MAX, "bestmove (none)");
        return;
    }
    move_to_uci(report->best, chess960, best);
    move_to_uci(report->ponder, chess960, ponder);
    if (report->ponder == MOVE_NONE)
        snprintf(out, REPORT_TEXT_MAX, "bestmove %s", best);
    else
        snprintf(out, REPORT_TEXT_MAX, "bestmove %s ponder %s", best, ponder);
}

void report_format(const Report *report, ReportStyle style, char *out)
{
    char move[MOVE_TEXT_MAX], figures[FIGURES_MAX];
    switch (report->kind) {
    case REPORT_LINE: format_line(report, style, out); break;
    case REPORT_DONE: format_done(report, style.chess960, out); break;
    case REPORT_FIGURES:
        format_figures(report, figures);
        snprintf(out, REPORT_TEXT_MAX, "info %s", figures);
        break;
    case REPORT_TEXT: snprintf(out, REPORT_TEXT_MAX, "info string %s", report->text); break;
    case REPORT_MOVE:
        move_to_uci(report->move, style.chess960, move);
        snprintf(out, REPORT_TEXT_MAX, "info depth %d currmove %s currmovenumber %d", report->depth,
                 move, report->move_number);
        break;
    }
}

void report_write(void *writer, const Report *report)
{
    const ReportWriter *const w = writer;
    char text[REPORT_TEXT_MAX];
    report_format(report, w->style, text);
    output_line(w->out, "%s", text);
}
