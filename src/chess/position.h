// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The position: plain data, copied by assignment, pointing at nothing. It is made by the functions
 * of this layer only (a FEN, a move, a null move, an array, a flip); every field below is then
 * consistent with the others, which pos_check() verifies from scratch. */

#include <stddef.h>

#include "chess/attacks.h"
#include "chess/bitboard.h"

typedef struct Position {
    Bitboard by_type[PIECE_TYPE_NB]; // both colours
    Bitboard by_color[COLOR_NB];
    Bitboard checkers;         // enemy pieces that give check to the side to move
    Key key;                   // pieces, side, castling rights (not of which rook), en passant file
    Key pawn_key;              // pawns only; all partial keys lack the side to move
    Key minor_key;             // knights, bishops, kings
    Key major_key;             // rooks, queens, kings
    Key nonpawn_key[COLOR_NB]; // all but pawns of one colour, king included
    uint8_t board[SQ_NB];      // Piece or NO_PIECE
    uint8_t castling_rook[4];  // rook squares by index of the right's bit; SQ_NONE where never held
    uint8_t side;              // Color to move
    uint8_t castling;          // set of rights
    uint8_t ep;         // en passant target, set only when a legal capture exists; else SQ_NONE
    uint8_t rule50;     // plies since a capture or pawn move, saturating at 255
    uint8_t reversible; // as rule50, but also restarted by a null move: how far repetitions reach
    uint16_t fullmove;  // number of the move, from 1, saturating at 65535
} Position;

/* Fills all tables of this layer. Call once from main(), before anything else of chess/. */
void chess_init(void); // in init.c, so that this module does not depend on those above it

/* NULL when every derived field equals its value computed from scratch and the position can be
 * played; otherwise what is wrong, in words. The text is constant. */
const char *pos_check(const Position *pos);

/* Recomputes all keys and checkers from the board, side, rights and en passant square. */
void pos_refresh(Position *pos);

/* Writes to `flipped` the same position with the colours exchanged: the board upside down, the
 * other side to move. The two must not alias. */
void pos_flip(Position *flipped, const Position *pos);

/* Puts a piece on an empty square, or takes it off the square it stands on; keys are left alone
 * (fen_parse() and tests refresh them). */
static inline void pos_put(Position *pos, Piece piece, Square s)
{
    pos->by_type[piece_type(piece)] ^= bb_of(s);
    pos->by_color[piece_color(piece)] ^= bb_of(s);
    pos->board[s] = (uint8_t)(pos->board[s] == NO_PIECE ? piece : NO_PIECE);
}

/* True when the pawn of the side to move on `from`, which attacks `ep`, may capture en passant
 * there: its own king is not attacked afterwards. `checkers` must be right; the `ep` field is not
 * read. */
bool pos_ep_is_legal(const Position *pos, Square from, Square ep);

/* True when the side to move has a legal en passant capture on `ep`, a square an enemy pawn can
 * just have passed in a double step: the condition for setting the `ep` field. `checkers` must be
 * right; the `ep` field is not read. */
bool pos_ep_exists(const Position *pos, Square ep);

/* All pieces of both colours that attack `s`, with sliders seeing through nothing in `occupied`. */
Bitboard pos_attackers_to(const Position *pos, Square s, Bitboard occupied);

/* True when any piece of colour `by` attacks `s`. */
bool pos_is_attacked(const Position *pos, Square s, Color by, Bitboard occupied);

/* True when `move`, legal here, checks the enemy king, directly or by discovery. */
bool pos_gives_check(const Position *pos, Move move);

/* What the moves of a position that give check have in common. */
typedef struct {
    Bitboard squares[PIECE_TYPE_NB]; // where a piece of that type attacks the enemy king
    Bitboard shields; // own pieces that alone stand between an own slider and that king
} CheckMap;

void pos_map_checks(CheckMap *map, const Position *pos);

/* pos_gives_check() of one move of many, with the map of the position. */
static inline bool pos_checks_by_map(const CheckMap *map, const Position *pos, Move move)
{
    const Square from = move_from(move), to = move_to(move);
    if (move_kind(move) != KIND_NORMAL || bb_has(map->shields, from))
        return pos_gives_check(pos, move);
    return bb_has(map->squares[piece_type(pos->board[from])], to);
}

/* What is on the board, both sides together: pawns for 1, minor pieces 3, rooks 5, queens 9. */
int pos_material(const Position *pos);

/* True when neither side can mate by any sequence of moves: bare kings, one minor piece, or bishops
 * of one square colour only. */
bool pos_insufficient_material(const Position *pos);

/* True when a castling right belongs to a king or rook that stands where only Chess960 has them:
 * the position and its castling moves must then be written as Chess960 does. */
bool pos_needs_chess960(const Position *pos);

/* The key the position would have after `move` (castling and promotion approximately): for
 * prefetching only. */
Key pos_key_after(const Position *pos, Move move);

static inline Bitboard pos_occupied(const Position *pos)
{
    return pos->by_color[WHITE] | pos->by_color[BLACK];
}

static inline Bitboard pos_pieces(const Position *pos, Color c, PieceType t)
{
    return pos->by_color[c] & pos->by_type[t];
}

static inline Square pos_king(const Position *pos, Color c)
{
    return lsb(pos_pieces(pos, c, KING));
}

static inline Piece pos_piece_on(const Position *pos, Square s)
{
    return pos->board[s];
}

static inline bool pos_in_check(const Position *pos)
{
    return pos->checkers != 0;
}

/* True when the side has more than king and pawns: the usual zugzwang guard. */
static inline bool pos_has_pieces(const Position *pos, Color c)
{
    return (pos->by_color[c] & ~pos->by_type[PAWN] & ~pos->by_type[KING]) != 0;
}

/* True for captures, en passant included; castling, encoded king takes own rook, is none. */
static inline bool pos_is_capture(const Position *pos, Move m)
{
    return (pos->board[move_to(m)] != NO_PIECE && move_kind(m) != KIND_CASTLING) ||
           move_kind(m) == KIND_EN_PASSANT;
}

/* Type of the piece `m` captures; PIECE_TYPE_NB when none. */
static inline PieceType pos_captured(const Position *pos, Move m)
{
    if (move_kind(m) == KIND_EN_PASSANT)
        return PAWN;
    const Piece p = pos->board[move_to(m)];
    return p == NO_PIECE || move_kind(m) == KIND_CASTLING ? PIECE_TYPE_NB : piece_type(p);
}

/* Noisy: a capture that is no underpromotion, or a queen promotion. All other moves are quiet. */
static inline bool pos_is_noisy(const Position *pos, Move m)
{
    if (move_kind(m) == KIND_PROMOTION)
        return move_promoted(m) == QUEEN;
    return pos_is_capture(pos, m);
}

/* Where the king lands when `m`, castling, is played. */
static inline Square pos_castling_king_to(Move m)
{
    return (move_from(m) & 56) | (move_to(m) > move_from(m) ? G1 : C1);
}

/* Where the rook lands when `m`, castling, is played. */
static inline Square pos_castling_rook_to(Move m)
{
    return (move_from(m) & 56) | (move_to(m) > move_from(m) ? F1 : D1);
}

/* Pieces that move along diagonals, and along ranks and files. */
static inline Bitboard pos_diagonal_sliders(const Position *pos, Color c)
{
    return pos->by_color[c] & (pos->by_type[BISHOP] | pos->by_type[QUEEN]);
}

static inline Bitboard pos_straight_sliders(const Position *pos, Color c)
{
    return pos->by_color[c] & (pos->by_type[ROOK] | pos->by_type[QUEEN]);
}

/* Every square attacked by `by`, with sliders seeing through nothing in `occupied`. */
static inline Bitboard pos_attacks_by(const Position *pos, Color by, Bitboard occupied)
{
    Bitboard attacks = bb_pawn_attacks(by, pos_pieces(pos, by, PAWN)) |
                       bb_knight_attacks(pos_pieces(pos, by, KNIGHT)) |
                       attacks_king(pos_king(pos, by));
    for (Bitboard b = pos_diagonal_sliders(pos, by); b;)
        attacks |= attacks_bishop(pop_lsb(&b), occupied);
    for (Bitboard b = pos_straight_sliders(pos, by); b;)
        attacks |= attacks_rook(pop_lsb(&b), occupied);
    return attacks;
}

/* Pieces of colour `own`, each of which stands alone between `king` and a slider of `sliders`. */
static inline Bitboard pos_shields(const Position *pos, Square king, Color own, Color sliders)
{
    const Bitboard others = pos->by_color[!own];
    Bitboard shields = 0;
    // Seen through its own pieces, these are the sliders with nothing but such before the king.
    Bitboard behind = (attacks_bishop(king, others) & pos_diagonal_sliders(pos, sliders)) |
                      (attacks_rook(king, others) & pos_straight_sliders(pos, sliders));
    while (behind) {
        const Bitboard between = bb_between(king, pop_lsb(&behind)) & pos->by_color[own];
        if (!bb_many(between))
            shields |= between;
    }
    return shields;
}

/* Pieces of colour `c` that may leave their line to `c`'s own king only at the price of check. */
static inline Bitboard pos_pinned(const Position *pos, Color c)
{
    return pos_shields(pos, pos_king(pos, c), c, !c);
}
