// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Checks cutoffs by the table in the main search while it runs; those in quiescence are accepted. A
 * sample of them is searched again: the same node at the same depth, with an empty table, and
 * without any table. When the second search does not fail on the same side of the window, the entry
 * gave another result than a search: search instability. Further searches tell its cause. */

#include "engine/single.h"

/* What happens at a sampled cutoff. */
typedef enum {
    CENSUS_OBSERVE, // the entry ends the node, right or wrong
    CENSUS_CORRECT, // a cutoff that the second search contradicts does not end the node
    CENSUS_CONTROL, // after each of those, the next confirmed cutoff does not end its node
    CENSUS_REFUSE,  // no cutoff ends a node; nothing is searched again
    CENSUS_POLICY_NB
} CensusPolicy;

/* Causes of a contradicted cutoff, in the order in which they are tried. */
typedef enum {
    CENSUS_KEY,   // the entry belongs to another position; not tested if all bits are compared
    CENSUS_DRAFT, // a second search as deep as that of the entry agrees with it
    CENSUS_PATH,  // it agrees once it forgets earlier positions and the fifty-move counter
    CENSUS_OTHER, // the search depends on its table and histories
    CENSUS_CAUSE_NB
} CensusCause;

enum {
    CENSUS_DEEP = 4,           // plies from which a node counts as deep
    CENSUS_NODES_MAX = 1000000 // a second search larger than this is given up
};

/* A sample with a second search that was given up counts in `samples` and `undecided` only. */
typedef struct {
    int64_t cutoffs;                 // by entries of the table in the main search
    int64_t samples, undecided;      // searched again; of these, given up
    int64_t causes[CENSUS_CAUSE_NB]; // contradicted cutoffs by cause
    int64_t deep_samples, deep;      // decided samples at deep nodes; of these, contradicted
    int64_t without_table;           // contradicted by the search without a table
} CensusCounts;

typedef struct Census Census;

/* Creates a census that checks every `every`th cutoff. `nodes_max`: CENSUS_NODES_MAX, or less. NULL
 * when memory is short. */
Census *census_create(const EvalSource *source, CensusPolicy policy, int every, uint64_t nodes_max);
void census_destroy(Census *census);

/* The judge for TrialSetting.judge or single_set_judge(), and what it has counted. */
const CutoffJudge *census_judge(Census *census);
const CensusCounts *census_counts(const Census *census);
