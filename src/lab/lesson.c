// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/lesson.h"

#include <assert.h>

#include "chess/game.h"
#include "chess/play.h"

static Score clamp(Score score)
{
    return score > LESSON_LOST ? LESSON_LOST : score < -LESSON_LOST ? -LESSON_LOST : score;
}

/* The game up to ply `ply`. */
static Path path_to(const LessonGame *game, int ply)
{
    Path path;
    path_start(&path, &game->positions[0]);
    for (int i = 1; i <= ply; i++)
        path_extend(&path, &game->positions[i]);
    return path;
}

/* Plays moves until one side resigns; false when the game ends in another way. */
static bool play_moves(LessonGame *game, Single *single, int depth)
{
    const Limits limits = {.depth = depth};
    Path path;
    path_start(&path, &game->positions[0]);
    for (game->length = 0; game->length < LESSON_PLIES_MAX; game->length++) {
        const Position *const pos = &game->positions[game->length];
        if (path_occurrences(&path, pos) >= 2 || game_fifty_moves(pos))
            return false;
        const SingleResult result = single_search(single, pos, &path, &limits);
        if (result.best == MOVE_NONE)
            return false;
        game->outcomes[game->length] = (SearchOutcome){.best = result.best,
                                                       .score = result.score,
                                                       .is_exact = result.is_exact,
                                                       .depth = result.depth,
                                                       .peak = result.peak};
        if (result.score <= -LESSON_LOST)
            return true;
        pos_play(&game->positions[game->length + 1], pos, result.best);
        path_extend(&path, &game->positions[game->length + 1]);
    }
    return false;
}

bool lesson_play(LessonGame *game, Single *single, const Position *start, int depth)
{
    game->positions[0] = *start;
    single_new_game(single);
    single_set_learned(single, NULL);
    if (!play_moves(game, single, depth))
        return false;
    for (int ply = game->length % 2 + 2; ply <= game->length; ply += 2) {
        const Score score = game->outcomes[ply].score;
        game->drop = game->outcomes[ply - 2].score - score;
        game->fall = ply;
        if (game->drop >= LEARNED_DROP && score <= -LEARNED_DROP)
            return true;
    }
    return false;
}

int lesson_learn(const LessonGame *game, LearnedTable *table)
{
    assert(table->count == 0);
    int kept = 0;
    for (int ply = game->length % 2; ply <= game->length; ply += 2) {
        const SearchOutcome *const outcome = &game->outcomes[ply];
        const Score previous = ply >= 2 ? game->outcomes[ply - 2].score : SCORE_NONE;
        if (!learned_policy_keeps(table->policy, outcome, previous))
            continue;
        LearnedPosition learned = {
            .depth = outcome->depth, .network = table->network, .origin = ORIGIN_LEARNED};
        learned_position_set(&learned, &game->positions[ply], outcome->best, outcome->score);
        const LearnedEntry entry = learned_position_entry(&learned);
        if (!learned_table_put(table, &entry, true))
            return -1;
        kept++;
    }
    return kept;
}

/* The best move of the position at `ply`, searched with `table` (NULL: without). */
static Move best_move(const LessonGame *game, Single *single, const LearnedTable *table, int ply,
                      int depth)
{
    const Limits limits = {.depth = depth};
    const Path path = path_to(game, ply);
    single_new_game(single);
    single_set_learned(single, table);
    const Move best = single_search(single, &game->positions[ply], &path, &limits).best;
    single_set_learned(single, NULL);
    return best;
}

/* The score after `move`, for the side that plays it. */
static Score judge(const LessonGame *game, Single *single, int ply, Move move, int depth)
{
    const Limits limits = {.depth = depth};
    Path path = path_to(game, ply);
    Position after;
    pos_play(&after, &game->positions[ply], move);
    path_extend(&path, &after);
    single_new_game(single);
    return clamp(-single_search(single, &after, &path, &limits).score);
}

LessonGain lesson_test(const LessonGame *game, Single *single, const LearnedTable *table, int step,
                       int depth, int judge_depth)
{
    const int ply = game->fall - 2 * step;
    if (ply < 0)
        return (LessonGain){.is_tried = false};
    const Move without = best_move(game, single, NULL, ply, depth);
    const Move with = best_move(game, single, table, ply, depth);
    if (with == without)
        return (LessonGain){.is_tried = true};
    return (LessonGain){.is_tried = true,
                        .is_changed = true,
                        .regained = judge(game, single, ply, with, judge_depth) -
                                    judge(game, single, ply, without, judge_depth)};
}
