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
    GO_PERFT
} GoWord;

/* Longer than any game; sums of a few such times cannot overflow. */
#define GO_MS_MAX (INT64_C(1) << 45)

static const struct {
    const char *name;
    GoWord word;
    int64_t min, max; // range of its number
} GO_WORDS[] = {
    {"infinite", GO_INFINITE, 0, 0},
    {"ponder", GO_PONDER, 0, 0},
    {"searchmoves", GO_SEARCH_MOVES, 0, 0},
    {"wtime", GO_WTIME, -GO_MS_MAX, GO_MS_MAX}, // negative: the flag has fallen
    {"btime", GO_BTIME, -GO_MS_MAX, GO_MS_MAX},
    {"winc", GO_WINC, 0, GO_MS_MAX},
    {"binc", GO_BINC, 0, GO_MS_MAX},
    {"movestogo", GO_MOVES_TO_GO, 0, 10000},
    {"movetime", GO_MOVE_TIME, 0, GO_MS_MAX},
    {"depth", GO_DEPTH, 1, MAX_DEPTH},
    {"nodes", GO_NODES, 1, INT64_MAX},
    {"mate", GO_MATE, 1, MATEPROOF_MOVES_MAX},
    {"perft", GO_PERFT, 1, MAX_DEPTH},
};

enum { GO_WORD_COUNT = sizeof GO_WORDS / sizeof GO_WORDS[0] };

/* Index in GO_WORDS, or -1. */
static int find_word(const char *text)
{
    for (int i = 0; i < GO_WORD_COUNT; i++)
        if (strcmp(text, GO_WORDS[i].name) == 0)
            return i;
    return -1;
}

/* State of the parser. */
typedef struct {
    GoRequest *go;
    char *word, *cursor; // next word, NULL at the end; text after it
    StrBuf *notes;
    bool has_own_clock; // the clock of the side to move was given
} GoReader;

static void next_word(GoReader *reader)
{
    reader->word = text_word(&reader->cursor);
}

/* True when the next word is an argument of the current keyword. */
static bool is_argument(const GoReader *reader)
{
    return reader->word != NULL && find_word(reader->word) < 0;
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

/* Reads the number of GO_WORDS[i]; the result is always within its range. */
static int64_t read_number(GoReader *reader, int i)
{
    const char *const name = GO_WORDS[i].name;
    int64_t number = GO_WORDS[i].min < 0 ? 0 : GO_WORDS[i].min;
    if (!is_argument(reader)) {
        reader->go->is_faulty = true;
        strbuf_add(reader->notes, "info string error: go %s needs a number, using %" PRId64 "\n",
                   name, number);
        return number;
    }
    if (!parse_number(reader->word, GO_WORDS[i].min, GO_WORDS[i].max, &number)) {
        reader->go->is_faulty = true;
        strbuf_add(reader->notes,
                   "info string error: go %s %.*s: not a whole number from %" PRId64 " to %" PRId64
                   ", using %" PRId64 "\n",
                   name, text_cut(reader->word, 40), reader->word, GO_WORDS[i].min, GO_WORDS[i].max,
                   number);
    }
    next_word(reader);
    return number;
}

/* python-chess sends an empty list as 0000; it allows no move. A missing list allows all moves. */
static void read_search_moves(GoReader *reader, const Position *pos, bool chess960)
{
    Limits *const limits = &reader->go->limits;
    if (!is_argument(reader)) {
        reader->go->is_faulty = true;
        strbuf_add(reader->notes, "info string error: go searchmoves needs moves\n");
    }
    for (; is_argument(reader); next_word(reader)) {
        const Move move = move_from_uci(pos, reader->word, chess960);
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

void go_parse(GoRequest *go, const Position *pos, bool chess960, char *arguments, StrBuf *notes)
{
    *go = (GoRequest){0};
    Limits *const limits = &go->limits;
    GoReader reader = {.go = go, .cursor = arguments, .notes = notes};
    const GoWord own_clock = pos->side == WHITE ? GO_WTIME : GO_BTIME;
    next_word(&reader);
    while (reader.word != NULL) {
        const int i = find_word(reader.word);
        if (i < 0) {
            go->is_faulty = true;
            strbuf_add(notes, "info string error: go: skipped '%.*s'\n", text_cut(reader.word, 40),
                       reader.word);
        }
        next_word(&reader);
        if (i < 0)
            continue;
        switch (GO_WORDS[i].word) {
        case GO_INFINITE: limits->infinite = true; break;
        case GO_PONDER: limits->ponder = true; break;
        case GO_SEARCH_MOVES: read_search_moves(&reader, pos, chess960); break;
        default:
            reader.has_own_clock |= GO_WORDS[i].word == own_clock;
            set_number(go, GO_WORDS[i].word, read_number(&reader, i));
            break;
        }
    }
    /* A clock without the time of the side to move is ignored if there is another limit. */
    const bool has_other_limit =
        limits->has_move_time || limits->depth != 0 || limits->nodes != 0 || limits->mate != 0;
    limits->has_clock &= !has_other_limit || reader.has_own_clock;
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
    go_parse(&go, &start, false, words, &notes);
    if (go.is_faulty)
        write_reason(notes.text != NULL ? notes.text : "", error, size);
    else if (go.perft > 0)
        snprintf(error, size, "perft is no limit of a search");
    *limits = go.limits;
    strbuf_free(&notes);
    return !go.is_faulty && go.perft == 0;
}
