// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A learned position: the result of a search in a game, kept for later games. The position is
 * stored as text, so that it does not depend on hash functions. The score is stored with the
 * network that produced it. The policies come from the literature (LearnPolicy is in
 * search/learned_table.h):
 *
 * Bebe    (Scherzer, Scherzer and Tjaden 1990) keeps the root of every search; trusts
 *         score ± fuzz; the newest result stays
 * Mouse   (Slate 1987) keeps only roots where the score fell well below that of an earlier
 *         iteration; trusts score ± fuzz; a shallower result of the same network does not replace
 *         a deeper one
 * Crafty  (Hyatt, from version 15 on) keeps only roots where the score fell well below that of the
 *         previous search; trusts the exact score; keeps the newest 65,536 positions */

#include "search/job.h"
#include "search/learned_table.h"

enum {
    LEARNED_DROP = 120,         // least fall of the score for Mouse and Crafty, internal units
    LEARNED_CRAFTY_MAX = 65536, // positions that Crafty keeps
    LEARNED_POSITION_MAX = 96   // bytes of a learned_position_text() with its NUL, at most
};
#define LEARNED_SEEN_MAX (INT64_C(1) << 40) // maximum of LearnedPosition.seen

typedef struct {
    char position[LEARNED_POSITION_MAX]; // see learned_position_text()
    Key key;                             // computed by this program, never read from files
    Move move;                           // legal in the position
    Score score;        // for the side to move, internal units; SCORE_NONE: only the move is known
    int depth;          // plies
    int fullmove;       // move number in the game
    uint32_t network;   // eval_fingerprint_short() of the evaluation that gave the score
    LearnOrigin origin; // play, analysis or the user
    int64_t calendar_s; // time of learning in seconds since 1970; for display only
    int64_t seen;       // number of recorded searches of this position, 1..LEARNED_SEEN_MAX
    bool keeps_score;   // not stored: has no score, and keeps a stored record with the same move
} LearnedPosition;

/* The policy's name, as the option writes it. */
const char *learned_policy_name(LearnPolicy policy);

/* The origin's name, as lists and EPD files write it. */
const char *learned_origin_name(LearnOrigin origin);

/* Whether `policy` keeps the root of a search with this outcome. `previous` is the score of the
 * previous search in the same game; SCORE_NONE: there was none. */
bool learned_policy_keeps(LearnPolicy policy, const SearchOutcome *outcome, Score previous);

/* Writes the unique text of a position: the first four fields of its FEN, with KQkq for the
 * castling rights of standard chess even in Chess960 mode. `out` holds LEARNED_POSITION_MAX bytes.
 */
void learned_position_text(const Position *pos, char *out);

/* The score of `pos`, or SCORE_NONE when it may not hold in another game: near the draw
 * (repetitions), from tablebases, or with a fifty-move counter of LEARNED_RULE50_MAX or more. */
Score learned_score_to_keep(const Position *pos, Score score);

/* Sets position, key, fullmove, move and the score to keep; `move` must be legal. */
void learned_position_set(LearnedPosition *learned, const Position *pos, Move move, Score score);

/* Sets position, key and move from text. The caller must set all other fields first; this function
 * checks their range, except for network and time. False when `position` differs from its
 * learned_position_text(), the move is illegal, or a number is out of range. */
bool learned_position_parse(LearnedPosition *learned, const char *position, const char *move);

/* Writes the move in coordinate notation; `out` holds MOVE_TEXT_MAX bytes. */
void learned_position_move_text(const LearnedPosition *learned, char *out);

/* Checksum of all fields but the key. Every version of this program computes the same value. */
uint64_t learned_position_checksum(const LearnedPosition *learned);

/* The fields that the search needs. */
LearnedEntry learned_position_entry(const LearnedPosition *learned);
