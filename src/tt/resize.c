// SPDX-License-Identifier: GPL-3.0-or-later
#include "tt/resize.h"

#include "base/clock.h"
#include "base/team.h"
#include "base/thread.h"
#include "tt/migration.h"

enum { TIME_MS = 400 }; // of tt_migrate(); searches copy the rest

bool tt_resize_keeping(Tt *tt, uint64_t mib)
{
    Tt created = tt_without_memory(tt);
    if (!tt_resize_positions(&created, (mib << 20) / sizeof(TtEntry)))
        return false;
    /* A table without any copied share is still empty: then the new migration starts from its
     * source. */
    uint64_t count;
    const bool is_empty = tt_shares_left(tt, &count) == count && count > 0;
    Tt *const source = is_empty ? &tt->migration->source : tt;
    if (tt_has_whole_keys(source)) {
        created.migration = migration_create(source, created.slot_count);
        if (created.migration == NULL) {
            tt_free(&created);
            return false;
        }
        source->slots = NULL;
        source->migration = NULL;
    }
    tt_free(tt);
    *tt = created;
    return true;
}

uint64_t tt_shares_left(const Tt *tt, uint64_t *count)
{
    const TtMigration *const migration = tt->migration;
    *count = migration != NULL ? migration->share_count : 0;
    return migration != NULL ? atomic_load_explicit(&migration->shares_left, memory_order_relaxed)
                             : 0;
}

void tt_migrate_share(Tt *tt, uint64_t share)
{
    migration_copy_share(tt->migration, tt, share);
}

void tt_finish_migration(Tt *tt)
{
    uint64_t count;
    if (tt_shares_left(tt, &count) > 0)
        return;
    migration_free(tt->migration);
    tt->migration = NULL;
}

/* Shared by the threads of tt_migrate(). Each thread copies one share after the other. */
typedef struct {
    Tt *tt;
    uint64_t share_count;
    int64_t until_ms;
    _Atomic uint64_t next_share;
} Team;

static void *copy_shares(void *argument)
{
    Team *const team = argument;
    for (uint64_t share = atomic_fetch_add(&team->next_share, 1);
         share < team->share_count && clock_ms() <= team->until_ms;
         share = atomic_fetch_add(&team->next_share, 1))
        tt_migrate_share(team->tt, share);
    return NULL;
}

void tt_migrate(Tt *tt)
{
    Team team = {.tt = tt, .until_ms = clock_ms() + TIME_MS};
    if (tt_shares_left(tt, &team.share_count) == 0)
        return;
    team_run(thread_hardware_count(), copy_shares, &team);
    tt_finish_migration(tt);
}
