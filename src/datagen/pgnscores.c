// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/pgnscores.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "chess/play.h"
#include "eval/score.h"

enum { TAG_MAX = 128, WORD_MAX = 64, COMMENT_MAX = 256, MOVES_MAX = 2048 };

/* The score of a move. Stored until the end of the game, because only legal games with a result
 * count. */
typedef struct {
    Position pos;
    int centipawns;
} StoredScore;

typedef struct {
    FILE *stream;
    const char *player;
    PgnScoreVisit visit;
    void *ctx;
    PgnTally *tally;
    uint64_t game_number;
    char fen[FEN_MAX];
    char names[COLOR_NB][TAG_MAX];
    int result;   // as in gamecode.h; -1: none
    bool is_void; // decided by time, a crash or the like: the game does not count
    bool is_chess960;
    bool has_moves;     // moves of this game were read
    bool is_faulty;     // a position or move was illegal
    bool is_started;    // `pos` holds the start position or a later one
    Position pos;       // the current position
    Position before;    // the position before the last move
    bool is_score_open; // the last move has no score yet
    StoredScore *scored;
    int scored_count;
} Reader;

static void begin_game(Reader *r)
{
    text_copy(r->fen, sizeof r->fen, FEN_START);
    r->names[WHITE][0] = r->names[BLACK][0] = '\0';
    r->result = -1;
    r->is_void = r->is_chess960 = r->has_moves = r->is_faulty = r->is_started = r->is_score_open =
        false;
    r->scored_count = 0;
}

/* Visits the scores of the game, those of r->player only if it is set. */
static void visit_scores(Reader *r)
{
    for (int i = 0; i < r->scored_count; i++) {
        const StoredScore *const s = &r->scored[i];
        if (r->player != NULL && strcmp(r->player, r->names[s->pos.side]) != 0)
            continue;
        const PgnScore score = {.pos = &s->pos,
                                .centipawns = s->centipawns,
                                .result = r->result,
                                .game = r->game_number};
        r->tally->moves++;
        r->visit(r->ctx, &score);
    }
}

static void end_game(Reader *r)
{
    if (r->has_moves && r->is_faulty)
        r->tally->faulty++;
    else if (r->has_moves && (r->result < 0 || r->is_void))
        r->tally->unjudged++;
    else if (r->has_moves) {
        r->tally->games++;
        visit_scores(r);
        r->game_number++;
    }
    begin_game(r);
}

/* Reads up to the character `end` or the end of the file. Writes the characters before it to
 * `text`, cut to `size` - 1 characters, and a NUL. */
static void read_until(FILE *stream, int end, char *text, size_t size)
{
    size_t length = 0;
    for (int c = getc(stream); c != end && c != EOF; c = getc(stream))
        if (length + 1 < size)
            text[length++] = c == '\n' || c == '\r' ? ' ' : (char)c;
    text[length] = '\0';
}

static void parse_result(Reader *r, const char *text)
{
    if (strcmp(text, "1-0") == 0)
        r->result = GAME_WHITE_WINS;
    else if (strcmp(text, "0-1") == 0)
        r->result = GAME_BLACK_WINS;
    else if (strcmp(text, "1/2-1/2") == 0)
        r->result = GAME_DRAW;
    else
        r->result = -1;
}

/* Parses a tag `Name "value"` without its brackets. */
static void parse_tag(Reader *r, char *text)
{
    char *const open = strchr(text, '"'), *const close = strrchr(text, '"');
    if (open == NULL || close == open)
        return;
    *close = '\0';
    char *cursor = text;
    const char *const name = open > text ? text_word(&cursor) : NULL, *const value = open + 1;
    if (name == NULL)
        return;
    if (strcmp(name, "White") == 0)
        text_copy(r->names[WHITE], TAG_MAX, value);
    else if (strcmp(name, "Black") == 0)
        text_copy(r->names[BLACK], TAG_MAX, value);
    else if (strcmp(name, "FEN") == 0)
        r->is_faulty |= !text_copy(r->fen, sizeof r->fen, value);
    else if (strcmp(name, "Variant") == 0)
        r->is_chess960 = true;
    else if (strcmp(name, "Result") == 0)
        parse_result(r, value);
    else if (strcmp(name, "Termination") == 0 && strcmp(value, "normal") != 0 &&
             strcmp(value, "adjudication") != 0)
        r->is_void = true;
}

/* Parses the score in a comment; false without a score or with a mate score. */
static bool parse_score(char *comment, int *centipawns)
{
    char *cursor = comment;
    char *const word = text_word(&cursor), *const slash = word != NULL ? strchr(word, '/') : NULL;
    double pawns;
    if (slash == NULL || strspn(slash + 1, "0123456789") == 0)
        return false;
    *slash = '\0';
    const double max = SCORE_EVAL_MAX / 100.0; // more: a tablebase win
    if (!text_parse_real(word, -max, max, &pawns))
        return false;
    *centipawns = (int)lround(100.0 * pawns);
    return true;
}

static void parse_comment(Reader *r, char *comment)
{
    int centipawns;
    if (!r->is_score_open || !parse_score(comment, &centipawns) || r->scored_count == MOVES_MAX)
        return;
    r->scored[r->scored_count++] = (StoredScore){.pos = r->before, .centipawns = centipawns};
    r->is_score_open = false;
}

/* Plays a move in SAN. */
static void play_san(Reader *r, const char *word)
{
    char error[FEN_ERROR_MAX];
    r->has_moves = true;
    if (!r->is_started && !fen_parse(&r->pos, r->fen, r->is_chess960, error))
        r->is_faulty = true;
    r->is_started = true;
    if (r->is_faulty)
        return;
    const Move move = move_from_san(&r->pos, word);
    if (move == MOVE_NONE) {
        r->is_faulty = true;
        return;
    }
    r->before = r->pos;
    pos_play(&r->pos, &r->before, move);
    r->is_score_open = true;
}

static bool is_result(const char *word)
{
    return strcmp(word, "1-0") == 0 || strcmp(word, "0-1") == 0 || strcmp(word, "1/2-1/2") == 0 ||
           strcmp(word, "*") == 0;
}

static void parse_word(Reader *r, const char *word)
{
    if (is_result(word)) {
        end_game(r);
        return;
    }
    /* A move may follow its number without a space: "1.e4". */
    const size_t digits = strspn(word, "0123456789");
    const size_t dots = strspn(word + digits, ".");
    if (digits > 0 && dots > 0)
        word += digits + dots;
    else if (digits > 0 && word[digits] == '\0')
        return;
    if (*word != '\0' && *word != '$')
        play_san(r, word);
}

/* Reads the word that begins with `c`. */
static void read_word(FILE *stream, int c, char *word)
{
    size_t length = 0;
    for (; c != EOF && strchr(" \t\r\n{}()[];", c) == NULL; c = getc(stream))
        if (length + 1 < WORD_MAX)
            word[length++] = (char)c;
    word[length] = '\0';
    if (c != EOF)
        ungetc(c, stream);
}

static void skip_variation(FILE *stream)
{
    char comment[COMMENT_MAX];
    int depth = 1;
    for (int c = getc(stream); c != EOF; c = getc(stream)) {
        depth += (c == '(') - (c == ')');
        if (depth == 0)
            return;
        if (c == '{')
            read_until(stream, '}', comment, sizeof comment);
    }
}

static void read_games(Reader *r)
{
    char text[COMMENT_MAX], word[WORD_MAX];
    for (int c = getc(r->stream); c != EOF; c = getc(r->stream)) {
        switch (c) {
        case '\0':
        case ' ':
        case '\t':
        case '\r':
        case '\n':
        case ')':
        case '}':
        case ']': break;
        case '[':
            if (r->has_moves)
                end_game(r);
            read_until(r->stream, ']', text, sizeof text);
            parse_tag(r, text);
            break;
        case '{':
            read_until(r->stream, '}', text, sizeof text);
            parse_comment(r, text);
            break;
        case ';': read_until(r->stream, '\n', text, sizeof text); break;
        case '(': skip_variation(r->stream); break;
        default:
            read_word(r->stream, c, word);
            parse_word(r, word);
            break;
        }
    }
    end_game(r);
}

bool pgnscores_read(FILE *stream, const char *player, PgnScoreVisit visit, void *ctx,
                    PgnTally *tally)
{
    Reader *const r = calloc(1, sizeof *r);
    StoredScore *const scored = calloc(MOVES_MAX, sizeof *scored);
    const bool is_allocated = r != NULL && scored != NULL;
    if (is_allocated) {
        *r = (Reader){.stream = stream,
                      .player = player,
                      .visit = visit,
                      .ctx = ctx,
                      .tally = tally,
                      .scored = scored};
        begin_game(r);
        read_games(r);
    }
    free(scored);
    free(r);
    return is_allocated;
}
