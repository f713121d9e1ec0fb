// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Copies the entries of a table to its successor after a resize. A large table takes seconds to
 * copy, mostly because each page of the new memory must first be mapped. So the keys are divided
 * into shares that fill about 2 MiB of the larger table. Idle threads copy shares in advance
 * (resize.h); otherwise a share is copied when the first of its keys is probed or stored.
 * For the modules of this folder. */

#include "tt/table.h"

typedef struct TtMigration {
    Tt source; // previous table; owns its memory and, after several resizes, its own migration
    uint64_t share_count;         // all shares have the same number of keys
    _Atomic uint64_t shares_left; // not yet copied
    _Atomic uint8_t is_claimed[]; // by share: true once a thread has begun to copy it
} TtMigration;

/* Prepares a copy of `source` to a table of `slot_count` slots. The migration owns the memory of
 * `source` from now on. Returns NULL, owning nothing, when out of memory. */
TtMigration *migration_create(const Tt *source, uint64_t slot_count);

/* Frees the migration and the entries that were not copied. NULL is allowed. */
void migration_free(TtMigration *migration);

/* Inserts one packed entry of another table into `to`. An entry does not depend on its place, so an
 * empty place takes it unchanged. A stale entry replaces shallower stale ones only. A current entry
 * is stored by the scheme of `to`, unless `to` already has the position at this depth: a store
 * could displace another one. */
void migration_insert(Tt *to, Key key, EntryWords words, bool is_first_level);

/* Copies a share to `to`, once. Returns at once when another thread copies the share already. Any
 * thread. */
void migration_copy_share(TtMigration *migration, Tt *to, uint64_t share);

/* The same for all shares of the keys `first` to `last`, inclusive. */
void migration_copy_keys(TtMigration *migration, Tt *to, Key first, Key last);
