// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>
#include <stdlib.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/random_game.h"
#include "chess/see.h"

/* The slow model: a plain board, rays walked square by square, and a full recursion over the
 * exchange. It shares only the piece values with see.c. */
typedef struct {
    int piece[64]; // Piece or NO_PIECE
} Board;

static const int VALUES[PIECE_TYPE_NB] = {100, 300, 300, 500, 900, 0};

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

/* First piece on the walk from `s` in direction (df, dr), its square in `*where`; NO_PIECE at the
 * edge. */
static int walk_ray(const Board *b, int s, int df, int dr, int *where)
{
    int file = s % 8 + df, rank = s / 8 + dr;
    while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
        *where = rank * 8 + file;
        if (b->piece[*where] != NO_PIECE)
            return b->piece[*where];
        file += df;
        rank += dr;
    }
    *where = -1;
    return NO_PIECE;
}

static bool slides(int piece, int df, int dr)
{
    const int type = piece / 2;
    return piece != NO_PIECE && (type == QUEEN || (type == BISHOP && df != 0 && dr != 0) ||
                                 (type == ROOK && (df == 0 || dr == 0)));
}

/* Whether the piece on `from` attacks `to`. */
static bool attacks(const Board *b, int from, int to)
{
    const int piece = b->piece[from], color = piece % 2;
    const int df = to % 8 - from % 8, dr = to / 8 - from / 8;
    int where;
    switch (piece / 2) {
    case PAWN: return abs(df) == 1 && dr == (color == WHITE ? 1 : -1);
    case KNIGHT: return abs(df * dr) == 2;
    case KING: return (df != 0 || dr != 0) && abs(df) <= 1 && abs(dr) <= 1;
    default: break;
    }
    if ((df != 0 && dr != 0 && abs(df) != abs(dr)) || (df == 0 && dr == 0))
        return false;
    if (!slides(piece, sign(df), sign(dr)))
        return false;
    walk_ray(b, from, sign(df), sign(dr), &where);
    return where == to; // the target stays occupied during an exchange
}

static int find_king(const Board *b, int color)
{
    int s = 0;
    while (b->piece[s] != KING * 2 + color)
        s++;
    return s;
}

/* True when `from` is the only piece between its own king and an enemy slider. */
static bool pinned(const Board *b, int from, int color, int target)
{
    const int king = find_king(b, color);
    const int df = from % 8 - king % 8, dr = from / 8 - king / 8;
    int where;
    if (king == from || (df != 0 && dr != 0 && abs(df) != abs(dr)))
        return false;
    walk_ray(b, king, sign(df), sign(dr), &where);
    if (where != from)
        return false;
    const int behind = walk_ray(b, from, sign(df), sign(dr), &where);
    return where != target && behind % 2 != color && slides(behind, sign(df), sign(dr));
}

static bool is_defended(const Board *b, int target, int by)
{
    for (int s = 0; s < 64; s++)
        if (b->piece[s] != NO_PIECE && b->piece[s] % 2 == by && s != target &&
            attacks(b, s, target))
            return true;
    return false;
}

/* True when the piece on `from` may capture on `target` under the rules of see.h. */
static bool may_capture(const Board *b, int from, int target, int color)
{
    if (b->piece[from] == NO_PIECE || b->piece[from] % 2 != color || from == target ||
        !attacks(b, from, target))
        return false;
    if (b->piece[from] / 2 != KING)
        return !pinned(b, from, color, target);
    Board after = *b;
    after.piece[target] = after.piece[from];
    after.piece[from] = NO_PIECE;
    return !is_defended(&after, target, !color);
}

/* Gain of `color` by captures on `target`, at least 0 because capturing is optional. */
static int exchange(const Board *b, int target, int color)
{
    int best = -1;
    for (int s = 0; s < 64; s++) {
        if (!may_capture(b, s, target, color))
            continue;
        if (best < 0 || b->piece[s] / 2 < b->piece[best] / 2)
            best = s;
    }
    if (best < 0)
        return 0;
    Board after = *b;
    after.piece[target] = after.piece[best];
    after.piece[best] = NO_PIECE;
    const int gain = VALUES[b->piece[target] / 2] - exchange(&after, target, !color);
    return gain > 0 ? gain : 0;
}

static int slow_see(const Position *pos, Move move)
{
    if (move_kind(move) == KIND_CASTLING)
        return 0;
    Board b;
    for (int s = 0; s < 64; s++)
        b.piece[s] = pos->board[s];
    const int from = move_from(move), to = move_to(move), color = pos->side;
    int gain = b.piece[to] == NO_PIECE ? 0 : VALUES[b.piece[to] / 2];
    b.piece[to] = b.piece[from];
    b.piece[from] = NO_PIECE;
    if (move_kind(move) == KIND_EN_PASSANT) {
        gain += 100;
        b.piece[from / 8 * 8 + to % 8] = NO_PIECE;
    } else if (move_kind(move) == KIND_PROMOTION) {
        b.piece[to] = move_promoted(move) * 2 + color;
        gain += VALUES[move_promoted(move)] - 100;
    }
    return gain - exchange(&b, to, !color);
}

/* Value of an exchange, found with see_ge() alone. */
static void check_value(const Position *pos, Move move, int value)
{
    static const int OFFSETS[] = {-2000, -900, -500, -301, -100, -1, 0, 1, 99, 100, 300, 500, 2000};
    char fen[FEN_MAX], text[MOVE_TEXT_MAX];
    fen_print(pos, true, fen);
    move_to_uci(move, true, text);
    for (size_t i = 0; i < sizeof OFFSETS / sizeof OFFSETS[0]; i++) {
        const int threshold = value + OFFSETS[i];
        ck_assert_msg(see_ge(pos, move, threshold) == (OFFSETS[i] <= 0), "%s %s: %d >= %d?", fen,
                      text, value, threshold);
    }
    ck_assert_msg(see_ge(pos, move, 0) == (value >= 0), "%s %s: %d >= 0?", fen, text, value);
}

static const struct {
    const char *fen, *uci;
    int value;
} CASES[] = {
    // a hanging piece, a defended one, and a quiet move
    {"4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100},
    {"4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", -400},
    {"4k3/8/8/8/4p3/8/8/R3K3 w - - 0 1", "a1a3", 0},
    {"4k3/8/8/8/1p6/8/8/R3K3 w - - 0 1", "a1a3", -500},
    // equal trades, and defenders that are worth less
    {"4k3/8/2n5/4n3/8/5N2/8/4K3 w - - 0 1", "f3e5", 0},
    {"4k3/8/3p4/4n3/8/5N2/8/4K3 w - - 0 1", "f3e5", 0},
    {"1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100},
    // X-rays: rook behind rook, queen behind bishop, both sides
    {"4k3/3r4/3r4/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", -400},
    {"4k3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100},
    {"4k3/8/4p3/3p4/4B3/5Q2/8/4K3 w - - 0 1", "e4d5", -100},
    {"1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -200},
    {"4k3/3q4/3r4/3p4/8/3R4/3Q4/3RK3 w - - 0 1", "d3d5", 100},
    // en passant, undefended and defended
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100},
    {"4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0},
    {"4k3/8/8/3pP3/8/8/3r4/6K1 w - d6 0 1", "e5d6", 0}, // the captured pawn hid the rook
    // promotions: free, lost at once, with a capture
    {"7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", 800},
    {"3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", -100},
    {"3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8n", -100},
    {"3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", 1300},
    {"r2r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", 400},
    // a pinned defender does not capture until its pinner has captured on the target
    {"3k4/3n4/8/4p3/8/5N2/8/3RK3 w - - 0 1", "f3e5", 100},
    {"7k/8/5n2/8/4p3/2B1N3/8/4R1K1 w - - 0 1", "e3f5", 0},
    {"7k/8/5n2/8/4p3/2B5/8/4R1K1 w - - 0 1", "e1e4", 100},
    {"7k/8/5n2/3p4/8/2B5/6B1/6K1 w - - 0 1", "g2d5", 100},
    // a pinned piece may capture along its line
    {"3k4/8/3r4/3P4/8/8/8/3RK3 b - - 0 1", "d6d5", -400},
    {"3k4/3r4/8/8/3N4/8/8/3QK3 w - - 0 1", "d4b5", 0},
    // a king captures only undefended pieces; a pinned defender counts
    {"8/8/3k4/4p3/8/5N2/8/4K3 w - - 0 1", "f3e5", -200},
    {"8/8/3k4/4p3/8/5N2/8/4RK2 w - - 0 1", "f3e5", 100},
    {"8/b7/3k4/4p3/3B4/5N2/5K2/8 w - - 0 1", "f3e5", 100},
    {"8/8/3k4/4p3/8/5N2/1B6/4K3 w - - 0 1", "f3e5", 100},
    // castling
    {"4k3/8/8/8/8/8/8/4K2R w H - 0 1", "e1h1", 0},
};

START_TEST(exchanges_have_the_values_of_the_table)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert_msg(fen_parse(&pos, CASES[_i].fen, true, error), "%s: %s", CASES[_i].fen, error);
    const Move move = move_from_uci(&pos, CASES[_i].uci);
    ck_assert_msg(move != MOVE_NONE, "%s in %s", CASES[_i].uci, CASES[_i].fen);
    ck_assert_int_eq(slow_see(&pos, move), CASES[_i].value);
    check_value(&pos, move, CASES[_i].value);
}
END_TEST

START_TEST(random_exchanges_equal_the_slow_model)
{
    int captures = 0, quiets = 0, longer = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        Walk walk;
        walk_start(&walk, seed);
        for (int ply = 0; ply < 60; ply++) {
            Move moves[MAX_MOVES];
            const int count = gen_legal(&walk.pos, moves);
            for (int i = 0; i < count; i++) {
                const bool is_capture = pos_is_capture(&walk.pos, moves[i]);
                if (!is_capture && rng_below(&walk.rng, 16) != 0)
                    continue;
                const int value = slow_see(&walk.pos, moves[i]);
                check_value(&walk.pos, moves[i], value);
                captures += is_capture;
                quiets += !is_capture;
                const PieceType victim = pos_captured(&walk.pos, moves[i]);
                longer += value != see_value[victim];
            }
            if (walk_step(&walk) == MOVE_NONE)
                break;
        }
    }
    ck_assert_int_gt(captures, 20000);
    ck_assert_int_gt(quiets, 20000);
    ck_assert_int_gt(longer, 10000);
}
END_TEST

START_TEST(the_short_cut_changes_no_result)
{
    int safe = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        Walk walk;
        walk_start(&walk, seed);
        for (int ply = 0; ply < 60; ply++) {
            const Position *pos = &walk.pos;
            const Bitboard attacked = pos->attacks[!pos->side];
            Move moves[MAX_MOVES];
            const int count = gen_legal(pos, moves);
            for (int i = 0; i < count; i++) {
                for (int threshold = -500; threshold <= 100; threshold += 100)
                    ck_assert_int_eq(see_ge(pos, moves[i], threshold),
                                     see_exchange(pos, moves[i], threshold));
                safe +=
                    !bb_has(attacked, move_from(moves[i])) && !bb_has(attacked, move_to(moves[i]));
            }
            if (walk_step(&walk) == MOVE_NONE)
                break;
        }
    }
    ck_assert_int_gt(safe, 20000);
}
END_TEST

START_TEST(a_piece_that_uncovers_an_attack_on_its_target_is_not_safe)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert(fen_parse(&pos, "k3r3/8/8/8/4R3/8/8/K7 w - - 0 1", false, error));
    ck_assert(!bb_has(pos.attacks[BLACK], E2));
    ck_assert(!see_ge(&pos, move_make(E4, E2, KIND_NORMAL), 1 - SEE_ROOK));
}
END_TEST

START_TEST(extreme_thresholds_do_not_overflow)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert(fen_parse(&pos, CASES[0].fen, true, error));
    const Move move = move_from_uci(&pos, CASES[0].uci);
    ck_assert(see_ge(&pos, move, -1000000));
    ck_assert(!see_ge(&pos, move, 1000000));
}
END_TEST

Suite *suite_see(void);
Suite *suite_see(void)
{
    Suite *suite = suite_create("see");
    TCase *tcase = tcase_create("see");
    tcase_set_timeout(tcase, 20);
    tcase_add_loop_test(tcase, exchanges_have_the_values_of_the_table, 0,
                        sizeof CASES / sizeof CASES[0]);
    tcase_add_test(tcase, random_exchanges_equal_the_slow_model);
    tcase_add_test(tcase, the_short_cut_changes_no_result);
    tcase_add_test(tcase, a_piece_that_uncovers_an_attack_on_its_target_is_not_safe);
    tcase_add_test(tcase, extreme_thresholds_do_not_overflow);
    suite_add_tcase(suite, tcase);
    return suite;
}
