// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Windows only: converts between UTF-8, used in this program, and UTF-16, used by the system for
 * file names and arguments. */

#include <stdbool.h>
#include <wchar.h>

/* Converts `text` into `wide`, which holds `size` characters with the NUL. Text that is not valid
 * UTF-8 is read in the system's ANSI code page, which some GUIs still use. False, with errno set,
 * when that fails too or the text is too long. */
bool wide_from_text(wchar_t *wide, int size, const char *text);

/* Returns the text in UTF-8, which the caller frees; NULL on failure. */
char *wide_to_text(const wchar_t *wide);
