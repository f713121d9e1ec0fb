// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The recent deep results of one worker, until they are sent: a ring buffer without locks. The
 * worker puts them in, the network thread takes them out. When it is full, new results are dropped.
 */

#include "tt/tt.h"

enum { OUTBOX_RECORDS = 256 };

/* All zero bytes are an empty outbox. */
typedef struct {
    _Atomic uint32_t put, taken; // records put in and taken out so far, modulo 2^32
    TtRecord records[OUTBOX_RECORDS];
} Outbox;

/* Returns false when the record was dropped. */
static inline bool outbox_put(Outbox *outbox, const TtRecord *record)
{
    const uint32_t put = atomic_load_explicit(&outbox->put, memory_order_relaxed);
    if (put - atomic_load_explicit(&outbox->taken, memory_order_acquire) == OUTBOX_RECORDS)
        return false;
    outbox->records[put % OUTBOX_RECORDS] = *record;
    atomic_store_explicit(&outbox->put, put + 1, memory_order_release);
    return true;
}

/* Returns false when the outbox is empty. */
static inline bool outbox_take(Outbox *outbox, TtRecord *record)
{
    const uint32_t taken = atomic_load_explicit(&outbox->taken, memory_order_relaxed);
    if (taken == atomic_load_explicit(&outbox->put, memory_order_acquire))
        return false;
    *record = outbox->records[taken % OUTBOX_RECORDS];
    atomic_store_explicit(&outbox->taken, taken + 1, memory_order_release);
    return true;
}
