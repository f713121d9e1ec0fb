// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Replacement schemes: which results stay in a full table. Thompson's two tables as described by
 * Moreland (2001), and the seven schemes of Breuker, Uiterwijk and van den Herik (1994,
 * section 6.1). The default, TwoDeep, was chosen by games (scripts/sprt/RESULTS.md).
 *
 * Thompson      first level: results at least as deep as its entry; second level: all others
 * ThompsonBoth  the same, but the second level takes every result
 * TwoDeep       a result at least as deep as the entry of the first level replaces it, and the old
 *               entry moves to the second level; a shallower result goes to the second level
 * TwoBig1       the same, by size of the subtree
 * Deep          one level: the deeper result stays
 * Big1          one level: the result with the bigger subtree stays
 * BigAll        the same, but the size of a subtree includes the stored sizes of the entries that
 *               caused cutoffs in it
 * New           one level: the new result always replaces the old one
 * Old           one level: the new result never replaces the old one
 *
 * Rules of all schemes:
 * - Any result replaces empty entries, stale entries and bare evaluations (without a bound).
 * - A result overwrites an older one of the same position in place. Exceptions: in the first level
 *   of both Thompson schemes the deeper one stays; with two levels, only results of the main search
 *   overwrite each other.
 * - At equal depth or size the new result wins.
 * - In schemes of two levels, results of quiescence and bare evaluations go to the second level
 *   only. A bare evaluation never replaces a current result that has a bound.
 * - In schemes of one level, results of quiescence compete by the rule of the scheme.
 *
 * Schemes of one level use the two entries of a slot separately, so that a table has the same
 * number of entries under each scheme. */

#include "tt/stats.h"
#include "tt/table.h"

/* Returns the name of the scheme, as the UCI option and the laboratory write it. REPLACE_BY_PROXY
 * has none. */
const char *replacement_name(Replacement replacement);

/* Writes the scheme called `name`, in any letter case, to `*out`. Returns false, with `*out`
 * unchanged, when no scheme has that name. */
bool replacement_parse(const char *name, Replacement *out);

/* Stores a result under the scheme of the table, as tt_store() does, but ignores a migration. Any
 * thread. */
void replacement_store(Tt *tt, Key key, SearchPoint at, const TtData *data, TtStats *stats);
