// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Who is kept when the table is full: Thompson's two tables as Moreland (2001) tells them, and the
 * seven schemes of Breuker, Uiterwijk and van den Herik (1994, section 6.1), of which TwoDeep is
 * the default, by games (scripts/sprt/RESULTS.md). What they share: the stale, the empty and
 * evaluations without a bound yield to any result; a result of the same position is overwritten
 * where it stands; ties go to the newcomer; evaluations, which displace no fresh bound, and results
 * of quiescence go to the second level. Where there is but one level, quiescence must win its place
 * by the scheme's rule: let in always, as it is elsewhere, it would make all schemes `New`.
 *
 * Thompson      *deep* takes results at least as deep as its own, *recent* those it refuses
 * ThompsonBoth  the same, and *recent* takes all; here *deep* keeps the deeper of one position, too
 * TwoDeep       a result at least as deep as the first level's pushes that to the second level,
 *               a lesser one goes to the second level itself
 * TwoBig1       the same by size of the subtree
 * Deep          one level: the deeper stays
 * Big1          one level: the bigger subtree stays
 * BigAll        the same, where the search counts an answer of the table for what it once cost
 * New, Old      one level: the newcomer always, never
 *
 * One level means that every entry is a place of its own, so that a table holds as many positions
 * under each scheme. */

#include "tt/tt.h"

/* The scheme's name, as the option and the laboratory write it. */
const char *replacement_name(Replacement replacement);

/* The scheme of that name, in any case of letters, into `*out`; false when there is none. */
bool replacement_parse(const char *name, Replacement *out);

/* True when the scheme has one level. */
static inline bool replacement_is_single(Replacement replacement)
{
    return replacement >= REPLACE_DEEP;
}

/* What the schemes weigh. */
typedef struct {
    int depth;
    uint64_t size; // grows with the subtree
} Worth;

/* Whether the scheme prefers a result worth `newcomer` to another position's worth `extant`. */
bool replacement_prefers_newcomer(Replacement replacement, Worth extant, Worth newcomer);

/* What tt_store() does once the table holds what it is to. */
void replacement_store(Tt *tt, Key key, SearchPoint at, const TtData *data, TtStats *stats);
