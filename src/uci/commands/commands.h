// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The commands, in one table that the parser, the dispatcher and `help` read. */

#include "uci/session.h"

/* What becomes of a running search before the command is carried out. */
typedef enum {
    SEARCH_GOES_ON,
    SEARCH_STOPS, // and its best move is printed
    SEARCH_ENDS   // the command, and all after it, wait for that
} SearchFate;

/* Who carries it out. */
typedef enum {
    BY_QUEUE,
    BY_READER, // at once
    BY_SEARCH  // by the reader while a search runs, in its turn otherwise
} CommandWay;

struct Command {
    const char *name;
    /* On the thread that `way` says; may write to the arguments. */
    void (*run)(Session *session, char *arguments);
    CommandWay way;
    SearchFate fate;
    bool is_wait;                    // shields a search with a limit from the end of the input
    const char *arguments, *purpose; // for `help`; a purpose of NULL hides the command
};

/* The table of all commands, `*count` long. */
const Command *commands_list(int *count);

/* The first command among the words of the line at `*cursor`, which is written to and becomes what
 * follows it: words before it are skipped, as the protocol asks. NULL, leaving the cursor, when
 * there is none. */
const Command *command_find(char **cursor);

/* Carries out one order on the command thread. */
void command_run(Session *session, const Command *command, char *arguments);
