// SPDX-License-Identifier: GPL-3.0-or-later
/* palimpsest: the UCI engine. */

/* main() must run on any processor, but fortified library functions would be inlined into it. */
#undef _FORTIFY_SOURCE

#include <stdio.h>
#include <stdlib.h>

#include "base/argv.h"
#include "base/cpu.h"
#include "base/file.h"
#include "chess/position.h"
#include "engine/init.h"
#include "nnue/network.h"
#include "uci/program.h"
#include "uci/uci.h"

__attribute__((noinline)) static int run(int argc, char **argv)
{
    file_fill_standard_streams();
    file_outlive_limits();
    file_outlive_readers();
    chess_init();
    char error[NETWORK_ERROR_MAX];
    if (!engine_init(error)) {
        fprintf(stderr, "palimpsest: the built-in network %s\n", error);
        return EXIT_FAILURE;
    }
    return uci_main(argc, argv_in_utf8(argc, argv), NULL);
}

CPU_ANY int main(int argc, char **argv)
{
    char missing[CPU_TEXT_MAX];
    if (cpu_suffices(missing))
        return run(argc, argv);
    fprintf(stderr, "palimpsest: this program was built for another processor; this one lacks %s\n",
            missing);
    return UCI_EXIT_PROCESSOR;
}
