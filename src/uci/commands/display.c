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

static void add_board(const Position *pos, Block *block)
{
    static const char rule[] = " +---+---+---+---+---+---+---+---+\n";
    block_add(block, "\n%s", rule);
    for (int rank = 7; rank >= 0; rank--) {
        for (int file = 0; file < 8; file++)
            block_add(block, " | %c", LETTERS[pos_piece_on(pos, square_make(file, rank))]);
        block_add(block, " | %d\n%s", rank + 1, rule);
    }
    block_add(block, "   a   b   c   d   e   f   g   h\n\n");
}

static void add_table(Session *session, Block *block)
{
    if (engine_is_searching(session->engine)) {
        block_add(block, "Table: in use by the search\n");
        return;
    }
    hash_describe(session, &session->setup.pos, block);
    syzygy_describe(session, block);
}

static void display_position(Session *session, Block *block)
{
    const Position *const pos = &session->setup.pos;
    char fen[FEN_MAX];
    fen_print(pos, session->settings.chess960, fen);
    add_board(pos, block);
    block_add(block, "Fen: %s\nKey: %016" PRIX64 "\nCheckers:", fen, pos->key);
    for (Bitboard b = pos->checkers; b;) {
        const Square s = pop_lsb(&b);
        block_add(block, " %c%c", 'a' + file_of(s), '1' + rank_of(s));
    }
    block_add(block, "\n");
    add_table(session, block);
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
static void add_piece_values(const EvalSource *source, const Position *pos, Block *block)
{
    static const char rule[] =
        " +-------+-------+-------+-------+-------+-------+-------+-------+\n";
    block_add(block, "\n%s", rule);
    for (int rank = 7; rank >= 0; rank--) {
        for (int file = 0; file < 8; file++)
            block_add(block, " |   %c  ", LETTERS[pos_piece_on(pos, square_make(file, rank))]);
        block_add(block, " | %d\n", rank + 1);
        for (int file = 0; file < 8; file++) {
            const Square s = square_make(file, rank);
            if (pos_piece_on(pos, s) == NO_PIECE || (pos->by_type[KING] & bb_of(s)))
                block_add(block, " |      ");
            else
                block_add(block, " |%+6.2f", piece_value(source, pos, s));
        }
        block_add(block, " |\n%s", rule);
    }
    block_add(block, "     a       b       c       d       e       f       g       h\n\n");
}

/* Appends the name of the evaluation. */
static void add_source(const EvalSource *source, const Position *pos, Block *block)
{
    if (source->network == NULL) {
        block_add(block, "Evaluation: hand-written rules\n");
        return;
    }
    char name[NETWORK_NAME_MAX];
    network_name(source->network, name);
    block_add(block, "Network: %s, %d neurons, output %d of %d\n", name, NNUE_HIDDEN,
              feature_bucket(popcount(pos_occupied(pos))) + 1, NNUE_BUCKETS);
}

static void display_eval(Session *session, Block *block)
{
    const Position *const pos = &session->setup.pos;
    const EvalSource *const source = engine_eval_source(session->engine);
    if (pos_in_check(pos)) {
        block_add(block, "Evaluation: none, the king is in check\n");
        return;
    }
    add_piece_values(source, pos, block);
    add_source(source, pos, block);
    const Score raw = eval_from_scratch(source, pos), scaled = eval_scale_rule50(raw, pos->rule50);
    const int sign = pos->side == WHITE ? 1 : -1, material = pos_material(pos);
    block_add(block, "Evaluation before the fifty-move rule: %d units, %+.2f pawns for White\n",
              sign * raw, sign * winrate_centipawns(raw, material) / 100.0);
    block_add(block, "Evaluation: %d units, %+.2f pawns for White\n", sign * scaled,
              sign * winrate_centipawns(scaled, material) / 100.0);
}

/* Adds a line `label part of whole percent`; `block` is a Block. */
static void add_share(void *block, const char *label, uint64_t part, uint64_t whole)
{
    block_add(block, "%-29s %12" PRIu64 " of %12" PRIu64, label, part, whole);
    if (whole > 0)
        block_add(block, "  %5.1f%%\n", 100.0 * (double)part / (double)whole);
    else
        block_add(block, "      -\n");
}

void display_search_stats(const SearchStats *stats, Block *block)
{
    const TtStats *const tt = &stats->tt;
    block_add(block, "Nodes                         %12" PRIu64 "\n", stats->nodes);
    block_add(block, "Branching factor              %12.2f\n", stats->branching);
    search_stats_visit(stats, add_share, block);
    add_share(block, "Table hits", tt->hits, tt->probes);
    add_share(block, "Hits in both entries", tt->double_hits, tt->probes);
    add_share(block, "Table cutoffs", tt_stats_cutoffs(tt), tt->probes);
    add_share(block, "Illegal TT moves", tt->type1_errors, tt->hits);
    block_add(block,
              "Stores %" PRIu64 ": into empty %" PRIu64 ", same position %" PRIu64
              ", stale %" PRIu64 ", other %" PRIu64 "; refreshed %" PRIu64 "\n",
              tt->stores, tt->replaced_empty, tt->replaced_same, tt->replaced_stale,
              tt->replaced_other, tt->refreshes);
}

static void display_stats(Session *session, Block *block)
{
    SearchStats stats;
    engine_stats(session->engine, &stats);
    display_search_stats(&stats, block);
    const Lag lag = engine_lag(session->engine);
    block_add(block, "%-29s %12d ms a move, %" PRId64 " ms kept for pauses\n", "Lag",
              lag_overhead_ms(&lag, 0), lag_reserve_ms(&lag));
}

void display_compiler(Session *session, Block *block)
{
    (void)session;
    block_add(block, UCI_NAME " " UCI_VERSION ", ");
#ifdef __clang__
    block_add(block, "clang %s", __clang_version__);
#else
    block_add(block, "compiler %s", __VERSION__);
#endif
    block_add(block, ", %d-bit pointers, slider attacks: %s%s\n", (int)(8 * sizeof(void *)),
              attacks_method(),
#ifdef NDEBUG
              ""
#else
              ", with assertions"
#endif
    );
    block_add(block, "Tablebases: %s; position learning: %s\n",
              syzygy_is_linked() ? "libfathom" : "none, built without libfathom",
              learn_store_is_linked() ? "SQLite" : "none, built without SQLite");
}

/* Appends a line with the processor's instruction sets that this build uses (`needed`) or does not
 * use. No line if there are none. */
static void add_features(Block *block, const char *title, bool needed)
{
    CpuFeature features[CPU_FEATURES_MAX];
    const int count = cpu_features(features);
    bool has_begun = false;
    for (int i = 0; i < count; i++) {
        if (!features[i].is_supported || features[i].is_needed != needed)
            continue;
        if (!has_begun)
            block_add(block, "%s:", title);
        block_add(block, " %s", features[i].name);
        has_begun = true;
    }
    if (has_begun)
        block_add(block, "\n");
}

/* In a program with several engines: the one that runs, and why. */
static void add_choice(Block *block, const DispatchChoice *choice)
{
    block_add(block, "Engines: %s\nChosen: %s, ", choice->known, choice->chosen);
    if (choice->is_forced)
        block_add(block, "by PALIMPSEST_ARCH; the best for this processor is %s\n", choice->best);
    else
        block_add(block, "the best for this processor%s\n",
                  choice->is_pext_slow ? ", where PEXT is slow" : "");
}

void display_cpu(Session *session, Block *block)
{
    (void)session;
    char name[CPU_TEXT_MAX];
    cpu_name(name);
    block_add(block, "Processor: %s, %d threads\n", *name != '\0' ? name : "unknown",
              thread_hardware_count());
    if (dispatch_choice() != NULL)
        add_choice(block, dispatch_choice());
    add_features(block, "Used", true);
    add_features(block, "Available, but not used by this build", false);
    block_add(block, "Network: %s, slider attacks: %s\n", nnue_simd_name(), attacks_method());
}

static void display_license(Session *session, Block *block)
{
    (void)session;
    block_add(
        block, UCI_NAME
        " " UCI_VERSION ", by " UCI_AUTHOR ".\n\n"
        "This program is free software: you can redistribute it and/or modify it under the\n"
        "terms of the GNU General Public License as published by the Free Software\n"
        "Foundation, either version 3 of the License, or (at your option) any later version.\n"
        "It comes without any warranty, not even that of merchantability or fitness for a\n"
        "particular purpose. The license is in the file COPYING of the sources, and at\n"
        "<https://www.gnu.org/licenses/gpl-3.0.html>.\n");
}

/* Prints the text of a display function. */
static void show(Session *session, void (*display)(Session *, Block *))
{
    Block block = {0};
    display(session, &block);
    output_block(&session->out, &block);
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
