// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/setup.h"

#include <string.h>

#include "base/text.h"
#include "chess/chess960.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "chess/play.h"

static void setup_start(Setup *setup, const Position *pos)
{
    setup->pos = *pos;
    path_start(&setup->path, pos);
}

void setup_init(Setup *setup)
{
    Position pos;
    pos_start(&pos);
    setup_start(setup, &pos);
}

/* Reads `startpos` or `fen FEN` from `*cursor` and sets `*cursor` to the list of moves, or to NULL
 * if there is none. `*skipped`: there were other words after `startpos`, with a note. */
static bool parse_root(Position *pos, char **cursor, bool chess960, bool *skipped, StrBuf *notes)
{
    const char *const kind = text_word(cursor);
    char *const text = *cursor;
    char error[FEN_ERROR_MAX];
    if (kind == NULL || (strcmp(kind, "fen") != 0 && strcmp(kind, "startpos") != 0)) {
        strbuf_add(notes, "info string error: position needs startpos or fen\n");
        return false;
    }
    *cursor = text_join_words(text, "moves");
    if (strcmp(kind, "startpos") == 0) {
        *skipped = *text != '\0';
        if (*skipped)
            strbuf_add(notes,
                       "info string error: position startpos: skipped '%.*s', only the word moves "
                       "may follow\n",
                       text_cut(text, 40), text);
        pos_start(pos);
        return true;
    }
    const bool is_good = fen_parse(pos, text, chess960, error);
    if (!is_good)
        strbuf_add(notes, "info string error: position fen: %s\n", error);
    else if (*error != '\0')
        strbuf_add(notes, "info string position fen: %s\n", error);
    return is_good;
}

static bool play_moves(Setup *setup, char *cursor, bool chess960, StrBuf *notes)
{
    int ply = 1;
    for (const char *word = text_word(&cursor); word != NULL; word = text_word(&cursor)) {
        const Move move = move_from_uci(&setup->pos, word, chess960);
        if (move == MOVE_NONE) {
            strbuf_add(notes, "info string error: illegal move %.*s at ply %d\n",
                       text_cut(word, 10), word, ply);
            return false;
        }
        pos_advance(&setup->pos, move);
        path_extend(&setup->path, &setup->pos);
        ply++;
    }
    return true;
}

bool setup_parse(Setup *setup, char *arguments, bool chess960, StrBuf *notes)
{
    Position root;
    char *cursor = arguments;
    bool skipped = false;
    if (!parse_root(&root, &cursor, chess960, &skipped, notes))
        return false;
    setup_start(setup, &root);
    const bool is_played = cursor == NULL || play_moves(setup, cursor, chess960, notes);
    return is_played && !skipped;
}

void setup_flip(Setup *setup)
{
    Position flipped;
    pos_flip(&flipped, &setup->pos);
    setup_start(setup, &flipped);
}
