// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/game.h"

#include <assert.h>
#include <string.h>

#include "chess/chess960.h"
#include "chess/movegen.h"
#include "chess/play.h"
#include "chess/see.h"

void selfplay_game_start(SelfplayGame *game, uint32_t number, int white_setup, int black_setup)
{
    memset(&game->record, 0, sizeof game->record);
    game->record.number = number;
    game->record.setup[WHITE] = (uint16_t)white_setup;
    game->record.setup[BLACK] = (uint16_t)black_setup;
    game->record.result = GAME_DRAW;
    chess960_start(&game->pos, white_setup, black_setup);
    path_start(&game->path, &game->pos);
    game->kept = 0;
}

void selfplay_game_play(SelfplayGame *game, Move move, int score)
{
    GameRecord *record = &game->record;
    assert(record->plies < GAME_MAX_PLIES && score == (int16_t)score);
    record->moves[record->plies] = move;
    record->scores[record->plies] = (int16_t)score;
    game->kept += gamecode_suits_training(&game->pos, record, record->plies);
    record->plies++;
    pos_advance(&game->pos, move);
    path_extend(&game->path, &game->pos);
}

void selfplay_game_play_opening(SelfplayGame *game, Move move)
{
    assert(game->record.opening == game->record.plies);
    game->record.opening++;
    selfplay_game_play(game, move, 0);
}

void selfplay_game_replay(SelfplayGame *game, const GameRecord *record)
{
    selfplay_game_start(game, record->number, record->setup[WHITE], record->setup[BLACK]);
    game->record.opening = record->opening;
}

bool selfplay_game_replay_move(SelfplayGame *game, const GameRecord *record)
{
    const int ply = game->record.plies, kept = game->kept;
    assert(ply < record->plies);
    selfplay_game_play(game, record->moves[ply], record->scores[ply]);
    return game->kept > kept;
}

bool selfplay_is_quiet(const Position *pos)
{
    Move moves[MAX_MOVES];
    const int count = gen_noisy(pos, moves);
    for (int i = 0; i < count; i++)
        if (see_ge(pos, moves[i], 1))
            return false;
    return true;
}

GameEnd selfplay_game_end(const SelfplayGame *game)
{
    const GameEnd end = game_end(&game->pos, &game->path);
    return end == END_NONE && game->record.plies == GAME_MAX_PLIES ? END_LENGTH : end;
}

int selfplay_game_result(const SelfplayGame *game, GameEnd end)
{
    assert(end != END_NONE);
    if (end != END_MATE)
        return GAME_DRAW;
    return game->pos.side == WHITE ? GAME_BLACK_WINS : GAME_WHITE_WINS;
}
