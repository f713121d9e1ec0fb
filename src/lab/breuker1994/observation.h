// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* One observation of the replacement experiment: a position, the settings of its search and the
 * nodes of the search. Also its form as a row of CSV (results.h). */

#include "chess/notation.h"
#include "lab/breuker1994/alibaba.h"
#include "lab/results.h"

/* What happens to the table between two positions. */
typedef enum {
    STAMPING_OFF,     // cleared
    STAMPING_ON,      // kept; old entries are used, and any new result replaces them
    STAMPING_REFRESH, // as STAMPING_ON, but a read makes an old entry current (Robinson 1995)
    STAMPING_NB
} Stamping;

/* Used instead of a Replacement: no table. */
enum { SCHEME_NONE = REPLACEMENT_NB, SCHEME_NB };

typedef struct {
    uint32_t suite; // checksum of the set of positions and of its games
    int scheme;     // Replacement or SCHEME_NONE
    int kilo;       // size of the table in units of 1024 positions; 0 without a table
    Stamping stamping;
    HistoryFate history;
    bool early_termination;
    int seed; // of the Zobrist keys
} Setting;

/* Whether two settings belong to the same report: equal suite, history and early termination. */
static inline bool setting_same_group(const Setting *a, const Setting *b)
{
    return a->suite == b->suite && a->history == b->history &&
           a->early_termination == b->early_termination;
}

typedef struct {
    Setting setting;
    int ply, position; // search depth; number of the position in the suite, from 1
    AlibabaNodes nodes;
    Score score;
    char move[MOVE_TEXT_MAX]; // best move in UCI notation
} Observation;

enum { OBSERVATION_KEY_COLUMNS = 9 };
#define OBSERVATION_HEADER                                                                         \
    "suite,scheme,kpositions,stamping,history,early_termination,seed,ply,position,interior,leaf,"  \
    "quiescence,score,move"

/* Names in options and results: schemes such as "TwoBig1", or "None"; "cleared", "stamped",
 * "refreshed"; "kept", "aged", "cleared". */
const char *scheme_name(int scheme);
const char *stamping_name(Stamping stamping);
const char *fate_name(HistoryFate fate);

/* Parse a name of a scheme or of a treatment of the history, ignoring case; false when it is
 * unknown. */
bool scheme_parse(const char *name, int *out);
bool fate_parse(const char *name, HistoryFate *out);

/* Write the key columns, or the whole row, to `out` (RESULTS_ROW_MAX bytes). */
void observation_key(const Observation *observation, char *out);
void observation_print(const Observation *observation, char *out);

/* Parses a row; false when it is malformed. */
bool observation_parse(Observation *observation, const char *row);
