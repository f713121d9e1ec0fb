// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The table of all commands, made from list.def: finds, runs and lists them. */

#include "uci/session.h"

/* For tests: all commands, `*count` long. */
const Command *commands_list(int *count);

/* Finds the first word of the line at `*cursor` that is a command; the UCI protocol requires that
 * unknown words before it are ignored. Advances the cursor to the text after that word. Returns
 * NULL, with the cursor unchanged, when there is no command. */
const Command *command_find(char **cursor);

/* Runs a command, after stopping or awaiting the search as the command requires. If `command` is
 * NULL, prints that the command is unknown. Command thread only. */
void command_run(Session *session, const Command *command, char *arguments);

/* Whether the word is the name of a command whose arguments include switches such as --json. */
bool command_takes_switches(const char *word);

/* Whether the word is the name of a command that works through a file and takes its name first. */
bool command_takes_file(const char *word);
