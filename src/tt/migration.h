// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Copies the entries of a table to its successor after a resize. A large table takes seconds to
 * copy, mostly because the system must first map each page of the new memory. So the keys are
 * divided into shares, each of about 2 MiB of the larger table. tt_migrate() copies shares in
 * advance; a remaining share is copied when a search first probes or stores one of its keys.
 * Only for the modules of this folder. */

#include "tt/table.h"

typedef struct TtMigration {
    Tt source; // previous table; owns its memory and, after several resizes, its own migration
    uint64_t share_count;         // each share is an equal range of keys
    _Atomic uint64_t shares_left; // not yet copied completely
    atomic_bool is_claimed[];     // by share: a thread has begun to copy it
} TtMigration;

/* Prepares the copying of `source` to a table of `slot_count` slots. The migration owns the memory
 * of `source` from now on. Returns NULL, without owning the memory, when out of memory. */
TtMigration *migration_create(const Tt *source, uint64_t slot_count);

/* Frees the migration and the entries that were not copied. NULL is allowed. */
void migration_free(TtMigration *migration);

/* Inserts one packed entry of another table into `to`, at the place of its key and level. If that
 * place is empty, copies the entry unchanged: a packed entry does not depend on its slot. Otherwise
 * a stale entry replaces only a shallower stale entry, and a current entry is stored by the scheme
 * of `to`. Exception: a current entry is dropped when either level of its slot already has a result
 * of the same position that is at least as deep. Returns false when the entry was dropped by one of
 * these rules, true when it was copied or passed to the scheme. */
bool migration_insert(Tt *to, Key key, EntryWords words, bool is_first_level);

/* Copies share `share` to `to`, unless a thread has claimed it before. Then returns at once, even
 * if that thread is still copying. Any thread. */
void migration_copy_share(TtMigration *migration, Tt *to, uint64_t share);

/* Does the same for all shares of the keys `first` to `last`, inclusive. */
void migration_copy_keys(TtMigration *migration, Tt *to, Key first, Key last);
