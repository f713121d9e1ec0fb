// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Random numbers for position keys (Zobrist 1970), from a fixed seed. Keys are equal in every build
 * and on every machine, so hash files and learned positions can be moved between them. */

#include "chess/types.h"

extern Key zobrist_piece[PIECE_NB][SQ_NB]; // all filled by zobrist_init(), then constant
extern Key zobrist_castling[CASTLING_NB];  // by the set of rights; entry 0 is 0
extern Key zobrist_ep_file[8];
extern Key zobrist_black; // Black to move

/* Fills the tables. Called once, by chess_init(). */
void zobrist_init(void);

/* Checksum of all the numbers. Files that contain keys store it, so that a program with other
 * numbers can refuse them. */
uint64_t zobrist_fingerprint(void);
