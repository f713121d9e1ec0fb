// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A lesson: what a search of a position in a game came to, kept beyond the game. What is worth
 * keeping and how it is believed later are questions with three answers: *Mouse* (Slate 1987),
 * *Bebe* (Scherzer, Scherzer and Tjaden 1990), *Crafty* (Hyatt, from version 15 on). A lesson names
 * its position in full, so that it depends on no hash function, and the evaluation it rests on.
 *
 * Bebe    one lesson for each root searched; believed as score - fuzz .. score + fuzz; the newest
 *         stands
 * Mouse   only roots whose score fell well below that of an earlier iteration; believed likewise;
 *         a shallower result of the same network does not displace a lesson
 * Crafty  only roots whose score fell well below that of the search before; believed to the unit;
 *         no more than 65,536 of them, the newest ones */

#include "search/job.h"

typedef enum { LEARN_BEBE, LEARN_MOUSE, LEARN_CRAFTY, LEARN_POLICY_NB } LearnPolicy;

/* Where a lesson comes from. The values are part of the files. */
typedef enum { ORIGIN_LEARNED, ORIGIN_ANALYSIS, ORIGIN_ADVICE, ORIGIN_NB } LearnOrigin;

enum {
    LEARNED_DEPTH_MIN = 4,      // of searches worth keeping, and of nodes that ask for lessons
    LEARNED_DROP = 120,         // by how much a score falls that is a lesson to Mouse and Crafty
    LEARNED_CRAFTY_MAX = 65536, // lessons that policy keeps
    LEARNED_RULE50_MAX = 20,    // scores with the fifty-move counter this high are neither kept nor
                                // believed
    LEARNED_POSITION_MAX = 96   // bytes that hold any position
};
#define LEARNED_SEEN_MAX (INT64_C(1) << 40) // nobody counts further

typedef struct {
    char position[LEARNED_POSITION_MAX]; // the first four fields of its FEN, see
                                         // learned_position_text()
    Key key;                             // of this program; files are not asked for it
    Move move;                           // legal there
    Score score;      // for the side to move; SCORE_NONE: the move is all that is known
    int depth;        // plies
    int fullmove;     // number of the move in the game
    uint32_t network; // eval_fingerprint_short() of what the score rests on
    LearnOrigin origin;
    int64_t calendar_s; // when it was learned; told, never relied on
    int64_t seen;       // how often its position was met
} LearnedPosition;

/* The policy's name, as the option writes it. */
const char *learn_policy_name(LearnPolicy policy);

/* The origin's name, as lists and EPD files write it. */
const char *learn_origin_name(LearnOrigin origin);

/* Whether `policy` keeps what a search came to; `previous` is the score of the search before it in
 * the game, SCORE_NONE if there was none. */
bool learned_position_is_due(LearnPolicy policy, const SearchOutcome *outcome, Score previous);

/* Writes the one text a position has, whatever the mode: the first four fields of its FEN, castling
 * as KQkq where that is standard chess. `out` holds LEARNED_POSITION_MAX bytes. */
void learned_position_text(const Position *pos, char *out);

/* Sets position, key, number of the move and move of the lesson, and its score as far as it may be
 * kept: scores near the draw may come from repetitions that another game does not have, those of
 * tablebases from files it does not have, and those on a high fifty-move counter from that; all of
 * them leave the move alone. */
void learned_position_place(LearnedPosition *learned, const Position *pos, Move move, Score score);

/* Completes a lesson that comes as text, the other fields being set. False when it cannot be one of
 * ours: the position is none or not written as learned_position_text() writes it, the move is
 * illegal there, a number is out of range. */
bool learned_position_read(LearnedPosition *learned, const char *position, const char *move);

/* The move as coordinates; `out` holds MOVE_TEXT_MAX bytes. */
void learned_position_move_text(const LearnedPosition *learned, char *out);

/* A checksum of all but the key, the same in every version of this program. */
uint64_t learned_position_checksum(const LearnedPosition *learned);

/* Whether `newer` takes the place of `older`, of the same position and origin. */
bool learned_position_replaces(LearnPolicy policy, const LearnedPosition *newer,
                               const LearnedPosition *older);

/* The bounds within which `policy` believes a score, itself not SCORE_NONE. Proven ones are exact.
 */
typedef struct {
    Score low, high;
} LearnedBounds;
LearnedBounds learned_bounds(LearnPolicy policy, Score fuzz, Score score);
