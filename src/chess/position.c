// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/position.h"

#include <string.h>

#include "chess/zobrist.h"

/* Sliders of colour `by` that attack `s`. */
static Bitboard sliders_to(const Position *pos, Square s, Color by, Bitboard occupied)
{
    return (attacks_bishop(s, occupied) & pos_diagonal_sliders(pos, by)) |
           (attacks_rook(s, occupied) & pos_straight_sliders(pos, by));
}

Bitboard pos_attackers_to(const Position *pos, Square s, Bitboard occupied)
{
    // A pawn attacks `s` from where a pawn of the other colour on `s` would attack it.
    return (attacks_pawn(BLACK, s) & pos_pieces(pos, WHITE, PAWN)) |
           (attacks_pawn(WHITE, s) & pos_pieces(pos, BLACK, PAWN)) |
           (attacks_knight(s) & pos->by_type[KNIGHT]) | (attacks_king(s) & pos->by_type[KING]) |
           (attacks_bishop(s, occupied) & (pos->by_type[BISHOP] | pos->by_type[QUEEN])) |
           (attacks_rook(s, occupied) & (pos->by_type[ROOK] | pos->by_type[QUEEN]));
}

bool pos_is_attacked(const Position *pos, Square s, Color by, Bitboard occupied)
{
    const Bitboard leapers = (attacks_pawn(!by, s) & pos->by_type[PAWN]) |
                             (attacks_knight(s) & pos->by_type[KNIGHT]) |
                             (attacks_king(s) & pos->by_type[KING]);
    return (leapers & pos->by_color[by]) != 0 || sliders_to(pos, s, by, occupied) != 0;
}

bool pos_ep_is_legal(const Position *pos, Square from, Square ep)
{
    const Color us = pos->side;
    const Bitboard captured = bb_of(ep - pawn_push(us));
    const Bitboard occupied = (pos_occupied(pos) & ~captured & ~bb_of(from)) | bb_of(ep);
    // The capture does not end a check by a knight or another pawn. Slider attacks are computed
    // anew, because two pawns leave the same rank; pos_pinned() does not see that case.
    if (pos->checkers & ~captured & (pos->by_type[KNIGHT] | pos->by_type[PAWN]))
        return false;
    return sliders_to(pos, pos_king(pos, us), !us, occupied) == 0;
}

bool pos_ep_exists(const Position *pos, Square ep)
{
    const Color us = pos->side;
    if (ep < 0 || ep >= SQ_NB || relative_rank(us, ep) != 5)
        return false;
    const int push = pawn_push(us);
    if (pos->board[ep] != NO_PIECE || pos->board[ep + push] != NO_PIECE ||
        pos->board[ep - push] != piece_make(!us, PAWN))
        return false;
    for (Bitboard b = attacks_pawn(!us, ep) & pos_pieces(pos, us, PAWN); b;)
        if (pos_ep_is_legal(pos, pop_lsb(&b), ep))
            return true;
    return false;
}

/* Adds a piece's random number to every key that contains the piece. */
static void add_to_keys(Position *pos, Piece piece, Square s)
{
    const Key number = zobrist_piece[piece][s];
    const PieceType type = piece_type(piece);
    pos->key ^= number;
    if (type == PAWN)
        pos->pawn_key ^= number;
    else
        pos->nonpawn_key[piece_color(piece)] ^= number;
    if (type == KNIGHT || type == BISHOP || type == KING)
        pos->minor_key ^= number;
    if (type == ROOK || type == QUEEN || type == KING)
        pos->major_key ^= number;
}

/* In Chess960 the castling rook may be another one than on file a or h. Then the key also has the
 * number of a pawn on the rook's square, where no pawn can stand. */
Key pos_castling_key(const Position *pos, int rights)
{
    Key key = zobrist_castling[rights];
    for (int i = 0; i < 4; i++) {
        const Square rook = pos->castling_rook[i];
        if ((rights >> i & 1) && file_of(rook) != (i & 1 ? 0 : 7))
            key ^= zobrist_piece[i < 2 ? W_PAWN : B_PAWN][rook];
    }
    return key;
}

void pos_refresh(Position *pos)
{
    pos->key = pos_castling_key(pos, pos->castling);
    pos->pawn_key = pos->minor_key = pos->major_key = 0;
    pos->nonpawn_key[WHITE] = pos->nonpawn_key[BLACK] = 0;
    if (pos->side == BLACK)
        pos->key ^= zobrist_black;
    if (pos->ep != SQ_NONE)
        pos->key ^= zobrist_ep_file[file_of(pos->ep)];
    for (Bitboard b = pos_occupied(pos); b;) {
        const Square s = pop_lsb(&b);
        add_to_keys(pos, pos->board[s], s);
    }
    pos_set_attacks(pos);
    pos->checkers = pos_attackers_to(pos, pos_king(pos, pos->side), pos_occupied(pos)) &
                    pos->by_color[!pos->side];
}

static const char *check_board(const Position *pos)
{
    Bitboard by_type[PIECE_TYPE_NB] = {0}, by_color[COLOR_NB] = {0};
    for (Square s = 0; s < SQ_NB; s++) {
        const Piece piece = pos->board[s];
        if (piece > NO_PIECE)
            return "the board holds a piece that does not exist";
        if (piece == NO_PIECE)
            continue;
        by_type[piece_type(piece)] |= bb_of(s);
        by_color[piece_color(piece)] |= bb_of(s);
    }
    for (PieceType t = PAWN; t < PIECE_TYPE_NB; t++)
        if (by_type[t] != pos->by_type[t])
            return "the pieces by type differ from the board";
    for (Color c = WHITE; c < COLOR_NB; c++) {
        if (by_color[c] != pos->by_color[c])
            return "the pieces by colour differ from the board";
        if (popcount(pos_pieces(pos, c, KING)) != 1)
            return "a side does not have exactly one king";
    }
    if (by_type[PAWN] & (bb_rank(0) | bb_rank(7)))
        return "a pawn stands on the first or last rank";
    return NULL;
}

static const char *check_castling(const Position *pos)
{
    if (pos->castling >= CASTLING_NB)
        return "the castling rights are not a set of rights";
    for (int i = 0; i < 4; i++) {
        if (!(pos->castling >> i & 1))
            continue;
        const Color c = i / 2;
        const Square king = pos_king(pos, c), rook = pos->castling_rook[i];
        if (rook >= SQ_NB || pos->board[rook] != piece_make(c, ROOK))
            return "a castling right without its rook";
        if (relative_rank(c, king) != 0 || relative_rank(c, rook) != 0)
            return "a castling right off the back rank";
        if ((rook > king) != (i % 2 == 0))
            return "a castling right with king and rook in the wrong order";
    }
    return NULL;
}

const char *pos_check(const Position *pos)
{
    const char *error = check_board(pos);
    if (error == NULL)
        error = check_castling(pos);
    if (error != NULL)
        return error;
    if (pos->side >= COLOR_NB)
        return "the side to move is not a colour";
    if (pos_is_attacked(pos, pos_king(pos, !pos->side), pos->side, pos_occupied(pos)))
        return "the side not to move is in check";
    Position fresh = *pos;
    pos_refresh(&fresh);
    if (fresh.checkers != pos->checkers)
        return "the checkers differ from their recomputed value";
    for (Color c = WHITE; c < COLOR_NB; c++)
        if (fresh.attacks[c] != pos->attacks[c])
            return "the attacks differ from their recomputed value";
    if (pos->ep != SQ_NONE && !pos_ep_exists(pos, pos->ep))
        return "an en passant square without a legal capture";
    if (fresh.key != pos->key)
        return "the key differs from its recomputed value";
    if (fresh.pawn_key != pos->pawn_key)
        return "the pawn key differs from its recomputed value";
    if (fresh.minor_key != pos->minor_key)
        return "the minor key differs from its recomputed value";
    if (fresh.major_key != pos->major_key)
        return "the major key differs from its recomputed value";
    for (Color c = WHITE; c < COLOR_NB; c++)
        if (fresh.nonpawn_key[c] != pos->nonpawn_key[c])
            return "a non-pawn key differs from its recomputed value";
    const bool is_unclaimed = pos->reversible >= 100; // such a draw: a search lowers the counter
    if (pos->reversible > pos->rule50 && !is_unclaimed)
        return "more reversible plies than plies without progress";
    if (pos->fullmove == 0)
        return "the move number is 0";
    return NULL;
}

/* Only the castling rook can give check: the squares between it and the king are empty, so no other
 * piece is behind them. */
static bool castling_gives_check(const Position *pos, Move move)
{
    const Square rook_to = pos_castling_rook_to(move);
    const Bitboard without = pos_occupied(pos) & ~bb_of(move_from(move)) & ~bb_of(move_to(move));
    const Bitboard occupied = without | bb_of(pos_castling_king_to(move)) | bb_of(rook_to);
    return bb_has(attacks_rook(rook_to, occupied), pos_king(pos, !pos->side));
}

bool pos_gives_check(const Position *pos, Move move)
{
    const int kind = move_kind(move);
    if (kind == KIND_CASTLING)
        return castling_gives_check(pos, move);
    const Color us = pos->side;
    const Square from = move_from(move), to = move_to(move), king = pos_king(pos, !us);
    Bitboard occupied = (pos_occupied(pos) & ~bb_of(from)) | bb_of(to);
    if (kind == KIND_EN_PASSANT)
        occupied &= ~bb_of(to - pawn_push(us));
    const PieceType type =
        kind == KIND_PROMOTION ? move_promoted(move) : piece_type(pos->board[from]);
    const Bitboard direct = type == PAWN ? attacks_pawn(us, to) : attacks_of(type, to, occupied);
    if (bb_has(direct, king)) // false for a king, because the move is legal
        return true;
    // A discovered attack needs a piece that leaves a line through the enemy king, or a pawn
    // captured en passant.
    const Bitboard line = bb_line(king, from);
    if (kind != KIND_EN_PASSANT && (line == 0 || bb_has(line, to)))
        return false;
    return sliders_to(pos, king, us, occupied) != 0;
}

void pos_find_check_squares(CheckSquares *checks, const Position *pos)
{
    const Color us = pos->side;
    const Square king = pos_king(pos, !us);
    const Bitboard occupied = pos_occupied(pos);
    checks->squares[PAWN] = attacks_pawn(!us, king);
    checks->squares[KNIGHT] = attacks_knight(king);
    checks->squares[BISHOP] = attacks_bishop(king, occupied);
    checks->squares[ROOK] = attacks_rook(king, occupied);
    checks->squares[QUEEN] = checks->squares[BISHOP] | checks->squares[ROOK];
    checks->squares[KING] = 0;
    checks->blockers = pos_blockers(pos, king, us, us);
}

bool pos_needs_chess960(const Position *pos)
{
    static const Square kings[] = {E1, E1, E8, E8}, rooks[] = {H1, A1, H8, A8}; // by right
    for (int i = 0; i < 4; i++)
        if ((pos->castling >> i & 1) != 0 &&
            (pos->castling_rook[i] != rooks[i] || pos_king(pos, i < 2 ? WHITE : BLACK) != kings[i]))
            return true;
    return false;
}

int pos_material(const Position *pos)
{
    static const int VALUES[] = {[PAWN] = 1, [KNIGHT] = 3, [BISHOP] = 3, [ROOK] = 5, [QUEEN] = 9};
    int sum = 0;
    for (PieceType t = PAWN; t <= QUEEN; t++)
        sum += VALUES[t] * popcount(pos->by_type[t]);
    return sum;
}

bool pos_insufficient_material(const Position *pos)
{
    if (pos->by_type[PAWN] | pos->by_type[ROOK] | pos->by_type[QUEEN])
        return false;
    const Bitboard light = 0x55AA55AA55AA55AAULL, bishops = pos->by_type[BISHOP];
    if (pos->by_type[KNIGHT])
        return bishops == 0 && !bb_many(pos->by_type[KNIGHT]);
    return (bishops & light) == 0 || (bishops & ~light) == 0;
}

Key pos_key_after(const Position *pos, Move move)
{
    Key key = pos->key ^ zobrist_black;
    if (pos->ep != SQ_NONE)
        key ^= zobrist_ep_file[file_of(pos->ep)];
    if (move == MOVE_NULL)
        return key;
    const Square from = move_from(move), to = move_to(move);
    const Piece piece = pos->board[from], captured = pos->board[to];
    if (captured != NO_PIECE)
        key ^= zobrist_piece[captured][to];
    return key ^ zobrist_piece[piece][from] ^ zobrist_piece[piece][to];
}

void pos_flip(Position *flipped, const Position *pos)
{
    *flipped = (Position){.side = (uint8_t)!pos->side,
                          .castling = (pos->castling >> 2 | pos->castling << 2) & 15,
                          .ep = pos->ep == SQ_NONE ? SQ_NONE : pos->ep ^ A8,
                          .rule50 = pos->rule50,
                          .reversible = pos->reversible,
                          .fullmove = pos->fullmove};
    memset(flipped->board, NO_PIECE, sizeof flipped->board);
    for (Bitboard b = pos_occupied(pos); b;) {
        const Square s = pop_lsb(&b);
        const Piece piece = pos_piece_on(pos, s);
        pos_put(flipped, piece_make(!piece_color(piece), piece_type(piece)), s ^ A8);
    }
    for (int i = 0; i < 4; i++) {
        const uint8_t rook = pos->castling_rook[i ^ 2];
        flipped->castling_rook[i] = rook == SQ_NONE ? SQ_NONE : rook ^ A8;
    }
    pos_refresh(flipped);
}
