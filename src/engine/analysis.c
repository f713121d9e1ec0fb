// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis.h"

#include <stdlib.h>
#include <string.h>

#include "base/keyset.h"
#include "chess/movegen.h"
#include "chess/play.h"

struct Analyst {
    Engine *engine;
    Keyset searched; // keys of the searched positions
};

Analyst *analyst_create(Engine *engine)
{
    Analyst *const analyst = calloc(1, sizeof *analyst);
    if (analyst != NULL)
        analyst->engine = engine;
    return analyst;
}

void analyst_destroy(Analyst *analyst)
{
    if (analyst != NULL)
        keyset_free(&analyst->searched);
    free(analyst);
}

/* Keeps the last line of a search. If its score is only a bound, the exact score before it stays,
 * unless the bound proves a better one. */
static void follow(void *ctx, const Report *report)
{
    Analysis *const analysis = ctx;
    if (report->kind != REPORT_LINE || report->multipv != 1)
        return;
    if (report->bound == BOUND_EXACT ||
        (report->bound == BOUND_LOWER && report->score > analysis->score))
        analysis->score = report->score;
    analysis->depth = report->depth;
    analysis->line_length = report->pv_length;
    if (report->pv_length > 0)
        memcpy(analysis->line, report->pv, (size_t)report->pv_length * sizeof *report->pv);
}

/* Whether the tablebases contain the position, and a search may probe it there. */
static bool is_in_tablebases(const Engine *engine, const Position *pos)
{
    SyzygyView view;
    char error[SYZYGY_ERROR_MAX];
    Path path;
    if (pos->rule50 != 0)
        return false;
    path_start(&path, pos);
    return engine_syzygy_look_up(engine, pos, &path, &view, error);
}

/* The learned position whose score a search uses at `pos`, `ply` plies from its root and with
 * `depth` plies left; NULL: none. */
static const LearnedEntry *learned_at(Engine *engine, const Position *pos, int depth, int ply)
{
    const LearnedTable *const table = learning_table(engine_learning(engine));
    const LearnedEntry *const entry =
        table != NULL && depth >= LEARNED_DEPTH_MIN ? learned_table_find(table, pos->key) : NULL;
    const bool is_used = entry != NULL && gen_is_legal(pos, entry->move) &&
                         learned_score_is_usable(table, entry, depth, ply, pos->rule50);
    return is_used ? entry : NULL;
}

/* Follows the best line to the first position that is in the tablebases or a learned position: the
 * score of the search comes from there. A mate score always comes from the search. */
static void trace_line(Engine *engine, const Position *root, Analysis *analysis)
{
    Position pos = *root;
    const int depth = analysis->depth;
    for (int ply = 1; ply <= analysis->line_length && !score_is_mate(analysis->score); ply++) {
        pos_advance(&pos, analysis->line[ply - 1]);
        const LearnedEntry *const learned = learned_at(engine, &pos, depth - ply, ply);
        const bool is_tablebase = is_in_tablebases(engine, &pos);
        if (is_tablebase || learned != NULL) {
            analysis->source = is_tablebase ? SOURCE_TABLEBASE : SOURCE_LEARNED;
            analysis->source_plies = ply;
            analysis->depth = is_tablebase ? 0 : learned->depth;
            return;
        }
    }
}

/* Sets the source of a finished search. `was_known`: the analyst searched the root before. */
static void find_source(Engine *engine, const Position *root, bool was_known, Analysis *analysis)
{
    const bool is_from_file = engine_has_loaded_hash(engine) && !was_known;
    switch (engine_result_kind(engine)) {
    case RESULT_SEARCHED: trace_line(engine, root, analysis); break;
    case RESULT_CACHED: analysis->source = is_from_file ? SOURCE_HASH_FILE : SOURCE_TABLE; break;
    case RESULT_TABLEBASES:
        if (!score_is_mate(analysis->score)) {
            analysis->source = SOURCE_TABLEBASE;
            analysis->depth = 0;
        }
        break;
    }
}

/* Whether the rules decide the position, with the result in `*score`. Draws that a player has to
 * claim count only at the end of the game (`is_last`). */
static bool is_decided(const SearchJob *job, bool is_last, Score *score)
{
    const Position *const pos = &job->root;
    const bool is_stuck = !gen_any(pos);
    *score = is_stuck && pos_in_check(pos) ? score_mated_in(0) : SCORE_DRAW;
    return is_stuck || pos_insufficient_material(pos) ||
           (is_last && (path_occurrences(&job->path, pos) >= 2 || game_fifty_moves(pos)));
}

bool analyst_search(Analyst *analyst, const SearchJob *job, bool is_last, EngineStopsFn stops,
                    void *ctx, Analysis *analysis)
{
    const int material = pos_material(&job->root);
    bool was_known = true; // without memory for the key: what it does not know came from no file
    *analysis = (Analysis){.source = SOURCE_SEARCH};
    if (is_decided(job, is_last, &analysis->score)) {
        analysis->source = SOURCE_RULES;
        analysis->shares = winrate_certain_shares(analysis->score, material);
        return true;
    }
    SearchJob followed = *job;
    followed.report = follow;
    followed.ctx = analysis;
    keyset_add(&analyst->searched, job->root.key, &was_known);
    if (!engine_search(analyst->engine, &followed, stops, ctx))
        return false;
    find_source(analyst->engine, &job->root, was_known, analysis);
    const bool is_certain = analysis->source == SOURCE_TABLEBASE && analysis->source_plies == 0;
    analysis->shares = is_certain ? winrate_certain_shares(analysis->score, material)
                                  : winrate_shares(analysis->score, material);
    return true;
}

/* Sets root and path of the job to the position after `ply` moves of the game. */
static void go_to_ply(SearchJob *job, const PgnGame *game, int ply)
{
    job->root = game->start;
    path_start(&job->path, &job->root);
    for (int i = 0; i < ply; i++) {
        pos_advance(&job->root, game->moves[i].move);
        path_extend(&job->path, &job->root);
    }
}

bool analyst_game(Analyst *analyst, const PgnGame *game, const AnalystTask *task,
                  Analysis *analyses)
{
    SearchJob job = task->job;
    const int last = game->move_count;
    for (int ply = last; ply >= 0 && last > 0; ply--) {
        go_to_ply(&job, game, ply);
        if (!analyst_search(analyst, &job, ply == last, task->stops, task->ctx, &analyses[ply]))
            return false;
        if (task->step != NULL)
            task->step(task->ctx);
    }
    return true;
}

/* Expected score of the side to move, in 2000ths: a win counts 2 and a draw 1. */
static int expected(const Analysis *analysis)
{
    return 2 * analysis->shares.wins + analysis->shares.draws;
}

MoveJudgement analysis_judge(const Analysis *before, Move move, const Analysis *after)
{
    enum { WHOLE = 2000 };
    static const struct {
        int loss; // in 2000ths: 20%, 10%, 5% when rounded to whole percents
        int nag;
    } GLYPHS[] = {{390, 4}, {190, 2}, {90, 6}};
    const bool is_mate = after->source == SOURCE_RULES && score_is_mate(after->score);
    const bool is_best = is_mate || (before->line_length > 0 && before->line[0] == move);
    const int lost = expected(before) - (WHOLE - expected(after));
    const int loss = is_best || lost < 0 ? 0 : lost;
    MoveJudgement judgement = {.is_best = is_best, .loss = (double)loss / WHOLE};
    for (int i = 0; i < 3 && judgement.nag == 0; i++)
        if (loss >= GLYPHS[i].loss)
            judgement.nag = GLYPHS[i].nag;
    return judgement;
}

const char *analysis_source_name(AnalysisSource source)
{
    static const char *const NAMES[SOURCE_NB] = {
        [SOURCE_SEARCH] = "search",       [SOURCE_TABLE] = "transposition table",
        [SOURCE_HASH_FILE] = "hash file", [SOURCE_LEARNED] = "learned position",
        [SOURCE_TABLEBASE] = "tablebase", [SOURCE_RULES] = "rules",
    };
    return NAMES[source];
}
