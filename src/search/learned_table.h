// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Learned positions in RAM: a hash table that the search probes. It is separate from the
 * transposition table, so that no search result can replace a learned position. The table never
 * deletes single entries. Any number of threads may probe it while no thread changes it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chess/types.h"
#include "eval/score.h"

/* The policy decides which positions are kept and what a learned score proves; learned_position.h
 * cites the sources. Bebe: the true score lies within ± fuzz. Mouse: the same, and a shallower
 * result never replaces a deeper one of the same network. Crafty: the score is exact. */
typedef enum { LEARN_BEBE, LEARN_MOUSE, LEARN_CRAFTY, LEARN_POLICY_NB } LearnPolicy;

/* Source of a learned position: play, analysis, or the user. Files contain these numbers: do not
 * change them. */
typedef enum { ORIGIN_LEARNED, ORIGIN_ANALYSIS, ORIGIN_ADVICE, ORIGIN_NB } LearnOrigin;

enum {
    LEARNED_DEPTH_MIN = 4,  // plies: shallower searches are not kept, shallower nodes do not probe
    LEARNED_RULE50_MAX = 20 // from this fifty-move counter on, scores are neither kept nor used
};

typedef struct {
    Key key;
    uint32_t network; // eval_fingerprint_short() of the evaluation that gave the score
    int16_t score;    // for the side to move; SCORE_NONE: only the move is known
    Move move;        // MOVE_NONE: the slot is empty
    uint8_t depth;    // plies, at most MAX_DEPTH
    uint8_t origin;   // LearnOrigin
} LearnedEntry;

typedef struct {
    LearnedEntry *slots; // 2^slot_bits of them; NULL while the table is empty
    int slot_bits;
    size_t count;     // used slots
    uint32_t network; // of the current evaluation; scores of other networks are not used
    LearnPolicy policy;
    Score fuzz; // error bound of a score, for Bebe and Mouse
} LearnedTable;

/* Frees the slots; network, policy and fuzz keep their values. */
void learned_table_clear(LearnedTable *table);

/* Whether `newer` replaces `older`, of the same position and origin. */
bool learned_entry_replaces(LearnPolicy policy, const LearnedEntry *newer,
                            const LearnedEntry *older);

/* Whether `newer` is the better one of two entries of a position, whatever the policy: the entry
 * whose score can be used with `network`; else the deeper one; if they are equally deep, `newer`.
 */
bool learned_entry_outranks(const LearnedEntry *newer, const LearnedEntry *older, uint32_t network);

/* Adds an entry, which must have a move. `is_newer`: it was learned after all entries of the table;
 * otherwise before them. The table keeps one entry for each position. Advice replaces other
 * origins. If one entry comes from play and the other from analysis, learned_entry_outranks()
 * decides; if both have the same origin, learned_entry_replaces(). False when memory is short. */
bool learned_table_put(LearnedTable *table, const LearnedEntry *entry, bool is_newer);

/* Size of the slots in bytes. */
size_t learned_table_bytes(const LearnedTable *table);

/* The entry with this key, or NULL. Valid until the table changes. */
const LearnedEntry *learned_table_find(const LearnedTable *table, Key key);

/* Whether the score of `entry` may bound a node that is searched to `depth`, `ply` plies from the
 * root and with the fifty-move counter `rule50`. As in the transposition table, a mate for which
 * the counter leaves no time, or which ends beyond MAX_PLY, proves nothing there. */
bool learned_score_is_usable(const LearnedTable *table, const LearnedEntry *entry, int depth,
                             int ply, int rule50);

/* Interval that holds the true score. */
typedef struct {
    Score low, high;
} LearnedBounds;

/* Interval that holds the true score if `policy` is right about `score`, which must not be
 * SCORE_NONE. Proven scores (mates and tablebase results) are exact under every policy. */
LearnedBounds learned_bounds(LearnPolicy policy, Score fuzz, Score score);
