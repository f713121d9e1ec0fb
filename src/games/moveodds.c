// SPDX-License-Identifier: GPL-3.0-or-later
#include "games/moveodds.h"

enum { KIND_ENDGAME_KING = PIECE_TYPE_NB, KIND_NB }; // a king whose enemy has no queen

/* Features of a move. The odds of a move are the product of the odds of its features (conditional
 * logit model, McFadden 1974). "+ kind" means that each kind of piece has its own feature. */
enum {
    MOVER = 0,                           // + kind of the moving piece
    TO_CENTRE = MOVER + KIND_NB,         // + kind: for each king step nearer to the centre
    FORWARD = TO_CENTRE + KIND_NB,       // + kind: for each rank forward
    FLEES_LESSER = FORWARD + KIND_NB,    // + kind: leaves a square attacked by a piece worth less
    FLEES = FLEES_LESSER + KIND_NB,      // + kind: else, leaves a square attacked and not defended
    INTO_LESSER = FLEES + KIND_NB,       // + kind: moves to a square attacked by a piece worth less
    INTO_LOSS = INTO_LESSER + KIND_NB,   // + kind: else, to a square attacked and not defended
    INTO_EXCHANGE = INTO_LOSS + KIND_NB, // + kind: else, to a square attacked and defended
    THREATENS = INTO_EXCHANGE + KIND_NB, // + kind: attacks one of the Scene's targets
    TAKES_FREE = THREATENS + KIND_NB,    // + type of the undefended captured piece
    TAKES_MORE = TAKES_FREE + PIECE_TYPE_NB,  // + type of the defended captured piece, worth more
    TAKES_EQUAL = TAKES_MORE + PIECE_TYPE_NB, // captures a defended piece of equal value
    TAKES_LESS,                               // captures a defended piece worth less
    RETAKES,                                  // captures the piece that moved last
    PROMOTES,                                 // to a queen
    UNDERPROMOTES,                            // has no other feature
    CASTLES,                                  // has no other feature
    CHECKS_SAFELY,                            // gives check from a square not attacked
    CHECKS_UNSAFELY,                          // gives check from an attacked square
    GOES_BACK,                                // reverses the own last move
    MOVES_AGAIN,                              // moves the piece of the own last move again
    SEVENTH,                                  // a pawn reaches the rank before the last
    FEATURE_NB
};

/* Logarithms of the odds in 1/8 bit, fitted to games with searches of about 500 nodes. */
// clang-format off
static const int8_t ODDS[FEATURE_NB] = {
    [MOVER] = 6, 3, 0, -5, -3, -3, -5,
    [TO_CENTRE] = 4, 7, 6, 0, 4, -4, 5,
    [FORWARD] = -2, 2, 1, 1, 2, -4, 1,
    [FLEES_LESSER] = 0, 32, 31, 32, 40, 0, 0,
    [FLEES] = 8, 19, 21, 29, 37, 5, 5,
    [INTO_LESSER] = 0, -33, -29, -29, -37, 0, 0,
    [INTO_LOSS] = -22, -31, -28, -32, -40, 0, 0,
    [INTO_EXCHANGE] = 0, -1, 0, 5, 5, 0, 0,
    [THREATENS] = 15, 9, 8, 12, 8, 10, 11,
    [TAKES_FREE] = 27, 43, 42, 50, 62, 0,
    [TAKES_MORE] = 0, 49, 51, 66, 82, 0,
    [TAKES_EQUAL] = 33, [TAKES_LESS] = 6, [RETAKES] = 11, [PROMOTES] = 17,
    [UNDERPROMOTES] = -34, [CASTLES] = 10, [CHECKS_SAFELY] = 20, [CHECKS_UNSAFELY] = 10,
    [GOES_BACK] = 7, [MOVES_AGAIN] = 1, [SEVENTH] = 13,
};
// clang-format on

static const int VALUE[PIECE_TYPE_NB] = {1, 3, 3, 5, 9, 20};

/* Facts of a position shared by the features of all its moves. */
typedef struct {
    const Position *pos;
    Move last, own_last;
    Bitboard attacked;               // by the enemy, through the own king
    Bitboard defended;               // by the side to move
    Bitboard lesser[PIECE_TYPE_NB];  // squares attacked by enemy pieces worth less than this type
    Bitboard targets[PIECE_TYPE_NB]; // enemy pieces worth more than this type, or undefended (for
                                     // a pawn never pawns)
} Scene;

static void scene_init(Scene *scene, const Position *pos, Move last, Move own_last)
{
    const Color us = pos->side, them = !us;
    const Bitboard occupied = pos_occupied(pos);
    *scene = (Scene){.pos = pos, .last = last, .own_last = own_last};
    scene->attacked = pos_danger(pos, us);
    scene->defended = pos->attacks[us];

    const Bitboard pawns = bb_pawn_attacks(them, pos_pieces(pos, them, PAWN));
    const Bitboard minors = bb_knight_attacks(pos_pieces(pos, them, KNIGHT)) |
                            attacks_sliders(pos_pieces(pos, them, BISHOP), 0, occupied);
    const Bitboard rooks = attacks_sliders(0, pos_pieces(pos, them, ROOK), occupied);
    scene->lesser[KNIGHT] = scene->lesser[BISHOP] = pawns;
    scene->lesser[ROOK] = pawns | minors;
    scene->lesser[QUEEN] = pawns | minors | rooks;

    const Bitboard enemy = pos->by_color[them] & ~pos->by_type[KING];
    const Bitboard queens = enemy & pos->by_type[QUEEN];
    const Bitboard majors = queens | (enemy & pos->by_type[ROOK]);
    const Bitboard undefended = enemy & ~scene->attacked;
    scene->targets[PAWN] = enemy & ~pos->by_type[PAWN];
    scene->targets[KNIGHT] = scene->targets[BISHOP] = majors | undefended;
    scene->targets[ROOK] = queens | undefended;
    scene->targets[QUEEN] = scene->targets[KING] = undefended;
}

/* King steps from `s` to the nearest of the four central squares: 0..3. */
static int centre_distance(Square s)
{
    const int file = file_of(s), rank = rank_of(s);
    const int x = file < 4 ? 3 - file : file - 4, y = rank < 4 ? 3 - rank : rank - 4;
    return x > y ? x : y;
}

/* True when another piece of the side to move defends the target of a move. */
static bool is_guarded(const Position *pos, Square from, Square to)
{
    const Bitboard occupied = pos_occupied(pos) ^ bb_of(from);
    return (pos_attackers_to(pos, to, occupied) & pos->by_color[pos->side] & ~bb_of(from)) != 0;
}

/* Logarithm of the odds of all features of the origin and target squares. */
static int odds_of_squares(const Scene *scene, Square from, Square to, int kind)
{
    const Position *pos = scene->pos;
    const PieceType type = piece_type(pos->board[from]);
    const Color us = pos->side;
    int odds = ODDS[MOVER + kind];
    odds += ODDS[TO_CENTRE + kind] * (centre_distance(from) - centre_distance(to));
    odds += ODDS[FORWARD + kind] * (relative_rank(us, to) - relative_rank(us, from));

    if (bb_has(scene->lesser[type], from))
        odds += ODDS[FLEES_LESSER + kind];
    else if (bb_has(scene->attacked & ~scene->defended, from))
        odds += ODDS[FLEES + kind];

    if (bb_has(scene->lesser[type], to))
        odds += ODDS[INTO_LESSER + kind];
    else if (bb_has(scene->attacked, to))
        odds += ODDS[(is_guarded(pos, from, to) ? INTO_EXCHANGE : INTO_LOSS) + kind];

    const Bitboard occupied = pos_occupied(pos) ^ bb_of(from);
    const Bitboard reach = type == PAWN ? attacks_pawn(us, to) : attacks_of(type, to, occupied);
    if (reach & scene->targets[type])
        odds += ODDS[THREATENS + kind];
    return odds;
}

/* Logarithm of the odds of the features of captures; 0 if `move` captures nothing. `type` is the
 * type of the moving piece. */
static int odds_of_capture(const Scene *scene, Move move, PieceType type)
{
    const PieceType taken = pos_captured(scene->pos, move);
    if (taken == PIECE_TYPE_NB)
        return 0;
    const Square to = move_to(move);
    int odds = scene->last != MOVE_NONE && to == move_to(scene->last) ? ODDS[RETAKES] : 0;
    if (!bb_has(scene->attacked, to))
        odds += ODDS[TAKES_FREE + taken];
    else if (VALUE[taken] > VALUE[type])
        odds += ODDS[TAKES_MORE + taken];
    else
        odds += ODDS[VALUE[taken] == VALUE[type] ? TAKES_EQUAL : TAKES_LESS];
    return odds;
}

/* Logarithm of a move's odds, in the unit of ODDS. */
static int odds_of(const Scene *scene, Move move)
{
    const Position *pos = scene->pos;
    const Square from = move_from(move), to = move_to(move);
    if (move_kind(move) == KIND_CASTLING)
        return ODDS[CASTLES];
    if (move_kind(move) == KIND_PROMOTION && move_promoted(move) != QUEEN)
        return ODDS[UNDERPROMOTES];

    const PieceType type = piece_type(pos->board[from]);
    const bool is_endgame_king = type == KING && pos_pieces(pos, !pos->side, QUEEN) == 0;
    int odds = odds_of_squares(scene, from, to, is_endgame_king ? KIND_ENDGAME_KING : type);
    odds += odds_of_capture(scene, move, type);
    if (move_kind(move) == KIND_PROMOTION)
        odds += ODDS[PROMOTES];
    if (type == PAWN && relative_rank(pos->side, to) == 6)
        odds += ODDS[SEVENTH];
    if (pos_gives_check(pos, move))
        odds += ODDS[bb_has(scene->attacked, to) ? CHECKS_UNSAFELY : CHECKS_SAFELY];
    if (scene->own_last != MOVE_NONE && from == move_to(scene->own_last))
        odds += ODDS[to == move_from(scene->own_last) ? GOES_BACK : MOVES_AGAIN];
    return odds;
}

/* 2^((`odds` + EVEN) / 8), limited to 1..MOVEODDS_WEIGHT_MAX. */
static uint16_t weight_of(int odds)
{
    enum { EVEN = 36, MAX = 79 }; // exponents in 1/8: of odds of 1, and the largest
    static const uint8_t ROOTS[8] = {128, 140, 152, 166, 181, 197, 215, 235}; // 128 * 2^(i/8)
    int exponent = odds + EVEN;
    exponent = exponent < 0 ? 0 : exponent > MAX ? MAX : exponent;
    return (uint16_t)(ROOTS[exponent & 7] << (exponent >> 3) >> 7);
}

uint32_t moveodds_weigh(const Position *pos, Move last, Move own_last, const Move *moves, int count,
                        uint16_t *weights)
{
    Scene scene;
    scene_init(&scene, pos, last, own_last);
    uint32_t total = 0;
    for (int i = 0; i < count; i++) {
        weights[i] = weight_of(odds_of(&scene, moves[i]));
        total += weights[i];
    }
    return total;
}
