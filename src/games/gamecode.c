// SPDX-License-Identifier: GPL-3.0-or-later
#include "games/gamecode.h"

#include "base/bits.h"
#include "chess/bitboard.h"
#include "chess/chess960.h"
#include "chess/movegen.h"
#include "chess/play.h"
#include "games/codec.h"
#include "games/moveodds.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The first byte of a game; the rest is one message of the range coder. Any change in this file, in
 * moveodds.c or in the order of gen_legal() that alters the bytes needs new version numbers, which
 * must differ from WITH_TREE (gameblock.c). */
enum {
    VERSION_WHOLE = 1, // every ply after the opening has a score
    VERSION_PARTS = 2  // some have none
};
enum { SCORE_MAX = 32767 };

/* Codes any number; small numbers take fewer bits. First its number of bits, then the bits below
 * the highest. */
static uint32_t code_magnitude(Codec *codec, uint32_t number)
{
    const uint32_t bits = codec_number(codec, number == 0 ? 0 : (uint32_t)msb(number) + 1, 33);
    if (bits <= 1)
        return bits;
    const uint32_t low_bits = bits - 1 < 16 ? bits - 1 : 16, high_bits = bits - 1 - low_bits;
    const uint32_t remainder = number & ~(UINT32_MAX << (bits - 1));
    const uint32_t high = codec_number(codec, remainder >> low_bits, 1u << high_bits);
    const uint32_t low = codec_number(codec, remainder & ((1u << low_bits) - 1), 1u << low_bits);
    return 1u << (bits - 1) | high << low_bits | low;
}

/* Predicts that a ply has a score if the ply before has one, and that the score is the negated
 * previous one. Errors are expected to be about as large as their mean so far. */
typedef struct {
    bool has_gaps;  // VERSION_PARTS
    bool is_known;  // the ply before has a score
    int last;       // previous score, in the view of the ply before
    int mean_error; // running mean of the absolute errors, in 1/16 of a score unit
} ScoreModel;

/* Errors are coded by class. Class 0 is no error, which is common. The other classes measure the
 * size of the error in quarters of the mean error: one class for each of the first four quarters,
 * then two classes for each doubling. The weights are the frequencies of the classes in 1/1024,
 * counted in games with searches of about 500 nodes. Within a class all errors are equally
 * likely. */
enum { ERROR_CLASSES = 33, ERROR_TOTAL = 1024, FIRST_MEAN_ERROR = 60 * 16 };
// clang-format off
static const uint16_t ERROR_WEIGHTS[ERROR_CLASSES] = {
    175, 166, 132, 100, 79, 107, 67, 74, 37, 31, 13, 12, 5, 5, 2, 2,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
};
// clang-format on

/* Class of an error's size, given in quarters of the mean error. These three functions leave out
 * class 0 and count from the next one. */
static uint32_t class_of(uint32_t quarters)
{
    if (quarters < 4)
        return quarters;
    const uint32_t high = (uint32_t)msb(quarters);
    return 2 * high + (quarters >> (high - 1) & 1);
}

/* Number of quarters in the class. */
static uint32_t class_width(uint32_t class)
{
    return class < 4 ? 1 : 1u << (class / 2 - 1);
}

/* First quarter of the class. */
static uint32_t class_start(uint32_t class)
{
    return class < 4 ? class : (2 + class % 2) * class_width(class);
}

/* Codes an error by its class, its offset in the class and its sign. `quarter` is a quarter of the
 * mean error. */
static int code_error(Codec *codec, int error, uint32_t quarter)
{
    const uint32_t excess = (uint32_t)abs(error) - (error != 0); // size - 1; 0 for no error
    const uint32_t choice = error == 0 ? 0 : 1 + class_of(excess / quarter);
    const uint32_t class = codec_choice(codec, choice, ERROR_WEIGHTS, ERROR_TOTAL);
    if (class == 0)
        return 0;
    const uint32_t start = class_start(class - 1) * quarter;
    if (start >= 2 * SCORE_MAX)
        return (int)codec_fail(codec);
    const uint32_t place = codec_number(codec, excess - start, class_width(class - 1) * quarter);
    const int size = (int)(start + place) + 1;
    return codec_number(codec, error < 0, 2) != 0 ? -size : size;
}

static int code_score(Codec *codec, ScoreModel *model, int score)
{
    const int quarter = model->mean_error < 128 ? 1 : model->mean_error / 64;
    const int error = code_error(codec, score + model->last, (uint32_t)quarter);
    score = error - model->last;
    if (abs(score) > SCORE_MAX)
        return (int)codec_fail(codec);

    /* Limit the effect of a jump, for example to a mate score, on the mean. */
    const int seen = 16 * abs(error), limit = 8 * model->mean_error + 256;
    model->mean_error += ((seen < limit ? seen : limit) - model->mean_error) / 8;
    model->last = score;
    return score;
}

/* Codes whether the ply has a score, which seldom differs from the ply before; then the score. */
static int code_score_if_known(Codec *codec, ScoreModel *model, int score)
{
    static const uint16_t WEIGHTS[] = {15, 1}; // as the ply before, or not
    const bool is_known = score != GAME_NO_SCORE;
    if (model->has_gaps && codec_choice(codec, is_known != model->is_known, WEIGHTS, 16) != 0)
        model->is_known = !model->is_known;
    if (model->is_known)
        return code_score(codec, model, score);
    model->last = -model->last;
    return GAME_NO_SCORE;
}

/* Codes the move at `ply`. A single legal move takes no bits; moves of the opening are equally
 * likely. */
static Move code_move(Codec *codec, const Position *pos, const GameRecord *game, int ply)
{
    Move moves[MAX_MOVES];
    uint16_t weights[MAX_MOVES];
    const int count = gen_legal(pos, moves);
    int choice = 0;
    if (codec->is_writing)
        while (choice < count && moves[choice] != game->moves[ply])
            choice++;
    if (choice >= count)
        return (Move)codec_fail(codec); // mate or stalemate, or an illegal move to write
    if (count == 1)
        return moves[0];
    if (ply < game->opening)
        return moves[codec_number(codec, (uint32_t)choice, (uint32_t)count)];
    const Move last = ply >= 1 ? game->moves[ply - 1] : MOVE_NONE;
    const Move own_last = ply >= 2 ? game->moves[ply - 2] : MOVE_NONE;
    const uint32_t total = moveodds_weigh(pos, last, own_last, moves, count, weights);
    return moves[codec_choice(codec, (uint32_t)choice, weights, total)];
}

static void code_heading(Codec *codec, GameRecord *game)
{
    uint16_t *const setup = game->setup;
    bool is_standard = setup[WHITE] == CHESS960_STANDARD && setup[BLACK] == CHESS960_STANDARD;
    game->number = code_magnitude(codec, game->number);
    is_standard = codec_number(codec, is_standard, 2) != 0;
    for (Color c = WHITE; c <= BLACK; c++)
        setup[c] =
            is_standard ? CHESS960_STANDARD : (uint16_t)codec_number(codec, setup[c], CHESS960_NB);
    if (!is_standard && setup[WHITE] == CHESS960_STANDARD && setup[BLACK] == CHESS960_STANDARD)
        codec_fail(codec); // a second encoding of the standard start
    game->plies = (uint16_t)codec_number(codec, game->plies, GAME_MAX_PLIES + 1);
    game->opening = (uint16_t)codec_number(codec, game->opening, game->plies + 1u);
    game->result = (uint8_t)codec_number(codec, game->result, GAME_WHITE_WINS + 1);
}

static int version_of(const GameRecord *game)
{
    for (int ply = game->opening; ply < game->plies; ply++)
        if (game->scores[ply] == GAME_NO_SCORE)
            return VERSION_PARTS;
    return VERSION_WHOLE;
}

static bool code_game(Codec *codec, GameRecord *game, int version, GameVisit visit, void *ctx)
{
    code_heading(codec, game);
    if (codec->has_failed)
        return false;
    Position pos[2]; // current and next position, alternating
    chess960_start(&pos[0], game->setup[WHITE], game->setup[BLACK]);
    ScoreModel model = {.has_gaps = version == VERSION_PARTS,
                        .is_known = version == VERSION_WHOLE,
                        .mean_error = FIRST_MEAN_ERROR};
    for (int ply = 0; ply < game->plies; ply++) {
        const Position *current = &pos[ply % 2];
        game->moves[ply] = code_move(codec, current, game, ply);
        if (ply < game->opening)
            game->scores[ply] = 0;
        else if (!codec->has_failed)
            game->scores[ply] = (int16_t)code_score_if_known(codec, &model, game->scores[ply]);
        if (codec->has_failed)
            return false;
        if (visit != NULL)
            visit(ctx, current, game, ply);
        pos_play(&pos[(ply + 1) % 2], current, game->moves[ply]);
    }
    return version_of(game) == version; // else a second encoding of a whole game
}

size_t gamecode_pack(const GameRecord *game, uint8_t *bytes)
{
    GameRecord copy = *game;
    Codec codec = {.is_writing = true};
    bytes[0] = (uint8_t)version_of(game);
    range_write_start(&codec.writer, bytes + 1, GAME_MAX_BYTES - 1);
    const bool is_legal = code_game(&codec, &copy, bytes[0], NULL, NULL);
    assert(is_legal);
    const size_t size = range_write_end(&codec.writer);
    assert(size > 0);
    return is_legal && size > 0 ? size + 1 : 0;
}

bool gamecode_unpack(GameRecord *game, const uint8_t *bytes, size_t size, GameVisit visit,
                     void *ctx)
{
    if (size < 1 || size > GAME_MAX_BYTES ||
        (bytes[0] != VERSION_WHOLE && bytes[0] != VERSION_PARTS))
        return false;
    Codec codec = {.is_writing = false};
    memset(game, 0, sizeof *game);
    range_read_start(&codec.reader, bytes + 1, size - 1);
    return code_game(&codec, game, bytes[0], visit, ctx) && range_read_end(&codec.reader);
}

bool gamecode_keeps_material(const Position *pos, Move move)
{
    return !pos_is_capture(pos, move) && move_kind(move) != KIND_PROMOTION;
}

bool gamecode_suits_training(const Position *pos, const GameRecord *game, int ply)
{
    return ply >= game->opening && !pos_in_check(pos) &&
           gamecode_keeps_material(pos, game->moves[ply]) &&
           abs(game->scores[ply]) <= GAMECODE_SCORE_MAX;
}
