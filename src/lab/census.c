// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/census.h"

#include <stdlib.h>

enum {
    CHECK_MIB = 1,
    NO_TABLE_ENTRIES = 2 // the smallest table holds nothing of use
};

struct Census {
    CensusPolicy policy;
    int every;
    uint64_t nodes_max;                 // of a second search
    Single *with_table, *without_table; // for the second searches
    CutoffJudge judge;
    CensusCounts counts;
    int owed; // CENSUS_CONTROL: confirmed cutoffs still to be refused
};

/* The result of a second search: does it fail on the side of the window that the entry claims? */
typedef enum { CONFIRMED, CONTRADICTED, UNDECIDED } CutoffVerdict;

static CutoffVerdict search_again(const Census *census, Single *single, const Node *n,
                                  const TtData *entry, int depth, bool forgets_path)
{
    Score score;
    tt_clear_small(single_table(single));
    if (!single_search_again(single, n, depth, forgets_path, census->nodes_max, &score))
        return UNDECIDED;
    return (score >= n->beta) == (entry->score >= n->beta) ? CONFIRMED : CONTRADICTED;
}

/* Whether the entry was stored for another position: it does not show when all bits of the key are
 * compared. */
static bool is_foreign(const Node *n, const TtData *entry)
{
    Tt whole = *n->w->shared->tt;
    whole.check_mask = CHECK_ALL;
    TtData found[2];
    const int count =
        tt_peek(&whole, table_key(n->pos), (SearchPoint){n->ply, n->pos->rule50}, found);
    for (int i = 0; i < count; i++)
        if (found[i].depth == entry->depth && found[i].score == entry->score &&
            found[i].bound == entry->bound)
            return false;
    return true;
}

/* Writes the cause of a contradicted cutoff to `*cause`. False when a search for it is given up. */
static bool find_cause(const Census *census, const Node *n, const TtData *entry, CensusCause *cause)
{
    Single *const single = census->with_table;
    *cause = CENSUS_KEY;
    if (is_foreign(n, entry))
        return true;
    if (entry->depth > n->depth) {
        *cause = CENSUS_DRAFT;
        const CutoffVerdict deeper = search_again(census, single, n, entry, entry->depth, false);
        if (deeper != CONTRADICTED)
            return deeper == CONFIRMED;
    }
    const CutoffVerdict pathless = search_again(census, single, n, entry, entry->depth, true);
    *cause = pathless == CONFIRMED ? CENSUS_PATH : CENSUS_OTHER;
    return pathless != UNDECIDED;
}

/* Counts a sampled cutoff. */
static CutoffVerdict check(Census *census, const Node *n, const TtData *entry)
{
    CensusCounts *const counts = &census->counts;
    const CutoffVerdict verdict =
        search_again(census, census->with_table, n, entry, n->depth, false);
    const CutoffVerdict without_table =
        search_again(census, census->without_table, n, entry, n->depth, false);
    const bool is_deep = n->depth >= CENSUS_DEEP;
    CensusCause cause = CENSUS_OTHER;
    counts->samples++;
    if (verdict == UNDECIDED || without_table == UNDECIDED ||
        (verdict == CONTRADICTED && !find_cause(census, n, entry, &cause))) {
        counts->undecided++;
        return verdict;
    }
    counts->deep_samples += is_deep;
    counts->without_table += without_table == CONTRADICTED;
    if (verdict == CONTRADICTED) {
        counts->deep += is_deep;
        counts->causes[cause]++;
    }
    return verdict;
}

static bool accepts(void *ctx, const Node *n, const TtData *entry)
{
    Census *const census = ctx;
    if (n->depth <= 0)
        return true;
    census->counts.cutoffs++;
    if (census->policy == CENSUS_REFUSE)
        return false;
    if (census->counts.cutoffs % census->every != 0)
        return true;
    const CutoffVerdict verdict = check(census, n, entry);
    if (census->policy == CENSUS_CORRECT)
        return verdict != CONTRADICTED;
    census->owed += census->policy == CENSUS_CONTROL && verdict == CONTRADICTED;
    if (verdict != CONFIRMED || census->owed == 0)
        return true;
    census->owed--;
    return false;
}

Census *census_create(const EvalSource *source, CensusPolicy policy, int every, uint64_t nodes_max)
{
    Census *const census = calloc(1, sizeof *census);
    if (census == NULL)
        return NULL;
    census->policy = policy;
    census->every = every;
    census->nodes_max = nodes_max;
    census->judge = (CutoffJudge){accepts, census};
    census->with_table = single_create(CHECK_MIB, source);
    census->without_table = single_create(CHECK_MIB, source);
    if (census->with_table == NULL || census->without_table == NULL ||
        !tt_resize_positions(single_table(census->without_table), NO_TABLE_ENTRIES)) {
        census_destroy(census);
        return NULL;
    }
    return census;
}

void census_destroy(Census *census)
{
    if (census == NULL)
        return;
    single_destroy(census->with_table);
    single_destroy(census->without_table);
    free(census);
}

const CutoffJudge *census_judge(Census *census)
{
    return &census->judge;
}

const CensusCounts *census_counts(const Census *census)
{
    return &census->counts;
}
