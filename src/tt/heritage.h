// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What a table that changed its size has yet to take over from the one before. To go through large
 * tables takes seconds, above all while each page of the new one is new to memory, so they are gone
 * through share by share: ahead of use by threads that have nothing better to do, and otherwise
 * when the first key of a share is asked for. A share is a range of keys that fills some 2 MiB of
 * the larger table. For the modules of the table alone. */

#include "tt/entry.h"

typedef struct Heritage {
    Tt from;                 // the table before, with its memory
    uint64_t share_count;    // the same number of keys in each
    _Atomic uint64_t left;   // shares nobody has taken up
    _Atomic uint8_t state[]; // by share
} Heritage;

/* All that `from` holds, for a table of `slots` slots; owns its memory and its own heritage from
 * now on. NULL, owning nothing, when there is no memory for the list of shares. */
Heritage *heritage_create(const Tt *from, uint64_t slots);

/* Frees it and what nobody has taken over. */
void heritage_free(Heritage *heritage);

/* Puts one entry into `to`. What it holds says nothing of its place, so into a free one it is
 * copied as it is; a fresh entry that finds its place taken is offered like any result, unless what
 * it has to tell is there already: it could drive out another. Of stale ones the deepest stays. */
void heritage_adopt(Tt *to, Key key, EntryWords words, bool is_first_level);

/* Puts what share `share` holds into `to`, unless that was done before. A share that another thread
 * is just taking up is not waited for. */
void heritage_take(Heritage *heritage, const Tt *to, uint64_t share);

/* The same for all shares of the keys from `first` to `last`. */
void heritage_take_keys(Heritage *heritage, const Tt *to, Key first, Key last);
