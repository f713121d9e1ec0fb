// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Zobrist's random numbers (Zobrist 1970) from a fixed seed: keys are the same in every build and
 * on every machine, so that hash files and memories travel. */

#include "chess/types.h"

extern Key zobrist_piece[PIECE_NB][SQ_NB]; // all filled by zobrist_init(), constant afterwards
extern Key zobrist_castling[CASTLING_NB];  // by the set of rights; entry 0 is 0
extern Key zobrist_ep_file[8];
extern Key zobrist_black; // Black to move

/* Fills the tables; chess_init() calls it once. */
void zobrist_init(void);

/* A number that changes when any key does: files of keys carry it. */
uint64_t zobrist_fingerprint(void);
