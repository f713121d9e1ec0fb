// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Hash files as the user asks for them, by buttons and by `hash save|load|verify FILE`. What comes
 * of it is told in info strings: of a saving in the background, too. */

#include "uci/settings.h"

/* Each takes the file of the option HashFile when `path` is "". False when it is refused; a saving
 * that has begun may still fail, and tells so. No search may be running. */
bool hashfile_command_save(Settings *settings, const char *path);
bool hashfile_command_load(Settings *settings, const char *path);
bool hashfile_command_verify(Settings *settings, const char *path);
