// SPDX-License-Identifier: GPL-3.0-or-later
/* Learned positions from EPD files, as `memory import` reads them: what is read is within its
 * limits and survives export and import. Input: a file of EPD lines. */
#include "fuzz.h"

#include <assert.h>
#include <string.h>

#include "chess/fen.h"
#include "chess/notation.h"
#include "uci/commands/memory_epd.h"

/* Reads what `learned` prints as; the result must be the same position. */
static void check_printed(const LearnedPosition *learned)
{
    char line[EPD_TEXT_MAX], again[EPD_TEXT_MAX], error[FEN_ERROR_MAX];
    EpdRecord record;
    LearnedPosition read;
    bool loses_score;
    memory_epd_print(learned, line);
    assert(epd_parse(&record, line, true, error));
    assert(memory_epd_read(&read, &record, learned->network, &loses_score, error));
    assert(!loses_score);
    memory_epd_print(&read, again);
    assert(strcmp(line, again) == 0);
    assert(learned_position_checksum(&read) == learned_position_checksum(learned));
}

static void check_text(const LearnedPosition *learned)
{
    LearnedPosition parsed = *learned;
    char move[MOVE_TEXT_MAX];
    learned_position_move_text(learned, move);
    assert(learned_position_parse(&parsed, learned->position, move));
    assert(parsed.key == learned->key && parsed.move == learned->move);
}

void fuzz_memory(const uint8_t *bytes, size_t size)
{
    EpdRecord record;
    LearnedPosition learned;
    char error[FEN_ERROR_MAX];
    bool loses_score;
    int status;
    FILE *const file = fopen(fuzz_file(bytes, size), "rb");
    assert(file != NULL);
    while ((status = epd_next_exact(file, &record, true, error)) != 0) {
        if (status < 0 || !memory_epd_read(&learned, &record, 77, &loses_score, error))
            continue;
        learned_position_entry(&learned);
        check_text(&learned);
        check_printed(&learned);
    }
    fclose(file);
}

void seed_memory(void)
{
    static const char *const TEXTS[] = {
        "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; ce 250; acd 12;\n",
        ("7k/8/6K1/8/8/8/8/5R2 w - - bm Rf8; ce 31999; acd 1; fmvn 60; "
         "c0 \"advice 31999 0000004d 1700000000 3\";\n"),
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - bm O-O; ce -100; acd 255; c0 \"learned - 0 0 1\";\n",
    };
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++)
        fuzz_seed_text(TEXTS[i]);
    for (LearnOrigin origin = 0; origin < ORIGIN_NB; origin++) {
        LearnedPosition learned = {.network = 77, .origin = origin, .depth = 9, .seen = 2};
        EpdRecord record;
        char line[EPD_TEXT_MAX], error[FEN_ERROR_MAX];
        assert(epd_parse(&record, FEN_START, false, error));
        learned_position_set(&learned, &record.pos, move_from_san(&record.pos, "e4"), 35);
        memory_epd_print(&learned, line);
        fuzz_seed_text(line);
    }
}
