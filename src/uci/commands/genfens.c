// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/genfens.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "chess/chess960.h"
#include "chess/epd.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/play.h"
#include "chess/randommove.h"
#include "engine/single.h"
#include "uci/commands/run.h"

enum {
    PLIES_DEFAULT = 8,
    PLIES_AFTER_BOOK = 2, // whose positions differ already
    PLIES_MAX = 64,
    HASH_MIB = 1,
    TRIES_MAX = 1000 // for one opening; none is to be had from a book of lost positions
};

/* The openings being made. */
typedef struct {
    const GenfensOptions *options;
    bool chess960;
    FILE *book; // NULL: none
    long book_size;
    Rng rng;
    Single *single;
    EpdRecord record;
    Position pos; // the opening drawn last,
    Path path;    // and the way to it
} Maker;

/* Reads the number after a word, into `*number`. */
static bool read_number(char **cursor, int64_t min, int64_t max, int64_t *number)
{
    const char *const word = text_word(cursor);
    return word != NULL && text_parse_int(word, min, max, number);
}

/* Reads what follows the number of openings; returns what is wrong, or NULL. */
static const char *parse_words(GenfensOptions *options, char *cursor)
{
    for (const char *word = text_word(&cursor); word != NULL; word = text_word(&cursor)) {
        if (strcmp(word, "seed") == 0) {
            if (!read_number(&cursor, 0, INT64_MAX, &options->seed))
                return "the seed is a number from 0";
        } else if (strcmp(word, "book") == 0) {
            options->book = text_word(&cursor);
            if (options->book == NULL)
                return "the book is None or a file";
        } else if (strcmp(word, "plies") == 0) {
            if (!read_number(&cursor, 0, PLIES_MAX, &options->plies))
                return "plies is a number from 0 to 64";
        } else if (strcmp(word, "frc") == 0) {
            options->arrays = ARRAYS_CHESS960;
        } else if (strcmp(word, "dfrc") == 0) {
            options->arrays = ARRAYS_DOUBLE_CHESS960;
        } else {
            return "it knows seed, book, plies, frc and dfrc";
        }
    }
    return NULL;
}

bool genfens_parse(GenfensOptions *options, char *arguments, const char **error)
{
    char *cursor = arguments;
    *options = (GenfensOptions){.plies = -1};
    if (!read_number(&cursor, 1, UINT32_MAX, &options->count))
        *error = "it needs the number of openings";
    else
        *error = parse_words(options, cursor);
    if (options->book != NULL && text_equal_nocase(options->book, "None"))
        options->book = NULL;
    if (options->plies < 0)
        options->plies = options->book != NULL ? PLIES_AFTER_BOOK : PLIES_DEFAULT;
    return *error == NULL;
}

/* Draws a line of the book: the one after a random byte, after the last the first. False, with the
 * reason in `error` (FEN_ERROR_MAX bytes), when that is no position. */
static bool draw_line(Maker *maker, char *error)
{
    const long at = (long)rng_below(&maker->rng, (uint64_t)maker->book_size);
    fseek(maker->book, at, SEEK_SET);
    for (int c = at > 0 ? getc(maker->book) : '\n'; c != '\n' && c != EOF;)
        c = getc(maker->book);
    int found = epd_next(maker->book, &maker->record, maker->chess960, error);
    if (found == 0) {
        rewind(maker->book);
        found = epd_next(maker->book, &maker->record, maker->chess960, error);
    }
    if (found == 0)
        snprintf(error, FEN_ERROR_MAX, "the book has no positions");
    return found > 0;
}

static void draw_arrays(Maker *maker, Position *start)
{
    int white = CHESS960_STANDARD, black = CHESS960_STANDARD;
    if (maker->options->arrays != ARRAYS_STANDARD)
        white = black = (int)rng_below(&maker->rng, CHESS960_NB);
    if (maker->options->arrays == ARRAYS_DOUBLE_CHESS960)
        black = (int)rng_below(&maker->rng, CHESS960_NB);
    chess960_start(start, white, black);
}

static bool is_over(const Maker *maker)
{
    return !gen_any(&maker->pos) || pos_insufficient_material(&maker->pos) ||
           game_fifty_moves(&maker->pos) || path_occurrences(&maker->path, &maker->pos) >= 2;
}

/* Plays random moves from `start`; false when the game was over before it had begun. */
static bool play_opening(Maker *maker, const Position *start)
{
    maker->pos = *start;
    path_start(&maker->path, start);
    const int64_t plies = maker->options->plies + (int64_t)rng_below(&maker->rng, 2);
    for (int64_t ply = 0; ply < plies; ply++) {
        if (is_over(maker))
            return false;
        const Position before = maker->pos;
        pos_play(&maker->pos, &before, randommove_draw(&before, &maker->rng));
        path_extend(&maker->path, &maker->pos);
    }
    return !is_over(maker);
}

/* Makes one opening; false, with the reason in `error`, when none is to be had. */
static bool make_opening(Maker *maker, char *error)
{
    for (int i = 0; i < TRIES_MAX; i++) {
        Position start;
        if (maker->book == NULL)
            draw_arrays(maker, &start);
        else if (!draw_line(maker, error))
            return false;
        if (play_opening(maker, maker->book != NULL ? &maker->record.pos : &start) &&
            single_is_level(maker->single, &maker->pos, &maker->path))
            return true;
    }
    snprintf(error, FEN_ERROR_MAX, "of %d openings none is level", TRIES_MAX);
    return false;
}

/* Opens the book, if there is one. */
static bool open_book(Maker *maker, char *error)
{
    if (maker->options->book == NULL)
        return true;
    maker->book = file_open(maker->options->book, "rb");
    if (maker->book != NULL && fseek(maker->book, 0, SEEK_END) == 0)
        maker->book_size = ftell(maker->book);
    if (maker->book_size <= 0)
        snprintf(error, FEN_ERROR_MAX, "cannot read the book, or it is empty");
    return maker->book_size > 0;
}

static bool hand_over_all(Maker *maker, GenfensTake take, void *ctx, char *error)
{
    for (int64_t i = 0; i < maker->options->count; i++) {
        if (!make_opening(maker, error))
            return false;
        if (!take(ctx, &maker->pos))
            break;
    }
    return true;
}

bool genfens_make(const GenfensOptions *options, const EvalSource *source, bool chess960,
                  GenfensTake take, void *ctx, char *error)
{
    snprintf(error, FEN_ERROR_MAX, "no memory");
    Maker *const maker = calloc(1, sizeof *maker);
    if (maker == NULL)
        return false;
    maker->options = options;
    maker->chess960 = chess960 || options->arrays != ARRAYS_STANDARD;
    maker->single = single_create(HASH_MIB, source);
    rng_seed(&maker->rng, (uint64_t)options->seed);
    const bool is_done =
        maker->single != NULL && open_book(maker, error) && hand_over_all(maker, take, ctx, error);
    if (maker->book != NULL)
        fclose(maker->book);
    single_destroy(maker->single);
    free(maker);
    return is_done;
}

/* Whom the openings are printed for. */
typedef struct {
    Session *session;
    bool chess960;
} Reader;

static bool print_opening(void *context, const Position *opening)
{
    const Reader *const reader = context;
    char fen[FEN_MAX];
    fen_print(opening, reader->chess960, fen);
    output_line(&reader->session->out, "info string genfens %s", fen);
    return !session_is_stopped(reader->session);
}

void run_genfens(Session *session, char *arguments)
{
    GenfensOptions options;
    const char *complaint;
    char error[FEN_ERROR_MAX];
    bool is_done = genfens_parse(&options, arguments, &complaint);
    if (is_done) {
        const bool chess960 = session->settings.chess960;
        Reader reader = {session, chess960 || options.arrays != ARRAYS_STANDARD};
        is_done = genfens_make(&options, engine_eval_source(session->engine), chess960,
                               print_opening, &reader, error);
        complaint = error;
    }
    if (!is_done) {
        output_line(&session->out, "info string error: genfens: %s", complaint);
        session->failed = true;
    }
}
