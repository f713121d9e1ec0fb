// SPDX-License-Identifier: GPL-3.0-or-later
/* The command `annotate`: its output has all sound games of the input with the same moves, and a
 * second call finds them finished. Input: a PGN file. */
#include "fuzz.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "chess/pgngame.h"
#include "session.h"

enum { MOVES_MAX = 60 }; // of all games: each is searched

/* The next game that is not damaged; false at the end. */
static bool next_sound(PgnReader *reader, PgnGame *game)
{
    while (pgn_game_read(reader, game) == 1)
        if (game->error[0] == '\0')
            return true;
    return false;
}

typedef struct {
    int sound, damaged; // games
    int moves;          // in all sound games
} Contents;

static Contents count_games(const char *text)
{
    Contents contents = {0};
    PgnGame game = {0};
    PgnReader reader = pgn_reader(text);
    while (pgn_game_read(&reader, &game) == 1) {
        const bool is_sound = game.error[0] == '\0';
        contents.sound += is_sound;
        contents.damaged += !is_sound;
        contents.moves += is_sound ? game.move_count : 0;
    }
    pgn_game_free(&game);
    return contents;
}

static void compare(const char *in, const char *out)
{
    PgnGame one = {0}, other = {0};
    PgnReader ins = pgn_reader(in), outs = pgn_reader(out);
    while (next_sound(&ins, &one)) {
        assert(pgn_game_read(&outs, &other) == 1 && other.error[0] == '\0');
        assert(one.move_count == other.move_count && one.result == other.result);
        for (int i = 0; i < one.move_count; i++)
            assert(one.moves[i].move == other.moves[i].move);
    }
    assert(pgn_game_read(&outs, &other) == 0);
    pgn_game_free(&one);
    pgn_game_free(&other);
}

static void annotate(const char *wanted)
{
    char limits[] = "setoption name Hash value 1", command[] = "annotate in.pgn out.pgn nodes 20";
    char *const lines[] = {limits, command};
    char *const said = fuzz_session(lines, 2);
    assert(strstr(said, wanted) != NULL);
    free(said);
}

void fuzz_annotate(const uint8_t *bytes, size_t size)
{
    char *const text = fuzz_text(bytes, size), counts[64];
    StrBuf in = {0}, out = {0};
    fuzz_enter_folder();
    fuzz_write_file("in.pgn", bytes, size);
    assert(file_read_text("in.pgn", &in)); // without NUL bytes
    const Contents contents = count_games(in.text);
    /* Beside damaged games those without moves do not count: the file may be no PGN. */
    const bool is_pgn = contents.damaged > 0 ? contents.moves > 0 : contents.sound > 0;
    if (contents.moves <= MOVES_MAX) {
        snprintf(counts, sizeof counts, "Annotated games : %d\n", contents.sound);
        annotate(is_pgn ? counts : contents.damaged > 0 ? "has no sound games" : "has no games");
        if (is_pgn && file_read_text("out.pgn", &out)) {
            compare(in.text, out.text);
            snprintf(counts, sizeof counts, "Finished before : %d\n", contents.sound);
            annotate(counts);
        }
    }
    strbuf_free(&in);
    strbuf_free(&out);
    free(text);
}

void seed_annotate(void)
{
    fuzz_seed_text(
        "[Event \"a\"]\n[White \"W\"]\n[Annotator \"me\"]\n\n1. e4 {best} e5 $1 2. Nf3!? "
        "(2. f4 exf4 {a}) Nc6 ; end\n3. Bb5 a6?? 1-0\n\n[Event \"b\"]\n\n1. d4 d6 *\n");
    fuzz_seed_text(
        "1. f3 e5 2. g4 Qh4# 0-1 {mate}\n\n[Event \"c\"]\n1. e5 *\n\n[Event \"d\"]\n\n*");
    fuzz_seed_text("[FEN \"7k/8/6K1/8/8/8/8/5R2 w - - 99 80\"]\n\n80. Rf8# 1-0");
    fuzz_seed_text("[Variant \"chess960\"]\n[FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/"
                   "BQ1BNRKR w HFhf - 2 9\"]\n9. O-O O-O 1/2-1/2\n");
}
