// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A set of test positions, read from an EPD file. */

#include "chess/position.h"

enum { POSITIONS_ERROR_MAX = 512 };

typedef struct {
    Position pos;
    int number; // line of the file that holds it, counting positions only, from 1
    int game;   // equal for neighbours from one game, that is with ids like "MG01.12" and "MG01.13"
} LabPosition;

typedef struct {
    LabPosition *positions;
    int count, game_count;
} PositionSet;

/* Reads all positions of a file with at least one; Chess960 castling rights are allowed. False,
 * with the reason in `error` (POSITIONS_ERROR_MAX bytes), on failure. Free with positions_free() in
 * either case. */
bool positions_read(PositionSet *set, const char *path, char *error);

/* Keeps `count` positions, evenly spread over the set. Keeps all when `count` is 0 or not less than
 * the size of the set. */
void positions_spread(PositionSet *set, int count);

/* Finds game number `game` (from 0): returns the index of its first position and writes the number
 * of its positions to `*count`. */
int positions_of_game(const PositionSet *set, int game, int *count);

/* A checksum of `count` positions from index `first` on, with their fifty-move counters: it keeps
 * results of different positions apart. */
uint64_t positions_checksum(const PositionSet *set, int first, int count);

void positions_free(PositionSet *set);
