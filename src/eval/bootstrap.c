// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/bootstrap.h"

#include <stdlib.h>

#include "base/minmax.h"

/* A middlegame value (low half) and an endgame value (high half) in one number, so that one
 * addition or multiplication handles both. The numbers below are estimates, not tuned; a pawn has a
 * value of about 200 units. */
typedef int64_t Pair;
#define PAIR(mg, eg) ((mg) + (eg)*0x100000000LL)

#define DARK_SQUARES 0xAA55AA55AA55AA55ULL

enum { PHASE_MAX = 24, SCALE_FULL = 64 };
enum {
    TEMPO = 24,        // for the side to move
    DANGER_FREE = 4,   // danger without a penalty
    DANGER_MAX = 2800, // largest penalty for danger
    UNSTOPPABLE = 900, // a passed pawn that the enemy king cannot catch
    KNOWN_WIN = 1000,  // against a bare king, plus POINT for each point of material
    POINT = 200
};

static const Pair MATERIAL[PIECE_TYPE_NB] = {PAIR(170, 220),   PAIR(710, 620),   PAIR(750, 660),
                                             PAIR(1020, 1130), PAIR(2150, 2080), 0};
static const int PHASE[PIECE_TYPE_NB] = {0, 1, 1, 2, 4, 0};
static const int POINTS[PIECE_TYPE_NB] = {0, 3, 3, 5, 9, 0}; // conventional points; pawns count 0

/* Value of one more reachable square, and the usual number of squares, by piece type. */
static const Pair MOBILITY[PIECE_TYPE_NB] = {0,           PAIR(14, 14), PAIR(14, 14),
                                             PAIR(7, 12), PAIR(4, 8),   0};
static const int MOBILITY_USUAL[PIECE_TYPE_NB] = {0, 4, 6, 7, 13, 0};

/* Danger to the king: from a piece that attacks its ring, and from a possible check on an
 * undefended square. */
static const int ATTACKER[PIECE_TYPE_NB] = {0, 3, 2, 3, 4, 0};
static const int SAFE_CHECK[PIECE_TYPE_NB] = {0, 4, 2, 5, 4, 0};

static Pair piece_square[PIECE_NB][SQ_NB]; // includes material; negative for Black
static Pair mobility[PIECE_TYPE_NB][28];

/* Data shared by the terms of one evaluation; arrays [COLOR_NB] are by colour. */
typedef struct {
    const Position *pos;
    Bitboard occupied;
    Square king[COLOR_NB];
    Bitboard ring[COLOR_NB]; // the king's square, its neighbours, and those moved one rank forward
    Bitboard attacks[COLOR_NB][PIECE_TYPE_NB]; // by piece type
    Bitboard attacked[COLOR_NB];               // by any piece
    int danger[COLOR_NB]; // to the king of this colour, from pieces that attack its ring
    int points[COLOR_NB];
} Facts;

static int pair_mg(Pair p)
{
    return (int)(int32_t)(uint32_t)p;
}

/* A negative low half borrows one from the high half; subtracting the low half first undoes that.
 */
static int pair_eg(Pair p)
{
    return (int)((p - pair_mg(p)) / 0x100000000LL);
}

/* Number of king moves from one square to the other on an empty board. */
static int distance(Square a, Square b)
{
    return max_int(abs(file_of(a) - file_of(b)), abs(rank_of(a) - rank_of(b)));
}

/* Returns the value of a square for a white piece: mobility on the empty board and closeness to the
 * centre. Pawns gain by advancing and by covering the four centre squares. Kings gain by a wing
 * square behind their pawns in the middlegame and by the centre in the endgame. */
static Pair square_value(PieceType t, Square s)
{
    const int rank = rank_of(s);
    const int wing = min_int(file_of(s), 7 - file_of(s));  // 0 at the edge, 3 on the centre files
    const int centre = wing + min_int(rank, 7 - rank) - 3; // -3 in the corner, 3 in the middle
    const int reach = t == PAWN ? 0 : popcount(attacks_of(t, s, 0));
    const Bitboard middle = bb_of(D4) | bb_of(E4) | bb_of(D5) | bb_of(E5);
    switch (t) {
    case PAWN: {
        const int covers = popcount(attacks_pawn(WHITE, s) & middle) + (bb_has(middle, s) ? 1 : 0);
        return PAIR(16 * covers + 5 * wing + 4 * rank - 16, 8 * rank - 16);
    }
    case KNIGHT:
        return PAIR(14 * (reach - 5) + 8 * centre + 6 * min_int(rank, 5) - 15,
                    12 * (reach - 5) + 10 * centre);
    case BISHOP:
        return PAIR(8 * (reach - 9) + 4 * centre - (rank == 0 ? 20 : 0),
                    6 * (reach - 9) + 4 * centre);
    case ROOK: return PAIR(6 * wing - 9 + (rank == 6 ? 20 : 0), rank == 6 ? 24 : 0);
    case QUEEN: return PAIR(3 * (reach - 23) + 2 * centre, 4 * (reach - 23) + 10 * centre);
    default: return PAIR(-26 * max_int(wing - 1, 0) - 45 * min_int(rank, 4), 24 * centre);
    }
}

void bootstrap_init(void)
{
    for (PieceType t = PAWN; t <= KING; t++) {
        for (Square s = A1; s <= H8; s++) {
            piece_square[piece_make(WHITE, t)][s] = MATERIAL[t] + square_value(t, s);
            piece_square[piece_make(BLACK, t)][s ^ 56] = -piece_square[piece_make(WHITE, t)][s];
        }
        /* Concave: each further square adds a little less, and the first squares matter most. */
        for (int n = 0; n < 28 && MOBILITY_USUAL[t] > 0; n++) {
            const int usual = MOBILITY_USUAL[t], over = n - usual;
            const int mg = pair_mg(MOBILITY[t]), eg = pair_eg(MOBILITY[t]);
            const int bent = 4 * usual * over - over * over;
            mobility[t][n] = PAIR(mg * bent / (4 * usual), eg * bent / (4 * usual));
        }
    }
}

/* Pawn structure, independent of the pieces. */
static Pair pawn_value(const Facts *f, Color us)
{
    const Color them = !us;
    const Bitboard ours = pos_pieces(f->pos, us, PAWN);
    const Bitboard covered = f->attacks[us][PAWN];
    const Bitboard behind = bb_fill_forward(them, bb_forward(them, ours));
    const Bitboard stuck =
        bb_forward(us, ours) & f->attacks[them][PAWN] & ~bb_fill_forward(us, covered);
    return popcount(ours & behind) * PAIR(-20, -40) +                              // doubled
           popcount(ours & ~bb_both_sides(bb_fill_files(ours))) * PAIR(-22, -28) + // isolated
           popcount(stuck) * PAIR(-20, -18) +                                      // backward
           popcount(ours & covered) * PAIR(16, 14) +
           popcount(ours & bb_both_sides(ours)) * PAIR(10, 8);
}

/* Returns the mobility of the pieces of one type. Also records their attacks and the danger to the
 * enemy king. */
static inline Pair type_value(Facts *f, Color us, PieceType t)
{
    const Color them = !us;
    const Bitboard free = ~f->pos->by_color[us] & ~f->attacks[them][PAWN];
    const Bitboard ring = f->ring[them];
    Bitboard pieces = pos_pieces(f->pos, us, t), all = 0;
    Pair sum = 0;
    while (pieces) {
        const Bitboard reach = attacks_of(t, pop_lsb(&pieces), f->occupied);
        const Bitboard hits = reach & ring;
        all |= reach;
        sum += mobility[t][popcount(reach & free)];
        f->danger[them] += hits ? ATTACKER[t] + popcount(hits) : 0;
    }
    f->attacks[us][t] = all;
    f->attacked[us] |= all;
    return sum;
}

/* Mobility, bishop pair, outposts, and rooks on open files. */
static Pair piece_value(Facts *f, Color us)
{
    const Color them = !us;
    const Position *pos = f->pos;
    const Bitboard bishops = pos_pieces(pos, us, BISHOP), rooks = pos_pieces(pos, us, ROOK);
    const Bitboard outposts = f->attacks[us][PAWN] &
                              ~bb_fill_forward(them, f->attacks[them][PAWN]) &
                              (us == WHITE ? 0x0000FFFFFF000000ULL : 0x000000FFFFFF0000ULL);
    const Bitboard half_open = rooks & ~bb_fill_files(pos_pieces(pos, us, PAWN));
    const Bitboard open = half_open & ~bb_fill_files(pos_pieces(pos, them, PAWN));
    return type_value(f, us, KNIGHT) + type_value(f, us, BISHOP) + type_value(f, us, ROOK) +
           type_value(f, us, QUEEN) + (bb_many(bishops) ? PAIR(50, 90) : 0) +
           popcount(outposts & pos_pieces(pos, us, KNIGHT)) * PAIR(40, 20) +
           popcount(outposts & bishops) * PAIR(20, 10) + popcount(half_open) * PAIR(20, 14) +
           popcount(open) * PAIR(25, 10);
}

/* Threats: attacks by less valuable pieces and on undefended ones. */
static Pair threat_value(const Facts *f, Color us)
{
    const Color them = !us;
    const Bitboard targets = f->pos->by_color[them];
    const Bitboard pieces = targets & ~f->pos->by_type[PAWN] & ~f->pos->by_type[KING];
    const Bitboard majors = pieces & (f->pos->by_type[ROOK] | f->pos->by_type[QUEEN]);
    const Bitboard minor_attacks = f->attacks[us][KNIGHT] | f->attacks[us][BISHOP];
    const Bitboard loose = f->attacked[us] & ~f->attacked[them];
    return popcount(pieces & f->attacks[us][PAWN]) * PAIR(80, 60) +
           popcount(majors & minor_attacks) * PAIR(50, 40) +
           popcount(majors & f->pos->by_type[QUEEN] & f->attacks[us][ROOK]) * PAIR(50, 30) +
           popcount(pieces & loose) * PAIR(40, 40) +
           popcount(targets & ~pieces & loose) * PAIR(10, 24);
}

/* King safety: castling rights, pawn shelter and attackers. The middlegame penalty grows with the
 * square of the danger. */
static Pair king_value(const Facts *f, Color us)
{
    const Color them = !us;
    const Position *pos = f->pos;
    const Square king = f->king[us];
    const Bitboard near = attacks_king(king);
    const Bitboard front = bb_forward(us, bb_of(king)) | bb_both_sides(bb_forward(us, bb_of(king)));
    const Bitboard shelter = (front | bb_forward(us, front)) & pos_pieces(pos, us, PAWN);
    const int bare = 3 - min_int(popcount(shelter), 3); // missing pawns of the shelter

    Bitboard others = 0; // squares that pawns and pieces other than the king defend
    for (PieceType t = PAWN; t <= QUEEN; t++)
        others |= f->attacks[us][t];
    const Bitboard safe = ~(others | near | pos->by_color[them]);
    const Bitboard diagonal = attacks_bishop(king, f->occupied),
                   straight = attacks_rook(king, f->occupied);
    const Bitboard lines[PIECE_TYPE_NB] = {0,        attacks_knight(king), diagonal,
                                           straight, diagonal | straight,  0};
    int danger =
        f->danger[us] + bare + 2 * popcount(near & f->attacked[them] & ~others) - DANGER_FREE;
    for (PieceType t = KNIGHT; t <= QUEEN; t++)
        danger += lines[t] & safe & f->attacks[them][t] ? SAFE_CHECK[t] : 0;
    if (!pos_pieces(pos, them, QUEEN))
        danger = danger * 2 / 3;
    danger = max_int(danger, 0);

    const int rights = popcount(pos->castling & castling_rights(us));
    return PAIR(18 * rights - 24 * bare - min_int(danger * danger * 3 / 2, DANGER_MAX),
                -4 * danger);
}

/* Passed pawns, by rank, free path and distance of the kings. A bonus applies if the enemy has no
 * pieces and the enemy king cannot catch the pawn. */
static Pair passed_value(const Facts *f, Color us)
{
    const Color them = !us;
    const Position *pos = f->pos;
    Bitboard passed = pos_passed_pawns(pos, us);
    Pair sum = 0;
    while (passed) {
        const Square s = pop_lsb(&passed), stop = s + pawn_push(us);
        const int steps = relative_rank(us, s) - 1; // from the second rank
        const Bitboard way = bb_fill_forward(us, bb_of(stop));
        const bool is_clear = !(way & f->occupied);
        int eg = 16 + 10 * steps * steps;
        eg += steps * (6 * distance(f->king[them], stop) - 4 * distance(f->king[us], stop));
        if (bb_has(f->occupied, stop))
            eg -= 4 * steps * steps;
        else if (is_clear && !(way & f->attacked[them]))
            eg += 6 * steps * steps;
        if (is_clear && !pos_has_pieces(pos, them)) {
            const Square queening = relative_square(us, square_make(file_of(s), 7));
            const int moves = min_int(6 - steps, 5) + (pos->side == them ? 1 : 0);
            if (moves < distance(f->king[them], queening))
                eg += UNSTOPPABLE;
        }
        sum += PAIR(6 * steps * steps, eg);
    }
    return sum;
}

/* Returns true if the pieces of `c` can force mate against a bare king. */
static bool can_mate(const Facts *f, Color c)
{
    const Position *pos = f->pos;
    const Bitboard bishops = pos_pieces(pos, c, BISHOP), knights = pos_pieces(pos, c, KNIGHT);
    return (pos->by_color[c] & (pos->by_type[ROOK] | pos->by_type[QUEEN])) != 0 ||
           (bishops & DARK_SQUARES && bishops & ~DARK_SQUARES) || (bishops && knights) ||
           popcount(knights) > 2;
}

/* Returns a bonus for driving the weaker king to the edge and for approaching it with the stronger
 * king. With bishop and knight, the weaker king must be driven to a corner of the bishop's
 * colour. */
static int mop_up(const Facts *f, Color strong)
{
    const Position *pos = f->pos;
    const Square weak = f->king[!strong];
    const int file = file_of(weak), rank = rank_of(weak);
    const Bitboard bishops = pos_pieces(pos, strong, BISHOP);
    int push = 6 - min_int(file, 7 - file) - min_int(rank, 7 - rank);
    if (pos->by_color[strong] ==
            (bishops | pos_pieces(pos, strong, KNIGHT) | bb_of(f->king[strong])) &&
        !bb_many(bishops) && bishops) {
        const bool is_dark = (bishops & DARK_SQUARES) != 0;
        push += abs(7 - rank - (is_dark ? file : 7 - file));
    }
    return 60 * push + 30 * (7 - distance(weak, f->king[strong]));
}

/* Returns true for the draw by a held corner: the stronger side has only pawns on one rook file, at
 * most with a bishop of the wrong colour, and the king of `weak` is in or beside the promotion
 * corner. */
static bool holds_corner(const Facts *f, Color weak)
{
    const Color strong = !weak;
    const Bitboard pawns = pos_pieces(f->pos, strong, PAWN),
                   bishops = pos_pieces(f->pos, strong, BISHOP);
    if ((pawns & ~BB_FILE_A && pawns & ~BB_FILE_H) || f->points[strong] > 3)
        return false;
    const Square corner = relative_square(strong, square_make(file_of(lsb(pawns)), 7));
    const bool is_wrong = bishops && !(bishops & DARK_SQUARES) == bb_has(DARK_SQUARES, corner);
    return (f->points[strong] == 0 || is_wrong) && distance(f->king[weak], corner) <= 1;
}

/* Returns the factor, in 1/SCALE_FULL, by which to reduce an advantage that is hard to win. */
static int winning_scale(const Facts *f, Color strong)
{
    const Position *pos = f->pos;
    const Color weak = !strong;
    const Bitboard pawns = pos_pieces(pos, strong, PAWN), bishops = pos_pieces(pos, strong, BISHOP);
    const Bitboard theirs = pos_pieces(pos, weak, BISHOP);
    const int ahead = f->points[strong] - f->points[weak];
    if (!pawns) {
        /* bootstrap_eval() has already scored the bare kings that can be mated. */
        if (f->points[strong] <= 3 || !bb_many(pos->by_color[weak]))
            return 0;
        if (f->points[strong] == 6 && popcount(pos_pieces(pos, strong, KNIGHT)) == 2)
            return SCALE_FULL / 8;
        return ahead <= 3 ? SCALE_FULL / 6 : SCALE_FULL;
    }
    if (holds_corner(f, weak))
        return 0;
    const int pawn_bonus = min_int(4 * popcount(pawns), 24); // each pawn helps to win
    if (bishops && theirs && !bb_many(bishops) && !bb_many(theirs) &&
        !(bishops & DARK_SQUARES) == !!(theirs & DARK_SQUARES))
        return f->points[strong] == 3 && f->points[weak] == 3 ? 20 + pawn_bonus / 2
                                                              : 36 + pawn_bonus;
    return ahead <= 3 ? 40 + pawn_bonus : SCALE_FULL;
}

/* Fills in the kings, their rings, and the attacks of pawns and kings. */
static void collect(Facts *f)
{
    for (Color c = WHITE; c <= BLACK; c++) {
        const Square king = pos_king(f->pos, c);
        const Bitboard near = attacks_king(king) | bb_of(king);
        f->king[c] = king;
        f->ring[c] = near | bb_forward(c, near);
        f->attacks[c][PAWN] = bb_pawn_attacks(c, pos_pieces(f->pos, c, PAWN));
        f->attacks[c][KING] = attacks_king(king);
        f->attacked[c] = f->attacks[c][PAWN] | f->attacks[c][KING];
    }
}

/* Returns the sum of material and piece-square values, and writes the phase of the game and the
 * points of both sides. */
static Pair board_value(Facts *f, int *phase)
{
    Pair sum = 0;
    for (Bitboard b = f->occupied; b;) {
        const Square s = pop_lsb(&b);
        sum += piece_square[f->pos->board[s]][s];
    }
    *phase = 0;
    for (PieceType t = KNIGHT; t <= QUEEN; t++) {
        const int white = popcount(pos_pieces(f->pos, WHITE, t));
        const int black = popcount(pos_pieces(f->pos, BLACK, t));
        f->points[WHITE] += POINTS[t] * white;
        f->points[BLACK] += POINTS[t] * black;
        *phase += PHASE[t] * (white + black);
    }
    return sum;
}

Score bootstrap_eval(const Position *pos)
{
    Facts f = {.pos = pos, .occupied = pos_occupied(pos)};
    int phase;
    collect(&f);
    Pair sum = board_value(&f, &phase);
    /* Against a bare king only progress towards mate counts; other terms would hide it. */
    for (Color strong = WHITE; strong <= BLACK; strong++)
        if (!bb_many(pos->by_color[!strong]) && can_mate(&f, strong)) {
            const int pawns = popcount(pos->by_type[PAWN]);
            const int won =
                KNOWN_WIN + POINT * f.points[strong] + POINT * pawns + mop_up(&f, strong);
            return score_clamp_eval(pos->side == strong ? won : -won);
        }
    sum += pawn_value(&f, WHITE) - pawn_value(&f, BLACK);
    sum += piece_value(&f, WHITE) - piece_value(&f, BLACK);
    sum += threat_value(&f, WHITE) - threat_value(&f, BLACK);
    sum += king_value(&f, WHITE) - king_value(&f, BLACK);
    sum += passed_value(&f, WHITE) - passed_value(&f, BLACK);

    const int weight = min_int(phase, PHASE_MAX);
    int score = (pair_mg(sum) * weight + pair_eg(sum) * (PHASE_MAX - weight)) / PHASE_MAX;
    score += pos->side == WHITE ? TEMPO : -TEMPO;
    if (score == 0)
        return SCORE_DRAW;
    const Color strong = score > 0 ? WHITE : BLACK;
    if (!pos_pieces(pos, !strong, PAWN) && f.points[strong] - f.points[!strong] >= 4)
        score += (strong == WHITE ? mop_up(&f, strong) : -mop_up(&f, strong)) / 2;
    score = score * winning_scale(&f, strong) / SCALE_FULL;
    return score_clamp_eval(pos->side == WHITE ? score : -score);
}
