// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Selects an engine at run time, in the program that runs on every x86-64 processor. This program
 * contains one engine for each level of cpu_levels.def. Its main() selects the best level that the
 * processor can run, or the level that the environment variable PALIMPSEST_ARCH names, and calls
 * that engine's main().
 *
 * This program is linked with dispatch.c, any other program with dispatch_none.c. */

#include <stdbool.h>

/* The choice and its reason. */
typedef struct {
    const char *chosen, *best; // levels: the one in use, and the best for this processor
    const char *known;         // names of all levels, separated by blanks
    bool is_forced;            // by PALIMPSEST_ARCH
    bool is_pext_slow;         // this processor runs PEXT in microcode: `best` avoids PEXT
} DispatchChoice;

/* The choice, or NULL in a program with a single engine. */
const DispatchChoice *dispatch_choice(void);
