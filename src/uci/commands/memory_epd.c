// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/memory_epd.h"

#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "eval/winrate.h"

enum { OPERAND_MAX = 256 };

void memory_epd_print(const LearnedPosition *learned, char *out)
{
    Position pos;
    char error[FEN_ERROR_MAX], move[MOVE_TEXT_MAX] = "-", score[64] = "", units[16] = "-";
    const bool is_good = fen_parse(&pos, learned->position, true, error);
    if (is_good)
        move_to_san(&pos, learned->move, move);
    if (learned->score != SCORE_NONE)
        snprintf(units, sizeof units, "%d", learned->score);
    if (learned->score != SCORE_NONE && is_good)
        snprintf(score, sizeof score, " ce %d;",
                 score_is_proven(learned->score)
                     ? learned->score
                     : winrate_centipawns(learned->score, pos_material(&pos)));
    snprintf(out, EPD_TEXT_MAX,
             "%s bm %s;%s acd %d; fmvn %d; c0 \"%s %s %08" PRIx32 " %" PRId64 " %" PRId64 "\";",
             learned->position, move, score, learned->depth, learned->fullmove,
             learned_origin_name(learned->origin), units, learned->network, learned->calendar_s,
             learned->seen);
}

static bool read_origin(const char *name, LearnOrigin *origin)
{
    for (int i = 0; i < ORIGIN_NB; i++)
        if (strcmp(name, learned_origin_name((LearnOrigin)i)) == 0) {
            *origin = (LearnOrigin)i;
            return true;
        }
    return false;
}

/* Eight hexadecimal digits. */
static bool read_network(const char *text, uint32_t *network)
{
    if (strlen(text) != 8 || text[strspn(text, "0123456789abcdef")] != '\0')
        return false;
    *network = 0;
    for (; *text != '\0'; text++)
        *network = *network << 4 | (uint32_t)(*text <= '9' ? *text - '0' : *text - 'a' + 10);
    return true;
}

/* A score in units: an evaluation or a mate. */
static bool read_units(const char *text, int64_t *units)
{
    return text_parse_int(text, -SCORE_MATE + 1, SCORE_MATE - 1, units) &&
           (!score_is_proven((Score)*units) || score_is_mate((Score)*units));
}

/* Reads the comment `c0` of this program's files: origin, score in units, network, time, times
 * seen. False, with `learned` and `*loses_score` unchanged, when the comment has another format. */
static bool read_comment(char *comment, const Position *pos, LearnedPosition *learned,
                         bool *loses_score)
{
    const char *words[5];
    LearnedPosition read = *learned;
    int64_t units = SCORE_NONE;
    for (int i = 0; i < 5; i++)
        if ((words[i] = text_word(&comment)) == NULL)
            return false;
    if (!read_origin(words[0], &read.origin) ||
        (strcmp(words[1], "-") != 0 && !read_units(words[1], &units)) ||
        !read_network(words[2], &read.network) ||
        !text_parse_int(words[3], INT64_MIN, INT64_MAX, &read.calendar_s) ||
        !text_parse_int(words[4], 1, LEARNED_SEEN_MAX, &read.seen))
        return false;
    read.score = learned_score_to_keep(pos, (Score)units);
    read.keeps_score = false;
    *loses_score = units != SCORE_NONE && read.score == SCORE_NONE;
    *learned = read;
    return true;
}

/* The first move of bm; MOVE_NONE when it is missing or not legal. */
static Move first_best_move(const EpdRecord *record)
{
    char text[OPERAND_MAX], *cursor = text;
    if (!epd_operand(record, "bm", text, sizeof text))
        return MOVE_NONE;
    text[strcspn(text, ",")] = '\0'; // some suites separate moves by commas
    const char *const word = text_word(&cursor);
    return word != NULL ? move_from_text(&record->pos, word) : MOVE_NONE;
}

bool memory_epd_read(LearnedPosition *learned, const EpdRecord *record, uint32_t network,
                     bool *loses_score, char *error)
{
    static const char *const OPCODES[] = {"bm", "ce", "acd"};
    char text[OPERAND_MAX];
    int64_t number;
    Score units = SCORE_NONE;
    if (!epd_check_once(record, OPCODES, sizeof OPCODES / sizeof OPCODES[0], error))
        return false;
    *learned = (LearnedPosition){.network = network,
                                 .origin = ORIGIN_ADVICE,
                                 .depth = MAX_DEPTH,
                                 .calendar_s = clock_calendar_s(),
                                 .seen = 1};
    const Move move = first_best_move(record);
    if (move == MOVE_NONE) {
        snprintf(error, FEN_ERROR_MAX, "bm with a legal move is missing");
        return false;
    }
    const bool has_score = epd_operand(record, "ce", text, sizeof text);
    if (has_score && text_parse_int(text, INT32_MIN, INT32_MAX, &number))
        units = winrate_units((double)number, pos_material(&record->pos));
    if (epd_operand(record, "acd", text, sizeof text) &&
        text_parse_int(text, 0, MAX_DEPTH, &number))
        learned->depth = (int)number;
    learned_position_set(learned, &record->pos, move, units);
    learned->keeps_score = units == SCORE_NONE;
    *loses_score = has_score && learned->score == SCORE_NONE;
    if (epd_operand(record, "c0", text, sizeof text))
        read_comment(text, &record->pos, learned,
                     loses_score); // comments of other programs are ignored
    return true;
}
