// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The program as a whole: it runs the UCI loop on stdin and stdout, or the commands of its command
 * line. */

#include "uci/session.h"

/* Processes one input line and may modify it. Ignores blank lines and lines that begin with #.
 * Reader thread only. */
void uci_read_line(Session *session, char *line);

/* What the command line requests. */
typedef enum { CALL_LOOP, CALL_COMMANDS, CALL_HELP, CALL_VERSION } UciCall;

/* Removes arguments that begin with a hyphen from the list, and names each on stderr. Some clients
 * pass such switches to every engine (lichess-bot --cpuct=3.1). Negative numbers, a single hyphen
 * and all arguments of a command that has switches stay. Updates `*count` and returns what to run.
 * -h, --help, -v and --version override all commands. */
UciCall uci_filter_arguments(int *count, char **arguments);

/* Runs the whole program and returns its exit status: 0 or UCI_EXIT_FAULTY. `listener` may be NULL.
 */
int uci_main(int argc, char **argv, const SessionListener *listener);
