// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/genfens.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "chess/chess960.h"
#include "chess/epd.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/play.h"
#include "chess/randommove.h"
#include "engine/single.h"
#include "uci/commands/run.h"

enum {
    PLIES_DEFAULT = 8,
    PLIES_AFTER_BOOK = 2, // positions of a book differ already
    PLIES_MAX = 64,
    HASH_MIB = 1,
    TRIES_MAX = 1000 // for one opening; a book may have only lost positions
};

/* State of the generator. */
typedef struct {
    const GenfensOptions *options;
    bool chess960;
    FILE *book; // or NULL
    int64_t book_size;
    Rng rng;
    Single *single;
    EpdRecord record;
    Position pos; // the last opening
    Path path;    // from its start position to `pos`
} Generator;

/* Reads the next word, a number, into `*number`. */
static bool read_number(char **cursor, int64_t min, int64_t max, int64_t *number)
{
    const char *const word = text_word(cursor);
    return word != NULL && text_parse_int(word, min, max, number);
}

/* Parses the arguments after the number of openings; false, with the reason in `error`, when they
 * are faulty. */
static bool parse_words(GenfensOptions *options, char *cursor, char *error)
{
    for (const char *word = text_word(&cursor); word != NULL; word = text_word(&cursor)) {
        if (strcmp(word, "seed") == 0) {
            if (!read_number(&cursor, 0, INT64_MAX, &options->seed)) {
                snprintf(error, FEN_ERROR_MAX, "seed needs a number from 0 to %" PRId64, INT64_MAX);
                return false;
            }
        } else if (strcmp(word, "book") == 0) {
            options->book = text_quoted_word(&cursor);
            if (options->book == NULL) {
                snprintf(error, FEN_ERROR_MAX, "book needs None or a file");
                return false;
            }
        } else if (strcmp(word, "plies") == 0) {
            if (!read_number(&cursor, 0, PLIES_MAX, &options->plies)) {
                snprintf(error, FEN_ERROR_MAX, "plies needs a number from 0 to %d", PLIES_MAX);
                return false;
            }
        } else if (strcmp(word, "frc") == 0) {
            options->arrays = ARRAYS_CHESS960;
        } else if (strcmp(word, "dfrc") == 0) {
            options->arrays = ARRAYS_DOUBLE_CHESS960;
        } else {
            snprintf(error, FEN_ERROR_MAX, "the words are seed, book, plies, frc and dfrc");
            return false;
        }
    }
    return true;
}

bool genfens_parse(GenfensOptions *options, char *arguments, char *error)
{
    char *cursor = arguments;
    *options = (GenfensOptions){.plies = -1};
    if (!read_number(&cursor, 1, UINT32_MAX, &options->count)) {
        snprintf(error, FEN_ERROR_MAX, "needs the number of openings, from 1 to %u", UINT32_MAX);
        return false;
    }
    if (!parse_words(options, cursor, error))
        return false;
    if (options->book != NULL && text_equal_nocase(options->book, "None"))
        options->book = NULL;
    if (options->plies < 0)
        options->plies = options->book != NULL ? PLIES_AFTER_BOOK : PLIES_DEFAULT;
    return true;
}

/* Moves to a byte of the book; false, with the reason in `error` (FEN_ERROR_MAX bytes), when that
 * fails. */
static bool seek_in_book(Generator *generator, uint64_t at, char *error)
{
    const bool is_there = file_seek(generator->book, at);
    if (!is_there)
        snprintf(error, FEN_ERROR_MAX, "cannot be read: %s", strerror(errno));
    return is_there;
}

/* Reads the first whole line after a random byte of the book; after the last line, the first line
 * of the book. False, with the reason in `error`, when it is not a position. */
static bool draw_line(Generator *generator, char *error)
{
    FILE *const book = generator->book;
    const uint64_t at = rng_below(&generator->rng, (uint64_t)generator->book_size);
    if (!seek_in_book(generator, at, error))
        return false;
    for (int c = at > 0 ? getc(book) : '\n'; c != '\n' && c != EOF;)
        c = getc(book);
    bool chess960 = generator->chess960;
    int found = epd_next_any(book, &generator->record, &chess960, error);
    if (found == 0) {
        if (!seek_in_book(generator, 0, error))
            return false;
        found = epd_next_any(book, &generator->record, &chess960, error);
    }
    if (found == 0)
        snprintf(error, FEN_ERROR_MAX, "has no positions");
    return found > 0;
}

static void draw_arrays(Generator *generator, Position *start)
{
    int white = CHESS960_STANDARD, black = CHESS960_STANDARD;
    if (generator->options->arrays != ARRAYS_STANDARD)
        white = black = (int)rng_below(&generator->rng, CHESS960_NB);
    if (generator->options->arrays == ARRAYS_DOUBLE_CHESS960)
        black = (int)rng_below(&generator->rng, CHESS960_NB);
    chess960_start(start, white, black);
}

/* Plays random moves from `start`; false when one of them ends the game. */
static bool play_opening(Generator *generator, const Position *start)
{
    generator->pos = *start;
    path_start(&generator->path, start);
    const int64_t wanted = generator->options->plies;
    const int64_t plies = wanted + (wanted > 0 ? (int64_t)rng_below(&generator->rng, 2) : 0);
    for (int64_t ply = 0; ply < plies; ply++) {
        if (game_end(&generator->pos, &generator->path) != END_NONE)
            return false;
        pos_advance(&generator->pos, randommove_draw(&generator->pos, &generator->rng));
        path_extend(&generator->path, &generator->pos);
    }
    return game_end(&generator->pos, &generator->path) == END_NONE;
}

/* Makes one opening; false, with the reason in `error`, after TRIES_MAX failures. */
static bool make_opening(Generator *generator, char *error)
{
    for (int i = 0; i < TRIES_MAX; i++) {
        Position start;
        if (generator->book == NULL)
            draw_arrays(generator, &start);
        else if (!draw_line(generator, error))
            return false;
        if (play_opening(generator, generator->book != NULL ? &generator->record.pos : &start) &&
            single_is_balanced(generator->single, &generator->pos, &generator->path))
            return true;
    }
    snprintf(error, FEN_ERROR_MAX, "none of %d openings is balanced", TRIES_MAX);
    return false;
}

/* Opens the book, if the options name one. */
static bool open_book(Generator *generator, char *error)
{
    const char *const path = generator->options->book;
    if (path == NULL)
        return true;
    if (file_kind(path, &generator->book_size) == FILE_REGULAR && generator->book_size > 0)
        generator->book = file_open(path, "rb");
    if (generator->book == NULL)
        snprintf(error, FEN_ERROR_MAX, "cannot be read or is empty");
    return generator->book != NULL;
}

static bool visit_all(Generator *generator, GenfensVisit visit, void *ctx, char *error)
{
    for (int64_t i = 0; i < generator->options->count; i++) {
        if (!make_opening(generator, error))
            return false;
        if (!visit(ctx, &generator->pos))
            break;
    }
    return true;
}

bool genfens_make(const GenfensOptions *options, const EvalSource *source, bool chess960,
                  GenfensVisit visit, void *ctx, char *error)
{
    snprintf(error, FEN_ERROR_MAX, "out of memory");
    Generator *const generator = calloc(1, sizeof *generator);
    if (generator == NULL)
        return false;
    generator->options = options;
    generator->chess960 = chess960;
    generator->single = single_create(HASH_MIB, source);
    rng_seed(&generator->rng, (uint64_t)options->seed);
    const bool is_done = generator->single != NULL && open_book(generator, error) &&
                         visit_all(generator, visit, ctx, error);
    if (generator->book != NULL)
        fclose(generator->book);
    single_destroy(generator->single);
    free(generator);
    return is_done;
}

/* Context of print_opening(). */
typedef struct {
    Session *session;
    bool chess960;
} OpeningPrinter;

static bool print_opening(void *context, const Position *opening)
{
    const OpeningPrinter *const printer = context;
    char fen[FEN_MAX];
    fen_print(opening, printer->chess960, fen);
    output_line(&printer->session->out, "info string genfens %s", fen);
    return !session_ends_old_task(printer->session);
}

void run_genfens(Session *session, char *arguments)
{
    GenfensOptions options;
    char error[FEN_ERROR_MAX];
    if (!genfens_parse(&options, arguments, error)) {
        session_fail(session, "genfens: %s", error);
        return;
    }
    const char *const book = options.book;
    OpeningPrinter printer = {session,
                              session->settings.chess960 || options.arrays != ARRAYS_STANDARD};
    if (genfens_make(&options, engine_eval_source(session->engine), printer.chess960, print_opening,
                     &printer, error))
        return;
    if (book != NULL)
        session_fail(session, "genfens book %.*s: %s", text_cut(book, 80), book, error);
    else
        session_fail(session, "genfens: %s", error);
}
