// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Changes the size of a table without losing its entries. tt_resize_keeping() allocates the new
 * table and returns at once. tt_migrate() copies entries with all processors for a limited time.
 * Searches copy the rest as they probe and store (migration.h). */

#include "tt/tt.h"

/* Gives the table `mib` MiB and keeps its entries, unless the new size has no room for them.
 * Entries of a table without whole keys (tt_has_whole_keys()) are lost. Returns false, with nothing
 * changed, when there is no memory for both tables. No other thread may use the table. */
bool tt_resize_keeping(Tt *tt, uint64_t mib);

/* Copies entries of the previous table with all processors, for at most 400 ms. Does nothing when
 * no migration is under way. No other thread may use the table. */
void tt_migrate(Tt *tt);

/* Returns the number of shares that are still to copy and writes the number of all shares to
 * `*count`; both are 0 when no migration is under way. */
uint64_t tt_shares_left(const Tt *tt, uint64_t *count);

/* Copies share `share` of the migration that is under way, if no thread did so before. Any thread,
 * at any time. */
void tt_migrate_share(Tt *tt, uint64_t share);

/* Frees the previous table if all shares are copied. No other thread may use the table or a copy
 * of it. */
void tt_finish_migration(Tt *tt);
