// SPDX-License-Identifier: GPL-3.0-or-later
#include "games/gamecode.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/rng.h"
#include "chess/chess960.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/play.h"
#include "chess/see.h"
#include "games/moveodds.h"
#include "games/rangecode.h"

enum { OPENING = 8, SCORE_MAX = 32767 };

/* How the moves of a made-up game are chosen. */
typedef enum { ANY_MOVE, SANE_MOVE, UNLIKELY_MOVE } Choice;

typedef struct {
    Rng rng;
    Position pos;
    Choice choice;
    int plies; // at most
} GameMaker;

static uint8_t bytes[GAME_MAX_BYTES], other_bytes[GAME_MAX_BYTES];
static GameRecord game, other;

/* A move that wins material by SEE, else one that loses none, if possible. */
static Move sane_move(GameMaker *maker, const Move *moves, int count)
{
    Move best = moves[rng_below(&maker->rng, (uint64_t)count)];
    for (int i = 0; i < count && !see_ge(&maker->pos, best, 0); i++)
        best = moves[rng_below(&maker->rng, (uint64_t)count)];
    for (int i = 0; i < count; i++)
        if (see_ge(&maker->pos, moves[i], SEE_PAWN))
            best = moves[i];
    return best;
}

static Move unlikely_move(const GameMaker *maker, const Move *moves, int count)
{
    uint16_t weights[MAX_MOVES];
    int worst = 0;
    moveodds_weigh(&maker->pos, MOVE_NONE, MOVE_NONE, moves, count, weights);
    for (int i = 1; i < count; i++)
        if (weights[i] < weights[worst])
            worst = i;
    return moves[worst];
}

/* Plays to the end of the game or of its plies; all scores stay 0. */
static void play_out(GameMaker *maker)
{
    chess960_start(&maker->pos, game.setup[WHITE], game.setup[BLACK]);
    for (game.plies = 0; game.plies < maker->plies; game.plies++) {
        Move moves[MAX_MOVES], move;
        const int count = gen_legal(&maker->pos, moves);
        if (count == 0)
            break;
        if (maker->choice == UNLIKELY_MOVE)
            move = unlikely_move(maker, moves, count);
        else if (maker->choice == SANE_MOVE && game.plies >= OPENING)
            move = sane_move(maker, moves, count);
        else
            move = moves[rng_below(&maker->rng, (uint64_t)count)];
        game.moves[game.plies] = move;
        pos_advance(&maker->pos, move);
    }
    game.opening = (uint16_t)(game.plies < OPENING ? game.plies : OPENING);
}

/* A game like those of self-play: scores change by about `sigma` and sometimes jump. */
static void make_game(uint64_t seed, Choice choice, int plies, int sigma)
{
    GameMaker maker = {.choice = choice, .plies = plies};
    rng_seed(&maker.rng, seed);
    game = (GameRecord){.number = (uint32_t)rng_below(&maker.rng, 1u << 20)};
    for (Color c = WHITE; c <= BLACK; c++)
        game.setup[c] =
            (uint16_t)(seed % 4 == 0 ? CHESS960_STANDARD : rng_below(&maker.rng, CHESS960_NB));
    game.result = (uint8_t)rng_below(&maker.rng, 3);
    play_out(&maker);
    int white_score = 20;
    for (int ply = game.opening; ply < game.plies; ply++) {
        int step = 0; // the sum of twelve is close to normal
        for (int i = 0; i < 12; i++)
            step += (int)rng_below(&maker.rng, 2 * (uint64_t)sigma + 1) - sigma;
        white_score += rng_below(&maker.rng, 25) == 0 ? 5 * step : step / 2;
        if (abs(white_score) > SCORE_MAX)
            white_score = white_score < 0 ? -SCORE_MAX : SCORE_MAX;
        game.scores[ply] = (int16_t)(ply % 2 == WHITE ? white_score : -white_score);
    }
}

static void expect_same_game(const GameRecord *a, const GameRecord *b)
{
    ck_assert_uint_eq(a->number, b->number);
    ck_assert_uint_eq(a->setup[WHITE], b->setup[WHITE]);
    ck_assert_uint_eq(a->setup[BLACK], b->setup[BLACK]);
    ck_assert_uint_eq(a->plies, b->plies);
    ck_assert_uint_eq(a->opening, b->opening);
    ck_assert_uint_eq(a->result, b->result);
    ck_assert_mem_eq(a->moves, b->moves, a->plies * sizeof a->moves[0]);
    ck_assert_mem_eq(a->scores, b->scores, a->plies * sizeof a->scores[0]);
}

/* Erases the scores of the game except in parts of `part` plies, with as many between them. */
static void erase_scores(int part)
{
    for (int ply = game.opening; ply < game.plies; ply++)
        if (ply / part % 2 == 0)
            game.scores[ply] = GAME_NO_SCORE;
}

/* Packs `game`, reads it back and returns the size. */
static size_t round_trip(void)
{
    const size_t size = gamecode_pack(&game, bytes);
    ck_assert_uint_gt(size, 0);
    ck_assert_uint_le(size, GAME_MAX_BYTES);
    memset(&other, 0xa5, sizeof other);
    ck_assert(gamecode_unpack(&other, bytes, size, NULL, NULL));
    expect_same_game(&game, &other);
    return size;
}

START_TEST(packed_games_are_unpacked_unchanged)
{
    for (uint64_t seed = 0; seed < 150; seed++) {
        make_game(seed, seed % 2 == 0 ? ANY_MOVE : SANE_MOVE, (int)(seed * 7 % 513), 40);
        round_trip();
    }
}
END_TEST

START_TEST(games_with_scores_in_parts_are_unpacked_unchanged)
{
    for (uint64_t seed = 0; seed < 150; seed++) {
        make_game(seed, seed % 2 == 0 ? ANY_MOVE : SANE_MOVE, (int)(seed * 7 % 513), 40);
        erase_scores(1 + (int)(seed % 30));
        round_trip();
    }
}
END_TEST

START_TEST(a_game_without_any_score_is_unpacked_unchanged)
{
    make_game(9, SANE_MOVE, 100, 40);
    for (int ply = game.opening; ply < game.plies; ply++)
        game.scores[ply] = GAME_NO_SCORE;
    round_trip();
}
END_TEST

START_TEST(unknown_scores_take_few_bytes)
{
    size_t whole = 0, parts = 0, plies = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        make_game(seed, SANE_MOVE, 120, 40);
        whole += round_trip();
        erase_scores(12);
        parts += round_trip();
        plies += game.plies;
    }
    ck_assert_uint_lt(parts + plies / 4, whole); // a score takes 0.7 bytes; every second is erased
}
END_TEST

START_TEST(packed_headings_are_unpacked_unchanged)
{
    static const uint32_t NUMBERS[] = {0, 1, 2, 3, 65535, 65536, 131071, 1u << 31, UINT32_MAX};
    for (size_t i = 0; i < sizeof NUMBERS / sizeof NUMBERS[0]; i++)
        for (int result = GAME_BLACK_WINS; result <= GAME_WHITE_WINS; result++) {
            make_game(i, ANY_MOVE, (int)i, 40);
            game.number = NUMBERS[i];
            game.result = (uint8_t)result;
            round_trip();
        }
}
END_TEST

START_TEST(any_length_of_the_opening_is_unpacked_unchanged)
{
    make_game(3, SANE_MOVE, 60, 40);
    memset(game.scores, 0, sizeof game.scores);
    for (game.opening = 0; game.opening <= game.plies; game.opening++)
        round_trip();
}
END_TEST

START_TEST(scores_at_their_limits_are_unpacked_unchanged)
{
    static const int16_t SCORES[] = {SCORE_MAX, SCORE_MAX, -SCORE_MAX, 0,          0, 1,
                                     -1,        SCORE_MAX, -SCORE_MAX, -SCORE_MAX, 3, SCORE_MAX - 1,
                                     2,         -30000,    30000};
    enum { NB = sizeof SCORES / sizeof SCORES[0] };
    Rng rng;
    rng_seed(&rng, 5);
    for (uint64_t seed = 0; seed < 30; seed++) {
        make_game(seed, ANY_MOVE, GAME_MAX_PLIES, 40);
        for (int ply = game.opening; ply < game.plies; ply++)
            game.scores[ply] = SCORES[seed % 2 ? rng_below(&rng, NB) : (uint64_t)ply % NB];
        round_trip();
    }
}
END_TEST

/* The least likely moves, and scores that jump whenever a jump has become unlikely. */
START_TEST(the_longest_code_fits)
{
    size_t largest = 0;
    for (int quiet = 0; quiet < 40; quiet++) {
        make_game((uint64_t)quiet, UNLIKELY_MOVE, GAME_MAX_PLIES, 40);
        for (int ply = game.opening; ply < game.plies; ply++)
            game.scores[ply] = ply % (quiet + 1) == 0 ? (ply % 4 < 2 ? SCORE_MAX : -SCORE_MAX) : 0;
        const size_t size = round_trip();
        if (size > largest)
            largest = size;
    }
    ck_assert_uint_lt(largest, GAME_MAX_BYTES * 3 / 4);
}
END_TEST

START_TEST(a_game_of_sensible_moves_takes_less_than_two_bytes_a_ply)
{
    size_t size = 0, plies = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        make_game(seed, SANE_MOVE, 120, 40);
        size += round_trip();
        plies += game.plies;
    }
    ck_assert_uint_gt(plies, 15000);
    ck_assert_msg(10 * size < 17 * plies, "%zu bytes for %zu plies", size, plies);
}
END_TEST

/* The bytes of these games fix the format: if they change, old files become unreadable. */
START_TEST(the_format_is_that_of_version_1)
{
    uint64_t sum = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        make_game(seed, seed % 2 == 0 ? ANY_MOVE : SANE_MOVE, GAME_MAX_PLIES, 40);
        sum = sum * 3 + checksum64(bytes, gamecode_pack(&game, bytes));
    }
    ck_assert_uint_eq(bytes[0], 1);
    ck_assert_uint_eq(sum, 2632438427473661154u);
}
END_TEST

START_TEST(the_format_of_games_with_parts_is_that_of_version_2)
{
    uint64_t sum = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        make_game(seed, seed % 2 == 0 ? ANY_MOVE : SANE_MOVE, GAME_MAX_PLIES, 40);
        erase_scores(5);
        sum = sum * 3 + checksum64(bytes, gamecode_pack(&game, bytes));
    }
    ck_assert_uint_eq(bytes[0], 2);
    ck_assert_uint_eq(sum, 10280086455129459888u);
}
END_TEST

/* Bytes that unpack to a game must equal the packed form of that game. */
static bool is_read_as_a_game(const uint8_t *altered, size_t size)
{
    if (!gamecode_unpack(&other, altered, size, NULL, NULL))
        return false;
    ck_assert_uint_eq(gamecode_pack(&other, other_bytes), size);
    ck_assert_mem_eq(other_bytes, altered, size);
    return true;
}

START_TEST(altered_bytes_are_refused_or_another_game)
{
    for (uint64_t seed = 0; seed < 12; seed++) {
        make_game(seed, SANE_MOVE, seed < 4 ? 5 : 100, 40);
        if (seed % 2 == 1)
            erase_scores(6);
        const size_t size = gamecode_pack(&game, bytes);
        for (size_t offset = 0; offset < size; offset++) {
            uint8_t *exact =
                malloc(size); // exact size, so that a sanitizer detects reads beyond it
            ck_assert_ptr_nonnull(exact);
            for (int by = 1; by < 256; by += 1 + (seed >= 4) * 36) {
                memcpy(exact, bytes, size);
                exact[offset] = (uint8_t)(exact[offset] + by);
                if (is_read_as_a_game(exact, size))
                    ck_assert_int_gt((int)offset, 0);
            }
            free(exact);
        }
    }
}
END_TEST

/* With fewer or more bytes the message may still be another valid game. */
START_TEST(a_shortened_or_extended_code_is_refused_or_another_game)
{
    int accepted = 0, tried = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        make_game(seed, SANE_MOVE, (int)seed + 4, 40);
        if (seed % 2 == 1)
            erase_scores(6);
        const size_t size = gamecode_pack(&game, bytes);
        for (size_t cut = 0; cut < size; cut++, tried++)
            accepted += is_read_as_a_game(bytes, cut);
        for (int byte = 0; byte < 256; byte += 5, tried++) {
            bytes[size] = (uint8_t)byte;
            accepted += is_read_as_a_game(bytes, size + 1);
        }
        memset(bytes + size, 0, 9);
        for (size_t zeros = 1; zeros < 9; zeros++)
            ck_assert(!gamecode_unpack(&other, bytes, size + zeros, NULL, NULL));
    }
    ck_assert_msg(accepted * 20 < tried, "%d of %d", accepted, tried);
}
END_TEST

START_TEST(random_bytes_are_refused_or_a_game)
{
    Rng rng;
    rng_seed(&rng, 17);
    for (int i = 0; i < 3000; i++) {
        const size_t size = (size_t)rng_below(&rng, i % 2 ? 20 : 400);
        for (size_t k = 0; k < size; k++)
            bytes[k] = (uint8_t)rng_next(&rng);
        bytes[0] = (uint8_t)(1 + i / 2 % 2); // version
        is_read_as_a_game(bytes, size);
    }
}
END_TEST

/* Encodes a standard game without scores by hand, so that `plies` can be wrong. */
static size_t spell(const Move *moves, int count, uint32_t plies)
{
    RangeWriter writer;
    Position pos[2];
    bytes[0] = 1;
    range_write_start(&writer, bytes + 1, sizeof bytes - 1);
    range_write(&writer, 0, 1, 33); // number 0
    range_write(&writer, 1, 1, 2);  // standard start
    range_write(&writer, plies, 1, GAME_MAX_PLIES + 1);
    range_write(&writer, plies, 1, plies + 1); // all of them opening
    range_write(&writer, GAME_BLACK_WINS, 1, 3);
    chess960_start(&pos[0], CHESS960_STANDARD, CHESS960_STANDARD);
    for (int ply = 0; ply < count; ply++) {
        Move legal[MAX_MOVES];
        const int legal_nb = gen_legal(&pos[ply % 2], legal);
        uint32_t choice = 0;
        while (legal[choice] != moves[ply])
            choice++;
        range_write(&writer, choice, 1, (uint32_t)legal_nb);
        pos_play(&pos[(ply + 1) % 2], &pos[ply % 2], moves[ply]);
    }
    return 1 + range_write_end(&writer);
}

/* Writes a game without moves, its start arrays in full or by the bit for the standard ones.
 * Returns the number of bytes. */
static size_t write_heading(bool is_standard, uint32_t array)
{
    RangeWriter writer;
    bytes[0] = 1; // version
    range_write_start(&writer, bytes + 1, sizeof bytes - 1);
    range_write(&writer, 0, 1, 33); // number of the game
    range_write(&writer, is_standard, 1, 2);
    for (Color c = WHITE; c <= BLACK && !is_standard; c++)
        range_write(&writer, array, 1, CHESS960_NB);
    range_write(&writer, 0, 1, GAME_MAX_PLIES + 1); // plies
    range_write(&writer, 0, 1, 1);                  // opening
    range_write(&writer, GAME_DRAW, 1, GAME_WHITE_WINS + 1);
    return 1 + range_write_end(&writer);
}

/* Two encodings of a game would be two games where duplicates are sought by their bytes. */
START_TEST(the_standard_start_has_one_encoding)
{
    ck_assert(gamecode_unpack(&game, bytes, write_heading(true, 0), NULL, NULL));
    ck_assert_int_eq(game.setup[BLACK], CHESS960_STANDARD);
    const size_t chess960 = write_heading(false, CHESS960_STANDARD + 1);
    ck_assert(gamecode_unpack(&game, bytes, chess960, NULL, NULL));
    ck_assert_int_eq(game.setup[BLACK], CHESS960_STANDARD + 1);
    const size_t standard = write_heading(false, CHESS960_STANDARD);
    ck_assert(!gamecode_unpack(&game, bytes, standard, NULL, NULL));
}
END_TEST

START_TEST(moves_after_mate_are_refused)
{
    static const Move MATE[] = {F2 | F3 << 6, E7 | E5 << 6, G2 | G4 << 6, D8 | H4 << 6};
    size_t size = spell(MATE, 4, 4);
    ck_assert(is_read_as_a_game(bytes, size));
    ck_assert_mem_eq(other.moves, MATE, sizeof MATE);
    size = spell(MATE, 4, 5);
    ck_assert(!gamecode_unpack(&other, bytes, size, NULL, NULL));
}
END_TEST

typedef struct {
    Position pos; // what must come next
    int ply;
} Follower;

static void follow(void *ctx, const Position *pos, const GameRecord *read, int ply)
{
    Follower *follower = ctx;
    ck_assert_int_eq(ply, follower->ply);
    ck_assert_uint_eq(pos->key, follower->pos.key);
    ck_assert_ptr_null(pos_check(pos));
    ck_assert_uint_eq(read->moves[ply], game.moves[ply]);
    ck_assert_int_eq(read->scores[ply], game.scores[ply]);
    ck_assert_uint_eq(read->plies, game.plies);
    ck_assert_uint_eq(read->opening, game.opening);
    ck_assert_uint_eq(read->result, game.result);
    pos_advance(&follower->pos, game.moves[ply]);
    follower->ply++;
}

START_TEST(every_ply_is_visited_in_order_with_the_position_before_it)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        make_game(seed, SANE_MOVE, 150, 40);
        const size_t size = gamecode_pack(&game, bytes);
        Follower follower = {.ply = 0};
        chess960_start(&follower.pos, game.setup[WHITE], game.setup[BLACK]);
        ck_assert(gamecode_unpack(&other, bytes, size, follow, &follower));
        ck_assert_int_eq(follower.ply, game.plies);
    }
}
END_TEST

/* Positions with the move played and its score, and whether they are kept. */
static const struct {
    const char *fen;
    Move move;
    int score;
    bool is_kept;
} FILTER[] = {
    {FEN_START, E2 | E4 << 6, 0, true},
    {FEN_START, E2 | E4 << 6, 3000, true},
    {FEN_START, E2 | E4 << 6, -3000, true},
    {FEN_START, E2 | E4 << 6, 3001, false},
    {FEN_START, E2 | E4 << 6, -3001, false},
    {FEN_START, E2 | E4 << 6, -32767, false},
    {FEN_START, E2 | E4 << 6, GAME_NO_SCORE, false},
    {"4k3/8/8/8/4r3/8/8/4K3 w - - 0 1", E1 | D2 << 6, 0, false},   // in check
    {"4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", E1 | E2 << 6, 0, false},   // both
    {"4k3/8/8/8/8/3r4/4P3/4K3 w - - 0 1", E2 | D3 << 6, 0, false}, // capture
    {"4k3/8/8/8/8/3r4/4P3/4K3 w - - 0 1", E2 | E3 << 6, 0, true},  // quiet
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", E5 | D6 << 6 | KIND_EN_PASSANT, 0, false},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", E5 | E6 << 6, 0, true},
    {"7k/4P3/8/8/8/8/8/4K3 w - - 0 1", E7 | E8 << 6 | 3 << 12 | KIND_PROMOTION, 0, false},
    {"7k/4P3/8/8/8/8/8/4K3 w - - 0 1", E7 | E8 << 6 | KIND_PROMOTION, 0, false}, // to a knight
    {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", E1 | H1 << 6 | KIND_CASTLING, 0, true},
    {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", H1 | H8 << 6, 0, true}, // gives check
};

START_TEST(only_quiet_and_undecided_positions_are_kept)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    ck_assert(fen_parse(&pos, FILTER[_i].fen, true, error));
    ck_assert(gen_is_legal(&pos, FILTER[_i].move));
    game = (GameRecord){.plies = 20, .opening = 8};
    for (int ply = 0; ply < game.plies; ply++) {
        game.moves[ply] = FILTER[_i].move;
        game.scores[ply] = (int16_t)FILTER[_i].score;
        const bool is_kept = FILTER[_i].is_kept && ply >= game.opening;
        ck_assert_int_eq(gamecode_suits_training(&pos, &game, ply), is_kept);
    }
}
END_TEST

Suite *suite_gamecode(void);
Suite *suite_gamecode(void)
{
    Suite *suite = suite_create("gamecode");
    TCase *tcase = tcase_create("gamecode");
    tcase_set_timeout(tcase, 30);
    tcase_add_test(tcase, packed_games_are_unpacked_unchanged);
    tcase_add_test(tcase, games_with_scores_in_parts_are_unpacked_unchanged);
    tcase_add_test(tcase, a_game_without_any_score_is_unpacked_unchanged);
    tcase_add_test(tcase, unknown_scores_take_few_bytes);
    tcase_add_test(tcase, packed_headings_are_unpacked_unchanged);
    tcase_add_test(tcase, any_length_of_the_opening_is_unpacked_unchanged);
    tcase_add_test(tcase, scores_at_their_limits_are_unpacked_unchanged);
    tcase_add_test(tcase, the_longest_code_fits);
    tcase_add_test(tcase, a_game_of_sensible_moves_takes_less_than_two_bytes_a_ply);
    tcase_add_test(tcase, the_format_is_that_of_version_1);
    tcase_add_test(tcase, the_format_of_games_with_parts_is_that_of_version_2);
    tcase_add_test(tcase, altered_bytes_are_refused_or_another_game);
    tcase_add_test(tcase, a_shortened_or_extended_code_is_refused_or_another_game);
    tcase_add_test(tcase, random_bytes_are_refused_or_a_game);
    tcase_add_test(tcase, the_standard_start_has_one_encoding);
    tcase_add_test(tcase, moves_after_mate_are_refused);
    tcase_add_test(tcase, every_ply_is_visited_in_order_with_the_position_before_it);
    tcase_add_loop_test(tcase, only_quiet_and_undecided_positions_are_kept, 0,
                        sizeof FILTER / sizeof FILTER[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
