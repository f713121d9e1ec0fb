// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/annotation.h"

#include <stdlib.h>

#include "chess/play.h"
#include "uci/commands/json.h"
#include "uci/report.h"

enum { LINE_SHOWN = 10, NAG_MAX = 6 }; // plies of a line in PGN; glyphs that judge a move: 1..6

/* A move of the game being written. */
typedef struct {
    const Position *before, *after;
    const PgnMove *move;
    const Analysis *best, *played; // analyses of the two positions
    MoveJudgement judgement;
} JudgedMove;

/* Where an analysis comes from: "search, depth 14", "learned position after 3 plies, depth 20". */
static void add_source(StrBuf *out, const Analysis *analysis)
{
    strbuf_add(out, "%s", analysis_source_name(analysis->source));
    if (analysis->source_plies > 0)
        strbuf_add(out, " after %d %s", analysis->source_plies,
                   analysis->source_plies == 1 ? "ply" : "plies");
    if (analysis->depth > 0)
        strbuf_add(out, ", depth %d", analysis->depth);
}

/* The score and the chances from White's view. */
static Score score_of_white(const Analysis *analysis, const Position *pos)
{
    return pos->side == WHITE ? analysis->score : -analysis->score;
}

static WinShares shares_of_white(const Analysis *analysis, const Position *pos)
{
    const WinShares own = analysis->shares;
    return pos->side == WHITE ? own : (WinShares){own.losses, own.draws, own.wins};
}

/* The score as `[%eval 0.31,14]` or `[%eval #-3,14]`, which many programs read, then the chances
 * and the source. */
static void add_judgement(StrBuf *out, const Analysis *analysis, const Position *pos)
{
    const Score score = score_of_white(analysis, pos);
    const WinShares shares = shares_of_white(analysis, pos);
    const int mate = score_mate_moves(score), cp = report_centipawns(score, pos_material(pos));
    if (score_is_mate(score) && mate == 0) {
        strbuf_add(out, "checkmate");
        return;
    }
    if (mate != 0)
        strbuf_add(out, "[%%eval #%d", mate);
    else
        strbuf_add(out, "[%%eval %s%d.%02d", cp < 0 ? "-" : "", abs(cp) / 100, abs(cp) % 100);
    if (analysis->depth > 0)
        strbuf_add(out, ",%d", analysis->depth);
    strbuf_add(out, "] wdl %d/%d/%d, ", shares.wins, shares.draws, shares.losses);
    add_source(out, analysis);
}

/* Whether the game's author has judged the move by a glyph. */
static bool is_judged(const PgnMove *move)
{
    for (int i = 0; i < move->nag_count; i++)
        if (move->nags[i] <= NAG_MAX)
            return true;
    return false;
}

static const char *glyph_text(int nag)
{
    static const char *const GLYPHS[NAG_MAX + 1] = {"", "!", "?", "!!", "??", "!?", "?!"};
    return GLYPHS[nag];
}

static void add_comment(StrBuf *out, const JudgedMove *judged)
{
    const int percent = (int)(judged->judgement.loss * 100.0 + 0.5);
    add_judgement(out, judged->played, judged->after);
    if (percent > 0)
        strbuf_add(out, ", loses %d%%", percent);
    if (judged->judgement.nag != 0 && is_judged(judged->move))
        strbuf_add(out, ", judged %s", glyph_text(judged->judgement.nag));
    if (judged->judgement.is_best && judged->best->line[0] == judged->move->move &&
        judged->best->line_length > 1) {
        const int length = judged->best->line_length;
        strbuf_add(out, ", best ");
        pgn_add_line(out, judged->before, judged->best->line,
                     length < LINE_SHOWN ? length : LINE_SHOWN);
    }
}

/* The best line, with its judgement after its first move. */
static void add_variation(StrBuf *out, const JudgedMove *judged)
{
    const Analysis *const best = judged->best;
    const int length = best->line_length < LINE_SHOWN ? best->line_length : LINE_SHOWN;
    Position next;
    pgn_add_line(out, judged->before, best->line, 1);
    pos_play(&next, judged->before, best->line[0]);
    strbuf_add(out, " {");
    add_judgement(out, best, judged->before);
    strbuf_add(out, "}");
    if (length > 1) {
        strbuf_add(out, " ");
        pgn_add_line(out, &next, best->line + 1, length - 1);
    }
}

/* Calls `visit` for each move of the game. */
static void for_each_move(const AnnotatedGame *annotated,
                          void (*visit)(void *ctx, int ply, const JudgedMove *judged), void *ctx)
{
    const PgnGame *const game = annotated->game;
    Position before = game->start, after;
    for (int i = 0; i < game->move_count; i++) {
        const Analysis *const analyses = &annotated->analyses[i];
        const Move move = game->moves[i].move;
        pos_play(&after, &before, move);
        const JudgedMove judged = {.before = &before,
                                   .after = &after,
                                   .move = &game->moves[i],
                                   .best = &analyses[0],
                                   .played = &analyses[1],
                                   .judgement = analysis_judge(&analyses[0], move, &analyses[1])};
        visit(ctx, i, &judged);
        before = after;
    }
}

/* ---- PGN ---- */

/* The notes of a game; offsets in `text` until all texts are there. */
typedef struct {
    PgnNote *notes;
    size_t *comments, *variations; // offsets; 0: none
    StrBuf text;
} Notes;

/* Ends the text that begins at the offset. */
static void end_text(StrBuf *text)
{
    strbuf_add_bytes(text, "", 1);
}

static void note_move(void *ctx, int ply, const JudgedMove *judged)
{
    Notes *const notes = ctx;
    StrBuf *const text = &notes->text;
    if (judged->judgement.nag != 0 && !is_judged(judged->move))
        notes->notes[ply].nag = judged->judgement.nag;
    notes->comments[ply] = text->length;
    add_comment(text, judged);
    end_text(text);
    if (judged->judgement.is_best || judged->best->line_length == 0)
        return;
    notes->variations[ply] = text->length;
    add_variation(text, judged);
    end_text(text);
}

bool annotation_pgn(StrBuf *out, const AnnotatedGame *annotated, const PgnTagText *tags,
                    int tag_count)
{
    const size_t count = (size_t)annotated->game->move_count;
    Notes notes = {.notes = calloc(count + 1, sizeof *notes.notes),
                   .comments = calloc(count + 1, sizeof *notes.comments),
                   .variations = calloc(count + 1, sizeof *notes.variations)};
    bool is_good = notes.notes != NULL && notes.comments != NULL && notes.variations != NULL;
    end_text(&notes.text); // so that no text has the offset 0
    if (is_good)
        for_each_move(annotated, note_move, &notes);
    is_good = is_good && !notes.text.is_cut;
    for (size_t i = 0; is_good && i < count; i++) {
        notes.notes[i].comment = notes.text.text + notes.comments[i];
        if (notes.variations[i] != 0)
            notes.notes[i].variation = notes.text.text + notes.variations[i];
    }
    if (is_good)
        pgn_game_write(out, annotated->game, tags, tag_count, notes.notes);
    free(notes.notes);
    free(notes.comments);
    free(notes.variations);
    strbuf_free(&notes.text);
    return is_good && !out->is_cut;
}

/* ---- JSON ---- */

typedef struct {
    StrBuf *out;
    const AnnotatedGame *annotated;
} JsonLines;

/* Adds score, chances, depth and source. */
static void add_json_analysis(StrBuf *out, const char *name, const Analysis *analysis,
                              const Position *pos)
{
    const Score score = score_of_white(analysis, pos);
    const WinShares shares = shares_of_white(analysis, pos);
    strbuf_json_name(out, name);
    strbuf_add(out, "{");
    json_add_score(out, score, pos_material(pos));
    strbuf_json_name(out, "wdl");
    strbuf_add(out, "[%d,%d,%d]", shares.wins, shares.draws, shares.losses);
    strbuf_json_text(out, "source", analysis_source_name(analysis->source));
    strbuf_json_int(out, "after", analysis->source_plies);
    strbuf_json_int(out, "depth", analysis->depth);
    json_add_line(out, pos, analysis->line, analysis->line_length);
    strbuf_add(out, "}");
}

static void print_json_move(void *ctx, int ply, const JudgedMove *judged)
{
    const JsonLines *const lines = ctx;
    StrBuf *const out = lines->out;
    strbuf_add(out, "{");
    strbuf_json_int(out, "game", lines->annotated->number);
    strbuf_json_int(out, "ply", ply + 1);
    json_add_move(out, judged->before, judged->move->move, lines->annotated->game->chess960);
    strbuf_json_name(out, "loss");
    strbuf_add(out, "%.4f", judged->judgement.loss);
    strbuf_json_int(out, "nag", judged->judgement.nag);
    add_json_analysis(out, "played", judged->played, judged->after);
    add_json_analysis(out, "best", judged->best, judged->before);
    strbuf_add(out, "}\n");
}

void annotation_json(StrBuf *out, const AnnotatedGame *annotated)
{
    JsonLines lines = {out, annotated};
    for_each_move(annotated, print_json_move, &lines);
}

/* ---- Counts ---- */

typedef struct {
    int glyphs[COLOR_NB][NAG_MAX + 1];
} GlyphCounts;

static void count_glyph(void *ctx, int ply, const JudgedMove *judged)
{
    GlyphCounts *const counts = ctx;
    (void)ply;
    counts->glyphs[judged->before->side][judged->judgement.nag]++;
}

void annotation_players(StrBuf *out, const PgnGame *game)
{
    const char *const white = pgn_game_tag(game, "White"), *black = pgn_game_tag(game, "Black");
    strbuf_add(out, "%s - %s, %s, %d plies", *white != '\0' ? white : "?",
               *black != '\0' ? black : "?", game->result, game->move_count);
}

void annotation_counts(StrBuf *out, const AnnotatedGame *annotated)
{
    static const int ERRORS[] = {4, 2, 6};
    GlyphCounts counts = {0};
    for_each_move(annotated, count_glyph, &counts);
    annotation_players(out, annotated->game);
    for (Color c = WHITE; c <= BLACK && annotated->game->move_count > 0; c++) {
        strbuf_add(out, "; %s", c == WHITE ? "White" : "Black");
        for (int i = 0; i < 3; i++)
            strbuf_add(out, "%s %d %s", i > 0 ? "," : "", counts.glyphs[c][ERRORS[i]],
                       glyph_text(ERRORS[i]));
    }
}
