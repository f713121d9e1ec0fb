// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/breuker1994/moverank.h"

#include "chess/movegen.h"

enum { RANK_HISTORY_MAX = RANK_PROMOTION - 1 };

/* The order of the pieces by value. Knights and bishops are equal: the paper does not order them.
 */
static const uint8_t VALUE_RANK[PIECE_TYPE_NB] = {0, 1, 1, 2, 3, 4};

static int promotion_rank(Move move)
{
    return move_kind(move) == KIND_PROMOTION ? move_promoted(move) : 0;
}

static inline int rank_of_move(const Position *pos, const MoveCounts *history, Move move)
{
    if (pos_is_capture(pos, move)) {
        const int victim = VALUE_RANK[pos_captured(pos, move)];
        const int attacker = VALUE_RANK[piece_type(pos->board[move_from(move)])];
        return RANK_CAPTURE + victim * 64 + (7 - attacker) * 8 + promotion_rank(move);
    }
    if (move_kind(move) == KIND_PROMOTION)
        return RANK_PROMOTION + promotion_rank(move);
    const uint32_t count = history->counts[pos->side][move & (SQ_NB * SQ_NB - 1)];
    return count < RANK_HISTORY_MAX ? (int)count : RANK_HISTORY_MAX;
}

static void rank_list(RankedMoves *ranked, const Position *pos, const MoveCounts *history,
                      const Move *moves, int count)
{
    ranked->count = count;
    for (int i = 0; i < count; i++)
        ranked->moves[i] = (RankedMove){rank_of_move(pos, history, moves[i]), moves[i]};
}

void moverank_all(RankedMoves *ranked, const Position *pos, const MoveCounts *history)
{
    Move moves[MAX_MOVES];
    rank_list(ranked, pos, history, moves, gen_legal(pos, moves));
}

void moverank_forcing(RankedMoves *ranked, const Position *pos, const MoveCounts *history)
{
    Move moves[MAX_MOVES];
    const Bitboard seventh = bb_relative_rank(pos->side, 6);
    if ((pos_pieces(pos, pos->side, PAWN) & seventh) == 0) {
        rank_list(ranked, pos, history, moves, gen_noisy(pos, moves));
        return;
    }
    const int all = gen_legal(pos, moves); // the generator treats underpromotions as quiet
    int count = 0;
    for (int i = 0; i < all; i++)
        if (pos_is_capture(pos, moves[i]) || move_kind(moves[i]) == KIND_PROMOTION)
            moves[count++] = moves[i];
    rank_list(ranked, pos, history, moves, count);
}

bool moverank_raise(RankedMoves *ranked, Move move, int rank)
{
    for (int i = 0; i < ranked->count; i++)
        if (ranked->moves[i].move == move) {
            ranked->moves[i].rank = rank;
            return true;
        }
    return false;
}
