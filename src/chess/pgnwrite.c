// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/pgnwrite.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "chess/notation.h"
#include "chess/play.h"

enum { COLUMNS = 80 };

/* A text that is wrapped at COLUMNS. */
typedef struct {
    StrBuf *out;
    size_t column;
} Wrapper;

/* Length of the word at `text`. A command such as [%eval 0.31,14] is one word. Never looks beyond
 * the next bracket, so that a long comment takes no quadratic time. */
static size_t word_length(const char *text)
{
    const size_t length = strcspn(text, " ");
    size_t at = strcspn(text, " [");
    while (at < length && text[at + 1] != '%')
        at += 1 + strcspn(text + at + 1, " [");
    if (at >= length)
        return length;
    at += 1 + strcspn(text + at + 1, "[]");
    return text[at] != ']' ? length : at + strcspn(text + at, " ");
}

/* Appends the words of `text`. A reader may take a line that begins with % or [ for something else,
 * so no line begins with such a word. */
static void add_words(Wrapper *w, const char *text)
{
    for (size_t length; *(text += strspn(text, " ")) != '\0'; text += length) {
        length = word_length(text);
        const bool is_bound = *text == '%' || *text == '[';
        if (w->column > 0 && w->column + 1 + length > COLUMNS && !is_bound) {
            strbuf_add(w->out, "\n");
            w->column = 0;
        } else if (w->column > 0) {
            strbuf_add(w->out, " ");
            w->column++;
        }
        strbuf_add_bytes(w->out, text, length);
        w->column += length;
    }
}

/* Appends the text between the two brackets. */
static void add_bracketed(Wrapper *w, char open, const char *text, char close)
{
    StrBuf whole = {0};
    strbuf_add(&whole, "%c%s%c", open, text, close);
    if (whole.text != NULL)
        add_words(w, whole.text);
    w->out->is_cut |= whole.is_cut;
    strbuf_free(&whole);
}

static void write_tag(StrBuf *out, const char *name, const char *value)
{
    strbuf_add(out, "[%s \"", name);
    for (; *value != '\0'; value++)
        strbuf_add(out, *value == '"' || *value == '\\' ? "\\%c" : "%c", *value);
    strbuf_add(out, "\"]\n");
}

static void write_tags(StrBuf *out, const PgnGame *game, const PgnTagText *tags, int count)
{
    for (int i = 0; i < game->tag_count; i++) {
        const char *const name = game->text.text + game->tags[i].name;
        bool is_replaced = false;
        for (int t = 0; t < count; t++)
            is_replaced |= text_equal_nocase(name, tags[t].name);
        if (!is_replaced)
            write_tag(out, name, game->text.text + game->tags[i].value);
    }
    for (int t = 0; t < count; t++)
        write_tag(out, tags[t].name, tags[t].value);
    if (game->tag_count + count > 0)
        strbuf_add(out, "\n");
}

/* Writes what follows a move. True when the next move needs its number. */
static bool write_after(Wrapper *w, const PgnGame *game, const PgnMove *move, const PgnNote *note)
{
    char glyph[8];
    const char *const after = game->text.text + move->after;
    for (int i = 0; i < move->nag_count; i++) {
        snprintf(glyph, sizeof glyph, "$%d", move->nags[i]);
        add_words(w, glyph);
    }
    if (note != NULL && note->nag != 0) {
        snprintf(glyph, sizeof glyph, "$%d", note->nag);
        add_words(w, glyph);
    }
    if (note != NULL && note->comment != NULL)
        add_bracketed(w, '{', note->comment, '}');
    add_words(w, after);
    if (note != NULL && note->variation != NULL)
        add_bracketed(w, '(', note->variation, ')');
    return *after != '\0' || (note != NULL && (note->comment != NULL || note->variation != NULL));
}

/* Appends the number of the next move, if White moves or `is_needed`, and plays the move. */
static void add_move(StrBuf *words, Position *pos, Move move, bool is_needed)
{
    char san[MOVE_TEXT_MAX];
    move_to_san(pos, move, san);
    if (pos->side == WHITE || is_needed)
        strbuf_add(words, "%d%s ", pos->fullmove, pos->side == WHITE ? "." : "...");
    strbuf_add(words, "%s", san);
    pos_advance(pos, move);
}

void pgn_game_write(StrBuf *out, const PgnGame *game, const PgnTagText *tags, int tag_count,
                    const PgnNote *notes)
{
    Wrapper wrapper = {.out = out};
    StrBuf words = {0};
    Position pos = game->start;
    bool needs_number = true;
    write_tags(out, game, tags, tag_count);
    add_words(&wrapper, game->text.text + game->before);
    for (int i = 0; i < game->move_count; i++) {
        strbuf_clear(&words);
        add_move(&words, &pos, game->moves[i].move, needs_number);
        out->is_cut |= words.is_cut;
        add_words(&wrapper, words.text != NULL ? words.text : "");
        needs_number =
            write_after(&wrapper, game, &game->moves[i], notes != NULL ? &notes[i] : NULL);
    }
    add_words(&wrapper, game->result);
    strbuf_add(out, "\n\n");
    strbuf_free(&words);
}

void pgn_add_line(StrBuf *out, const Position *pos, const Move *line, int length)
{
    Position at = *pos;
    for (int i = 0; i < length; i++) {
        strbuf_add(out, i > 0 ? " " : "");
        add_move(out, &at, line[i], i == 0);
    }
}
