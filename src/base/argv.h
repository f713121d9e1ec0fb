// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Command-line words in UTF-8 on every system. */

/* Returns the words of the command line in UTF-8. The result is `argv` itself where the system
 * provides UTF-8 or the conversion fails; it lasts as long as the program. */
char **argv_in_utf8(int argc, char **argv);
