// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What a test position in EPD form asks of an engine: the best moves (bm), the moves to avoid (am),
 * a mate (dm, or bm with a # before the number), or points for each of several moves. The Strategic
 * Test Suite (Corbit and Swaminathan 2010) writes its points in three ways, and all are read:
 * "f5=10, Bf2=3" in c0, or numbers in c8 with the moves in c9 or c7. */

#include "chess/epd.h"

enum { EPD_GOAL_MOVES = 64 }; // most moves of one operation

typedef struct {
    Move moves[EPD_GOAL_MOVES];
    int count;
} EpdMoves;

typedef struct {
    EpdMoves best, avoid;
    int mate; // dm or bm #: the side to move mates in this many moves; negative: is mated; 0: none
    EpdMoves scored; // moves that give points
    int points[EPD_GOAL_MOVES];
    int points_max; // the most that a move gives; 0: no move gives points
} EpdGoal;

/* Reads the goal of a record. The moves are in SAN or in coordinates. Returns 1 on success; 0 when
 * the record asks nothing; -1, with the reason in `error` (FEN_ERROR_MAX bytes), when an operation
 * is faulty. */
int epd_goal_read(EpdGoal *goal, const EpdRecord *record, char *error);

/* The points of `move`; 0 when the goal gives none. */
int epd_goal_points(const EpdGoal *goal, Move move);

/* Whether the answer solves the test: a move of bm and none of am. Without these two: a mate at
 * least as short as dm. Without dm: a move that gives the most points. `mate`: moves to the mate
 * that the engine saw, negative when it is mated, 0: none. */
bool epd_goal_is_met(const EpdGoal *goal, Move move, int mate);
