// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A set of test positions, read from an EPD file. */

#include "chess/position.h"

enum { POSITIONS_ERROR_MAX = 640 };

typedef struct {
    Position pos;
    int number; // number in the file, from 1
    int game;   // number of the first position of the same game. Adjacent positions are of one
                // game when their ids are equal up to a point or " move ": "MG01.12", "MG01.13";
                // "A-B 1994 move 15", "A-B 1994 move 16"
} LabPosition;

typedef struct {
    LabPosition *positions;
    int count, game_count;
} PositionSet;

/* Reads all positions of an EPD file; Chess960 castling rights are allowed. False, with the reason
 * in `error` (POSITIONS_ERROR_MAX bytes), when the file cannot be read, a line is malformed, no
 * position is found or memory is short. Free with positions_free() in either case. */
bool positions_read(PositionSet *set, const char *path, char *error);

/* Keeps `count` positions, evenly spread over the set, and drops the others. Keeps all when `count`
 * is 0 or at least the size of the set. */
void positions_spread(PositionSet *set, int count);

/* Returns the index of the first position of a game and writes the number of its positions to
 * `*count`. `game` is 0..game_count - 1, not LabPosition.game. */
int positions_of_game(const PositionSet *set, int game, int *count);

/* A checksum of `count` positions from index `first` on, fifty-move counters included. It is part
 * of the keys of results, so that results of different positions are not confused. */
uint64_t positions_checksum(const PositionSet *set, int first, int count);

/* A checksum of all positions and of their grouping into games, for results that depend on it. */
uint64_t positions_games_checksum(const PositionSet *set);

void positions_free(PositionSet *set);
