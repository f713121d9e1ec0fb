// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/position.h"

#include "chess/attacks.h"
#include "chess/bitboard.h"
#include "chess/game.h"
#include "chess/zobrist.h"

void chess_init(void)
{
    bb_init();
    attacks_init();
    zobrist_init();
    game_init(); // reads the tables above
}
