// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/go.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "chess/chess960.h"
#include "chess/notation.h"
#include "eval/score.h"
#include "search/mateproof.h"

typedef enum {
    GO_INFINITE,
    GO_PONDER,
    GO_SEARCH_MOVES,
    GO_WTIME, // this word and all after it take a number
    GO_BTIME,
    GO_WINC,
    GO_BINC,
    GO_MOVES_TO_GO,
    GO_MOVE_TIME,
    GO_DEPTH,
    GO_NODES,
    GO_MATE,
    GO_PERFT,
    GO_WORD_NB
} GoWord;

/* Longer than any game; sums of a few such times cannot overflow. */
#define GO_MS_MAX (INT64_C(1) << 45)

static const struct {
    const char *name;
    int64_t min, max; // range of its number
} GO_WORDS[GO_WORD_NB] = {
    [GO_INFINITE] = {"infinite", 0, 0},
    [GO_PONDER] = {"ponder", 0, 0},
    [GO_SEARCH_MOVES] = {"searchmoves", 0, 0},
    [GO_WTIME] = {"wtime", -GO_MS_MAX, GO_MS_MAX}, // negative: the flag has fallen
    [GO_BTIME] = {"btime", -GO_MS_MAX, GO_MS_MAX},
    [GO_WINC] = {"winc", 0, GO_MS_MAX},
    [GO_BINC] = {"binc", 0, GO_MS_MAX},
    [GO_MOVES_TO_GO] = {"movestogo", 0, 10000},
    [GO_MOVE_TIME] = {"movetime", 0, GO_MS_MAX},
    [GO_DEPTH] = {"depth", 1, MAX_DEPTH},
    [GO_NODES] = {"nodes", 1, INT64_MAX},
    [GO_MATE] = {"mate", 1, MATEPROOF_MOVES_MAX},
    [GO_PERFT] = {"perft", 1, MAX_DEPTH},
};

/* Returns GO_WORD_NB if the text is no keyword. */
static GoWord find_word(const char *text)
{
    int word = 0;
    while (word < GO_WORD_NB && strcmp(text, GO_WORDS[word].name) != 0)
        word++;
    return (GoWord)word;
}

/* State of the parser. */
typedef struct {
    GoRequest *go;
    char *word, *cursor; // next word, NULL at the end; text after it
    StrBuf *notes;
} GoReader;

static void next_word(GoReader *reader)
{
    reader->word = text_word(&reader->cursor);
}

/* True when the next word is an argument of the current keyword. */
static bool is_argument(const GoReader *reader)
{
    return reader->word != NULL && find_word(reader->word) == GO_WORD_NB;
}

/* True when `word` is a whole number in the range. Otherwise, if it is a number, `*out` becomes the
 * nearest in the range; the fraction that some programs send is left out. */
static bool parse_number(const char *word, int64_t min, int64_t max, int64_t *out)
{
    char whole[24];
    const size_t length = strcspn(word, ".");
    const TextInt status = text_clamp_int(word, min, max, out);
    if (status == TEXT_INT_NOT_A_NUMBER && length < sizeof whole) {
        memcpy(whole, word, length);
        whole[length] = '\0';
        text_clamp_int(whole, min, max, out);
    }
    return status == TEXT_INT_OK;
}

/* Notes that `number` is used in place of a faulty one. */
static void note_number(GoReader *reader, GoWord keyword, const char *faulty, int64_t number)
{
    reader->go->is_faulty = true;
    strbuf_add(reader->notes,
               "info string error: go %s %.*s: not a whole number from %" PRId64 " to %" PRId64
               ", using %" PRId64 "\n",
               GO_WORDS[keyword].name, text_cut(faulty, 40), faulty, GO_WORDS[keyword].min,
               GO_WORDS[keyword].max, number);
}

/* Reads the number of the keyword; the result is always within its range. */
static int64_t read_number(GoReader *reader, GoWord keyword)
{
    const char *const name = GO_WORDS[keyword].name;
    const int64_t min = GO_WORDS[keyword].min, max = GO_WORDS[keyword].max;
    int64_t number = min < 0 ? 0 : min;
    if (!is_argument(reader)) {
        reader->go->is_faulty = true;
        strbuf_add(reader->notes, "info string error: go %s needs a number, using %" PRId64 "\n",
                   name, number);
        return number;
    }
    if (!parse_number(reader->word, min, max, &number))
        note_number(reader, keyword, reader->word, number);
    next_word(reader);
    return number;
}

/* python-chess sends an empty list as 0000; it allows no move. A missing list allows all moves. */
static void read_search_moves(GoReader *reader, const Position *pos)
{
    Limits *const limits = &reader->go->limits;
    if (!is_argument(reader)) {
        reader->go->is_faulty = true;
        strbuf_add(reader->notes, "info string error: go searchmoves needs moves\n");
    }
    for (; is_argument(reader); next_word(reader)) {
        const Move move = move_from_uci(pos, reader->word);
        limits->has_search_moves = true;
        if (move != MOVE_NONE &&
            !moves_contain(limits->search_moves, limits->search_move_count, move))
            limits->search_moves[limits->search_move_count++] = move;
        if (move == MOVE_NONE && strcmp(reader->word, "0000") != 0) {
            reader->go->is_faulty = true;
            strbuf_add(reader->notes, "info string error: go searchmoves: illegal move %.*s\n",
                       text_cut(reader->word, 10), reader->word);
        }
    }
}

static void set_number(GoRequest *go, GoWord word, int64_t number)
{
    Limits *const limits = &go->limits;
    switch (word) {
    case GO_WTIME: limits->clock_ms[WHITE] = number; break;
    case GO_BTIME: limits->clock_ms[BLACK] = number; break;
    case GO_WINC: limits->increment_ms[WHITE] = number; break;
    case GO_BINC: limits->increment_ms[BLACK] = number; break;
    case GO_MOVES_TO_GO: limits->moves_to_go = (int)number; break;
    case GO_MOVE_TIME: limits->move_ms = number; break;
    case GO_DEPTH: limits->depth = (int)number; break;
    case GO_NODES: limits->nodes = (uint64_t)number; break;
    case GO_MATE: limits->mate = (int)number; break;
    default: go->perft = (int)number; break;
    }
    limits->has_move_time |= word == GO_MOVE_TIME;
    limits->has_clock |= word >= GO_WTIME && word <= GO_MOVES_TO_GO;
}

/* Whether the next word is a 0 that some programs send beside a clock for "no limit". */
static bool is_unused_limit(const GoReader *reader, GoWord keyword)
{
    return keyword >= GO_MOVE_TIME && keyword <= GO_MATE && is_argument(reader) &&
           strcmp(reader->word, "0") == 0;
}

/* Without a clock such a limit counts, as the smallest. */
static void set_smallest(GoReader *reader, GoWord keyword)
{
    const int64_t number = GO_WORDS[keyword].min;
    if (number != 0)
        note_number(reader, keyword, "0", number);
    set_number(reader->go, keyword, number);
}

void go_parse(GoRequest *go, const Position *pos, char *arguments, StrBuf *notes)
{
    *go = (GoRequest){0};
    Limits *const limits = &go->limits;
    GoReader reader = {.go = go, .cursor = arguments, .notes = notes};
    bool has_own_clock = false; // that of the side to move
    bool is_zero[GO_WORD_NB] = {false};
    next_word(&reader);
    while (reader.word != NULL) {
        const char *const text = reader.word;
        const GoWord keyword = find_word(text);
        next_word(&reader);
        switch (keyword) {
        case GO_INFINITE: limits->infinite = true; break;
        case GO_PONDER: limits->ponder = true; break;
        case GO_SEARCH_MOVES: read_search_moves(&reader, pos); break;
        case GO_WORD_NB:
            go->is_faulty = true;
            strbuf_add(notes, "info string error: go: skipped '%.*s'\n", text_cut(text, 40), text);
            break;
        default:
            if (is_unused_limit(&reader, keyword)) {
                is_zero[keyword] = true;
                next_word(&reader);
                break;
            }
            has_own_clock |= keyword == (pos->side == WHITE ? GO_WTIME : GO_BTIME);
            set_number(go, keyword, read_number(&reader, keyword));
            break;
        }
    }
    for (GoWord word = GO_MOVE_TIME; word <= GO_MATE; word++)
        if (is_zero[word] && (!has_own_clock || limits->clock_ms[pos->side] <= 0))
            set_smallest(&reader, word);
    /* A clock without the time of the side to move is ignored if there is another limit. */
    const bool has_other_limit =
        limits->has_move_time || limits->depth != 0 || limits->nodes != 0 || limits->mate != 0;
    limits->has_clock &= !has_other_limit || has_own_clock;
    limits->infinite |= !limits_end(limits) && !limits->ponder;
    limits->has_clock &= !limits->infinite;
}

/* Writes the reason of the first note, without its beginning and what `go` would do about it. */
static void write_reason(const char *notes, char *error, size_t size)
{
    static const char *const HEADS[] = {"info string error: ", "go: ", "go "};
    static const char SKIPPED[] = "skipped ";
    for (size_t i = 0; i < sizeof HEADS / sizeof HEADS[0]; i++)
        if (strncmp(notes, HEADS[i], strlen(HEADS[i])) == 0)
            notes += strlen(HEADS[i]);
    const char *const after = strstr(notes, ", using");
    const size_t length = after != NULL ? (size_t)(after - notes) : strcspn(notes, "\n");
    if (strncmp(notes, SKIPPED, strlen(SKIPPED)) == 0)
        snprintf(error, size, "%.*s is not understood", (int)(length - strlen(SKIPPED)),
                 notes + strlen(SKIPPED));
    else
        snprintf(error, size, "%.*s", (int)length, notes);
}

bool go_parse_limits(Limits *limits, char *words, char *error, size_t size)
{
    Position start;
    GoRequest go;
    StrBuf notes = {0};
    pos_start(&start);
    go_parse(&go, &start, words, &notes);
    if (go.is_faulty)
        write_reason(notes.text != NULL ? notes.text : "", error, size);
    else if (go.perft > 0)
        snprintf(error, size, "perft is no limit of a search");
    *limits = go.limits;
    strbuf_free(&notes);
    return !go.is_faulty && go.perft == 0;
}
