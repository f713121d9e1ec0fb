// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The temporary file of a test, and positions for it. */

/* Creates the file with this text, or overwrites it, and returns its path. */
const char *temp_file_write(const char *text);

/* Path of the file; it need not exist. */
const char *temp_file_path(void);

/* Removes the file. Each test process has a file of its own. */
void temp_file_remove(void);

/* EPD lines of four positions: two of game A, one of game B, and one without a game. */
extern const char FOUR_POSITIONS[];
