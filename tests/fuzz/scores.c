// SPDX-License-Identifier: GPL-3.0-or-later
/* PGN with the scores of tournament programs, as datagen/pgnscores.c reads it. Input: a PGN file.
 */
#include "fuzz.h"

#include <assert.h>
#include <stdlib.h>

#include "datagen/pgnscores.h"
#include "eval/score.h"

static void visit(void *ctx, const PgnScore *move)
{
    uint64_t *const moves = ctx;
    assert(pos_check(move->pos) == NULL);
    assert(-SCORE_EVAL_MAX <= move->centipawns && move->centipawns <= SCORE_EVAL_MAX);
    assert(GAME_BLACK_WINS <= move->result && move->result <= GAME_WHITE_WINS);
    ++*moves;
}

void fuzz_scores(const uint8_t *bytes, size_t size)
{
    char *const text = fuzz_text(bytes, size);
    for (int i = 0; i < 2; i++) {
        uint64_t moves = 0;
        PgnTally tally = {0};
        assert(pgnscores_read(text, i == 0 ? NULL : "Palimpsest", visit, &moves, &tally));
        assert(tally.moves == moves);
    }
    free(text);
}

void seed_scores(void)
{
    static const char *const TEXTS[] = {
        ("[White \"Palimpsest\"]\n[Black \"Other\"]\n[Result \"1-0\"]\n[Termination \"normal\"]\n\n"
         "1. e4 {+0.31/12 0.1s} e5 {-0.20/11 0.1s} 2. Nf3 {+M5/20} Nc6 {book} 1-0\n\n"),
        ("[Result \"1/2-1/2\"]\n[Variant \"fischerandom\"]\n[FEN \"8/8/8/8/8/8/6k1/4K2R w K - 0 "
         "1\"]\n"
         "1.O-O+ {1e2/3} $1 (1. Rg1+ {a} ) 1/2-1/2"),
        "[Termination \"time forfeit\"]\n1. d4 ; x\n d5 2. c4 {0.00/1} *",
    };
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++)
        fuzz_seed_text(TEXTS[i]);
}
