// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The program as its user meets it: a conversation on stdin and stdout, or commands on its command
 * line. */

#define UCI_NAME "Palimpsest"
#ifndef UCI_VERSION
#define UCI_VERSION "0.1"
#endif
#define UCI_AUTHOR "the Palimpsest founders"

#include "uci/session.h"

/* Takes in one line, which is written to; blank lines and lines that begin with # say nothing. */
void uci_read_line(Session *session, char *line);

/* Talks with the GUI until it says `quit` or hangs up. */
void uci_converse(Session *session);

/* What the words of a command line ask for. */
typedef enum { CALL_CONVERSE, CALL_COMMANDS, CALL_HELP, CALL_VERSION } UciCall;

/* Drops from the list the switches, which other programs pass to engines, and says so on stderr;
 * `*count` is updated. A negative number and a lone dash are none. */
UciCall uci_sift_arguments(int *count, char **arguments);

/* Carries out a command line: each argument is a command if any contains a blank, else all together
 * are one. Waits for every search. True when all went well. */
bool uci_run_arguments(Session *session, int count, char **arguments);

/* The exit statuses beside 0: after a faulty command line; on a processor that lacks what the
 * program was compiled to use. 2 is kept for a self-test that fails. */
enum { UCI_EXIT_FAULTY = 1, UCI_EXIT_PROCESSOR = 3 };

/* Runs the whole program and returns its exit status: 0 or UCI_EXIT_FAULTY. */
int uci_main(int argc, char **argv);
