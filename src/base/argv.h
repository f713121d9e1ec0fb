// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The words of the command line as a program may read them. */

/* Returns them in UTF-8, `argv` where they are so already; they last as long as the program. */
char **argv_in_utf8(int argc, char **argv);
