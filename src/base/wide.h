// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Windows alone: names of files and arguments are UTF-16 there, and UTF-8 everywhere in here. */

#include <stdbool.h>
#include <wchar.h>

/* Writes `text` to `wide`, which holds `size` characters. Text that is not UTF-8 is taken for the
 * system's old code page, in which some GUIs still write. False, with errno set, when it is neither
 * or too long. */
bool wide_from_text(wchar_t *wide, int size, const char *text);

/* The text in UTF-8, to be freed, or NULL. */
char *wide_to_text(const wchar_t *wide);
