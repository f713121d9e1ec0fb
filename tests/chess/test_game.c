// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>
#include <string.h>

#include "chess/fen.h"
#include "chess/game.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/play.h"
#include "chess/random_game.h"

enum { TRAIL_MAX = 400 };

/* All positions of a game for the slow models, and the path. */
typedef struct {
    Position positions[TRAIL_MAX];
    int count;
    Path path;
} Trail;

static Trail trail; // large, and every test has its own process

static void trail_start(const Position *pos)
{
    trail.positions[0] = *pos;
    trail.count = 1;
    path_start(&trail.path, pos);
}

static const Position *trail_last(void)
{
    return &trail.positions[trail.count - 1];
}

static void trail_play(Move move)
{
    ck_assert_int_lt(trail.count, TRAIL_MAX);
    Position *after = &trail.positions[trail.count];
    pos_play(after, trail_last(), move);
    trail.count++;
    path_push(&trail.path, after->key);
}

static void trail_pass(void)
{
    Position *after = &trail.positions[trail.count];
    pos_play_null(after, trail_last());
    trail.count++;
    path_push(&trail.path, after->key);
}

static void trail_start_fen(const char *fen)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert_msg(fen_parse(&pos, fen, true, error), "%s: %s", fen, error);
    trail_start(&pos);
}

/* Plays moves given in coordinates, separated by single blanks. */
static void trail_play_line(const char *line)
{
    while (*line != '\0') {
        const size_t length = strcspn(line, " ");
        char text[MOVE_TEXT_MAX] = "";
        ck_assert_uint_lt(length, sizeof text);
        memcpy(text, line, length);
        const Move move = move_from_uci(trail_last(), text);
        ck_assert_msg(move != MOVE_NONE, "%s", text);
        trail_play(move);
        line += length + (line[length] == ' ');
    }
}

/* True for the same position in the sense of the FIDE laws: pieces, side, castling rights and en
 * passant; keys are not compared. */
static bool is_same(const Position *a, const Position *b)
{
    return memcmp(a->board, b->board, sizeof a->board) == 0 && a->side == b->side &&
           a->castling == b->castling && a->ep == b->ep;
}

/* How often position `index` of the trail occurred before. */
static int slow_occurrences(int index)
{
    int count = 0;
    for (int i = 0; i < index; i++)
        count += is_same(&trail.positions[i], &trail.positions[index]);
    return count;
}

static bool slow_is_repetition(int ply)
{
    const int last = trail.count - 1, root = last - ply;
    for (int i = root + 1; i < last; i++)
        if (is_same(&trail.positions[i], trail_last()))
            return true;
    return slow_occurrences(last) >= 2;
}

static bool is_reversible(const Position *pos, Move move)
{
    return move_kind(move) == KIND_NORMAL && !pos_is_capture(pos, move) &&
           piece_type(pos_piece_on(pos, move_from(move))) != PAWN;
}

static bool slow_upcoming(int ply)
{
    const Position *pos = trail_last();
    const int root = trail.count - 1 - ply;
    Move moves[MAX_MOVES];
    const int count = gen_legal(pos, moves);
    for (int m = 0; m < count; m++) {
        if (!is_reversible(pos, moves[m]))
            continue;
        Position after;
        pos_play(&after, pos, moves[m]);
        for (int i = 0; i < trail.count; i++)
            if (is_same(&trail.positions[i], &after) && (i > root || slow_occurrences(i) > 0))
                return true;
    }
    return false;
}

/* A legal move that often repeats positions: it reverses the side's previous move. */
static Move shuffling_move(Rng *rng)
{
    const Position *pos = trail_last();
    Move moves[MAX_MOVES];
    const int count = gen_legal(pos, moves);
    if (count == 0)
        return MOVE_NONE;
    for (int tries = 0; tries < 12; tries++) {
        const Move move = moves[rng_below(rng, (uint64_t)count)];
        const PieceType type = piece_type(pos_piece_on(pos, move_from(move)));
        if (!is_reversible(pos, move) || (type != KING && type != ROOK && type != KNIGHT))
            continue;
        Position after;
        pos_play(&after, pos, move);
        for (int i = 0; i < trail.count; i++)
            if (is_same(&trail.positions[i], &after))
                return move;
        if (tries > 6)
            return move;
    }
    return moves[rng_below(rng, (uint64_t)count)];
}

static const char *const STARTS[] = {
    "4k3/8/8/3p1p2/3P1P2/8/8/R3K2R w HA - 0 1",
    "r3k2r/ppp2ppp/8/8/8/8/PPP2PPP/R3K2R b HAha - 4 9",
    "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 40 60",
    "1n2k1n1/8/8/8/8/8/8/1N2K1N1 w - - 0 1",
    "k7/8/2n5/8/8/2N5/8/K7 b - - 30 50",
    "1r2k1r1/p6p/8/8/8/8/P6P/1R2K1R1 w GBgb - 0 1",
    "7k/8/8/8/8/8/R6q/K7 b - - 0 1",
    "8/2k5/p1p1p3/P1P1P3/8/3Q4/2K3r1/8 w - - 0 1",
};
enum { STARTS_NB = sizeof STARTS / sizeof STARTS[0] };

START_TEST(repetitions_equal_the_slow_model_in_games_with_shuffling)
{
    Rng rng;
    rng_seed(&rng, 7);
    int upcoming = 0, repeated = 0, positions = 0;
    for (int game = 0; game < 160; game++) {
        trail_start_fen(STARTS[game % STARTS_NB]);
        for (int ply = 0; ply < 60; ply++) {
            const Position *pos = trail_last();
            const int from_root = (int)rng_below(&rng, (uint64_t)trail.count);
            const bool soon = path_upcoming_repetition(&trail.path, pos, from_root);
            const bool now = path_is_repetition(&trail.path, pos, from_root);
            ck_assert_int_eq(soon, slow_upcoming(from_root));
            ck_assert_int_eq(now, slow_is_repetition(from_root));
            ck_assert_int_eq(path_occurrences(&trail.path, pos), slow_occurrences(trail.count - 1));
            upcoming += soon;
            repeated += now;
            positions++;
            const Move move = shuffling_move(&rng);
            if (move == MOVE_NONE)
                break;
            trail_play(move);
        }
    }
    // Both results must occur often; otherwise the comparison proves little.
    ck_assert_int_gt(positions, 6000);
    ck_assert_int_gt(upcoming, 400);
    ck_assert_int_lt(upcoming, positions - 400);
    ck_assert_int_gt(repeated, 400);
}
END_TEST

START_TEST(repetitions_equal_the_slow_model_in_random_games)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        Walk walk;
        walk_start(&walk, seed);
        trail_start(&walk.pos);
        for (int ply = 0; ply < 80; ply++) {
            const int from_root = (int)rng_below(&walk.rng, (uint64_t)trail.count);
            ck_assert_int_eq(path_upcoming_repetition(&trail.path, trail_last(), from_root),
                             slow_upcoming(from_root));
            const Move move = walk_step(&walk);
            if (move == MOVE_NONE)
                break;
            trail_play(move);
        }
    }
}
END_TEST

START_TEST(one_occurrence_counts_below_the_root_and_two_above)
{
    trail_start_fen(FEN_START);
    trail_play_line("g1f3 g8f6 f3g1 f6g8");
    const Path *path = &trail.path;
    ck_assert_int_eq(path_occurrences(path, trail_last()), 1);
    ck_assert(path_is_repetition(path, trail_last(), 5));
    ck_assert(!path_is_repetition(path, trail_last(), 4)); // the root itself
    ck_assert(!path_is_repetition(path, trail_last(), 0));
    trail_play_line("g1f3 g8f6 f3g1 f6g8");
    ck_assert_int_eq(path_occurrences(path, trail_last()), 2);
    ck_assert(path_is_repetition(path, trail_last(), 0));
}
END_TEST

START_TEST(a_path_contains_the_positions_on_it)
{
    trail_start_fen(FEN_START);
    trail_play_line("e2e4 e7e5");
    const Key last = trail_last()->key;
    for (int i = 0; i < trail.count; i++)
        ck_assert(path_contains(&trail.path, trail.positions[i].key));
    ck_assert(!path_contains(&trail.path, 0));
    path_pop(&trail.path);
    ck_assert(!path_contains(&trail.path, last));
}
END_TEST

START_TEST(any_repetition_since_the_last_irreversible_move_is_found)
{
    trail_start_fen("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1");
    trail_play_line("a1a2 e8e7 a2a1 e7e8");
    ck_assert(path_has_repeated(&trail.path, trail_last()));
    trail_play_line("a1b1");
    ck_assert(path_has_repeated(&trail.path, trail_last()));
    trail_play_line("e8d8 b1b2 d8c7 e1d2 c7c8");
    ck_assert(path_has_repeated(&trail.path, trail_last())); // not of the last position
    trail_play_line("e2e3");
    ck_assert(!path_has_repeated(&trail.path, trail_last()));
    trail_play_line("c8c7 b2b3 c7c8"); // the rook is elsewhere, so nothing occurred twice
    ck_assert(!path_has_repeated(&trail.path, trail_last()));
    trail_play_line("b3b2");
    ck_assert(path_has_repeated(&trail.path, trail_last()));
}
END_TEST

START_TEST(a_repeating_move_is_found_before_it_is_played)
{
    trail_start_fen(FEN_START);
    trail_play_line("g1f3 g8f6 f3g1");
    const Path *path = &trail.path;
    ck_assert(path_upcoming_repetition(path, trail_last(), 4));
    ck_assert(!path_upcoming_repetition(path, trail_last(), 3)); // leads to the root, not repeated
    trail_play_line("f6g8 g1f3 g8f6 f3g1");
    ck_assert(path_upcoming_repetition(path, trail_last(), 0)); // third occurrence
}
END_TEST

START_TEST(a_repeating_move_of_the_opponent_does_not_count)
{
    // Black could have played a2a8 at once, but White has no move back.
    trail_start_fen("6k1/8/8/8/8/8/r7/6K1 b - - 0 1");
    trail_play_line("a2a5 g1f1 a5a6 f1g1 a6a8");
    ck_assert(!path_upcoming_repetition(&trail.path, trail_last(), 6));
}
END_TEST

START_TEST(lost_castling_rights_make_another_position)
{
    trail_start_fen("4k3/8/8/8/8/8/8/4K2R w H - 0 1");
    trail_play_line("h1g1 e8d8 g1h1");
    ck_assert(!path_upcoming_repetition(&trail.path, trail_last(), 4));
    trail_play_line("d8e8");
    ck_assert_int_eq(path_occurrences(&trail.path, trail_last()), 0);
    trail_play_line("h1g1 e8d8 g1h1 d8e8");
    ck_assert_int_eq(path_occurrences(&trail.path, trail_last()), 1);
}
END_TEST

START_TEST(repetitions_do_not_reach_past_a_null_move)
{
    trail_start_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    trail_play_line("e1d1");
    trail_pass();
    trail_play_line("d1e1");
    trail_pass();
    ck_assert_uint_eq(trail_last()->key, trail.positions[0].key);
    ck_assert(!path_is_repetition(&trail.path, trail_last(), 5));
    // a6a8 would lead to where it began
    trail_start_fen("r3k3/8/8/8/8/8/8/4K3 w - - 0 1");
    trail_play_line("e1d1 a8a7");
    trail_pass();
    trail_play_line("a7a6 d1e1");
    ck_assert(!path_upcoming_repetition(&trail.path, trail_last(), 6));
}
END_TEST

START_TEST(a_long_game_keeps_its_last_positions)
{
    Walk walk;
    Path path;
    Key keys[600];
    walk_start(&walk, 4);
    path_start(&path, &walk.pos);
    keys[0] = walk.pos.key;
    int count = 1;
    while (count < 600 && walk_step(&walk) != MOVE_NONE) {
        path_extend(&path, &walk.pos);
        keys[count++] = walk.pos.key;
        ck_assert_int_eq(path.count, count < PATH_GAME ? count : PATH_GAME);
        ck_assert(
            memcmp(path.keys, keys + count - path.count, (size_t)path.count * sizeof keys[0]) == 0);
    }
    ck_assert_int_gt(count, PATH_GAME + 20);
}
END_TEST

static const struct {
    const char *fen;
    bool is_drawn;
} FIFTY[] = {
    {"4k3/8/8/8/8/8/8/R3K3 w - - 99 80", false},
    {"4k3/8/8/8/8/8/8/R3K3 w - - 100 80", true},
    {"4k3/8/8/8/8/8/8/R3K3 w - - 150 80", true},
    {"4k2R/8/4K3/8/8/8/8/8 b - - 100 80", false}, // mate comes first
    {"4k2R/8/8/4K3/8/8/8/8 b - - 100 80", true},  // check alone does not
    {"k7/8/1Q6/8/8/8/8/K7 b - - 100 80", true},   // stalemate is a draw in any case
};

START_TEST(fifty_moves_draw_unless_the_last_one_mates)
{
    trail_start_fen(FIFTY[_i].fen);
    ck_assert_int_eq(game_fifty_moves(trail_last()), FIFTY[_i].is_drawn);
}
END_TEST

static const struct {
    const char *fen, *line;
    GameEnd end;
} ENDS[] = {
    {FEN_START, "", END_NONE},
    {"6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "e1e8", END_MATE},
    {"k3r3/8/8/8/8/8/5PPP/6K1 b - - 99 60", "e8e1", END_MATE}, // mate comes before fifty moves
    {"k7/8/1K6/2Q5/8/8/8/8 w - - 0 1", "c5c7", END_STALEMATE},
    {"k7/8/1K6/2Q5/8/8/8/8 w - - 99 80", "c5c7", END_STALEMATE},
    {"k7/8/1K6/2Q5/8/8/8/8 w - - 98 80", "c5d5", END_NONE},
    {"k7/8/1K6/2Q5/8/8/8/8 w - - 99 80", "c5d5", END_FIFTY},
    {"4k3/8/8/8/8/8/8/4KB2 w - - 99 80", "f1e2", END_FIFTY},
    {"8/k7/8/8/3p4/4K3/8/3B4 w - - 3 80", "e3d3", END_NONE},
    {"8/k7/8/8/3p4/4K3/8/3B4 w - - 3 80", "e3d4", END_MATERIAL},
    {FEN_START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", END_NONE},
    {FEN_START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", END_REPETITION},
    {"4k3/8/8/8/8/8/8/R3K3 w - - 92 80", "a1b1 e8d8 b1a1 d8e8 a1b1 e8d8 b1a1 d8e8", END_REPETITION},
};

START_TEST(the_rules_end_a_game)
{
    trail_start_fen(ENDS[_i].fen);
    trail_play_line(ENDS[_i].line);
    ck_assert_int_eq(game_end(trail_last(), &trail.path), ENDS[_i].end);
}
END_TEST

Suite *suite_game(void);
Suite *suite_game(void)
{
    Suite *suite = suite_create("game");
    TCase *tcase = tcase_create("game");
    tcase_set_timeout(tcase, 20);
    tcase_add_test(tcase, repetitions_equal_the_slow_model_in_games_with_shuffling);
    tcase_add_test(tcase, repetitions_equal_the_slow_model_in_random_games);
    tcase_add_test(tcase, one_occurrence_counts_below_the_root_and_two_above);
    tcase_add_test(tcase, a_path_contains_the_positions_on_it);
    tcase_add_test(tcase, any_repetition_since_the_last_irreversible_move_is_found);
    tcase_add_test(tcase, a_repeating_move_is_found_before_it_is_played);
    tcase_add_test(tcase, a_repeating_move_of_the_opponent_does_not_count);
    tcase_add_test(tcase, lost_castling_rights_make_another_position);
    tcase_add_test(tcase, repetitions_do_not_reach_past_a_null_move);
    tcase_add_test(tcase, a_long_game_keeps_its_last_positions);
    tcase_add_loop_test(tcase, fifty_moves_draw_unless_the_last_one_mates, 0,
                        sizeof FIFTY / sizeof FIFTY[0]);
    tcase_add_loop_test(tcase, the_rules_end_a_game, 0, sizeof ENDS / sizeof ENDS[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
