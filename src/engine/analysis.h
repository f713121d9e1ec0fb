// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Analyses the positions of a game: score, chances, best line, and the source of this judgement. A
 * move is judged by how much it lowers the expected score, compared with the best move. */

#include "chess/pgngame.h"
#include "engine/engine.h"
#include "eval/winrate.h"

/* The source of a judgement. */
typedef enum {
    SOURCE_SEARCH,    // a search of this position by this call
    SOURCE_TABLE,     // the transposition table: an earlier search in this process
    SOURCE_HASH_FILE, // the transposition table: loaded from a hash file
    SOURCE_LEARNED,   // a learned position on the best line
    SOURCE_TABLEBASE, // the position, or one on the best line, is in the tablebases
    SOURCE_RULES,     // the game is over: mate, stalemate, or a draw by rule at its last move
    SOURCE_NB
} AnalysisSource;

typedef struct {
    Score score;      // for the side to move, internal units
    WinShares shares; // chances of the side to move
    AnalysisSource source;
    int source_plies; // from this position to that of the source, along the best line
    int depth;        // of the search, or of the learned position; 0: the source has no depth
    int line_length;
    Move line[MAX_PLY + 1]; // the best line; empty when there is no legal move
} Analysis;

typedef struct Analyst Analyst;

/* Creates an analyst that searches with `engine`, which must outlive it. It remembers the positions
 * that it searched. NULL when memory is short. */
Analyst *analyst_create(Engine *engine);

/* NULL is allowed. */
void analyst_destroy(Analyst *analyst);

/* Analyses job->root within job->limits. The job's own report function is not called. `is_last`:
 * the game ends here, so a draw that a player could claim is a draw. Returns false when `stops`
 * ended the search or memory is short. */
bool analyst_search(Analyst *analyst, const SearchJob *job, bool is_last, EngineStopsFn stops,
                    void *ctx, Analysis *analysis);

/* Called after each position of a game. */
typedef void (*AnalystStepFn)(void *ctx);

/* What to analyse, and the callbacks. */
typedef struct {
    SearchJob job; // the root and the path are replaced
    EngineStopsFn stops;
    AnalystStepFn step;
    void *ctx; // of both
} AnalystTask;

/* Analyses all positions of the game, the last one first, because the table then helps most.
 * `analyses` has room for one more than the game has moves; those of a game without moves stay
 * unset. Returns false when `stops` ended it or memory is short. */
bool analyst_game(Analyst *analyst, const PgnGame *game, const AnalystTask *task,
                  Analysis *analyses);

/* Judgement of a move. */
typedef struct {
    bool is_best; // the move begins the best line, or it mates
    double loss;  // of the expected score, 0..1: how much worse it is than the best move
    int nag;      // Numeric Annotation Glyph of PGN: 4 (??), 2 (?), 6 (?!), or 0 for none
} MoveJudgement;

/* Judges the move between two analysed positions. */
MoveJudgement analysis_judge(const Analysis *before, Move move, const Analysis *after);

/* The name of the source, in words. */
const char *analysis_source_name(AnalysisSource source);
