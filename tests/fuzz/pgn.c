// SPDX-License-Identifier: GPL-3.0-or-later
/* PGN as chess/pgngame.c reads it: a sound game that is written and read again has the same moves
 * and texts, and is written in the same way. Input: a PGN file. */
#include "fuzz.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "chess/pgnwrite.h"

static void check_written(const PgnGame *game)
{
    static const PgnTagText TAG = {"Annotator", "a \"quoted\" \\ name"};
    StrBuf out = {0}, again = {0};
    PgnGame read = {0};
    pgn_game_write(&out, game, &TAG, 1, NULL);
    PgnReader reader = pgn_reader(out.text);
    assert(pgn_game_read(&reader, &read) == 1);
    assert(read.error[0] == '\0' && read.move_count == game->move_count);
    assert(read.start.key == game->start.key && read.result == game->result);
    for (int i = 0; i < game->move_count; i++)
        assert(read.moves[i].move == game->moves[i].move);
    assert(strcmp(pgn_game_tag(&read, TAG.name), TAG.value) == 0);
    pgn_game_write(&again, &read, &TAG, 1, NULL);
    assert(strcmp(out.text, again.text) == 0);
    assert(pgn_game_read(&reader, &read) == 0);
    strbuf_free(&out);
    strbuf_free(&again);
    pgn_game_free(&read);
}

void fuzz_pgn(const uint8_t *bytes, size_t size)
{
    char *const text = fuzz_text(bytes, size);
    PgnGame game = {0};
    PgnReader reader = pgn_reader(text);
    while (pgn_game_read(&reader, &game) == 1) {
        assert(game.source >= text && game.source + game.source_length <= text + size);
        assert(pos_check(&game.start) == NULL);
        if (game.error[0] == '\0')
            check_written(&game);
    }
    pgn_game_free(&game);
    free(text);
}

static void add_move(void *ctx, const Position *pos, Move move)
{
    pgn_add_line(ctx, pos, &move, 1);
    strbuf_add(ctx, " ");
}

void seed_pgn(void)
{
    static const char *const TEXTS[] = {
        ("[Event \"A\"]\n[White \"B \\\"C\\\" D\"]\n[Result \"1-0\"]\n\n1. e4 {best} e5 $1 2. "
         "Nf3!? "
         "(2. f4 exf4 {a (nested) one} (2... d5)) Nc6 ; to the end\n3. Bb5 a6?? 1-0\n\n"
         "[Event \"next\"]\n\n1. d4 *\n"),
        "[FEN \"8/8/8/8/8/8/6k1/4K2R w K - 0 1\"]\n[SetUp \"1\"]\n\n1. O-O+ 1/2",
        ("[Variant \"fischerandom\"]\n[FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR "
         "w "
         "HFhf - 2 9\"]\n1. O-O {[%eval 0.31,14] [%cal Ga1a2]} O-O-O *"),
        "e2e4 e7e5 g1f3\n% escape\n\xef\xbb\xbf 1...Nc6 e.p. 0-1 {a comment on the result}",
        ("$3 1. e4!!! $1 $2 $3 $4 $5 $6 $7 $8 $9 $300 (1. d4\n% escape )\nd5) a6 2. e5 d5 3. "
         "exd6e.p.* "
         "1. d4 1/2 - 1/2 {comment}"),
        "[Event \"unfinished\n\n1. e4 (( {",
    };
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++)
        fuzz_seed_text(TEXTS[i]);
    for (uint64_t seed = 0; seed < 4; seed++) {
        StrBuf text = {0};
        strbuf_add(&text, "[Event \"?\"]\n[Round \"%d\"]\n\n", (int)seed);
        fuzz_random_game(seed, 80, add_move, &text);
        strbuf_add(&text, "*\n\n");
        fuzz_seed(text.text, text.length);
        strbuf_free(&text);
    }
}
