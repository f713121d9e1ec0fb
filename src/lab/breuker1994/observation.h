// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* One observation of the replacement experiment: a position, how it was searched and what that
 * took; and the same as a row of CSV (results.h). */

#include "chess/notation.h"
#include "lab/breuker1994/alibaba.h"
#include "lab/results.h"
#include "tt/tt.h"

/* What happens to the table when the next position comes. */
typedef enum {
    STAMPING_OFF,     // it is cleared
    STAMPING_ON,      // kept; old entries answer, and yield to anything
    STAMPING_REFRESH, // the same, but an old entry that is read counts as new again (Robinson 1995)
    STAMPING_NB
} Stamping;

/* In the place of a scheme: searched without a table. */
enum { SCHEME_NONE = REPLACEMENT_NB, SCHEME_NB };

typedef struct {
    uint32_t suite; // tells sets of positions apart
    int scheme;     // Replacement or SCHEME_NONE
    int kilo;       // positions the table holds, in units of 1024; 0 without
    Stamping stamping;
    HistoryFate history;
    bool early_termination;
    int seed;
} Setting;

typedef struct {
    Setting setting;
    int ply, position; // depth searched; number in the suite, from 1
    AlibabaNodes nodes;
    Score score;
    char move[MOVE_TEXT_MAX];
} Observation;

enum { OBSERVATION_KEY_COLUMNS = 9 };
#define OBSERVATION_HEADER                                                                         \
    "suite,scheme,kpositions,stamping,history,early_termination,seed,ply,position,interior,leaf,"  \
    "quiescence,score,move"

/* "TwoBig1", "None"; "cleared", "stamped", "refreshed"; "kept", "aged", "cleared". */
const char *scheme_name(int scheme);
const char *stamping_name(Stamping stamping);
const char *fate_name(HistoryFate fate);

/* The values of those names, in any case of letters; false when it is none. */
bool scheme_parse(const char *name, int *out);
bool fate_parse(const char *name, HistoryFate *out);

/* Interior nodes, leaves and quiescence together: what is set against the paper. */
static inline uint64_t nodes_total(const AlibabaNodes *nodes)
{
    return nodes->interior + nodes->leaf + nodes->quiescence;
}

/* Writes the key columns, or the whole row; `out` holds RESULTS_ROW_MAX. */
void observation_key(const Observation *observation, char *out);
void observation_print(const Observation *observation, char *out);

/* Reads a row; false when it is none. */
bool observation_parse(Observation *observation, const char *row);
