// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Command-line words in UTF-8 on every system. */

/* Returns the words of the command line in UTF-8. Returns `argv` itself where the system already
 * provides UTF-8, and when the conversion fails. Never freed. */
char **argv_in_utf8(int argc, char **argv);
