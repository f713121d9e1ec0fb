// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/census.h"

#include <stdlib.h>

enum {
    CHECK_NODES_MAX = 1000000, // a second search larger than this is given up
    CHECK_MIB = 1,
    NO_TABLE_ENTRIES = 2 // the smallest table holds nothing of use
};

struct Census {
    CensusPolicy policy;
    int every;
    Single *with_table, *without_table; // for the second searches
    CutoffJudge judge;
    CensusCounts counts;
    int owed; // CENSUS_CONTROL: confirmed cutoffs still to be refused
};

/* The result of a second search: does it fail on the side of the window that the entry claims? */
typedef enum { CONFIRMED, CONTRADICTED, UNDECIDED } CutoffVerdict;

static CutoffVerdict search_again(Single *single, const Node *n, const TtData *entry, int depth,
                                  bool forgets_path)
{
    Score score;
    tt_clear_slice(single_table(single), 0, 1);
    if (!single_search_again(single, n, depth, forgets_path, CHECK_NODES_MAX, &score))
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

static CensusCause find_cause(const Census *census, const Node *n, const TtData *entry)
{
    if (is_foreign(n, entry))
        return CENSUS_KEY;
    if (entry->depth > n->depth &&
        search_again(census->with_table, n, entry, entry->depth, false) == CONFIRMED)
        return CENSUS_DRAFT;
    return search_again(census->with_table, n, entry, entry->depth, true) == CONFIRMED
               ? CENSUS_PATH
               : CENSUS_OTHER;
}

/* Counts a sampled cutoff. */
static CutoffVerdict check(Census *census, const Node *n, const TtData *entry)
{
    CensusCounts *const counts = &census->counts;
    const CutoffVerdict verdict = search_again(census->with_table, n, entry, n->depth, false);
    counts->samples++;
    counts->undecided += verdict == UNDECIDED;
    counts->deep_samples += n->depth >= CENSUS_DEEP;
    counts->without_table +=
        search_again(census->without_table, n, entry, n->depth, false) == CONTRADICTED;
    if (verdict == CONTRADICTED) {
        counts->deep += n->depth >= CENSUS_DEEP;
        counts->causes[find_cause(census, n, entry)]++;
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

Census *census_create(const EvalSource *source, CensusPolicy policy, int every)
{
    Census *const census = calloc(1, sizeof *census);
    if (census == NULL)
        return NULL;
    census->policy = policy;
    census->every = every;
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
