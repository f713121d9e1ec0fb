// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Replacement schemes: which results stay in a full table. Thompson's two tables after Moreland
 * (2001), and the seven schemes of Breuker, Uiterwijk and van den Herik (1994, section 6.1). The
 * default TwoDeep was chosen by games (scripts/sprt/RESULTS.md).
 *
 * Thompson      first level: results at least as deep as the old one; second level: all others
 * ThompsonBoth  the same, but the second level takes every result
 * TwoDeep       a result at least as deep as the first level's moves that one to the second level;
 *               a shallower result goes to the second level
 * TwoBig1       the same, by size of the subtree
 * Deep          one level: the deeper result stays
 * Big1          one level: the bigger subtree stays
 * BigAll        the same, but the search adds the stored size of an entry that caused a cutoff
 * New           one level: the new result always replaces the old one
 * Old           one level: it never does
 *
 * Rules of all schemes:
 * - Empty and stale entries and bare evaluations (no bound) are replaced by any result.
 * - A result of the same position is overwritten in place, except in the first level of both
 *   Thompson schemes, where the deeper one stays.
 * - The new result wins ties.
 * - Results of quiescence and bare evaluations go to the second level only. A bare evaluation
 *   replaces no current result with a bound.
 * - In schemes of one level, quiescence competes like any result; otherwise it would always win.
 *
 * Schemes of one level use the two entries of a slot as separate places, so that a table has the
 * same number of entries under each scheme. */

#include "tt/stats.h"
#include "tt/table.h"

/* Returns the name of the scheme, as the UCI option and the laboratory write it. */
const char *replacement_name(Replacement replacement);

/* Writes the scheme called `name`, in any letter case, to `*out`. Returns false, with `*out`
 * unchanged, when no scheme has that name. */
bool replacement_parse(const char *name, Replacement *out);

/* What the schemes compare. */
typedef struct {
    int depth;
    uint64_t size; // as packed in entries: grows with the subtree
} Worth;

/* Returns true when `new_worth` replaces the result `old_worth` of another position. */
bool replacement_prefers_new(Replacement replacement, Worth old_worth, Worth new_worth);

/* Stores a result under the scheme of the table, as tt_store() does, without regard to a migration.
 * Any thread. */
void replacement_store(Tt *tt, Key key, SearchPoint at, const TtData *data, TtStats *stats);
