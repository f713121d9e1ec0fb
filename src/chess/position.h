// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The position: plain data without pointers, copied by assignment. Only functions of chess/ create
 * positions (from a FEN, a move, a null move, a Chess960 number, a flip). They keep all fields
 * consistent; pos_check() verifies this from scratch. */

#include <stddef.h>

#include "chess/attacks.h"
#include "chess/bitboard.h"

typedef struct Position {
    Bitboard by_type[PIECE_TYPE_NB]; // both colours
    Bitboard by_color[COLOR_NB];
    Bitboard attacks[COLOR_NB]; // squares that each side attacks, also by pinned pieces
    Bitboard checkers;          // enemy pieces that give check to the side to move
    Key key;                    // pieces, side, castling rights and their rooks, en passant file
    Key pawn_key;               // pawns only; only `key` contains the side to move
    Key minor_key;              // knights, bishops, kings
    Key major_key;              // rooks, queens, kings
    Key nonpawn_key[COLOR_NB];  // all pieces of one colour except pawns
    uint8_t board[SQ_NB];       // Piece or NO_PIECE
    uint8_t castling_rook[4]; // by bit number of the right: the rook's square, kept when the right
                              // is lost; SQ_NONE if there was no right at the start
    uint8_t side;             // Color to move
    uint8_t castling;         // set of rights
    uint8_t ep;         // en passant target, set only when a legal capture exists; else SQ_NONE
    uint8_t rule50;     // plies since a capture or pawn move, saturating at 255
    uint8_t reversible; // as rule50, but also reset by null moves; limits the repetition search
    uint16_t fullmove;  // move number from 1, saturating at 65535
} Position;

/* Fills all tables of chess/. Call once from main(), before any other function of chess/. Defined
 * in init.c, because it depends on modules that include this one. */
void chess_init(void);

/* Returns NULL when all derived fields equal their values computed from scratch and the position
 * can be played; else a constant text that names the fault. */
const char *pos_check(const Position *pos);

/* The part of the key that comes from the rights `rights`, with the castling rooks of `pos`. */
Key pos_castling_key(const Position *pos, int rights);

/* Recomputes all keys, attacks and checkers from the board, side, rights and en passant square. */
void pos_refresh(Position *pos);

/* Writes to `flipped` the position with colours exchanged: the board mirrored from rank 1 to rank
 * 8, the other side to move. The two positions must not alias. */
void pos_flip(Position *flipped, const Position *pos);

/* Puts a piece on an empty square, or removes it from its square. Does not update keys, attacks and
 * checkers; see pos_refresh(). */
static inline void pos_put(Position *pos, Piece piece, Square s)
{
    pos->by_type[piece_type(piece)] ^= bb_of(s);
    pos->by_color[piece_color(piece)] ^= bb_of(s);
    pos->board[s] = (uint8_t)(pos->board[s] == NO_PIECE ? piece : NO_PIECE);
}

/* True when the side to move may legally capture en passant on `ep` with its pawn on `from`, which
 * must attack `ep`. Reads `checkers`, but not the `ep` field. */
bool pos_ep_is_legal(const Position *pos, Square from, Square ep);

/* True when the side to move has any legal en passant capture on `ep`, the square behind an enemy
 * pawn that can just have made a double step. The `ep` field is set only in this case. Reads
 * `checkers`, but not the `ep` field. */
bool pos_ep_exists(const Position *pos, Square ep);

/* All pieces of both colours that attack `s`; `occupied` blocks sliders. */
Bitboard pos_attackers_to(const Position *pos, Square s, Bitboard occupied);

/* True when any piece of colour `by` attacks `s`; `occupied` blocks sliders. */
bool pos_is_attacked(const Position *pos, Square s, Color by, Bitboard occupied);

/* True when `move`, which must be legal, gives check, directly or by discovery. */
bool pos_gives_check(const Position *pos, Move move);

/* Precomputed facts of a position, to test many moves for check. */
typedef struct {
    Bitboard squares[PIECE_TYPE_NB]; // from which a piece of this type attacks the enemy king
    Bitboard blockers;               // own pieces that discover a check when they leave the line
} CheckSquares;

/* Finds the check squares of the side to move in `pos`. */
void pos_find_check_squares(CheckSquares *checks, const Position *pos);

/* As pos_gives_check(), but faster. `checks` must be those of `pos`. */
static inline bool pos_gives_check_fast(const CheckSquares *checks, const Position *pos, Move move)
{
    const Square from = move_from(move), to = move_to(move);
    if (move_kind(move) != KIND_NORMAL || bb_has(checks->blockers, from))
        return pos_gives_check(pos, move);
    return bb_has(checks->squares[piece_type(pos->board[from])], to);
}

/* Material of both sides together: pawn 1, minor piece 3, rook 5, queen 9. */
int pos_material(const Position *pos);

/* True when no sequence of moves can end in mate: bare kings, one minor piece, or only bishops on
 * squares of one colour. */
bool pos_insufficient_material(const Position *pos);

/* True when a castling right belongs to a king or rook on a square that only Chess960 allows. Such
 * a position and its castling moves must be written in Chess960 form. */
bool pos_needs_chess960(const Position *pos);

/* An estimate of the key after `move`, for prefetching. Wrong for castling, promotions, en passant
 * captures, and moves that end a castling right or set the en passant square. */
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

/* Range of the number of pieces, kings and pawns included: 0 for 1..4, 1 for 5..8, ... */
enum { PIECE_COUNT_RANGES = 8 };
static inline int pos_piece_count_range(const Position *pos)
{
    return (popcount(pos_occupied(pos)) - 1) * PIECE_COUNT_RANGES / 32;
}

static inline bool pos_in_check(const Position *pos)
{
    return pos->checkers != 0;
}

/* True when side `c` has more than king and pawns, so that zugzwang is unlikely. */
static inline bool pos_has_pieces(const Position *pos, Color c)
{
    return (pos->by_color[c] & ~pos->by_type[PAWN] & ~pos->by_type[KING]) != 0;
}

/* True for captures, including en passant, but not for castling, which takes the own rook. */
static inline bool pos_is_capture(const Position *pos, Move m)
{
    return (pos->board[move_to(m)] != NO_PIECE && move_kind(m) != KIND_CASTLING) ||
           move_kind(m) == KIND_EN_PASSANT;
}

/* Type of the piece that `m` captures; PIECE_TYPE_NB when none. */
static inline PieceType pos_captured(const Position *pos, Move m)
{
    if (move_kind(m) == KIND_EN_PASSANT)
        return PAWN;
    const Piece p = pos->board[move_to(m)];
    return p == NO_PIECE || move_kind(m) == KIND_CASTLING ? PIECE_TYPE_NB : piece_type(p);
}

/* True for captures except underpromotions, and for queen promotions. All other moves are quiet. */
static inline bool pos_is_noisy(const Position *pos, Move m)
{
    if (move_kind(m) == KIND_PROMOTION)
        return move_promoted(m) == QUEEN;
    return pos_is_capture(pos, m);
}

/* Target square of the king when `m` is castling. */
static inline Square pos_castling_king_to(Move m)
{
    return (move_from(m) & 56) | (move_to(m) > move_from(m) ? G1 : C1);
}

/* Target square of the rook when `m` is castling. */
static inline Square pos_castling_rook_to(Move m)
{
    return (move_from(m) & 56) | (move_to(m) > move_from(m) ? F1 : D1);
}

/* Bishops and queens of colour `c`. */
static inline Bitboard pos_diagonal_sliders(const Position *pos, Color c)
{
    return pos->by_color[c] & (pos->by_type[BISHOP] | pos->by_type[QUEEN]);
}

/* Rooks and queens of colour `c`. */
static inline Bitboard pos_straight_sliders(const Position *pos, Color c)
{
    return pos->by_color[c] & (pos->by_type[ROOK] | pos->by_type[QUEEN]);
}

/* Passed pawns of `us`: no pawn in front of them on their file, no enemy pawn in front of them on
 * an adjacent file. */
static inline Bitboard pos_passed_pawns(const Position *pos, Color us)
{
    const Bitboard ours = pos_pieces(pos, us, PAWN), theirs = pos_pieces(pos, !us, PAWN);
    const Bitboard fronts = bb_forward(!us, bb_fill_forward(!us, theirs));
    const Bitboard behind = bb_forward(!us, bb_fill_forward(!us, ours));
    return ours & ~(fronts | bb_both_sides(fronts) | behind);
}

/* All squares attacked by `by`, computed from by_type and by_color; `occupied` blocks sliders. */
static inline Bitboard pos_attacks_by(const Position *pos, Color by, Bitboard occupied)
{
    return attacks_of_side(by, pos->by_color[by], pos->by_type, occupied);
}

/* Squares that the king of `us`, the side to move, must not enter. In check, sliders also attack
 * the squares behind the king, because it leaves its square. */
static inline Bitboard pos_danger(const Position *pos, Color us)
{
    if (pos->checkers == 0)
        return pos->attacks[!us];
    return pos_attacks_by(pos, !us, pos_occupied(pos) ^ bb_of(pos_king(pos, us)));
}

/* Sets `attacks` from by_type and by_color. Both kings must be on the board. */
static inline void pos_set_attacks(Position *pos)
{
    const Bitboard occupied = pos_occupied(pos);
    pos->attacks[WHITE] = pos_attacks_by(pos, WHITE, occupied);
    pos->attacks[BLACK] = pos_attacks_by(pos, BLACK, occupied);
}

/* Pieces of colour `own` that stand alone between `king` and a slider of colour `sliders`. */
static inline Bitboard pos_blockers(const Position *pos, Square king, Color own, Color sliders)
{
    const Bitboard others = pos->by_color[!own];
    Bitboard blockers = 0;
    // Sliders with only pieces of colour `own` between them and the king.
    Bitboard behind = (attacks_bishop(king, others) & pos_diagonal_sliders(pos, sliders)) |
                      (attacks_rook(king, others) & pos_straight_sliders(pos, sliders));
    while (behind) {
        const Bitboard between = bb_between(king, pop_lsb(&behind)) & pos->by_color[own];
        if (!bb_many(between))
            blockers |= between;
    }
    return blockers;
}

/* Pieces of colour `c` pinned to their own king. */
static inline Bitboard pos_pinned(const Position *pos, Color c)
{
    return pos_blockers(pos, pos_king(pos, c), c, !c);
}
