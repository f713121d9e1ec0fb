// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The command line of palimpsest-datagen: what is to be done. */

#include "base/arguments.h"

enum { ORDER_ERROR_MAX = ARGUMENTS_ERROR_MAX };

typedef enum {
    ORDER_HELP = ARGUMENTS_HELP,
    ORDER_PLAY = 0,
    ORDER_MERGE,
    ORDER_STATS,
    ORDER_VERIFY,
    ORDER_WDL
} OrderKind;

typedef struct {
    OrderKind kind;
    const char *out;  // of ORDER_PLAY and ORDER_MERGE
    const char *eval; // "bootstrap" or a file; NULL: what is built in
    int64_t threads;  // 0: all cores
    int64_t games;    // 0: no such end; the next likewise
    int64_t positions;
    int64_t soft, hard; // nodes
    int64_t opening_plies;
    int64_t chess960; // percent
    int64_t seed;
    int64_t hash;                // MiB
    const char *player, *figure; // of ORDER_WDL; or NULL
    ArgumentList files;          // of all but ORDER_PLAY
} Order;

/* Reads the arguments, argv[0] not being one, into `order`, which points into them; their order
 * changes. False, with the reason in `error` (ORDER_ERROR_MAX bytes), when they make no sense. */
bool order_parse(Order *order, int argc, char **argv, char *error);

/* Prints how to call the program. */
void order_print_help(FILE *out);
