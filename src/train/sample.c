// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/sample.h"

#include <assert.h>
#include <string.h>

#include "nnue/features.h"

static_assert(sizeof(Sample) == 32, "two samples to a cache line");
static_assert(NNUE_INPUTS <= UINT16_MAX + 1, "SampleInputs.rows holds every input");
static_assert(PIECE_NB <= 16 && (W_PAWN ^ 1) == B_PAWN,
              "a piece fits into four bits, the lowest is its colour");

void sample_pack(Sample *sample, const Position *pos, int score, int result)
{
    const Color side = pos->side;
    const Square turn = relative_square(side, A1); // XOR mask for squares
    *sample = (Sample){
        .score = (int16_t)score,
        .result = (uint8_t)result,
        .weight = SAMPLE_WEIGHT_ONE,
        .kings = {(uint8_t)(pos_king(pos, side) ^ turn), (uint8_t)(pos_king(pos, !side) ^ turn)},
    };
    for (Bitboard b = pos_occupied(pos); b;)
        sample->occupied |= bb_of(pop_lsb(&b) ^ turn);
    assert(popcount(sample->occupied) <= SAMPLE_PIECES_MAX);
    int i = 0;
    for (Bitboard b = sample->occupied; b; i++) {
        const Piece piece = pos_piece_on(pos, pop_lsb(&b) ^ turn) ^ side;
        sample->pieces[i / 2] |= (uint8_t)(piece << 4 * (i & 1));
    }
}

/* Returns the marks of the pieces of a sample: its pieces, with their squares. */
static Marks marks_in(const uint8_t *pieces, const uint8_t *squares, int count)
{
    Position pos;
    memset(pos.by_type, 0, sizeof pos.by_type);
    memset(pos.by_color, 0, sizeof pos.by_color);
    for (int i = 0; i < count; i++) {
        pos.by_type[piece_type(pieces[i])] |= bb_of(squares[i]);
        pos.by_color[piece_color(pieces[i])] |= bb_of(squares[i]);
    }
    pos_set_attacks(&pos);
    return marks_of(&pos);
}

void sample_inputs(const Sample *sample, bool flip, SampleInputs *inputs)
{
    const int files = flip ? 7 : 0;
    const bool own_mirrored = feature_mirrored(sample->kings[WHITE] ^ files);
    const bool enemy_mirrored = feature_mirrored(sample->kings[BLACK] ^ files);
    /* All 32 entries are computed without a branch on the piece count, so the loops vectorise. */
    uint8_t squares[SAMPLE_PIECES_MAX] = {0}, pieces[SAMPLE_PIECES_MAX];
    for (int i = 0; i < SAMPLE_PIECES_MAX / 2; i++) {
        pieces[2 * i] = sample->pieces[i] & 15;
        pieces[2 * i + 1] = sample->pieces[i] >> 4;
    }
    int count = 0;
    for (Bitboard b = sample->occupied; b;)
        squares[count++] = (uint8_t)pop_lsb(&b);
    const Marks marks = marks_in(pieces, squares, count);
    for (int i = 0; i < SAMPLE_PIECES_MAX; i++) {
        const Square s = squares[i] ^ files;
        const int marked = marks_add(&marks, pieces[i], squares[i]);
        inputs->rows[0][i] = (uint16_t)feature_index(WHITE, own_mirrored, marked, s);
        inputs->rows[1][i] = (uint16_t)feature_index(BLACK, enemy_mirrored, marked, s);
    }
    inputs->count = (uint8_t)count;
    inputs->bucket = (uint8_t)feature_bucket(count);
}
