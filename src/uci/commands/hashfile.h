// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Hash files: the buttons Save Hash and Load Hash, and `hash save|load|verify FILE`. Results and
 * progress are printed as info strings, also while a save runs in the background. */

#include "uci/settings.h"

/* If `path` is "", the file is that of the option HashFile. These functions print the reason and
 * return false on failure. A save runs in the background and may still fail after the function
 * returned true; it then prints an error. No search may be running. */
bool hashfile_command_save(Settings *settings, const char *path);
bool hashfile_command_load(Settings *settings, const char *path);
bool hashfile_command_verify(Settings *settings, const char *path);
