// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/see.h"

const int see_value[PIECE_TYPE_NB + 1] = {
    [PAWN] = SEE_PAWN, [KNIGHT] = SEE_KNIGHT, [BISHOP] = SEE_BISHOP,
    [ROOK] = SEE_ROOK, [QUEEN] = SEE_QUEEN,
};

typedef struct {
    const Position *pos;
    Square target;
    Bitboard occupied;  // with the target, without the origins of the captures so far
    Bitboard attackers; // of the target, both colours, with X-rays opened so far
} Exchange;

/* True when the piece of colour `c` on `from` is pinned, so that a capture on the target would
 * expose its king. Uses the current occupancy: a pin ends when the pinner leaves or captures. */
static bool is_pinned(const Exchange *ex, Square from, Color c)
{
    const Position *pos = ex->pos;
    const Square king = pos_king(pos, c);
    const Bitboard line = bb_line(king, from);
    if (line == 0 || bb_has(line, ex->target))
        return false;
    const bool is_straight = file_of(king) == file_of(from) || rank_of(king) == rank_of(from);
    const Bitboard sliders = pos->by_type[QUEEN] | pos->by_type[is_straight ? ROOK : BISHOP];
    Bitboard pinners = line & sliders & pos->by_color[c ^ 1] & ex->occupied;
    while (pinners)
        if ((bb_between(king, pop_lsb(&pinners)) & ex->occupied) == bb_of(from))
            return true;
    return false;
}

/* Returns the square of the least valuable attacker of colour `c` that may capture, and its type in
 * `*type`; SQ_NONE when there is none. */
static Square least_attacker(const Exchange *ex, Color c, PieceType *type)
{
    const Bitboard ours = ex->attackers & ex->pos->by_color[c];
    if (ours == 0)
        return SQ_NONE;
    for (PieceType t = PAWN; t < KING; t++) {
        Bitboard candidates = ours & ex->pos->by_type[t];
        while (candidates) {
            const Square from = pop_lsb(&candidates);
            if (is_pinned(ex, from, c))
                continue;
            *type = t;
            return from;
        }
    }
    /* The king may capture only when no enemy attacker is left. A pinned enemy piece counts as an
     * attacker. An enemy slider behind the king is not possible: it would give check. */
    if ((ours & ex->pos->by_type[KING]) == 0 || ours != ex->attackers)
        return SQ_NONE;
    *type = KING;
    return pos_king(ex->pos, c);
}

/* Removes the piece on `from` and adds the attackers behind it (X-rays). */
static void remove_attacker(Exchange *ex, Square from, PieceType type)
{
    const Bitboard *by_type = ex->pos->by_type;
    ex->occupied ^= bb_of(from);
    if (type == PAWN || type == BISHOP || type == QUEEN)
        ex->attackers |=
            attacks_bishop(ex->target, ex->occupied) & (by_type[BISHOP] | by_type[QUEEN]);
    if (type == ROOK || type == QUEEN)
        ex->attackers |= attacks_rook(ex->target, ex->occupied) & (by_type[ROOK] | by_type[QUEEN]);
    ex->attackers &= ex->occupied;
}

/* Plays the captures after the first move; `them` captures first. `loss` > 0 is the amount by which
 * that first capture brings the mover below the threshold. True when the mover reaches the
 * threshold in the end. */
static bool exchange_holds(Exchange *ex, Color them, int loss)
{
    Color side = them;
    while (true) {
        PieceType type;
        const Square from = least_attacker(ex, side, &type);
        if (from == SQ_NONE)
            return side == them;
        remove_attacker(ex, from, type);
        /* `loss` becomes the deficit of `side` once its capturing piece is captured in turn.
         * Without a deficit `side` wins the exchange. A tie satisfies the mover, but not the
         * opponent. */
        loss = see_value[type] - loss;
        if (loss < 0 || (loss == 0 && side != them))
            return side != them;
        side ^= 1;
    }
}

bool see_exchange(const Position *pos, Move move, int threshold)
{
    const int kind = move_kind(move);
    if (kind == KIND_CASTLING)
        return threshold <= 0;
    const Square from = move_from(move), to = move_to(move);
    Bitboard occupied = pos_occupied(pos) ^ bb_of(from);
    int margin = see_value[piece_type(pos->board[to])] - threshold; // NO_PIECE is worth 0
    int at_stake = see_value[piece_type(pos->board[from])];
    if (kind == KIND_EN_PASSANT) {
        margin += SEE_PAWN;
        occupied ^= bb_of(to - pawn_push(pos->side));
    } else if (kind == KIND_PROMOTION) {
        at_stake = see_value[move_promoted(move)];
        margin += at_stake - SEE_PAWN;
    }
    if (margin < 0)
        return false;
    if (margin >= at_stake)
        return true;
    Exchange ex = {.pos = pos, .target = to, .occupied = occupied | bb_of(to)};
    ex.attackers = pos_attackers_to(pos, to, ex.occupied) & occupied;
    return exchange_holds(&ex, pos->side ^ 1, at_stake - margin);
}
