// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Name, version, author and exit statuses of the program. The Makefile and scripts/release/ read
 * the version from this file. */

#define UCI_NAME "Palimpsest"
#ifndef UCI_VERSION
#define UCI_VERSION "0.1"
#endif
#define UCI_AUTHOR "the Palimpsest founders"

/* Exit statuses other than 0: a command of the command line failed; the processor lacks an
 * instruction set that the program was compiled for. */
enum { UCI_EXIT_FAULTY = 1, UCI_EXIT_PROCESSOR = 3 };
