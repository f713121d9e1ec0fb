// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/movegen.h"

#include <assert.h>

#include "base/bitlist.h"

/* Generates only legal moves: computes pins and checkers first, so that no move need be played to
 * test it. Colour and kinds of moves are constant arguments of inlined functions, so the compiler
 * makes a specialised version for each. */
#define SPECIALISED static inline __attribute__((always_inline))

enum { NOISY = 1, QUIET = 2 }; // sets of moves to generate

/* Targets that end a check by a move of another piece than the king; none in double check. */
SPECIALISED Bitboard check_answers(const Position *pos, Square king)
{
    return bb_many(pos->checkers) ? 0 : pos->checkers | bb_between(king, lsb(pos->checkers));
}

/* Facts of the position that decide legality. */
typedef struct {
    Bitboard own, enemy, occupied;
    Bitboard pinned;
    Bitboard answers; // check_answers(); all squares when not in check
    Square king;
} Frame;

SPECIALISED Frame frame_of(const Position *pos, Color us)
{
    Frame f = {
        .own = pos->by_color[us],
        .enemy = pos->by_color[!us],
        .occupied = pos_occupied(pos),
        .pinned = pos_pinned(pos, us),
        .answers = BB_ALL,
        .king = pos_king(pos, us),
    };
    if (pos->checkers != 0)
        f.answers = check_answers(pos, f.king);
    return f;
}

/* Pawn targets by direction, including promotions. */
typedef struct {
    Bitboard push, jump, east, west; // one step, two steps, captures
} PawnTargets;

SPECIALISED PawnTargets pawn_targets(const Position *pos, const Frame *f, Color us)
{
    Bitboard pushers = pos_pieces(pos, us, PAWN), eastern = pushers, western = pushers;
    if (f->pinned & pushers) {
        // A pinned pawn may move along its pin: pushes on the king's file, captures on the
        // king's diagonals.
        pushers &= ~f->pinned | bb_file(file_of(f->king));
        eastern &= ~f->pinned | (us == WHITE ? bb_rising(f->king) : bb_falling(f->king));
        western &= ~f->pinned | (us == WHITE ? bb_falling(f->king) : bb_rising(f->king));
    }
    const Bitboard push = bb_forward(us, pushers) & ~f->occupied;
    const Bitboard jump = bb_forward(us, push & bb_relative_rank(us, 2)) & ~f->occupied;
    return (PawnTargets){
        .push = push & f->answers,
        .jump = jump & f->answers,
        .east = bb_east(bb_forward(us, eastern)) & f->enemy & f->answers,
        .west = bb_west(bb_forward(us, western)) & f->enemy & f->answers,
    };
}

/* True when no other piece stands on the squares that king and rook pass or reach in castling.
 * `right` is the bit number of the right. */
static inline bool castling_is_open(const Position *pos, int right)
{
    const Color us = right / 2;
    const Square king = pos_king(pos, us), rook = pos->castling_rook[right];
    const Square king_to = relative_square(us, right % 2 == 0 ? G1 : C1);
    const Square rook_to = relative_square(us, right % 2 == 0 ? F1 : D1);
    const Bitboard way =
        bb_between(king, king_to) | bb_of(king_to) | bb_between(rook, rook_to) | bb_of(rook_to);
    return (way & pos_occupied(pos) & ~bb_of(king) & ~bb_of(rook)) == 0;
}

/* Squares that must not be attacked for castling. */
static inline Bitboard castling_king_path(const Position *pos, int right)
{
    const Square king = pos_king(pos, right / 2);
    const Square king_to = relative_square(right / 2, right % 2 == 0 ? G1 : C1);
    return bb_between(king, king_to) | bb_of(king_to);
}

/* Castling rights of the side to move for which no piece is in the way; none when in check. Does
 * not test attacked squares. A pinned rook cannot castle: it shields the king from a rook or queen
 * behind it (Chess960 only). */
SPECIALISED int open_castlings(const Position *pos, Color us, Bitboard pinned)
{
    const int held = pos->castling & castling_rights(us);
    if (held == 0 || pos->checkers != 0)
        return 0;
    int open = 0;
    for (int i = 2 * us; i <= 2 * us + 1; i++)
        if ((held >> i & 1) && castling_is_open(pos, i) && !bb_has(pinned, pos->castling_rook[i]))
            open |= 1 << i;
    return open;
}

/* Legal king moves. */
typedef struct {
    Bitboard targets;
    int castlings; // a set of rights
} KingMoves;

SPECIALISED KingMoves king_moves(const Position *pos, const Frame *f, Color us, Bitboard targets,
                                 int kinds)
{
    KingMoves moves = {.targets = targets & attacks_king(f->king)};
    if (kinds & QUIET)
        moves.castlings = open_castlings(pos, us, f->pinned);
    if (moves.targets == 0 && moves.castlings == 0)
        return moves; // skips pos_danger(), which is slow in check
    const Bitboard danger = pos_danger(pos, us);
    moves.targets &= ~danger;
    for (int i = 2 * us; i <= 2 * us + 1; i++)
        if ((moves.castlings >> i & 1) && (castling_king_path(pos, i) & danger))
            moves.castlings &= ~(1 << i);
    return moves;
}

/* Pawns with a legal en passant capture. */
static Bitboard ep_captors(const Position *pos)
{
    const Color us = pos->side;
    Bitboard captors = 0;
    for (Bitboard b = attacks_pawn(!us, pos->ep) & pos_pieces(pos, us, PAWN); b; b &= b - 1)
        if (pos_ep_is_legal(pos, lsb(b), pos->ep))
            captors |= b & -b;
    return captors;
}

static_assert(LEGAL_MOVES_MAX + BITLIST_MAX <= MAX_MOVES, "there is room behind the longest list");

SPECIALISED Move *add_targets(Move *moves, Square from, Bitboard targets)
{
    const int step = move_make(0, 1, KIND_NORMAL); // to the move to the next square
    return bitlist_add(moves, targets, step, move_make(from, 0, KIND_NORMAL));
}

/* Pawn moves to `targets`; `step` is the square difference of the move. */
SPECIALISED Move *add_pawns(Move *moves, Bitboard targets, int step)
{
    return bitlist_add(moves, targets, move_make(1, 1, KIND_NORMAL), -step);
}

SPECIALISED Move *add_promotions(Move *moves, Bitboard targets, int step, int kinds)
{
    while (targets) {
        const Square to = pop_lsb(&targets);
        if (kinds & NOISY)
            *moves++ = move_promotion(to - step, to, QUEEN);
        if (kinds & QUIET)
            for (PieceType t = ROOK; t >= KNIGHT; t--)
                *moves++ = move_promotion(to - step, to, t);
    }
    return moves;
}

SPECIALISED Move *add_pawn_moves(Move *moves, const Position *pos, const Frame *f, Color us,
                                 int kinds)
{
    const PawnTargets t = pawn_targets(pos, f, us);
    const Bitboard last = bb_relative_rank(us, 7);
    const int push = pawn_push(us);
    if ((t.push | t.east | t.west) & last) {
        moves = add_promotions(moves, t.east & last, push + 1, kinds);
        moves = add_promotions(moves, t.west & last, push - 1, kinds);
        moves = add_promotions(moves, t.push & last, push, kinds);
    }
    if (kinds & NOISY) {
        moves = add_pawns(moves, t.east & ~last, push + 1);
        moves = add_pawns(moves, t.west & ~last, push - 1);
        if (pos->ep != SQ_NONE)
            for (Bitboard b = ep_captors(pos); b;)
                *moves++ = move_make(pop_lsb(&b), pos->ep, KIND_EN_PASSANT);
    }
    if (kinds & QUIET) {
        moves = add_pawns(moves, t.push & ~last, push);
        moves = add_pawns(moves, t.jump, 2 * push);
    }
    return moves;
}

/* Moves to `targets` of the pieces on `from`, all of one type. */
SPECIALISED Move *add_piece_moves(Move *moves, const Frame *f, PieceType type, Bitboard from,
                                  Bitboard targets)
{
    Bitboard pinned = from & f->pinned;
    from ^= pinned;
    while (from) {
        const Square s = pop_lsb(&from);
        moves = add_targets(moves, s, attacks_of(type, s, f->occupied) & targets);
    }
    if (type == KNIGHT) // a pinned knight has no move
        return moves;
    while (pinned) {
        const Square s = pop_lsb(&pinned);
        const Bitboard line = bb_line(f->king, s);
        moves = add_targets(moves, s, attacks_of(type, s, f->occupied) & targets & line);
    }
    return moves;
}

SPECIALISED Move *add_king_moves(Move *moves, const Position *pos, Square king, KingMoves legal)
{
    moves = add_targets(moves, king, legal.targets);
    for (uint64_t rights = (uint64_t)legal.castlings; rights;)
        *moves++ = move_make(king, pos->castling_rook[pop_lsb(&rights)], KIND_CASTLING);
    return moves;
}

SPECIALISED int generate(const Position *pos, Move *moves, Color us, int kinds)
{
    const Frame f = frame_of(pos, us);
    Bitboard targets = 0;
    if (kinds & NOISY)
        targets |= f.enemy;
    if (kinds & QUIET)
        targets |= ~f.occupied;
    Move *end = moves;
    if (f.answers != 0) {
        const Bitboard answers = targets & f.answers;
        end = add_pawn_moves(end, pos, &f, us, kinds);
        end = add_piece_moves(end, &f, KNIGHT, pos_pieces(pos, us, KNIGHT), answers);
        end = add_piece_moves(end, &f, BISHOP, pos_pieces(pos, us, BISHOP), answers);
        end = add_piece_moves(end, &f, ROOK, pos_pieces(pos, us, ROOK), answers);
        end = add_piece_moves(end, &f, QUEEN, pos_pieces(pos, us, QUEEN), answers);
    }
    end = add_king_moves(end, pos, f.king, king_moves(pos, &f, us, targets, kinds));
    return (int)(end - moves);
}

int gen_legal(const Position *pos, Move *moves)
{
    return pos->side == WHITE ? generate(pos, moves, WHITE, NOISY | QUIET)
                              : generate(pos, moves, BLACK, NOISY | QUIET);
}

int gen_noisy(const Position *pos, Move *moves)
{
    return pos->side == WHITE ? generate(pos, moves, WHITE, NOISY)
                              : generate(pos, moves, BLACK, NOISY);
}

int gen_quiet(const Position *pos, Move *moves)
{
    return pos->side == WHITE ? generate(pos, moves, WHITE, QUIET)
                              : generate(pos, moves, BLACK, QUIET);
}

SPECIALISED int count_pawn_moves(const Position *pos, const Frame *f, Color us)
{
    const PawnTargets t = pawn_targets(pos, f, us);
    const Bitboard last = bb_relative_rank(us, 7);
    int n = popcount(t.push) + popcount(t.jump) + popcount(t.east) + popcount(t.west);
    if ((t.push | t.east | t.west) & last) // a promotion is four moves
        n += 3 * (popcount(t.push & last) + popcount(t.east & last) + popcount(t.west & last));
    return n;
}

/* Number of moves of bishops or rooks; queens count as both. */
SPECIALISED int count_slider_moves(const Frame *f, const Slider *sliders, Bitboard from,
                                   Bitboard targets)
{
    int n = 0;
    Bitboard pinned = from & f->pinned;
    from ^= pinned;
    while (from)
        n += popcount(attacks_slider(&sliders[pop_lsb(&from)], f->occupied) & targets);
    while (pinned) {
        const Square s = pop_lsb(&pinned);
        n += popcount(attacks_slider(&sliders[s], f->occupied) & targets & bb_line(f->king, s));
    }
    return n;
}

SPECIALISED int count(const Position *pos, Color us)
{
    const Frame f = frame_of(pos, us);
    const KingMoves king = king_moves(pos, &f, us, ~f.own, NOISY | QUIET);
    int n = popcount(king.targets) + popcount((uint64_t)king.castlings);
    if (f.answers == 0)
        return n;
    const Bitboard targets = ~f.own & f.answers;
    n += count_pawn_moves(pos, &f, us);
    if (pos->ep != SQ_NONE)
        n += popcount(ep_captors(pos));
    for (Bitboard b = pos_pieces(pos, us, KNIGHT) & ~f.pinned; b;)
        n += popcount(attacks_knight(pop_lsb(&b)) & targets);
    n += count_slider_moves(&f, attacks_bishop_sliders, pos_diagonal_sliders(pos, us), targets);
    n += count_slider_moves(&f, attacks_rook_sliders, pos_straight_sliders(pos, us), targets);
    return n;
}

int gen_count(const Position *pos)
{
    return pos->side == WHITE ? count(pos, WHITE) : count(pos, BLACK);
}

bool gen_any(const Position *pos)
{
    return gen_count(pos) != 0;
}

static bool castling_is_legal(const Position *pos, Move move)
{
    const Color us = pos->side;
    const Square king = pos_king(pos, us), rook = move_to(move);
    const int right = 2 * us + (rook < king);
    if (move_from(move) != king || move_has_promoted(move) || pos->castling_rook[right] != rook ||
        !(open_castlings(pos, us, pos_pinned(pos, us)) >> right & 1))
        return false;
    return (castling_king_path(pos, right) & pos->attacks[!us]) == 0; // the king is not in check
}

/* Pseudo-legal targets of the pawn on `from`, without en passant. */
static Bitboard pawn_reach(const Position *pos, Square from)
{
    const Color us = pos->side;
    const Bitboard empty = ~pos_occupied(pos);
    const Bitboard push = bb_forward(us, bb_of(from)) & empty;
    const Bitboard jump = bb_forward(us, push & bb_relative_rank(us, 2)) & empty;
    return push | jump | (attacks_pawn(us, from) & pos->by_color[!us]);
}

/* True when a pseudo-legal move, neither castling nor en passant, does not leave the own king in
 * check. */
static bool king_is_safe_after(const Position *pos, Square from, Square to)
{
    const Color us = pos->side;
    const Square king = pos_king(pos, us);
    if (from == king)
        return !pos_is_attacked(pos, to, !us, pos_occupied(pos) ^ bb_of(king));
    if (pos->checkers != 0 && !bb_has(check_answers(pos, king), to))
        return false;
    const Bitboard line = bb_line(king, from);
    return line == 0 || bb_has(line, to) || !bb_has(pos_pinned(pos, us), from);
}

bool gen_is_legal(const Position *pos, Move move)
{
    const Color us = pos->side;
    const Square from = move_from(move), to = move_to(move);
    const Piece piece = pos->board[from];
    const int kind = move_kind(move);
    if (piece == NO_PIECE || piece_color(piece) != us)
        return false;
    if (kind == KIND_CASTLING)
        return castling_is_legal(pos, move);
    if (kind == KIND_EN_PASSANT)
        return piece_type(piece) == PAWN && to == pos->ep && !move_has_promoted(move) &&
               bb_has(attacks_pawn(us, from), to) && pos_ep_is_legal(pos, from, to);
    Bitboard reach;
    if (piece_type(piece) == PAWN) {
        if ((kind == KIND_PROMOTION) != (relative_rank(us, to) == 7))
            return false;
        reach = pawn_reach(pos, from);
    } else {
        if (kind == KIND_PROMOTION)
            return false;
        reach = attacks_of(piece_type(piece), from, pos_occupied(pos)) & ~pos->by_color[us];
    }
    if (kind == KIND_NORMAL && move_has_promoted(move))
        return false;
    return bb_has(reach, to) && king_is_safe_after(pos, from, to);
}
