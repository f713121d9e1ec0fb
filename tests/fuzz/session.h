// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A whole UCI session within this process, in a folder of its own. */

#include <stddef.h>

enum { FUZZ_LINES_MAX = 64 };

/* Enters an empty folder, at the first call; later removes its files. */
void fuzz_enter_folder(void);

/* Writes a file into this folder. */
void fuzz_write_file(const char *name, const void *bytes, size_t size);

/* Runs the lines as a script that was written to the engine's input at once, and returns the
 * output, which the caller frees. Every `go` must have printed its best move and every `isready`
 * its answer, and no line may have control characters. */
char *fuzz_session(char *const *lines, int count);
