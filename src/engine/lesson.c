// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/checksum.h"
#include "base/text.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"

enum {
    FULLMOVE_MAX = 65535, // Position.fullmove saturates there
    RECORD_MAX = 256      // bytes of the text that is summed
};

const char *lesson_policy_name(LessonPolicy policy)
{
    static const char *const names[] = {"Bebe", "Mouse", "Crafty"};
    return names[policy];
}

const char *lesson_origin_name(LessonOrigin origin)
{
    static const char *const names[] = {"learned", "analysis", "advice"};
    return names[origin];
}

bool lesson_is_due(LessonPolicy policy, const SearchOutcome *outcome, Score previous)
{
    if (outcome->depth < LESSON_DEPTH_MIN)
        return false;
    const Score before = policy == LESSON_CRAFTY ? previous : outcome->peak;
    return policy == LESSON_BEBE ||
           (before != SCORE_NONE && before - outcome->score >= LESSON_DROP);
}

void lesson_position(const Position *pos, char *out)
{
    char fen[FEN_MAX];
    fen_print(pos, pos_needs_chess960(pos), fen);
    char *end = fen;
    for (int field = 0; field < 4; field++)
        end += strcspn(end, " ") + (field < 3);
    *end = '\0';
    const bool fits = text_copy(out, LESSON_POSITION_MAX, fen);
    assert(fits);
    (void)fits;
}

/* What of a score of `pos` may be kept. */
static Score score_to_keep(const Position *pos, Score score)
{
    const bool is_tabled = score_is_proven(score) && !score_is_mate(score);
    return score_is_near_draw(score) || is_tabled || pos->rule50 >= LESSON_RULE50_MAX ? SCORE_NONE
                                                                                      : score;
}

void lesson_place(Lesson *lesson, const Position *pos, Move move, Score score)
{
    assert(gen_is_legal(pos, move));
    lesson_position(pos, lesson->position);
    lesson->key = pos->key;
    lesson->move = move;
    lesson->fullmove = pos->fullmove;
    lesson->score = score_to_keep(pos, score);
}

static bool is_sane_score(Score score)
{
    return score == SCORE_NONE || (-SCORE_MATE < score && score < SCORE_MATE);
}

bool lesson_read(Lesson *lesson, const char *position, const char *move)
{
    Position pos;
    char error[FEN_ERROR_MAX];
    if (!is_sane_score(lesson->score) || lesson->depth < 0 || lesson->depth > MAX_DEPTH ||
        lesson->fullmove < 1 || lesson->fullmove > FULLMOVE_MAX || lesson->seen < 1 ||
        lesson->seen > LESSON_SEEN_MAX || (unsigned)lesson->origin >= LESSON_ORIGIN_NB ||
        strlen(position) >= LESSON_POSITION_MAX || !fen_parse(&pos, position, true, error))
        return false;
    lesson_position(&pos, lesson->position);
    lesson->key = pos.key;
    lesson->move = move_from_uci(&pos, move, pos_needs_chess960(&pos));
    return lesson->move != MOVE_NONE && strcmp(lesson->position, position) == 0;
}

void lesson_move_text(const Lesson *lesson, char *out)
{
    /* Rights are in the third field: file letters are what only Chess960 needs. */
    const char *rights = lesson->position + strcspn(lesson->position, " ") + 3;
    move_to_uci(lesson->move, strspn(rights, "KQkq-") < strcspn(rights, " "), out);
}

uint64_t lesson_checksum(const Lesson *lesson)
{
    char record[RECORD_MAX], move[MOVE_TEXT_MAX];
    lesson_move_text(lesson, move);
    const int length =
        snprintf(record, sizeof record, "%s %s %d %d %d %08" PRIx32 " %d %" PRId64 " %" PRId64,
                 lesson->position, move, lesson->score, lesson->depth, lesson->fullmove,
                 lesson->network, (int)lesson->origin, lesson->calendar_s, lesson->seen);
    assert(length < RECORD_MAX);
    return checksum64(record, (size_t)length);
}

bool lesson_replaces(LessonPolicy policy, const Lesson *newer, const Lesson *older)
{
    if (policy != LESSON_MOUSE || newer->origin == LESSON_ADVICE ||
        newer->network != older->network || older->score == SCORE_NONE)
        return true;
    return newer->score != SCORE_NONE && newer->depth >= older->depth;
}

LessonWindow lesson_window(LessonPolicy policy, Score fuzz, Score score)
{
    if (policy == LESSON_CRAFTY || score_is_proven(score))
        return (LessonWindow){score, score};
    return (LessonWindow){score_clamp_eval(score - fuzz), score_clamp_eval(score + fuzz)};
}
