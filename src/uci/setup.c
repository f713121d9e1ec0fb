// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/setup.h"

#include <string.h>

#include "base/text.h"
#include "chess/chess960.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/play.h"

static void setup_start(Setup *setup, const Position *pos)
{
    setup->pos = setup->root = *pos;
    setup->plies = 0;
    path_start(&setup->path, pos);
}

static void setup_play(Setup *setup, Move move)
{
    pos_advance(&setup->pos, move);
    path_extend(&setup->path, &setup->pos);
    setup->plies++;
}

void setup_init(Setup *setup)
{
    Position pos;
    pos_start(&pos);
    setup->in_game = false;
    setup_start(setup, &pos);
}

/* Finds `plies` legal moves from `pos` to `end`. If there are several ways, the last move is a
 * capture or a pawn move, and the position before it cannot occur again: any of them will do. */
static bool find_moves(const Position *pos, const Position *end, int plies, Move *line)
{
    if (end->rule50 != pos->rule50 + plies && end->rule50 >= plies)
        return false;
    if (plies == 0)
        return pos->key == end->key;
    Move moves[MAX_MOVES];
    const int count = gen_legal(pos, moves);
    for (int i = 0; i < count; i++) {
        Position after;
        pos_play(&after, pos, moves[i]);
        *line = moves[i];
        if (find_moves(&after, end, plies - 1, line + 1))
            return true;
    }
    return false;
}

/* Plays at most two moves from `pos` to `root`; false if there are none. */
static bool follow_game(Setup *setup, const Position *root)
{
    enum { PLIES_MAX = 2 };
    const Position *const pos = &setup->pos;
    const int plies = 2 * (root->fullmove - pos->fullmove) + root->side - pos->side;
    Move line[PLIES_MAX];
    if (plies < 0 || plies > PLIES_MAX || !find_moves(pos, root, plies, line))
        return false;
    for (int i = 0; i < plies; i++)
        setup_play(setup, line[i]);
    return true;
}

/* Takes back the moves of the last `position`; false if the path does not reach so far back. */
static bool take_back(Setup *setup)
{
    if (setup->plies >= setup->path.count)
        return false;
    setup->pos = setup->root;
    setup->path.count -= setup->plies;
    return true;
}

/* Goes on from the last position to `root` if both belong to one game, else starts from `root`. */
static void set_root(Setup *setup, const Position *root)
{
    const bool goes_on = setup->in_game && (follow_game(setup, root) ||
                                            (take_back(setup) && follow_game(setup, root)));
    if (!goes_on)
        setup_start(setup, root);
    setup->root = setup->pos;
    setup->plies = 0;
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

static bool play_moves(Setup *setup, char *cursor, StrBuf *notes)
{
    int ply = 1;
    for (const char *word = text_word(&cursor); word != NULL; word = text_word(&cursor)) {
        const Move move = move_from_uci(&setup->pos, word);
        if (move == MOVE_NONE) {
            strbuf_add(notes, "info string error: illegal move %.*s at ply %d\n",
                       text_cut(word, 10), word, ply);
            return false;
        }
        setup_play(setup, move);
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
    set_root(setup, &root);
    const bool is_played = cursor == NULL || play_moves(setup, cursor, notes);
    return is_played && !skipped;
}

void setup_flip(Setup *setup)
{
    Position flipped;
    pos_flip(&flipped, &setup->pos);
    setup_start(setup, &flipped);
}
