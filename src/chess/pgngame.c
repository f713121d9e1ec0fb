// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/pgngame.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "chess/chess960.h"
#include "chess/notation.h"
#include "chess/play.h"

#define LINE_ENDS "\r\n"                      // old Macs end lines with CR alone
#define WORD_ENDS TEXT_SPACES "{}()[];$*\xef" // a word ends before each; \xef: of a byte order mark
enum { WORD_MAX = 64 };
static const char *const RESULTS[] = {"1-0", "0-1", "1/2-1/2", "*"};

/* The game being read. */
typedef struct {
    PgnGame *game;
    const char *at;
    const char *limit; // the line that begins the next game, or the end of the text; NULL: unknown
    StrBuf items;      // comments and variations since the last move
    Position pos;      // after the last move
    bool is_started;   // `pos` is set
    bool has_moves;    // a move was read, legal or not
    bool has_event;    // the tag Event was read
    bool is_short;     // of memory
} GameReader;

PgnReader pgn_reader(const char *text)
{
    return (PgnReader){.at = text + text_mark_length(text), .line = 1};
}

/* Stores the reason why the game is damaged, if it is the first. `format` has a %.*s for `text`. */
static void damage(GameReader *r, const char *format, const char *text)
{
    if (r->game->error[0] == '\0')
        snprintf(r->game->error, PGN_ERROR_MAX, format, text_cut(text, 120), text);
}

/* Stores a text of the game and returns its offset; without memory the game ends. */
static size_t keep(GameReader *r, const char *text, size_t length)
{
    const size_t offset = r->game->text.length;
    strbuf_add_bytes(&r->game->text, text, length);
    strbuf_add_bytes(&r->game->text, "", 1); // the NUL
    r->is_short |= r->game->text.is_cut;
    return offset;
}

/* Makes room for one more element of `size` bytes; false when memory is short. */
static bool make_room(void **list, int count, int *room, size_t size)
{
    if (count < *room)
        return true;
    const int wanted = 2 * *room + 32;
    void *const grown = realloc(*list, (size_t)wanted * size);
    if (grown == NULL)
        return false;
    *list = grown;
    *room = wanted;
    return true;
}

/* ---- Tags ---- */

static void add_tag(GameReader *r, const char *name, size_t name_length, const char *value)
{
    PgnGame *const game = r->game;
    void *list = game->tags;
    if (!make_room(&list, game->tag_count, &game->tag_room, sizeof *game->tags)) {
        r->is_short = true;
        return;
    }
    game->tags = list;
    PgnTag *const tag = &game->tags[game->tag_count++];
    tag->name = keep(r, name, name_length);
    tag->value = keep(r, value, strlen(value));
}

/* Whether the quote at `text` ends the value of a tag: a bracket follows. A quote inside a value
 * should have a backslash before it, but often has none. */
static bool is_last_quote(const char *text)
{
    text += 1 + strspn(text + 1, " \t");
    return *text == ']' || *text == '\n' || *text == '\r' || *text == '\0';
}

/* Copies the value that begins after a quote, without its escapes; returns the text after it. */
static const char *copy_value(const char *text, StrBuf *value)
{
    while (strchr(LINE_ENDS, *text) == NULL && !(*text == '"' && is_last_quote(text))) {
        text += *text == '\\' && (text[1] == '"' || text[1] == '\\');
        strbuf_add_bytes(value, text++, 1);
    }
    return text;
}

/* Copies the value of a tag without quotes: `[WhiteElo 2500]`. */
static void copy_bare_value(const char *text, StrBuf *value)
{
    size_t length = strcspn(text, "]" LINE_ENDS);
    while (length > 0 && strchr(TEXT_SPACES, text[length - 1]) != NULL)
        length--;
    strbuf_add_bytes(value, text, length);
}

/* Whether the text begins with the name of the tag that begins a game. */
static bool is_event_name(const char *text)
{
    char name[6];
    snprintf(name, sizeof name, "%.5s", text);
    return text_equal_nocase(name, "Event");
}

/* Reads `[Name "value"]`. False, with nothing read, when the tag belongs to the next game. */
static bool read_tag(GameReader *r)
{
    const char *const name = r->at + 1 + strspn(r->at + 1, " \t");
    const size_t length = strcspn(name, "\"]" TEXT_SPACES);
    const bool is_event = length == 5 && is_event_name(name);
    const bool is_damaged = r->game->error[0] != '\0'; // by a comment without end
    if (r->has_moves || (is_event && (r->has_event || is_damaged)))
        return false;
    r->has_event |= is_event;
    const char *at = name + length + strspn(name + length, " \t");
    StrBuf value = {0};
    if (*at == '"')
        at = copy_value(at + 1, &value);
    else
        copy_bare_value(at, &value);
    at += strcspn(at, "]" LINE_ENDS);
    r->at = at + (*at == ']');
    r->is_short |= value.is_cut;
    if (length > 0)
        add_tag(r, name, length, value.text != NULL ? value.text : "");
    strbuf_free(&value);
    return true;
}

const char *pgn_game_tag(const PgnGame *game, const char *name)
{
    for (int i = 0; i < game->tag_count; i++)
        if (text_equal_nocase(game->text.text + game->tags[i].name, name))
            return game->text.text + game->tags[i].value;
    return "";
}

/* ---- Moves ---- */

static bool is_one_of(const char *text, const char *const *list, size_t count)
{
    bool is_found = false;
    for (size_t i = 0; i < count; i++)
        is_found |= text_equal_nocase(text, list[i]);
    return is_found;
}

/* Whether the value of the tag Variant does not tell the rules. In lichess games from a position
 * the kings castle as in Chess960. */
static bool is_open_variant(const char *variant)
{
    static const char *const OPEN[] = {"", "?", "from position"};
    return is_one_of(variant, OPEN, sizeof OPEN / sizeof OPEN[0]);
}

/* Whether the value of the tag Variant means standard chess or Chess960 (`*chess960`). */
static bool is_known_variant(const char *variant, bool *chess960)
{
    static const char *const STANDARD[] = {"chess", "normal", "standard"};
    *chess960 = strstr(variant, "960") != NULL || strncmp(variant, "fische", 6) == 0 ||
                strncmp(variant, "Fische", 6) == 0 || text_equal_nocase(variant, "freestyle");
    return *chess960 || is_open_variant(variant) ||
           is_one_of(variant, STANDARD, sizeof STANDARD / sizeof STANDARD[0]);
}

/* Parses the FEN; game->repairs gets the repairs or the reason of a failure. If no tag names the
 * variant, and the FEN needs a repair as standard chess but none as Chess960 (castling rights
 * tell), the game is Chess960. */
static bool parse_start(PgnGame *game, const char *fen, bool is_named)
{
    Position start;
    char repairs[FEN_ERROR_MAX];
    const bool is_good = fen_parse(&game->start, fen, game->chess960, game->repairs);
    if (is_named || *game->repairs == '\0' || !fen_parse(&start, fen, true, repairs) ||
        *repairs != '\0')
        return is_good;
    game->start = start;
    game->chess960 = true;
    *game->repairs = '\0';
    return true;
}

/* Sets the start position from the tags. */
static void start_game(GameReader *r)
{
    PgnGame *const game = r->game;
    const char *const variant = pgn_game_tag(game, "Variant");
    const char *const fen = pgn_game_tag(game, "FEN");
    if (r->is_started)
        return;
    r->is_started = true;
    pos_start(&game->start);
    if (!is_known_variant(variant, &game->chess960))
        damage(r, "the variant %.*s", variant);
    else if (*fen != '\0' && !parse_start(game, fen, !is_open_variant(variant)))
        damage(r, "the FEN: %.*s", game->repairs);
    r->pos = game->start;
}

/* Stores the items read since the last move at that move, or before the first. */
static void store_items(GameReader *r)
{
    PgnGame *const game = r->game;
    const size_t offset = keep(r, r->items.text != NULL ? r->items.text : "", r->items.length);
    if (game->move_count > 0)
        game->moves[game->move_count - 1].after = offset;
    else
        game->before = offset;
    r->is_short |= r->items.is_cut;
    strbuf_clear(&r->items);
}

/* Keeps a glyph that no PgnMove can hold among the comments. */
static void keep_glyph(GameReader *r, const char *glyph)
{
    strbuf_add(&r->items, r->items.length > 0 ? " %s" : "%s", glyph);
}

/* Adds a glyph (1..255) to the last move. */
static void add_nag(GameReader *r, int nag)
{
    char glyph[8];
    PgnGame *const game = r->game;
    PgnMove *const move = game->move_count > 0 ? &game->moves[game->move_count - 1] : NULL;
    if (move != NULL && move->nag_count < PGN_NAGS) {
        move->nags[move->nag_count++] = (uint8_t)nag;
        return;
    }
    snprintf(glyph, sizeof glyph, "$%d", nag);
    keep_glyph(r, glyph);
}

/* Adds the glyph that `word` names by its number: "$14". */
static void add_nag_word(GameReader *r, const char *word)
{
    int64_t nag;
    if (text_parse_int(word + 1, 1, UINT8_MAX, &nag))
        add_nag(r, (int)nag);
    else if (word[1] != '\0')
        keep_glyph(r, word);
}

/* Cuts off the end of `word` that judges the position, such as "+/-", and returns its glyph; 0:
 * there is none. Of two ends that fit, the longer one counts. */
static int cut_judgement(char *word)
{
    static const struct {
        const char *end;
        int nag;
    } ENDS[] = {{"+--", 20}, {"--+", 21}, {"+/=", 14}, {"=/+", 15}, {"+/-", 16}, {"-/+", 17},
                {"+=", 14},  {"=+", 15},  {"+-", 18},  {"-+", 19},  {"=", 10},   {"~", 13}};
    const size_t length = strlen(word);
    for (size_t i = 0; i < sizeof ENDS / sizeof ENDS[0]; i++) {
        const size_t end = strlen(ENDS[i].end);
        if (length >= end && strcmp(word + length - end, ENDS[i].end) == 0) {
            word[length - end] = '\0';
            return ENDS[i].nag;
        }
    }
    return 0;
}

/* Adds the glyph after a move, such as "!?"; the text has no other characters, and may be empty.
 */
static void add_suffix(GameReader *r, const char *text)
{
    static const char *const SUFFIXES[] = {"!", "?", "!!", "??", "!?", "?!"};
    int nag = 0;
    for (int i = 0; i < 6; i++)
        if (strcmp(text, SUFFIXES[i]) == 0)
            nag = i + 1;
    if (nag > 0)
        add_nag(r, nag);
    else if (*text != '\0')
        keep_glyph(r, text);
}

/* Whether `word` passes, as some programs write it to show a threat. */
static bool is_null_move(const char *word)
{
    return strcmp(word, "--") == 0 || strcmp(word, "Z0") == 0 || strcmp(word, "@@@@") == 0;
}

/* Plays the move that `word` names, without its suffix. */
static void play_word(GameReader *r, const char *word)
{
    PgnGame *const game = r->game;
    void *list = game->moves;
    r->has_moves = true;
    start_game(r);
    if (game->error[0] != '\0')
        return;
    const Move move = move_from_text(&r->pos, word);
    if (move == MOVE_NONE) {
        snprintf(game->error, PGN_ERROR_MAX, "the move %d%s %.*s is %s", r->pos.fullmove,
                 r->pos.side == WHITE ? "." : "...", text_cut(word, 20), word,
                 is_null_move(word) ? "a null move (a pass)" : "illegal or ambiguous");
        return;
    }
    if (!make_room(&list, game->move_count, &game->move_room, sizeof *game->moves)) {
        r->is_short = true;
        return;
    }
    game->moves = list;
    store_items(r);
    game->moves[game->move_count++] = (PgnMove){.move = move};
    pos_advance(&r->pos, move);
}

/* ---- Movetext ---- */

/* Number of line ends between the two places; CR LF is one. */
static int count_lines(const char *at, const char *end)
{
    int lines = 0;
    for (; at < end; at++)
        lines += *at == '\n' || (*at == '\r' && at[1] != '\n');
    return lines;
}

static bool is_line_start(const char *text, const char *at)
{
    return at == text || at[-1] == '\n' || at[-1] == '\r';
}

/* Whether a byte order mark is before `at`, as where files were joined. */
static bool is_marked(const char *text, const char *at)
{
    return at - text >= 3 && text_mark_length(at - 3) == 3;
}

/* Whether the bracket at `at` begins the line `[Event ...`. */
static bool begins_game(const char *text, const char *at)
{
    return is_line_start(text, is_marked(text, at) ? at - 3 : at) && is_event_name(at + 1) &&
           at[6] == ' ';
}

/* The line behind `at` that begins the next game: a comment or variation must end before it. */
static const char *limit_of(GameReader *r, const char *at)
{
    if (r->limit == NULL || r->limit < at) {
        const char *next = strchr(at, '[');
        while (next != NULL && !begins_game(at, next))
            next = strchr(next + 1, '[');
        r->limit = next != NULL ? next : at + strlen(at);
    }
    return r->limit;
}

static void add_item_byte(StrBuf *items, char c)
{
    const char kept = strchr(TEXT_SPACES, c) != NULL ? ' ' : c;
    strbuf_add_bytes(items, &kept, 1);
}

/* Copies the comment in braces at `at`; returns the text after it, or NULL when it has no end. A
 * comment that begins before the limit and ends behind it names a tag at the start of a line. */
static const char *copy_braces(StrBuf *items, const char *at, const char *limit)
{
    const char *end = memchr(at, '}', (size_t)(limit - at));
    if (end == NULL)
        end = limit + strcspn(limit, "{}"); // another comment begins: this one has no end
    if (*end != '}')
        return NULL;
    for (; at <= end; at++)
        add_item_byte(items, *at);
    return at;
}

/* Copies the comment that runs to the end of the line, as one in braces. */
static const char *copy_line_comment(StrBuf *items, const char *at)
{
    const size_t length = strcspn(at, LINE_ENDS);
    strbuf_add(items, "{");
    for (size_t i = 1; i < length; i++)
        add_item_byte(items, at[i] == '}' ? ')' : at[i]);
    strbuf_add(items, "}");
    return at + length;
}

/* Copies the variation at r->at, with those in it, but without escaped lines; returns the text
 * after it, or NULL when it has no end. */
static const char *copy_variation(GameReader *r)
{
    StrBuf *const items = &r->items;
    const char *at = r->at;
    int depth = 0;
    while (at != NULL && at < limit_of(r, at)) {
        if (*at == '{') {
            at = copy_braces(items, at, limit_of(r, at));
            continue;
        }
        if (*at == ';') {
            at = copy_line_comment(items, at);
            continue;
        }
        if (*at == '%' && (at[-1] == '\n' || at[-1] == '\r')) { // never the first character
            at += strcspn(at, LINE_ENDS);
            continue;
        }
        depth += (*at == '(') - (*at == ')');
        add_item_byte(items, *at++);
        if (depth == 0)
            return at;
    }
    return NULL;
}

/* Reads a comment or variation. */
static void read_item(GameReader *r)
{
    const bool is_variation = *r->at == '(';
    const size_t length = r->items.length;
    if (length > 0)
        strbuf_add(&r->items, " ");
    const char *const after = is_variation    ? copy_variation(r)
                              : *r->at == '{' ? copy_braces(&r->items, r->at, limit_of(r, r->at))
                                              : copy_line_comment(&r->items, r->at);
    if (after == NULL)
        damage(r, "a %.*s without end", is_variation ? "variation" : "comment");
    r->at = after != NULL ? after : r->limit;
}

/* Length of `result` at the beginning of the text, where its dash may have blanks around it; 0: the
 * text begins with something else. */
static size_t result_length(const char *text, const char *result)
{
    const char *at = text;
    for (; *result != '\0'; result++) {
        const bool is_dash = *result == '-';
        at += is_dash ? strspn(at, " \t") : 0;
        if (*at++ != *result)
            return 0;
        at += is_dash ? strspn(at, " \t") : 0;
    }
    return *text == '*' || strchr(WORD_ENDS, *at) != NULL ? (size_t)(at - text) : 0;
}

/* Sets the result that the text begins with, and returns its length; 0: there is none. */
static size_t take_result(PgnGame *game, const char *text)
{
    static const char *const TEXTS[] = {"1-0", "0-1", "1/2-1/2", "*", "1/2"};
    for (int i = 0; i < 5; i++) {
        const size_t length = result_length(text, TEXTS[i]);
        if (length > 0) {
            game->result = RESULTS[i < 4 ? i : 2];
            return length;
        }
    }
    return 0;
}

/* Reads the comments on the result: those before the next empty line. */
static void read_last_comments(GameReader *r)
{
    while (!r->is_short) {
        const char *const next = r->at + strspn(r->at, TEXT_SPACES);
        if (count_lines(r->at, next) > 1 || (*next != '{' && *next != ';'))
            return;
        r->at = next;
        read_item(r);
    }
}

/* Reads the rest of a promotion such as "e8(Q)+", whose bracket has ended the word "e8". */
static void read_promotion(GameReader *r, char *move, size_t room)
{
    const char *const at = r->at;
    const size_t length = strlen(move);
    if (length < 2 || *move < 'a' || *move > 'h' || strchr("18", move[length - 1]) == NULL ||
        at[0] != '(' || at[1] == '\0' || strchr("QRBN", at[1]) == NULL || at[2] != ')')
        return;
    const size_t signs = strspn(at + 3, "+#!?-/=");
    snprintf(move + length, room - length, "=%c%.*s", at[1], (int)signs, at + 3);
    r->at += 3 + signs;
}

/* Reads a move, a move number, a glyph or a result. True at a result. */
static bool read_word(GameReader *r)
{
    char word[WORD_MAX];
    size_t length = take_result(r->game, r->at);
    if (length > 0) {
        r->at += length;
        read_last_comments(r);
        return true;
    }
    length = 1 + strcspn(r->at + 1, WORD_ENDS);
    snprintf(word, sizeof word, "%.*s", (int)(length < WORD_MAX ? length : WORD_MAX - 1), r->at);
    r->at += length;
    if (word[0] == '$') {
        add_nag_word(r, word);
        return false;
    }
    if (strcmp(word, "N") == 0 || strcmp(word, "D") == 0) {
        add_nag(r, *word == 'N' ? 146 : 220); // a novelty, a diagram
        return false;
    }
    /* A move may follow its number without a space: "1.e4". */
    const size_t digits = strspn(word, "0123456789"), dots = strspn(word + digits, ".");
    char *const move = dots > 0 || word[digits] == '\0' ? word + digits + dots : word;
    read_promotion(r, move, sizeof word - (size_t)(move - word));
    const int judgement = cut_judgement(move);
    char suffix[WORD_MAX];
    length = strcspn(move, "!?");
    snprintf(suffix, sizeof suffix, "%.*s", (int)strspn(move + length, "!?"), move + length);
    move[length] = '\0';
    if (length > 0 && strcmp(move, "e.p.") != 0)
        play_word(r, move);
    add_suffix(r, suffix);
    if (judgement != 0)
        add_nag(r, judgement);
    return false;
}

/* Length of what means nothing at the beginning of the text, which must not be empty: white space,
 * a bracket that closes nothing, or a byte order mark, as where files were joined. */
static size_t filler_length(const char *text)
{
    return strchr(TEXT_SPACES ")}]<>", *text) != NULL ? 1 : text_mark_length(text);
}

/* Whether the bracket at `at`, behind moves, begins a tag of the next game: it is the first in its
 * line or follows a byte order mark, and a name follows it. */
static bool begins_tag(const char *text, const char *at)
{
    const char *start = at;
    while (start > text && (start[-1] == ' ' || start[-1] == '\t'))
        start--;
    return (is_line_start(text, start) || is_marked(text, at)) &&
           isalpha((unsigned char)at[1 + strspn(at + 1, " \t")]);
}

/* Reads to the end of the game. */
static void read_text(GameReader *r, const char *text)
{
    while (*r->at != '\0' && !r->is_short) {
        const char c = *r->at;
        if (c == '%' && is_line_start(text, r->at)) {
            r->at += strcspn(r->at, LINE_ENDS);
        } else if (filler_length(r->at) > 0) {
            r->at += filler_length(r->at);
        } else if (c == '[' && r->has_moves && !begins_tag(text, r->at)) {
            damage(r, "a %.*s in the moves", "bracket");
            r->at += strcspn(r->at, "]" LINE_ENDS);
        } else if (c == '[') {
            if (!read_tag(r))
                return;
        } else if (c == '{' || c == ';' || c == '(') {
            read_item(r);
        } else if (read_word(r)) {
            return;
        }
    }
}

static void empty(PgnGame *game)
{
    game->tag_count = game->move_count = 0;
    game->result = NULL;
    game->error[0] = game->repairs[0] = '\0';
    strbuf_clear(&game->text);
}

/* Skips what belongs to no game: escaped lines and what means nothing. */
static const char *skip_rest(const PgnReader *reader)
{
    const char *at = reader->at;
    while (*at != '\0') {
        if (*at == '%' && is_line_start(reader->at, at))
            at += strcspn(at, LINE_ENDS);
        else if (filler_length(at) > 0)
            at += filler_length(at);
        else
            break;
    }
    return at;
}

static void end_game(GameReader *r)
{
    PgnGame *const game = r->game;
    start_game(r);
    store_items(r);
    if (game->result == NULL && take_result(game, pgn_game_tag(game, "Result")) == 0)
        game->result = RESULTS[3];
}

int pgn_game_read(PgnReader *reader, PgnGame *game)
{
    GameReader r = {.game = game, .at = reader->at, .limit = reader->limit};
    empty(game);
    const char *const begin = skip_rest(reader);
    reader->line += count_lines(reader->at, begin);
    r.at = begin;
    game->line = reader->line;
    game->before = keep(&r, "", 0);
    read_text(&r, begin);
    if (!r.is_short)
        end_game(&r);
    const char *end = r.at;
    while (end > begin && strchr(TEXT_SPACES, end[-1]) != NULL)
        end--;
    game->source = begin;
    game->source_length = (size_t)(end - begin);
    reader->limit = r.limit;
    reader->line += count_lines(begin, r.at);
    reader->at = r.at;
    strbuf_free(&r.items);
    return r.is_short ? -1 : end > begin;
}

void pgn_game_free(PgnGame *game)
{
    free(game->tags);
    free(game->moves);
    strbuf_free(&game->text);
    *game = (PgnGame){.result = NULL};
}
