// SPDX-License-Identifier: GPL-3.0-or-later
/* Moves in SAN and in coordinates: what is read is legal and is printed as a text that is read as
 * the same move. Input: a byte that chooses the start array (255: standard chess), then moves. */
#include "fuzz.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "chess/chess960.h"
#include "chess/notation.h"
#include "chess/play.h"

static void check_move(const Position *pos, Move move, bool chess960)
{
    char san[MOVE_TEXT_MAX], uci[MOVE_TEXT_MAX];
    move_to_san(pos, move, san);
    move_to_uci(move, chess960, uci);
    assert(move_from_san(pos, san) == move);
    assert(move_from_uci(pos, uci) == move);
}

void fuzz_moves(const uint8_t *bytes, size_t size)
{
    if (size < 1)
        return;
    const bool chess960 = bytes[0] != 255;
    char *const text = fuzz_text(bytes + 1, size - 1), *cursor = text;
    Position pos;
    chess960_start(&pos, chess960 ? bytes[0] * 3 : CHESS960_STANDARD,
                   chess960 ? bytes[0] * 2 : CHESS960_STANDARD);
    for (const char *word = text_word(&cursor); word != NULL; word = text_word(&cursor)) {
        const Move move = move_from_text(&pos, word);
        if (move == MOVE_NONE)
            continue;
        check_move(&pos, move, chess960);
        pos_advance(&pos, move);
        assert(pos_check(&pos) == NULL);
    }
    free(text);
}

typedef struct {
    char text[512];
    bool is_san;
} GameText;

static void add_move(void *ctx, const Position *pos, Move move)
{
    GameText *const game = ctx;
    const size_t length = strlen(game->text);
    char word[MOVE_TEXT_MAX];
    if (game->is_san)
        move_to_san(pos, move, word);
    else
        move_to_uci(move, false, word);
    snprintf(game->text + length, sizeof game->text - length, "%s ", word);
}

void seed_moves(void)
{
    for (uint64_t seed = 0; seed < 16; seed++) {
        GameText game = {.text = "\xff", .is_san = seed % 2 == 0};
        fuzz_random_game(seed, 60, add_move, &game);
        fuzz_seed_text(game.text);
    }
    fuzz_seed_text("\xff"
                   "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O b5!? Bb3 Bb7 d4 exd4 e5 d5 exd6 0-0-0");
    fuzz_seed_text("\xff"
                   "a2a4 b7b5 a4b5 a7a6 b5a6 c7c6 a6a7 c6c5 a7b8q e8e7 b8c8 e7f6");
    fuzz_seed_text("\x10"
                   "O-O O-O-O e1g1 e1h1 e8c8 Nge2 N1c3 Rfxd1# exd8=Q+ exd8N");
}
