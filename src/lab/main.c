// SPDX-License-Identifier: GPL-3.0-or-later
/* palimpsest-lab: experiments on the transposition table. */

#include <stdio.h>
#include <string.h>

#include "chess/position.h"
#include "engine/init.h"
#include "eval/bootstrap.h"
#include "lab/lab.h"
#include "nnue/network.h"

static const struct {
    const char *name, *purpose;
    int (*run)(int argc, char **argv);
} EXPERIMENTS[] = {
    {"replacement", "seven replacement schemes on ALIBABA, as in 1994", lab_replacement},
    {"modern", "replacement schemes in the playing engine", lab_modern},
    {"reads", "entries refreshed when read, and two hash moves", lab_reads},
    {"perft", "perft through a hash table, by length of key", lab_perft},
    {"keybits", "errors of the search by length of the key check", lab_keybits},
    {"torn", "entries torn by concurrent writers, by kind of lock", lab_torn},
};
enum { EXPERIMENT_NB = sizeof EXPERIMENTS / sizeof EXPERIMENTS[0] };

static void print_help(FILE *out)
{
    fprintf(out, "palimpsest-lab EXPERIMENT [options]\n\n");
    for (int i = 0; i < EXPERIMENT_NB; i++)
        fprintf(out, "  %-12s %s\n", EXPERIMENTS[i].name, EXPERIMENTS[i].purpose);
    fprintf(out, "\npalimpsest-lab EXPERIMENT --help explains the options of one. Results go to "
                 "stdout and to CSV\nfiles, progress to stderr. Exit status: 0, 1 when a result is "
                 "not what it must be, 2 for wrong\nusage, 130 when interrupted.\n");
}

int main(int argc, char **argv)
{
    if (argc >= 2 && strcmp(argv[1], "--help") == 0) {
        print_help(stdout);
        return LAB_GOOD;
    }
    for (int i = 0; i < EXPERIMENT_NB && argc >= 2; i++)
        if (strcmp(argv[1], EXPERIMENTS[i].name) == 0) {
            char error[NETWORK_ERROR_MAX];
            chess_init();
            bootstrap_init();
            if (!engine_init(error)) {
                fprintf(stderr, "palimpsest-lab: the network built in %s\n", error);
                return LAB_BAD;
            }
            return EXPERIMENTS[i].run(argc - 2, argv + 2);
        }
    if (argc >= 2)
        fprintf(stderr, "%s: no such experiment\n", argv[1]);
    print_help(stderr);
    return LAB_USAGE;
}
