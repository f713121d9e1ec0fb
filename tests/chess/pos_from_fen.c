// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/pos_from_fen.h"

#include <check.h>

#include "chess/fen.h"

Position pos_from_fen(const char *fen)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert_msg(fen_parse(&pos, fen, true, error), "%s: %s", fen, error);
    return pos;
}
