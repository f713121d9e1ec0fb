// SPDX-License-Identifier: GPL-3.0-or-later
#include "learning/learned_position.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/checksum.h"
#include "base/text.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"

enum {
    FULLMOVE_MAX = 65535, // maximum of Position.fullmove
    RECORD_MAX = 256      // bytes of the text whose checksum is computed
};

const char *learned_policy_name(LearnPolicy policy)
{
    static const char *const names[] = {"Bebe", "Mouse", "Crafty"};
    return names[policy];
}

const char *learned_origin_name(LearnOrigin origin)
{
    static const char *const names[] = {"learned", "analysis", "advice"};
    return names[origin];
}

bool learned_policy_keeps(LearnPolicy policy, const SearchOutcome *outcome, Score previous)
{
    if (outcome->depth < LEARNED_DEPTH_MIN)
        return false;
    const Score before = policy == LEARN_CRAFTY ? previous : outcome->peak;
    return policy == LEARN_BEBE ||
           (before != SCORE_NONE && before - outcome->score >= LEARNED_DROP);
}

void learned_position_text(const Position *pos, char *out)
{
    char fen[FEN_MAX];
    fen_print(pos, false, fen);
    char *end = fen;
    for (int field = 0; field < 4; field++)
        end += strcspn(end, " ") + (field < 3);
    *end = '\0';
    const bool fits = text_copy(out, LEARNED_POSITION_MAX, fen);
    assert(fits);
    (void)fits;
}

Score learned_score_to_keep(const Position *pos, Score score)
{
    const bool is_tablebase = score_is_proven(score) && !score_is_mate(score);
    return score_is_near_draw(score) || is_tablebase || pos->rule50 >= LEARNED_RULE50_MAX
               ? SCORE_NONE
               : score;
}

void learned_position_set(LearnedPosition *learned, const Position *pos, Move move, Score score)
{
    assert(gen_is_legal(pos, move));
    learned_position_text(pos, learned->position);
    learned->key = pos->key;
    learned->move = move;
    learned->fullmove = pos->fullmove;
    learned->score = learned_score_to_keep(pos, score);
}

static bool is_valid_score(Score score)
{
    return score == SCORE_NONE || (-SCORE_MATE < score && score < SCORE_MATE);
}

bool learned_position_parse(LearnedPosition *learned, const char *position, const char *move)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    if (!is_valid_score(learned->score) || learned->depth < 0 || learned->depth > MAX_DEPTH ||
        learned->fullmove < 1 || learned->fullmove > FULLMOVE_MAX || learned->seen < 1 ||
        learned->seen > LEARNED_SEEN_MAX || (unsigned)learned->origin >= ORIGIN_NB ||
        strlen(position) >= LEARNED_POSITION_MAX || !fen_parse(&pos, position, true, error))
        return false;
    learned_position_text(&pos, learned->position);
    learned->key = pos.key;
    learned->move = move_from_uci(&pos, move);
    return learned->move != MOVE_NONE && strcmp(learned->position, position) == 0;
}

void learned_position_move_text(const LearnedPosition *learned, char *out)
{
    /* The third field contains the castling rights; only Chess960 writes them as file letters. */
    const char *rights = learned->position + strcspn(learned->position, " ") + 3;
    move_to_uci(learned->move, strspn(rights, "KQkq-") < strcspn(rights, " "), out);
}

uint64_t learned_position_checksum(const LearnedPosition *learned)
{
    char record[RECORD_MAX], move[MOVE_TEXT_MAX];
    learned_position_move_text(learned, move);
    const int length =
        snprintf(record, sizeof record, "%s %s %d %d %d %08" PRIx32 " %d %" PRId64 " %" PRId64,
                 learned->position, move, learned->score, learned->depth, learned->fullmove,
                 learned->network, (int)learned->origin, learned->calendar_s, learned->seen);
    assert(length < RECORD_MAX);
    return checksum64(record, (size_t)length);
}

LearnedEntry learned_position_entry(const LearnedPosition *learned)
{
    return (LearnedEntry){.key = learned->key,
                          .network = learned->network,
                          .score = (int16_t)learned->score,
                          .move = learned->move,
                          .depth = (uint8_t)learned->depth,
                          .origin = (uint8_t)learned->origin};
}
