// SPDX-License-Identifier: GPL-3.0-or-later
/* FEN: a position that is accepted is sound, prints as a FEN of the same position, and all its
 * moves lead to sound positions. Input: the text; if its first byte is '9', the rest is read as
 * Chess960. */
#include "fuzz.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/play.h"

static void check_print(const Position *pos, bool chess960)
{
    char fen[FEN_MAX], again[FEN_MAX], error[FEN_ERROR_MAX];
    Position read;
    fen_print(pos, chess960, fen);
    assert(strlen(fen) + 1 < FEN_MAX);
    assert(fen_parse(&read, fen, chess960, error) && *error == '\0');
    assert(read.key == pos->key && memcmp(read.board, pos->board, sizeof pos->board) == 0);
    fen_print(&read, chess960, again);
    assert(strcmp(fen, again) == 0);
}

void fuzz_fen(const uint8_t *bytes, size_t size)
{
    char error[FEN_ERROR_MAX];
    char *const text = fuzz_text(bytes, size);
    const bool chess960 = text[0] == '9';
    Position pos, after;
    Move moves[MAX_MOVES];
    const bool is_good = fen_parse(&pos, text + chess960, chess960, error);
    assert(memchr(error, '\0', sizeof error) != NULL && (is_good || *error != '\0'));
    free(text);
    if (!is_good)
        return;
    assert(pos_check(&pos) == NULL);
    check_print(&pos, chess960);
    const int count = gen_legal(&pos, moves);
    assert(count <= LEGAL_MOVES_MAX && gen_any(&pos) == (count > 0));
    for (int i = 0; i < count; i++) {
        pos_play(&after, &pos, moves[i]);
        assert(pos_check(&after) == NULL);
    }
    pos_flip(&after, &pos);
    assert(pos_check(&after) == NULL && gen_legal(&after, moves) == count);
}

void seed_fen(void)
{
    static const char *const TEXTS[] = {
        FEN_START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "9bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "8/2p5/3p4/KP5r/1R3pPk/8/4P3/8 b - g3 99 65535",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6",
        "8/8/8/8/8/8/6k1/4K2R w K",
        "9r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 255 0",
        "nnnnknnn/pppppppp/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1",
    };
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++)
        fuzz_seed_text(TEXTS[i]);
}
