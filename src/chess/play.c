// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/play.h"

#include "chess/zobrist.h"

typedef struct {
    Key pawn, minor, major, nonpawn[COLOR_NB];
} PartialKeys;

/* For each piece, masks that select the partial keys that contain it. They replace a branch on the
 * type of the moving piece, which is hard to predict. */
#define ALL (~(Key)0)
static const PartialKeys KEY_MASKS[PIECE_NB] = {
    [W_PAWN] = {.pawn = ALL},
    [B_PAWN] = {.pawn = ALL},
    [W_KNIGHT] = {.minor = ALL, .nonpawn = {ALL, 0}},
    [B_KNIGHT] = {.minor = ALL, .nonpawn = {0, ALL}},
    [W_BISHOP] = {.minor = ALL, .nonpawn = {ALL, 0}},
    [B_BISHOP] = {.minor = ALL, .nonpawn = {0, ALL}},
    [W_ROOK] = {.major = ALL, .nonpawn = {ALL, 0}},
    [B_ROOK] = {.major = ALL, .nonpawn = {0, ALL}},
    [W_QUEEN] = {.major = ALL, .nonpawn = {ALL, 0}},
    [B_QUEEN] = {.major = ALL, .nonpawn = {0, ALL}},
    [W_KING] = {.minor = ALL, .major = ALL, .nonpawn = {ALL, 0}},
    [B_KING] = {.minor = ALL, .major = ALL, .nonpawn = {0, ALL}},
};
#undef ALL

/* Working copy of the keys, kept in registers. A load from the position just copied would wait for
 * the stores of that copy. */
typedef struct {
    Key all;
    PartialKeys part;
} Keys;

/* XORs `number` into every key that contains the piece. */
static inline void toggle_keys(Keys *keys, Piece piece, Key number)
{
    const PartialKeys *mask = &KEY_MASKS[piece];
    keys->all ^= number;
    keys->part.pawn ^= number & mask->pawn;
    keys->part.minor ^= number & mask->minor;
    keys->part.major ^= number & mask->major;
    keys->part.nonpawn[WHITE] ^= number & mask->nonpawn[WHITE];
    keys->part.nonpawn[BLACK] ^= number & mask->nonpawn[BLACK];
}

/* Puts a piece on an empty square, or removes it from its square. */
static inline void toggle(Position *pos, Keys *keys, Piece piece, Square s)
{
    pos_put(pos, piece, s);
    toggle_keys(keys, piece, zobrist_piece[piece][s]);
}

/* Removes a captured piece, except from `board`, where the capturing piece overwrites it. */
static inline void capture(Position *pos, Keys *keys, Piece piece, Square s)
{
    pos->by_type[piece_type(piece)] ^= bb_of(s);
    pos->by_color[piece_color(piece)] ^= bb_of(s);
    toggle_keys(keys, piece, zobrist_piece[piece][s]);
}

static inline void shift_piece(Position *pos, Keys *keys, Piece piece, Move move)
{
    const Square from = move_from(move), to = move_to(move);
    const Bitboard both = bb_of(from) | bb_of(to);
    pos->by_type[piece_type(piece)] ^= both;
    pos->by_color[piece_color(piece)] ^= both;
    pos->board[from] = NO_PIECE;
    pos->board[to] = (uint8_t)piece;
    toggle_keys(keys, piece, zobrist_piece[piece][from] ^ zobrist_piece[piece][to]);
}

/* Removes both pieces before placing them, because each may stand on the target of the other. */
static inline void castle(Position *pos, Keys *keys, Piece king, Move move)
{
    const Piece rook = piece_make(piece_color(king), ROOK);
    toggle(pos, keys, king, move_from(move));
    toggle(pos, keys, rook, move_to(move));
    toggle(pos, keys, king, pos_castling_king_to(move));
    toggle(pos, keys, rook, pos_castling_rook_to(move));
}

/* Castling rights after a move: a king move ends the rights of its side, a move from or to a
 * castling rook's square ends that rook's right. */
static inline int castling_after(const Position *before, Piece piece, Square from, Square to)
{
    int kept = before->castling;
    if (piece_type(piece) == KING)
        kept &= ~castling_rights(before->side);
    for (int i = 0; i < 4; i++)
        if (before->castling_rook[i] == from || before->castling_rook[i] == to)
            kept &= ~(1 << i);
    return kept;
}

/* Pieces that give check to `us`, the side to move. */
static inline Bitboard find_checkers(const Position *pos, Color us)
{
    const Square king = pos_king(pos, us);
    if (!bb_has(pos->attacks[!us], king))
        return 0;
    const Bitboard occupied = pos_occupied(pos);
    const Bitboard leapers = (attacks_pawn(us, king) & pos->by_type[PAWN]) |
                             (attacks_knight(king) & pos->by_type[KNIGHT]);
    return (leapers & pos->by_color[!us]) |
           (attacks_bishop(king, occupied) & pos_diagonal_sliders(pos, !us)) |
           (attacks_rook(king, occupied) & pos_straight_sliders(pos, !us));
}

static inline uint8_t increment(uint8_t clock)
{
    return (uint8_t)(clock + (clock < UINT8_MAX));
}

/* Changes the side to move, advances the clocks and clears the en passant square. */
static inline void pass_turn(Position *after, const Position *before, Keys *keys)
{
    const Color us = before->side;
    keys->all ^= zobrist_black;
    if (before->ep != SQ_NONE)
        keys->all ^= zobrist_ep_file[file_of(before->ep)];
    after->ep = SQ_NONE;
    after->side = (uint8_t)!us;
    after->rule50 = increment(before->rule50);
    after->reversible = increment(before->reversible);
    after->fullmove = (uint16_t)(before->fullmove + (us == BLACK && before->fullmove < UINT16_MAX));
}

static inline Keys keys_of(const Position *pos)
{
    return (Keys){
        .all = pos->key,
        .part = {.pawn = pos->pawn_key,
                 .minor = pos->minor_key,
                 .major = pos->major_key,
                 .nonpawn = {pos->nonpawn_key[WHITE], pos->nonpawn_key[BLACK]}},
    };
}

static inline void set_keys(Position *pos, const Keys *keys)
{
    pos->key = keys->all;
    pos->pawn_key = keys->part.pawn;
    pos->minor_key = keys->part.minor;
    pos->major_key = keys->part.major;
    pos->nonpawn_key[WHITE] = keys->part.nonpawn[WHITE];
    pos->nonpawn_key[BLACK] = keys->part.nonpawn[BLACK];
}

/* Any move but castling. */
static inline void play_normal(Position *pos, Keys *keys, Piece piece, Move move)
{
    const Square to = move_to(move);
    const Piece captured = pos->board[to];
    if (captured != NO_PIECE) {
        capture(pos, keys, captured, to);
        pos->rule50 = pos->reversible = 0;
    }
    shift_piece(pos, keys, piece, move);
    if (piece_type(piece) != PAWN)
        return;
    pos->rule50 = pos->reversible = 0;
    if (move_kind(move) == KIND_PROMOTION) {
        toggle(pos, keys, piece, to);
        toggle(pos, keys, piece_make(piece_color(piece), move_promoted(move)), to);
    } else if (move_kind(move) == KIND_EN_PASSANT) {
        toggle(pos, keys, piece ^ 1, to ^ 8); // the enemy pawn behind the target
    }
}

/* Sets the en passant square after a double step, if a legal capture exists. */
static void set_ep(Position *after, Move move)
{
    const Square ep = (move_from(move) + move_to(move)) / 2;
    const Bitboard captors = attacks_pawn(!after->side, ep) & pos_pieces(after, after->side, PAWN);
    if (captors != 0 && pos_ep_exists(after, ep)) {
        after->ep = (uint8_t)ep;
        after->key ^= zobrist_ep_file[file_of(ep)];
    }
}

void pos_play(Position *after, const Position *before, Move move)
{
    const Square from = move_from(move), to = move_to(move);
    const Piece piece = before->board[from];
    Keys keys = keys_of(before);
    *after = *before;
    pass_turn(after, before, &keys);
    if (before->castling != 0 && ((bb_of(from) | bb_of(to)) & (BB_RANK_1 | BB_RANK_8))) {
        const int kept = castling_after(before, piece, from, to);
        if (kept != before->castling)
            keys.all ^= pos_castling_key(before, before->castling) ^ pos_castling_key(before, kept);
        after->castling = (uint8_t)kept;
    }
    if (move_kind(move) == KIND_CASTLING)
        castle(after, &keys, piece, move);
    else
        play_normal(after, &keys, piece, move);
    set_keys(after, &keys);
    pos_set_attacks(after);
    after->checkers = find_checkers(after, !before->side);
    if (piece_type(piece) == PAWN && (from ^ to) == 16)
        set_ep(after, move);
}

void pos_play_null(Position *after, const Position *before)
{
    Keys keys = keys_of(before);
    *after = *before;
    pass_turn(after, before, &keys);
    set_keys(after, &keys);
    after->reversible = 0;
}
