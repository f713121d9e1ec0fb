// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The description of one command. commands/list.def lists all of them. */

struct Session;

/* Runs the command. `arguments` is the text after the command's name; the function may modify it.
 */
typedef void (*CommandFn)(struct Session *session, char *arguments);

/* The thread that runs the command. */
typedef enum {
    BY_QUEUE,  // the command thread, in order
    BY_READER, // the reader thread, at once
    BY_SEARCH  // the reader thread during a search, else the command thread
} CommandThread;

/* What happens to a running search before the command thread runs the command. */
typedef enum {
    SEARCH_CONTINUES,
    SEARCH_STOPS,  // the search is stopped and prints its best move
    SEARCH_ENDS,   // the command waits for the end of the search, or until a later command stops it
    SEARCH_AWAITED // the command waits, whatever follows; the end of the input does not end the
                   // search either, if it has a limit
} SearchEffect;

typedef struct {
    const char *name;
    CommandFn run;
    CommandThread thread;
    SearchEffect effect;
    const char *arguments, *purpose; // for `help`; a command without purpose (NULL) is hidden
} Command;
