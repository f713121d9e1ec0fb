// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/display.h"

#include <inttypes.h>

#include "base/cpu.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "eval/eval.h"
#include "eval/winrate.h"
#include "learning/learn_store.h"
#include "nnue/features.h"
#include "nnue/forward.h"
#include "syzygy/syzygy.h"
#include "uci/commands/hash.h"
#include "uci/commands/run.h"
#include "uci/commands/tb.h"
#include "uci/dispatch.h"
#include "uci/program.h"

static const char LETTERS[] = "PpNnBbRrQqKk "; // by piece, NO_PIECE last

static void add_board(const Position *pos, StrBuf *buf)
{
    static const char rule[] = " +---+---+---+---+---+---+---+---+\n";
    strbuf_add(buf, "\n%s", rule);
    for (int rank = 7; rank >= 0; rank--) {
        for (int file = 0; file < 8; file++)
            strbuf_add(buf, " | %c", LETTERS[pos_piece_on(pos, square_make(file, rank))]);
        strbuf_add(buf, " | %d\n%s", rank + 1, rule);
    }
    strbuf_add(buf, "   a   b   c   d   e   f   g   h\n\n");
}

static void add_table(Session *session, StrBuf *buf)
{
    if (engine_is_searching(session->engine)) {
        strbuf_add(buf, "Table: in use by the search\n");
        return;
    }
    hash_describe(session, &session->setup.pos, buf);
    syzygy_describe(session, buf);
}

static void display_position(Session *session, StrBuf *buf)
{
    const Position *const pos = &session->setup.pos;
    char fen[FEN_MAX];
    fen_print(pos, session->settings.chess960, fen);
    add_board(pos, buf);
    strbuf_add(buf, "Fen: %s\nKey: %016" PRIX64 "\nCheckers:", fen, pos->key);
    for (Bitboard b = pos->checkers; b;) {
        const Square s = pop_lsb(&b);
        strbuf_add(buf, " %c%c", 'a' + file_of(s), '1' + rank_of(s));
    }
    strbuf_add(buf, "\n");
    add_table(session, buf);
}

Score display_eval_without(const EvalSource *source, const Position *pos, Square s)
{
    Position without = *pos;
    pos_put(&without, pos_piece_on(pos, s), s);
    pos_set_attacks(&without);
    return eval_from_scratch(source, &without);
}

/* Value of the piece on `s` for White in pawns: the evaluation minus that without the piece. */
static double piece_value(const EvalSource *source, const Position *pos, Square s)
{
    const Score value = eval_from_scratch(source, pos) - display_eval_without(source, pos, s);
    return winrate_centipawns(pos->side == WHITE ? value : -value, pos_material(pos)) / 100.0;
}

/* Appends the board with the value of each piece except the kings below the piece. */
static void add_piece_values(const EvalSource *source, const Position *pos, StrBuf *buf)
{
    static const char rule[] =
        " +-------+-------+-------+-------+-------+-------+-------+-------+\n";
    strbuf_add(buf, "\n%s", rule);
    for (int rank = 7; rank >= 0; rank--) {
        for (int file = 0; file < 8; file++)
            strbuf_add(buf, " |   %c  ", LETTERS[pos_piece_on(pos, square_make(file, rank))]);
        strbuf_add(buf, " | %d\n", rank + 1);
        for (int file = 0; file < 8; file++) {
            const Square s = square_make(file, rank);
            if (pos_piece_on(pos, s) == NO_PIECE || (pos->by_type[KING] & bb_of(s)))
                strbuf_add(buf, " |      ");
            else
                strbuf_add(buf, " |%+6.2f", piece_value(source, pos, s));
        }
        strbuf_add(buf, " |\n%s", rule);
    }
    strbuf_add(buf, "     a       b       c       d       e       f       g       h\n\n");
}

/* Appends the name of the evaluation. */
static void add_source(const EvalSource *source, const Position *pos, StrBuf *buf)
{
    if (source->network == NULL) {
        strbuf_add(buf, "Evaluation: hand-written rules\n");
        return;
    }
    char name[NETWORK_NAME_MAX];
    network_name(source->network, name);
    strbuf_add(buf, "Network: %s, %d neurons, output bucket %d of %d\n", name, NNUE_HIDDEN,
               feature_bucket(popcount(pos_occupied(pos))) + 1, NNUE_BUCKETS);
}

static void display_eval(Session *session, StrBuf *buf)
{
    const Position *const pos = &session->setup.pos;
    const EvalSource *const source = engine_eval_source(session->engine);
    if (pos_in_check(pos)) {
        strbuf_add(buf, "Evaluation: none, the king is in check\n");
        return;
    }
    add_piece_values(source, pos, buf);
    add_source(source, pos, buf);
    const Score raw = eval_from_scratch(source, pos), scaled = eval_scale_rule50(raw, pos->rule50);
    const int sign = pos->side == WHITE ? 1 : -1, material = pos_material(pos);
    strbuf_add(buf,
               "Evaluation before the scaling by the fifty-move counter: %d units, %+.2f pawns for "
               "White\n",
               sign * raw, sign * winrate_centipawns(raw, material) / 100.0);
    strbuf_add(buf, "Evaluation: %d units, %+.2f pawns for White\n", sign * scaled,
               sign * winrate_centipawns(scaled, material) / 100.0);
}

/* Adds a line `label part of whole percent`; `buf` is a StrBuf. */
static void add_share(void *buf, const char *label, uint64_t part, uint64_t whole)
{
    strbuf_add(buf, "%-29s %12" PRIu64 " of %12" PRIu64, label, part, whole);
    if (whole > 0)
        strbuf_add(buf, "  %5.1f%%\n", 100.0 * (double)part / (double)whole);
    else
        strbuf_add(buf, "      -\n");
}

void display_search_stats(const SearchStats *stats, StrBuf *buf)
{
    const TtStats *const tt = &stats->tt;
    strbuf_add(buf, "Nodes                         %12" PRIu64 "\n", stats->nodes);
    strbuf_add(buf, "Branching factor              %12.2f\n", stats->branching);
    search_stats_visit(stats, add_share, buf);
    add_share(buf, "Table hits", tt->hits, tt->probes);
    add_share(buf, "Table cutoffs", tt_stats_cutoffs(tt), tt->probes);
}

static void display_stats(Session *session, StrBuf *buf)
{
    SearchStats stats;
    engine_stats(session->engine, &stats);
    display_search_stats(&stats, buf);
    const Lag lag = engine_lag(session->engine);
    strbuf_add(buf, "%-29s %12d ms a move, %" PRId64 " ms kept for pauses\n", "Lag",
               lag_overhead_ms(&lag, 0), lag_reserve_ms(&lag));
}

void display_compiler(Session *session, StrBuf *buf)
{
    (void)session;
    strbuf_add(buf, UCI_NAME " " UCI_VERSION ", compiler ");
#ifdef __clang__
    strbuf_add(buf, "clang %d.%d.%d", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
    strbuf_add(buf, "gcc %s", __VERSION__);
#endif
    strbuf_add(buf, ", %d-bit pointers, slider attacks: %s%s\n", (int)(8 * sizeof(void *)),
               attacks_method(),
#ifdef NDEBUG
               ""
#else
               ", with assertions"
#endif
    );
    strbuf_add(buf, "Tablebases: %s; position learning: %s\n",
               syzygy_is_linked() ? "libfathom" : "none, built without libfathom",
               learn_store_is_linked() ? "SQLite" : "none, built without SQLite");
}

/* Appends a line with the processor's instruction sets that this build uses (`needed`) or does not
 * use. No line if there are none. */
static void add_features(StrBuf *buf, const char *title, bool needed)
{
    CpuFeature features[CPU_FEATURES_MAX];
    const int count = cpu_features(features);
    bool has_begun = false;
    for (int i = 0; i < count; i++) {
        if (!features[i].is_supported || features[i].is_needed != needed)
            continue;
        if (!has_begun)
            strbuf_add(buf, "%s:", title);
        strbuf_add(buf, " %s", features[i].name);
        has_begun = true;
    }
    if (has_begun)
        strbuf_add(buf, "\n");
}

/* In a program with several engines: the one that runs, and why. */
static void add_choice(StrBuf *buf, const DispatchChoice *choice)
{
    strbuf_add(buf, "Engines: %s\nChosen: %s, ", choice->known, choice->chosen);
    if (choice->is_forced)
        strbuf_add(buf, "by PALIMPSEST_ARCH; the best for this processor is %s\n", choice->best);
    else
        strbuf_add(buf, "the best for this processor%s\n",
                   choice->is_pext_slow ? ", where PEXT is slow" : "");
}

void display_cpu(Session *session, StrBuf *buf)
{
    (void)session;
    char name[CPU_TEXT_MAX];
    cpu_name(name);
    strbuf_add(buf, "Processor: %s, %d threads\n", *name != '\0' ? name : "unknown",
               thread_hardware_count());
    if (dispatch_choice() != NULL)
        add_choice(buf, dispatch_choice());
    add_features(buf, "Used", true);
    add_features(buf, "Available, but not used by this build", false);
    strbuf_add(buf, "Network: %s, slider attacks: %s\n", nnue_simd_name(), attacks_method());
}

static void display_license(Session *session, StrBuf *buf)
{
    (void)session;
    strbuf_add(
        buf, UCI_NAME
        " " UCI_VERSION ", by " UCI_AUTHOR ".\n\n"
        "This program is free software: you can redistribute it and/or modify it under the\n"
        "terms of the GNU General Public License as published by the Free Software\n"
        "Foundation, either version 3 of the License, or (at your option) any later version.\n"
        "It comes without any warranty, not even that of merchantability or fitness for a\n"
        "particular purpose. The license is in the file COPYING of the sources, and at\n"
        "<https://www.gnu.org/licenses/gpl-3.0.html>.\n");
}

/* Prints the text of a display function. */
static void show(Session *session, void (*display)(Session *, StrBuf *))
{
    StrBuf buf = {0};
    display(session, &buf);
    output_block(&session->out, &buf);
}

void run_d(Session *session, char *arguments)
{
    (void)arguments;
    show(session, display_position);
}

void run_eval(Session *session, char *arguments)
{
    (void)arguments;
    show(session, display_eval);
}

void run_stats(Session *session, char *arguments)
{
    (void)arguments;
    show(session, display_stats);
}

void run_compiler(Session *session, char *arguments)
{
    (void)arguments;
    show(session, display_compiler);
}

void run_cpu(Session *session, char *arguments)
{
    (void)arguments;
    show(session, display_cpu);
}

void run_license(Session *session, char *arguments)
{
    (void)arguments;
    show(session, display_license);
}
