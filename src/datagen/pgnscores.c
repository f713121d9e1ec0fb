// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/pgnscores.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "chess/pgngame.h"
#include "chess/play.h"
#include "eval/score.h"

enum { COMMENT_MAX = 256 };

typedef struct {
    const char *player;
    PgnScoreVisit visit;
    void *ctx;
    PgnTally *tally;
    uint64_t game_number;
} Reader;

/* The result, as in gamecode.h; -1: none. */
static int result_of(const PgnGame *game)
{
    const char *const text = game->result;
    if (strcmp(text, "1-0") == 0)
        return GAME_WHITE_WINS;
    if (strcmp(text, "0-1") == 0)
        return GAME_BLACK_WINS;
    return strcmp(text, "1/2-1/2") == 0 ? GAME_DRAW : -1;
}

/* Whether time, a crash or the like decided the game. */
static bool is_void(const PgnGame *game)
{
    const char *const text = pgn_game_tag(game, "Termination");
    return *text != '\0' && !text_equal_nocase(text, "normal") &&
           !text_equal_nocase(text, "adjudication");
}

/* Copies the next comment outside variations, cut to COMMENT_MAX - 1 characters, to `comment`, and
 * moves `*items` after it. False when there is none. */
static bool next_comment(const char **items, char *comment)
{
    int depth = 0; // of variations
    for (const char *at = *items; *at != '\0'; at++) {
        depth += (*at == '(') - (*at == ')');
        if (*at != '{')
            continue;
        const size_t length = strcspn(at + 1, "}");
        if (depth == 0) {
            const size_t kept = length < COMMENT_MAX ? length : COMMENT_MAX - 1;
            memcpy(comment, at + 1, kept);
            comment[kept] = '\0';
            *items = at + 1 + length;
            return true;
        }
        at += length;
    }
    return false;
}

/* Whether the text is a depth, perhaps with a selective depth: "12", "12/20". */
static bool is_depth(const char *text)
{
    static const char DIGITS[] = "0123456789";
    const size_t length = strspn(text, DIGITS);
    const char *end = text + length;
    if (*end == '/')
        end += 1 + strspn(end + 1, DIGITS);
    return length > 0 && (*end == '\0' || *end == ',');
}

/* Parses the score in a comment; false without a score or with a mate score. A number without sign
 * and point is no score: "1/2", "12/2026". */
static bool parse_score(char *comment, int *centipawns)
{
    char *cursor = comment;
    char *const word = text_word(&cursor), *const slash = word != NULL ? strchr(word, '/') : NULL;
    double pawns;
    if (slash == NULL || !is_depth(slash + 1))
        return false;
    *slash = '\0';
    if (strpbrk(word, "+-.") == NULL)
        return false;
    const double max = SCORE_EVAL_MAX / 100.0; // more: a tablebase win
    if (!text_parse_real(word, -max, max, &pawns))
        return false;
    *centipawns = (int)lround(100.0 * pawns);
    return true;
}

/* Finds the first score in the comments after a move; false without one. */
static bool find_score(const char *items, int *centipawns)
{
    char comment[COMMENT_MAX];
    while (next_comment(&items, comment))
        if (parse_score(comment, centipawns))
            return true;
    return false;
}

/* Visits the scores of the game, those of r->player only if it is set. */
static void visit_scores(Reader *r, const PgnGame *game, int result)
{
    const char *const names[COLOR_NB] = {pgn_game_tag(game, "White"), pgn_game_tag(game, "Black")};
    Position pos = game->start;
    for (int i = 0; i < game->move_count; i++) {
        PgnScore score = {.pos = &pos, .result = result, .game = r->game_number};
        if ((r->player == NULL || strcmp(r->player, names[pos.side]) == 0) &&
            find_score(game->text.text + game->moves[i].after, &score.centipawns)) {
            r->tally->moves++;
            r->visit(r->ctx, &score);
        }
        pos_advance(&pos, game->moves[i].move);
    }
}

static void count_game(Reader *r, const PgnGame *game)
{
    const int result = result_of(game);
    if (game->error[0] != '\0') {
        r->tally->faulty++;
    } else if (game->move_count > 0 && (result < 0 || is_void(game))) {
        r->tally->unjudged++;
    } else if (game->move_count > 0) {
        r->tally->games++;
        visit_scores(r, game, result);
        r->game_number++;
    }
}

bool pgnscores_read(const char *text, const char *player, PgnScoreVisit visit, void *ctx,
                    PgnTally *tally)
{
    Reader r = {.player = player, .visit = visit, .ctx = ctx, .tally = tally};
    PgnReader reader = pgn_reader(text);
    PgnGame game = {0};
    int found = pgn_game_read(&reader, &game);
    for (; found == 1; found = pgn_game_read(&reader, &game))
        count_game(&r, &game);
    pgn_game_free(&game);
    return found == 0;
}
