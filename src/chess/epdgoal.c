// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/epdgoal.h"

#include <string.h>

#include "base/text.h"
#include "chess/fen.h"
#include "chess/notation.h"

enum { MATE_MAX = 1000, POINTS_MAX = 1000000 };

static bool lists(const EpdMoves *moves, Move move)
{
    return moves_contain(moves->moves, moves->count, move);
}

/* Appends the move that `text` names; false, with the reason in `error`, when no move or more than
 * one fits, or the list is full. */
static bool add_move(EpdMoves *moves, const Position *pos, const char *text, char *error)
{
    const Move move = move_from_text(pos, text);
    if (move == MOVE_NONE) {
        snprintf(error, FEN_ERROR_MAX, "'%.*s' is illegal or ambiguous", text_cut(text, 20), text);
        return false;
    }
    if (moves->count == EPD_GOAL_MOVES) {
        snprintf(error, FEN_ERROR_MAX, "more than %d moves", EPD_GOAL_MOVES);
        return false;
    }
    moves->moves[moves->count++] = move;
    return true;
}

/* Some suites separate moves by commas. */
static void drop_commas(char *text)
{
    for (; *text != '\0'; text++)
        if (*text == ',')
            *text = ' ';
}

/* The next word that names a move, as text_word(): "e.p." after a move is skipped. */
static char *move_word(char **cursor)
{
    char *word = text_word(cursor);
    while (word != NULL && strcmp(word, "e.p.") == 0)
        word = text_word(cursor);
    return word;
}

/* Reads the moves of `opcode`; a missing operation is an empty list. */
static bool read_moves(EpdMoves *moves, const EpdRecord *record, const char *opcode, char *error)
{
    char operand[EPD_TEXT_MAX];
    if (!epd_operand(record, opcode, operand, sizeof operand))
        return true;
    drop_commas(operand);
    char *cursor = operand;
    for (const char *word = move_word(&cursor); word != NULL; word = move_word(&cursor))
        if (!add_move(moves, &record->pos, word, error))
            return false;
    if (moves->count > 0)
        return true;
    snprintf(error, FEN_ERROR_MAX, "%s without a move", opcode);
    return false;
}

/* Reads the number of moves to a mate from `text`, which is all or the end of the operand of
 * `opcode`. */
static bool parse_mate(EpdGoal *goal, const char *opcode, const char *operand, const char *text,
                       char *error)
{
    int64_t moves;
    if (!text_parse_int(text, -MATE_MAX, MATE_MAX, &moves) || moves == 0) {
        snprintf(error, FEN_ERROR_MAX, "%s '%.*s' is not a number of moves", opcode,
                 text_cut(operand, 20), operand);
        return false;
    }
    goal->mate = (int)moves;
    return true;
}

/* Reads bm: the best moves, or the mate in "bm #5", as the suite matetrack writes it. */
static bool read_best(EpdGoal *goal, const EpdRecord *record, char *error)
{
    char operand[EPD_TEXT_MAX];
    if (epd_operand(record, "bm", operand, sizeof operand) && *operand == '#')
        return parse_mate(goal, "bm", operand, operand + 1, error);
    return read_moves(&goal->best, record, "bm", error);
}

static bool read_mate(EpdGoal *goal, const EpdRecord *record, char *error)
{
    char operand[EPD_TEXT_MAX];
    return !epd_operand(record, "dm", operand, sizeof operand) ||
           parse_mate(goal, "dm", operand, operand, error);
}

/* Adds a move and its points, whose text may be NULL. */
static bool add_points(EpdGoal *goal, const EpdRecord *record, const char *move, const char *points,
                       char *error)
{
    int64_t number;
    if (points == NULL || !text_parse_int(points, 0, POINTS_MAX, &number)) {
        snprintf(error, FEN_ERROR_MAX, "no points for the move '%.*s'", text_cut(move, 20), move);
        return false;
    }
    if (!add_move(&goal->scored, &record->pos, move, error))
        return false;
    goal->points[goal->scored.count - 1] = (int)number;
    if (goal->points_max < (int)number)
        goal->points_max = (int)number;
    return true;
}

/* Whether each word of `text` has the form "move=points". */
static bool is_point_list(const char *text)
{
    char copy[EPD_TEXT_MAX];
    int64_t number;
    int count = 0;
    text_copy(copy, sizeof copy, text);
    char *cursor = copy;
    for (char *word = text_word(&cursor); word != NULL; word = text_word(&cursor), count++) {
        const char *const sign = strrchr(word, '=');
        if (sign == NULL || sign == word || !text_parse_int(sign + 1, 0, POINTS_MAX, &number))
            return false;
    }
    return count > 0;
}

/* Reads points of the form "f5=10, e8=Q=3". */
static bool read_point_list(EpdGoal *goal, const EpdRecord *record, char *text, char *error)
{
    for (char *word = text_word(&text); word != NULL; word = text_word(&text)) {
        char *const sign = strrchr(word, '=');
        *sign = '\0';
        if (!add_points(goal, record, word, sign + 1, error))
            return false;
    }
    return true;
}

/* Reads points in c8 and their moves in c9 or c7. */
static bool read_point_columns(EpdGoal *goal, const EpdRecord *record, char *error)
{
    char points[EPD_TEXT_MAX], moves[EPD_TEXT_MAX];
    if (!epd_operand(record, "c8", points, sizeof points) ||
        points[strspn(points, "0123456789 ")] != '\0' ||
        (!epd_operand(record, "c9", moves, sizeof moves) &&
         !epd_operand(record, "c7", moves, sizeof moves)))
        return true;
    char *next_point = points, *next_move = moves;
    for (const char *move = move_word(&next_move); move != NULL; move = move_word(&next_move))
        if (!add_points(goal, record, move, text_word(&next_point), error))
            return false;
    if (text_word(&next_point) == NULL)
        return true;
    snprintf(error, FEN_ERROR_MAX, "c8 has more numbers than there are moves");
    return false;
}

static bool read_points(EpdGoal *goal, const EpdRecord *record, char *error)
{
    char operand[EPD_TEXT_MAX];
    const bool has_comment = epd_operand(record, "c0", operand, sizeof operand);
    if (has_comment)
        drop_commas(operand);
    return has_comment && is_point_list(operand) ? read_point_list(goal, record, operand, error)
                                                 : read_point_columns(goal, record, error);
}

int epd_goal_read(EpdGoal *goal, const EpdRecord *record, char *error)
{
    static const char *const OPCODES[] = {"bm", "am", "dm", "c0", "c7", "c8", "c9"};
    *goal = (EpdGoal){.mate = 0};
    if (!epd_check_once(record, OPCODES, sizeof OPCODES / sizeof OPCODES[0], error) ||
        !read_best(goal, record, error) || !read_moves(&goal->avoid, record, "am", error) ||
        !read_mate(goal, record, error) || !read_points(goal, record, error))
        return -1;
    return goal->best.count > 0 || goal->avoid.count > 0 || goal->mate != 0 || goal->points_max > 0;
}

int epd_goal_points(const EpdGoal *goal, Move move)
{
    for (int i = 0; i < goal->scored.count; i++)
        if (goal->scored.moves[i] == move)
            return goal->points[i];
    return 0;
}

bool epd_goal_is_met(const EpdGoal *goal, Move move, int mate)
{
    if (move == MOVE_NONE)
        return false;
    if (goal->best.count > 0 || goal->avoid.count > 0)
        return (goal->best.count == 0 || lists(&goal->best, move)) && !lists(&goal->avoid, move);
    if (goal->mate > 0)
        return mate > 0 && mate <= goal->mate;
    if (goal->mate < 0)
        return mate < 0 && mate >= goal->mate;
    return epd_goal_points(goal, move) == goal->points_max;
}
