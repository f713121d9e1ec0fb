// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The program as a whole: it runs the UCI loop on stdin and stdout, or the commands of its command
 * line. */

#include "uci/session.h"

/* Processes one input line and may modify it. Ignores blank lines and lines that begin with #.
 * Reader thread only. */
void uci_read_line(Session *session, char *line);

/* Runs the UCI loop until `quit` or the end of the input. Starts the reader thread; the calling
 * thread becomes the command thread. Afterwards session->failed is true only if the reader thread
 * could not start. */
void uci_loop(Session *session);

/* What the command line requests. */
typedef enum { CALL_LOOP, CALL_COMMANDS, CALL_HELP, CALL_VERSION } UciCall;

/* Removes arguments that begin with a hyphen from the list, and names each on stderr. Some clients
 * pass such switches to every engine (lichess-bot --cpuct=3.1). Negative numbers, a single hyphen
 * and all arguments of a command that has switches stay. Updates `*count` and returns what to run.
 * -h, --help, -v and --version override all commands. */
UciCall uci_filter_arguments(int *count, char **arguments);

/* Runs the commands of a command line. If any argument contains a blank, each argument is one
 * command; otherwise all arguments together are one command. Exception: if the first argument is
 * the name of a command that works through a file, all are one command, and arguments with blanks,
 * such as paths, are put in quotes. Waits for every search, but stops one without a limit when a
 * later command needs its end. Returns false when a command failed. */
bool uci_run_arguments(Session *session, int count, char **arguments);

/* Runs the whole program and returns its exit status: 0 or UCI_EXIT_FAULTY. `listener` may be NULL.
 */
int uci_main(int argc, char **argv, const SessionListener *listener);
