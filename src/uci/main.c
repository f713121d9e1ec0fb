// SPDX-License-Identifier: GPL-3.0-or-later
/* palimpsest: the UCI engine. */

#include "chess/position.h"
#include "engine/eval.h"
#include "uci/uci.h"

int main(int argc, char **argv)
{
    chess_init();
    engine_init();
    return uci_main(argc, argv);
}
