// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Hash files: the buttons Save Hash and Load Hash, and `hash save|load|verify FILE`. Results and
 * progress are printed as info strings, also while a save runs in the background. */

#include "uci/settings.h"

/* If `path` is "", the file is that of the option HashFile. These functions print the reason and
 * return false on failure. A save runs in the background and may still fail after the function
 * returned true; it then prints an error. No search may be running. */
bool hash_files_save(Settings *settings, const char *path);
bool hash_files_load(Settings *settings, const char *path);
bool hash_files_verify(Settings *settings, const char *path);

/* "database", as for a file of learned positions, or "hash file": no command may replace such a
 * file by another kind. NULL: `path` is neither. */
const char *hash_files_kept_kind(const char *path);

/* With the option HashFile Auto: loads the file of HashFile if that is not done yet. To be called
 * before searches without a clock; does nothing while a search is running. */
void hash_auto_load(Settings *settings);

/* To be called when the table has lost its entries: the file is loaded again. */
void hash_auto_forget(Settings *settings);

/* To be called when the option HashFile has changed: begins to save new results to the old file.
 * Prints the reason and returns false on failure. */
bool hash_auto_change(Settings *settings);

/* Empties the table. HashFile Auto saves new results before it, and does not load the file again.
 */
void hash_files_clear(Settings *settings);

/* The ClearListener (engine.h) of the session's engine; `ctx` is its Settings. Does the same, but
 * the file is loaded again. */
void hash_auto_before_clear(void *ctx);

/* To be called when a search begins: afterwards there are new results to save. */
void hash_auto_note(Settings *settings);

/* Saves the file if it is time: searches began since the last save, and the interval is over. May
 * be called during a search. */
void hash_auto_tick(Settings *settings);

/* Whether the end of the program must wait until HashFile Auto has saved. */
bool hash_auto_has_unsaved(const Settings *settings);

/* At the end of the program: waits for a running save, then begins to save the file, if that is not
 * done. The caller has limited the time of both, and ends the new save. False when there is
 * something to save but it could not begin. */
bool hash_auto_end(Settings *settings);
