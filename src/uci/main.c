// SPDX-License-Identifier: GPL-3.0-or-later
/* palimpsest: the UCI engine. */

#include <stdio.h>
#include <stdlib.h>

#include "chess/position.h"
#include "engine/eval.h"
#include "nnue/network.h"
#include "uci/uci.h"

int main(int argc, char **argv)
{
    chess_init();
    char error[NETWORK_ERROR_MAX];
    if (!engine_init(error)) {
        fprintf(stderr, "palimpsest: the network built in %s\n", error);
        return EXIT_FAILURE;
    }
    return uci_main(argc, argv);
}
