// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/display.h"

#include <inttypes.h>

#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "engine/eval.h"
#include "uci/uci.h"

static void add_board(const Position *pos, Block *block)
{
    static const char letters[] = "PpNnBbRrQqKk ";
    static const char rule[] = " +---+---+---+---+---+---+---+---+\n";
    block_add(block, "\n%s", rule);
    for (int rank = 7; rank >= 0; rank--) {
        for (int file = 0; file < 8; file++)
            block_add(block, " | %c", letters[pos_piece_on(pos, square_make(file, rank))]);
        block_add(block, " | %d\n%s", rank + 1, rule);
    }
    block_add(block, "   a   b   c   d   e   f   g   h\n\n");
}

static void add_table_entry(const TtData *data, bool chess960, Block *block)
{
    static const char *const bounds[] = {"no bound", "at most", "at least", "exactly"};
    char move[MOVE_TEXT_MAX], score[REPORT_SCORE_MAX] = "-", eval[REPORT_SCORE_MAX] = "-";
    move_to_uci(data->move, chess960, move);
    if (data->bound != BOUND_NONE)
        report_score(data->score, score);
    if (data->eval != SCORE_NONE)
        report_score(data->eval, eval);
    block_add(block, "Table: depth %d, %s %s, move %s, eval %s, about %" PRIu64 " nodes%s\n",
              data->depth, bounds[data->bound], score, data->move != MOVE_NONE ? move : "-", eval,
              data->nodes, data->was_pv ? ", was on a principal variation" : "");
}

static void add_table(Session *session, Block *block)
{
    if (pool_is_searching(session->pool)) {
        block_add(block, "Table: in use by the search\n");
        return;
    }
    TtData entries[2];
    TtStats unused = {0};
    const Position *const pos = &session->setup.pos;
    const int count = tt_probe(pool_table(session->pool), pos->key,
                               (SearchPoint){.ply = 0, .rule50 = pos->rule50}, entries, &unused);
    for (int i = 0; i < count; i++)
        add_table_entry(&entries[i], session->settings.chess960, block);
    if (count == 0)
        block_add(block, "Table: nothing\n");
}

void display_position(Session *session, Block *block)
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

void display_eval(Session *session, Block *block)
{
    const Position *const pos = &session->setup.pos;
    if (pos_in_check(pos)) {
        block_add(block, "Evaluation: none, the king is in check\n");
        return;
    }
    const Score raw = eval_raw(pos), scaled = eval_scale_rule50(raw, pos->rule50);
    const int sign = pos->side == WHITE ? 1 : -1;
    block_add(block, "Evaluation before the fifty-move rule: %d units, %+.2f pawns for White\n",
              raw, sign * (double)raw / REPORT_UNITS_PER_PAWN);
    block_add(block, "Evaluation: %d units, %+.2f pawns for White\n", scaled,
              sign * (double)scaled / REPORT_UNITS_PER_PAWN);
}

/* A line `name: part of whole (percent)`. */
static void add_share(Block *block, const char *name, uint64_t part, uint64_t whole)
{
    block_add(block, "%-29s %12" PRIu64 " of %12" PRIu64, name, part, whole);
    if (whole > 0)
        block_add(block, "  %5.1f%%\n", 100.0 * (double)part / (double)whole);
    else
        block_add(block, "      -\n");
}

void display_health(const SearchStats *stats, Block *block)
{
    const TtStats *const tt = &stats->tt;
    const uint64_t cutoffs =
        tt->cutoffs[BOUND_UPPER] + tt->cutoffs[BOUND_LOWER] + tt->cutoffs[BOUND_EXACT];
    block_add(block, "Nodes                         %12" PRIu64 "\n", stats->nodes);
    block_add(block, "Branching factor              %12.2f\n", stats->branching);
    add_share(block, "Quiescence nodes", stats->qnodes, stats->nodes);
    add_share(block, "Fail highs on the first move", stats->first_fail_highs, stats->fail_highs);
    add_share(block, "Fail highs on the first three", stats->third_fail_highs, stats->fail_highs);
    add_share(block, "Table hits", tt->hits, tt->probes);
    add_share(block, "Both entries hit", tt->double_hits, tt->probes);
    add_share(block, "Table cutoffs", cutoffs, tt->probes);
    add_share(block, "Second hash move cut", stats->second_move_cutoffs, stats->second_moves);
    add_share(block, "Null moves cut", stats->null_cutoffs, stats->null_tries);
    add_share(block, "Reverse futility cuts", stats->rfp_cutoffs, stats->nodes);
    add_share(block, "Reductions searched again", stats->lmr_researches, stats->lmr_tries);
    add_share(block, "Hash moves that were illegal", tt->type1_errors, tt->hits);
    block_add(block,
              "Stores %" PRIu64 ": into empty %" PRIu64 ", same position %" PRIu64
              ", stale %" PRIu64 ", other %" PRIu64 "; refreshed %" PRIu64 "\n",
              tt->stores, tt->replaced_empty, tt->replaced_same, tt->replaced_stale,
              tt->replaced_other, tt->refreshes);
}

void display_stats(Session *session, Block *block)
{
    SearchStats stats;
    pool_stats(session->pool, &stats);
    display_health(&stats, block);
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
    block_add(block, ", %d-bit pointers, slider attacks by %s%s\n", (int)(8 * sizeof(void *)),
              attacks_method(),
#ifdef NDEBUG
              ""
#else
              ", with assertions"
#endif
    );
}
