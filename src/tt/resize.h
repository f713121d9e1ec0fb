// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Changes the size of a table and keeps its entries. tt_resize_keeping() allocates the new table
 * and returns at once. tt_migrate() copies entries with all processors for a limited time. Searches
 * copy the rest, share by share, when they probe and store (migration.h). */

#include "tt/tt.h"

/* Sets the size to `mib` MiB. Keeps the entries; in a smaller table, those that the replacement
 * scheme prefers. Entries of a table without whole keys (tt_has_whole_keys()) are lost. Returns
 * false, with nothing changed, when there is no memory for both tables. No other thread may use the
 * table. */
bool tt_resize_keeping(Tt *tt, uint64_t mib);

/* Copies entries of the previous table with all processors, for at most 400 ms. Does nothing when
 * no migration is under way. No other thread may use the table. */
void tt_migrate(Tt *tt);

/* Returns the number of shares that are not yet copied, and writes the number of all shares to
 * `*count`. Both are 0 when no migration is under way. */
uint64_t tt_shares_left(const Tt *tt, uint64_t *count);

/* Copies share `share` (0..count-1) of the migration under way, if no thread has done so before. A
 * migration must be under way. Any thread, at any time. */
void tt_migrate_share(Tt *tt, uint64_t share);

/* Frees the previous table if all shares are copied. No other thread may use the table or a copy
 * of its Tt (such as HashSave.view). */
void tt_finish_migration(Tt *tt);
