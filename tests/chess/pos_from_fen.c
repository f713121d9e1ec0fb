// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/pos_from_fen.h"

#include <check.h>

#include "chess/fen.h"

const char MIDDLEGAME[] = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8";
const char KIWIPETE[] = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

Position pos_from_fen(const char *fen)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert_msg(fen_parse(&pos, fen, true, error), "%s: %s", fen, error);
    return pos;
}
