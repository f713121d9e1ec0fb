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
typedef enum { CALL_LOOP, CALL_COMMANDS, CALL_HELP, CALL_VERSION, CALL_UNKNOWN } UciCall;

/* Returns what the arguments ask for. The first switch decides: -h or --help, -v or --version, or an
 * unknown one, to which `*unknown` then points. A switch begins with a hyphen; negative numbers and
 * a single hyphen belong to commands. */
UciCall uci_read_arguments(int count, char *const *arguments, const char **unknown);

/* Runs the commands of a command line. If any argument contains a blank, each argument is one
 * command; otherwise all of them together are one. Waits for every search. Returns false when a
 * command failed. */
bool uci_run_arguments(Session *session, int count, char **arguments);

/* Runs the whole program and returns its exit status: 0 or UCI_EXIT_FAULTY. */
int uci_main(int argc, char **argv);
